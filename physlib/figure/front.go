package figure

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/physlib/lab/physlib/law"
)

// Front draws the Pareto front: how far each law misses against how complex it is, as a staircase, with the chosen law
// marked. target labels the error axis, such as "T [d]". The laws stand by rising complexity, as an archive gives them.
// A law without any error stands a decade below the others, since a log axis has no zero.
func Front(laws []law.Law, chosen law.Law, target string, o Options) ([]byte, error) {
	complexity, errors := make([]float64, len(laws)), make([]float64, len(laws))
	for i, l := range laws {
		complexity[i], errors[i] = l.Complexity, l.RMSE
	}
	floor := leastPositive(errors) / 10
	for i, e := range errors {
		if e == 0 {
			errors[i] = floor
		}
	}
	x := newAxis("complexity [bit]", false, complexity)
	y := newAxis("root-mean-square error of "+target, true, errors)
	p := newPlot(o, x, y)

	points := place(x, y, complexity, errors)
	if len(points) > 1 {
		p.Add(line(staircase(points), muted, false))
	}
	if len(points) > 0 {
		p.Add(dots(points, Blue))
	}
	if e := chosen.RMSE; len(chosen.Tree.Nodes()) > 0 {
		if e == 0 {
			e = floor
		}
		if at := place(x, y, []float64{chosen.Complexity}, []float64{e}); len(at) == 1 {
			mark := dots(at, Vermillion)
			mark.Shape, mark.Radius = ring{}, vg.Points(5)
			p.Add(mark)
			p.Legend.Top = true
			p.Legend.Add("chosen ", mark)
		}
	}
	return encode(p, o)
}

// leastPositive is the smallest positive of v, 1 when there is none.
func leastPositive(v []float64) float64 {
	least := math.Inf(1)
	for _, x := range v {
		if x > 0 {
			least = min(least, x)
		}
	}
	if math.IsInf(least, 0) {
		return 1
	}
	return least
}

// staircase is the outline of what the front dominates: flat to the next complexity, then down.
func staircase(points plotter.XYs) plotter.XYs {
	var s plotter.XYs
	for i, p := range points {
		if i > 0 {
			s = append(s, plotter.XY{X: p.X, Y: points[i-1].Y})
		}
		s = append(s, p)
	}
	return s
}

// place puts pairs on two axes and leaves out those that have no place there.
func place(x, y axis, xs, ys []float64) plotter.XYs {
	var points plotter.XYs
	for i := range xs {
		p := plotter.XY{X: x.at(xs[i]), Y: y.at(ys[i])}
		if !math.IsNaN(p.X) && !math.IsNaN(p.Y) {
			points = append(points, p)
		}
	}
	return points
}
