package discover

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/motion"
	"github.com/physlib/lab/physlib/unit"
)

// Each equation has a line with the verdict on its law, and one with the other laws that the errors
// allow. If the equation has no law, its line says so.
func TestVerdicts(t *testing.T) {
	column := func(name string) dataset.Column { return dataset.Column{Name: name, Values: []float64{3, -4, 5}} }
	some := law.Law{Tree: parse(t, "x", "x"), Vars: []string{"x"}, Score: 10}
	other := law.Law{Tree: parse(t, "2*x", "x"), Vars: []string{"x"}, Target: "da_dt", Score: 12.5}
	f := movement{
		tr: &motion.Trajectories{Time: column("t"), States: []dataset.Column{column("a"), column("b")}},
		result: &motion.Result{Equations: []motion.Equation{
			{State: "a", Law: some, Verdict: "uncertain, about 60 %", Rivals: []law.Law{other}},
			{State: "b", Error: 9, Noise: 0.1},
		}},
	}
	want := []string{
		"da_dt: uncertain, about 60 %",
		"  within the errors as well: da_dt = 2*x (2.5 bits worse)",
		"no law was found for db_dt",
	}
	if got := f.verdicts(); !slices.Equal(got, want) {
		t.Errorf("verdicts %q, want %q", got, want)
	}
}

// The laws of a trajectory have a column about units only if a column has a unit.
func TestPrintMotion(t *testing.T) {
	some := law.Law{Tree: parse(t, "x", "x"), Vars: []string{"x"}, Target: "da_dt", UnitsOK: true}
	f := movement{
		table:   &dataset.Table{Target: dataset.Column{Name: "a"}, Vars: []dataset.Column{{Name: "t"}}},
		tr:      &motion.Trajectories{Time: dataset.Column{Name: "t"}, States: []dataset.Column{{Name: "a", Values: []float64{1, 2}}}, Runs: [][2]int{{0, 2}}},
		result:  &motion.Result{Equations: []motion.Equation{{State: "a", Law: some}}},
		options: &Cmd{},
	}
	for _, second := range []bool{false, true} {
		f.table.Vars[0].HasUnit, f.table.Vars[0].Unit.Dim[2] = second, unit.Rat(1, 1)
		var b strings.Builder
		if err := f.print(&b, style{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "units") != second {
			t.Errorf("time in seconds: %v, but the laws are shown as\n%s", second, b.String())
		}
	}
}

// A noise in percent is a share of the root mean square of each state that has a law.
func TestSharedNoise(t *testing.T) {
	column := func(v ...float64) dataset.Column { return dataset.Column{Values: v} }
	tr := &motion.Trajectories{States: []dataset.Column{column(3, -3), column(0, 2), column(7, 7)}, Inputs: 1}
	got := sharedNoise(tr, 0.1)
	if len(got) != 2 || math.Abs(got[0]-0.3) > 1e-12 || math.Abs(got[1]-0.1*math.Sqrt2) > 1e-12 {
		t.Errorf("noise %v", got)
	}
}

// A noise in percent is passed on to the search, as the standard error of each state.
func TestRunMotionNoise(t *testing.T) {
	defer func() { motions = motion.Discover }()
	var noise []float64
	motions = func(_ context.Context, _ *motion.Trajectories, s motion.Settings) (*motion.Result, error) {
		noise = s.Noise
		return nil, errors.New("enough")
	}
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "x"}}
	for i := range 20 {
		table.Vars[0].Values = append(table.Vars[0].Values, float64(i))
		table.Target.Values = append(table.Target.Values, float64(10-20*(i%2)))
	}
	c := Cmd{Noise: "10%"}
	c.ODE, c.AllRows, c.Quiet = true, true, true
	if err := c.runMotion(t.Context(), streams{err: os.Stderr}, table, discover.Settings{}, nil); err == nil {
		t.Fatal("no error")
	}
	if len(noise) != 1 || math.Abs(noise[0]-1) > 1e-12 {
		t.Errorf("noise %v, want 1", noise)
	}
}

// Reading and preparing a table end when --time is used up and when the command is interrupted. The
// error is one line.
func TestBefore(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	wait := func() (int, error) { <-never; return 0, nil }
	limit := budget(time.Millisecond)
	c := &Cmd{Time: &limit}
	c.File = "a.csv"
	_, err := before(t.Context(), c, time.Duration(limit), "preparing", wait)
	if want := "a.csv: preparing took longer than --time 1ms"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = before(ctx, c, 0, "preparing", wait)
	if want := "interrupted while preparing the table"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if n, err := before(t.Context(), c, time.Minute, "preparing", func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// The number of bits is printed only for laws whose scores can be compared.
func TestMoreBits(t *testing.T) {
	best := law.Law{Tree: parse(t, "x", "x"), Vars: []string{"x"}, Score: 10}
	f := finding{result: &discover.Result{Best: best}}
	for score, want := range map[float64]string{12.5: "+2.5", math.NaN(): ""} {
		if got := f.moreBits(law.Law{Tree: parse(t, "2*x", "x"), Vars: []string{"x"}, Score: score}); got != want {
			t.Errorf("score %g: %q, want %q", score, got, want)
		}
	}
}

// A limit of the complexity and a column of standard errors are rejected with --ode, since they
// would have no effect.
func TestFlagsOfMotion(t *testing.T) {
	for want, c := range map[string]Cmd{"--max-complexity": {MaxComplexity: 20}, "--noise sx": {Noise: "sx"}} {
		c.ODE, c.Order = true, 1
		if err := c.checkMotion(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// With --group, constants may have separate values in the runs. A table and the law file list them.
func TestSeparate(t *testing.T) {
	defer func() { motions = motion.Discover }()
	allowed := false
	motions = func(_ context.Context, _ *motion.Trajectories, s motion.Settings) (*motion.Result, error) {
		allowed = s.Separate
		return nil, errors.New("enough")
	}
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "dish"}, {Name: "t"}}, Target: dataset.Column{Name: "x"}}
	for i := range 40 {
		table.Vars[0].Values = append(table.Vars[0].Values, float64(i/20))
		table.Vars[1].Values = append(table.Vars[1].Values, float64(i%20))
		table.Target.Values = append(table.Target.Values, float64(i%3))
	}
	c := Cmd{Group: "dish"}
	c.ODE, c.AllRows, c.Quiet = true, true, true
	if err := c.runMotion(t.Context(), streams{err: os.Stderr}, table, discover.Settings{}, nil); err == nil || !allowed {
		t.Errorf("error %v, separate constants allowed: %v", err, allowed)
	}
	column := dataset.Column{Name: "t", Values: []float64{0, 1}}
	f := movement{tr: &motion.Trajectories{Time: column, Runs: [][2]int{{0, 2}}}, options: &c, result: &motion.Result{Separate: []motion.Separate{
		{Name: "k_dish", Groups: []string{"a", "b"}, Values: []float64{0.5, 2}, StdErr: []float64{0.01, math.Inf(1)}},
	}}}
	if got, want := f.separate(), "\n          a              b\n  k_dish  0.500 ± 0.010  2\n"; got != want {
		t.Errorf("printed\n%q, want\n%q", got, want)
	}
	if s := f.file().Separate; len(s) != 1 || s[0].Values[1] != 2 || s[0].StdErr[1] != nil || *s[0].StdErr[0] != 0.01 {
		t.Errorf("law file: %+v", s)
	}
}
