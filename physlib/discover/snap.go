package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// snap puts the candidate's constants in closed form one after the other, or out of the law, where
// that shortens the description of law and residuals together. Constants that carry a unit keep
// their numbers, for these depend on the units.
func (j *judge) snap(c *candidate, over func() bool) *candidate {
	for range 12 {
		if over() {
			return c
		}
		next := j.snapOne(c)
		if next == nil {
			return c
		}
		c = next
	}
	return c
}

// snapOne is the best of the candidates with one constant less; nil when none is better.
func (j *judge) snapOne(c *candidate) *candidate {
	var best *candidate
	for slot, v := range c.res.Params {
		if c.dims != nil && slot < len(c.dims) && !c.dims[slot].IsZero() && j.p.Units {
			if math.Abs(v) > 2.5*c.res.StdErr[slot] {
				continue
			}
		}
		for _, f := range j.forms(c, slot) {
			t := fold(replace(c.tree, slot, f.Tree))
			s := j.full
			n, ok := j.evaluate(t, s, fit.Settings{Starts: 1, MaxIter: 20})
			if !ok || n.score > c.score || best != nil && n.score >= best.score || !n.unitsOK && c.unitsOK {
				continue
			}
			n.order, n.by = c.order, c.by
			n.snapped = append(append([]law.Constant(nil), c.snapped...), law.Constant{Value: f.Value, StdErr: c.res.StdErr[slot], Exact: f.Text})
			best = n
		}
	}
	return best
}

// forms lists what the constant in slot may be, given its standard error.
func (j *judge) forms(c *candidate, slot int) []fit.ClosedForm {
	v, se := c.res.Params[slot], c.res.StdErr[slot]
	var out []fit.ClosedForm
	if math.IsInf(se, 0) || math.IsNaN(se) {
		se = math.Abs(v)
	}
	if math.Abs(v) < 2.5*se || j.exact(c) { // without noise an idle factor, such as exp(5e-18·x), seems well determined
		out = append(out, fit.ClosedForm{Tree: expr.Num(0), Text: "0"})
	}
	spare := max(0, 5-float64(c.res.Rows)/5) // a few rows agree with a closed form by chance
	if tree, text, bits, ok := fit.Snap(v, se); ok {
		if f := (fit.ClosedForm{Tree: tree, Text: text, Value: value(tree), Bits: bits}); f.Odds(v, se) >= 3+spare {
			out = append(out, f)
		}
	}
	for _, f := range fit.Closed(v, min(2.5*se, 0.2*math.Abs(v)), 2) {
		if f.Bits <= 5 && f.Odds(v, se) >= spare && (len(out) == 0 || out[len(out)-1].Text != f.Text) {
			out = append(out, f)
		}
	}
	return out
}

// standing are the constants in closed form that the law still shows as they were fitted, or a
// power of them: 2*pi for 4*pi**2 under a root.
func standing(shown expr.Tree, snapped []law.Constant) (out []law.Constant) {
	parts := constantParts(shown)
	equal := func(v float64) int {
		return slices.IndexFunc(parts, func(p expr.Tree) bool { return math.Abs(math.Abs(value(p))-v) < 1e-9*v })
	}
	for _, k := range snapped {
		v := math.Abs(k.Value)
		if v == 0 { // a term that went
			continue
		}
		if equal(v) >= 0 || equal(1/v) >= 0 {
			out = append(out, k)
			continue
		}
		for _, e := range []float64{0.5, -0.5, 2, -2} {
			if i := equal(math.Pow(v, e)); i >= 0 {
				now := math.Abs(value(parts[i]))
				out = append(out, law.Constant{Value: now, StdErr: k.StdErr * math.Abs(e) * now / v, Exact: parts[i].Infix(nil)})
				break
			}
		}
	}
	return out
}

// constantParts are all parts of t that have neither a variable nor a free constant, larger ones
// first.
func constantParts(t expr.Tree) (parts []expr.Tree) {
	if t.Len() == 0 {
		return nil
	}
	if len(t.Vars()) == 0 && t.NumParams() == 0 {
		parts = append(parts, t)
	}
	for _, a := range t.Args() {
		parts = append(parts, constantParts(a)...)
	}
	return parts
}

