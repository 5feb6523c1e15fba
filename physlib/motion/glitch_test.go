package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// Rows in which a state jumps away and back are found: single rows, several consecutive rows, rows
// at the ends, and rows of a failing sensor. No other rows are found.
func TestGlitches(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 300
	times := make([]float64, n)
	for i := range times {
		times[i] = 0.1*float64(i) + 0.02*rng.Float64()
	}
	of := func(f func(t float64) float64, noise, step float64) (x []float64) {
		for _, t := range times {
			v := f(t) + noise*rng.NormFloat64()
			if step > 0 {
				v = math.Round(v/step) * step
			}
			x = append(x, v)
		}
		return x
	}
	swing := func(t float64) float64 { return 3 * math.Sin(t) * math.Exp(-0.05*t) }
	with := func(x []float64, wrong map[int]float64) []float64 {
		for i, v := range wrong {
			x[i] = v
		}
		return x
	}
	fails := of(swing, 0, 0)
	var failed []int
	for i := 100; i < 120; i++ {
		fails[i] = 0
		failed = append(failed, i)
	}
	for name, c := range map[string]struct {
		x    []float64
		want []int
	}{
		"one":              {with(of(swing, 0, 0), map[int]float64{50: 4}), []int{50}},
		"one in noise":     {with(of(swing, 0.05, 0), map[int]float64{50: 4}), []int{50}},
		"in rounded":       {with(of(swing, 0, 0.01), map[int]float64{50: 4}), []int{50}},
		"in turn":          {with(of(swing, 0, 0), map[int]float64{50: 4, 51: 5, 52: -6}), []int{50, 51, 52}},
		"close together":   {with(of(swing, 0, 0), map[int]float64{50: 40, 55: -4, 61: 5}), []int{50, 55, 61}},
		"at the ends":      {with(of(swing, 0, 0), map[int]float64{0: -999, 299: -999}), []int{0, 299}},
		"next to them":     {with(of(swing, 0, 0), map[int]float64{1: -999, 298: -999}), []int{1, 298}},
		"a sensor fails":   {fails, failed},
		"none":             {of(swing, 0, 0), nil},
		"noise":            {of(swing, 0.2, 0), nil},
		"rounded":          {of(swing, 0, 0.1), nil},
		"steps":            {of(func(t float64) float64 { return math.Floor(t / 3) }, 0, 0), nil},
		"kinks":            {of(func(t float64) float64 { return math.Abs(math.Sin(t)) }, 0, 0), nil},
		"a jump in noise":  {of(func(t float64) float64 { return math.Copysign(2, t-15) }, 0.1, 0), nil},
		"pulses":           {of(func(t float64) float64 { return math.Exp(-20 * math.Pow(math.Mod(t, 5)-2.5, 2)) }, 0, 0), nil},
		"at rest":          {of(func(t float64) float64 { return max(0, t-20) }, 0, 0), nil},
		"a fast beginning": {of(func(t float64) float64 { return math.Exp(-5 * t) }, 0, 0), nil},
		"a transient":      {of(func(t float64) float64 { return math.Sin(t) + math.Exp(-40*t) }, 0, 0), nil},
		"an escape":        {of(func(t float64) float64 { return math.Sin(t) + math.Exp(40*(t-times[n-1])) }, 0, 0), nil},
	} {
		if got := glitches(times, c.x); !slices.Equal(got, c.want) {
			t.Errorf("%s: rows %v, want %v", name, got, c.want)
		}
	}
}

// At uneven times, a cubic through rows that are close together amplifies noise. The amplified
// noise must not be reported as a glitch.
func TestGlitchesUneven(t *testing.T) {
	found := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 7))
		times, x := make([]float64, 300), make([]float64, 300)
		for i := range times {
			times[i] = 20 * rng.Float64()
		}
		slices.Sort(times)
		for i, t := range times {
			x[i] = math.Sin(t) + 0.01*rng.NormFloat64()
		}
		if got := glitches(times, x); len(got) > 0 {
			t.Errorf("seed %d: rows %v of a noisy sine", seed, got)
		}
		x[150] += 2
		if got := glitches(times, x); slices.Equal(got, []int{150}) {
			found++
		} else if len(got) > 0 { // the steps around row 150 may be too uneven to find the glitch
			t.Errorf("seed %d: rows %v, want row 150", seed, got)
		}
	}
	if found < 4 {
		t.Errorf("a jump is found in %d of 10 series", found)
	}
}

// Read leaves glitches out of every run and names them, except if the option AllRows is set.
func TestReadGlitches(t *testing.T) {
	table := &dataset.Table{Name: "swings.csv", Target: dataset.Column{Name: "v"}, Vars: []dataset.Column{{Name: "t"}, {Name: "x"}}}
	for run := range 2 {
		for i := range 60 {
			at := 0.1 * float64(i)
			table.Vars[0].Values = append(table.Vars[0].Values, at)
			table.Vars[1].Values = append(table.Vars[1].Values, float64(run+1)*math.Sin(at))
			table.Target.Values = append(table.Target.Values, float64(run+1)*math.Cos(at))
		}
	}
	table.Vars[1].Values[20], table.Target.Values[90] = 999, -999
	tr, warnings, err := Read(table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][2]int{{0, 59}, {59, 118}}; !slices.Equal(tr.Runs, want) || slices.Max(tr.States[0].Values) > 2 {
		t.Errorf("runs %v, want %v", tr.Runs, want)
	}
	if want := "swings.csv: x jumps away and back in row 21 of the numbers, v jumps away and back in row 91 of the numbers; left out"; len(warnings) != 1 || warnings[0] != want {
		t.Errorf("%q, want %q", warnings, want)
	}
	table.Vars[1].Values[0] = -999
	_, warnings, err = Read(table, Options{})
	if want := "x is far from all its other values in row 1 of the numbers"; err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], want) {
		t.Errorf("%q, want %q, %v", warnings, want, err)
	}
	table.Vars[1].Values[0] = 0
	// An input may jump in a single row, so this is not taken for a glitch.
	_, warnings, err = Read(table, Options{Inputs: []string{"v"}})
	if err != nil || len(warnings) != 1 || strings.Contains(warnings[0], "v jumps") {
		t.Errorf("with an input: %q, %v", warnings, err)
	}
	tr, warnings, err = Read(table, Options{AllRows: true})
	if err != nil || tr.Runs[1][1] != 120 || strings.Join(warnings, "") != "" {
		t.Errorf("%v, %q, %v", tr.Runs, warnings, err)
	}
}
