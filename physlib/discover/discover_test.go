package discover_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

const fall = "x:1:3:m v:1:5:m/s a:0.5:3:m/s^2 t:1:4:s"

func TestNoise(t *testing.T) {
	for _, test := range []struct{ law, target, columns, want string }{
		{"x + v*t + a*t**2/2", "s:m", fall, "x + v*t + a*t**2/2"},
		{"2*pi*sqrt(l/g)", "T:s", "l:0.1:2:m g:1:20:m/s^2 m:1:2:kg", "c0*sqrt(l/g)"},
		{"3.3*a/(1 + b)", "y", "a:1:3 b:0.5:4", "c0*a/(1 + b)"},
	} {
		for _, known := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s known %v", test.law, known), func(t *testing.T) {
				table := measured(t, test.law, test.target, test.columns, 200)
				sigma := disturb(table, 0.01)
				s := discover.Settings{Evaluations: 500}
				if known {
					s.Noise = discover.Noise{Known: true, Sigma: sigma}
				}
				best := found(t, table, s).Best
				if !same(t, best, test.want) {
					t.Errorf("the law is %s", best.Infix())
				}
				if best.RMSE < 0.8*sigma || best.RMSE > 1.2*sigma {
					t.Errorf("the error is %g, the noise %g", best.RMSE, sigma)
				}
				for _, c := range best.Constants {
					if c.Exact == "" && c.Hint == "" && math.Abs(c.Value-3.3) > 4*c.StdErr && math.Abs(c.Value-1/3.3) > 4*c.StdErr { // 3.3 as a factor or divisor
						t.Errorf("the constant is %v ± %v", c.Value, c.StdErr)
					}
				}
			})
		}
	}
}

// An exact law has a probability that agrees with its verdict, whether it is ranked or not. A
// rounded table is ranked.
func TestExactProbability(t *testing.T) {
	for _, rounded := range []bool{false, true} {
		table := measured(t, "3.3*a/b", "y", "a:1:3 b:0.5:4", 60)
		if rounded {
			for i, v := range table.Target.Values {
				table.Target.Values[i] = math.Round(v*1e12) / 1e12
			}
		}
		r := found(t, table, discover.Settings{Evaluations: 500})
		if !strings.HasPrefix(r.Verdict, "as good as certain") || r.Probability != 0.99 {
			t.Errorf("rounded %v: probability %g, %s", rounded, r.Probability, r.Verdict)
		}
	}
}

// Noise alone has no law.
func TestOnlyNoise(t *testing.T) {
	table := measured(t, "a*b", "y", "a:1:3 b:1:3", 200)
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range table.Target.Values {
		table.Target.Values[i] = 3 + rng.NormFloat64()
	}
	r := found(t, table, discover.Settings{})
	if r.Best.Tree.Len() > 0 {
		t.Errorf("the law of noise is %s", r.Best.Infix())
	}
	if !strings.HasPrefix(r.Verdict, "no law") {
		t.Errorf("the verdict is %q", r.Verdict)
	}
}

// Rows are weighted by their standard errors.
func TestWeights(t *testing.T) {
	table := measured(t, "3.3*a/b", "y", "a:1:3 b:0.5:4", 200)
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range table.Target.Values {
		s := 0.001
		if i%2 == 0 {
			s = 2
		}
		table.Sigma = append(table.Sigma, s)
		table.Target.Values[i] += s * rng.NormFloat64()
	}
	best := found(t, table, discover.Settings{}).Best
	if !same(t, best, "c0*a/b") {
		t.Fatalf("the law is %s", best.Infix())
	}
	if k := best.Constants[0]; math.Abs(k.Value-3.3) > 4*k.StdErr || k.StdErr > 1e-3 {
		t.Errorf("the constant is %v ± %v", k.Value, k.StdErr)
	}
}

// With a budget of evaluations a run is the same each time, on any number of cores.
func TestEqualRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for noise, evaluations := range map[float64]int64{0: 300, 0.05: 1600} {
		var first []byte
		for n, cores := range []int{2, 1} {
			table := measured(t, "3.3*a/(1 + b)", "y", "a:1:3 b:0.5:4", 60)
			disturb(table, noise)
			old := runtime.GOMAXPROCS(cores)
			r := found(t, table, discover.Settings{Evaluations: evaluations, Seed: 3})
			runtime.GOMAXPROCS(old)
			text, err := json.Marshal(struct {
				Best  law.Law
				Front []law.Law
				Why   discover.Stop
			}{r.Best, r.Front, r.Stopped})
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				first = text
			} else if !bytes.Equal(text, first) {
				t.Errorf("noise %v: run %d on %d cores gives\n%s\nnot\n%s", noise, n+1, cores, text, first)
			}
		}
	}
}

