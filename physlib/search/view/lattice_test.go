package view

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/search/searchtest"
	"github.com/physlib/lab/physlib/unit"
)

// of returns the dimension of a monomial.
func (m Monomial) of(vars []unit.Dim) (d unit.Dim) {
	for i, e := range m {
		d = d.Mul(vars[i].Pow(unit.Rat(int(e), SixthsInOne)))
	}
	return d
}

func TestMonomialCost(t *testing.T) {
	for _, test := range []struct {
		m    Monomial
		cost int
	}{
		{Monomial{}, 0}, {Monomial{0, 0}, 0},
		// The monomials x, 1/x, x², x³, x⁴ and x⁵.
		{Monomial{6}, 1}, {Monomial{-6}, 1}, {Monomial{12}, 2}, {Monomial{18}, 2}, {Monomial{24}, 3}, {Monomial{30}, 5},
		{Monomial{6, -6}, 2}, {Monomial{12, 6, -6}, 4},
		// Half-integer powers add one to the cost of the monomial, no matter how many there are.
		{Monomial{3}, 2}, {Monomial{3, -3}, 3}, {Monomial{9}, 2},
		{Monomial{2}, 4}, {Monomial{2, 3}, 5},
	} {
		if got := test.m.Cost(); got != test.cost {
			t.Errorf("%v costs %d, want %d", test.m, got, test.cost)
		}
	}
}

func TestCircuits(t *testing.T) {
	for _, test := range []struct {
		name      string
		units     []string
		basis     int
		groups    []Monomial
		dimension string
	}{
		{"none", []string{"m", "m/s^2", "kg"}, 0, nil, "s"},
		{"a ratio", []string{"m", "m"}, 1, []Monomial{{6, -6}}, "m^2"},
		{"three of a kind", []string{"m", "m", "m"}, 2, []Monomial{{6, -6, 0}, {6, 0, -6}, {0, 6, -6}}, "m"},
		{"an angle", []string{"rad", "m"}, 1, []Monomial{{6, 0}}, "m"},
		{"Reynolds", []string{"kg/m^3", "m/s", "m", "Pa s"}, 1, []Monomial{{6, 6, 6, -6}}, "Pa"},
		{"all dimensionless", []string{"1", "1"}, 2, []Monomial{{6, 0}, {0, 6}}, "1"},
		{"two systems", []string{"m", "m", "s", "s"}, 2, []Monomial{{6, -6, 0, 0}, {0, 0, 6, -6}}, "m/s"},
	} {
		vars := searchtest.Dims(t, test.units...)
		l := newLattice(vars, true)
		if len(l.Basis) != test.basis || len(l.generators) != len(test.groups) {
			t.Errorf("%s: basis %v, generators %v", test.name, l.Basis, l.generators)
			continue
		}
		for _, g := range test.groups {
			if !slices.ContainsFunc(l.generators, func(m Monomial) bool { return slices.Equal(m, g) }) {
				t.Errorf("%s: %v is not among %v", test.name, g, l.generators)
			}
		}
		target := searchtest.Dims(t, test.dimension)[0]
		if m := l.origin(vars, target); m == nil || m.of(vars) != target {
			t.Errorf("%s: the origin for %s is %v", test.name, test.dimension, m)
		}
	}
}

func TestOriginOutOfReach(t *testing.T) {
	vars := searchtest.Dims(t, "m", "s")
	if m := newLattice(vars, true).origin(vars, searchtest.Dims(t, "kg")[0]); m != nil {
		t.Errorf("lengths and times make a mass: %v", m)
	}
}

func TestLevelsAreDimensionlessAndNew(t *testing.T) {
	vars := searchtest.Dims(t, "m", "m", "s", "m/s", "1")
	l := newLattice(vars, true)
	seen := map[string]bool{}
	for price := range 6 {
		level := l.Level(price)
		if len(level) == 0 {
			t.Errorf("level %d is empty", price)
		}
		for _, m := range level {
			if !m.of(vars).IsZero() {
				t.Errorf("level %d: %v has the dimension %s", price, m, m.of(vars))
			}
			if seen[m.Key()] {
				t.Errorf("level %d: %v came before", price, m)
			}
			seen[m.Key()] = true
			if back := (make(Monomial, len(m))).Plus(m, -1, 1); len(level) < maxLevel && !slices.ContainsFunc(level, func(o Monomial) bool { return slices.Equal(o, back) }) {
				t.Errorf("level %d has %v and not its reciprocal", price, m)
			}
		}
	}
}

// Without units the price of x^(e/6) is the least |a| + 2|b| + 4|c| with e = 6a + 3b + 2c.
func TestLevelsAreComplete(t *testing.T) {
	const most = 5
	price := map[int]int{}
	for a := -most; a <= most; a++ {
		for b := -most; b <= most; b++ {
			for c := -most; c <= most; c++ {
				e, p := 6*a+3*b+2*c, max(a, -a)+2*max(b, -b)+4*max(c, -c)
				if old, known := price[e]; !known || p < old {
					price[e] = p
				}
			}
		}
	}
	l := newLattice(make([]unit.Dim, 2), false)
	for p := range most + 1 {
		want := 0
		for _, x := range price {
			for _, y := range price {
				if x+y == p {
					want++
				}
			}
		}
		for _, m := range l.Level(p) {
			if price[int(m[0])]+price[int(m[1])] != p {
				t.Errorf("%v stands at price %d", m, p)
			}
		}
		if got := len(l.Level(p)); got != want {
			t.Errorf("price %d has %d monomials, want %d", p, got, want)
		}
	}
}

func TestCheapest(t *testing.T) {
	vars := searchtest.Dims(t, "kg", "kg", "m/s", "m/s")
	l := newLattice(vars, true)
	energy := searchtest.Dims(t, "J")[0]
	origin := l.origin(vars, energy)
	if origin == nil {
		t.Fatal("no energy")
	}
	far := origin.Plus(l.generators[0], 5, 1)
	list := l.Cheapest(far, 4, 40)
	if len(list) != 40 {
		t.Errorf("%d monomials, want 40", len(list))
	}
	for i, m := range list {
		if m.of(vars) != energy {
			t.Errorf("%v has the dimension %s", m, m.of(vars))
		}
		if i > 0 && m.Cost() < list[i-1].Cost() {
			t.Errorf("%v stands behind %v", m, list[i-1])
		}
	}
	if c := list[0].Cost(); c != (Monomial{6, 0, 12, 0}).Cost() {
		t.Errorf("the cheapest energy is %v", list[0])
	}
}

func TestManyVariables(t *testing.T) {
	l := newLattice(make([]unit.Dim, 50), false)
	if n := len(l.Level(1)); n != 100 {
		t.Errorf("level 1 of 50 variables has %d monomials, want 100", n)
	}
	var lengths []unit.Dim
	for range 40 {
		lengths = append(lengths, searchtest.Dims(t, "m")[0])
	}
	l = newLattice(lengths, true)
	if len(l.Basis) != 39 || len(l.generators) > maxShortGroups {
		t.Errorf("40 lengths have %d independent ratios and %d generators", len(l.Basis), len(l.generators))
	}
}
