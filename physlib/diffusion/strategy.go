package diffusion

import "math"

// Strategy changes one sample between two calls of the network. It is a step, or a Chain of steps.
// It must depend on the State only. The refinement loops of PhysDiffuse §2, PhysMDT §5, PARR §2.2
// and ARChitects §2 are Strategies.
type Strategy func(s *State)

// Chain returns a Strategy that applies the steps in turn.
func Chain(steps ...Strategy) Strategy {
	return func(s *State) {
		for _, step := range steps {
			step(s)
		}
	}
}

// Schedule maps the fraction x of steps done to the fraction of progress, both from 0 to 1. The
// unmasking of PhysDiffuse §2 and PARR §2.2 is linear, that of ARChitects §2 a cosine.
type Schedule func(x float64) float64

// Linear returns x: each step makes equally many tokens visible.
func Linear(x float64) float64 { return x }

// Cosine returns 1 - cos(πx/2): few tokens become visible at first, when little is known (MaskGIT,
// Chang et al. 2022).
func Cosine(x float64) float64 { return 1 - math.Cos(math.Pi/2*x) }

// share returns the number of n tokens that the schedule has reached at x.
func (f Schedule) share(x float64, n int) int {
	return min(n, int(math.Floor(float64(n)*f(x)+1e-9)))
}
