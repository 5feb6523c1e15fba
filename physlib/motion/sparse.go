package motion

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Sparse proposes laws that are sums of few terms of a library: products of powers, sines, cosines
// and cotangents of states, their sums and differences, and simple quotients. Terms are added one
// at a time, each time the one that with those there leaves least (orthogonal least squares: S.
// Chen, S. A. Billings, W. Luo, Int. J. Control 50 (1989) 1873), from several first terms, and
// taken away again from the longest sums. Many laws of motion are of this kind (S. L. Brunton, J.
// L. Proctor, J. N. Kutz, PNAS 113 (2016) 3932).
//
// Where the time is a column, sines and cosines of it are among the terms, with the frequencies
// that the data show; see drives.
type Sparse struct {
	Time string // name of the column that is the time; "": none
}

// longest sums, first terms from which they are begun, pairs that are tried besides, terms in all,
// and rows.
const (
	mostTerms  = 7
	firstTerms = 20
	mostPairs  = 40
	mostAtoms  = 400
	sparseRows = 500
	mostNormed = 6 // columns of which distances are terms
)

// Propose yields the sums, short ones first.
func (c Sparse) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		l := newLibrary(p, c.Time)
		if l == nil {
			return
		}
		seen := map[uint64]bool{}
		emit := func(terms []int) bool {
			t := l.sum(terms)
			if hash := t.Hash(); seen[hash] {
				return true
			} else {
				seen[hash] = true
			}
			return ctx.Err() == nil && yield(t, nil)
		}
		l.sums(emit)
	}
}

// sums goes through sums of terms: pairs, and greedy choices from several first terms and back. It
// ends where visit returns false.
func (l *library) sums(visit func(terms []int) bool) {
	for _, pair := range l.pairs() {
		if !visit(pair) {
			return
		}
	}
	for _, first := range l.ranked(nil)[:min(l.first, len(l.atoms))] {
		chosen := []int{first}
		for len(chosen) <= mostTerms {
			if !visit(chosen) || !visit(l.pruned(chosen)) {
				return
			}
			next := l.ranked(chosen)
			if len(next) == 0 || len(chosen) >= len(l.y)/3 {
				break
			}
			chosen = append(chosen, next[0])
		}
		for len(chosen) > 2 { // the way back
			chosen = l.without(chosen)
			if !visit(chosen) {
				return
			}
		}
	}
}

// library holds the terms as weighted columns of length one, and the weighted target.
type library struct {
	atoms []expr.Tree
	cols  [][]float64
	y     []float64
	first int // first terms from which sums are built
}

func newLibrary(p *dataset.Problem, time string) *library {
	n := len(p.Target.Values)
	every := (n-1)/sparseRows + 1
	l := &library{first: firstTerms}
	pick := func(v []float64) (out []float64) {
		for i := 0; i < n; i += every {
			out = append(out, v[i])
		}
		return out
	}
	l.y = pick(p.Target.Values)
	w := slices.Repeat([]float64{1}, len(l.y))
	if p.Weights != nil {
		for i, v := range pick(p.Weights) {
			w[i] = math.Sqrt(v)
		}
	}
	cols := make([][]float64, len(p.Vars))
	dims := make([]unit.Dim, len(p.Vars))
	for i, v := range p.Vars {
		cols[i], dims[i] = pick(v.Values), v.Dim
	}
	for i := range l.y {
		l.y[i] *= w[i]
	}
	take := func(terms []expr.Tree) {
		for _, t := range terms {
			if _, _, err := t.Dim(dims); p.Units && err != nil || !p.Allows(t) {
				continue
			}
			v := make([]float64, len(l.y))
			expr.Compile(t).Eval(v, cols, t.Params())
			for i := range v {
				v[i] *= w[i]
			}
			size := math.Sqrt(dot(v, v))
			if !(size > 0) || math.IsInf(size, 0) {
				continue
			}
			for i := range v {
				v[i] /= size
			}
			l.atoms, l.cols = append(l.atoms, t), append(l.cols, v)
		}
	}
	take(atoms(len(p.Vars)))
	if k := slices.IndexFunc(p.Vars, func(q dataset.Quantity) bool { return q.Name == time }); k >= 0 && time != "" {
		for _, omega := range l.drives(cols[k], w) {
			take(waves(len(p.Vars), k, omega))
		}
	}
	if len(l.atoms) == 0 || len(l.y) < 8 {
		return nil
	}
	return l
}

