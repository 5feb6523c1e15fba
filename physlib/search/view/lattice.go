package view

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/unit"
)

// SixthsInOne is the stored value of the exponent 1. Exponents are stored in sixths, so that halves
// and thirds are whole numbers.
const SixthsInOne = 6

// Monomial is a product ∏ xᵢ^(eᵢ/6). It holds the exponents eᵢ in sixths, one for each variable.
type Monomial []int16

// Plus returns m·o^(times/over). The exponents of o^(times/over) must be whole numbers of sixths
// (see Divisible).
func (m Monomial) Plus(o Monomial, times, over int) Monomial {
	r := make(Monomial, len(m))
	for i := range m {
		r[i] = m[i] + int16(int(o[i])*times/over)
	}
	return r
}

// Divisible reports whether the exponents of m^(times/over) are whole numbers of sixths.
func (m Monomial) Divisible(times, over int) bool {
	return !slices.ContainsFunc(m, func(e int16) bool { return int(e)*times%over != 0 })
}

// IsOne reports whether m is 1.
func (m Monomial) IsOne() bool { return !slices.ContainsFunc(m, func(e int16) bool { return e != 0 }) }

// IsSquare reports whether m is the square of one variable.
func (m Monomial) IsSquare() bool {
	return m.Divisible(1, 2) && make(Monomial, len(m)).Plus(m, 1, 2).IsVariable()
}

// IsVariable reports whether m is one variable.
func (m Monomial) IsVariable() bool {
	i := slices.Index(m, SixthsInOne)
	return i >= 0 && m[:i].IsOne() && m[i+1:].IsOne()
}

// Cost returns the cost of m. Each variable costs one, and higher powers cost more. Fractional
// exponents add one to the cost if they are all halves, otherwise two.
func (m Monomial) Cost() int {
	c, broken := 0, 0
	for _, e := range m {
		e = max(e, -e)
		switch {
		case e == 0:
		case e%6 == 0 && e <= 24:
			c += 1 + int(e)/12 // x costs 1, x² and x³ cost 2, x⁴ costs 3
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

// Lattice is the set of monomials that a problem allows: a monomial called the origin, times
// products of powers of the generators. With units, the generators are the problem's Π groups
// (Buckingham 1914), each of as few variables as possible (see shortGroups). Without units, they
// are the variables.
type Lattice struct {
	Vars       int                 // number of variables
	Basis      []Monomial          // independent generators
	generators []Monomial          // generators; some may be products of others
	levels     [][]Monomial        // monomials by price, see Level
	known      map[string]struct{} // keys of all monomials in levels
}

// newLattice makes a lattice of variables with the dimensions dims. It contains the dimensionless
// monomials, or all monomials if units is false.
func newLattice(dims []unit.Dim, units bool) *Lattice {
	l := &Lattice{Vars: len(dims)}
	if !units {
		for i := range dims {
			m := make(Monomial, l.Vars)
			m[i] = SixthsInOne
			l.Basis = append(l.Basis, m)
		}
		l.generators = l.Basis
		return l
	}
	var rough []Monomial
	for _, g := range unit.PiGroups(dims) {
		m := make(Monomial, l.Vars)
		for i, r := range g {
			m[i] = int16(math.Round(r.Float64() * SixthsInOne))
		}
		rough = append(rough, m)
	}
	l.Basis = shortest(rough)
	l.generators = l.Basis
	if len(rough) > 0 {
		if c := shortGroups(dims, len(dims)-len(rough)); len(c) >= len(rough) {
			l.generators = c
			l.Basis = shortest(append(append([]Monomial(nil), c...), rough...))
		}
	}
	return l
}

// shortest picks a basis from all, the cheapest monomials first.
func shortest(all []Monomial) (basis []Monomial) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Monomial) int { return cmp.Compare(a.Cost(), b.Cost()) })
	var rows [][]float64
	for _, m := range all {
		if r, ok := column.Independent(rows, column.Floats(m)); ok {
			rows = append(rows, r)
			basis = append(basis, positive(m))
		}
	}
	return basis
}

// shortGroups lists the Π groups that use as few variables as possible: no proper subset of their
// variables gives a Π group. There is at most one for each set of up to rank+1 variables, where
// rank is the rank of the matrix of the dimensions.
func shortGroups(dims []unit.Dim, rank int) (all []Monomial) {
	visits := 0
	for size := 1; size <= min(rank+1, len(dims)); size++ {
		for sets := combin.NewCombinationGenerator(len(dims), size); sets.Next(); visits++ {
			if len(all) >= maxShortGroups || visits > maxVisits {
				return all
			}
			if m, ok := shortGroup(dims, sets.Combination(nil)); ok {
				all = append(all, positive(m))
			}
		}
	}
	return all
}

// maxShortGroups is the largest number of Π groups that shortGroups lists. maxVisits is the largest
// number of sets of variables that it examines.
const (
	maxShortGroups = 400
	maxVisits      = 8000
)

// shortGroup returns the dimensionless product of the variables in pick. ok is true if there is
// exactly one such product, apart from its powers, and if this product contains all variables in
// pick.
func shortGroup(dims []unit.Dim, pick []int) (m Monomial, ok bool) {
	sub := make([]unit.Dim, len(pick))
	for i, p := range pick {
		sub[i] = dims[p]
	}
	groups := unit.PiGroups(sub)
	if len(groups) != 1 {
		return nil, false
	}
	m = make(Monomial, len(dims))
	for i, r := range groups[0] {
		if r.IsZero() {
			return nil, false
		}
		m[pick[i]] = int16(math.Round(r.Float64() * SixthsInOne))
	}
	return m, true
}

