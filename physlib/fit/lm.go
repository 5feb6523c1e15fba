package fit

import "math"

// descend runs from theta, the nonlinear constants, and leaves the constants found in f.params.
func (f *Fitter) descend(theta []float64, s Settings) (rss float64, converged bool) {
	m := len(theta)
	rss, ok := f.project(theta)
	if !ok {
		return math.Inf(1), false
	}
	best := append([]float64(nil), f.params...)
	if m == 0 {
		return rss, true
	}
	lambda, small := 1e-3, 0
	scale := make([]float64, m)
	trial := make([]float64, m)
	g := make([]float64, m)
	h := make([]float64, m*m)
	a := make([]float64, m*m)
	step := make([]float64, m)
	for range s.MaxIter {
		f.jacobian(h, g)
		for i := range m {
			scale[i] = max(scale[i], math.Sqrt(h[i*m+i]))
		}
		improved := false
		for range 12 {
			for i := range a {
				a[i] = h[i]
			}
			for i := range m {
				d := scale[i]
				if d == 0 {
					d = 1
				}
				a[i*m+i] += lambda * d * d
			}
			if !solveSPD(a, g, step) {
				lambda = max(lambda*10, 1e-12)
				continue
			}
			for i := range m {
				trial[i] = theta[i] + step[i]
			}
			next, ok := f.project(trial)
			if ok && next < rss {
				gain := (rss - next) / rss
				copy(theta, trial)
				copy(best, f.params)
				rss, improved = next, true
				lambda = max(lambda/9, 1e-15)
				if gain < s.Tol {
					small++
				} else {
					small = 0
				}
				break
			}
			if tiny(step, theta) {
				f.restore(best)
				return rss, true
			}
			lambda = min(lambda*8, 1e18)
		}
		if !improved {
			f.restore(best)
			return rss, true
		}
		if small >= 2 || rss == 0 {
			return rss, true
		}
	}
	return rss, false
}

// tiny tells whether a step changes nothing that can be told.
func tiny(step, theta []float64) bool {
	for i, d := range step {
		if math.Abs(d) > 1e-15*math.Abs(theta[i]) {
			return false
		}
	}
	return true
}

// restore goes back to constants seen before.
func (f *Fitter) restore(params []float64) { copy(f.params, params) }

// project sets the nonlinear constants to theta, solves for the linear ones, and leaves the constants in f.params and the
// weighted residual in f.res. ok is false where the law is undefined.
func (f *Fitter) project(theta []float64) (rss float64, ok bool) {
	for i, slot := range f.non {
		f.params[slot] = theta[i]
	}
	for _, slot := range f.lin {
		f.params[slot] = 0
	}
	f.evaluate()
	if len(f.lin) > 0 {
		f.solveLinear()
		f.evaluate()
	}
	for i, y := range f.y {
		r := (y - f.value[i]) * f.weight(i)
		f.res[i] = r
		rss += r * r
	}
	return rss, !math.IsNaN(rss) && !math.IsInf(rss, 0)
}

// solveLinear finds the linear constants for the law's values f.value without them and their columns in f.grad, by modified
// Gram–Schmidt with one refinement. A column in the span of others gets zero.
func (f *Fitter) solveLinear() {
	mark := f.used
	n := len(f.lin)
	q := make([][]float64, 0, n)
	r := make([]float64, n*n)
	col := make([]int, 0, n)
	for c, slot := range f.lin {
		v := f.row()
		norm0 := 0.0
		for i, x := range f.grad[slot] {
			x *= f.weight(i)
			v[i] = x
			norm0 += x * x
		}
		for range 2 {
			for k, u := range q {
				d := dot(u, v)
				r[k*n+c] += d
				axpy(-d, u, v)
			}
		}
		norm := dot(v, v)
		if !(norm > 1e-26*norm0) || math.IsInf(norm, 0) || norm == 0 {
			for k := range q {
				r[k*n+c] = 0
			}
			continue
		}
		norm = math.Sqrt(norm)
		for i := range v {
			v[i] /= norm
		}
		r[len(q)*n+c] = norm
		q = append(q, v)
		col = append(col, c)
	}
	t := f.row()
	for i, y := range f.y {
		t[i] = (y - f.value[i]) * f.weight(i)
	}
	rhs := make([]float64, len(q))
	for range 2 {
		for k, u := range q {
			d := dot(u, t)
			rhs[k] += d
			axpy(-d, u, t)
		}
	}
	for k := len(q) - 1; k >= 0; k-- {
		x := rhs[k]
		for l := k + 1; l < len(q); l++ {
			x -= r[k*n+col[l]] * f.params[f.lin[col[l]]]
		}
		f.params[f.lin[col[k]]] = x / r[k*n+col[k]]
	}
	f.used = mark
}

// jacobian computes JᵀJ and Jᵀr of the nonlinear constants after the linear ones are projected out (Kaufman).
func (f *Fitter) jacobian(h, g []float64) {
	mark := f.used
	q := f.basis(f.lin)
	j := make([][]float64, len(f.non))
	for i, slot := range f.non {
		v := f.row()
		for k, x := range f.grad[slot] {
			x *= f.weight(k)
			if math.IsNaN(x) || math.IsInf(x, 0) {
				x = 0
			}
			v[k] = x
		}
		for _, u := range q {
			axpy(-dot(u, v), u, v)
		}
		j[i] = v
	}
	m := len(j)
	for i := range m {
		g[i] = dot(j[i], f.res)
		for k := i; k < m; k++ {
			h[i*m+k] = dot(j[i], j[k])
			h[k*m+i] = h[i*m+k]
		}
	}
	f.used = mark
}

// basis is an orthonormal basis of the weighted derivative columns of the slots, which must be of the last evaluation.
func (f *Fitter) basis(slots []int) [][]float64 {
	q := make([][]float64, 0, len(slots))
	for _, slot := range slots {
		v := f.row()
		norm0 := 0.0
		for i, x := range f.grad[slot] {
			x *= f.weight(i)
			v[i] = x
			norm0 += x * x
		}
		for range 2 {
			for _, u := range q {
				axpy(-dot(u, v), u, v)
			}
		}
		norm := dot(v, v)
		if !(norm > 1e-26*norm0) || math.IsInf(norm, 0) {
			continue
		}
		norm = math.Sqrt(norm)
		for i := range v {
			v[i] /= norm
		}
		q = append(q, v)
	}
	return q
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// axpy adds c·x to y.
func axpy(c float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += c * v
	}
}

// solveSPD solves a·x = b for a symmetric positive definite a, which it overwrites by its Cholesky factor.
func solveSPD(a, b, x []float64) bool {
	n := len(b)
	for j := range n {
		d := a[j*n+j]
		for k := range j {
			d -= a[j*n+k] * a[j*n+k]
		}
		if !(d > 0) || math.IsInf(d, 0) {
			return false
		}
		d = math.Sqrt(d)
		a[j*n+j] = d
		for i := j + 1; i < n; i++ {
			s := a[i*n+j]
			for k := range j {
				s -= a[i*n+k] * a[j*n+k]
			}
			a[i*n+j] = s / d
		}
	}
	for i := range n {
		s := b[i]
		for k := range i {
			s -= a[i*n+k] * x[k]
		}
		x[i] = s / a[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < n; k++ {
			s -= a[k*n+i] * x[k]
		}
		x[i] = s / a[i*n+i]
	}
	return true
}
