package pursuit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
)

// Bounds of a quick fit.
const (
	quickRows  = 64 // largest number of rows used
	quickSteps = 8  // largest number of Gauss–Newton steps
	// The fit ends if a step leaves more than this fraction of the previous sum of squares.
	quickGain = 0.9
)

// quick fits the inner constants of sums by a few Gauss–Newton steps on some of the rows. It is
// fast enough to fit sums from all promising starting values. The coefficients are eliminated at
// each step (L. Kaufman, BIT 15 (1975) 49). A quick must not be used by several goroutines at once.
type quick struct {
	x        [][]float64
	y, root  []float64 // weighted target, and √weight of each row; a nil root: all weights are one
	power    float64   // Σ y²
	at       []int     // indices of the rows used
	programs map[uint64]*expr.Program

	columns  [][]float64 // values of the terms; factor.Factor replaces them by an orthonormal basis
	grads    [][]float64 // derivatives of the terms with respect to the inner constants
	residual []float64
	factor   qr.Triangle // factorization of the terms and the target
	// Factorization of the derivatives of the sum with respect to the inner constants, and of the
	// residual.
	tangents qr.Triangle

	coef, step []float64
}

func (s *Search) newQuick() *quick {
	n := min(len(s.target), quickRows)
	q := &quick{at: make([]int, n), programs: map[uint64]*expr.Program{}, residual: make([]float64, n),
		factor: qr.Triangle{Least: leastPart}, tangents: qr.Triangle{Least: leastPart}}
	for i := range q.at {
		q.at[i] = i * len(s.target) / n
	}
	q.y = dataset.Pick(s.target, q.at)
	if s.root != nil {
		q.root = dataset.Pick(s.root, q.at)
	}
	for _, x := range s.X {
		q.x = append(q.x, dataset.Pick(x, q.at))
	}
	q.power = floats.Dot(q.y, q.y)
	return q
}

// room allocates scratch space for the given numbers of terms and inner constants.
func (q *quick) room(terms, inner int) {
	grow := func(list [][]float64, n int) [][]float64 {
		for len(list) < n {
			list = append(list, make([]float64, len(q.y)))
		}
		return list
	}
	q.columns, q.grads = grow(q.columns, terms), grow(q.grads, inner)
	q.coef, q.step = slices.Grow(q.coef[:0], terms)[:terms], slices.Grow(q.step[:0], inner)[:inner]
}

// fit fits the inner constants of terms and returns them. The fit starts from the constants in the
// trees of the terms. left is the residual sum of squares relative to the sum of squares of the
// target. If the fit fails, left is at least 1.
func (q *quick) fit(terms []term) (left float64, at []float64) {
	for _, t := range terms {
		at = append(at, t.tree.Params()...)
	}
	q.room(len(terms), len(at))
	left = q.evaluate(terms, at)
	trial := make([]float64, len(at))
	for range quickSteps {
		if !(left < 1) || left < Exact*Exact || !q.newton(terms) {
			break
		}
		step := slices.Clone(q.step)
		before, share := left, 1.0
		for range 4 {
			for i := range at {
				trial[i] = at[i] + share*step[i]
			}
			if next := q.evaluate(terms, trial); next < left {
				left = next
				copy(at, trial)
				break
			}
			share /= 4
		}
		if !(left < quickGain*before) {
			break
		}
	}
	return min(left, 1), at
}

// evaluate sets q.columns, q.grads and q.residual. The argument at holds the inner constants of the
// terms. It returns the residual sum of squares relative to that of the target, or NaN if the terms
// are linearly dependent.
func (q *quick) evaluate(terms []term, at []float64) float64 {
	slot := 0
	for i, t := range terms {
		k := t.tree.NumParams()
		p := q.programs[t.family]
		if p == nil {
			p = expr.Compile(t.tree)
			q.programs[t.family] = p
		}
		c, g := q.columns[i], q.grads[slot:slot+k]
		p.Grad(c, g, q.x, at[slot:slot+k])
		if q.root != nil {
			floats.Mul(c, q.root)
			for _, d := range g {
				floats.Mul(d, q.root)
			}
		}
		slot += k
	}
	copy(q.residual, q.y)
	n := len(terms)
	q.factor.Factor(append(q.columns[:n:n], q.residual))
	if q.factor.Rank < n {
		return math.NaN()
	}
	return floats.Dot(q.residual, q.residual) / q.power
}

// newton sets q.step to the Gauss–Newton step of the inner constants, at the point evaluated last.
// It reports whether there is exactly one such step, with finite values.
func (q *quick) newton(terms []term) bool {
	n := len(terms)
	q.factor.Solve(q.coef, n, n)
	slot := 0
	for i, t := range terms {
		for range t.tree.NumParams() {
			d := q.grads[slot]
			floats.Scale(q.coef[i], d)
			for _, b := range q.columns[:n] {
				floats.AddScaled(d, -floats.Dot(b, d), b)
			}
			slot++
		}
	}
	q.tangents.Factor(append(q.grads[:slot:slot], q.residual))
	q.tangents.Solve(q.step, slot, slot)
	return slot > 0 && q.tangents.Rank == slot && column.Finite(q.step)
}