// A known law may contain a number such as the factor 1/log(10) of a titration curve.
func TestNumberInLaw(t *testing.T) {
	table := measured(t, "4.8 + log(V/(24.6 - V))/log(10)", "pH", "V:2:23", 20)
	disturb(table, 0.003)
	r := found(t, table, discover.Settings{Evaluations: 20000, Proposers: []string{discover.Forms}})
	if got := r.Best.Constants; len(got) != 2 || math.Abs(math.Abs(got[0].Value)+math.Abs(got[1].Value)-29.4) > 0.3 {
		t.Errorf("%v with %v", r.Best, got)
	}
}

// With a budget of two evaluations, a run evaluates at most twenty candidates.
func TestFewEvaluations(t *testing.T) {
	table := measured(t, "3.3*a/(1 + b)", "y", "a:1:3 b:0.5:4", 20)
	disturb(table, 0.05)
	if r := found(t, table, discover.Settings{Evaluations: 2, Proposers: []string{discover.Forms, discover.Search}}); r.Evaluations > 20 {
		t.Errorf("%d candidates evaluated, 2 allowed", r.Evaluations)
	}
}

// A cooling law has three constants with units. No shorter law with inconsistent units is chosen,
// such as an exponential of an exponential of the bare number of seconds.
func TestCooling(t *testing.T) {
	table := measured(t, "293 + 60*exp(-t/300)", "T:K", "t:0:900:s", 60)
	disturb(table, 0.0003)
	r := found(t, table, discover.Settings{Evaluations: 4000, Proposers: []string{discover.Search}})
	if !same(t, r.Best, "c0 + c1*exp(c2*t)") || !r.Best.UnitsOK {
		t.Errorf("found %s, units balance: %v", r.Best.Infix(), r.Best.UnitsOK)
	}
}

// An oscillation with many periods is not taken for noise about a constant. The tables have evenly
// spaced rows or two columns. For such tables, the tests of neighbouring rows and of polynomials in
// judge.white do not detect the oscillation.
func TestOscillations(t *testing.T) {
	even := measured(t, "t", "y", "t:0:60", 300)
	for i := range even.Target.Values {
		t := float64(i) / 5
		even.Vars[0].Values[i], even.Target.Values[i] = t, 5+1.2*math.Sin(9.1*t+0.3)
	}
	for name, table := range map[string]*dataset.Table{
		"oscillation":  even,
		"running wave": measured(t, "0.3*cos(2.1*x - 5.3*t + 0.4)", "y", "x:0:10 t:0:10", 300),
	} {
		sigma := disturb(table, 0.02)
		best := found(t, table, discover.Settings{Evaluations: 2500, Proposers: []string{discover.Search}}).Best
		if best.RMSE > 1.1*sigma || len(best.Constants) > 5 {
			t.Errorf("%s: found %s with the error %g, the noise is %g", name, best.Infix(), best.RMSE, sigma)
		}
	}
}

func TestFront(t *testing.T) {
	table := measured(t, "x + v*t + a*t**2/2", "s:m", fall, 120)
	disturb(table, 0.02)
	r := found(t, table, discover.Settings{Evaluations: 2000})
	if len(r.Front) < 2 {
		t.Fatalf("%d laws on the front", len(r.Front))
	}
	for i, l := range r.Front {
		if i > 0 && (l.Complexity < r.Front[i-1].Complexity || l.RMSE > 1.01*r.Front[i-1].RMSE) {
			t.Errorf("%s (%.1f bits, error %g) follows %s (%.1f bits, error %g)", l.Infix(), l.Complexity, l.RMSE,
				r.Front[i-1].Infix(), r.Front[i-1].Complexity, r.Front[i-1].RMSE)
		}
		if l.Target != "s" || !slices.Equal(l.Vars, []string{"x", "v", "a", "t"}) {
			t.Errorf("law %d explains %s by %v", i, l.Target, l.Vars)
		}
	}
	if !slices.ContainsFunc(r.Front, func(l law.Law) bool { return l.Infix() == r.Best.Infix() }) {
		t.Error("the best law is not on the front")
	}
}

