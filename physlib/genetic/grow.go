package genetic

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// weighted draws items in proportion to their weights.
type weighted[T any] struct {
	items []T
	sums  []float64
}

func (w *weighted[T]) add(item T, weight float64) {
	if n := len(w.sums); n > 0 {
		weight += w.sums[n-1]
	}
	w.items, w.sums = append(w.items, item), append(w.sums, weight)
}

func (w *weighted[T]) draw(rng *rand.Rand) T {
	u := rng.Float64() * w.sums[len(w.sums)-1]
	i := 0
	for i < len(w.sums)-1 && w.sums[i] <= u {
		i++
	}
	return w.items[i]
}

// grammar defines which trees may be grown.
type grammar struct {
	unary  weighted[expr.Op]
	binary weighted[expr.Op]
	vars   weighted[int]
	has    [256]bool // allowed operators
	units  bool
	dims   []unit.Dim
	// Allowed functions that are rare and have an inverse (see expr.Operator).
	rare     []expr.Op
	extremes []expr.Op // min and max, if allowed
	// Small monomials, grouped by dimension; used if units count.
	mono map[unit.Dim][][]expr.Node
}

// newGrammar returns a grammar of the operators in allowed; nil means all. Sums and products are
// used even if none of + - * / is allowed.
func newGrammar(allowed []string, m *material) *grammar {
	g := &grammar{units: m.units, dims: m.dims}
	for op, o := range expr.Operators() {
		g.has[op] = allowed == nil && !o.Rare || slices.ContainsFunc(o.Names(), func(n string) bool { return slices.Contains(allowed, n) })
	}
	g.derive()
	for _, op := range drawOrder() {
		o := op.Operator()
		switch {
		case !g.has[op]:
		case o.Arity == 1:
			g.unary.add(op, o.Weight)
			if o.Rare && o.Inverse != nil {
				g.rare = append(g.rare, op)
			}
		default:
			g.binary.add(op, o.Weight)
			if o.Idempotent {
				g.extremes = append(g.extremes, op)
			}
		}
	}
	for i, v := range m.vars {
		g.vars.add(v, m.relevance[i])
	}
	if g.units {
		g.monomials(m.vars)
	}
	return g
}

// drawOrder returns the operators from which trees are grown. A random number selects an operator
// by its position, so new operators must come last.
func drawOrder() []expr.Op {
	order := []expr.Op{expr.Inv, expr.Square, expr.Cube, expr.Sqrt, expr.Exp, expr.Log, expr.Sin, expr.Cos, expr.Neg, expr.Abs, expr.Tan,
		expr.Asin, expr.Acos, expr.Atan, expr.Sinh, expr.Cosh, expr.Tanh}
	for op := range expr.Operators() {
		if !slices.Contains(order, op) {
			order = append(order, op)
		}
	}
	return order
}

// allows reports whether all operators in nodes are allowed.
func (g *grammar) allows(nodes []expr.Node) bool {
	for _, n := range nodes {
		if n.Op.Arity() > 0 && !g.has[n.Op] {
			return false
		}
	}
	return true
}

// derive also allows operators that can be expressed by allowed ones. For example, * allows a
// square. If none of + - * / is allowed, it first allows + and *.
func (g *grammar) derive() {
	if !g.has[expr.Add] && !g.has[expr.Sub] && !g.has[expr.Mul] && !g.has[expr.Div] {
		g.has[expr.Add], g.has[expr.Mul] = true, true
	}
	if g.has[expr.Mul] {
		g.has[expr.Square], g.has[expr.Cube] = true, true
	}
	if g.has[expr.Div] {
		g.has[expr.Inv] = true
	}
	if g.has[expr.Sub] {
		g.has[expr.Neg] = true
	}
}

// monomials lists the products of powers of up to three of the first 12 elements of vars.
func (g *grammar) monomials(vars []int) {
	g.mono = map[unit.Dim][][]expr.Node{}
	powers := []struct {
		p unit.Ratio
		f func(v []expr.Node) []expr.Node
	}{
		{unit.Rat(1, 1), func(v []expr.Node) []expr.Node { return v }},
		{unit.Rat(2, 1), func(v []expr.Node) []expr.Node { return join(expr.Square, v) }},
		{unit.Rat(-1, 1), func(v []expr.Node) []expr.Node { return join(expr.Inv, v) }},
		{unit.Rat(-2, 1), func(v []expr.Node) []expr.Node { return join(expr.Inv, join(expr.Square, v)) }},
		{unit.Rat(1, 2), func(v []expr.Node) []expr.Node { return join(expr.Sqrt, v) }},
	}
	type entry struct {
		nodes []expr.Node
		dim   unit.Dim
		last  int
	}
	layer := []entry{{nil, unit.Dim{}, -1}}
	for range 3 {
		var next []entry
		for _, e := range layer {
			for i := e.last + 1; i < len(vars) && i < 12; i++ {
				for _, p := range powers {
					nodes := p.f([]expr.Node{{Op: expr.Var, Index: int32(vars[i])}})
					if e.nodes != nil {
						nodes = join(expr.Mul, e.nodes, nodes)
					}
					next = append(next, entry{nodes, e.dim.Mul(g.dims[vars[i]].Pow(p.p)), i})
				}
			}
		}
		for _, e := range next {
			if len(g.mono[e.dim]) < 64 {
				g.mono[e.dim] = append(g.mono[e.dim], e.nodes)
			}
		}
		layer = next
	}
}

