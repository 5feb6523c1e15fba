package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/expr"
)

func suite(t testing.TB, name string) []Problem {
	t.Helper()
	ps, err := Suite(name)
	if err != nil {
		t.Fatal(err)
	}
	return ps
}

func TestSuite(t *testing.T) {
	for name, want := range map[string]int{"feynman": 100, "bonus": 20, "strogatz": 14, "classic": 101, "nguyen": 13, "textbook": 176, "Feynman": 100} {
		if got := len(suite(t, name)); got != want {
			t.Errorf("Suite(%q) has %d problems, want %d", name, got, want)
		}
	}
	for _, p := range suite(t, "bonus") {
		if p.Set != "bonus" {
			t.Errorf("%s of the bonus suite is of set %q", p.ID, p.Set)
		}
	}
	if _, err := Suite("feinman"); err == nil || !strings.Contains(err.Error(), "feynman") {
		t.Errorf("Suite of an unknown name: %v", err)
	}
}

// Every law of every table is finite in its ranges, is not constant, and depends on its variables.
func TestSampleAll(t *testing.T) {
	for _, name := range Suites() {
		for _, p := range suite(t, name) {
			table, err := p.Sample(300, rand.New(rand.NewPCG(1, 2)))
			if err != nil {
				t.Error(err)
				continue
			}
			y := table.Target.Values
			if table.Rows() != 300 || len(table.Vars) != len(p.Vars) {
				t.Errorf("%s: %d rows, %d columns", p.ID, table.Rows(), len(table.Vars))
			}
			if low, high := slices.Min(y), slices.Max(y); !(high-low > 1e-3*max(math.Abs(low), math.Abs(high))) {
				t.Errorf("%s: hardly varies, %g to %g", p.ID, low, high)
			}
			for i, c := range table.Vars {
				if v := p.Vars[i]; v.Name != p.Given.Name && (slices.Min(c.Values) < v.Low || slices.Max(c.Values) > v.High) {
					t.Errorf("%s: %s leaves its range", p.ID, v.Name)
				}
			}
		}
	}
}

// The units of laws balance, except if Hidden names a constant that is part of a number.
func TestUnitsBalance(t *testing.T) {
	for _, name := range []string{"feynman", "bonus", "textbook", "feynman-inverted"} {
		hidden := 0
		for _, p := range suite(t, name) {
			if !p.HasUnits() {
				t.Errorf("%s: a unit is missing", p.ID)
			}
			vars, output, err := p.Dims()
			if err != nil {
				t.Error(err)
				continue
			}
			law, err := p.Tree()
			if err != nil {
				t.Error(err)
				continue
			}
			d, free, err := law.Dim(vars)
			balances := err == nil && (free || d == output)
			if p.Hidden != "" {
				hidden++
				if balances {
					t.Errorf("%s: balances although %s is hidden in it", p.ID, p.Hidden)
				}
			} else if !balances {
				t.Errorf("%s: %s has dimension %v, %s is %v (%v)", p.ID, p.Law, d, p.Output, output, err)
			}
		}
		if name == "textbook" && hidden != 18 {
			t.Errorf("%d laws of textbook.csv hide a constant, README.md says 18", hidden)
		}
	}
}

// No law of textbook.csv equals a law of another table or row, up to the names of variables.
func TestTextbookIsNew(t *testing.T) {
	type known struct {
		id   string
		form expr.Tree
	}
	bySkeleton := map[string][]known{}
	for _, name := range []string{"feynman", "bonus", "strogatz", "classic", "nguyen", "textbook"} {
		for _, p := range suite(t, name) {
			law, err := p.Tree()
			if err != nil {
				t.Fatal(err)
			}
			form := packed(law).Canonical()
			key := signature(form)
			if name == "textbook" {
				for _, k := range bySkeleton[key] {
					if renames(k.form, form) {
						t.Errorf("%s: %s is the same law as %s", p.ID, p.Law, k.id)
					}
				}
			}
			bySkeleton[key] = append(bySkeleton[key], known{name + " " + p.ID, form})
		}
	}
}

