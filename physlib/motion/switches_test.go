package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// charged returns the voltage of a capacitor, of time constant 0.8, that is charged from a source
// of 5 V. Rows are 0.06 apart, and the source is switched every `half`.
func charged(half float64) *dataset.Table {
	const step = 0.06
	rng := rand.New(rand.NewPCG(3, 4))
	source := func(t float64) float64 {
		if int(math.Floor(t/half+1e-9))%2 == 0 {
			return 5
		}
		return 0
	}
	table := &dataset.Table{Name: "rc.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "U"}}, Target: dataset.Column{Name: "V"}}
	v := 0.0
	const fine = 100
	for i := range 200 {
		t := step * float64(i)
		table.Vars[0].Values = append(table.Vars[0].Values, t)
		table.Vars[1].Values = append(table.Vars[1].Values, source(t))
		table.Target.Values = append(table.Target.Values, v+0.02*rng.NormFloat64())
		for j := range fine {
			u := source(t + step*(float64(j)+0.5)/fine)
			v = u + (v-u)*math.Exp(-step/fine/0.8)
		}
	}
	return table
}

// Intervals in which an input is switched are in no window if the states show that the switches are
// between the rows. Then a true law is not doubted because of them.
func TestSwitchesBetweenRows(t *testing.T) {
	noEngine(t)
	for half, onRows := range map[float64]bool{1.55: false, 26 * 0.06: true} {
		tr, _, err := Read(charged(half), Options{Inputs: []string{"U"}})
		if err != nil {
			t.Fatal(err)
		}
		sr := &searcher{tr: tr}
		sr.prepare(t.Context())
		if (sr.d.left == nil) != onRows {
			t.Fatalf("at rows %v: intervals left out: %v", onRows, sr.d.left)
		}
		for _, n := range []int{5, windowLength, math.MaxInt32} {
			for _, w := range sr.d.windows(n, 1000) {
				u := sr.d.runs[0].x[1][w.at : w.at+w.n+1]
				if !onRows && slices.Min(u) != slices.Max(u) {
					t.Errorf("the window at %d of %d intervals contains a switch", w.at, w.n)
				}
			}
		}
		res, err := Discover(t.Context(), tr, Settings{Time: -1})
		if err != nil {
			t.Fatal(err)
		}
		e := res.Equations[0]
		if text := e.Law.Tree.Infix(e.Law.Vars); e.Probability < 0.6 || !strings.Contains(text, "U") || e.Law.Tree.NumParams() > 2 {
			t.Errorf("at rows %v: dV/dt = %s, %s", onRows, text, e.Verdict)
		}
	}
}

// halfway returns the rows midway between switches. parts returns the windows between the intervals
// that are left out.
func TestHalfway(t *testing.T) {
	if got := halfway([][]int{{3, 8, 20}, nil, {0, 4, 5}}); !slices.Equal(got[0], []int{1, 5, 14}) || len(got[1]) != 0 || !slices.Equal(got[2], []int{2}) {
		t.Errorf("%v", got)
	}
	d := &data{runs: []run{{t: make([]float64, 30)}}, left: [][]int{{3, 5, 20}}}
	if got, want := d.parts(0), []window{{0, 0, 3}, {0, 6, 14}, {0, 21, 8}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Terms that nearly cancel are found where both have a free constant. The rates of such a law are
// those of its limit, a polynomial.
func TestCancelling(t *testing.T) {
	var x, y []float64
	for i := range 40 {
		x, y = append(x, -2+0.1*float64(i)), append(y, math.Sin(float64(i)))
	}
	for text, want := range map[string]bool{
		"y - 8000*x - 8e7*log(1 - 0.0001*x)": true, "3*x - x**3 + 2*y": false, "x - sin(x)": false,
	} {
		tree, err := expr.Parse(text, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := cancelling(withNumbersFreed(tree), [][]float64{x, y}); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A state that only falls in a single run says little, but two runs, or a state that also rises,
// say more.
func TestOneSided(t *testing.T) {
	fall, back := []float64{5, 4, 3.2, 2.5, 2.52, 2}, []float64{5, 4, 3, 2, 3, 4}
	one := func(x ...[]float64) *data {
		d := &data{order: 1, sigma: []float64{0.02}}
		for _, v := range x {
			d.runs = append(d.runs, run{x: [][]float64{v}})
		}
		return d
	}
	for _, c := range []struct {
		d    *data
		want bool
	}{{one(fall), true}, {one(back), false}, {one(fall, fall), false}} {
		if sr := (&searcher{d: c.d, tr: &Trajectories{}}); sr.oneSided(0) != c.want {
			t.Errorf("%v: %v", c.d.runs, !c.want)
		}
	}
}
