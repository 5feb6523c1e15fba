package discover_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/discover"
)

// Exactly the rows that contradict the others are excluded and named, for several noise levels,
// units and budgets.
func TestOutliers(t *testing.T) {
	for _, test := range []struct {
		law, target, columns, want string
		noise                      float64
		bad                        map[int]float64
		settings                   discover.Settings
	}{
		{"2*x", "y", "x:1:5", "2*x", 0, map[int]float64{3: -999, 11: -999}, discover.Settings{Time: 30 * time.Second, Clock: clock.Processor}},
		{"2*pi*sqrt(l/g)", "T:s", "l:0.1:2:m g:1:20:m/s^2", "2*pi*sqrt(l/g)", 0, map[int]float64{0: 50, 20: 0, 39: 9}, discover.Settings{Evaluations: 3000}},
		{"x + v*t + a*t**2/2", "s:m", fall, "x + v*t + a*t**2/2", 0, map[int]float64{7: 300, 8: -100}, discover.Settings{Time: 30 * time.Second, Clock: clock.Processor}},
		{"3.3*a/(1 + b)", "y", "a:1:3 b:0.5:4", "c0*a/(1 + b)", 0.003, map[int]float64{5: 40, 6: -3, 30: 77}, discover.Settings{Evaluations: 2500}},
		{"a*b", "y", "a:1:100 b:1:100", "a*b", 0.02, nil, discover.Settings{Evaluations: 2000}},
		{"w/(1 - v/c)", "y", "w:1:5 v:1:2 c:2.01:10", "w/(1 - v/c)", 0, nil, discover.Settings{Time: 30 * time.Second, Clock: clock.Processor}}, // a law with a pole
	} {
		t.Run(test.law, func(t *testing.T) {
			table := measured(t, test.law, test.target, test.columns, 60)
			disturb(table, test.noise)
			var want []int
			for i, y := range test.bad {
				table.Target.Values[i] = y
				want = append(want, i)
			}
			slices.Sort(want)
			res := found(t, table, test.settings)
			if !same(t, res.Best, test.want) || !slices.Equal(res.Outliers, want) {
				t.Errorf("%s without rows %v, want %v; %s", res.Best.Infix(), res.Outliers, want, res.Verdict)
			}
			if len(want) == 0 {
				return
			}
			named := fmt.Sprintf("rows %d", want[0]+1)
			if !strings.Contains(res.Verdict, named) || len(res.Warnings) == 0 || !strings.Contains(res.Warnings[0], named) {
				t.Errorf("the rows are not named in %q, %q", res.Verdict, res.Warnings)
			}
			again := found(t, table, test.settings)
			if test.settings.Evaluations > 0 && (again.Best.Infix() != res.Best.Infix() || again.Evaluations != res.Evaluations || again.Verdict != res.Verdict) {
				t.Errorf("another run: %s after %d laws, not %s after %d", again.Best.Infix(), again.Evaluations, res.Best.Infix(), res.Evaluations)
			}
			if all := found(t, table, discover.Settings{Evaluations: 300, AllRows: true}); all.Outliers != nil {
				t.Errorf("all rows were to be kept, %v were left out", all.Outliers)
			}
		})
	}
}

// A row with a wrong number in a variable is excluded just as one with a wrong target, even if a
// term of high degree fits it.
func TestOutlyingVariables(t *testing.T) {
	table := measured(t, "F*l**3/(48*E*I)", "y", "F:1:9 l:1:4 E:5:20 I:0.5:3", 100)
	want := []int{4, 30, 31, 77}
	for k, i := range want {
		table.Vars[k].Values[i] *= 10
	}
	res := found(t, table, discover.Settings{Evaluations: 3000})
	if !same(t, res.Best, "F*l**3/(48*E*I)") || !slices.Equal(res.Outliers, want) {
		t.Errorf("%s without rows %v, want %v; %s", res.Best.Infix(), res.Outliers, want, res.Verdict)
	}
}

// Rows at which the target is cut off, by an instrument or by a threshold, are excluded, and a
// warning describes them.
func TestCutOff(t *testing.T) {
	for _, test := range []struct {
		low, high, noise float64
		said             string
	}{
		{math.Inf(-1), 2.5, 0, "the largest y, 2.5, where the law gives more, and were left out: y is cut off there, as min(law, 2.5)"},
		{math.Inf(-1), 2.5, 0.01, "the largest y, 2.5, where the law gives more, and were left out: y is cut off there, as min(law, 2.5)"},
		{0.8, math.Inf(1), 0, "the least y, 0.8, where the law gives less, and were left out: y is cut off there, as max(law, 0.8)"},
	} {
		table := measured(t, "0.66*f - W", "y", "f:2:6 W:0.5:1.2", 100)
		disturb(table, test.noise)
		cut := 0
		for i, y := range table.Target.Values {
			table.Target.Values[i] = max(test.low, min(y, test.high))
			if table.Target.Values[i] != y {
				cut++
			}
		}
		res := found(t, table, discover.Settings{Evaluations: 2500})
		if !slices.ContainsFunc([]string{"0.66*f - W", "c0*f - W", "c0*f - c1*W"}, func(law string) bool { return same(t, res.Best, law) }) {
			t.Errorf("%g to %g with noise %g: %s", test.low, test.high, test.noise, res.Best.Infix())
		}
		if n := len(res.Outliers); n > cut || n < cut/2 || len(res.Warnings) == 0 || !strings.Contains(res.Warnings[0], test.said) {
			t.Errorf("%d rows of %d that are cut off were left out: %q", n, cut, res.Warnings)
		}
	}
}

// In a table of noise with two outliers, no law is found, even if a law would fit the outliers.
func TestOutliersOfNothing(t *testing.T) {
	table := measured(t, "a*b", "y", "a:1:3 b:1:3", 60)
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range table.Target.Values {
		table.Target.Values[i] = 3 + rng.NormFloat64()
	}
	table.Target.Values[9], table.Target.Values[40] = 500, -700
	res := found(t, table, discover.Settings{Evaluations: 1500})
	if res.Best.Tree.Len() > 0 || !slices.Equal(res.Outliers, []int{9, 40}) || !strings.HasPrefix(res.Verdict, "no law") {
		t.Errorf("%s without rows %v", res.Best.Infix(), res.Outliers)
	}
}

// Rows that an earlier run left out are left out at first, whether or not they look wrong. They are
// ignored if one of them is not a row of the table.
func TestOutliersOfEarlierRun(t *testing.T) {
	table := measured(t, "2*x", "y", "x:1:5", 20)
	table.Target.Values[3] += 0.1 // too little for a gross error
	for _, c := range []struct{ given, want []int }{{nil, nil}, {[]int{3}, []int{3}}, {[]int{3, 20}, nil}, {[]int{-1}, nil}} {
		if res := found(t, table, discover.Settings{Evaluations: 300, Outliers: c.given}); !slices.Equal(res.Outliers, c.want) {
			t.Errorf("given %v: left out %v, want %v; %s", c.given, res.Outliers, c.want, res.Verdict)
		}
	}
}
