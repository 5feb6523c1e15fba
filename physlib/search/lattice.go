package search

import (
	"math"
	"sort"

	"github.com/physlib/lab/physlib/unit"
)

// sixth is the resolution of exponents: halves and thirds are whole numbers of sixths.
const sixth = 6

// mono is a monomial ∏ xᵢ^(eᵢ/6): its exponents in sixths, one for each variable.
type mono []int16

func (m mono) plus(o mono, times, over int) mono {
	r := make(mono, len(m))
	for i := range m {
		r[i] = m[i] + int16(int(o[i])*times/over)
	}
	return r
}

// divisible reports whether o*times/over is a whole number of sixths everywhere.
func (m mono) divisible(times, over int) bool {
	for _, e := range m {
		if int(e)*times%over != 0 {
			return false
		}
	}
	return true
}

func (m mono) isOne() bool {
	for _, e := range m {
		if e != 0 {
			return false
		}
	}
	return true
}

// square reports whether m is the square of one variable.
func (m mono) square() bool {
	return m.divisible(1, 2) && make(mono, len(m)).plus(m, 1, 2).single()
}

// single reports whether m is one variable.
func (m mono) single() bool {
	one, others := 0, 0
	for _, e := range m {
		switch e {
		case 0:
		case sixth:
			one++
		default:
			others++
		}
	}
	return one == 1 && others == 0
}

// cost of writing the monomial: one for a variable, more for powers, and one more if any of them is
// broken.
func (m mono) cost() int {
	c, broken := 0, 0
	for _, e := range m {
		e = max(e, -e)
		switch {
		case e == 0:
		case e%6 == 0 && e <= 24:
			c += 1 + int(e)/12 // 1, 2, 2, 3: x, x², x³, x⁴
		case e%6 == 0:
			c += int(e) / 6
		case e%3 == 0:
			c += 1 + int(e)/12
			broken = max(broken, 1)
		default:
			c += 2 + int(e)/12
			broken = 2
		}
	}
	return c + broken
}

// lattice is the set of monomials that a problem admits: an origin times products of powers of the
// generators. With units the generators are the problem's Π groups (Buckingham 1914), all those
// that no smaller set of variables gives; without them they are the variables.
type lattice struct {
	n      int                 // variables
	basis  []mono              // independent generators
	simple []mono              // all generators
	levels [][]mono            // products by the number of their factors
	known  map[string]struct{} // members of levels
}

// newLattice makes the lattice of the dimensionless monomials of dims, or of all monomials when
// units is false.
func newLattice(dims []unit.Dim, units bool) *lattice {
	l := &lattice{n: len(dims)}
	if !units {
		for i := range dims {
			m := make(mono, l.n)
			m[i] = sixth
			l.basis = append(l.basis, m)
		}
		l.simple = l.basis
		return l
	}
	var rough []mono
	for _, g := range unit.PiGroups(dims) {
		m := make(mono, l.n)
		for i, r := range g {
			m[i] = int16(math.Round(r.Float64() * sixth))
		}
		rough = append(rough, m)
	}
	l.basis = shortest(rough)
	l.simple = l.basis
	if len(rough) > 0 {
		if c := circuits(dims, len(dims)-len(rough)); len(c) >= len(rough) {
			l.simple = c
			l.basis = shortest(append(append([]mono(nil), c...), rough...))
		}
	}
	return l
}

// shortest picks a basis from monomials, cheapest first.
func shortest(all []mono) (basis []mono) {
	all = append([]mono(nil), all...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].cost() < all[j].cost() })
	var rows [][]float64
	for _, m := range all {
		row := make([]float64, len(m))
		for i, e := range m {
			row[i] = float64(e)
		}
		if r, ok := independent(rows, row); ok {
			rows = append(rows, r)
			basis = append(basis, positive(m))
		}
	}
	return basis
}

// circuits lists the Π groups of least support: those that no smaller set of variables gives. There
// is one at most for each set of up to rank+1 variables.
func circuits(dims []unit.Dim, rank int) []mono {
	var out []mono
	var pick []int
	visits := 0
	var walk func(from, size int)
	walk = func(from, size int) {
		if len(out) >= maxCircuits || visits > maxVisits {
			return
		}
		if len(pick) == size {
			visits++
			if m, ok := circuit(dims, pick); ok {
				out = append(out, positive(m))
			}
			return
		}
		for i := from; i < len(dims); i++ {
			pick = append(pick, i)
			walk(i+1, size)
			pick = pick[:len(pick)-1]
		}
	}
	for size := 1; size <= rank+1 && size <= len(dims); size++ {
		walk(0, size)
	}
	return out
}

// maxCircuits and maxVisits bound the generators of problems with many variables, and the sets
// looked at for them.
const (
	maxCircuits = 400
	maxVisits   = 8000
)

