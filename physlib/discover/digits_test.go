package discover

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// thermistor returns a table of R = 0.01763228·exp(3950/T), in which each number has the given
// number of significant digits.
func thermistor(t *testing.T, digits int) *dataset.Table {
	t.Helper()
	written := func(x float64) float64 {
		v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var kelvin, ohm []float64
	for range 200 {
		x := 260 + 120*rng.Float64()
		kelvin, ohm = append(kelvin, written(x)), append(ohm, written(0.01763228*math.Exp(3950/x)))
	}
	return &dataset.Table{Vars: []dataset.Column{{Name: "T", Values: kelvin}}, Target: dataset.Column{Name: "R", Values: ohm}}
}

// The rounding of a table is not part of its law. Of two laws that agree with all digits, the
// shorter one is chosen. A law that agrees only with the most coarsely rounded rows is rejected,
// even if its residuals are smaller. The constants are fitted to all rows.
func TestDigits(t *testing.T) {
	x := expr.X(0)
	c := func(slot int32, start float64) expr.Tree {
		tree, _ := expr.FromNodes([]expr.Node{{Op: expr.Param, Index: slot, Value: start}})
		return tree
	}
	apply := expr.Apply
	law := apply(expr.Mul, c(0, 0.018), apply(expr.Exp, apply(expr.Div, c(1, 3900), x)))
	more := apply(expr.Add, apply(expr.Mul, c(0, 0.018), apply(expr.Exp, apply(expr.Add, apply(expr.Div, c(1, 3900), x), apply(expr.Mul, c(2, 1e-9), apply(expr.Square, x))))), c(3, 0))
	other := apply(expr.Mul, c(0, 1e-4), apply(expr.Pow, apply(expr.Cos, apply(expr.Div, expr.Num(0.5), apply(expr.Sqrt, x))), c(1, -3.2e4)))

	table := thermistor(t, 6)
	j := newJudge(prepare(t.Context(), table, Settings{}), table, Settings{}, true)
	fitted := func(tree expr.Tree) *candidate {
		c, ok := j.evaluate(tree, j.screeningSample, fit.Settings{Starts: 1})
		if !ok {
			t.Fatalf("%s is not a candidate", tree)
		}
		return c
	}
	a, b, d := fitted(law), fitted(more), fitted(other)
	if !a.rounded || !j.exact(a) || math.Abs(a.res.Params[1]-3950) > 3*a.res.StdErr[1] || a.res.StdErr[1] > 0.005 {
		t.Errorf("the law: rounded %v, exact %v, constants %v ± %v", a.rounded, j.exact(a), a.res.Params, a.res.StdErr)
	}
	if !b.rounded || b.score <= a.score+5 {
		t.Errorf("with more terms: rounded %v, score %.1f, that of the law %.1f", b.rounded, b.score, a.score)
	}
	if d.rounded || j.exact(d) || d.rms > 1.1*a.rms || d.score < a.score {
		t.Errorf("another: rounded %v, exact %v, error %g against %g, score %.1f against %.1f", d.rounded, j.exact(d), d.rms, a.rms, d.score, a.score)
	}
	if best := fitted(expr.Num(4000)); best.rounded || best.scoreRMS > 0 {
		t.Errorf("a constant has the error %g of rounding", best.scoreRMS)
	}

	disturbed := thermistor(t, 6)
	dataset.AddNoise(disturbed, 0.001, rand.New(rand.NewPCG(3, 4)))
	for i, v := range disturbed.Target.Values {
		disturbed.Target.Values[i] = math.Round(v*100) / 100
	}
	j = newJudge(prepare(t.Context(), disturbed, Settings{}), disturbed, Settings{}, true)
	if a := fitted(law); a.rounded || a.scoreRMS > 0 || j.exact(a) {
		t.Errorf("under noise: rounded %v, weighed %g", a.rounded, a.scoreRMS)
	}
}

// If a target hardly varies compared with its offset, a law that agrees to nine digits explains
// nothing.
func TestHardlyVaries(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 50 {
		x := float64(i) / 10
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, 1e5+1e-6*x*x)
	}
	j := newJudge(prepare(t.Context(), table, Settings{}), table, Settings{}, true)
	a, _ := expr.Parse("100000 + 0.000001*x", []string{"x"})
	b, _ := expr.Parse("100000 + 0.000001*x**2", []string{"x"})
	for i, tree := range []expr.Tree{a, b} {
		c, ok := j.evaluate(tree, j.screeningSample, fit.Settings{Starts: 1})
		if !ok || j.exact(c) != (i == 1) {
			t.Errorf("%s: exact %v, with the error %g", tree, j.exact(c), c.rms)
		}
	}
}

