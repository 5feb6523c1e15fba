package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// Errors is a model of how the errors of the target depend on its value.
type Errors uint8

// Error models. The size of the errors is estimated from the residuals, except for Given.
const (
	Equal        Errors = iota // equal standard errors in all rows
	Proportional               // proportional to the value: log-normal factors
	Counting                   // proportional to the root of the value, as for counts
	Given                      // standard errors given in the table
	// Equal, but with the tails of Student's distribution with three degrees of freedom.
	HeavyTailed
	HeavyFactors // proportional to the value, with the same heavy tails
)

// modelBits is the price in bits of naming a model. Equal and proportional errors are the most
// common.
var modelBits = [...]float64{Equal: 1, Proportional: 1, Counting: 3, Given: 0, HeavyTailed: 4, HeavyFactors: 4}

// ErrorNames holds the name of each model, as in law.Law.Errors.
var ErrorNames = [...]string{Equal: law.EqualErrors, Proportional: law.ProportionalErrors, Counting: law.CountingErrors,
	Given: law.GivenErrors, HeavyTailed: law.HeavyErrors, HeavyFactors: law.HeavyFactorErrors}

// String returns the name of the model, as in law.Law.Errors.
func (e Errors) String() string { return ErrorNames[e] }

// ErrorsByName returns the error model with the given name. ok is false if there is none.
func ErrorsByName(name string) (e Errors, ok bool) {
	i := slices.Index(ErrorNames[:], name)
	return Errors(max(i, 0)), i >= 0
}

// Noise returns the model and the size of the target's errors under the law c, as law.Law states
// them. dof is the number of degrees of freedom with which the size was estimated, or 0 if the size
// was given.
func (m *Data) Noise(c Score) (model string, size float64, dof int) {
	switch {
	case c.Model == Given && m.Share > 0:
		return law.ProportionalErrors, m.Share, 0
	case c.Model == Given:
		return law.GivenErrors, dataset.RMS(m.Sigma), 0
	}
	return c.Model.String(), c.Size, max(m.Rows()-len(c.Params), 0)
}

// unknownSize returns −log₂ of the likelihood of n residuals after a fit of k linear constants. rss
// is the sum of their squares, where each residual is divided by the scale of its row. The size of
// the errors is integrated out with a prior that is uniform in its logarithm (H. Jeffreys, Theory
// of Probability, §3.4). The determinant of the constants' covariance is not integrated, but taken
// at the size s² = rss/(n − k). This gives the term −(k/2) log₂(n − k). unknownSize returns +Inf if
// n ≤ k.
func unknownSize(n, k int, rss float64) float64 {
	spare := float64(n - k)
	if spare < 1 {
		return math.Inf(1)
	}
	lg, _ := math.Lgamma(spare / 2)
	return float64(n)/2*math.Log2(rss) + spare/2*math.Log2(math.Pi) - lg/math.Ln2 - float64(k)/2*math.Log2(spare)
}

// manyResiduals is the number of residuals above which the iteration for the scale of Student's
// distribution is accelerated.
const manyResiduals = 1 << 16

// studentScale returns the square of the scale of Student's distribution that fits the residuals
// best. It uses expectation maximization, starting from s2, with Aitken's extrapolation after every
// two steps.
func studentScale(res []float64, nu, s2 float64) float64 {
	step := func(s2 float64) (next float64) {
		for _, r := range res {
			next += r * r / (nu*s2 + r*r)
		}
		return next * (nu + 1) * s2 / float64(len(res))
	}
	for range 8 {
		one := step(s2)
		two := step(one)
		if math.Abs(two-one) < 1e-9*one {
			return two
		}
		bend := two - 2*one + s2
		if s2 = two - (two-one)*(two-one)/bend; bend == 0 || !(s2 > two/4 && s2 < 4*two) {
			s2 = two
		}
	}
	return s2
}

// student returns −log₂ of the likelihood of residuals under Student's distribution with nu degrees
// of freedom and the best scale, whose square is at least floor. It also returns weights for the
// rows. If a least-squares fit with these weights is iterated, it becomes the maximum-likelihood
// fit.
func student(res []float64, nu, floor float64) (bits float64, weights []float64) {
	n := float64(len(res))
	s2 := floor
	for _, r := range res {
		s2 += r * r / n
	}
	if s2 == 0 {
		return math.Inf(-1), nil
	}
	weights = make([]float64, len(res))
	if len(res) > manyResiduals {
		s2 = max(studentScale(res, nu, s2), floor)
	}
	// Expectation maximization (Lange, Little and Taylor, J. Am. Stat. Assoc. 84, 881, 1989).
	for range 60 {
		next := 0.0
		for i, r := range res {
			weights[i] = (nu + 1) / (nu + r*r/s2)
			next += weights[i] * r * r / n
		}
		if next = max(next, floor); math.Abs(next-s2) < 1e-9*s2 {
			break
		}
		s2 = next
	}
	a, _ := math.Lgamma((nu + 1) / 2)
	b, _ := math.Lgamma(nu / 2)
	bits = n * (b - a + 0.5*math.Log(math.Pi*nu*s2)) / math.Ln2
	for _, r := range res {
		bits += (nu + 1) / 2 * math.Log2(1+r*r/(nu*s2))
	}
	return bits, weights
}
