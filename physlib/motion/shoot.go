package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// run is one trajectory: the measurements and the current estimates of the derivatives.
type run struct {
	t          []float64
	x          [][]float64    // [measured state][row]
	derivative [][]Derivative // [measured state][row]
	extra      []float64      // values of the columns that are constant in the run
}

// data holds trajectories in the form needed by a fit.
type data struct {
	runs   []run
	inputs int       // number of inputs, which are the last of the measured states
	order  int       // 1 or 2; at order 2 the velocities follow the measured states
	sigma  []float64 // standard deviation of the errors of each measured state
	scale  []float64 // size of each state
	hold   []hold    // values of each measured state between rows; nil: none is held
	curved []int     // for each measured state that is an input: points of its curve (see curve)
	bent   bool      // whether the curves of inputs contain their estimated errors (see bentCurve)
	// RMS error of each measured state that the errors of the inputs between the rows cause (see
	// measureInputs); nil: unknown.
	unsure []float64
	// Smallest possible value of each measured state (see leastValue), −Inf if it is unknown; nil:
	// all are unknown.
	least []float64
	// For each run, the rows after which an interval is in no window, ascending; nil: none (see
	// leaveOutSwitches).
	left [][]int
}

// window is a part of a run: n intervals that begin at the row with index at.
type window struct{ run, at, n int }

const (
	windowLength = 12 // length of the shortest windows, in intervals (see ladder.go)
	mostWhole    = 60 // largest number of whole runs to which the chosen system is fitted
)

// windows cuts the runs into windows of about n intervals. If there are more windows than limit
// allows, it selects evenly spaced ones.
func (d *data) windows(n, limit int) []window {
	var out []window
	for r := range d.runs {
		for _, whole := range d.parts(r) {
			parts := max(1, int(math.Round(float64(whole.n)/float64(n))))
			for p := range parts {
				a, b := p*whole.n/parts, (p+1)*whole.n/parts
				out = append(out, window{r, whole.at + a, b - a})
			}
		}
	}
	if len(out) > limit {
		some := make([]window, limit)
		for i := range some {
			some[i] = out[i*(len(out)-1)/max(1, limit-1)]
		}
		out = some
	}
	return out
}

// trajectoryFit is a system fitted to trajectories.
type trajectoryFit struct {
	Params []float64 // constants of all rates, one rate after the other
	StdErr []float64
	RSS    []float64   // residual sum of squares of each measured state; unit: noise variance
	Rows   float64     // number of measured values of each state
	Lost   int         // number of windows that could not be integrated
	live   int         // number of measured states that are integrated
	starts [][]float64 // [state][window]
	dof    float64

	information *mat.SymDense // Fisher matrix of Params; nil: none or unknown
	cov         *mat.SymDense // inverse of information, the covariance; nil: unknown
}

// misfit returns the root mean square residual of measured state k, in its own unit.
func (s *trajectoryFit) misfit(d *data, k int) float64 {
	return math.Sqrt(s.RSS[k]/s.Rows) * d.sigma[k]
}

// expectedRMS returns the root mean square residual that is expected for a true law, in units of
// the noise. It is below 1, since the fit of constants and starting values absorbs a part of the
// noise.
func (s *trajectoryFit) expectedRMS() float64 { return math.Sqrt(s.dof / (s.Rows * float64(s.live))) }

// shooter fits one field by multiple shooting.
type shooter struct {
	d     *data
	f     *Field
	wins  []window
	tol   float64
	live  []int // states that are integrated
	given []bool
}

// shoot fits the free constants of f and the starting values of the windows. The constants start at
// the values in the trees. The starting values start at old, or at the current estimates of the
// states if old is nil. States without a rate follow the data. If stop is not nil, it is called
// with the cost before each step. The fit ends if stop returns true.
func (d *data) shoot(f *Field, wins []window, tol float64, steps int, old [][]float64, stop func(cost float64, step int) bool) *trajectoryFit {
	s := &shooter{d: d, f: f, wins: wins, tol: tol, given: make([]bool, f.states)}
	for k := range f.states {
		s.given[k] = f.programs[k] == nil
		if !s.given[k] {
			s.live = append(s.live, k)
		}
	}
	p := f.starts()
	z := old
	if z == nil {
		z = make([][]float64, f.states)
		for k := range z {
			z[k] = make([]float64, len(wins))
			for w, win := range wins {
				z[k][w] = d.start(win.run, win.at, k)
			}
		}
	}
	return s.descend(p, z, steps, stop)
}

