package discover

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/unit"
)

// verdictOn returns the verdict on the best of some laws of y(x), after a search that ended for the
// reason stopped.
func verdictOn(t *testing.T, x, y []float64, stopped Stop, laws ...string) string {
	t.Helper()
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	k := newRanking(task{t: table, s: Settings{Proposers: []string{Search}}}, nil) // without a survey
	for _, text := range laws {
		tree, err := expr.Parse(text, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		k.add(tree, Search)
	}
	res := &Result{Evaluations: 100, Stopped: stopped}
	finalists := k.inColumns(paced(t, false), k.scoreAndOrder(paced(t, false)))
	k.fillResult(res, finalists)
	k.setVerdict(res, finalists, surveyResult{})
	return res.Verdict
}

// The verdict depends on the residuals, on competing laws and on whether the search was complete.
func TestVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, line, through, bent, spoilt := make([]float64, 30), make([]float64, 30), make([]float64, 30), make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i] = 1 + float64(i)/5
		e := 0.1 * rng.NormFloat64()
		line[i], bent[i], spoilt[i] = 2.37*x[i]+1.42+e, 2.37*x[i]+math.Sin(x[i]*x[i]/3)+e, 2.37*x[i]+1.42+e
		through[i] = 2.37*x[i] + e
	}
	spoilt[12] += 9
	for _, test := range []struct {
		name    string
		y       []float64
		stopped Stop
		want    []string // parts of the verdict; it begins with the first
	}{
		{"noise is left", through, StopSettled, []string{"likely, about", "the next different law is", "R² ="}},
		{"cut off", through, StopTime, []string{"probable, about", "the search was not finished"}},
		{"something is left", bent, StopSettled, []string{"uncertain, about", "alike at neighbouring points"}},
		{"a row stands out", spoilt, StopSettled, []string{"likely, about", "row 13 of the numbers stands out"}},
		{"few rows", line[:5], StopSettled, []string{"a guess: 5 rows hardly test 2 free constants"}},
	} {
		got := verdictOn(t, x[:len(test.y)], test.y, test.stopped, "c0*x + c1", "c0*x**2")
		for i, want := range test.want {
			if !strings.Contains(got, want) || i == 0 && !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", test.name, got, want)
			}
		}
	}
}

// A verdict names at most mostRivals laws, and the number of the others.
func TestRivals(t *testing.T) {
	var laws []lawInColumns
	for i, bits := range []float64{0, 1.5, 2, 2.5, tieBits + 1} {
		f := lawInColumns{law: law.Law{Tree: expr.X(i), Vars: []string{"a", "b", "c", "d", "e"}, Target: "y"}}
		f.rankBits = bits
		laws = append(laws, f)
	}
	for n, want := range map[int]string{1: "", 2: "rivals: y = b", 3: "rivals: y = b or y = c", 5: "rivals: y = b or y = c or 1 more"} {
		if got := rivals(laws[:n]); got != want {
			t.Errorf("%d laws: %q, want %q", n, got, want)
		}
	}
}

// Repeated measurements at the same x are not counted as different values of x, nor as few rows.
func TestVerdictOnRepeatedMeasurements(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var x, y []float64
	for i := range 15 {
		x = append(x, float64(1+i/3))
		y = append(y, 2.37*x[i]+1.42+0.1*rng.NormFloat64())
	}
	got := verdictOn(t, x, y, StopSettled, "c0*x + c1", "c0*x**2")
	if want := "a guess: 5 values of x in 15 rows hardly test 2 free constants;"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A verdict does not say that all units balance if the unit of a quantity in the law is unknown.
func TestBalanceOfUnknownUnits(t *testing.T) {
	metre, err := unit.Parse("m")
	if err != nil {
		t.Fatal(err)
	}
	known := func(name string) dataset.Column { return dataset.Column{Name: name, Unit: metre, HasUnit: true} }
	unknown := func(name string) dataset.Column { return dataset.Column{Name: name} }
	table := &dataset.Table{Vars: []dataset.Column{known("x"), unknown("n"), unknown("w")}, Target: known("y")}
	for _, test := range []struct {
		formula string
		ok      bool
		target  dataset.Column
		want    string
	}{
		{"2*x", true, table.Target, "the units balance"},
		{"2*x*w", true, table.Target, "the known units balance (that of w is unknown)"},
		{"n*x*w", true, table.Target, "the known units balance (those of n, w are unknown)"},
		{"2*x", true, unknown("y"), "the known units balance (that of y is unknown)"},
		{"x**2*w", false, table.Target, "the units do NOT balance"},
	} {
		vars := []string{"x", "n", "w"}
		tree, err := expr.Parse(test.formula, vars)
		if err != nil {
			t.Fatal(err)
		}
		table.Target = test.target
		if got := Balance(law.Law{Tree: tree, Vars: vars, UnitsOK: test.ok}, table); got != test.want {
			t.Errorf("y = %s: %q, want %q", test.formula, got, test.want)
		}
	}
}

// The verdict names a row by its position in the user's table. This holds even if laws are compared
// on a sample of the rows, or if a row was left out.
func TestVerdictNamesRowOfWholeTable(t *testing.T) {
	const n = 2 * rankedRows
	rng := rand.New(rand.NewPCG(7, 8))
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 + 9*rng.Float64()
	}
	whole := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}
	for _, test := range []struct {
		out []int
		odd int // a row of the sample
	}{{nil, 7000}, {[]int{0}, 7001}} {
		k := newRanking(task{t: whole}.without(test.out), nil)
		at := slices.Index(k.sampled.Target.Values, x[test.odd])
		if at < 0 {
			t.Fatalf("the sample lacks row %d", test.odd)
		}
		residuals := make([]float64, k.sampled.Rows())
		for i := range residuals {
			residuals[i] = rng.NormFloat64()
		}
		residuals[at] = 30
		want := fmt.Sprintf("row %d of the numbers stands out and may be an error", test.odd+1)
		if got, _ := patterns(k.sampled, k.rows, residuals); got != want {
			t.Errorf("without rows %v: %q, want %q", test.out, got, want)
		}
	}
}

