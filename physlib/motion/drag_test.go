package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// A linear damping is tried in place of a quadratic damping and of a damping by a sum of powers,
// and the reverse. The coefficient of the new damping brings the new damping closest to the old
// damping.
func TestOtherDrags(t *testing.T) {
	names := []string{"x", "y", "u", "v"}
	cols := [][]float64{{1, 2, 3, 4}, {4, 3, 1, 2}, {1, 2, 2, 1}, {0, 0, 0, 0}}
	for text, want := range map[string][]string{
		"c0*u - x":           {"c0*u*abs(u) - x", "c0*u*sqrt(u**2 + v**2) - x"},
		"c0*u*abs(u) - x":    {"c0*u - x", "c0*u*sqrt(u**2 + v**2) - x"},
		"c0*u + c1*u**3 + y": {"c0*u + y", "c0*u*abs(u) + y", "c0*u*sqrt(u**2 + v**2) + y"},
		"c0*x*u - y":         {},
	} {
		sr := commonSearcher(cols, parse(t, text, names...).WithStarts([]float64{-1, -2}[:parse(t, text, names...).NumParams()]))
		sr.names, sr.d.order = names, 2
		got := sr.otherDrags(0)
		if len(got) != len(want) {
			t.Errorf("%s: %d laws, want %d", text, len(got), len(want))
			continue
		}
		for i, w := range want {
			if got[i].AbsorbParams().Hash() != parse(t, w, names...).AbsorbParams().Hash() {
				t.Errorf("%s: %s, want %s", text, got[i].Infix(names), w)
			}
		}
	}
}

// Two coefficients whose sizes agree within their errors save the bits of one constant.
// Coefficients that differ more save nothing, and neither do coefficients that are fixed numbers.
func TestSameCoef(t *testing.T) {
	// Errors of 1 % for constants of size one.
	cov := mat.NewSymDense(2, []float64{1e-4, 0, 0, 1e-4})
	coef := func(slot int, v float64) recurring {
		return recurring{coef: -v, slot: slot, param: v, power: 1}
	}
	for _, c := range []struct {
		a, b        recurring
		least, most float64
	}{
		{coef(1, 1), coef(0, 1), sharedConstantBits + sameCoefBits, sharedConstantBits + sameCoefBits},
		{coef(1, 1.02), coef(0, 1), 6, sharedConstantBits + sameCoefBits},
		{coef(1, 1.1), coef(0, 1), 0, 0},
		{recurring{coef: 1}, coef(0, 1), 0, 0},
	} {
		if got := sameCoef(c.a, c.b, cov); got < c.least-1e-9 || got > c.most+1e-9 {
			t.Errorf("%g and %g: %.2f bits, want %g to %g", c.a.coef, c.b.coef, got, c.least, c.most)
		}
	}
	if got := sameCoef(coef(1, 1), coef(0, 1), nil); got != 0 {
		t.Errorf("unknown errors: %g bits", got)
	}
}

// trial is a system of the second order with two starting states.
type trial struct {
	names  []string // positions and velocities
	rates  []string
	starts [][]float64
	end    float64
}

// table returns n rows of each run, with errors of 1 % of each position's range.
func (m trial) table(n int, rng *rand.Rand) *dataset.Table {
	k := len(m.rates)
	var rates []expr.Tree
	for j := range k {
		rates = append(rates, expr.X(k+j))
	}
	for _, r := range m.rates {
		rates = append(rates, mustParse(r, m.names...))
	}
	at := times(n, m.end/float64(n), 0, rng)
	columns := make([][]float64, k+2)
	for run, start := range m.starts {
		for c, v := range Simulate(NewField(rates, 0, false), start, at, nil)[:k] {
			columns[2+c] = append(columns[2+c], v...)
		}
		columns[1] = append(columns[1], at...)
		for range n {
			columns[0] = append(columns[0], float64(run))
		}
	}
	table := &dataset.Table{Name: "trial.csv"}
	for c, v := range columns {
		if c > 1 {
			low, high := math.Inf(1), math.Inf(-1)
			for _, x := range v {
				low, high = min(low, x), max(high, x)
			}
			for i := range v {
				v[i] += 0.01 * (high - low) * rng.NormFloat64()
			}
		}
		table.Vars = append(table.Vars, dataset.Column{Name: append([]string{"run", "t"}, m.names[:k]...)[c], Values: v})
	}
	last := len(table.Vars) - 1
	table.Target, table.Vars = table.Vars[last], table.Vars[:last]
	return table
}