// start returns the current estimate of state k at a row.
func (d *data) start(r, row, k int) float64 {
	m := d.numMeasured()
	if k < m && d.least != nil {
		return max(d.runs[r].derivative[k][row].D[0], d.least[k])
	}
	if k < m {
		return d.runs[r].derivative[k][row].D[0]
	}
	return d.runs[r].derivative[k-m][row].D[1]
}

// descend runs the Levenberg–Marquardt iteration.
func (s *shooter) descend(p []float64, z [][]float64, steps int, stop func(float64, int) bool) *trajectoryFit {
	lambda := 1e-3
	at := s.linearize(p, z)
	for step := 0; step < steps; step++ {
		if stop != nil && stop(at.cost, step) {
			break
		}
		dp, dz, ok := s.solve(at, lambda)
		if !ok {
			lambda *= 10
			if lambda > 1e12 {
				break
			}
			continue
		}
		q := slices.Clone(p)
		for i := range q {
			q[i] += dp[i]
		}
		y := make([][]float64, len(z))
		for k := range z {
			y[k] = slices.Clone(z[k])
		}
		for i, k := range s.live {
			for w := range s.wins {
				y[k][w] += dz[w][i]
			}
		}
		next := s.linearize(q, y)
		if next.cost < at.cost {
			gain := (at.cost - next.cost) / at.cost
			p, z, at = q, y, next
			lambda = max(lambda/10, 1e-14)
			if gain < 1e-5 {
				break
			}
		} else {
			if (next.cost-at.cost)/at.cost < 1e-9 {
				break
			}
			lambda *= 10
			if lambda > 1e10 {
				break
			}
		}
	}
	return s.result(at, p, z)
}

func (d *data) numStates() int { return d.order * len(d.sigma) }

// result returns the fit with its standard errors.
func (s *shooter) result(m *normal, p []float64, z [][]float64) *trajectoryFit {
	o := &trajectoryFit{Params: p, RSS: m.rss, Lost: m.lost, starts: z}
	for _, w := range s.wins {
		o.Rows += float64(w.n)
	}
	runs := map[int]bool{}
	for _, w := range s.wins {
		runs[w.run] = true
	}
	o.Rows += float64(len(runs))
	np := len(p)
	for k := range s.d.numMeasured() {
		if !s.given[k] {
			o.live++
		}
	}
	o.dof = max(1, o.Rows*float64(o.live)-float64(np+len(s.live)*len(s.wins)))
	o.StdErr = make([]float64, np)
	for i := range o.StdErr {
		o.StdErr[i] = math.Inf(1)
	}
	c, _, _, ok := s.reduced(m, 0)
	if !ok || np == 0 {
		return o
	}
	variance := max(m.cost/o.dof, s.rounding())
	o.information = c
	o.information.ScaleSym(1/variance, c)
	if o.cov = inverse(o.information, np); o.cov != nil {
		for i := range o.StdErr {
			o.StdErr[i] = math.Sqrt(o.cov.At(i, i))
		}
	}
	return o
}

// precision returns the number of bits that the constants take. The argument least is the smallest
// number of bits for one constant.
func (s *trajectoryFit) precision(least float64) float64 {
	n := len(s.Params)
	if s.information == nil {
		return least * float64(n)
	}
	relative := mat.NewSymDense(n, nil)
	for i, p := range s.Params {
		for j, q := range s.Params[:i+1] {
			relative.SetSym(i, j, s.information.At(i, j)*p*q)
		}
	}
	return precisionBits(relative, n, least)
}

func (d *data) numMeasured() int { return len(d.sigma) }

// rounding returns the smallest variance that residuals can have, in units of the noise variance:
// the variance of integration errors.
func (s *shooter) rounding() float64 {
	worst := 0.0
	for k, sigma := range s.d.sigma {
		worst = max(worst, 10*s.tol*s.d.scale[k]/sigma)
	}
	return worst * worst
}