func TestMaxComplexity(t *testing.T) {
	table := measured(t, "x + v*t + a*t**2/2", "s:m", fall, 120)
	for _, l := range found(t, table, discover.Settings{MaxComplexity: 20}).Front {
		if l.Complexity > 20 {
			t.Errorf("%s has %.1f bits", l.Infix(), l.Complexity)
		}
	}
}

func TestTableErrors(t *testing.T) {
	one := measured(t, "a*b", "y", "a:1:3 b:1:3", 1)
	none := measured(t, "a*b", "y", "a:1:3 b:1:3", 9)
	none.Vars = nil
	for want, table := range map[string]*dataset.Table{"two rows": one, "no column": none} {
		if _, err := discover.Discover(context.Background(), table, discover.Settings{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one of %q", err, want)
		}
	}
}

// A table with too little information has no law, or one whose verdict is "a guess".
func TestAwkwardTables(t *testing.T) {
	constant := measured(t, "a*b", "y", "a:1:3 b:1:3", 30)
	for i := range constant.Target.Values {
		constant.Target.Values[i] = 4.5
	}
	still := measured(t, "a*b", "y", "a:1:3 b:1:3", 30)
	for i := range still.Target.Values {
		still.Vars[0].Values[i], still.Vars[1].Values[i] = 2, 0
	}
	for name, table := range map[string]*dataset.Table{
		"constant target":       constant,
		"only constant columns": still,
		"two rows":              measured(t, "3.3*a*b", "y", "a:1:3 b:1:3", 2),
	} {
		r := found(t, table, discover.Settings{})
		if r.Best.Tree.Len() > 0 && !strings.HasPrefix(r.Verdict, "a guess") {
			t.Errorf("%s: %s (%s)", name, r.Best.Infix(), r.Verdict)
		}
	}
}

// A cell that is NaN or infinite is not an error. Package dataset rejects such cells, but a caller
// of Discover may pass them.
func TestCellsWithoutAValue(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, target := range []bool{true, false} {
			table := measured(t, "a*b", "y", "a:1:3 b:1:3", 40)
			if target {
				table.Target.Values[7] = bad
			} else {
				table.Vars[0].Values[7] = bad
			}
			if _, err := discover.Discover(context.Background(), table, discover.Settings{Evaluations: 300}); err != nil {
				t.Log(err)
			}
		}
	}
}

