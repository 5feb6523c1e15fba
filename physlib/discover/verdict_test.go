package discover

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// judged returns a run over y(x) that ended with the given laws, by score.
func judged(t *testing.T, x, y []float64, stopped string, laws ...string) *Result {
	t.Helper()
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	r := &run{t: table, p: prepare(t.Context(), table, Settings{}), stopped: Stop(stopped)}
	r.j = newJudge(r.p, Settings{})
	res := &Result{Evaluations: 100}
	for i, text := range laws {
		tree, err := expr.Parse(text, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := r.j.evaluate(tree, r.j.full, fit.Settings{Starts: 1})
		if !ok {
			t.Fatal(text)
		}
		l := r.toLaw(c)
		l.Score = 30 * float64(i)
		res.Finalists = append(res.Finalists, l)
	}
	res.Best = res.Finalists[0]
	res.Verdict = r.verdict(res)
	return res
}

// How sure a law is depends on its residuals, on its rivals and on whether the search was at its
// end.
func TestVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, line, bent, spoilt := make([]float64, 30), make([]float64, 30), make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i] = 1 + float64(i)/5
		e := 0.1 * rng.NormFloat64()
		line[i], bent[i], spoilt[i] = 2*x[i]+1+e, 2*x[i]+math.Sin(x[i])+e, 2*x[i]+1+e
	}
	spoilt[12] += 9
	for _, test := range []struct {
		name    string
		y       []float64
		stopped string
		laws    []string
		want    []string
	}{
		{"noise is left", line, "settled", []string{"c0*x + c1", "c0*x**2"}, []string{"very likely: the next different law is 30 bits worse", "R² ="}},
		{"the same with other constants is no rival", line, "settled", []string{"c0*x + 1", "2*x + c1", "c0*x + c1", "c0*x**2"}, []string{"very likely: the next different law is 90 bits worse"}},
		{"cut off", line, "time", []string{"c0*x + c1", "c0*x**2"}, []string{"one of several: ", "the search was not at its end"}},
		{"something is left", bent, "settled", []string{"c0*x + c1", "c0*x**2"}, []string{"incomplete: ", "alike at neighbouring points"}},
		{"a row stands out", spoilt, "settled", []string{"c0*x + c1", "c0*x**2"}, []string{"likely: ", "row 13 of the numbers stands out"}},
		{"few rows", line[:5], "settled", []string{"c0*x", "c0*x**2"}, []string{"a guess: only 5 rows"}},
	} {
		got := judged(t, x[:len(test.y)], test.y, test.stopped, test.laws...).Verdict
		for i, want := range test.want {
			if !strings.Contains(got, want) || i == 0 && !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", test.name, got, want)
			}
		}
	}
}

func TestSkeleton(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"c0*x**(3/2)", "c0*x**c1", true}, {"sqrt(4*x)", "2.1*sqrt(x)", true}, {"3*x + 1", "c0*x + c1", true}, {"x/2 + c0", "x*c1 + 3", true},
		{"c0*x**2 + c1", "c0*x**3 + c1", true}, // exponents are numbers, too
		{"c0*x + c1", "c0*x**2 + c1", false},
		{"c0*x", "c0*x + c1", false}, {"sin(x)", "cos(x)", false}, {"c0*exp(c1*x)", "c0*x**c1", false},
	} {
		trees := []expr.Tree{}
		for _, text := range []string{test.a, test.b} {
			tree, err := expr.Parse(text, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		if got := formHash(trees[0]) == formHash(trees[1]); got != test.same {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}

// A law that leaves noise settles a run. A constant does not, though the target be noise as far as
// anything tells: what makes it up may be further off.
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
		r := &run{t: table, p: prepare(t.Context(), table, Settings{})}
		r.j = newJudge(r.p, Settings{})
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
