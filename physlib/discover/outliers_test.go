package discover_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/discover"
)

// Rows that contradict the others are left out and named, with whatever noise, units and budget, and nothing else is.
func TestOutliers(t *testing.T) {
	for _, test := range []struct {
		law, target, columns, want string
		noise                      float64
		bad                        map[int]float64
		settings                   discover.Settings
	}{
		{"2*x", "y", "x:1:5", "2*x", 0, map[int]float64{3: -999, 11: -999}, discover.Settings{Time: 20 * time.Second}},
		{"2*pi*sqrt(l/g)", "T:s", "l:0.1:2:m g:1:20:m/s^2", "2*pi*sqrt(l/g)", 0, map[int]float64{0: 50, 20: 0, 39: 9}, discover.Settings{Evaluations: 3000}},
		{"x + v*t + a*t**2/2", "s:m", fall, "x + v*t + a*t**2/2", 0, map[int]float64{7: 300, 8: -100}, discover.Settings{Time: 20 * time.Second}},
		{"3.3*a/(1 + b)", "y", "a:1:3 b:0.5:4", "c0*a/(1 + b)", 0.01, map[int]float64{5: 40, 6: -3, 30: 77}, discover.Settings{Evaluations: 2500}},
		{"a*b", "y", "a:1:100 b:1:100", "a*b", 0.02, nil, discover.Settings{Evaluations: 2000}},
		{"w/(1 - v/c)", "y", "w:1:5 v:1:2 c:2.01:10", "w/(1 - v/c)", 0, nil, discover.Settings{Time: 20 * time.Second}}, // a pole
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

// Where there is no law, there is none that follows the rows left out.
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
