package view

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/column"
)

// smooth is a Gaussian process fitted to the target, or to a function of it such as its logarithm
// (see scale).
type smooth struct {
	derivatives
	gp       *process
	scale    scale
	spread   []float64 // standard error of the target at each point, up to a common factor
	evidence float64   // −ln of (likelihood of the target × prior of the process)
}

// scale is a function of the target that a process describes better than the target itself.
type scale struct {
	to    func(y float64) float64
	slope func(y float64) float64 // derivative of the function in the field to
}

// linear is the scale of the target itself.
var linear = scale{func(y float64) float64 { return y }, func(float64) float64 { return 1 }}

// curved returns further scales that may suit the target: the logarithm, and a scale that is linear
// for |y| below bend and logarithmic for |y| above bend.
func curved(y []float64, bend float64) (all []scale) {
	if column.OneSign(y) {
		all = append(all, scale{column.LogAbs, func(y float64) float64 { return 1 / y }})
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
	var coordinates [][]float64
	isLog := make([]bool, len(live))
	for k, i := range live {
		var c []float64
		c, isLog[k] = coordinate(s.X[i])
		coordinates = append(coordinates, c)
	}
	spread := column.Map(s.RootWeights, func(w float64) float64 { return 1 / w })
	fitted := func(in scale) *smooth {
		g := &smooth{derivatives: derivatives{s: s, live: live}, scale: in, spread: spread}
		t, spread, units := g.scaled(nil)
		if g.t, g.gp = t, newProcess(ctx, coordinates, t, spread); g.gp == nil {
			return nil
		}
		start := g.gp.start()
		g.gp.fit(start, fullSteps)
		for k := range coordinates { // second fit, from shorter correlation lengths
			start[k] = 0
		}
		g.gp.fit(start, fullSteps)
		g.evidence = g.gp.evidence + units
		return g
	}
	if g = fitted(linear); g == nil || g.gp.theta == nil {
		return nil
	}
	for _, in := range curved(s.Y, bendAt*g.standardError()*stat.PopStdDev(s.Y, nil)) {
		if o := fitted(in); o != nil && o.evidence < g.evidence {
			g = o
		}
	}
	g.differentiate(coordinates, isLog)
	return g
}

// standardError returns the root mean square of the standard errors of t, relative to the standard
// deviation of t.
func (g *smooth) standardError() float64 { return math.Exp(g.gp.theta[len(g.live)+ofErrors]) }

// leastLeft returns the root mean square residual of the best law in the list laws, on the scale of
// g. Like standardError, it is relative to the standard deviation of t. It is infinite if no law
// has finite values at all points.
func (g *smooth) leastLeft(laws []expr.Tree) float64 {
	least, v := math.Inf(1), make([]float64, len(g.t))
	for _, law := range laws {
		expr.Compile(law).Eval(v, g.s.Columns(), law.Params())
		left := 0.0
		for i, t := range g.t {
			left += (g.scale.to(v[i]) - t) * (g.scale.to(v[i]) - t) / float64(len(g.t))
		}
		if left < least*least { // false for NaN
			least = math.Sqrt(left)
		}
	}
	return least / stat.PopStdDev(g.t, nil)
}

// differentiate sets the derivatives of t.
func (g *smooth) differentiate(coordinates [][]float64, isLog []bool) {
	for i := range g.s.Y {
		g.kept = append(g.kept, i)
	}
	for _, y := range g.s.Y {
		g.own = append(g.own, y*g.scale.slope(y))
	}
	for k, slopes := range g.gp.slopes() {
		perUnit := stat.PopStdDev(g.t, nil) / stat.PopStdDev(coordinates[k], nil)
		g.add(isLog[k], func(r int) float64 { return slopes[r] * perUnit })
	}
}

// scaled returns the target on the scale of g and the standard errors of the values returned. If by
// is not nil, the target is first divided by it. Adding units to −ln of the likelihood of the
// standardized values gives −ln of the likelihood of the target itself.
func (g *smooth) scaled(by []float64) (t, spread []float64, units float64) {
	y, spread := g.s.Y, slices.Clone(g.spread)
	if by != nil {
		y = floats.DivTo(make([]float64, len(y)), y, by)
		floats.Div(spread, column.Map(by, math.Abs))
		units += floats.Sum(column.Map(by, column.LogAbs))
	}
	t = column.Map(y, g.scale.to)
	for i, v := range y {
		slope := math.Abs(g.scale.slope(v))
		spread[i] *= slope
		units -= math.Log(slope)
	}
	return t, spread, units + float64(len(t))*math.Log(stat.PopStdDev(t, nil))
}

// gain returns by how many nats the evidence grows if the symmetry m is used. It is −Inf if m does
// not apply, or if the first steps of the fit show that m is hopeless.
func (g *smooth) gain(ctx context.Context, m move) float64 {
	coordinates, theta, by, ok := g.without(m)
	if !ok {
		return math.Inf(-1)
	}
	t, spread, units := g.scaled(by)
	p := newProcess(ctx, coordinates, t, spread)
	if p == nil {
		return math.Inf(-1)
	}
	theta[len(theta)-sizes+ofErrors] += moreErrors
	p.fit(theta, firstSteps)
	if p.theta == nil || p.evidence+units > g.evidence+hopeless {
		return math.Inf(-1)
	}
	p.fit(p.theta, moveSteps)
	return g.evidence - p.evidence - units
}

// without returns the coordinates that remain after the symmetry m is used, and the theta at which
// the fit of a process in these coordinates starts. If by is not nil, the target is to be divided
// by it. ok is false if m does not apply.
func (g *smooth) without(m move) (coordinates [][]float64, theta, by []float64, ok bool) {
	add := func(v []float64, length float64) {
		c, _ := coordinate(v)
		coordinates, theta = append(coordinates, c), append(theta, length)
	}
	used, lead := []int{m.sum.i, m.sum.j}, 0
	if m.d == nil {
		add(m.sum.values(g.s.X[g.live[m.sum.i]], g.s.X[g.live[m.sum.j]]), min(g.gp.theta[m.sum.i], g.gp.theta[m.sum.j]))
	} else {
		if lead, ok = g.lead(m); !ok {
			return nil, nil, nil, false
		}
		used = []int{lead}
		x, power := g.s.X[g.live[lead]], ratio(m.half, 2*m.d[lead])
		// The target is divided by a power of x/middle, not of x. So the size of the target hardly
		// changes, and the bend of its scale remains valid.
		middle := stat.GeometricMean(x, nil)
		by = column.Map(x, func(v float64) float64 { return math.Pow(v/middle, power) })
	}
	for k, i := range g.live {
		switch v := g.s.X[i]; {
		case slices.Contains(used, k):
		case m.d == nil:
			add(v, g.gp.theta[k])
		default:
			add(over(v, g.s.X[g.live[lead]], ratio(m.d[k], m.d[lead])), g.gp.theta[k])
		}
	}
	return coordinates, append(theta, g.gp.theta[len(g.live):]...), by, true
}