// circuit is the only dimensionless product of all the variables picked, if there is just one and
// it needs them all.
func circuit(dims []unit.Dim, pick []int) (m mono, ok bool) {
	sub := make([]unit.Dim, len(pick))
	for i, p := range pick {
		sub[i] = dims[p]
	}
	groups := unit.PiGroups(sub)
	if len(groups) != 1 {
		return nil, false
	}
	m = make(mono, len(dims))
	for i, r := range groups[0] {
		if r.IsZero() {
			return nil, false
		}
		m[pick[i]] = int16(math.Round(r.Float64() * sixth))
	}
	return m, true
}

// positive turns a monomial so that most of its exponents are positive, as one would write it.
func positive(m mono) mono {
	s, first := 0, 0
	for _, e := range m {
		s += int(e)
		if first == 0 {
			first = int(e)
		}
	}
	if s < 0 || s == 0 && first < 0 {
		return make(mono, len(m)).plus(m, -1, 1)
	}
	return m
}

// maxLevel bounds the members kept of one level.
const maxLevel = 6000

// level lists the dimensionless members that take price generators to write: each counts one, its
// square root two and its cube root four.
func (l *lattice) level(price int) []mono {
	if l.levels == nil {
		l.levels = [][]mono{{make(mono, l.n)}}
		l.known = map[string]struct{}{l.levels[0][0].key(): {}}
	}
	for len(l.levels) <= price {
		p := len(l.levels)
		var next []mono
		from := func(back, times, over int) {
			if p < back {
				return
			}
			for _, m := range l.levels[p-back] {
				for _, g := range l.simple {
					if !g.divisible(times, over) {
						continue
					}
					for _, sign := range []int{1, -1} {
						o := m.plus(g, sign*times, over)
						k := o.key()
						if _, known := l.known[k]; known || len(next) >= maxLevel {
							continue
						}
						l.known[k] = struct{}{}
						next = append(next, o)
					}
				}
			}
		}
		if len(l.simple) == l.n && l.n <= 9 { // without units: x·y/z is as likely as x²
			for _, k := range map[int][]int{2: {3, 4}, 3: {5}}[p] {
				for _, m := range l.quotients(k) {
					if _, known := l.known[m.key()]; !known {
						l.known[m.key()] = struct{}{}
						next = append(next, m)
					}
				}
			}
		}
		from(1, 1, 1)
		from(2, 1, 2)
		from(4, 1, 3)
		l.levels = append(l.levels, next)
	}
	return l.levels[price]
}

// quotients are the products of k generators, each to the power 1 or -1.
func (l *lattice) quotients(k int) []mono {
	var out []mono
	var walk func(from, left int, m mono)
	walk = func(from, left int, m mono) {
		if left == 0 {
			out = append(out, m)
			return
		}
		for i := from; i < len(l.simple); i++ {
			walk(i+1, left-1, m.plus(l.simple[i], 1, 1))
			walk(i+1, left-1, m.plus(l.simple[i], -1, 1))
		}
	}
	walk(0, k, make(mono, l.n))
	return out
}

func (m mono) key() string {
	b := make([]byte, 0, 2*len(m))
	for _, e := range m {
		b = append(b, byte(e), byte(e>>8))
	}
	return string(b)
}

// priced is a monomial with what it costs beyond the cheapest of its dimension: by its exponents,
// or by the number of generators that lead to it, whichever is less.
type priced struct {
	mono
	extra int
}

// cheapest lists up to limit members around origin, cheapest to write first, after looking at all
// that take up to reach generators.
func (l *lattice) cheapest(origin mono, reach, limit int) []priced {
	origin = l.descend(origin)
	least := origin.cost()
	out := []priced{{origin, 0}}
	for p := 1; p <= reach && len(out) < 8*limit; p++ {
		for _, m := range l.level(p) {
			m = origin.plus(m, 1, 1)
			out = append(out, priced{m, max(0, min(m.cost()-least, p))})
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].extra != out[j].extra {
			return out[i].extra < out[j].extra
		}
		return out[i].mono.cost() < out[j].mono.cost()
	})
	if len(out) > limit {
		out = out[:limit]
	}
	return out
}

// descend moves origin along the generators while that makes it cheaper.
func (l *lattice) descend(origin mono) mono {
	for better := true; better; {
		better = false
		for _, b := range l.simple {
			for _, s := range []int{6, -6, 3, -3, 12, -12} {
				if !b.divisible(s, sixth) {
					continue
				}
				if m := origin.plus(b, s, sixth); m.cost() < origin.cost() {
					origin, better = m, true
				}
			}
		}
	}
	return origin
}

// origin is a monomial of dimension d, cheapest first found; ok is false when the variables cannot
// give it.
func (l *lattice) origin(dims []unit.Dim, d unit.Dim, units bool) (m mono, ok bool) {
	m = make(mono, len(dims))
	if !units {
		return m, true
	}
	ex, ok := unit.SolveExponents(dims, d)
	if !ok {
		return nil, false
	}
	for i, r := range ex {
		f := r.Float64() * sixth
		if f != math.Round(f) || math.Abs(f) > 200 {
			return nil, false
		}
		m[i] = int16(f)
	}
	return l.descend(m), true
}
