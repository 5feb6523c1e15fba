package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// Trajectories written one after the other, with a time that goes on, are separated where every
// state jumps. Other jumps and steps separate nothing.
func TestReadJumps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	type state = func(i int) float64
	swing := func(i int) float64 { return math.Exp(-0.01*float64(i)) * math.Sin(float64(i)/8) }
	other := func(i int) float64 { return math.Exp(-0.01*float64(i)) * math.Cos(float64(i)/8) }
	again := func(f state, every int) state {
		return func(i int) float64 { return f(i%every) + float64(i/every) }
	}
	noisy := func(f state, sigma float64) state {
		return func(i int) float64 { return f(i) + sigma*rng.NormFloat64() }
	}
	rounded := func(f state) state { return func(i int) float64 { return math.Round(f(i)*100) / 100 } }
	block := func(i int) float64 { return float64(i / 60) }
	fails := func(f state) state {
		return func(i int) float64 {
			if i >= 100 && i < 120 {
				return -9
			}
			return f(i)
		}
	}
	for name, c := range map[string]struct {
		states []state
		inputs []string
		want   []int // first rows of the runs
	}{
		"one":              {[]state{swing, other}, nil, []int{0}},
		"two of 100":       {[]state{again(swing, 100), again(other, 100)}, nil, []int{0, 100}},
		"three of 60":      {[]state{again(swing, 60), again(other, 60)}, nil, []int{0, 60, 120}},
		"ten of 20":        {[]state{again(other, 20)}, nil, []int{0, 20, 40, 60, 80, 100, 120, 140, 160}},
		"in noise":         {[]state{noisy(again(swing, 60), 0.003), noisy(again(other, 60), 0.003)}, nil, []int{0, 60, 120}},
		"rounded":          {[]state{rounded(again(swing, 60)), rounded(again(other, 60))}, nil, []int{0, 60, 120}},
		"with a parameter": {[]state{again(swing, 60), again(other, 60), block}, nil, []int{0, 60, 120}},
		"an input is free": {[]state{again(swing, 60), again(other, 60), swing}, []string{"c"}, []int{0, 60, 120}},
		"one state jumps":  {[]state{again(swing, 60), other}, nil, []int{0}},
		"a switch":         {[]state{swing, block}, nil, []int{0}},
		"a kink":           {[]state{func(i int) float64 { return math.Abs(swing(i)) }}, nil, []int{0}},
		"pulses":           {[]state{func(i int) float64 { return math.Exp(-math.Pow(float64(i%50)-25, 2)) }}, nil, []int{0}},
		"noise":            {[]state{noisy(swing, 0.3)}, nil, []int{0}},
		"all sensors fail": {[]state{fails(swing), fails(other)}, nil, []int{0}},
		"staircase":        {[]state{block}, nil, []int{0}},
		"relaxation jumps": {[]state{func(i int) float64 { return math.Tanh(40 * swing(i)) }, swing}, nil, []int{0}},
	} {
		table := &dataset.Table{Name: "a.csv", Target: dataset.Column{Name: "t"}}
		for k, x := range c.states {
			column := dataset.Column{Name: string(rune('a' + k))}
			for i := range 180 {
				column.Values = append(column.Values, x(i))
			}
			table.Vars = append(table.Vars, column)
		}
		for i := range 180 {
			table.Target.Values = append(table.Target.Values, 0.1*float64(i))
		}
		tr, warnings, err := Read(table, Options{Inputs: c.inputs})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []int
		for _, r := range tr.Runs {
			got = append(got, r[0])
		}
		named := slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "every state jumps in row") })
		if !slices.Equal(got, c.want) || named != (len(c.want) > 1) {
			t.Errorf("%s: runs begin at rows %v, want %v; warnings %q", name, got, c.want, warnings)
		}
	}
}
