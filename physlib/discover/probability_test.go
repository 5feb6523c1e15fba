package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The probability rises with the posterior and falls with constants, exponents and columns.
func TestCalibrated(t *testing.T) {
	e := Evidence{Posterior: 0.9, Constants: 2, Columns: 2}
	p := e.calibrated()
	for name, change := range map[string]func(*Evidence){
		"posterior": func(e *Evidence) { e.Posterior = 0.5 },
		"constants": func(e *Evidence) { e.Constants++ },
		"exponents": func(e *Evidence) { e.Exponents++ },
		"columns":   func(e *Evidence) { e.Columns++ },
	} {
		other := e
		change(&other)
		if q := other.calibrated(); !(q < p) {
			t.Errorf("%s: %g is not below %g", name, q, p)
		}
	}
	for _, q := range []float64{0, 1} {
		if p := (Evidence{Posterior: q}).calibrated(); !(p > 0 && p <= 0.99) {
			t.Errorf("posterior %g: %g is not a probability up to 0.99", q, p)
		}
	}
}

func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		p, doubtful float64
		want        string
	}{
		{0.98, 0, "very likely, about 98 %"},
		{0.97, 0, "likely, about 97 %"},
		{0.9, 0, "probable, about 90 %"},
		{0.75, 0, "uncertain, about 75 %"},
		{0.02, 0, "uncertain, about 2 %"},
		{0, 0, "uncertain, about 0 %"},
		{0.31, 0.3, "uncertain, about 31 %"},
		{0.3, 0.3, "doubtful, about 30 %"},
	} {
		if got := Confidence(c.p, c.doubtful); got != c.want {
			t.Errorf("%g, doubtful up to %g: %s, want %s", c.p, c.doubtful, got, c.want)
		}
	}
}

func TestUntested(t *testing.T) {
	for _, c := range []struct {
		n         int
		named     string
		constants int
		want      string
	}{
		{7, "7 rows", 3, "7 rows hardly test 3 free constants"},
		{3, "3 rows", 1, "3 rows hardly test 1 free constant"},
		{1, "1 value of x in 4 rows", 1, "1 value of x in 4 rows hardly tests 1 free constant"},
	} {
		if got := Untested(c.n, c.named, c.constants); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A warning says how many free constants the laws may have if there are few rows.
func TestTooFewRows(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{1, 2, 3, 4, 5, 6}, ""},
		{[]float64{1, 2, 3, 4, 5}, "5 rows: laws with more than 2 free constants are not considered"},
		{[]float64{1, 2, 3}, "3 rows: laws with more than 1 free constant are not considered"},
		{[]float64{1, 2}, "2 rows: laws with free constants are not considered"},
		{[]float64{1, 1, 2, 2, 3, 3, 4, 4}, "4 values of x in 8 rows: laws with more than 2 free constants are not considered"},
	} {
		table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: c.x}}, Target: dataset.Column{Name: "y", Values: make([]float64, len(c.x))}}
		for i, x := range c.x {
			table.Target.Values[i] = x*x + float64(i%2)
		}
		if got := newRanking(task{t: table}, nil).tooFewRows(); got != c.want {
			t.Errorf("%v: %q, want %q", c.x, got, c.want)
		}
	}
}

// If few of the likeliest forms were fitted, the verdict of an unfinished search is less certain.
// No probability exceeds ProbabilityCap for the distance to the next law.
func TestUnfinished(t *testing.T) {
	x, y := make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i], y[i] = float64(i+1), 3*float64(i+1)+0.2*float64(i*7%5)
	}
	k := newRanking(task{t: &dataset.Table{
		Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y},
	}}, nil)
	line, err := expr.Parse("c0*x", []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	k.add(line, "test")
	best := lawInColumns{ranked: k.scoreAndOrder(paced(t, false))[0]}
	next := best
	next.rankBits++
	sure := Evidence{Posterior: 1 - 1e-9}
	if sure.calibrated() < 0.98 {
		t.Fatalf("the evidence gives %g", sure.calibrated())
	}
	if p, _, _ := k.probability(sure, []lawInColumns{best, next}, doubts{}); math.Abs(p-2./3) > 1e-12 {
		t.Errorf("with another law 1 bit worse: %g, want 2/3", p)
	}
	for covered, most := range map[float64]float64{0: unfinished, 0.2: LikelyThreshold} {
		surveyed := surveyResult{made: true, covered: covered}
		if p, _, _ := k.probability(sure, []lawInColumns{best}, doubts{cut: true, likeliest: surveyed}); p != most {
			t.Errorf("with %g of the forms fitted: %g, want %g", covered, p, most)
		}
	}
	if p, _, _ := k.probability(sure, []lawInColumns{best}, doubts{cut: true}); p != unsurveyed {
		t.Errorf("without a survey: %g, want %g", p, unsurveyed)
	}
	want := missingFactor * sure.calibrated()
	if p, _, _ := k.probability(sure, []lawInColumns{best}, doubts{missing: true}); math.Abs(p-want) > 1e-12 {
		t.Errorf("with correlated residuals: %g, want %g", p, want)
	}
}
