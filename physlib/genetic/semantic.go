package genetic

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// change is the way in which the semantic operator changes a subtree s. l is an expression of the
// library, and a and b are fitted constants.
type change int

const (
	replace  change = iota // s becomes a + b l
	add                    // s becomes s + b l
	multiply               // s becomes s * (a + b l)
)

// place is a node for which the desired values are known.
type place struct {
	root   int
	target []float64 // desired values, in the rows of the library
	// Weight of each row, times the square of the derivative of the law with respect to the node.
	weight []float64
}

// semantics is the semantic operator. It carries the target from the root of a law down to a node
// by inverting the operations on the way. This is semantic backpropagation (Pawlak, Wieloch and
// Krawiec, 2015). It then looks up the small expression of the library that is nearest to this
// target, up to a factor and an addend. The weights of the rows follow from the law's derivatives.
type semantics struct {
	lib   *library
	best  []match
	pairs []match
	path  []int
	place place
	query query
	kind  change
	wrap  expr.Op // function that is put around the expression found; Number: none

	target, weight []float64 // target and weight for the operand of wrap
}

func newSemantics(lib *library) *semantics {
	return &semantics{lib: lib, best: make([]match, 0, 5), pairs: make([]match, 0, 2),
		place: place{target: make([]float64, lib.rows), weight: make([]float64, lib.rows)}}
}

// offspring returns a few variants of nodes. In each, one random node is changed by an expression
// of the library, such that the new values of the node are close to its desired values. offspring
// returns nil if there is no such variant. The last call of c.nmse must have evaluated nodes.
func (s *semantics) offspring(rng *rand.Rand, c *scaler, nodes []expr.Node) [][]expr.Node {
	j := rng.IntN(len(c.list))
	t := c.list[j]
	root := t.from + rng.IntN(t.to-t.from)
	if rng.IntN(4) == 0 {
		root = t.to - 1
	}
	if b := c.coef[j+1]; b == 0 || math.Abs(b) > 1e100 || !s.descend(c, nodes, j, root, rng.IntN(3) == 0) {
		return nil
	}
	s.kind = change(rng.IntN(5) - 2)
	if s.kind < replace || nodes[root].Op == expr.Number {
		s.kind = replace
	}
	s.shift(c)
	q := &s.query
	q.target, q.weight = s.place.target, s.place.weight
	old := nodes[expr.SubtreeStart(nodes, root) : root+1]
	q.dim = s.dim(old)
	s.wrap = expr.Number
	if rng.IntN(2) == 0 {
		wraps := append(wraps[:len(wraps):len(wraps)], s.lib.g.rare...)
		s.under(wraps[rng.IntN(len(wraps))])
	}
	q.affine = (q.dim == nil || q.dim.IsZero()) && (s.kind != add || s.wrap != expr.Number) && rng.IntN(3) > 0
	s.best = s.lib.nearest(s.best, q)
	var list [][]expr.Node
	for _, m := range s.best {
		list = append(list, splice(nodes, root, s.written(m, old)))
	}
	if len(s.best) == 0 {
		return nil
	}
	if m, ok := s.lib.parabola(q); ok {
		list = append(list, splice(nodes, root, s.written(m, old)))
	}
	if rng.IntN(2) == 0 {
		s.pairs = s.lib.companion(s.pairs, q, s.best[rng.IntN(len(s.best))], rng.IntN(2) == 0)
		for _, m := range s.pairs {
			list = append(list, splice(nodes, root, s.written(m, old)))
		}
	}
	return list
}

// wraps are the functions that may be put around an expression of the library.
var wraps = []expr.Op{expr.Inv, expr.Inv, expr.Inv, expr.Exp, expr.Exp, expr.Square, expr.Sqrt, expr.Log, expr.Sin, expr.Cos, expr.Asin, expr.Acos}

// under sets wrap to the function op and replaces the target by the values that op's operand should
// have. It does nothing if op is not allowed, if op violates dimensions, or if op can give the
// target in less than two thirds of the rows.
func (s *semantics) under(op expr.Op) {
	q := &s.query
	dim := q.dim
	if !s.lib.g.has[op] {
		return
	}
	if dim != nil {
		d := *dim
		switch op {
		case expr.Inv:
			d = d.Pow(unit.Rat(-1, 1))
		case expr.Square:
			d = d.Pow(unit.Rat(1, 2))
		case expr.Sqrt:
			d = d.Pow(unit.Rat(2, 1))
		default:
			if !d.IsZero() {
				return
			}
		}
		dim = &d
	}
	s.target, s.weight = s.target[:0], s.weight[:0]
	lost, all, slope := 0, 0, slopeOf(op)
	for k, f := range q.target {
		w := q.weight[k]
		x := undoUnary(op, f, 1)
		if w > 0 {
			all++
			d := slope(x, f)
			if w *= d * d; math.IsNaN(w) || math.IsInf(w, 0) || math.IsNaN(x) || math.Abs(x) > 1e50 {
				x, w = 0, 0
				lost++
			}
		} else {
			x = 0
		}
		s.target, s.weight = append(s.target, x), append(s.weight, w)
	}
	if 3*lost <= all {
		s.wrap, q.target, q.weight, q.dim = op, s.target, s.weight, dim
	}
}

