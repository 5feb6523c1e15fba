package discover

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Once the time is up, only the best law is fitted on all rows of a large table.
func TestFillWhenTimeIsUp(t *testing.T) {
	const rows = 3 * rankedRows
	rng := rand.New(rand.NewPCG(7, 0))
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = 1 + 9*rng.Float64()
		y[i] = 3.217/x[i] + 0.1*rng.NormFloat64()
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	settings := Settings{Errors: EqualErrors}
	standardErrors := func(late bool) (first, second float64) {
		k := newRanking(task{t: table, s: settings}, nil)
		k.add(expr.Apply(expr.Div, expr.C(0, 3.2), expr.X(0)), "test")
		k.add(expr.Apply(expr.Div, expr.C(0, 2), expr.Apply(expr.Sqrt, expr.X(0))), "test")
		laws := k.inColumns(paced(t, late), k.scoreAndOrder(paced(t, true)))
		if len(laws) < 2 {
			t.Fatalf("%d laws", len(laws))
		}
		return laws[0].law.Constants[0].StdErr, laws[1].law.Constants[0].StdErr
	}
	first, second := standardErrors(false)
	lateFirst, lateSecond := standardErrors(true)
	if lateFirst != first {
		t.Errorf("the best law has a standard error of %g once the time is up, %g before", lateFirst, first)
	}
	// The expected ratio is √3, since the late fit uses a third of the rows.
	if r := lateSecond / second; r < 1.5 || r > 2 {
		t.Errorf("the standard error of another law is %g times that of all rows once the time is up", r)
	}
	settings = Settings{Noise: Noise{Known: true, Sigma: 0.1}}
	if given, _ := standardErrors(false); math.Abs(given/first-1) > 0.05 {
		t.Errorf("the best law has a standard error of %g with the noise given, %g without", given, first)
	}
}

// The chosen law also fits all rows if a row that is not sampled differs from the others. Here
// that row has a year far from the other years and a target of zero.
func TestFillUnsampledRow(t *testing.T) {
	const rows = rankedRows + 1000
	rng := rand.New(rand.NewPCG(8, 0))
	year, y := make([]float64, rows), make([]float64, rows)
	for i := range year {
		year[i] = 1900 + float64(i%100)
		y[i] = math.Exp(0.02*(year[i]-1900)) * (1 + 0.01*rng.NormFloat64())
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "year", Values: year}}, Target: dataset.Column{Name: "y", Values: y}}
	sampled := dataset.Evenly(rows, rankedRows)
	for odd := range rows {
		if !slices.Contains(sampled, odd) {
			year[odd], y[odd] = 1850, 0
			break
		}
	}
	k := newRanking(task{t: table}, nil)
	k.add(mustLaw("c0*exp(0.02*(year - 1900))", []string{"year"}), "test")
	var res Result
	k.fillResult(&res, k.inColumns(paced(t, false), k.scoreAndOrder(paced(t, true))))
	if len(res.Finalists) == 0 || res.Finalists[0].Tree.Len() == 0 || res.Finalists[0].R2 < 0.9 || res.proportional {
		t.Errorf("%v, errors %s", res.Finalists, res.ErrorModel)
	}
}

// paced returns the pace of a ranking whose time is up or not.
func paced(t *testing.T, timeUp bool) pace {
	return pace{within: t.Context(), timeUp: func() bool { return timeUp }}
}

// mustLaw parses a law.
func mustLaw(text string, vars []string) expr.Tree {
	tree, err := expr.Parse(text, vars)
	if err != nil {
		panic(err)
	}
	return tree
}

// Forms derived in the ranking have no operator that is not allowed.
func TestUnseenOps(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	k := newRanking(task{t: &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, s: Settings{Ops: []string{"+", "*"}}}, nil)
	if forms := k.unseen(nil, mustLaw("x + exp(x)", []string{"x"}), "test"); len(forms) > 0 {
		t.Errorf("%v with + and * alone", forms)
	}
	if forms := k.unseen(nil, mustLaw("x + x*x", []string{"x"}), "test"); len(forms) != 1 {
		t.Errorf("%v with + and *", forms)
	}
}

// After an interrupt, the chosen law of a very large table is fitted to a part of the rows.
func TestRowsAfterInterrupt(t *testing.T) {
	const rows = 2 * mostHurried
	x := make([]float64, rows)
	for i := range x {
		x[i] = float64(i)
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}
	for hurried, want := range map[bool]int{false: rows, true: mostHurried} {
		k := newRanking(task{t: table}, nil)
		if got := k.wholeTable(pace{hurried: hurried}).Rows(); got != want {
			t.Errorf("hurried %v: %d rows, want %d", hurried, got, want)
		}
	}
}

// A hint names a fraction within a standard error, but a multiple of π only if the number is known
// so well that others are far less likely.
func TestHint(t *testing.T) {
	for _, test := range []struct {
		value, stderr float64
		want          string
	}{{0.501, 0.004, "1/2"}, {-3.113, 0.036, ""}, {1.771, 0.014, ""}, {6.2835, 0.003, "2*pi"}, {0.7071, 0.0003, "sqrt(2)/2"}} {
		if got := hint(law.Constant{Value: test.value, StdErr: test.stderr}); got != test.want {
			t.Errorf("%g ± %g: %q, want %q", test.value, test.stderr, got, test.want)
		}
	}
}

func TestConstantOfNature(t *testing.T) {
	for _, test := range []struct {
		value, stderr float64
		unit, want    string
	}{
		{6.664e7, 0.011e7, "m km^2 s^-2 (10^24 kg)^-1", "G"},
		{6.71e-11, 0.01e-11, "m^3 kg^-1 s^-2", ""}, // 3.6 standard errors away
		{6.7e-11, 0.2e-11, "m^3 kg^-1 s^-2", ""},   // too large an error
		{8.32, 0.01, "J/(mol K)", "R"},
		{5.3e-11, 0.01e-11, "m", ""}, // a length near the Bohr radius
		{8.32, 0.01, "", ""},
	} {
		if got := constantOfNature(law.Constant{Value: test.value, StdErr: test.stderr, Unit: test.unit}); got != test.want {
			t.Errorf("%g ± %g %s: %q, want %q", test.value, test.stderr, test.unit, got, test.want)
		}
	}
}
