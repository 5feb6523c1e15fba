package diffusion

import "math"

// Strategy is the change of one sample between two calls of the network: a step, or a Chain of
// steps. It must depend on nothing but the State.
type Strategy func(s *State)

// Chain returns the steps one after the other.
func Chain(steps ...Strategy) Strategy {
	return func(s *State) {
		for _, step := range steps {
			step(s)
		}
	}
}

// Schedule says which part of the way is gone when x of the steps are, both from 0 to 1.
type Schedule func(x float64) float64

// Linear returns x: equally many tokens are shown at each step.
func Linear(x float64) float64 { return x }

// Cosine returns 1 - cos(πx/2): few tokens are shown at first, when little is known (MaskGIT, Chang
// et al. 2022).
func Cosine(x float64) float64 { return 1 - math.Cos(math.Pi/2*x) }

// share returns how many of n a schedule has reached.
func (f Schedule) share(x float64, n int) int {
	return min(n, int(math.Floor(float64(n)*f(x)+1e-9)))
}
