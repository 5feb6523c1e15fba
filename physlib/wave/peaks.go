package wave

import (
	"context"

	"github.com/physlib/lab/physlib/periodogram"
)

// Peaks of the periodograms, which show where a wave may be.

// peak is a peak along the given axes, which are indices into finder.axes.
type peak struct {
	periodogram.Peak
	axes []int
}

// lines returns one list: the peaks of left, the residual, along each axis.
func (s *finder) lines(ctx context.Context, left []float64) [][]peak {
	var all []peak
	for i, a := range s.axes {
		if a.Steps > 0 && ctx.Err() == nil {
			all = append(all, s.peaksAlong([]int{i}, periodogram.Line(a.Axis, left, 2))...)
		}
	}
	return [][]peak{all}
}

// planes returns two lists of peaks of left, the residual: along two axes at once, and along three.
func (s *finder) planes(ctx context.Context, left []float64) [][]peak {
	var two, three []peak
	for _, g := range s.groups {
		axes, _ := s.short(g)
		switch {
		case ctx.Err() != nil:
		case len(g) == 2:
			two = append(two, s.peaksAlong(g, periodogram.Plane(axes[0], axes[1], left, 2))...)
		default:
			three = append(three, s.peaksAlong(g, periodogram.Volume(axes[0], axes[1], axes[2], left, 2))...)
		}
	}
	return [][]peak{two, three}
}

// peaksAlong returns the given peaks together with their axes. It returns none if the first peak,
// which is the highest, has the lowest frequency along each axis. Such a peak is typical of targets
// that do not oscillate.
func (s *finder) peaksAlong(axes []int, from []periodogram.Peak) (out []peak) {
	slowest := true
	for k, a := range axes {
		slowest = slowest && len(from) > 0 && from[0].Omega[k] < 1.5*s.axes[a].Step
	}
	if slowest {
		return nil
	}
	for _, p := range from {
		out = append(out, peak{p, axes})
	}
	return out
}
