package prior_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/unit"
)

func parse(t testing.TB, s string) expr.Tree {
	tree, err := expr.Parse(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func Example() {
	model := prior.Default()
	usual, _ := expr.Parse("c0*x0/(c1 + x0)", nil)
	odd, _ := expr.Parse("c0*sin(cos(x0))", nil)
	fmt.Println(model.Bits(usual, 1) < model.Bits(odd, 1))
	names, _ := model.KnownLaws(usual)
	fmt.Println(slices.Contains(names, "Michaelis-Menten kinetics"))
	// Output:
	// true
	// true
}

func TestCheaper(t *testing.T) {
	m := prior.Default()
	for _, test := range []struct{ usual, odd string }{
		{"c0*exp(-c1*x0)", "sin(cos(x0))"},
		{"c0*exp(-c1*x0)", "c0*x0**41"},
		{"c0 + c1*exp(c2*x0)", "c0/(1 + c1*exp(c2*x0)) + 273.15"},
		{"c0*x0**2*x1", "c0*x0**2*sin(x1)"},
		{"c0*x0*x1", "c0*x0*x1*x2"},
		{"c0*exp(c1/x0)", "c0*exp(c1*x0**3)"},
	} {
		a, b := parse(t, test.usual), parse(t, test.odd)
		if x, y := m.Bits(a, 3), m.Bits(b, 3); x >= y {
			t.Errorf("%s costs %.1f bits, %s %.1f", a, x, b, y)
		}
	}
	mm := parse(t, "c0*x0/(c1 + x0)")
	for _, same := range []string{"x0/(c0 + c1*x0)", "c1*x0/(1 + c0*x0)", "2*c3*x0/(x0 + c5)"} {
		if x, y := m.Bits(mm, 1), m.Bits(parse(t, same), 1); x != y {
			t.Errorf("%s costs %.3f bits, %s %.3f", mm, x, same, y)
		}
	}
	if x, y := m.Bits(mm, 1), m.Bits(mm, 4); math.Abs(y-x-2) > 0.5 {
		t.Errorf("one of four columns costs %.2f bits more than the only one", y-x)
	}
}

// grammar returns all canonical trees of at most size nodes that consist of the given leaves and
// some operators.
func grammar(size int, leaves []expr.Tree) []expr.Tree {
	bySize := make([][]expr.Tree, size+1)
	bySize[1] = leaves
	seen := map[string]bool{}
	var all []expr.Tree
	for n := 1; n <= size; n++ {
		if n > 1 {
			for _, op := range []expr.Op{expr.Exp, expr.Sin, expr.Sqrt, expr.Neg, expr.Inv} {
				for _, a := range bySize[n-1] {
					bySize[n] = append(bySize[n], expr.Apply(op, a))
				}
			}
		}
		for k := 1; k < n-1; k++ {
			for _, op := range []expr.Op{expr.Add, expr.Mul, expr.Pow} {
				for _, a := range bySize[k] {
					for _, b := range bySize[n-1-k] {
						bySize[n] = append(bySize[n], expr.Apply(op, a, b))
					}
				}
			}
		}
		for _, t := range bySize[n] {
			if t = t.Canonical(); !seen[t.String()] {
				seen[t.String()] = true
				all = append(all, t)
			}
		}
	}
	return all
}

// The probabilities of different forms add up to less than one. Forms whose constants can be merged
// count as one, since they are the same function.
func TestSum(t *testing.T) {
	m := prior.Default()
	for vars := 1; vars <= 2; vars++ {
		leaves := []expr.Tree{expr.X(0), expr.Num(1), expr.Num(2), expr.C(0, 1), expr.C(1, 1)}
		if vars == 2 {
			leaves = append(leaves, expr.X(1))
		}
		best := map[uint64]float64{} // fewest bits for each form with its columns
		var f skeleton.Tree
		for _, tree := range grammar(6, leaves) {
			p := math.Exp2(-m.CanonicalBits(tree, vars))
			f.Set(tree.MergeParams().Canonical())
			key := f.Nodes[f.Root].Exact
			best[key] = max(best[key], p)
		}
		sum := 0.0
		for _, p := range best {
			sum += p
		}
		t.Logf("%d columns: %d forms have %.3f of the probability", vars, len(best), sum)
		if sum > 1 || sum < 0.1 {
			t.Errorf("%d columns: %d forms have a probability of %g", vars, len(best), sum)
		}
	}
}

func TestPermutation(t *testing.T) {
	m := prior.Default()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, e := range corpus.Catalogue() {
		forms, err := e.Forms()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms[:1] {
			perm := rng.Perm(len(f.Vars))
			nodes := slices.Clone(f.Tree.Nodes())
			for i, n := range nodes {
				if n.Op == expr.Var {
					nodes[i].Index = int32(perm[n.Index])
				}
			}
			swapped, _ := expr.FromNodes(nodes)
			if h := skeleton.Hash(swapped); h != f.Hash {
				t.Errorf("%s: %s has another hash than %s", e.Name, swapped, f.Tree)
			}
			a, b := m.Bits(f.Tree, len(f.Vars)), m.Bits(swapped, len(f.Vars))
			if math.Abs(a-b) > 1e-9*a {
				t.Errorf("%s: %s costs %.6f bits, %s %.6f", e.Name, f.Tree, a, swapped, b)
			}
			if names, _ := m.KnownLaws(swapped); !slices.Contains(names, e.Name) {
				t.Errorf("%s: %s has lost its name", e.Name, swapped)
			}
		}
	}
}

// Each valid tree has finite bits. This is so even for operators that no law contains, and for an
// empty model.
func TestFinite(t *testing.T) {
	empty := prior.Train(nil)
	for _, m := range []*prior.Model{prior.Default(), empty} {
		for _, s := range []string{"x0", "0", "-1", "1/0", "c0", "asin(sinh(acos(x5)))", "x0**x1**x2",
			"1e300*x0**-77", "(x0 + 0.123456789)**2.718", "e**pi", "abs(x0)**(1/7)",
			"x0*x1*x2*x3*x4*x5*x6*x7*x8*x9", "c70*x0 + c70**2"} {
			for _, vars := range []int{-1, 0, 1, 20} {
				b := m.Bits(parse(t, s), vars)
				if math.IsNaN(b) || math.IsInf(b, 0) || b < 0 {
					t.Errorf("%s over %d columns costs %g bits", s, vars, b)
				}
			}
		}
	}
	nan, _ := expr.FromNodes([]expr.Node{{Op: expr.Number, Value: math.NaN()}})
	if b := prior.Default().Bits(nan, 1); math.IsNaN(b) || math.IsInf(b, 0) {
		t.Errorf("NaN costs %g bits", b)
	}
	if b := prior.Default().Bits(expr.Tree{}, 1); b != 0 {
		t.Errorf("the empty tree costs %g bits", b)
	}
}

// Training again gives the same bits, and so do concurrent calls.
func TestDeterministic(t *testing.T) {
	a := prior.Default()
	b := a.Except(func(uint64) bool { return false })
	tree := parse(t, "c0*x0*exp(-c1*x1/x2)/(c2 + x0*x3**2)").Canonical()
	want := a.Bits(tree, 4)
	if got := b.Bits(tree, 4); got != want {
		t.Errorf("%g bits, then %g", want, got)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 100 {
				if got := a.CanonicalBits(tree, 4); got != want {
					t.Errorf("%g bits, elsewhere %g", want, got)
				}
			}
		})
	}
	wait.Wait()
}