// dim returns the dimension that expressions of the library must have to replace the subtree old or
// to be combined with it. It returns nil if any dimension is allowed.
func (s *semantics) dim(old []expr.Node) *unit.Dim {
	if !s.lib.g.units {
		return nil
	}
	if s.kind == multiply {
		return &unit.Dim{}
	}
	if d, known := s.lib.g.dimOf(old); known {
		return &d
	}
	return nil
}

// written returns the expression that replaces the subtree old according to the match m. Factors of
// 1 and addends of 0, up to rounding, are dropped.
func (s *semantics) written(m match, old []expr.Node) []expr.Node {
	by := s.combined(m)
	if s.query.affine && math.Abs(m.offset) > 1e-6*math.Abs(m.factor) {
		if math.Abs(m.offset-1) < 1e-6 {
			by = join(expr.Add, number(1), by)
		} else {
			by = join(expr.Add, param(m.offset), by)
		}
	}
	if m.ratio {
		by = join(expr.Div, by, join(expr.Add, number(1), scaled(s.lib.entries[m.second].nodes, -m.extra)))
	}
	return s.attached(by, old)
}

// attached returns the expression that replaces the subtree old. First, the function s.wrap, if
// any, is applied to the expression in the argument by. The result replaces old, is added to old,
// or is multiplied by old, depending on s.kind.
func (s *semantics) attached(by, old []expr.Node) []expr.Node {
	if s.wrap != expr.Number {
		by = join(s.wrap, by)
	}
	switch s.kind {
	case add:
		return join(expr.Add, old, by)
	case multiply:
		return join(expr.Mul, old, by)
	}
	return by
}

// combined returns the sum of the entries of a match with their factors. If an addend is free, it
// writes a x + b x² as b (x + a/2b)², which differs only by a constant.
func (s *semantics) combined(m match) []expr.Node {
	first := s.lib.entries[m.entry].nodes
	if m.second < 0 || m.ratio {
		return scaled(first, m.factor)
	}
	second, a, b := s.lib.entries[m.second].nodes, m.factor, m.extra
	if isSquareOf(first, second) {
		first, second, a, b = second, first, b, a
	}
	if isSquareOf(second, first) && (s.query.affine || s.kind == add) && s.query.dim == nil {
		return scaled(join(expr.Square, join(expr.Add, param(a/(2*b)), first)), b)
	}
	return join(expr.Add, scaled(first, a), scaled(second, b))
}

func isSquareOf(square, x []expr.Node) bool {
	n := len(square) - 1
	return square[n].Op == expr.Square && slices.Equal(square[:n], x)
}

// scaled returns nodes times factor. The factor is dropped if it is 1 up to rounding.
func scaled(nodes []expr.Node, factor float64) []expr.Node {
	switch {
	case math.Abs(factor-1) < 1e-6:
		return nodes
	case math.Abs(factor+1) < 1e-6:
		return join(expr.Neg, nodes)
	}
	return join(expr.Mul, param(factor), nodes)
}

// shift changes the target from the desired value of the node to the desired value of a new summand
// or factor at the node. It changes nothing if the node is to be replaced.
func (s *semantics) shift(c *scaler) {
	v := c.wide(s.place.root)
	for k := range s.place.target {
		switch s.kind {
		case add:
			s.place.target[k] -= v[k]
		case multiply:
			if v[k] == 0 {
				s.place.target[k], s.place.weight[k] = 0, 0
				continue
			}
			s.place.target[k] /= v[k]
			s.place.weight[k] *= v[k] * v[k]
		}
	}
}

// descend sets place to node root, which is in term j of the law. If plain is true, the law has no
// additive offset. descend returns false if no value of the node gives the target in most rows.
func (s *semantics) descend(c *scaler, nodes []expr.Node, j, root int, plain bool) bool {
	t := c.list[j]
	b := c.coef[j+1]
	p := &s.place
	p.root = root
	c.differentiate(nodes, t.from, t.to, b, true)
	for k := range p.target {
		r := 0.0
		if w := c.s.root[k]; w > 0 {
			r = c.rest[k] / w
		}
		if plain {
			r += c.coef[0]
		}
		p.target[k] = c.at(t.to-1, k) + r/b
	}
	s.path = s.path[:0]
	for at := t.to - 1; at != root; { // step from the root of the term down to the node
		s.path = append(s.path, at)
		if nodes[at].Op.Arity() == 2 && root <= c.left[at] {
			at = c.left[at]
		} else {
			at--
		}
	}
	s.path = append(s.path, root)
	for i, at := range s.path[:len(s.path)-1] {
		for k := range p.target {
			p.target[k] = undo(c, nodes[at].Op, at, s.path[i+1], k, p.target[k])
		}
	}
	good, adj := 0, c.adj[root]
	for k := range p.target {
		w := c.s.root[k] * adj[k]
		p.weight[k] = w * w
		if w == 0 || math.IsNaN(w) || math.IsInf(w*w, 0) || math.IsNaN(p.target[k]) || math.Abs(p.target[k]) > 1e50 {
			p.target[k], p.weight[k] = 0, 0
			continue
		}
		good++
	}
	return 2*good > min(s.lib.rows, c.s.rows)
}
