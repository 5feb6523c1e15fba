package wave

import (
	"context"
)

// The peaks of the periodograms: where a wave may be.

// crest is a peak along some axes.
type crest struct {
	Peak
	axes []int
}

// lines are the peaks of what is left along one axis.
func (s *swings) lines(ctx context.Context, left []float64) [][]crest {
	var all []crest
	for i, a := range s.axes {
		if a.Steps > 0 && ctx.Err() == nil {
			all = append(all, s.crests([]int{i}, Line(a.Axis, left, 2))...)
		}
	}
	return [][]crest{all}
}

// planes are those along two axes, and along three.
func (s *swings) planes(ctx context.Context, left []float64) [][]crest {
	var two, three []crest
	for _, g := range s.groups {
		axes, _ := s.short(g)
		switch {
		case ctx.Err() != nil:
		case len(g) == 2:
			two = append(two, s.crests(g, Plane(axes[0], axes[1], left, 2))...)
		default:
			three = append(three, s.crests(g, Volume(axes[0], axes[1], axes[2], left, 2))...)
		}
	}
	return [][]crest{two, three}
}

// crests are peaks along axes; none where the highest is that of the slowest wave, as it is for all that
// does not swing at all.
func (s *swings) crests(axes []int, from []Peak) (out []crest) {
	slowest := true
	for k, a := range axes {
		slowest = slowest && len(from) > 0 && from[0].Omega[k] < 1.5*s.axes[a].Step
	}
	if slowest {
		return nil
	}
	for _, p := range from {
		out = append(out, crest{p, axes})
	}
	return out
}