// A model trained without the laws of a suite contains no law of that suite.
func TestWithout(t *testing.T) {
	for _, suite := range corpus.Suites() {
		problems, err := corpus.Suite(suite)
		if err != nil {
			t.Fatal(err)
		}
		m, err := prior.Without(problems)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			tree, _ := p.Tree()
			if names, _ := m.KnownLaws(tree); len(names) > 0 {
				t.Errorf("%s: %s is still known as %s", suite, p.Law, names[0])
			}
		}
	}
	problems, err := corpus.Suite("feynman")
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := prior.Hashes(problems)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := prior.Without(problems)
	for _, x := range m.Examples() {
		if hashes[x.Hash] || hashes[x.Whole] {
			t.Errorf("%s: %s is a law of Feynman's", x.Law, x.Tree)
		}
	}
	if all, rest := len(prior.Default().Examples()), len(m.Examples()); rest >= all || rest < all/2 {
		t.Errorf("%d of %d forms remain", rest, all)
	}
}

func BenchmarkBits(b *testing.B) {
	m := prior.Default()
	tree := parse(b, "c0*x0*exp(-c1*x1)/(c2 + x0**2)").Canonical()
	b.Logf("%s: %d nodes", tree, tree.Len())
	b.Run("canonical", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.CanonicalBits(tree, 2)
		}
	})
	b.Run("any", func(b *testing.B) {
		for b.Loop() {
			m.Bits(tree, 2)
		}
	})
}

