package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/unit"
)

// Each mistake in the table or the options gives an error of one line that names the mistake.
func TestReadErrors(t *testing.T) {
	column := func(name string, v ...float64) dataset.Column { return dataset.Column{Name: name, Values: v} }
	ten := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, c := range []struct {
		want    string
		vars    []dataset.Column
		options Options
	}{
		{"no time column \"time\"; did you mean tim?", []dataset.Column{column("tim", ten...), column("x", 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)}, Options{Time: "time"}},
		{"no group column \"run\"", []dataset.Column{column("t", ten...), column("x", 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)}, Options{Group: "run"}},
		{"t = 3 occurs in data rows 4 and 5", []dataset.Column{column("t", 0, 1, 2, 3, 3, 4, 5, 6, 7, 8), column("x", 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)}, Options{}},
		{"the time goes back", []dataset.Column{column("t", 0, 2, 1, 3, 5, 4, 6, 8, 7, 9), column("x", 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)}, Options{}},
		{"5 rows are too few", []dataset.Column{column("t", 0, 1, 2, 3, 4), column("x", 1, 2, 3, 5, 8)}, Options{}},
		{"no column changes with the time", []dataset.Column{column("t", ten...), column("x", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}, Options{}},
		{"order 3", []dataset.Column{column("t", ten...), column("x", ten...)}, Options{Order: 3}},
	} {
		last := len(c.vars) - 1
		_, _, err := Read(&dataset.Table{Name: "a.csv", Vars: c.vars[:last], Target: c.vars[last]}, c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// Read recognizes runs, a parameter of each run and a gap, and derives the units of rates.
func TestRead(t *testing.T) {
	second, _ := unit.Parse("s")
	metre, _ := unit.Parse("m")
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t", Unit: second, HasUnit: true}, {Name: "k"}, {Name: "l"}}, Target: dataset.Column{Name: "x", Unit: metre, HasUnit: true}}
	for run := range 2 {
		for i := range 20 {
			at := float64(i)
			if run == 1 && i >= 10 {
				at += 50
			}
			for k, v := range []float64{at, float64(run), 7} {
				table.Vars[k].Values = append(table.Vars[k].Values, v)
			}
			table.Target.Values = append(table.Target.Values, at*at)
		}
	}
	tr, warnings, err := Read(table, Options{Order: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Runs) != 3 || len(tr.States) != 1 || len(tr.Params) != 1 || len(warnings) != 2 {
		t.Errorf("runs %v, states %d, params %d, warnings %q", tr.Runs, len(tr.States), len(tr.Params), warnings)
	}
	if c := tr.rate(0, 2); c.Name != "d2x_dt2" || c.Unit.Name != "m/s^2" || c.Unit.Dim.String() != "m s^-2" {
		t.Errorf("rate %s [%s] %s", c.Name, c.Unit.Name, c.Unit.Dim)
	}
}

// Times whose steps grow by a constant factor, or are uneven, have no gaps. Two pauses give one
// warning.
func TestGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, c := range []struct {
		name string
		step func(i int, at float64) float64
		runs int
	}{
		{"by a factor", func(_ int, at float64) float64 { return 0.05 * at }, 1},
		{"uneven", func(int, float64) float64 { return math.Exp(rng.NormFloat64()) }, 1},
		{"pauses", func(i int, _ float64) float64 {
			if i == 60 || i == 140 {
				return 50
			}
			return 1
		}, 3},
	} {
		table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "x"}}
		at := 0.001
		for i := range 200 {
			table.Vars[0].Values = append(table.Vars[0].Values, at)
			table.Target.Values = append(table.Target.Values, math.Sin(at/20))
			at += c.step(i, at)
		}
		tr, warnings, err := Read(table, Options{})
		if err != nil || len(tr.Runs) != c.runs || len(warnings) != min(c.runs-1, 1) {
			t.Errorf("%s: runs %v, warnings %q, %v", c.name, tr.Runs, warnings, err)
		}
	}
}

// endingSoon is a context that ends at the n-th call of Err.
type endingSoon struct {
	context.Context
	n, asked atomic.Int64
}

func (c *endingSoon) Err() error {
	if c.asked.Add(1) >= c.n.Load() {
		return context.Canceled
	}
	return nil
}

// An interrupt while the derivatives of long trajectories are estimated ends the preparation. Then
// no further pass over all rows is made, and nothing is searched.
func TestInterruptedPreparation(t *testing.T) {
	const rows = 20_000
	tr := &Trajectories{Time: dataset.Column{Name: "t"}, States: []dataset.Column{{Name: "x"}, {Name: "y"}}, Runs: [][2]int{{0, rows}}, Order: 1}
	for i := range rows {
		at := 0.01 * float64(i)
		tr.Time.Values = append(tr.Time.Values, at)
		tr.States[0].Values = append(tr.States[0].Values, math.Sin(at))
		tr.States[1].Values = append(tr.States[1].Values, math.Cos(at))
	}
	ctx := &endingSoon{Context: context.Background()}
	ctx.n.Store(10)
	for _, s := range derivatives(ctx, tr.Time.Values, tr.States[0].Values, 0.01) {
		if !math.IsInf(s.SE[1], 1) {
			t.Fatalf("a derivative with standard error %g, of windows that were not finished", s.SE[1])
		}
	}
	if n := ctx.asked.Load(); n > 20 {
		t.Errorf("the context was asked %d times, so the loop over rows went on", n)
	}
	searched := false
	defer func(f func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error)) { engine = f }(engine)
	engine = func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error) {
		searched = true
		return &discover.Result{}, nil
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	found, err := Discover(cancelled, tr, Settings{})
	if err != nil || found.Stopped != discover.StopInterrupted || len(found.Equations) != 2 {
		t.Errorf("found %+v, %v: want two equations without a law", found, err)
	}
	if searched {
		t.Error("laws were searched after the interrupt")
	}
}

// An input named twice counts once. At least one state must not be an input.
func TestReadInputs(t *testing.T) {
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "x"}}, Target: dataset.Column{Name: "u"}}
	for i := range 20 {
		at := float64(i)
		table.Vars[0].Values = append(table.Vars[0].Values, at)
		table.Vars[1].Values = append(table.Vars[1].Values, at*at)
		table.Target.Values = append(table.Target.Values, math.Sin(at))
	}
	tr, _, err := Read(table, Options{Inputs: []string{"u", "u"}, AllRows: true})
	if err != nil || tr.Inputs != 1 || tr.States[0].Name != "x" {
		t.Errorf("%+v, %v", tr, err)
	}
	_, _, err = Read(table, Options{Inputs: []string{"x", "u"}, AllRows: true})
	if err == nil || !strings.Contains(err.Error(), "no state is left besides the inputs x, u") {
		t.Errorf("error %v", err)
	}
}
