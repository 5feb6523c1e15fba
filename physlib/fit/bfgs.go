package fit

import (
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/physlib/lab/physlib/fit/qr"
	"gonum.org/v1/gonum/floats"
)

// quasiNewton minimizes RSS over all constants, including the linear ones, starting from the values
// in the tree. It uses BFGS, with each constant in units of its starting value. Other programs for
// symbolic regression fit in this way. The default method, Levenberg–Marquardt, needs fewer passes
// over the rows and finds better minima.
func (f *Fitter) quasiNewton(s Settings) {
	k := len(f.params)
	unit, x := make([]float64, k), make([]float64, k)
	for i, p := range f.params {
		unit[i], x[i] = math.Abs(p), 1
		if p == 0 {
			unit[i], x[i] = 1, 0
		} else if p < 0 {
			x[i] = -1
		}
	}
	scale := f.yy
	if scale == 0 {
		scale = 1
	}
	set := func(x []float64) {
		for i, v := range x {
			f.params[i] = v * unit[i]
		}
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			set(x)
			rss := 0.0
			f.gradient(nil, &rss)
			if math.IsNaN(rss) {
				return math.Inf(1)
			}
			return rss / scale
		},
		Grad: func(grad, x []float64) {
			set(x)
			rss := 0.0
			f.gradient(grad, &rss)
			for i := range grad {
				grad[i] *= unit[i] / scale
			}
		},
	}
	settings := &optimize.Settings{
		MajorIterations: s.MaxIter,
		Converger:       &optimize.FunctionConverge{Relative: 1e-14, Absolute: 1e-30, Iterations: 5},
	}
	if v := problem.Func(x); math.IsInf(v, 0) {
		return
	}
	// An error of the line search is not a failure: near a minimum, rounding hides the last digits.
	r, _ := optimize.Minimize(problem, x, settings, &optimize.BFGS{})
	if r == nil {
		return
	}
	set(r.X)
	if f.linearize() {
		tangent := f.tri.R[k*f.tri.N : k*f.tri.N+k]
		f.converged = qr.Norm(tangent) <= 1e-5*math.Sqrt(f.rss) || f.rss <= exactFit*exactFit*f.yy
	}
}

// gradient sets rss to the RSS. If grad is not nil, gradient also sets grad[slot] to the derivative
// of the RSS with respect to the constant in that slot.
func (f *Fitter) gradient(grad []float64, rss *float64) {
	k := len(f.params)
	clear(grad)
	f.rss, f.fresh = 0, false
	f.eachBlock(func(lo, n int) bool {
		f.residual(lo, n)
		for slot := range grad {
			g := f.column(slot, lo, n)[k+1:]
			grad[slot] -= 2 * floats.Dot(g, f.buffers[k][k+1:k+1+n])
		}
		return true
	})
	*rss = f.rss
}
