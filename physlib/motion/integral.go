package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/expr"
)

// integralForm is the integral form of an equation over windows:
//
//	x(t) = start + ∫ f(x(s)) ds
//
// At order 2, it has an initial velocity and a double integral. This form is linear in the
// coefficients of terms and needs no derivative (I. Dattner, C. A. J. Klaassen, Electron. J. Stat.
// 9 (2015) 1939). The states in f are smoothed.
type integralForm struct {
	d       *data
	wins    []window
	bases   [][][]float64 // orthonormal base of the effects of the starting values, for each window
	at, mid [][]float64   // columns of the right-hand sides at the rows, and half a step later
	end     [][]float64   // columns at the end of the step after each row; nil: those at the next row
	limited *integralForm // the form with states at least at their smallest values; nil: none known
	every   int           // only one of this many rows is used, to limit the cost
	rows    float64       // degrees of freedom of the residuals if there are no constants
	y       []float64     // the measured state
}

// fit fits the constants of rate t by damped least squares. precision is the description length of
// all constants, in bits. rss is infinite if t is undefined in a row. If hopeless is not nil, it is
// called with the residual sum of squares before each step; the fit ends if hopeless returns true.
func (f *integralForm) fit(t expr.Tree, steps int, hopeless func(step int, rss float64) bool) (params []float64, rss, precision float64) {
	program := expr.Compile(t)
	rest := func(p []float64) ([]float64, float64) {
		v, _ := f.column(program, p)
		if v == nil {
			return nil, math.Inf(1)
		}
		for i := range v {
			v[i] = f.y[i] - v[i]
		}
		return v, dot(v, v)
	}
	p := slices.Clone(t.Params())
	r, rss := rest(p)
	lambda := 1e-4
	var jac [][]float64
	for step := 0; r != nil && len(p) > 0 && step < steps; step++ {
		if hopeless != nil && hopeless(step, rss) {
			break
		}
		if jac = f.jacobian(program, p, r); jac == nil {
			break
		}
		gain := 0.0
		for tries := 0; tries < 6; tries++ {
			dp := damped(jac, r, lambda)
			if dp == nil {
				lambda *= 10
				continue
			}
			q := slices.Clone(p)
			for i := range q {
				q[i] += dp[i]
			}
			if next, less := rest(q); less < rss {
				gain = (rss - less) / rss
				p, r, rss = q, next, less
				lambda = max(lambda/10, 1e-12)
				break
			}
			lambda *= 10
		}
		if gain < 1e-5 {
			break
		}
	}
	return p, rss, f.precision(jac, p, rss)
}

// jacobian returns the derivatives of the integral form with respect to the constants.
func (f *integralForm) jacobian(rate *expr.Program, p, rest []float64) [][]float64 {
	out := make([][]float64, len(p))
	for i, v := range p {
		q := slices.Clone(p)
		h := 1e-6 * max(math.Abs(v), 1e-3)
		q[i] += h
		c, _ := f.column(rate, q)
		if c == nil {
			return nil
		}
		for j := range c {
			c[j] = (c[j] - (f.y[j] - rest[j])) / h
		}
		out[i] = c
	}
	return out
}

// damped returns a Levenberg–Marquardt step, or nil if the system is singular.
func damped(jac [][]float64, rest []float64, lambda float64) []float64 {
	n := len(jac)
	columns := make([][]float64, n)
	for i, c := range jac {
		columns[i] = append(slices.Clone(c), make([]float64, n)...)
		columns[i][len(c)+i] = math.Sqrt(lambda*dot(c, c)) + 1e-300
	}
	return leastSquares(columns, append(slices.Clone(rest), make([]float64, n)...))
}

// precision returns the description length of the constants, in bits, at the precision with which
// they are known.
func (f *integralForm) precision(jac [][]float64, p []float64, rss float64) float64 {
	n := len(p)
	if n == 0 {
		return 0
	}
	if jac == nil {
		return 10 * float64(n)
	}
	relative := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			relative.SetSym(i, j, dot(jac[i], jac[j])*p[i]*p[j]*f.rows/max(rss, 1e-300))
		}
	}
	return precisionBits(relative, n, 1)
}

// matching is the integral form of an equation with a library of terms.
type matching struct {
	termMatrix
	*integralForm
}

// terms returns f with the library of those atoms whose effect on the state is defined and not
// negligible. It returns nil if there is no such atom.
func (f *integralForm) terms(atoms []expr.Tree) *matching {
	m := &matching{integralForm: f, termMatrix: termMatrix{y: f.y}}
	for _, g := range atoms {
		if v, whole := f.column(expr.Compile(g), g.Params()); v != nil {
			m.add(g, v, whole)
		}
	}
	if len(m.trees) == 0 {
		return nil
	}
	return m
}

