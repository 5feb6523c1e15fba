package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/ode"
)

// Field is the right-hand side of a system, dx_k/dt = Rates[k](x, …). [Simulate] integrates it.
//
// The columns of a rate are the states, followed by columns that are constant during the
// integration, such as the parameters of a run. If Driven is true, the last column is the time. A
// state with an empty rate is not integrated; flow.Interval gets its values.
type Field struct {
	Rates  []expr.Tree // free constants are numbered separately in each rate
	Extra  int         // number of constant columns
	Driven bool        // whether the last column is the time

	// Smallest values of the states in rates that may have no value for some states; nil: none.
	least    []float64
	states   int
	params   []int // index of the first free constant of each rate
	total    int
	programs []*expr.Program
	partial  []bool // whether each rate may have no value for some states (see partial)
}

// NewField returns a Field with compiled rates.
func NewField(rates []expr.Tree, extra int, driven bool) *Field {
	f := &Field{Rates: rates, Extra: extra, Driven: driven, states: len(rates)}
	base := f.columns()
	for _, r := range rates {
		f.params = append(f.params, f.total)
		if r.Len() == 0 {
			f.programs, f.partial = append(f.programs, nil), append(f.partial, false)
			continue
		}
		nodes := append([]expr.Node(nil), r.Nodes()...)
		for i, n := range nodes {
			if n.Op == expr.Param { // constants may differ between rows, so they become columns
				nodes[i] = expr.Node{Op: expr.Var, Index: int32(base+f.total) + n.Index}
			}
		}
		t, _ := expr.FromNodes(nodes)
		f.programs, f.partial = append(f.programs, expr.Compile(t)), append(f.partial, partial(t))
		f.total += r.NumParams()
	}
	return f
}

// starts returns the starting values of the free constants.
func (f *Field) starts() []float64 {
	var p []float64
	for _, r := range f.Rates {
		p = append(p, r.Params()...)
	}
	return p
}

// quintic is the course of a given state over one interval, as a polynomial in θ from 0 to 1. Its
// value and first two derivatives agree with those of the state at both ends.
type quintic [6]float64

func newQuintic(a, b Derivative, h float64) quintic {
	f0, d0, s0 := a.D[0], a.D[1]*h, a.D[2]*h*h
	f1, d1, s1 := b.D[0], b.D[1]*h, b.D[2]*h*h
	r, u, v := f1-f0-d0-s0/2, d1-d0-s0, s1-s0
	return quintic{f0, d0, s0 / 2, 10*r - 4*u + v/2, -15*r + 7*u - v, 6*r - 3*u + v/2}
}

// derivative returns the time derivative of q on an interval of length h.
func (q quintic) derivative(h float64) quintic {
	return quintic{q[1] / h, 2 * q[2] / h, 3 * q[3] / h, 4 * q[4] / h, 5 * q[5] / h}
}

// leastStep is the shortest step, as a fraction of an interval. Rows that need a shorter step are
// dropped.
const leastStep = 1e-6

// jumpError is the largest error, relative to the size of a state, that is accepted in a step of
// the shortest length. So a rate may jump, like dry friction when the velocity changes sign.
const jumpError = 1e-7

// flow integrates many rows of states in parallel. Each row has its own starting values, time and
// interval length.
type flow struct {
	f     *Field
	n     int
	tol   float64
	scale []float64 // size of each state
	limit float64   // largest |state|/scale; a row above it is lost: its states become NaN
	// Number of rows that control the step; the others are perturbed copies of them.
	base  int
	k     [7][][]float64 // [stage][state][row]
	y     [][]float64    // state at a stage
	next  [][]float64
	cols  [][]float64
	time  []float64
	lost  []bool
	theta float64 // next step, as a fraction of an interval
	Steps int     // number of steps computed, including rejected ones

	maxSteps int // number of steps in an interval after which rows are dropped
	budget   int // all rows are lost when Steps exceeds this; 0: no limit
}

// newFlow returns a flow of n rows. In each step, the error of a state is at most tol·(scale +
// |state|).
func newFlow(f *Field, n int, tol float64, scale []float64) *flow {
	w := &flow{f: f, n: n, base: n, tol: tol, scale: scale, limit: 1e3, theta: 0.5, maxSteps: 200}
	grid := func() [][]float64 {
		g := make([][]float64, f.states)
		for i := range g {
			g[i] = make([]float64, n)
		}
		return g
	}
	for s := range w.k {
		w.k[s] = grid()
	}
	w.y, w.next, w.time, w.lost = grid(), grid(), make([]float64, n), make([]bool, n)
	w.cols = make([][]float64, f.columns()+f.total)
	return w
}