// The root of a negative quotient has the bits of its form, not the bits of an undefined number.
func TestSignBelowRoot(t *testing.T) {
	m := prior.Default()
	bits := func(s string) float64 {
		e, err := expr.Parse(s, []string{"a", "b", "c"})
		if err != nil {
			t.Fatal(err)
		}
		return m.Bits(e, 3)
	}
	for _, c := range [][2]string{
		{"a*sqrt(1/(1 - exp(b)))", "a/sqrt(1 - exp(b))"},
		{"a*sqrt(-1/(b**2/c**2 - 1))", "a/sqrt(1 - b**2/c**2)"},
		{"sqrt(-b/(a - c))", "sqrt(b)/sqrt(c - a)"},
		{"sqrt(-exp(b)/(a - c))", "sqrt(exp(b))/sqrt(c - a)"},
	} {
		if got, want := bits(c[0]), bits(c[1]); got > want+0.5 || got < want-6 {
			t.Errorf("%s costs %.1f bits, %s %.1f", c[0], got, c[1], want)
		}
	}
	if plain, sine := bits("a*sqrt(1/(1 - b**2/c**2))"), bits("a*sqrt(1/(1 - sin(b**2/c**2)))"); sine < plain+3 {
		t.Errorf("a sine more costs %.1f bits, against %.1f without it", sine, plain)
	}
}

// A rare operator costs more than tanh, unless the user allows it.
func TestRareOperators(t *testing.T) {
	m := prior.Default()
	bits := func(m *prior.Model, form string) float64 {
		tree, err := expr.Parse(form, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		return m.Bits(tree, 1)
	}
	for _, form := range []string{"c0*erf(c1*x)", "c0*j0(c1*x) + c2"} {
		if tanh := bits(m, strings.NewReplacer("erf", "tanh", "j0", "tanh").Replace(form)); !(bits(m, form) > tanh+1) {
			t.Errorf("%s costs %.1f bits, with tanh %.1f", form, bits(m, form), tanh)
		}
		if allowed := bits(m.ExpectRare(), form); !(allowed < bits(m, form)-2) {
			t.Errorf("%s costs %.1f bits if rare operators are allowed, otherwise %.1f", form, allowed, bits(m, form))
		}
	}
}

// A special case of a known form costs little more than this form.
func TestSpecialCase(t *testing.T) {
	m := prior.Default()
	for special, form := range map[string]string{
		"c0*(1 - c1*x0)**5":             "c0*(1 - c1*x0)**c2",
		"c0*x0**(3/2)/(c1 + x0**(3/2))": "c0*x0**c2/(c1 + x0**c2)",
		"sqrt(c0 + c1*sqrt(x0))":        "sqrt(c0 + c1*x0**c2)",
		"x0**c1/(c2 + x0**c1)":          "c0*x0**c1/(c2 + x0**c1)", // without a factor
		"c0*x0/(x0 - c0)":               "c0*x0/(x0 - c1)",         // with equal constants
	} {
		if a, b := m.Bits(parse(t, special), 1), m.Bits(parse(t, form), 1); a < b || a > b+10 {
			t.Errorf("%s: %.1f bits, %s: %.1f", special, a, form, b)
		}
	}
}

// A column that a law does not contain costs only the choice of the other column.
func TestUnrelatedColumn(t *testing.T) {
	temperature, target := prior.Kind{Name: "T", Dimension: "K"}, prior.Kind{Name: "k", Dimension: "s^-1"}
	alone := prior.Default().For([]prior.Kind{temperature}, target)
	both := prior.Default().For([]prior.Kind{{Name: "humidity", Dimension: "1"}, temperature}, target)
	for _, form := range []string{"c0*exp(-c1/x0)", "c0*exp(c1*x0)", "c0 + c1*x0**3*exp(x0)"} {
		law := parse(t, form)
		want := alone.Bits(law, 1) + 1
		if got := both.BitsIn(law, 2, []int{1}); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.2f bits with a second column, want %.2f", form, got, want)
		}
	}
}