// On evenly spaced rows the rounding of a parabola repeats, and an oscillation fits it exactly.
func TestRepeatedRounding(t *testing.T) {
	var p, rounded, calculated []float64
	for i := range 14 {
		x := 0.06 + 0.02*float64(i)
		y := 1.628*x*(1-x) - 0.093
		p, calculated = append(p, math.Round(100*x)/100), append(calculated, y)
		rounded = append(rounded, math.Round(1e6*y)/1e6)
	}
	parse := func(text string, complexity float64) law.Law {
		tree, err := expr.Parse(text, []string{"p"})
		if err != nil {
			t.Fatal(err)
		}
		return law.Law{Tree: tree, Complexity: complexity, Constants: law.NewConstants(tree.Params(), make([]float64, tree.NumParams()))}
	}
	parabola := parse("c0*p*(1 - p) + c1", 30)
	wave := parse("c0 + c1/cos(20*pi*p) + c2*p + c3*p**2", 70)
	for _, test := range []struct {
		name string
		y    []float64
		best law.Law
		want bool
	}{
		{"rounded", rounded, wave, true},
		{"the parabola itself", rounded, parabola, false},
		{"calculated", calculated, wave, false},
	} {
		table := &dataset.Table{Vars: []dataset.Column{{Name: "p", Values: p}}, Target: dataset.Column{Name: "H", Values: test.y}}
		k := newRanking(task{t: table}, nil)
		if got := k.fitsRounding(&Result{Best: test.best, Finalists: []law.Law{test.best, parabola}}); got != test.want {
			t.Errorf("%s: fits the rounding is %v, want %v", test.name, got, test.want)
		}
	}
}

// Columns are rounded in patterns: times of a film with 30 images per second to milliseconds, or
// times at every quarter of a second to tenths. The pattern of this rounding is not an oscillation.
func TestRoundedColumn(t *testing.T) {
	for _, test := range []struct {
		name           string
		step, decimals float64
		law            func(t float64) float64
	}{
		{"free fall", 1. / 30, 1e3, func(t float64) float64 { return math.Round(98100*t) / 1e4 }},
		{"decay", 0.25, 10, func(t float64) float64 { return 12 * math.Exp(-t/3.7) }},
		{"line", 1. / 3, 1e3, func(t float64) float64 { return math.Round(1e4*(2-0.7*t)) / 1e4 }},
	} {
		table := &dataset.Table{Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "y"}}
		for i := range 30 {
			x := float64(i) * test.step
			table.Vars[0].Values = append(table.Vars[0].Values, math.RoundToEven(x*test.decimals)/test.decimals)
			table.Target.Values = append(table.Target.Values, test.law(x))
		}
		r, err := Discover(t.Context(), table, Settings{Evaluations: 3000, Proposers: []string{Search}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Best.Tree.Oscillations()) > 0 {
			t.Errorf("%s: chosen %s: %s", test.name, r.Best.Tree.Infix(r.Best.Vars), r.Verdict)
		}
	}
}

// Half-lives of thorium (E in MeV, T in s) span 24 decades. A power law through the two longest
// leaves residuals that are tiny compared with these two, but it is not exact.
func TestExactInEachRow(t *testing.T) {
	table := &dataset.Table{
		Vars:   []dataset.Column{{Name: "E", Values: []float64{9.665, 8.79, 7.98, 7.17, 6.337, 5.423, 4.687, 4.012}}},
		Target: dataset.Column{Name: "T", Values: []float64{1.17e-07, 9.7e-06, 0.00224, 1.05, 1834, 60330000, 2.379e+12, 4.43e+17}},
	}
	r, err := Discover(t.Context(), table, Settings{Evaluations: 3000, Proposers: []string{Search}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Probability > 0.9 || len(r.Verdict) > 2 && r.Verdict[:2] == "as" {
		t.Errorf("chosen %s: %s", r.Best.Tree.Infix(r.Best.Vars), r.Verdict)
	}
}