// Interval integrates the states x of the rows from t to t + h. extra holds the columns that are
// constant in a row, and params the free constants. Both have the form [column][row]. given holds
// the states without a rate. A row is lost if it leaves the domain of a rate, or if one of its
// states exceeds the limit of the flow. All states of a lost row become NaN.
func (w *flow) Interval(x [][]float64, t, h []float64, extra, params [][]float64, given [][]quintic) {
	f := w.f
	copy(w.cols, w.y)
	copy(w.cols[f.states:], extra)
	if f.Driven {
		w.cols[f.columns()-1] = w.time
	}
	copy(w.cols[f.columns():], params)
	w.lose(x)
	w.rates(0, 0, x, t, h, given)
	w.theta = max(w.theta, 10*leastStep)
	for theta, tries, drops := 0.0, 0, 0; theta < 1-1e-12; tries++ {
		step := min(w.theta, 1-theta)
		w.Steps++
		worst := w.try(theta, step, x, t, h, given)
		switch {
		case w.budget > 0 && w.Steps > w.budget:
			for k := range x {
				for i := range x[k] {
					x[k][i] = math.NaN()
				}
			}
			return
		case tries < w.maxSteps && step <= 10*leastStep && worst > 1 && worst*w.tol <= jumpError:
			w.accept(x, theta+step, given)
			theta += step
			w.theta = 10 * leastStep
		// Near a pole the steps shrink, so the rows that approach the pole are dropped here.
		case tries >= w.maxSteps || w.theta < leastStep:
			w.drop(x, drops)
			w.lose(x)
			drops++
			tries, w.theta = 0, 0.25
		case worst <= 1:
			theta += step
			w.accept(x, theta, given)
			next := step * min(5, 0.9*math.Pow(worst+1e-10, -0.2))
			if step < w.theta { // the step was cut at the end of the interval
				next = max(next, w.theta)
			}
			w.theta = min(next, 1)
		default:
			w.theta = step * max(0.2, 0.9*math.Pow(min(worst, 1e10), -0.2))
		}
	}
	w.lose(x)
}

func (f *Field) columns() int {
	n := f.states + f.Extra
	if f.Driven {
		n++
	}
	return n
}

// accept sets x to the result of the last step. States without a rate get their given values at θ.
func (w *flow) accept(x [][]float64, theta float64, given [][]quintic) {
	for k := range x {
		switch {
		case w.f.programs[k] != nil:
			copy(x[k], w.next[k])
			copy(w.k[0][k], w.k[6][k]) // the last stage is the first one of the next step
		default:
			for i := range x[k] {
				x[k][i] = given[k][i].at(theta)
			}
		}
	}
}

// lose sets all states of a row to NaN if one of them exceeds the limit.
func (w *flow) lose(x [][]float64) {
	clear(w.lost)
	for k := range x {
		for i, v := range x[k] {
			if !(math.Abs(v) < w.limit*w.scale[k]) {
				w.lost[i] = true
			}
		}
	}
	for i, lost := range w.lost {
		if lost {
			for k := range x {
				x[k][i] = math.NaN()
			}
		}
	}
}

// try calculates a step from x into w.next and returns its error in units of the tolerance. It
// returns +Inf if the step leaves the domain of a rate.
func (w *flow) try(theta, step float64, x [][]float64, t, h []float64, given [][]quintic) float64 {
	for s := 1; s < 7; s++ {
		for k := range x {
			if w.f.programs[k] == nil {
				continue
			}
			y := w.y[k]
			copy(y, x[k])
			for j := range s {
				if c := step * ode.Stages[s][j]; c != 0 {
					floats.AddScaled(y, c, w.k[j][k])
				}
			}
			if s == 6 {
				copy(w.next[k], y)
			}
		}
		w.rates(s, theta+ode.Nodes[s]*step, x, t, h, given)
	}
	worst := 0.0
	w.errors(step, x, func(_, _ int, e float64) {
		if !(e <= worst) {
			worst = e
		}
	})
	if math.IsNaN(worst) {
		return math.Inf(1)
	}
	return worst
}

// rates evaluates the rates of stage s at θ for states y.
func (w *flow) rates(s int, theta float64, y [][]float64, t, h []float64, given [][]quintic) {
	f := w.f
	if f.Driven {
		for i := range w.time {
			w.time[i] = t[i] + theta*h[i]
		}
	}
	for k := range y {
		if f.programs[k] == nil && given[k] != nil {
			for i := range w.y[k] {
				w.y[k][i] = given[k][i].at(theta)
			}
		} else if s == 0 {
			copy(w.y[k], y[k])
		}
	}
	within := w.cols
	if f.least != nil && slices.Contains(f.partial, true) {
		within = limited(w.cols, f.least)
	}
	for k, p := range f.programs {
		dst := w.k[s][k]
		if p == nil {
			clear(dst)
			continue
		}
		cols := w.cols
		if f.partial[k] {
			cols = within
		}
		p.Eval(dst, cols, nil)
		floats.Mul(dst, h)
	}
}

func (q quintic) at(x float64) float64 {
	return q[0] + x*(q[1]+x*(q[2]+x*(q[3]+x*(q[4]+x*q[5]))))
}

// drop marks the rows with the largest errors as lost, since these rows limit the step. times is
// the number of earlier calls in the same interval. Each call drops more rows than the call before,
// so that few calls suffice to pass many singularities.
func (w *flow) drop(x [][]float64, times int) {
	worst, bad := 0.0, make([]float64, w.n)
	w.errors(1, x, func(_, i int, e float64) { bad[i] = max(bad[i], e); worst = max(worst, e) })
	limit := worst * math.Pow(0.1, float64(1+times*times))
	for i := range bad {
		if bad[i%w.base] >= limit {
			for k := range x {
				x[k][i] = math.NaN()
			}
		}
	}
}

// errors calls visit with the error of the last step tried, in units of the tolerance, for each
// state and row that is not lost.
func (w *flow) errors(step float64, x [][]float64, visit func(k, i int, e float64)) {
	for k := range x {
		if w.f.programs[k] == nil {
			continue
		}
		for i := range w.base {
			if w.lost[i] {
				continue
			}
			e := 0.0
			for j := range 7 {
				e += ode.Errors[j] * w.k[j][k][i]
			}
			e = math.Abs(e*step) / (w.tol * (w.scale[k] + math.Abs(x[k][i])))
			if math.IsNaN(e) {
				e = math.Inf(1)
			}
			visit(k, i, e)
		}
	}
}
