package search

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/unit"
)

func dims(t testing.TB, units ...string) (list []unit.Dim) {
	t.Helper()
	for _, u := range units {
		p, err := unit.Parse(u)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p.Dim)
	}
	return list
}

// of is the dimension of a monomial.
func (m mono) of(vars []unit.Dim) (d unit.Dim) {
	for i, e := range m {
		d = d.Mul(vars[i].Pow(unit.Rat(int(e), sixth)))
	}
	return d
}

func TestMonomialCost(t *testing.T) {
	for _, test := range []struct {
		m    mono
		cost int
	}{
		{mono{}, 0}, {mono{0, 0}, 0},
		{mono{6}, 1}, {mono{-6}, 1}, {mono{12}, 2}, {mono{18}, 2}, {mono{24}, 3}, {mono{30}, 5}, // x … x⁵
		{mono{6, -6}, 2}, {mono{12, 6, -6}, 4},
		{mono{3}, 2}, {mono{3, -3}, 3}, {mono{9}, 2}, // one root over all
		{mono{2}, 4}, {mono{2, 3}, 5},
	} {
		if got := test.m.cost(); got != test.cost {
			t.Errorf("%v costs %d, want %d", test.m, got, test.cost)
		}
	}
}

func TestCircuits(t *testing.T) {
	for _, test := range []struct {
		name      string
		units     []string
		basis     int
		groups    []mono
		dimension string
	}{
		{"none", []string{"m", "m/s^2", "kg"}, 0, nil, "s"},
		{"a ratio", []string{"m", "m"}, 1, []mono{{6, -6}}, "m^2"},
		{"three of a kind", []string{"m", "m", "m"}, 2, []mono{{6, -6, 0}, {6, 0, -6}, {0, 6, -6}}, "m"},
		{"an angle", []string{"rad", "m"}, 1, []mono{{6, 0}}, "m"},
		{"Reynolds", []string{"kg/m^3", "m/s", "m", "Pa s"}, 1, []mono{{6, 6, 6, -6}}, "Pa"},
		{"all dimensionless", []string{"1", "1"}, 2, []mono{{6, 0}, {0, 6}}, "1"},
		{"two systems", []string{"m", "m", "s", "s"}, 2, []mono{{6, -6, 0, 0}, {0, 0, 6, -6}}, "m/s"},
	} {
		vars := dims(t, test.units...)
		l := newLattice(vars, true)
		if len(l.basis) != test.basis || len(l.simple) != len(test.groups) {
			t.Errorf("%s: basis %v, generators %v", test.name, l.basis, l.simple)
			continue
		}
		for _, g := range test.groups {
			if !slices.ContainsFunc(l.simple, func(m mono) bool { return slices.Equal(m, g) }) {
				t.Errorf("%s: %v is not among %v", test.name, g, l.simple)
			}
		}
		target := dims(t, test.dimension)[0]
		if m, ok := l.origin(vars, target, true); !ok || m.of(vars) != target {
			t.Errorf("%s: the origin for %s is %v, %v", test.name, test.dimension, m, ok)
		}
	}
}

func TestOriginOutOfReach(t *testing.T) {
	vars := dims(t, "m", "s")
	if m, ok := newLattice(vars, true).origin(vars, dims(t, "kg")[0], true); ok {
		t.Errorf("lengths and times make a mass: %v", m)
	}
	if m, ok := newLattice(vars, false).origin(vars, dims(t, "kg")[0], false); !ok || !m.isOne() {
		t.Errorf("without units the origin is %v, %v", m, ok)
	}
}

func TestLevelsAreDimensionlessAndNew(t *testing.T) {
	vars := dims(t, "m", "m", "s", "m/s", "1")
	l := newLattice(vars, true)
	seen := map[string]bool{}
	for price := range 6 {
		level := l.level(price)
		if len(level) == 0 {
			t.Errorf("level %d is empty", price)
		}
		for _, m := range level {
			if !m.of(vars).IsZero() {
				t.Errorf("level %d: %v has the dimension %s", price, m, m.of(vars))
			}
			if seen[m.key()] {
				t.Errorf("level %d: %v came before", price, m)
			}
			seen[m.key()] = true
			if back := (make(mono, len(m))).plus(m, -1, 1); len(level) < maxLevel && !slices.ContainsFunc(level, func(o mono) bool { return slices.Equal(o, back) }) {
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
		for _, m := range l.level(p) {
			if price[int(m[0])]+price[int(m[1])] != p {
				t.Errorf("%v stands at price %d", m, p)
			}
		}
		if got := len(l.level(p)); got != want {
			t.Errorf("price %d has %d monomials, want %d", p, got, want)
		}
	}
}

func TestCheapest(t *testing.T) {
	vars := dims(t, "kg", "kg", "m/s", "m/s")
	l := newLattice(vars, true)
	energy := dims(t, "J")[0]
	origin, ok := l.origin(vars, energy, true)
	if !ok {
		t.Fatal("no energy")
	}
	far := origin.plus(l.simple[0], 5, 1)
	list := l.cheapest(far, 4, 40)
	if len(list) != 40 {
		t.Errorf("%d monomials, want 40", len(list))
	}
	for i, m := range list {
		if m.of(vars) != energy {
			t.Errorf("%v has the dimension %s", m, m.of(vars))
		}
		if i > 0 && m.cost() < list[i-1].cost() {
			t.Errorf("%v stands behind %v", m, list[i-1])
		}
	}
	if c := list[0].cost(); c != (mono{6, 0, 12, 0}).cost() {
		t.Errorf("the cheapest energy is %v", list[0])
	}
}

func TestManyVariables(t *testing.T) {
	l := newLattice(make([]unit.Dim, 50), false)
	if n := len(l.level(1)); n != 100 {
		t.Errorf("level 1 of 50 variables has %d monomials, want 100", n)
	}
	var lengths []unit.Dim
	for range 40 {
		lengths = append(lengths, dims(t, "m")[0])
	}
	l = newLattice(lengths, true)
	if len(l.basis) != 39 || len(l.simple) > maxCircuits {
		t.Errorf("40 lengths have %d independent ratios and %d generators", len(l.basis), len(l.simple))
	}
}
