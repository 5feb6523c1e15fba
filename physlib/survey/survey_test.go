package survey_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/survey"
	"github.com/physlib/lab/physlib/unit"
)

func parse(t testing.TB, law string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(law, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree.MergeParams()
}

// Forms of common laboratory laws are among the 200 most likely ones. Each form occurs once.
func TestEnumerate(t *testing.T) {
	forms := survey.Enumerate(t.Context(), survey.Catalogue(), 1, survey.Default(1))
	at := map[uint64]int{}
	for i, f := range forms {
		h := skeleton.Hash(f.Tree)
		if o, known := at[h]; known {
			t.Errorf("%v and %v are one form", f.Tree, forms[o].Tree)
		}
		if i > 0 && f.Bits < forms[i-1].Bits {
			t.Fatalf("%v at %.1f bits comes after %.1f", f.Tree, f.Bits, forms[i-1].Bits)
		}
		at[h] = i
	}
	for _, law := range []string{"c0*x0 + c1", "c0*exp(c1*x0) + c2", "c0*x0/(c1 + x0)", "c0*x0**c1", "c0*exp(c1/x0)", "c0*sqrt(x0 + c1)"} {
		if i, found := at[skeleton.Hash(parse(t, law))]; !found || i > 200 {
			t.Errorf("%s stands at %d (%v)", law, i, found)
		}
	}
}

// An enumeration that is interrupted has the forms of the prior, sorted, and ends.
func TestEnumerateInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	some, all := survey.Enumerate(ctx, survey.Catalogue(), 2, survey.Default(2)), survey.Enumerate(t.Context(), survey.Catalogue(), 2, survey.Default(2))
	if len(some) == 0 || len(some) > len(all)/2 {
		t.Errorf("%d of %d forms", len(some), len(all))
	}
	if !slices.IsSortedFunc(some, func(a, b survey.Form) int { return cmp.Compare(a.Bits, b.Bits) }) {
		t.Error("the forms are not sorted")
	}
}

// Simple forms are enumerated even if the prior knows no forms.
func TestEnumerateWithoutKnownForms(t *testing.T) {
	forms := survey.Enumerate(t.Context(), prior.Default(), 1, survey.Size{Forms: 3000, Operands: 60, Rounds: 5, Constants: 3, Nodes: 13})
	want := skeleton.Hash(parse(t, "c0*exp(c1*x0) + c2"))
	for _, f := range forms {
		if skeleton.Hash(f.Tree) == want {
			return
		}
	}
	t.Errorf("c0*exp(c1*x0) + c2 is not among %d forms", len(forms))
}

func TestAssign(t *testing.T) {
	form := parse(t, "c0*x0/(x1 + c1)")
	if got := len(survey.Assign(form, 2, []int{0, 1, 2}, nil)); got != 6 {
		t.Errorf("%d ways to choose two of three columns in order, want 6", got)
	}
	if got := len(survey.Assign(parse(t, "c0*x0*x1"), 2, []int{0, 1, 2}, nil)); got != 3 {
		t.Errorf("%d products of two of three columns, want 3", got)
	}
	same := func(a, b int) bool { return a+b == 3 }
	if got := len(survey.Assign(form, 2, []int{0, 1, 2}, same)); got != 4 {
		t.Errorf("%d ways without columns 1 and 2 together, want 4", got)
	}
}

// enzyme returns a table of Michaelis-Menten kinetics.
func enzyme() *dataset.Table {
	var s, v []float64
	for i := range 12 {
		x := 0.3 * math.Pow(1.5, float64(i))
		s = append(s, x)
		v = append(v, 70*x/(4+x)*(1+0.01*math.Sin(float64(17*i*i))))
	}
	return &dataset.Table{Target: dataset.Column{Name: "v", Values: v}, Vars: []dataset.Column{{Name: "S", Values: s}}}
}