func (g *grammar) variable(rng *rand.Rand) []expr.Node {
	return []expr.Node{{Op: expr.Var, Index: int32(g.vars.draw(rng))}}
}

// constant returns a free constant, or a number that often occurs in laws.
func (g *grammar) constant(rng *rand.Rand) []expr.Node {
	switch u := rng.Float64(); {
	case u < 0.25:
		return number(1)
	case u < 0.35:
		return number(2)
	case u < 0.40:
		return []expr.Node{{Op: expr.Pi}}
	}
	return param(math.Round(100*rng.NormFloat64()) / 50)
}

// exponent draws an exponent. With probability 0.3 it is a free constant, otherwise a number that
// is frequent as an exponent.
func (g *grammar) exponent(rng *rand.Rand) []expr.Node {
	if rng.Float64() < 0.3 {
		return param(rng.Float64()*3 - 1)
	}
	return number([]float64{4, 5, 6, 1.5, -2, -3, -0.5, -1.5, -4, 1. / 3}[rng.IntN(10)])
}

// grow returns a random tree of about size nodes.
func (g *grammar) grow(rng *rand.Rand, size int) []expr.Node {
	if size <= 1 {
		if rng.Float64() < 0.12 {
			return g.constant(rng)
		}
		return g.variable(rng)
	}
	if (size == 2 || rng.Float64() < 0.3) && len(g.unary.items) > 0 {
		return join(g.unary.draw(rng), g.grow(rng, size-1))
	}
	op := g.binary.draw(rng)
	if op == expr.Pow {
		return join(op, g.grow(rng, size-2), g.powerOf(rng))
	}
	left := 1 + rng.IntN(max(1, size-2))
	return join(op, g.grow(rng, left), g.grow(rng, max(1, size-1-left)))
}

func (g *grammar) powerOf(rng *rand.Rand) []expr.Node {
	if rng.Float64() < 0.1 {
		return g.variable(rng)
	}
	return g.exponent(rng)
}

// growDim returns a random tree of about size nodes. It has dimension d as far as the columns
// allow.
func (g *grammar) growDim(rng *rand.Rand, size int, d unit.Dim) []expr.Node {
	if !g.units {
		return g.grow(rng, size)
	}
	list := g.mono[d]
	if size <= 3 || rng.Float64() < 0.15 {
		if len(list) > 0 { // the first entries of list are short
			return list[min(rng.IntN(len(list)), rng.IntN(len(list)))]
		}
		if d.IsZero() {
			return g.constant(rng)
		}
	}
	if size <= 1 {
		return g.variable(rng) // too few nodes for dimension d; dimensionPrice counts the violation
	}
	switch u := rng.Float64(); {
	case u < 0.25 && d.IsZero() && len(g.unary.items) > 0:
		if op := g.unary.draw(rng); transcendental(op) {
			return join(op, g.growDim(rng, size-1, d))
		}
	case u < 0.35 && g.has[expr.Sqrt]:
		return join(expr.Sqrt, g.growDim(rng, size-1, d.Pow(unit.Rat(2, 1))))
	case u < 0.55:
		op := expr.Add
		if rng.IntN(2) == 0 {
			op = expr.Sub
		}
		if len(g.extremes) > 0 && rng.IntN(4) == 0 {
			op = g.extremes[rng.IntN(len(g.extremes))]
		}
		left := g.growDim(rng, size/2, d)
		if d.IsZero() && rng.Float64() < 0.4 {
			return join(op, number(1), left)
		}
		return join(op, left, g.growDim(rng, size/2, d))
	case u < 0.65:
		return join(expr.Square, g.growDim(rng, size-1, d.Pow(unit.Rat(1, 2))))
	}
	v := g.vars.draw(rng)
	part := unit.Dim{}
	if rng.Float64() < 0.6 {
		part = g.dims[v]
	}
	if rng.IntN(2) == 0 {
		return join(expr.Mul, g.growDim(rng, size/2, part), g.growDim(rng, size/2, d.Div(part)))
	}
	return join(expr.Div, g.growDim(rng, size/2, d.Mul(part)), g.growDim(rng, size/2, part))
}

// dimOf returns the dimension of a subtree. known is false if its constants leave the dimension
// open or its units conflict.
func (g *grammar) dimOf(nodes []expr.Node) (d unit.Dim, known bool) {
	t, _ := expr.FromNodes(nodes)
	d, free, err := t.Dim(g.dims)
	return d, err == nil && !free
}

// growLike returns a random tree of about size nodes. If the dimension of old is known, the new
// tree has the same dimension.
func (g *grammar) growLike(rng *rand.Rand, size int, old []expr.Node) []expr.Node {
	if g.units {
		if d, known := g.dimOf(old); known {
			return g.growDim(rng, size, d)
		}
	}
	return g.grow(rng, size)
}