// atoms are the terms of n states, at most mostAtoms.
func atoms(n int) []expr.Tree {
	x := make([]expr.Tree, n)
	for i := range x {
		x[i] = expr.X(i)
	}
	ap := expr.Apply
	out := []expr.Tree{expr.Num(1)}
	add := func(ts ...expr.Tree) { out = append(out, ts...) }
	for _, v := range x {
		add(v, ap(expr.Square, v), ap(expr.Cube, v), ap(expr.Square, ap(expr.Square, v)), ap(expr.Mul, v, ap(expr.Abs, v)),
			ap(expr.Sin, v), ap(expr.Cos, v), ap(expr.Sqrt, v), ap(expr.Inv, v), ap(expr.Exp, ap(expr.Neg, v)),
			ap(expr.Mul, v, ap(expr.Log, v)), ap(expr.Mul, ap(expr.Sin, v), ap(expr.Cos, v)))
	}
	if n <= mostNormed {
		for i, v := range x { // central forces and drag: distances and speeds
			for _, w := range x[i+1:] {
				square := ap(expr.Add, ap(expr.Square, v), ap(expr.Square, w))
				root := ap(expr.Sqrt, square)
				for _, u := range []expr.Tree{v, w} {
					add(ap(expr.Mul, u, root), ap(expr.Div, u, ap(expr.Mul, square, root)), ap(expr.Div, u, square),
						ap(expr.Div, u, ap(expr.Square, square)), ap(expr.Div, u, ap(expr.Mul, ap(expr.Square, square), root)))
				}
			}
		}
	}
	waves := []expr.Op{expr.Sin, expr.Cos}
	for i, v := range x {
		for j, w := range x {
			if i == j {
				continue
			}
			add(ap(expr.Mul, v, ap(expr.Square, w)), ap(expr.Div, v, w))
			for _, f := range waves {
				add(ap(expr.Mul, v, ap(f, w)), ap(expr.Div, ap(f, v), w))
				for _, g := range waves {
					if i < j || f != g {
						add(ap(expr.Mul, ap(f, v), ap(g, w)))
					}
					add(ap(expr.Mul, ap(f, v), ap(expr.Square, ap(g, w))))
				}
			}
			if i > j {
				continue
			}
			add(ap(expr.Mul, v, w), ap(expr.Mul, ap(expr.Square, v), ap(expr.Square, w)))
			for _, op := range []expr.Op{expr.Sub, expr.Add} {
				add(ap(expr.Sin, ap(op, v, w)), ap(expr.Cos, ap(op, v, w)))
			}
			for _, u := range x[j+1:] {
				add(ap(expr.Mul, ap(expr.Mul, v, w), u))
			}
		}
	}
	for i, w := range x { // the cotangents of motion on spheres and along walls
		slope := ap(expr.Tan, w)
		for j, v := range x {
			if i == j {
				continue
			}
			add(ap(expr.Div, ap(expr.Sin, v), slope), ap(expr.Div, ap(expr.Cos, v), slope))
			for k, u := range x[j:] {
				if j+k != i {
					add(ap(expr.Div, ap(expr.Mul, v, u), slope))
				}
			}
		}
	}
	return out[:min(len(out), mostAtoms)]
}

