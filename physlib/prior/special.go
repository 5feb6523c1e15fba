package prior

import (
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Bits of a special case, in addition to those of the known form that contains it. They follow from
// the catalogue.
const (
	// An exponent is a number other than ±2, ±3 and ±1/2, as one in six exponents is. One more bit
	// states that it is a number. The bits of the number are those of valueBits.
	exponentBits = 3.6
	// An exponent is 2, 1/2 or 3, as 53 %, 27 % and 5 % of the exponents that are numbers are. One
	// more bit states that it is a number.
	squareBits, rootBits, cubeBits = 1.9, 2.9, 5.3
	// The constant by which a form is multiplied is 1. Of the laws in the catalogue that are such a
	// form or a form without its factor, 5.7 % have no factor.
	factorBits = 4.1
	// Two constants are equal, as in c0*x/(x - c0). In the catalogue, this is so for 1.2 % of the
	// pairs of constants in a form.
	equalBits = 6.4
)

// relation says that a form is another form of a known one, or a special case of it.
type relation struct {
	known uint64  // hash of the known form
	bits  float64 // bits of the special case
}

// relatedBits returns the least bits of t, whose skeleton has the given hash, by its relations to
// known forms. It is +Inf if there are none. t must be in canonical form.
func (m *Model) relatedBits(hash uint64, t expr.Tree) float64 {
	least := math.Inf(1)
	for _, r := range m.related.get(hash, func() []relation { return m.relations(t) }) {
		least = min(least, m.known[r.known].bits+r.bits)
	}
	return least
}

// relations returns the relations of t to known forms: to another form of the same function, to the
// form that t has once its constants are merged, and to more general forms. For example,
// c0*(1 - c1*x)**5 is a special case of c0*(1 - c1*x)**c2.
func (m *Model) relations(t expr.Tree) (all []relation) {
	same, ok := m.reciprocal(t)
	if !ok {
		same, ok = m.sameFunction(t)
	}
	if ok {
		all = append(all, relation{known: same})
	}
	for general, bits := range m.generalForms(t) {
		merged := general.MergeParams()
		if bits > 0 && numbers(merged) < numbers(general) {
			continue // the new constant absorbs a number, which has a price of its own
		}
		hash := skeleton.Hash(merged)
		if _, ok := m.known[hash]; ok {
			all = append(all, relation{hash, bits})
		}
	}
	return all
}

// numbers returns how many numbers t contains.
func numbers(t expr.Tree) (n int) {
	for _, node := range t.Nodes() {
		if node.Op == expr.Number {
			n++
		}
	}
	return n
}

// relationsOf holds the relations of forms, by the hashes of their skeletons. They take long to
// calculate, and are the same for all tables.
type relationsOf struct {
	mu     sync.Mutex
	byForm map[uint64][]relation
}

// get returns the relations of the form with the given hash. If they are not known yet, it first
// calls calculate.
func (r *relationsOf) get(hash uint64, calculate func() []relation) []relation {
	r.mu.Lock()
	all, ok := r.byForm[hash]
	r.mu.Unlock()
	if ok {
		return all
	}
	all = calculate()
	r.mu.Lock()
	r.byForm[hash] = all
	r.mu.Unlock()
	return all
}

// generalForms yields t itself, then forms with one free constant more, of which t is a special
// case, and the bits of that special case.
func (m *Model) generalForms(t expr.Tree) iter.Seq2[expr.Tree, float64] {
	return func(yield func(expr.Tree, float64) bool) {
		_ = yield(t, 0) && m.freeExponents(t, yield) && splitConstants(t, yield) && (hasFreeFactor(t) ||
			yield(expr.Apply(expr.Mul, expr.C(t.NumParams(), 1), t), factorBits))
	}
}

// hasFreeFactor reports whether t is a product with a free constant as a factor.
func hasFreeFactor(t expr.Tree) bool {
	switch t.Root() {
	case expr.Param:
		return true
	case expr.Mul:
		return slices.ContainsFunc(t.Args(), hasFreeFactor)
	case expr.Div:
		return hasFreeFactor(t.Args()[0])
	}
	return false
}

// freeExponents yields t with a free constant in place of an exponent that is a number: in one
// power, and in all powers with the same exponent. It returns false if yield does.
func (m *Model) freeExponents(t expr.Tree, yield func(expr.Tree, float64) bool) bool {
	powers := powersOf(t)
	for k, p := range powers {
		same := func(q power) bool { return q.exponent == p.exponent }
		choices := [][]power{{p}}
		if !slices.ContainsFunc(powers[:k], same) {
			if all := slices.DeleteFunc(slices.Clone(powers), func(q power) bool { return !same(q) }); len(all) > 1 {
				choices = append(choices, all)
			}
		}
		for _, some := range choices {
			if !yield(withFreeExponent(t, some, false), m.exponentBits(p)) {
				return false
			}
			// The canonical form writes -(x - 1)**3 for (1 - x)**3.
			if math.Mod(p.exponent, 2) != 0 && p.op != expr.Sqrt && !yield(withFreeExponent(t, some, true), m.exponentBits(p)) {
				return false
			}
		}
	}
	return true
}

// power is an operation of an expression that raises its operand to a number.
type power struct {
	op       expr.Op // Square, Cube, Sqrt or Pow
	at       int     // index of the first node after the operand
	exponent float64
}

// powersOf returns the powers of t.
func powersOf(t expr.Tree) (powers []power) {
	nodes := t.Nodes()
	for i, n := range nodes {
		switch n.Op {
		case expr.Square:
			powers = append(powers, power{n.Op, i, 2})
		case expr.Cube:
			powers = append(powers, power{n.Op, i, 3})
		case expr.Sqrt:
			powers = append(powers, power{n.Op, i, 0.5})
		case expr.Pow:
			if e := nodes[i-1]; e.Op == expr.Number {
				powers = append(powers, power{n.Op, i - 1, e.Value})
			}
		}
	}
	return powers
}

// exponentBits returns the bits of the exponent of a power.
func (m *Model) exponentBits(p power) float64 {
	switch p.op {
	case expr.Square:
		return squareBits
	case expr.Cube:
		return cubeBits
	case expr.Sqrt:
		return rootBits
	}
	return exponentBits + m.valueBits(skeleton.PowerSymbol(p.exponent), p.exponent)
}

// withFreeExponent returns t with one free constant in place of the exponents of the given powers,
// which are in the order of t. If negated is true, their operands change their signs.
func withFreeExponent(t expr.Tree, powers []power, negated bool) expr.Tree {
	free := []expr.Node{{Op: expr.Param, Index: int32(t.NumParams()), Value: powers[0].exponent}, {Op: expr.Pow}}
	if negated {
		free = append([]expr.Node{{Op: expr.Neg}}, free...)
	}
	for _, p := range slices.Backward(powers) {
		end := p.at + 1
		if p.op == expr.Pow {
			end++
		}
		t = t.Splice(p.at, end, free...)
	}
	return t
}

// splitConstants yields t with a further constant in one place of each constant that occurs twice.
// It returns false if yield does.
func splitConstants(t expr.Tree, yield func(expr.Tree, float64) bool) bool {
	times, last := make([]int, t.NumParams()), make([]int, t.NumParams())
	for i, n := range t.Nodes() {
		if n.Op == expr.Param {
			times[n.Index]++
			last[n.Index] = i
		}
	}
	for slot, n := range times {
		if n != 2 {
			continue
		}
		split := t.MapLeaves(func(i int, n expr.Node) expr.Node {
			if i == last[slot] {
				n.Index = int32(t.NumParams())
			}
			return n
		})
		if !yield(split, equalBits) {
			return false
		}
	}
	return true
}
