package view

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/gaussian"
)

// smooth is a Gaussian process fitted to the target, or to a function of it such as its logarithm
// (see scale).
type smooth struct {
	derivatives
	gp              *gaussian.Process
	spread          []float64 // standard error of the target at each point, up to a common factor
	negLogPosterior float64   // −ln of (likelihood of the target × prior of the process)
}

// curved returns further scales that may suit the target: the logarithm, and a scale that is linear
// for |y| below bend and logarithmic for |y| above bend.
func curved(y []float64, bend float64) (all []scale) {
	if column.OneSign(y) {
		all = append(all, logarithmic)
	}
	return append(all, scale{func(y float64) float64 { return math.Asinh(y / bend) },
		func(y float64) float64 { return 1 / math.Hypot(y, bend) }})
}

// bendAt is the absolute value of the target, in units of its standard error, at which a scale
// changes from linear to logarithmic.
const bendAt = 3

// newSmooth fits a process to the target, on the scale with the most evidence. It returns nil if
// the fit fails.
func newSmooth(ctx context.Context, s *Space, live []int) (g *smooth) {
	spread := column.Map(s.RootWeights, func(w float64) float64 { return 1 / w })
	fitted := func(in scale) *smooth {
		g := &smooth{derivatives: newDerivatives(s, live), spread: spread}
		g.scale = in
		t, spread, logJacobian := g.scaled(nil)
		if g.t, g.gp = t, gaussian.New(ctx, g.u, t, spread); g.gp == nil {
			return nil
		}
		start := g.gp.Start()
		g.gp.Fit(start, fullSteps)
		for k := range live { // second fit, from shorter correlation lengths
			start[k] = 0
		}
		g.gp.Fit(start, fullSteps)
		g.negLogPosterior = g.gp.NegLogPosterior + logJacobian
		return g
	}
	if g = fitted(linear); g == nil || g.gp.Theta == nil {
		return nil
	}
	for _, in := range curved(s.Y, bendAt*g.standardError()*stat.PopStdDev(s.Y, nil)) {
		if o := fitted(in); o != nil && o.negLogPosterior < g.negLogPosterior {
			g = o
		}
	}
	for i := range s.Y {
		g.kept = append(g.kept, i)
	}
	for k, slopes := range g.gp.Slopes() {
		perUnit := stat.PopStdDev(g.t, nil) / stat.PopStdDev(g.u[k], nil)
		g.add(func(r int) float64 { return slopes[r] * perUnit })
	}
	return g
}

// standardError returns the root mean square of the standard errors of t, relative to the standard
// deviation of t.
func (g *smooth) standardError() float64 { return math.Exp(g.gp.Theta[len(g.live)+gaussian.OfErrors]) }

// leastResidual returns the least root mean square residual of the given laws, on the scale of g.
// Like standardError, it is relative to the standard deviation of t. It is infinite if no law has
// finite values at all points.
func (g *smooth) leastResidual(laws []expr.Tree) float64 {
	least, v := math.Inf(1), make([]float64, len(g.t))
	for _, law := range laws {
		expr.Compile(law).Eval(v, g.s.Columns(), law.Params())
		square := 0.0
		for i, t := range g.t {
			square += (g.scale.to(v[i]) - t) * (g.scale.to(v[i]) - t) / float64(len(g.t))
		}
		if square < least*least { // false for NaN
			least = math.Sqrt(square)
		}
	}
	return least / stat.PopStdDev(g.t, nil)
}

// scaled returns the target on the scale of g and the standard errors of the values returned. If by
// is not nil, the target is first divided by it. Adding logJacobian to −ln of the likelihood of the
// standardized values gives −ln of the likelihood of the target itself.
func (g *smooth) scaled(by []float64) (t, spread []float64, logJacobian float64) {
	y, spread := g.s.Y, slices.Clone(g.spread)
	if by != nil {
		y = floats.DivTo(make([]float64, len(y)), y, by)
		floats.Div(spread, column.Map(by, math.Abs))
		logJacobian += floats.Sum(column.Map(by, column.LogAbs))
	}
	t = column.Map(y, g.scale.to)
	for i, v := range y {
		slope := math.Abs(g.scale.slope(v))
		spread[i] *= slope
		logJacobian -= math.Log(slope)
	}
	return t, spread, logJacobian + float64(len(t))*math.Log(stat.PopStdDev(t, nil))
}

// gain returns by how many nats the evidence grows if the symmetry m is used. It is −Inf if the
// first steps of the fit show that m is hopeless.
func (g *smooth) gain(ctx context.Context, m symmetry) float64 {
	coordinates, of, by := g.without(m)
	if by != nil { // so that the size of the target hardly changes, and the bend of its scale remains valid
		floats.Scale(1/stat.GeometricMean(by, nil), by)
	}
	t, spread, logJacobian := g.scaled(by)
	p := gaussian.New(ctx, coordinates, t, spread)
	if p == nil {
		return math.Inf(-1)
	}
	theta := make([]float64, 0, len(of)+gaussian.Sizes)
	for _, from := range of {
		theta = append(theta, slices.Min(dataset.Pick(g.gp.Theta, from)))
	}
	theta = append(theta, g.gp.Theta[len(g.live):]...)
	theta[len(of)+gaussian.OfErrors] += moreErrors
	p.Fit(theta, firstSteps)
	if p.Theta == nil || p.NegLogPosterior+logJacobian > g.negLogPosterior+hopeless {
		return math.Inf(-1)
	}
	p.Fit(p.Theta, moveSteps)
	return g.negLogPosterior - p.NegLogPosterior - logJacobian
}
