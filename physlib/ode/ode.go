// Package ode integrates ordinary differential equations by the embedded method of order 5(4) of
// J. R. Dormand and P. J. Prince (J. Comput. Appl. Math. 6 (1980) 19).
package ode

import (
	"errors"
	"math"
)

// Coefficients of the method. Nodes holds the times of the stages, as fractions of a step.
// Stages[i] holds the weights of the earlier stages for stage i. The weights for the last stage
// give the result of the step. Errors holds the weights of all stages for the estimated error of
// the result.
var (
	Nodes  = [7]float64{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1}
	Stages = [7][6]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	}
	Errors = [7]float64{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}
)

// between holds the weights of the stages for the state after a fraction x of a step. The weights
// are polynomials in x, given by their coefficients of x, x², x³ and x⁴ (L. F. Shampine, Math.
// Comp. 46 (1986) 135).
var between = [7][4]float64{
	{1, -8048581381. / 2820520608, 8663915743. / 2820520608, -12715105075. / 11282082432},
	{},
	{0, 131558114200. / 32700410799, -68118460800. / 10900136933, 87487479700. / 32700410799},
	{0, -1754552775. / 470086768, 14199869525. / 1410260304, -10690763975. / 1880347072},
	{0, 127303824393. / 49829197408, -318862633887. / 49829197408, 701980252875. / 199316789632},
	{0, -282668133. / 205662961, 2019193451. / 616988883, -1453857185. / 822651844},
	{0, 40617522. / 29380423, -110615467. / 29380423, 69997945. / 29380423},
}

// Rates sets dy to the derivatives of the states y at time t.
type Rates func(t float64, y, dy []float64)

// Solve returns the states as [time][state] at given times. The argument at holds the times, in
// rising order, and start holds the states at the first time. The length of each step is chosen so
// that the estimated error of the step is small enough: in units of absolute + relative·|y|, its
// root mean square over the states is below 1. Steps and errors are those of
// scipy.integrate.solve_ivp with the method RK45. If a step would have to be shorter than ten times
// the spacing of floating-point numbers, Solve returns an error.
func Solve(f Rates, at, start []float64, relative, absolute float64) ([][]float64, error) {
	n := len(start)
	s := solver{f: f, relative: relative, absolute: absolute, y: append([]float64(nil), start...), next: make([]float64, n), sum: make([]float64, n)}
	for i := range s.k {
		s.k[i] = make([]float64, n)
	}
	t, end := at[0], at[len(at)-1]
	f(t, s.y, s.k[0])
	h := s.first(t, end)
	out := [][]float64{append([]float64(nil), start...)}
	for t < end {
		rejected := false
		for {
			least := 10 * (math.Nextafter(t, math.Inf(1)) - t)
			if h < least && rejected {
				return nil, errors.New("ode: the step would have to be shorter than the spacing of floating-point numbers")
			}
			h = min(max(h, least), end-t)
			size := s.step(t, h)
			if size < 1 {
				factor := 10.
				if size > 0 {
					factor = min(10, 0.9*math.Pow(size, -0.2))
				}
				if rejected {
					factor = min(1, factor)
				}
				for len(out) < len(at) && at[len(out)] <= t+h {
					out = append(out, s.within(h, (at[len(out)]-t)/h))
				}
				t += h
				if end-t < least {
					t = end
				}
				h *= factor
				break
			}
			if factor := 0.9 * math.Pow(size, -0.2); factor > 0.2 {
				h *= factor
			} else { // the step is also rejected if size is NaN
				h *= 0.2
			}
			rejected = true
		}
		copy(s.y, s.next)
		copy(s.k[0], s.k[6])
	}
	for len(out) < len(at) {
		out = append(out, append([]float64(nil), s.y...))
	}
	return out, nil
}

type solver struct {
	f                  Rates
	relative, absolute float64
	k                  [7][]float64 // derivatives at the stages
	y, next, sum       []float64
}

// first returns the length of the first step (E. Hairer, S. P. Nørsett and G. Wanner, Solving
// Ordinary Differential Equations I, §II.4).
func (s *solver) first(t, end float64) float64 {
	d0, d1 := s.size(s.y, s.y), s.size(s.k[0], s.y)
	h := 1e-6
	if d0 >= 1e-5 && d1 >= 1e-5 {
		h = 0.01 * d0 / d1
	}
	h = min(h, end-t)
	for i, v := range s.y {
		s.sum[i] = v + h*s.k[0][i]
	}
	s.f(t+h, s.sum, s.k[1])
	for i := range s.sum {
		s.sum[i] = s.k[1][i] - s.k[0][i]
	}
	d2 := s.size(s.sum, s.y) / h
	h1 := max(1e-6, h*1e-3)
	if d1 > 1e-15 || d2 > 1e-15 {
		h1 = math.Pow(0.01/max(d1, d2), 0.2)
	}
	return min(100*h, h1, end-t)
}

// size returns the root mean square of v, in units of the tolerances at the states y.
func (s *solver) size(v, y []float64) float64 {
	sum := 0.
	for i := range v {
		e := v[i] / (s.absolute + s.relative*math.Abs(y[i]))
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(v)))
}

// step computes the states after a step of length h and stores them in s.next. It returns the error
// of the step in units of the tolerances.
func (s *solver) step(t, h float64) float64 {
	for stage := 1; stage < len(s.k); stage++ {
		for i, v := range s.y {
			sum := 0.
			for j := range stage {
				sum += Stages[stage][j] * s.k[j][i]
			}
			s.next[i] = v + h*sum
		}
		s.f(t+Nodes[stage]*h, s.next, s.k[stage])
	}
	sum := 0.
	for i, v := range s.y {
		e := 0.
		for j, w := range Errors {
			e += w * s.k[j][i]
		}
		e *= h / (s.absolute + s.relative*max(math.Abs(v), math.Abs(s.next[i])))
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(s.y)))
}

// within returns the states after a fraction x of the last step, which has length h.
func (s *solver) within(h, x float64) []float64 {
	out := append([]float64(nil), s.y...)
	for j, p := range between {
		w := h * x * (p[0] + x*(p[1]+x*(p[2]+x*p[3])))
		for i := range out {
			out[i] += w * s.k[j][i]
		}
	}
	return out
}