// value of a tree without variables or constants.
func value(t expr.Tree) float64 {
	v := []float64{0}
	expr.Compile(t).Eval(v, nil, nil)
	return v[0]
}

// replace is t with the constant in slot replaced and those above it moved down.
func replace(t expr.Tree, slot int, by expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		switch {
		case n.Op == expr.Param && int(n.Index) == slot:
			nodes = append(nodes, by.Nodes()...)
			continue
		case n.Op == expr.Param && int(n.Index) > slot:
			n.Index--
		}
		nodes = append(nodes, n)
	}
	r, _ := expr.FromNodes(nodes)
	return r
}

// fold takes out what a zero or a one makes idle: 0·a, a + 0, 1·a, a**0, a**1, 0/a. Constants keep
// their slots where they can; where one goes with its term, those above move down.
func fold(t expr.Tree) expr.Tree {
	var stack []expr.Tree
	is := func(t expr.Tree, v float64) bool {
		n := t.Nodes()
		return len(n) == 1 && n[0].Op == expr.Number && n[0].Value == v
	}
	for _, n := range t.Nodes() {
		switch n.Op.Arity() {
		case 0:
			leaf, _ := expr.FromNodes([]expr.Node{n})
			stack = append(stack, leaf)
		case 1:
			a := stack[len(stack)-1]
			r := expr.Apply(n.Op, a)
			if is(a, 0) && (n.Op == expr.Exp || n.Op == expr.Cos || n.Op == expr.Cosh) {
				r = expr.Num(1)
			}
			if is(a, 0) && (n.Op == expr.Tan || n.Op == expr.Tanh || n.Op == expr.Sinh || n.Op == expr.Asin || n.Op == expr.Atan || n.Op == expr.Abs) ||
				is(a, 1) && (n.Op == expr.Square || n.Op == expr.Cube || n.Op == expr.Sqrt || n.Op == expr.Inv || n.Op == expr.Abs) {
				r = a
			}
			if is(a, 0) && (n.Op == expr.Neg || n.Op == expr.Sin || n.Op == expr.Sqrt || n.Op == expr.Square || n.Op == expr.Cube) {
				r = a
			}
			stack[len(stack)-1] = r
		case 2:
			a, b := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			stack[len(stack)-1] = foldPair(n.Op, a, b, is)
		}
	}
	return compact(stack[0])
}

func foldPair(op expr.Op, a, b expr.Tree, is func(expr.Tree, float64) bool) expr.Tree {
	switch {
	case op == expr.Mul && (is(a, 0) || is(b, 0)), op == expr.Div && is(a, 0):
		return expr.Num(0)
	case op == expr.Add && is(a, 0), op == expr.Mul && is(a, 1):
		return b
	case (op == expr.Add || op == expr.Sub) && is(b, 0), (op == expr.Mul || op == expr.Div || op == expr.Pow) && is(b, 1):
		return a
	case op == expr.Sub && is(a, 0):
		return expr.Apply(expr.Neg, b)
	case op == expr.Pow && is(a, 1):
		return a
	case op == expr.Pow && is(b, 0):
		return expr.Num(1)
	case op == expr.Pow && is(b, -1):
		return expr.Apply(expr.Inv, a)
	case op == expr.Pow && is(b, 0.5):
		return expr.Apply(expr.Sqrt, a)
	}
	return expr.Apply(op, a, b)
}

// compact renumbers the slots of free constants so that none is missing.
func compact(t expr.Tree) expr.Tree {
	to := map[int32]int32{}
	for slot, n := int32(0), int32(t.NumParams()); slot < n; slot++ {
		for _, x := range t.Nodes() {
			if x.Op == expr.Param && x.Index == slot {
				to[slot] = int32(len(to))
				break
			}
		}
	}
	nodes := append([]expr.Node(nil), t.Nodes()...)
	for i, x := range nodes {
		if x.Op == expr.Param {
			nodes[i].Index = to[x.Index]
		}
	}
	r, _ := expr.FromNodes(nodes)
	return r
}
