package fit

import "math"

// errors fills in the covariance at the constants found: s² (JᵀJ)⁻¹ with the weighted full Jacobian J, and s² the residual
// variance, or one when the weights are absolute.
func (f *Fitter) errors(r *Result, absolute bool) {
	n := len(r.Params)
	r.StdErr = make([]float64, n)
	r.Cov = make([]float64, n*n)
	if n == 0 {
		return
	}
	copy(f.params, r.Params)
	f.evaluate()
	s2 := 1.0
	if !absolute {
		s2 = r.RSS / float64(max(1, len(f.y)-n))
		if len(f.y) <= n {
			s2 = math.Inf(1)
		}
	}
	slots := append(append([]int(nil), f.lin...), f.non...)
	inv, rank := f.inverseR(slots)
	for i, a := range slots {
		for j, b := range slots {
			v := 0.0
			for k := range slots {
				v += inv[i*n+k] * inv[j*n+k]
			}
			r.Cov[a*n+b] = s2 * v
		}
		r.StdErr[a] = math.Sqrt(r.Cov[a*n+a])
		if !rank[i] || math.IsNaN(r.StdErr[a]) {
			r.StdErr[a] = math.Inf(1)
		}
	}
}

// inverseR is R⁻¹ (n × n, upper triangular) of the QR decomposition of the slots' weighted derivative columns, each scaled
// to unit norm for the rank decision, and which columns are independent of those before them.
func (f *Fitter) inverseR(slots []int) (inv []float64, rank []bool) {
	mark := f.used
	n := len(f.params)
	m := len(slots)
	rr := make([]float64, m*m)
	rank = make([]bool, m)
	var q [][]float64
	var of []int
	for c, slot := range slots {
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
				rr[of[k]*m+c] += d
				axpy(-d, u, v)
			}
		}
		norm := dot(v, v)
		rank[c] = norm > 1e-24*norm0 && !math.IsInf(norm, 0)
		norm = math.Sqrt(norm)
		rr[c*m+c] = norm
		if !rank[c] {
			rr[c*m+c] = math.Inf(1)
			continue
		}
		for i := range v {
			v[i] /= norm
		}
		q = append(q, v)
		of = append(of, c)
	}
	f.used = mark
	inv = make([]float64, n*n)
	for c := range m {
		inv[c*n+c] = 1 / rr[c*m+c]
		for i := c - 1; i >= 0; i-- {
			if !rank[i] {
				continue
			}
			s := 0.0
			for k := i + 1; k <= c; k++ {
				s += rr[i*m+k] * inv[k*n+c]
			}
			inv[i*n+c] = -s / rr[i*m+i]
		}
	}
	return inv, rank
}