// Two surveys of the same table give the same laws. A survey whose context is cancelled gives none.
func TestScoreAll(t *testing.T) {
	m := mdl.New(enzyme(), survey.Catalogue(), true)
	trees := survey.Candidates(m, 300)
	a, _ := m.ScoreAll(context.Background(), trees, 20, mdl.Effort{Starts: 3})
	b, _ := m.ScoreAll(context.Background(), trees, 20, mdl.Effort{Starts: 3})
	if len(a) != 20 || len(b) != 20 {
		t.Fatalf("%d and %d laws", len(a), len(b))
	}
	for i := range a {
		if a[i].Bits != b[i].Bits || a[i].Tree.String() != b[i].Tree.String() {
			t.Errorf("law %d: %v and %v", i, a[i].Tree, b[i].Tree)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, fitted := m.ScoreAll(ctx, trees, 20, mdl.Effort{}); len(got) > 0 || fitted > 0 {
		t.Errorf("%d laws after the end", len(got))
	}
}

// Fit gives the same laws as ScoreAll, but those in the columns of the best laws come earlier.
func TestFit(t *testing.T) {
	table := enzyme()
	rng := rand.New(rand.NewPCG(1, 1))
	unrelated := dataset.Column{Name: "w"}
	for range table.Rows() {
		unrelated.Values = append(unrelated.Values, rng.Float64())
	}
	table.Vars = append(table.Vars, unrelated)
	m := mdl.New(table, survey.Catalogue(), true)
	trees := survey.Candidates(m, 1200)
	effort := mdl.Effort{Starts: 1, Quick: true}
	want, all := m.ScoreAll(context.Background(), trees, 20, effort)
	got, fitted := survey.Fit(context.Background(), m, trees, 20, effort)
	if fitted != all || len(got) != len(want) {
		t.Fatalf("%d laws of %d fitted, want %d of %d", len(got), fitted, len(want), all)
	}
	for i := range got {
		if got[i].Bits != want[i].Bits {
			t.Errorf("law %d has %.3f bits, want %.3f", i, got[i].Bits, want[i].Bits)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, fitted := survey.Fit(ctx, m, trees, 20, effort); len(got) > 0 || fitted > 0 {
		t.Errorf("%d laws after the end", len(got))
	}
}

func ExampleCandidates() {
	m := mdl.New(enzyme(), survey.Catalogue(), true)
	found, _ := m.ScoreAll(context.Background(), survey.Candidates(m, 500), 1, mdl.Effort{Starts: 4})
	fmt.Println(skeleton.Hash(found[0].Tree) == skeleton.Hash(expr.Apply(expr.Div, expr.X(0), expr.Apply(expr.Add, expr.Apply(expr.Mul, expr.C(0, 1), expr.X(0)), expr.C(1, 1)))))
	// Output: true
}

// A form in all columns of a table comes early. The example is the mixing temperature of two
// liquids, of which one has a fixed temperature.
func TestWholeTable(t *testing.T) {
	const form = "(c0*x0 + x1*x2)/(x0 + x1)"
	rng := rand.New(rand.NewPCG(1, 1))
	cols := make([][]float64, 3)
	var y []float64
	for range 12 {
		for v := range cols {
			cols[v] = append(cols[v], 1+rng.Float64())
		}
		n := len(y)
		y = append(y, (2*cols[0][n]+cols[1][n]*cols[2][n])/(cols[0][n]+cols[1][n]))
	}
	table := &dataset.Table{Target: dataset.Column{Name: "y", Values: y}}
	for v, c := range cols {
		table.Vars = append(table.Vars, dataset.Column{Name: fmt.Sprintf("x%d", v), Values: c})
	}
	trees := survey.Candidates(mdl.New(table, survey.Catalogue(), true), 6000)
	want := parse(t, form).Hash()
	if !slices.ContainsFunc(trees, func(tree expr.Tree) bool { return tree.Hash() == want }) {
		t.Errorf("%s is not among the first %d forms", form, len(trees))
	}
}

// A known law of five constants is fitted if the table has enough rows.
func TestManyConstants(t *testing.T) {
	law := parse(t, "c0*x0 + c1*exp(c2*(x0 + c3)**2) + c4")
	want := skeleton.Hash(law)
	for _, rows := range []int{19, 41} {
		var x, y []float64
		for i := range rows {
			v := 4 + 3*float64(i)/float64(rows-1)
			x = append(x, v)
			y = append(y, 2.4*v+84*math.Exp(-10.5*(v-5.43)*(v-5.43))+5.7+math.Sin(float64(17*i*i)))
		}
		m := mdl.New(&dataset.Table{Target: dataset.Column{Name: "y", Values: y}, Vars: []dataset.Column{{Name: "x", Values: x}}}, survey.Catalogue(), true)
		trees := survey.Candidates(m, 0)
		at := slices.IndexFunc(trees, func(tree expr.Tree) bool { return skeleton.Hash(tree) == want })
		if found := at >= 0; found != (rows > 20) {
			t.Errorf("%d rows: whether the form is fitted is %v", rows, found)
		}
		if at < 0 {
			continue
		}
		best, _ := m.ScoreAll(context.Background(), trees[at:at+1], 1, mdl.Effort{Starts: 3, Quick: true})
		if len(best) == 0 || best[0].Bits > 170 {
			t.Errorf("the fit does not find the line: %v", best)
		}
	}
}

// The forms of known laws in four columns are fitted to a table of these columns.
func TestFourColumns(t *testing.T) {
	table := &dataset.Table{Target: dataset.Column{Name: "y", Values: make([]float64, 20)}}
	rng := rand.New(rand.NewPCG(1, 1))
	for v := range 4 {
		c := dataset.Column{Name: fmt.Sprintf("x%d", v), Values: make([]float64, 20)}
		for i := range c.Values {
			c.Values[i] = 1 + rng.Float64()
			table.Target.Values[i] += c.Values[i]
		}
		table.Vars = append(table.Vars, c)
	}
	trees := survey.Candidates(mdl.New(table, survey.Catalogue(), true), 0)
	if !slices.ContainsFunc(trees, func(tree expr.Tree) bool { return len(tree.Vars()) == 4 }) {
		t.Error("no form has four columns")
	}
}

// In a table with units, forms in all columns are fitted early if their units balance. The example
// is the temperature of two amounts of water, mixed in a cup that also takes up heat.
func TestBalancedFirst(t *testing.T) {
	table := &dataset.Table{Target: dataset.Column{Name: "T", Values: make([]float64, 20), Unit: parseUnit(t, "K"), HasUnit: true}}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, q := range [][2]string{{"m1", "kg"}, {"T1", "K"}, {"m2", "kg"}, {"T2", "K"}} {
		c := dataset.Column{Name: q[0], Values: make([]float64, 20), Unit: parseUnit(t, q[1]), HasUnit: true}
		for i := range c.Values {
			c.Values[i] = 1 + rng.Float64()
			table.Target.Values[i] += c.Values[i]
		}
		table.Vars = append(table.Vars, c)
	}
	want, err := expr.Parse("((m1 + c0)*T1 + m2*T2)/(m1 + c0 + m2)", []string{"m1", "T1", "m2", "T2"})
	if err != nil {
		t.Fatal(err)
	}
	trees := survey.Candidates(mdl.New(table, survey.Catalogue(), true), 0)
	at := slices.IndexFunc(trees, func(tree expr.Tree) bool { return tree.Hash() == want.MergeParams().Hash() })
	if at < 0 || at > 300 {
		t.Errorf("form %d of %d", at, len(trees))
	}
}

func parseUnit(t *testing.T, text string) unit.Unit {
	t.Helper()
	u, err := unit.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
