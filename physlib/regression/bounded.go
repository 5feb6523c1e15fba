package regression

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// solveBounded finds the constants within their bounds. It starts from the starting values of the
// law, from the best constants without bounds, and from random points near these two. For a robust
// loss, it also starts from fits to subsets of the rows.
func (p *problem) solveBounded(free []float64) (params, cov []float64, converged bool, err error) {
	o := p.objective(free)
	starts := [][]float64{p.clip(p.law.Tree.Params()), p.clip(free)}
	rng := rand.New(rand.NewPCG(uint64(p.s.Seed), 0xb0d))
	count := p.s.Starts
	if count <= 0 {
		count = 8
	}
	for range count - 1 {
		starts = append(starts, p.between(rng, starts[0], starts[1]))
	}
	if p.loss.robust() {
		starts = append(starts, p.subsets(rng, starts[1], o)...)
	}
	best := math.Inf(1)
	for _, start := range starts {
		c, sum, ok := o.minimize(start, p.lo, p.hi)
		if sum < best*(1-1e-12) {
			best, params, converged = sum, c, ok
		}
	}
	if params == nil {
		return nil, nil, false, errors.New("the formula has no finite value on the table within the bounds; try other bounds or starts")
	}
	r, j := make([]float64, len(p.y)), matrix(len(params), len(p.y))
	o.residual(params, r)
	o.jacobian(params, j)
	o.weighByLoss(r, j)
	return params, covariance(j, p.held(params)), converged, nil
}

// clip moves constants to the nearest values within their bounds.
func (p *problem) clip(c []float64) []float64 {
	c = slices.Clone(c)
	for i := range c {
		c[i] = min(max(c[i], p.lo[i]), p.hi[i])
	}
	return c
}

// between draws a random starting value for each constant. The starting value lies within the
// bounds of the constant if both bounds are finite. Otherwise it lies within a factor of about
// three of the value of the constant in a or b.
func (p *problem) between(rng *rand.Rand, a, b []float64) []float64 {
	c := make([]float64, len(a))
	for i := range c {
		c[i] = a[i]
		if rng.IntN(2) == 1 {
			c[i] = b[i]
		}
		if w := p.hi[i] - p.lo[i]; !math.IsInf(w, 0) {
			c[i] = p.lo[i] + w*rng.Float64()
		} else {
			c[i] *= math.Exp(rng.NormFloat64())
		}
	}
	return p.clip(c)
}

// held reports, for each constant, whether it is at a bound.
func (p *problem) held(c []float64) []bool {
	h := make([]bool, len(c))
	for i, v := range c {
		h[i] = v <= p.lo[i] || v >= p.hi[i]
	}
	return h
}

// Limits of minimize.
const (
	mostSteps = 500   // largest number of steps from one set of starting values
	stepTol   = 1e-13 // relative step below which the constants have converged
)

// minimize minimizes the objective by Levenberg–Marquardt steps. It changes only the constants that
// are not held by a bound.
func (o *objective) minimize(start, lo, hi []float64) (params []float64, sum float64, converged bool) {
	k, n := len(start), len(o.p.y)
	params = slices.Clone(start)
	r, trial, next := make([]float64, n), make([]float64, n), make([]float64, k)
	j := matrix(k, n)
	sum = o.residual(params, r)
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, math.Inf(1), false
	}
	mu := 1e-3
	for range mostSteps {
		sum = o.residual(params, r)
		o.jacobian(params, j)
		o.weighByLoss(r, j)
		moved := false
		for mu < 1e20 && !moved {
			step := damped(j, r, mu, o.free(params, r, j, lo, hi))
			small := true
			for i := range next {
				next[i] = min(max(params[i]+step[i], lo[i]), hi[i])
				small = small && math.Abs(next[i]-params[i]) <= stepTol*math.Abs(params[i])
			}
			if small {
				return params, sum, true
			}
			if s := o.residual(next, trial); s <= sum && !math.IsNaN(s) {
				flat := sum-s <= 1e-15*sum
				copy(params, next)
				sum, moved, mu = s, true, max(mu/10, 1e-15)
				if flat && mu <= 1e-6 {
					return params, sum, true
				}
				continue
			}
			mu *= 10
		}
		if !moved {
			return params, o.residual(params, r), true // no step lowers the sum further
		}
	}
	return params, sum, false
}

// free reports, for each constant, whether it may move. A constant may not move if it is at a bound
// and the sum would decrease only beyond the bound.
func (o *objective) free(params, r []float64, j [][]float64, lo, hi []float64) []bool {
	free := make([]bool, len(params))
	for i := range params {
		g := 0.0
		for row, v := range r {
			g += v * j[i][row]
		}
		free[i] = !(params[i] <= lo[i] && g > 0 || params[i] >= hi[i] && g < 0)
	}
	return free
}

// damped returns the Levenberg–Marquardt step. The step is 0 for constants that are not free.
func damped(j [][]float64, r []float64, mu float64, free []bool) []float64 {
	var at []int
	for i, f := range free {
		if f {
			at = append(at, i)
		}
	}
	step := make([]float64, len(j))
	if len(at) == 0 {
		return step
	}
	n, k := len(r), len(at)
	a, b := mat.NewDense(n+k, k, nil), mat.NewVecDense(n+k, nil)
	for i, v := range r {
		b.SetVec(i, -v)
	}
	size := make([]float64, k)
	for c, slot := range at {
		for _, v := range j[slot] {
			size[c] += v * v
		}
		if size[c] = math.Sqrt(size[c]); size[c] == 0 {
			size[c] = 1
		}
		for i, v := range j[slot] {
			a.Set(i, c, v/size[c])
		}
		a.Set(n+c, c, math.Sqrt(mu))
	}
	var qr mat.QR
	qr.Factorize(a)
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, b); err != nil && x.Len() != k {
		return step
	}
	for c, slot := range at {
		if v := x.AtVec(c) / size[c]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			step[slot] = v
		}
	}
	return step
}

// covariance returns (JᵀJ)⁻¹ for the constants that are not held, and 0 for the others. It uses the
// singular values of J, with columns scaled to length one. Constants that the data do not determine
// have an infinite variance.
func covariance(j [][]float64, held []bool) []float64 {
	k := len(j)
	cov := make([]float64, k*k)
	var at []int
	var size []float64
	for i, h := range held {
		if !h {
			at, size = append(at, i), append(size, 0)
		}
	}
	if len(at) == 0 {
		return cov
	}
	a := mat.NewDense(len(j[0]), len(at), nil)
	for c, slot := range at {
		for _, v := range j[slot] {
			size[c] += v * v
		}
		size[c] = math.Sqrt(size[c])
		for i, v := range j[slot] {
			if size[c] > 0 {
				a.Set(i, c, v/size[c])
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		for _, i := range at {
			cov[i*k+i] = math.Inf(1)
		}
		return cov
	}
	values := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	for x, i := range at {
		for y, l := range at {
			sum := 0.0
			for s, sigma := range values {
				switch part := v.At(x, s) * v.At(y, s); {
				case sigma > 1e-14*values[0]:
					sum += part / (sigma * sigma)
				case math.Abs(part) > 1e-12:
					sum = math.Inf(1)
				}
			}
			if math.IsInf(sum, 1) && x != y {
				sum = 0
			}
			cov[i*k+l] = sum / (size[x] * size[y])
		}
	}
	return cov
}