// pairs are the two terms that leave least, the best first.
func (l *library) pairs() [][]int {
	type pair struct {
		terms []int
		gain  float64
	}
	var best []pair
	with := make([]float64, len(l.cols))
	for i, v := range l.cols {
		with[i] = dot(v, l.y)
	}
	for i, v := range l.cols {
		for j := range i {
			c := dot(v, l.cols[j])
			left := 1 - c*c
			if left < 1e-9 {
				continue
			}
			gain := (with[i]*with[i] + with[j]*with[j] - 2*c*with[i]*with[j]) / left
			if len(best) == mostPairs && gain <= best[mostPairs-1].gain {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, gain, func(p pair, g float64) int {
				if p.gain > g {
					return -1
				}
				return 1
			})
			best = slices.Insert(best, at, pair{[]int{j, i}, gain})
			best = best[:min(len(best), mostPairs)]
		}
	}
	var out [][]int
	for _, p := range best {
		out = append(out, p.terms)
	}
	return out
}

// ranked are the terms beside those chosen, by what they take off what these leave, the best first.
func (l *library) ranked(chosen []int) []int {
	q := l.orthonormal(chosen)
	rest := slices.Clone(l.y)
	for _, u := range q {
		d := dot(u, rest)
		for i := range rest {
			rest[i] -= d * u[i]
		}
	}
	gain := make([]float64, len(l.atoms))
	var order []int
	for a, v := range l.cols {
		if slices.Contains(chosen, a) {
			continue
		}
		left := 1.0 // squared length of what is new in v
		for _, u := range q {
			d := dot(u, v)
			left -= d * d
		}
		if left < 1e-9 {
			continue
		}
		d := dot(v, rest)
		gain[a] = d * d / left
		order = append(order, a)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case gain[a] > gain[b]:
			return -1
		case gain[a] < gain[b]:
			return 1
		}
		return 0
	})
	return order
}

// orthonormal is a basis of the chosen columns.
func (l *library) orthonormal(chosen []int) [][]float64 {
	columns := make([][]float64, len(chosen))
	for i, a := range chosen {
		columns[i] = slices.Clone(l.cols[a])
	}
	return extended(nil, columns, 1e-6)
}

// leaves is the squared length of what the chosen terms leave of the target.
func (l *library) leaves(chosen []int) float64 {
	sum := dot(l.y, l.y)
	for _, u := range l.orthonormal(chosen) {
		d := dot(u, l.y)
		sum -= d * d
	}
	return max(sum, 0)
}

// without is chosen less the term that is missed least.
func (l *library) without(chosen []int) []int {
	best, least := 0, math.Inf(1)
	for i := range chosen {
		if e := l.leaves(slices.Delete(slices.Clone(chosen), i, i+1)); e < least {
			best, least = i, e
		}
	}
	return slices.Delete(slices.Clone(chosen), best, best+1)
}

// pruned is chosen without the terms that later ones have made superfluous.
func (l *library) pruned(chosen []int) []int {
	for len(chosen) > 1 {
		next := l.without(chosen)
		if l.leaves(next) > 1.01*l.leaves(chosen)+1e-16*dot(l.y, l.y) {
			break
		}
		chosen = next
	}
	return chosen
}

// sum is c0·a + c1·b + … . Free constants inside of terms come last, equal ones as one.
func (l *library) sum(terms []int) expr.Tree {
	var t expr.Tree
	var inside []float64
	for i, a := range slices.Sorted(slices.Values(terms)) {
		nodes := slices.Clone(l.atoms[a].Nodes())
		for k, n := range nodes {
			if n.Op != expr.Param {
				continue
			}
			if !slices.Contains(inside, n.Value) {
				inside = append(inside, n.Value)
			}
			nodes[k].Index = int32(len(terms) + slices.Index(inside, n.Value))
		}
		term, _ := expr.FromNodes(nodes)
		if term.Root() == expr.Number {
			term = expr.C(i, 1)
		} else {
			term = expr.Apply(expr.Mul, expr.C(i, 1), term)
		}
		if i == 0 {
			t = term
		} else {
			t = expr.Apply(expr.Add, t, term)
		}
	}
	return t
}