// positive returns m or its inverse, whichever has the larger sum of exponents. If the sums are
// equal, it returns the one whose first exponent is positive.
func positive(m Monomial) Monomial {
	s, first := 0, 0
	for _, e := range m {
		s += int(e)
		if first == 0 {
			first = int(e)
		}
	}
	if s < 0 || s == 0 && first < 0 {
		return make(Monomial, len(m)).Plus(m, -1, 1)
	}
	return m
}

// maxLevel is roughly the largest number of monomials in a level.
const maxLevel = 6000

// Level returns the products of generators with the given price. The price is a sum over the
// factors: a generator or its inverse costs 1, the square root of either costs 2, and the cube root
// costs 4. There are exceptions if there are as many generators as variables, which is always so
// without units, and at most nine. A product of three or four different generators, each to the
// power 1 or -1, then costs 2. Such a product of five generators costs 3.
func (l *Lattice) Level(price int) []Monomial {
	if l.levels == nil {
		l.levels = [][]Monomial{{make(Monomial, l.Vars)}}
		l.known = map[string]struct{}{l.levels[0][0].Key(): {}}
	}
	for len(l.levels) <= price {
		l.levels = append(l.levels, l.next())
	}
	return l.levels[price]
}

// next returns the monomials of the level after the last one in levels.
func (l *Lattice) next() (all []Monomial) {
	p := len(l.levels)
	add := func(m Monomial) {
		k := m.Key()
		if _, known := l.known[k]; !known {
			l.known[k] = struct{}{}
			all = append(all, m)
		}
	}
	if len(l.generators) == l.Vars && l.Vars <= 9 { // x·y/z is then as likely as x²
		for _, k := range map[int][]int{2: {3, 4}, 3: {5}}[p] {
			for _, m := range l.quotients(k) {
				add(m)
			}
		}
	}
	for _, step := range []struct{ back, over int }{{1, 1}, {2, 2}, {4, 3}} {
		if p < step.back {
			break
		}
		for _, m := range l.levels[p-step.back] {
			for _, g := range l.generators {
				for _, sign := range []int{1, -1} {
					if len(all) < maxLevel && g.Divisible(1, step.over) {
						add(m.Plus(g, sign, step.over))
					}
				}
			}
		}
	}
	return all
}

// quotients returns the products of k generators, each to the power 1 or -1.
func (l *Lattice) quotients(k int) []Monomial {
	var out []Monomial
	var walk func(from, left int, m Monomial)
	walk = func(from, left int, m Monomial) {
		if left == 0 {
			out = append(out, m)
			return
		}
		for i := from; i < len(l.generators); i++ {
			walk(i+1, left-1, m.Plus(l.generators[i], 1, 1))
			walk(i+1, left-1, m.Plus(l.generators[i], -1, 1))
		}
	}
	walk(0, k, make(Monomial, l.Vars))
	return out
}

// Key returns a string that is equal for equal monomials only.
func (m Monomial) Key() string {
	b := make([]byte, 0, 2*len(m))
	for _, e := range m {
		b = append(b, byte(e), byte(e>>8))
	}
	return string(b)
}

// Priced is a monomial and its extra cost over the simplest monomial of the same dimension. Extra
// is the difference of their Costs, or the price of their quotient (see Level) if that is less.
type Priced struct {
	Monomial
	Extra int
}

// Cheapest returns up to limit monomials with the dimension of origin, the cheapest first. It
// considers only products of the simplest such monomial and of a monomial with a price of at most
// reach (see Level).
func (l *Lattice) Cheapest(origin Monomial, reach, limit int) []Priced {
	origin = l.descend(origin)
	least := origin.Cost()
	out := []Priced{{origin, 0}}
	for p := 1; p <= reach && len(out) < 8*limit; p++ {
		for _, m := range l.Level(p) {
			m = origin.Plus(m, 1, 1)
			out = append(out, Priced{m, max(0, min(m.Cost()-least, p))})
		}
	}
	slices.SortStableFunc(out, func(a, b Priced) int {
		return cmp.Or(cmp.Compare(a.Extra, b.Extra), cmp.Compare(a.Cost(), b.Cost()))
	})
	return out[:min(limit, len(out))]
}

// descend multiplies origin by powers of generators as long as this lowers the cost, and returns
// the result.
func (l *Lattice) descend(origin Monomial) Monomial {
	for better := true; better; {
		better = false
		for _, b := range l.generators {
			for _, s := range []int{6, -6, 3, -3, 12, -12} {
				if !b.Divisible(s, SixthsInOne) {
					continue
				}
				if m := origin.Plus(b, s, SixthsInOne); m.Cost() < origin.Cost() {
					origin, better = m, true
				}
			}
		}
	}
	return origin
}

// origin returns a cheap monomial of dimension d. It returns nil if no monomial of the variables,
// whose dimensions are dims, has this dimension.
func (l *Lattice) origin(dims []unit.Dim, d unit.Dim) Monomial {
	m := make(Monomial, len(dims))
	ex, ok := unit.SolveExponents(dims, d)
	if !ok {
		return nil
	}
	for i, r := range ex {
		f := r.Float64() * SixthsInOne
		if f != math.Round(f) || math.Abs(f) > 200 {
			return nil
		}
		m[i] = int16(f)
	}
	return l.descend(m)
}