// integralForm returns the integral form of equation k over windows, or nil if there are too few
// data.
func (sr *searcher) integralForm(k int, wins []window) *integralForm {
	d := sr.d
	f := &integralForm{d: d, wins: wins, bases: make([][][]float64, len(wins))}
	f.at, f.mid, f.end = sr.smoothed(wins)
	if d.least != nil {
		f.limited = &integralForm{d: d, wins: wins, at: limited(f.at, d.least), mid: limited(f.mid, d.least)}
		if f.end != nil {
			f.limited.end = limited(f.end, d.least)
		}
	}
	for w, win := range wins {
		t := d.runs[win.run].t[win.at : win.at+win.n+1]
		for p := range d.order {
			v := make([]float64, len(t))
			for j := range t {
				v[j] = math.Pow(t[j]-t[0], float64(p))
			}
			if u := orthogonal(f.bases[w], v, 1e-9); u != nil {
				f.bases[w] = append(f.bases[w], u)
			}
		}
		f.y = append(f.y, d.runs[win.run].x[k][win.at:win.at+win.n+1]...)
	}
	f.every = (len(f.y)-1)/sparseRows + 1
	f.rows = float64(len(f.y)-len(wins)*d.order) / float64(f.every)
	f.free(f.y)
	f.y = thinned(f.y, f.every)
	if len(f.y) < 8 || !(f.rows >= 4) || !(dot(f.y, f.y) > 0) {
		return nil
	}
	return f
}

// column returns the contribution v to y of a rate with the constants p, with the effects of the
// starting values projected out. whole is the norm of the contribution before the projection. v is
// nil if the rate is undefined in a row.
func (f *integralForm) column(rate *expr.Program, p []float64) (v []float64, whole float64) {
	if v = f.integrated(rate, p); v == nil && f.limited != nil {
		v = f.limited.integrated(rate, p)
	}
	if v == nil {
		return nil, 0
	}
	whole = math.Sqrt(dot(v, v))
	f.free(v)
	return thinned(v, f.every), whole
}

// integrated returns the integral of a rate with the constants p, from the start of each window to
// each of its rows. It is nil if the rate is undefined in a row.
func (f *integralForm) integrated(rate *expr.Program, p []float64) []float64 {
	value, half := make([]float64, len(f.at[0])), make([]float64, len(f.at[0]))
	rate.Eval(value, f.at, p)
	rate.Eval(half, f.mid, p)
	end := append(value[1:len(value):len(value)], 0)
	if f.end != nil {
		rate.Eval(end, f.end, p)
	}
	return f.d.integral(f.wins, value, half, end)
}

// free projects the effects of the starting values out of v.
func (f *integralForm) free(v []float64) {
	a := 0
	for w, win := range f.wins {
		part := v[a : a+win.n+1]
		for range 2 {
			for _, u := range f.bases[w] {
				subtract(part, u, dot(part, u))
			}
		}
		a += win.n + 1
	}
}

func thinned(v []float64, every int) (out []float64) {
	for i := 0; i < len(v); i += every {
		out = append(out, v[i])
	}
	return out
}

// smoothed returns the columns of the right-hand sides at three times: at the rows of windows, half
// a step later, and at the end of the step. end is nil if no input is held, since the values at the
// end of a step are then those at the next row. The states in these columns are smoothed.
func (sr *searcher) smoothed(wins []window) (at, mid, end [][]float64) {
	d := sr.d
	n := len(sr.names)
	at, mid, end = make([][]float64, n), make([][]float64, n), make([][]float64, n)
	m := d.numMeasured()
	for _, w := range wins {
		r := &d.runs[w.run]
		for j := range w.n + 1 {
			row := min(w.at+j, len(r.t)-2)
			step := r.t[row+1] - r.t[row]
			col := 0
			put := func(a, b, c float64) {
				at[col], mid[col], end[col] = append(at[col], a), append(mid[col], b), append(end[col], c)
				col++
			}
			for o := range d.order {
				for k := range m {
					q := d.between(r, row, k)
					if o == 1 {
						q = q.derivative(step)
					}
					x := 0.0
					if row < w.at+j {
						x = 1
					}
					put(q.at(x), q.at(min(1, x+0.5)), q.at(1))
				}
			}
			for _, e := range r.extra {
				put(e, e, e)
			}
			if sr.tr.TimeDependent {
				put(r.t[w.at+j], r.t[w.at+j]+step/2, r.t[w.at+j]+step)
			}
		}
	}
	if d.hold == nil {
		end = nil
	}
	return at, mid, end
}

// integral integrates over each window from its first row to each row by Simpson's rule, twice at
// order 2. The integrand is given at the rows, half a step later and at the end of the step. The
// result is nil if the integrand is undefined in a row.
func (d *data) integral(wins []window, value, half, end []float64) []float64 {
	out := make([]float64, len(value))
	i := 0
	for _, w := range wins {
		t := d.runs[w.run].t[w.at : w.at+w.n+1]
		x, v := 0.0, 0.0
		for j := range t {
			if value[i]-value[i] != 0 {
				return nil
			}
			out[i] = x
			if d.order == 1 {
				out[i] = v
			}
			if j < w.n {
				s := t[j+1] - t[j]
				if half[i]-half[i] != 0 || end[i]-end[i] != 0 {
					return nil
				}
				x += s*v + s*s*(value[i]/6+half[i]/3)
				v += s / 6 * (value[i] + 4*half[i] + end[i])
			}
			i++
		}
	}
	return out
}
