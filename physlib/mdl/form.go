package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// form returns the price in bits of the form of t, and the bits of units: of constants, of guessed
// units, and of arbitrary zeros such as 0 °C. It also returns the dimensions of the constants, and
// whether the dimensions of t balance.
func (s *Scorer) form(t expr.Tree) (form, units float64, dims []unit.Dim, balanced bool) {
	units = s.guesses(t) + s.zeros(t)
	t = s.Absolute(t)
	plain := s.inPlainAngle(t)
	if p, ok := s.Prior.(columnPrior); ok {
		form = p.BitsIn(plain, s.columns, s.columnsOf(t))
	} else {
		form = s.Prior.Bits(plain, s.columns)
	}
	if !s.anyUnit {
		return form, units, nil, true
	}
	shape, slots := dimensional(t)
	dims, violation := shape.ParamDimsKnown(s.dims, s.known, s.target, s.targetKnown)
	dims = dims[:slots]
	priced := dims
	if small, changed := smallPowers(t); changed {
		shape, _ = dimensional(small)
		priced, _ = shape.ParamDimsKnown(s.dims, s.known, s.target, s.targetKnown)
		priced = priced[:slots]
	}
	for _, d := range priced {
		units += unitBits(d)
	}
	if violation > 0 {
		return form, units + ViolationBits, dims, false
	}
	return form, units, dims, true
}

// columnsOf returns the columns that t contains, also by variables derived from them, in ascending
// order.
func (m *Data) columnsOf(t expr.Tree) []int {
	columns := t.Vars()
	for i, v := range columns {
		if v >= m.columns {
			columns[i] = m.derived[v-m.columns].of
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// FormBits returns the part of a law's Bits that depends on its form and units alone.
func (s *Scorer) FormBits(t expr.Tree) float64 {
	form, units, _, _ := s.form(t)
	return FormWeight*form + units
}

// unitBits returns the price of the unit of a fitted constant. It is zero for a pure number, and
// rises with the powers in the unit.
func unitBits(d unit.Dim) float64 {
	bits := 0.0
	for _, e := range d {
		if a := math.Abs(e.Float64()); a > 4 {
			bits += 2 * math.Log2(a/4)
		}
	}
	return bits
}

// smallPowers returns t with fitted exponents above 2 replaced by 2, and whether there were any. A
// large exponent has its own price, so the unit that it implies for a constant costs nothing in
// addition.
func smallPowers(t expr.Tree) (small expr.Tree, changed bool) {
	nodes := t.Nodes()
	small = t.MapLeaves(func(i int, n expr.Node) expr.Node {
		if n.Op == expr.Param && i+1 < len(nodes) && nodes[i+1].Op == expr.Pow && math.Abs(n.Value) > 2 {
			n.Value, changed = math.Copysign(2, n.Value), true
		}
		return n
	})
	return small, changed
}

// dimensional returns t in the form in which its dimensions are calculated. Fitted exponents are
// rounded to hundredths, so that c0·x^3.86 can balance with a unit of c0. The operand of each
// logarithm is divided by a separate constant, since scientists take logarithms of numbers in a
// unit. These constants come after those of t. slots is the number of t's own constants.
func dimensional(t expr.Tree) (shape expr.Tree, slots int) {
	src := t.Nodes()
	slots = t.NumParams()
	next := slots
	nodes := make([]expr.Node, 0, len(src)+4)
	for i, n := range src {
		if n.Op == expr.Param && i+1 < len(src) && src[i+1].Op == expr.Pow {
			n = expr.Node{Op: expr.Number, Value: math.Round(n.Value*100) / 100}
		}
		if n.Op == expr.Log {
			nodes = append(nodes, expr.Node{Op: expr.Param, Index: int32(next), Value: 1}, expr.Node{Op: expr.Mul})
			next++
		}
		nodes = append(nodes, n)
	}
	shape, _ = expr.FromNodes(nodes)
	if k := shape.NumParams(); k < slots {
		// The last constants of t were exponents, which are numbers in shape.
		slots = k
	}
	return shape, slots
}

// ParamDims returns the dimensions that the constants of t must have for t to balance, in the order
// of the constants. It returns nil if no units are known.
func (m *Data) ParamDims(t expr.Tree) []unit.Dim {
	if !m.anyUnit {
		return nil
	}
	shape, slots := dimensional(m.Absolute(m.FromColumns(t)))
	dims, _ := shape.ParamDimsKnown(m.dims, m.known, m.target, m.targetKnown)
	return dims[:slots]
}

// Units returns the dimensions that the constants of t must have for t to balance, in the order of
// the constants. balanced reports whether t balances. dims is nil if no units are known.
func (m *Data) Units(t expr.Tree) (dims []unit.Dim, balanced bool) {
	if !m.anyUnit {
		return nil, true
	}
	shape, slots := dimensional(m.Absolute(m.FromColumns(t)))
	dims, violation := shape.ParamDimsKnown(m.dims, m.known, m.target, m.targetKnown)
	return dims[:slots], violation == 0
}

// Merged returns the form in which a search scores t: with its free constants merged, unless a
// variable would disappear.
func Merged(t expr.Tree) expr.Tree {
	if merged := t.MergeParams(); t.NumParams() > 0 && len(merged.Vars()) == len(t.Vars()) {
		return merged
	}
	return t
}
