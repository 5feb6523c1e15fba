package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// perturbed is a system integrated over all windows at once, together with copies. In each copy one
// starting value or constant is perturbed. With n windows, copy c of window w is row c·n + w.
type perturbed struct {
	*shooter
	copies int
	rows   int
	x      [][]float64 // [state][row]
	dz, dp []float64   // perturbations of the integrated states and of the constants
	params [][]float64 // [constant][row]
	extra  [][]float64 // [column that is constant within a run][row]
	flow   *flow
	// Interpolated data of each state without a rate: [state][row]; nil: the state is integrated.
	given [][]quintic
	t, h  []float64 // current interval of each row
	lost  []bool    // whether each window is lost
}

// newPerturbed returns the perturbed system with the starting values z and the constants p.
func (s *shooter) newPerturbed(p []float64, z [][]float64) *perturbed {
	copies := 1 + len(s.live) + len(p)
	v := &perturbed{shooter: s, copies: copies, rows: copies * len(s.wins), lost: make([]bool, len(s.wins))}
	v.t, v.h = make([]float64, v.rows), make([]float64, v.rows)
	v.perturbStarts(z)
	v.perturbConstants(p)
	v.given = make([][]quintic, s.f.states)
	for k := range v.given {
		if s.given[k] {
			v.given[k] = make([]quintic, v.rows)
		}
	}
	v.flow = newFlow(s.f, v.rows, s.tol, s.d.scale)
	v.flow.base = len(s.wins)
	v.flow.budget = 40 * s.longest()
	return v
}

// perturbStarts sets the states of all copies to the starting values z. For each integrated state,
// one copy has perturbed starting values of this state.
func (v *perturbed) perturbStarts(z [][]float64) {
	nw := len(v.wins)
	v.x = make([][]float64, v.f.states)
	for k := range v.x {
		v.x[k] = slices.Repeat(z[k], v.copies)
	}
	v.dz = make([]float64, len(v.live))
	for i, k := range v.live {
		v.dz[i] = 1e-6 * v.d.scale[k]
		for w := range nw {
			v.x[k][(1+i)*nw+w] += v.dz[i]
		}
	}
}

// perturbConstants sets the constants of all copies to p. Each constant is perturbed in one copy.
func (v *perturbed) perturbConstants(p []float64) {
	nw, nl := len(v.wins), len(v.live)
	v.params, v.dp = make([][]float64, len(p)), make([]float64, len(p))
	for i := range p {
		v.params[i] = slices.Repeat(p[i:i+1], v.rows)
		v.dp[i] = 1e-6 * max(math.Abs(p[i]), 1e-3)
		for w := range nw {
			v.params[i][(1+nl+i)*nw+w] += v.dp[i]
		}
	}
	v.extra = make([][]float64, v.f.Extra)
	for e := range v.extra {
		v.extra[e] = make([]float64, v.rows)
		for r := range v.rows {
			v.extra[e][r] = v.d.runs[v.wins[r%nw].run].extra[e]
		}
	}
}

// longest returns the number of intervals of the longest window.
func (s *shooter) longest() (n int) {
	for _, w := range s.wins {
		n = max(n, w.n)
	}
	return n
}

// linearize integrates all windows and returns the normal equations at the constants p and the
// starting values z.
func (s *shooter) linearize(p []float64, z [][]float64) *normal {
	m := s.newNormal(len(p))
	v := s.newPerturbed(p, z)
	for j := range s.longest() + 1 {
		if j > 0 {
			s.interval(j-1, v.t, v.h, v.given, v.copies)
			v.flow.Interval(v.x, v.t, v.h, v.extra, v.params, v.given)
		}
		for w, win := range s.wins {
			if j > win.n || v.lost[w] {
				continue
			}
			if v.lost[w] = v.undefined(w); v.lost[w] {
				m.lost++
				continue
			}
			v.addRow(m, w, j)
		}
	}
	for w, win := range s.wins {
		if v.lost[w] {
			s.charge(m, win)
		}
	}
	m.cost = sum64(m.rss)
	return m
}

// newNormal returns normal equations for np constants, without any residuals yet.
func (s *shooter) newNormal(np int) *normal {
	nl := len(s.live)
	m := &normal{rss: make([]float64, s.d.numMeasured()), c: mat.NewSymDense(max(np, 1), nil), g: make([]float64, np)}
	for range s.wins {
		m.a = append(m.a, mat.NewSymDense(nl, nil))
		m.b = append(m.b, mat.NewDense(nl, max(np, 1), nil))
		m.h = append(m.h, make([]float64, nl))
	}
	return m
}

// undefined reports whether a state of any copy of window w has no value.
func (v *perturbed) undefined(w int) bool {
	for _, x := range v.x {
		for r := w; r < v.rows; r += len(v.wins) {
			if math.IsNaN(x[r]) {
				return true
			}
		}
	}
	return false
}

// addRow adds the residuals of window w after j intervals, with their derivatives, to m.
func (v *perturbed) addRow(m *normal, w, j int) {
	d, win, nw, nl := v.d, v.wins[w], len(v.wins), len(v.live)
	row := win.at + j
	weight := 1.0
	if j == 0 && win.at > 0 || j == win.n && row < len(d.runs[win.run].t)-1 {
		weight = 0.5 // the row is shared with the adjacent window
	}
	jac := make([]float64, nl+len(v.dp))
	for k := range d.numMeasured() {
		if v.given[k] != nil {
			continue
		}
		base := v.x[k][w]
		r := (d.runs[win.run].x[k][row] - base) / d.sigma[k]
		for i := range jac {
			step := 0.0
			if i < nl {
				step = v.dz[i]
			} else {
				step = v.dp[i-nl]
			}
			jac[i] = (v.x[k][(1+i)*nw+w] - base) / step / d.sigma[k]
		}
		m.add(w, r, weight, jac, nl)
		m.rss[k] += weight * r * r
	}
}

// charge adds a penalty to m for a window that could not be integrated: a residual of three times
// the size of each state in each row. Its derivatives are zero.
func (s *shooter) charge(m *normal, win window) {
	for k := range s.d.numMeasured() {
		if !s.given[k] {
			e := 3 * s.d.scale[k] / s.d.sigma[k]
			m.rss[k] += float64(win.n+1) * e * e
		}
	}
}

// interval sets the times and given states of the j-th interval of each window. A window with fewer
// intervals gets an interval of length zero.
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
			m := d.numMeasured()
			q := d.between(r, row, k%m)
			if k >= m { // the velocity of a measured state
				q = q.derivative(h0)
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

// between returns the interpolation of measured state k between a row and the next. The
// interpolation of an input is linear or constant (see hold), because inputs may jump, or a
// polynomial if the input is smooth (see curveInputs). The interpolation of other states uses their
// derivatives at both rows.
func (d *data) between(r *run, row, k int) quintic {
	switch {
	case d.hold != nil && d.hold[k] == holdEarlier:
		return quintic{r.x[k][row]}
	case d.hold != nil && d.hold[k] == holdLater:
		return quintic{r.x[k][row+1]}
	case k >= d.numMeasured()-d.inputs && d.bent:
		return bentCurve(r, k, row, d.curved[k])
	case k >= d.numMeasured()-d.inputs:
		return curve(r, k, row, d.curved[k])
	}
	return newQuintic(r.derivative[k][row], r.derivative[k][row+1], r.t[row+1]-r.t[row])
}
