package unit

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func dimsOf(t testing.TB, units ...string) (dims []Dim) {
	for _, s := range units {
		u, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		dims = append(dims, u.Dim)
	}
	return dims
}

func product(dims []Dim, exponents []Ratio) (d Dim) {
	for i, e := range exponents {
		d = d.Mul(dims[i].Pow(e))
	}
	return d
}

func TestPiGroups(t *testing.T) {
	for _, c := range []struct {
		name  string
		units []string
		want  string
	}{
		{"nothing", nil, "[]"},
		{"one with a dimension", []string{"m"}, "[]"},
		{"one without", []string{"1"}, "[[1]]"},
		{"all dimensionless", []string{"1", "rad", "%"}, "[[1 0 0] [0 1 0] [0 0 1]]"},
		{"independent", []string{"kg", "m", "s"}, "[]"},
		{"pendulum", []string{"s", "m", "m/s^2"}, "[[2 -1 1]]"},
		{"Reynolds", []string{"kg/m^3", "m/s", "m", "Pa s"}, "[[1 1 1 -1]]"},
		{"rank deficient: kg only with m", []string{"kg/m", "kg/m", "kg^2/m^2"}, "[[1 -1 0] [2 0 -1]]"},
		{"twice the same", []string{"m", "m"}, "[[1 -1]]"},
		{"fractions", []string{"m^(1/2)", "m^(1/3)"}, "[[2 -3]]"},
		{"drag", []string{"N", "kg/m^3", "m/s", "m", "Pa s"}, "[[1 -1 -2 -2 0] [1 1 0 0 -2]]"},
	} {
		dims := dimsOf(t, c.units...)
		groups := PiGroups(dims)
		if got := fmt.Sprint(groups); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for _, g := range groups {
			if d := product(dims, g); !d.IsZero() {
				t.Errorf("%s: group %v has dimension %v", c.name, g, d)
			}
		}
	}
}

func TestPiGroupsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var dims []Dim
		for range rapid.IntRange(0, 9).Draw(t, "columns") {
			var d Dim
			for i := range 4 {
				d[i] = Rat(rapid.IntRange(-3, 3).Draw(t, "e"), rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "den"))
			}
			dims = append(dims, d)
		}
		groups := PiGroups(dims)
		if rank := newElimination(dims, nil).rank; len(groups) != len(dims)-rank {
			t.Errorf("%d groups of %d quantities of rank %d", len(groups), len(dims), rank)
		}
		for _, g := range groups {
			first, divisor := 0, int64(0)
			for _, e := range g {
				if !e.IsInt() {
					t.Errorf("group %v is not whole", g)
				}
				if first == 0 {
					first = e.Num()
				}
				divisor = gcd(divisor, int64(e.Num()))
			}
			if d := product(dims, g); !d.IsZero() || first <= 0 || divisor != 1 {
				t.Errorf("group %v of %v: dimension %v, first %d, divisor %d", g, dims, d, first, divisor)
			}
		}
	})
}

func TestSolveExponents(t *testing.T) {
	for _, c := range []struct {
		units  []string
		target string
		want   string
		ok     bool
	}{
		{nil, "1", "[]", true}, {nil, "m", "[]", false},
		{[]string{"m"}, "1", "[0]", true}, {[]string{"m"}, "s", "[]", false}, {[]string{"m"}, "m^2", "[2]", true},
		{[]string{"1", "m"}, "m", "[0 1]", true},
		{[]string{"m", "m/s^2"}, "s", "[1/2 -1/2]", true},
		{[]string{"kg", "m/s", "m", "s"}, "J", "[1 2 0 0]", true},
		// A product of two quantities, not of three: kg, m and 1/s.
		{[]string{"m", "s", "m/s", "kg"}, "kg m/s", "[0 0 1 1]", true},
		{[]string{"m", "kg"}, "1", "[0 0]", true},
	} {
		dims := dimsOf(t, c.units...)
		target := dimsOf(t, c.target)[0]
		got, ok := SolveExponents(dims, target)
		if ok != c.ok || fmt.Sprint(got) != c.want {
			t.Errorf("%v to %s: %v, %t; want %s", c.units, c.target, got, ok, c.want)
		}
		if ok && product(dims, got) != target {
			t.Errorf("%v to %s: %v gives %v", c.units, c.target, got, product(dims, got))
		}
	}
}

func TestSolveExponentsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var dims []Dim
		var target Dim
		for range rapid.IntRange(1, 6).Draw(t, "columns") {
			var d Dim
			for i := range 3 {
				d[i] = Rat(rapid.IntRange(-3, 3).Draw(t, "e"), 1)
			}
			dims = append(dims, d)
			target = target.Mul(d.Pow(Rat(rapid.IntRange(-2, 2).Draw(t, "power"), 1)))
		}
		a, ok := SolveExponents(dims, target)
		if !ok || product(dims, a) != target {
			t.Errorf("%v to %v: %v, %t", dims, target, a, ok)
		}
	})
}

func BenchmarkPiGroups(b *testing.B) {
	dims := dimsOf(b, "N", "kg/m^3", "m/s", "m", "Pa s", "K", "J/K", "s")
	for b.Loop() {
		PiGroups(dims)
	}
}
