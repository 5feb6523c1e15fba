package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// run is one trajectory: the measurements and the current estimates of the derivatives.
type run struct {
	t     []float64
	x     [][]float64 // [measured state][row]
	slope [][]Slope   // [measured state][row]
	extra []float64   // values of the columns that are constant in the run
}

// data holds trajectories in the form needed by a fit.
type data struct {
	runs   []run
	inputs int       // number of inputs, which are the last of the measured states
	order  int       // 1 or 2; at order 2 the velocities follow the measured states
	sigma  []float64 // standard deviation of the errors of each measured state
	scale  []float64 // size of each state
}

// window is a part of a run: n intervals from row at.
type window struct{ run, at, n int }

// windows cuts the runs into windows of about n intervals and returns at most limit of them,
// evenly selected.
func (d *data) windows(n, limit int) []window {
	var out []window
	for r, run := range d.runs {
		rows := len(run.t) - 1
		parts := max(1, int(math.Round(float64(rows)/float64(n))))
		for p := range parts {
			a, b := p*rows/parts, (p+1)*rows/parts
			out = append(out, window{r, a, b - a})
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

// Shot is a system fitted to trajectories.
type Shot struct {
	Params []float64 // constants, of all rates in turn
	StdErr []float64
	RSS    []float64   // residual sum of squares by measured state, in units of its noise variance
	Rows   float64     // number of measured values of each state
	Lost   int         // number of windows that could not be integrated
	starts [][]float64 // [state][window]
	cov    *mat.SymDense
	dof    float64
}

// misfit returns the root mean square residual of measured state k, in its own unit.
func (s *Shot) misfit(d *data, k int) float64 { return math.Sqrt(s.RSS[k]/s.Rows) * d.sigma[k] }

// shooter fits one field by multiple shooting.
type shooter struct {
	d     *data
	f     *Field
	wins  []window
	tol   float64
	live  []int // states that are integrated
	given []bool
}

// shoot fits the free constants of f and the starts of the windows. The constants start at the
// values of the trees. The windows start at old, unless it is nil. States without a rate are
// given. enough, unless nil, gets the cost before each step and ends the fit by returning true.
func (d *data) shoot(f *Field, wins []window, tol float64, steps int, old [][]float64, enough func(cost float64, step int) bool) *Shot {
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
	return s.descend(p, z, steps, enough)
}

// start returns the current estimate of state k at a row.
func (d *data) start(r, row, k int) float64 {
	m := d.measured()
	if k < m {
		return d.runs[r].slope[k][row].D[0]
	}
	return d.runs[r].slope[k-m][row].D[1]
}

// descend runs the Levenberg–Marquardt iteration.
func (s *shooter) descend(p []float64, z [][]float64, steps int, enough func(float64, int) bool) *Shot {
	lambda := 1e-3
	at := s.linearize(p, z)
	for step := 0; step < steps; step++ {
		if enough != nil && enough(at.cost, step) {
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

// linearize integrates all windows, together with copies in which each start and constant is
// perturbed. It returns the normal equations.
func (s *shooter) linearize(p []float64, z [][]float64) *normal {
	f, d := s.f, s.d
	nw, nl, np := len(s.wins), len(s.live), len(p)
	copies := 1 + nl + np
	n := nw * copies
	x := make([][]float64, f.states)
	for k := range x {
		x[k] = make([]float64, n)
		for c := range copies {
			copy(x[k][c*nw:], z[k])
		}
	}
	dz := make([]float64, nl)
	for i, k := range s.live {
		dz[i] = 1e-6 * d.scale[k]
		for w := range nw {
			x[k][(1+i)*nw+w] += dz[i]
		}
	}
	params, dp := make([][]float64, np), make([]float64, np)
	for i := range params {
		params[i] = make([]float64, n)
		for r := range params[i] {
			params[i][r] = p[i]
		}
		dp[i] = 1e-6 * max(math.Abs(p[i]), 1e-3)
		for w := range nw {
			params[i][(1+nl+i)*nw+w] += dp[i]
		}
	}
	extra := make([][]float64, f.Extra)
	for e := range extra {
		extra[e] = make([]float64, n)
		for r := range n {
			extra[e][r] = d.runs[s.wins[r%nw].run].extra[e]
		}
	}
	longest := 0
	for _, w := range s.wins {
		longest = max(longest, w.n)
	}
	m := &normal{rss: make([]float64, d.measured()), c: mat.NewSymDense(max(np, 1), nil), g: make([]float64, np)}
	for range nw {
		m.a = append(m.a, mat.NewSymDense(nl, nil))
		m.b = append(m.b, mat.NewDense(nl, max(np, 1), nil))
		m.h = append(m.h, make([]float64, nl))
	}
	flow := NewFlow(f, n, s.tol, d.scale)
	flow.base = nw
	flow.budget = 40 * longest
	t, h := make([]float64, n), make([]float64, n)
	given := make([][]quintic, f.states)
	for k := range given {
		if s.given[k] {
			given[k] = make([]quintic, n)
		}
	}
	jac := make([]float64, nl+np)
	lost := make([]bool, nw)
	for j := 0; j <= longest; j++ {
		if j > 0 {
			s.interval(j-1, t, h, given, copies)
			flow.Interval(x, t, h, extra, params, given)
		}
		for w, win := range s.wins {
			if j > win.n || lost[w] {
				continue
			}
			for c := range copies {
				for k := range x {
					lost[w] = lost[w] || math.IsNaN(x[k][c*nw+w])
				}
			}
			if lost[w] {
				m.lost++
				continue
			}
			row := win.at + j
			weight := 1.0
			if j == 0 && win.at > 0 || j == win.n && row < len(d.runs[win.run].t)-1 {
				weight = 0.5 // shared with the adjacent window
			}
			for k := range d.measured() {
				if s.given[k] {
					continue
				}
				base := x[k][w]
				r := (d.runs[win.run].x[k][row] - base) / d.sigma[k]
				for i := range nl {
					jac[i] = (x[k][(1+i)*nw+w] - base) / dz[i] / d.sigma[k]
				}
				for i := range np {
					jac[nl+i] = (x[k][(1+nl+i)*nw+w] - base) / dp[i] / d.sigma[k]
				}
				m.add(w, r, weight, jac, nl)
				m.rss[k] += weight * r * r
			}
		}
	}
	for w, win := range s.wins {
		if lost[w] { // charge residuals of three times the state's size, without a derivative
			for k := range d.measured() {
				if s.given[k] {
					continue
				}
				v := d.runs[win.run].x[k][win.at : win.at+win.n+1]
				for range v {
					e := 3 * d.scale[k] / d.sigma[k]
					m.rss[k] += e * e
				}
			}
		}
	}
	for _, v := range m.rss {
		m.cost += v
	}
	return m
}

func (d *data) states() int { return d.order * len(d.sigma) }

// interval sets the times and given states of the j-th interval of each window. Shorter windows
// get an interval of length zero.
func (s *shooter) interval(j int, t, h []float64, given [][]quintic, copies int) {
	nw, d := len(s.wins), s.d
	for w, win := range s.wins {
		r := &d.runs[win.run]
		row := win.at + min(j, win.n-1)
		t0, h0 := r.t[row], r.t[row+1]-r.t[row]
		for k := range given {
			if given[k] == nil {
				continue
			}
			m := d.measured()
			q := d.between(r, row, k%m)
			if k >= m { // its velocity
				q = q.slope(h0)
			}
			for c := range copies {
				given[k][c*nw+w] = q
			}
		}
		if j >= win.n {
			h0 = 0
		}
		for c := range copies {
			t[c*nw+w], h[c*nw+w] = t0, h0
		}
	}
}

// between returns the interpolation of measured state k from a row to the next. An input is
// interpolated linearly, because it may jump; other states use their derivatives.
func (d *data) between(r *run, row, k int) quintic {
	if k >= d.measured()-d.inputs {
		return quintic{r.x[k][row], r.x[k][row+1] - r.x[k][row]}
	}
	return newQuintic(r.slope[k][row], r.slope[k][row+1], r.t[row+1]-r.t[row])
}

// result returns the fit with its standard errors.
func (s *shooter) result(m *normal, p []float64, z [][]float64) *Shot {
	o := &Shot{Params: p, RSS: m.rss, Lost: m.lost, starts: z}
	for _, w := range s.wins {
		o.Rows += float64(w.n)
	}
	runs := map[int]bool{}
	for _, w := range s.wins {
		runs[w.run] = true
	}
	o.Rows += float64(len(runs))
	np := len(p)
	live := 0.0
	for k := range s.d.measured() {
		if !s.given[k] {
			live++
		}
	}
	o.dof = max(1, o.Rows*live-float64(np+len(s.live)*len(s.wins)))
	o.StdErr = make([]float64, np)
	for i := range o.StdErr {
		o.StdErr[i] = math.Inf(1)
	}
	if c, _, _, ok := s.reduced(m, 0); ok && np > 0 {
		var ch mat.Cholesky
		if ch.Factorize(c) {
			o.cov = mat.NewSymDense(np, nil)
			if ch.InverseTo(o.cov) == nil {
				o.cov.ScaleSym(max(m.cost/o.dof, s.rounding()), o.cov)
				for i := range o.StdErr {
					o.StdErr[i] = math.Sqrt(o.cov.At(i, i))
				}
			}
		}
	}
	return o
}

func (d *data) measured() int { return len(d.sigma) }

// rounding returns the least variance of the integration error, in units of the noise variance.
func (s *shooter) rounding() float64 {
	worst := 0.0
	for k, sigma := range s.d.sigma {
		worst = max(worst, 10*s.tol*s.d.scale[k]/sigma)
	}
	return worst * worst
}
