package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/spelling"
)

// Front draws laws as points, their errors against their complexities, with a staircase through
// those of the Pareto front. It marks the chosen law. target labels the error axis, such as "T
// [d]". The laws must be sorted by complexity, as an archive returns them. A law with error 0 is
// drawn a decade below the others, since a logarithmic axis has no zero. The interactive form shows
// the law under the pointer.
func Front(laws []law.Law, chosen law.Law, target string) Picture {
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
	mark, front := chosenAt(laws, chosen), undominated(complexity, errors)
	return Picture{
		Alt: fmt.Sprintf("Root-mean-square error of %s against complexity of %s, with a staircase through the Pareto front", target, spelling.Count(len(laws), "law")),
		draw: func(c draw.Canvas, s style) {
			p := newPanel(s, x, y)
			if steps := place(x, y, dataset.Pick(complexity, front), dataset.Pick(errors, front)); len(steps) > 1 {
				p.Add(line(staircase(steps), s.muted, false))
			}
			if points := place(x, y, complexity, errors); len(points) > 0 {
				p.Add(dots(points, s.data()))
			}
			if mark >= 0 {
				if at := place(x, y, complexity[mark:mark+1], errors[mark:mark+1]); len(at) == 1 {
					d := dots(at, s.chosen())
					d.Shape, d.Radius = ring{}, vg.Points(4.5)
					p.Add(d)
					p.name("chosen", d)
				}
			}
			p.drawOn(c)
		},
		vega: func(s style) map[string]any { return vegaFront(laws, errors, mark, front, target, s) },
	}
}

// undominated returns the indices of the laws on the Pareto front. A law is not on it if another
// law is at least as good in both complexity and error, and better in one of them.
func undominated(complexity, errors []float64) (front []int) {
	for i := range errors {
		dominated := false
		for j := range errors {
			better := complexity[j] < complexity[i] || errors[j] < errors[i]
			dominated = dominated || better && complexity[j] <= complexity[i] && errors[j] <= errors[i]
		}
		if !dominated {
			front = append(front, i)
		}
	}
	return front
}

// chosenAt returns the index of the chosen law in laws, or -1 if it is not among them.
func chosenAt(laws []law.Law, chosen law.Law) int {
	if len(chosen.Tree.Nodes()) == 0 {
		return -1
	}
	for i, l := range laws {
		if l.Complexity == chosen.Complexity && l.RMSE == chosen.RMSE {
			return i
		}
	}
	return -1
}

// leastPositive returns the smallest positive element of v, or 1 if there is none.
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

// staircase returns the outline of the region that the front dominates: horizontal up to the next
// complexity, then down.
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
