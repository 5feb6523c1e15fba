package wave

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/fit"
)

// Fits of waves to the rows, each wave as a sum of sines and cosines with free coefficients.

// trial is a tree with its fitted constants, and the residual of the fit.
type trial struct {
	tree expr.Tree
	rss  float64
	bits float64 // description length of the residuals, plus a price for each constant
}

// fit fits the constants of a tree, starting from their values in the tree. If the fit fails, the
// description length is infinite.
func (s *finder) fit(t expr.Tree) trial {
	r, err := s.fitter.Fit(t, s.X, s.Y, s.Weights, fit.Settings{Starts: 1, MaxIter: 60})
	if err != nil {
		return trial{bits: math.Inf(1)}
	}
	n := float64(len(s.Y))
	bits := n/2*math.Log2(max(r.RSS, 1e-30*s.power)/n) + math.Log2(n)*float64(len(r.Params))
	return trial{t.WithStarts(r.Params), r.RSS, bits}
}

// failed reports whether the fit failed.
func (f trial) failed() bool { return math.IsInf(f.bits, 1) }

// linear fits the waves plus a linear function of the base variables. Frequencies are fitted as
// well, except those of fixed waves.
func (s *finder) linear(waves []component) trial {
	b := &build.Constants{}
	t := b.Free(0)
	add := func(part expr.Tree) { t = expr.Apply(expr.Add, t, part) }
	for _, v := range s.base {
		add(build.Mul(b.Free(0), expr.X(v)))
	}
	for _, w := range waves {
		var angles []expr.Tree
		for k, a := range w.axes {
			rate := expr.Num(w.omega[k])
			if !w.fixed {
				rate = b.Free(w.omega[k])
			}
			angles = append(angles, expr.Apply(expr.Mul, rate, s.axes[a].tree))
		}
		for k, c := range w.coef {
			part := b.Free(c)
			for i, angle := range angles {
				op := expr.Cos
				if k>>(len(angles)-1-i)&1 == 1 {
					op = expr.Sin
				}
				part = expr.Apply(expr.Mul, part, expr.Apply(op, angle))
			}
			add(part)
		}
	}
	return s.fit(t)
}

// read returns waves with the constants that linear fitted for them. f is the result of linear.
func (s *finder) read(waves []component, f trial) []component {
	params := f.tree.Params()[1+len(s.base):]
	out := make([]component, len(waves))
	for i, w := range waves {
		out[i] = w
		a := len(w.omega)
		if !w.fixed {
			out[i].omega, params = params[:a], params[a:]
		}
		out[i].coef, params = params[:len(w.coef)], params[len(w.coef):]
	}
	return out
}

// residuals returns the residuals of a fit in each row, times the row's weight.
func (s *finder) residuals(f trial) []float64 {
	v := f.tree.Values(len(s.Y), s.X, f.tree.Params())
	floats.SubTo(v, s.Y, v)
	if s.Weights != nil {
		floats.Mul(v, s.Weights)
	}
	return v
}

// Least numbers of half-periods of a wave over the rows.
const (
	fastWave = 1.5 // along the axis with the most half-periods of the wave
	slowWave = 0.1 // along each axis of the wave
)

// keepsWaves reports whether the sines and cosines of a fitted law still oscillate over the rows.
func (s *finder) keepsWaves(t expr.Tree) bool {
	var halves []float64
	angle := make([]float64, len(s.Y))
	for i, n := range t.Nodes() {
		if n.Op == expr.Cos || n.Op == expr.Sin {
			expr.Compile(t.Subtree(i-1)).Eval(angle, s.X, t.Params())
			halves = append(halves, (slices.Max(angle)-slices.Min(angle))/math.Pi)
		}
	}
	return oscillate(halves)
}

// oscillate reports whether sines with the given numbers of half-periods oscillate: each must have
// more than slowWave half-periods, and one of them more than fastWave.
func oscillate(halves []float64) bool {
	return len(halves) > 0 && slices.Max(halves) > fastWave && slices.Min(halves) > slowWave
}

// oscillates reports whether a fitted component is a wave. Its frequencies along its axes must be
// high enough. Its amplitude must not be so large that other terms have to cancel it.
func (s *finder) oscillates(w component) bool {
	var halves []float64
	for k, a := range w.axes {
		halves = append(halves, math.Abs(w.omega[k])/s.axes[a].Step)
	}
	return oscillate(halves) && floats.Norm(w.coef, math.Inf(1)) < mostAmplitude*stat.PopStdDev(s.Y, nil)
}