func TestManyColumns(t *testing.T) {
	cols := ""
	for i := range 50 {
		cols += fmt.Sprintf(" v%d:1:3", i)
	}
	table := measured(t, "2.5*v17/v33**2", "y", cols, 300)
	best := found(t, table, discover.Settings{}).Best
	if !same(t, best, "c0*v17/v33**2") && !same(t, best, "5/2*v17/v33**2") {
		t.Errorf("the law is %s", best.Infix())
	}
	table = measured(t, "2.5*v7/v9**2", "y", strings.Join(strings.Fields(cols)[:12], " "), 300)
	disturb(table, 0.02)
	best = found(t, table, discover.Settings{}).Best
	if !slices.Equal(best.Tree.Vars(), []int{7, 9}) {
		t.Errorf("with noise the law is %s", best.Infix())
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table := measured(t, "x + v*t + a*t**2/2", "s:m", fall, 120)
	r, err := discover.Discover(ctx, table, discover.Settings{})
	if err != nil || r.Stopped != "interrupted" {
		t.Errorf("%v, %v", r, err)
	}
}

// A run that the user or the clock stops returns its best law so far.
func TestStoppedRuns(t *testing.T) {
	table := measured(t, "x + v*t + a*t**2/2 + sin(3*t/2)*x*v/a", "s", "x:1:3 v:1:5 a:0.5:3 t:1:4", 400)
	disturb(table, 0.1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	r, err := discover.Discover(ctx, table, discover.Settings{Time: time.Minute, Progress: func(p discover.Progress) {
		if calls++; p.Best.Tree.Len() > 0 {
			if p.Left <= 0 || p.Left > time.Minute || p.Elapsed <= 0 || p.Evaluations <= 0 || p.Stage == "" {
				t.Errorf("progress %+v", p)
			}
			cancel()
		}
	}})
	switch {
	case err != nil:
		t.Fatal(err)
	case calls == 0:
		t.Log("the run ended before Progress was called")
	case r.Stopped != "interrupted" && r.Stopped != "settled":
		t.Errorf("it stopped by %q", r.Stopped)
	}
	if r.Best.Tree.Len() == 0 || len(r.Front) == 0 || r.Best.R2 < 0.3 {
		t.Errorf("the best so far is %q, R² %v", r.Best.Infix(), r.Best.R2)
	}
	if r, err = discover.Discover(context.Background(), table, discover.Settings{Time: time.Microsecond}); err != nil || r.Stopped != "time" {
		t.Errorf("after a microsecond: stopped by %q, %v", r.Stopped, err)
	}
}

// A negative time means no limit: an exact law ends the run.
func TestNoTimeLimit(t *testing.T) {
	table := measured(t, "2*pi*sqrt(l/g)", "T:s", "l:0.1:2:m g:1:20:m/s^2", 60)
	for _, limit := range []time.Duration{-1, 0} {
		r, err := discover.Discover(context.Background(), table, discover.Settings{Time: limit})
		if err != nil || r.Stopped != "exact" || !same(t, r.Best, "2*pi*sqrt(l)/sqrt(g)") {
			t.Errorf("limit %v: %s, stopped by %q, %v", limit, r.Best.Infix(), r.Stopped, err)
		}
		if !strings.HasPrefix(r.Verdict, "as good as certain") {
			t.Errorf("the verdict is %q", r.Verdict)
		}
	}
}

// A run resumes from the laws of an earlier one, whatever the units of the columns.
func TestResume(t *testing.T) {
	for _, test := range []struct{ law, target, columns string }{
		{"x + v*t + a*t**2/2", "s:km", fall},
		{"v**2*sin(2*theta)/g", "R:ft", "v:36:90:km/h theta:10:80:deg g:1:20:m/s^2"},
		{"n*8.314462618*T/V", "p:kPa", "n:1:5:mol T:5:95:degC V:10:50:L"},
		{"(m*T + n*S)/(m + n)", "U:degC", "m:1:5:kg n:1:5:kg T:5:95:degC S:5:95:degC"},
		{"6.6743e-11*m*n/r**2", "F", "m:1e24:1e27 n:1e29:1e31 r:1e10:1e12"},
	} {
		table := measured(t, test.law, test.target, test.columns, 60)
		r := found(t, table, discover.Settings{})
		if e := misfit(r.Best, table); e > 1e-8 {
			t.Errorf("%s leaves %.1e", r.Best.Infix(), e)
			continue
		}
		stopped, cancel := context.WithCancel(context.Background())
		cancel()
		again, err := discover.Discover(stopped, table, discover.Settings{Resume: []law.Law{r.Best}})
		if err != nil {
			t.Fatal(err)
		}
		if e := misfit(again.Best, table); e > 1e-8 {
			t.Errorf("%s, resumed, is %q and leaves %.1e", r.Best.Infix(), again.Best.Infix(), e)
		}
	}
	other := measured(t, "a*b", "y", "a:1:3 b:1:3", 60) // a law over columns that this table lacks is ignored
	r := found(t, measured(t, "p*q", "y", "p:1:3 q:1:3", 60), discover.Settings{})
	if e := misfit(found(t, other, discover.Settings{Resume: r.Front}).Best, other); e > 1e-8 {
		t.Errorf("leaves %.1e", e)
	}
}

// A run without time that resumes another one chooses the same law. This holds even if the law has
// the fewest bits in a form other than the one that is printed.
func TestResumeWithoutTime(t *testing.T) {
	const power = "R [ohm],P [W]\n0.5,0.792\n1,1.21\n1.5,1.5\n2.2,1.63\n3.3,1.59\n4.7,1.59\n6.8,1.43\n10,1.21\n15,0.931\n22,0.688\n47,0.386\n"
	table, _, err := dataset.Read(strings.NewReader(power), "power.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	settings := discover.Settings{Evaluations: 20000, Time: -1}
	first, err := discover.Discover(t.Context(), table, settings)
	if err != nil {
		t.Fatal(err)
	}
	if first.Best.Scored == "" {
		t.Fatalf("%s is scored in the form in which it is printed, so this table tests nothing", first.Best)
	}
	settings = discover.Settings{Time: 1, Resume: append([]law.Law{first.Best}, first.Front...)}
	again, err := discover.Discover(t.Context(), table, settings)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := first.Best.Display(4), again.Best.Display(4); a != b || math.Abs(first.Best.Score-again.Best.Score) > 0.01 {
		t.Errorf("%s with %.2f bits, then %s with %.2f", a, first.Best.Score, b, again.Best.Score)
	}
}