// Under a plain model, a special case has the bits of its tree.
func TestPlain(t *testing.T) {
	m := prior.Default()
	special, known := parse(t, "x0**c1/(c2 + x0**c1)"), parse(t, "c0*x0/(c1 + x0)")
	if m.Plain().Bits(special, 1) < m.Bits(special, 1)+3 {
		t.Errorf("%.1f bits with, %.1f without relations to known forms", m.Bits(special, 1), m.Plain().Bits(special, 1))
	}
	if got, want := m.Plain().Bits(known, 1), m.Bits(known, 1); got != want {
		t.Errorf("a known form has %.1f bits, want %.1f", got, want)
	}
}

// Constants that can be merged do not change the price of a known form.
func TestUnmergedConstants(t *testing.T) {
	m := prior.Default()
	want := m.Bits(parse(t, "c0*x0**c1/(c2 + x0**c1)"), 1)
	for _, form := range []string{"c0*x0**c1/(c2**c1 + x0**c1)", "c0/(1 + (c2/x0)**c1)"} {
		if got := m.Bits(parse(t, form), 1); math.Abs(got-want) > 0.1 {
			t.Errorf("%s: %.2f bits, want %.2f", form, got, want)
		}
	}
}

// The first name is that of the law whose quantities have the symbols and dimensions of the table.
func TestKnownLawsFirst(t *testing.T) {
	perSecond, kelvin, molar := "s^-1", "K", unit.Concentration
	for _, test := range []struct {
		law            string
		column, target prior.Kind
		first          string
	}{
		{"c0*exp(c1/x0)", prior.Kind{Name: "T"}, prior.Kind{Name: "k"}, "Arrhenius equation"},
		{"c0*exp(c1/x0)", prior.Kind{Name: "T", Dimension: kelvin}, prior.Kind{Name: "k", Dimension: perSecond}, "Arrhenius equation"},
		{"c0*x0/(c1 + x0)", prior.Kind{Name: "S", Dimension: molar}, prior.Kind{Name: "v"}, "Michaelis-Menten kinetics"},
	} {
		names, alike := prior.Default().For([]prior.Kind{test.column}, test.target).KnownLaws(parse(t, test.law))
		if !alike || names[0] != test.first {
			t.Errorf("%v of %v: %s is first named %q", test.target, test.column, test.law, names[:min(len(names), 3)])
		}
	}
	// Laws of the same form with other quantities are not named.
	heat := prior.Kind{Name: "C", Dimension: "kg m^2 s^-2 K^-1 mol^-1"}
	cubic, _ := prior.Default().For([]prior.Kind{{Name: "T", Dimension: kelvin}}, heat).KnownLaws(parse(t, "c0*x0 + c1*x0**3"))
	if !slices.Contains(cubic, "Electronic plus Debye T^3 heat capacity") || slices.Contains(cubic, "Pure rotational lines of a non-rigid rotor") {
		t.Errorf("a heat capacity of T is named %q", cubic)
	}
	// The catalogue has this isotherm in moles, the table in masses.
	names, _ := prior.Default().For([]prior.Kind{{Name: "c", Dimension: "kg m^-3"}}, prior.Kind{Name: "q", Dimension: "1"}).KnownLaws(parse(t, "c0*x0/(c1 + x0)"))
	if !slices.Contains(names[:min(len(names), 2)], "Langmuir isotherm") {
		t.Errorf("the first names of a load in mg/g are %q", names[:min(len(names), 3)])
	}
	// No saturation of the catalogue is a temperature of a current.
	current, temperature := prior.Kind{Name: "current", Dimension: "A"}, prior.Kind{Name: "temperature", Dimension: kelvin}
	other, alike := prior.Default().For([]prior.Kind{current}, temperature).KnownLaws(parse(t, "c0*x0/(c1 + x0)"))
	if alike || len(other) < 50 {
		t.Errorf("a temperature of a current is named %q", other[:min(len(other), 3)])
	}
}