// A law whose residuals are noise ends a run. A constant law does not end a run, even if the target
// looks like noise: a law of the target may be found later.
func TestSettled(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, line, noise := make([]float64, 200), make([]float64, 200), make([]float64, 200)
	for i := range x {
		x[i], noise[i] = 1+4*rng.Float64(), rng.NormFloat64()
		line[i] = 3*x[i] + noise[i]/10
	}
	for _, c := range []struct {
		y    []float64
		law  string
		want bool
	}{{line, "c0*x", true}, {line, "c0", false}, {noise, "c0", false}} {
		table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: c.y}}
		r := &waySearch{task: task{t: table}, p: prepare(t.Context(), table, Settings{})}
		r.j = newJudge(r.p, table, Settings{}, true)
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		r.j.batch([]expr.Tree{tree}, &source{})
		if r.settled() != c.want {
			t.Errorf("%s: settled %v", c.law, !c.want)
		}
	}
}

// If no law in the list fits nearly as well as the best, the best is very likely.
func TestVeryLikely(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i] = 1 + float64(i)/5
		y[i] = 4.2*math.Sqrt(x[i]) + 0.01*rng.NormFloat64()
	}
	if got := verdictOn(t, x, y, StopSettled, "c0*sqrt(x)", "c0*x + c1"); !strings.HasPrefix(got, "very likely, about") {
		t.Error(got)
	}
}

// Without a chosen law, the verdict names a law that is nearly as good as a constant.
func TestVerdictWithoutALaw(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: make([]float64, 6)}}, Target: dataset.Column{Name: "y", Values: make([]float64, 6)}}
	k := &ranking{t: table, nullBits: 30}
	near := lawInColumns{law: law.Law{Tree: expr.X(0), Vars: []string{"x"}, Target: "y", R2: 0.97}}
	far := near
	near.rankBits, far.rankBits = 30, 30+2*marginBits
	for _, test := range []struct {
		laws []lawInColumns
		want string
	}{
		{[]lawInColumns{near}, "no law: y = x, with R² = 0.97, is not clearly better than a constant, given 6 rows"},
		{[]lawInColumns{far}, "no law: nothing describes y clearly better than a constant"},
		{nil, "no law: nothing describes y clearly better than a constant"},
	} {
		res := &Result{Evaluations: 1, Probability: 0.9, evidence: Evidence{Posterior: 1}} // of an earlier law
		k.setVerdict(res, test.laws, surveyResult{})
		if _, ok := res.Evidence(); res.Verdict != test.want || res.Probability != 0 || ok {
			t.Errorf("%q, want %q; probability %v, evidence %v", res.Verdict, test.want, res.Probability, ok)
		}
	}
}

// In a small table, a row that contradicts the others is named although it also raises the estimate
// of the errors. Normal errors are not.
func TestStandsOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	langmuir := mustLaw("c0*c/(c + c1)", []string{"c"})
	named := 0
	for i := range 201 {
		var c, q []float64
		for _, v := range []float64{2, 4, 7, 11, 17, 26, 40, 60, 90, 140} {
			c, q = append(c, v), append(q, 165*v/(v+23)*(1+0.01*rng.NormFloat64()))
		}
		if i == 0 {
			q[7] *= 0.8
		}
		k := newRanking(task{t: &dataset.Table{Vars: []dataset.Column{{Name: "c", Values: c}}, Target: dataset.Column{Name: "q", Values: q}}}, nil)
		score, ok := k.m.Scorer().Score(langmuir, mdl.Effort{Starts: 4, Final: true})
		if !ok {
			t.Fatal("no fit")
		}
		remark := k.standsOut(score, k.m.Scorer().Standardized(score))
		if want := "row 8 of the numbers stands out and may be an error"; i == 0 && remark != want {
			t.Errorf("%q, want %q", remark, want)
		}
		if i > 0 && remark != "" {
			named++
		}
	}
	if named > 3 { // 0.2 are expected
		t.Errorf("a row is named in %d of 200 tables with normal errors", named)
	}
}