// Quadratic damping of a thrown ball, a pendulum and a falling sphere is found from noisy positions
// alone, also from few rows.
func TestQuadraticDamping(t *testing.T) {
	noEngine(t)
	speed := "sqrt(u**2 + v**2)"
	ball := trial{[]string{"x", "y", "u", "v"}, []string{"-0.03*u*" + speed, "-9.81 - 0.03*v*" + speed},
		[][]float64{{0, 1, 16, 23}, {0, 1, 32, 27}}, 3.2}
	pendulum := trial{[]string{"x", "u"}, []string{"-9.81*sin(x) - 0.15*u*abs(u)"}, [][]float64{{2.2, 0}, {0.5, 3}}, 9}
	sphere := trial{[]string{"x", "u"}, []string{"9.81 - 0.12*u*abs(u)"}, [][]float64{{0, 0}, {0, -12}}, 3}
	for _, c := range []struct {
		name  string
		trial trial
		rows  int
		want  string
	}{
		{"ball", ball, 60, "sqrt(dx_dt**2 + dy_dt**2)"},
		{"ball", ball, 30, "sqrt(dx_dt**2 + dy_dt**2)"},
		{"pendulum", pendulum, 60, "abs(dx_dt)"},
		{"pendulum", pendulum, 30, "abs(dx_dt)"},
		{"sphere", sphere, 300, "abs(dx_dt)"},
	} {
		res := discovered(t, c.trial.table(c.rows, rand.New(rand.NewPCG(1, 2))), Options{Group: "run", Order: 2})
		for _, e := range res.Equations {
			name := fmt.Sprintf("%s, %d rows, %s", c.name, c.rows, e.State)
			text := e.Law.Tree.Infix(e.Law.Vars)
			if !strings.Contains(text, c.want) || len(terms(e.Law.Tree)) > 2 {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// The linear dampings of both directions are replaced together by quadratic ones. A replacement in
// one direction alone would make the description longer. The other laws are kept as rivals.
func TestExchangeDrags(t *testing.T) {
	c := throw{"ball", 0.01, [][]float64{{0, 0, 20, 25}, {0, 0, 30, 15}}, 4, false}
	tr, _, err := Read(c.table(5, 1), Options{Group: "run", Order: 2})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, d: tr.data(t.Context(), nil), names: []string{"y", "z", "dy_dt", "dz_dt"}, pools: make([]pool, 2)}
	for k, text := range []string{"c0*dy_dt", "c0*dz_dt + c1"} {
		n := sr.newCandidate(k, mustParse(text, sr.names...).WithStarts([]float64{-0.1, -9}[:1+k]), "test")
		sr.pools[k] = pool{list: []*candidate{n}, seen: map[uint64]*candidate{n.tree.Hash(): n}}
		sr.best = append(sr.best, n)
	}
	sr.windowLength = 59
	sr.wins = sr.d.windowsOf(sr.windowLength)
	sr.together(t.Context(), 0, nil)
	if !sr.exchangeDrags(t.Context()) {
		t.Error("no other damping is better")
	}
	for k, best := range sr.best {
		if text := best.tree.Infix(sr.names); !strings.Contains(text, "sqrt(dy_dt**2 + dz_dt**2)") {
			t.Errorf("the law became %s", text)
		}
		if rivals := sr.different(k, sr.twinsOf(k)); len(rivals) < 2 {
			t.Errorf("equation %d has %d rivals, want linear and quadratic dampings", k, len(rivals))
		}
	}
}

// At order 1, a state u is the velocity of a state x if the law of x is dx/dt = u.
func TestDirections(t *testing.T) {
	names := []string{"x", "y", "u", "v"}
	sr := &searcher{names: names, d: &data{order: 1, sigma: make([]float64, 4)}}
	for _, text := range []string{"u", "v", "-u", "x - 9.8"} {
		sr.best = append(sr.best, &candidate{tree: parse(t, text, names...)})
	}
	positions, velocities := sr.directions()
	if !slices.Equal(positions, []int{0, 1}) || !slices.Equal(velocities, []int{2, 3}) {
		t.Errorf("positions %v and velocities %v, want [0 1] and [2 3]", positions, velocities)
	}
}
