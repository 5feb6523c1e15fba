package motion

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// firstAtoms returns the first mostAtoms of allAtoms(n).
func firstAtoms(n int) []expr.Tree {
	out := allAtoms(n, false)
	return out[:min(len(out), mostAtoms)]
}

// allAtoms returns the atoms of n states: terms of sums without free constants. They are 1, powers,
// sines, cosines and products of one, two or three of n states, and terms of common forces. Terms
// of central forces are included if n is at most mostNormed. If amounts is true, the states are
// amounts such as populations or concentrations. Then central forces and products or sums with
// sines and cosines are left out.
func allAtoms(n int, amounts bool) []expr.Tree {
	x := make([]expr.Tree, n)
	for i := range x {
		x[i] = expr.X(i)
	}
	out := []expr.Tree{expr.Num(1)}
	for _, v := range x {
		out = append(out, single(v)...)
	}
	if n <= mostNormed && !amounts {
		for i, v := range x {
			for _, w := range x[i+1:] {
				out = append(out, central(v, w)...)
			}
		}
	}
	for i, v := range x {
		for j, w := range x {
			if i == j {
				continue
			}
			out = append(out, ordered(v, w, i < j, amounts)...)
			if i < j {
				out = append(out, symmetric(v, w, amounts)...)
				for _, u := range x[j+1:] {
					out = append(out, expr.Apply(expr.Mul, expr.Apply(expr.Mul, v, w), u))
				}
			}
		}
	}
	if amounts {
		return out
	}
	for i := range x {
		out = append(out, sloping(x, i)...)
	}
	return out
}

// single returns the atoms that depend on the state v only.
func single(v expr.Tree) []expr.Tree {
	ap := expr.Apply
	return []expr.Tree{
		v, ap(expr.Square, v), ap(expr.Cube, v), ap(expr.Square, ap(expr.Square, v)),
		ap(expr.Mul, v, ap(expr.Abs, v)), ap(expr.Sign, v), ap(expr.Sin, v), ap(expr.Cos, v),
		ap(expr.Sqrt, v), ap(expr.Inv, v), ap(expr.Exp, ap(expr.Neg, v)),
		ap(expr.Mul, v, ap(expr.Log, v)), ap(expr.Mul, ap(expr.Sin, v), ap(expr.Cos, v)),
	}
}

// central returns terms of central forces and of drag. v and w are two coordinates or two
// velocities.
func central(v, w expr.Tree) (out []expr.Tree) {
	ap := expr.Apply
	square := ap(expr.Add, ap(expr.Square, v), ap(expr.Square, w))
	root := ap(expr.Sqrt, square)
	for _, u := range []expr.Tree{v, w} {
		out = append(out, ap(expr.Mul, u, root), ap(expr.Div, u, ap(expr.Mul, square, root)), ap(expr.Div, u, square),
			ap(expr.Div, u, ap(expr.Square, square)), ap(expr.Div, u, ap(expr.Mul, ap(expr.Square, square), root)))
	}
	return out
}

// ordered returns the atoms of states v and w that change if v and w are exchanged. If first is
// true, it also returns sin v·sin w and cos v·cos w, which do not change.
func ordered(v, w expr.Tree, first, amounts bool) []expr.Tree {
	ap := expr.Apply
	waves := []expr.Op{expr.Sin, expr.Cos}
	out := []expr.Tree{ap(expr.Mul, v, ap(expr.Square, w)), ap(expr.Div, v, w), ap(expr.Div, ap(expr.Square, v), w)}
	if amounts {
		return out
	}
	for _, f := range waves {
		out = append(out, ap(expr.Mul, v, ap(f, w)), ap(expr.Div, ap(f, v), w))
		for _, g := range waves {
			if first || f != g {
				out = append(out, ap(expr.Mul, ap(f, v), ap(g, w)))
			}
			out = append(out, ap(expr.Mul, ap(f, v), ap(expr.Square, ap(g, w))))
		}
	}
	return out
}

// symmetric returns atoms of the states v and w. If v and w are exchanged, each atom keeps its
// value or changes its sign, or it becomes another atom of the list. The atoms are products, sines
// and cosines of the sum and of the difference, and the forces of springs and flows, which depend
// on the difference.
func symmetric(v, w expr.Tree, amounts bool) []expr.Tree {
	ap := expr.Apply
	out := []expr.Tree{ap(expr.Mul, v, w), ap(expr.Mul, ap(expr.Square, v), ap(expr.Square, w))}
	if amounts {
		return out
	}
	for _, op := range []expr.Op{expr.Sub, expr.Add} {
		out = append(out, ap(expr.Sin, ap(op, v, w)), ap(expr.Cos, ap(op, v, w)))
	}
	gap := ap(expr.Sub, v, w)
	return append(out, ap(expr.Cube, gap), ap(expr.Mul, gap, ap(expr.Abs, gap)), ap(expr.Mul, v, ap(expr.Abs, gap)), ap(expr.Mul, w, ap(expr.Abs, gap)))
}

// sloping returns the terms with the cotangent of state i, and with the product of its sine and
// cosine, as in motion on spheres and along walls.
func sloping(x []expr.Tree, i int) (out []expr.Tree) {
	ap := expr.Apply
	slope := ap(expr.Tan, x[i])
	for j, v := range x {
		if i == j {
			continue
		}
		out = append(out, ap(expr.Div, ap(expr.Sin, v), slope), ap(expr.Div, ap(expr.Cos, v), slope),
			ap(expr.Mul, ap(expr.Square, v), ap(expr.Mul, ap(expr.Sin, x[i]), ap(expr.Cos, x[i]))))
		for k, u := range x[j:] {
			if j+k != i {
				out = append(out, ap(expr.Div, ap(expr.Mul, v, u), slope))
			}
		}
	}
	return out
}

// oneSigned reports whether t contains the absolute value or the sign of an operand that has one
// sign in all rows of the columns x. Other terms then give the same values: if v > w in all rows,
// v*|v - w| is the sum of v² and -v*w. It returns false if a variable of t is not among x.
func oneSigned(t expr.Tree, x [][]float64) bool {
	if vars := t.Vars(); len(vars) == 0 || slices.Max(vars) >= len(x) {
		return false
	}
	for i, n := range t.Nodes() {
		if n.Op != expr.Abs && n.Op != expr.Sign {
			continue
		}
		v := make([]float64, len(x[0]))
		operand := t.Subtree(i - 1)
		expr.Compile(operand).Eval(v, x, operand.Params())
		if slices.Min(v) > 0 || slices.Max(v) < 0 {
			return true
		}
	}
	return false
}
