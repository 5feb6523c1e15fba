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

// fit fits the constants of a tree, starting from their values in the tree. ok is false if the fit
// fails.
func (s *finder) fit(t expr.Tree) (f trial, ok bool) {
	r, err := s.fitter.Fit(t, s.X, s.Y, s.Weights, fit.Settings{Starts: 1, MaxIter: 60})
	if err != nil {
		return trial{}, false
	}
	f = trial{tree: t.WithStarts(r.Params), rss: r.RSS}
	n := float64(len(s.Y))
	f.bits = n/2*math.Log2(max(r.RSS, 1e-30*s.power)/n) + math.Log2(n)*float64(len(r.Params))
	return f, true
}

// linear fits the waves plus a linear function of the base variables. Frequencies are fitted as
// well, except those of fixed waves. If the fit fails, the tree of the result is empty.
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
	f, ok := s.fit(t)
	if !ok {
		return trial{}
	}
	return f
}

// read returns waves with the constants that linear fitted for them. f is the result of linear.
func (s *finder) read(waves []component, f trial) []component {
	params := f.tree.Params()[1+len(s.base):]
	out := make([]component, len(waves))
	for i, w := range waves {
		out[i] = w
		if a := len(w.omega); !w.fixed {
			out[i].omega, params = params[:a], params[a:]
		}
		out[i].coef, params = params[:len(w.coef)], params[len(w.coef):]
	}
	return out
}

// residuals returns the residuals of a fit in each row, times the row's weight.
func (s *finder) residuals(f trial) []float64 {
	v := make([]float64, len(s.Y))
	expr.Compile(f.tree).Eval(v, s.X, f.tree.Params())
	for i, y := range s.Y {
		v[i] = y - v[i]
		if s.Weights != nil {
			v[i] *= s.Weights[i]
		}
	}
	return v
}

// Least numbers of half-periods of a wave over the rows.
const (
	fastWave = 1.5 // along the axis with the most half-periods of the wave
	slowWave = 0.1 // along each axis of the wave
)

// keepsWaves reports whether the sines and cosines of a fitted law still oscillate over the rows.
// Each must run through more than slowWave half-periods, and one of them through more than
// fastWave.
func (s *finder) keepsWaves(t expr.Tree) bool {
	fastest, slowest := 0.0, math.Inf(1)
	angle := make([]float64, len(s.Y))
	for i, n := range t.Nodes() {
		if n.Op == expr.Cos || n.Op == expr.Sin {
			expr.Compile(t.Subtree(i-1)).Eval(angle, s.X, t.Params())
			steps := (slices.Max(angle) - slices.Min(angle)) / math.Pi
			fastest, slowest = max(fastest, steps), min(slowest, steps)
		}
	}
	return fastest > fastWave && slowest > slowWave
}

// oscillates reports whether a fitted component is a wave. Its frequencies along its axes must be
// high enough. Its amplitude must not be so large that other terms have to cancel it.
func (s *finder) oscillates(w component) bool {
	fastest, slowest := 0.0, math.Inf(1)
	for k, a := range w.axes {
		steps := math.Abs(w.omega[k]) / s.axes[a].Step
		fastest, slowest = max(fastest, steps), min(slowest, steps)
	}
	return fastest > fastWave && slowest > slowWave && floats.Norm(w.coef, math.Inf(1)) < mostAmplitude*stat.PopStdDev(s.Y, nil)
}