// renames recognizes equal laws with other names, orders and unused columns.
func TestRenames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"x*y/z", "z*x/y", true}, {"2*(x+y*z)", "y*2*x+z*2", true}, {"x-y", "y-x", true}, {"exp(x*w)", "exp(y*x)", true},
		{"x*y/z", "x/(y*z)", false}, {"x**y", "y**z", true}, {"x**2*y", "x*y", false}, {"x*y", "2*x*y", false},
	} {
		var forms [2]expr.Tree
		for i, law := range []string{c.a, c.b} {
			tree, err := expr.Parse(law, []string{"w", "x", "y", "z"})
			if err != nil {
				t.Fatal(err)
			}
			forms[i] = packed(tree).Canonical()
		}
		if got := signature(forms[0]) == signature(forms[1]) && renames(forms[0], forms[1]); got != c.want {
			t.Errorf("%s and %s: the same law %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// packed returns t with its variables renumbered 0, 1, … without gaps: unused columns do not count.
func packed(t expr.Tree) expr.Tree { return renamed(t, t.Vars(), nil) }

// renamed returns t with each variable from[i] renumbered to[i]. If to is nil, variable from[i]
// becomes variable i.
func renamed(t expr.Tree, from, to []int) expr.Tree {
	const aside = 1000
	for i, v := range from {
		t = t.Substitute(v, expr.X(aside+i))
	}
	for i := range from {
		name := i
		if to != nil {
			name = to[i]
		}
		t = t.Substitute(aside+i, expr.X(name))
	}
	return t
}

// signature returns the sorted nodes of a canonical form as text. It does not depend on the names
// of variables.
func signature(t expr.Tree) string {
	var nodes []string
	for _, n := range t.Nodes() {
		if n.Op != expr.Number {
			nodes = append(nodes, n.Op.String())
		} else {
			nodes = append(nodes, fmt.Sprintf("%.6g", n.Value))
		}
	}
	slices.Sort(nodes)
	return fmt.Sprint(len(t.Vars()), nodes)
}

// renames reports whether the canonical form a becomes b by renaming variables.
func renames(a, b expr.Tree) bool {
	vars := a.Vars()
	return slices.ContainsFunc(permutations(len(vars)), func(perm []int) bool {
		return renamed(a, vars, perm).Canonical().Hash() == b.Hash()
	})
}

// permutations returns the permutations of 0 … n-1, the identity first.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var ps [][]int
	for _, p := range permutations(n - 1) {
		for at := len(p); at >= 0; at-- {
			ps = append(ps, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return ps
}

func TestSampleIsReproducible(t *testing.T) {
	p := suite(t, "textbook")[0]
	a, err := p.Sample(50, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := p.Sample(50, rand.New(rand.NewPCG(1, 2)))
	if diff := cmp.Diff(a.Target.Values, b.Target.Values); diff != "" {
		t.Error(diff)
	}
}

func TestSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		v         Var
		low, high float64 // range of the middle half of the values
	}{
		{Var{Low: 1, High: 5}, 1.8, 4.2},
		{Var{Low: -4, High: 4, Sampling: Uniform}, -2.4, 2.4},
		{Var{Low: 1e-13, High: 1e26, Sampling: LogUniform}, 1e-5, 1e18},
		{Var{Low: -100, High: -1, Sampling: LogUniform}, -40, -2.5},
		{Var{Low: 0, High: 9, Sampling: Integer}, 2, 7},
		{Var{Low: -math.MaxFloat64, High: math.MaxFloat64}, -math.MaxFloat64 / 1.5, math.MaxFloat64 / 1.5},
		{Var{Low: 3, High: 3}, 3, 3},
	} {
		xs := make([]float64, 4000)
		for i := range xs {
			xs[i] = c.v.draw(rng)
			if c.v.Sampling == Integer && xs[i] != math.Trunc(xs[i]) {
				t.Errorf("%+v: drew %g", c.v, xs[i])
			}
		}
		slices.Sort(xs)
		if xs[0] < c.v.Low || xs[len(xs)-1] > c.v.High {
			t.Errorf("%+v: drew %g to %g", c.v, xs[0], xs[len(xs)-1])
		}
		if xs[1000] < c.low || xs[3000] > c.high || (c.low < c.high && xs[1000] > xs[3000]-(c.high-c.low)/4 && c.v.Sampling == Uniform) {
			t.Errorf("%+v: middle half is %g to %g, want within %g to %g", c.v, xs[1000], xs[3000], c.low, c.high)
		}
	}
}

func TestWidened(t *testing.T) {
	for _, c := range []struct{ v, want Var }{
		{Var{Low: 1, High: 5}, Var{Low: 2.0 / 3, High: 6}},
		{Var{Low: 10, High: 14}, Var{Low: 9, High: 15}},
		{Var{Low: -4, High: 4}, Var{Low: -6, High: 6}},
		{Var{Low: 0, High: 4}, Var{Low: 0, High: 5}},
		{Var{Low: -5, High: -1}, Var{Low: -6, High: -2.0 / 3}},
		{Var{Low: 1, High: 16, Sampling: LogUniform}, Var{Low: 0.5, High: 32, Sampling: LogUniform}},
		{Var{Low: -16, High: -1, Sampling: LogUniform}, Var{Low: -32, High: -0.5, Sampling: LogUniform}},
		{Var{Low: 1, High: 5, Sampling: Integer}, Var{Low: 1, High: 6, Sampling: Integer}},
	} {
		got := c.v
		got.Low, got.High = c.v.widened(1.5)
		if math.Abs(got.Low-c.want.Low) > 1e-12 || math.Abs(got.High-c.want.High) > 1e-12 {
			t.Errorf("%+v widened is %+v, want %+v", c.v, got, c.want)
		}
	}
}

func TestSampleErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		p    Problem
		rows int
		want string
	}{
		{Problem{ID: "a", Law: "sqrt(-x)", Vars: []Var{{Name: "x", Low: 1, High: 2}}}, 10, "finite at 0 of"},
		{Problem{ID: "a", Law: "sqrt(x-97)", Vars: []Var{{Name: "x", Low: 0, High: 100}}}, 5000, "narrow the ranges"},
		{Problem{ID: "a", Law: "x", Vars: []Var{{Name: "x", Low: 1, High: 2}}}, 0, "0 rows"},
		{Problem{ID: "a", Law: "x+", Vars: []Var{{Name: "x", Low: 1, High: 2}}}, 10, "a: law"},
		{Problem{ID: "a", Law: "x", Vars: []Var{{Name: "x", Low: 2, High: 1}}}, 10, "swap"},
		{Problem{ID: "a", Law: "x", Vars: []Var{{Name: "x", Low: 1, High: 2, Unit: "furlongz"}}}, 10, "unit of x"},
	} {
		if _, err := c.p.Sample(c.rows, rng); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.p, err, c.want)
		}
	}
	// a law that is finite at half of the points, and whose result has the name of a variable
	p := Problem{ID: "b", Law: "log(x)", Output: "x", Vars: []Var{{Name: "x", Low: -1, High: 1}}}
	table, err := p.Sample(100, rng)
	if err != nil || table.Rows() != 100 || table.Target.Name != "x_out" {
		t.Errorf("half of the points finite: %v, %v", table, err)
	}
}

func BenchmarkSample(b *testing.B) {
	p := suite(b, "feynman")[4]
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		if _, err := p.Sample(1000, rng); err != nil {
			b.Fatal(err)
		}
	}
}
