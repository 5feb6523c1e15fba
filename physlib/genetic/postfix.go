package genetic

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// splice returns a copy of the tree nodes with another subtree, by, in place of the subtree whose
// root is at index root.
func splice(nodes []expr.Node, root int, by []expr.Node) []expr.Node {
	from := expr.SubtreeStart(nodes, root)
	out := make([]expr.Node, 0, len(nodes)-(root+1-from)+len(by))
	out = append(out, nodes[:from]...)
	out = append(out, by...)
	return append(out, nodes[root+1:]...)
}

// join returns op applied to operands.
func join(op expr.Op, operands ...[]expr.Node) []expr.Node {
	var out []expr.Node
	for _, a := range operands {
		out = append(out, a...)
	}
	return append(out, expr.Node{Op: op})
}

func number(v float64) []expr.Node { return []expr.Node{{Op: expr.Number, Value: v}} }
func param(v float64) []expr.Node  { return []expr.Node{{Op: expr.Param, Value: v}} }

// renumber gives the free constants the slots 0, 1, … in the order of nodes. It returns the number
// of free constants.
func renumber(nodes []expr.Node) (params int) {
	for i := range nodes {
		if nodes[i].Op == expr.Param {
			nodes[i].Index = int32(params)
			params++
		}
	}
	return params
}

// span is a subtree nodes[from:to].
type span struct{ from, to int }

// terms returns the addends at the root of nodes. It splits sums and differences until there are
// limit addends.
func terms(nodes []expr.Node, limit int) []span {
	list := []span{{0, len(nodes)}}
	for i := 0; i < len(list) && len(list) < limit; {
		s := list[i]
		op := nodes[s.to-1].Op
		if op != expr.Add && op != expr.Sub {
			i++
			continue
		}
		mid := expr.SubtreeStart(nodes, s.to-2)
		list[i] = span{s.from, mid}
		list = slices.Insert(list, i+1, span{mid, s.to - 1})
	}
	return list
}

// sum joins the subtrees by additions.
func sum(parts [][]expr.Node) []expr.Node {
	out := slices.Clone(parts[0])
	for _, p := range parts[1:] {
		out = append(append(out, p...), expr.Node{Op: expr.Add})
	}
	return out
}

// price returns the contribution of a node to the complexity of a law in selection.
func price(op expr.Op) int {
	switch op {
	case expr.Param, expr.Exp, expr.Log, expr.Sin, expr.Cos, expr.Pow:
		return 2
	case expr.Abs, expr.Tan, expr.Asin, expr.Acos, expr.Atan, expr.Sinh, expr.Cosh, expr.Tanh:
		return 3
	}
	if op.Operator().Rare {
		return 3
	}
	return 1
}

func totalPrice(nodes []expr.Node) int {
	n := 0
	for _, x := range nodes {
		n += price(x.Op)
	}
	return n
}

// transcendental reports whether op is a function whose operand must be dimensionless.
func transcendental(op expr.Op) bool {
	return op >= expr.Exp && op <= expr.Tanh || op > expr.Pow && op.Operator().Unit == expr.PlainUnit
}

// legal reports whether nodes are worth evaluating. Two transcendental functions may be nested, but
// not three, and not two trigonometric ones. An exponent must be a single leaf. If the exponent is
// a column, the power may have at most four nodes.
func legal(nodes []expr.Node) bool {
	type depth struct{ all, trig int }
	var buf [64]depth
	s := buf[:0]
	for i, n := range nodes {
		switch n.Op.Arity() {
		case 0:
			s = append(s, depth{})
		case 1:
			d := &s[len(s)-1]
			if transcendental(n.Op) {
				d.all++
				if n.Op >= expr.Sin && n.Op <= expr.Atan {
					d.trig++
				}
				if d.all > 2 || d.trig > 1 {
					return false
				}
			}
		case 2:
			a, b := s[len(s)-2], s[len(s)-1]
			if n.Op == expr.Pow && (nodes[i-1].Op.Arity() != 0 || nodes[i-1].Op == expr.Var && i-expr.SubtreeStart(nodes, i) > 3) {
				return false
			}
			s = append(s[:len(s)-2], depth{max(a.all, b.all), max(a.trig, b.trig)})
		}
	}
	return true
}

// shape returns a hash of nodes. It depends neither on the values of free constants nor on the
// order of operands in sums and products.
func shape(nodes []expr.Node) uint64 {
	var buf [64]uint64
	s := buf[:0]
	for _, n := range nodes {
		h := mix(uint64(n.Op) + 1)
		switch n.Op {
		case expr.Number:
			h = mix(h ^ math.Float64bits(n.Value))
		case expr.Var:
			h = mix(h + uint64(n.Index)<<8)
		}
		switch n.Op.Arity() {
		case 1:
			h = mix(h ^ s[len(s)-1]*3)
			s = s[:len(s)-1]
		case 2:
			a, b := s[len(s)-2], s[len(s)-1]
			s = s[:len(s)-2]
			if n.Op.Operator().Commutes {
				h = mix(h ^ (mix(a) + mix(b)))
			} else {
				h = mix(h ^ (mix(a)*5 + b))
			}
		}
		s = append(s, h)
	}
	return s[0]
}

// mix scrambles the bits of x with the finaliser of the generator splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
