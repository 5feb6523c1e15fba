package regression

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Loss is the name of a robust loss function ρ of scipy.optimize.least_squares. A fit minimizes
//
//	Σ C²·ρ((r/C)²)
//
// over the constants, where r are the residuals in standard errors and C is Settings.LossScale,
// called f_scale in scipy. As in scipy.optimize.curve_fit, the covariance of the constants is
// calculated from the Gauss–Newton part of the Hessian.
type Loss string

const (
	LinearLoss Loss = "linear"  // ρ(z) = z, least squares
	SoftL1Loss Loss = "soft_l1" // ρ(z) = 2·(√(1 + z) − 1)
	HuberLoss  Loss = "huber"   // ρ(z) = z for z ≤ 1, and 2·√z − 1 above
	CauchyLoss Loss = "cauchy"  // ρ(z) = ln(1 + z)
	ArctanLoss Loss = "arctan"  // ρ(z) = arctan z
)

// Losses returns all loss functions.
func Losses() []Loss { return []Loss{LinearLoss, SoftL1Loss, HuberLoss, CauchyLoss, ArctanLoss} }

// robust reports whether l differs from least squares. The empty Loss is LinearLoss.
func (l Loss) robust() bool { return l != "" && l != LinearLoss }

// check returns an error unless l is a known loss.
func (l Loss) check() error {
	if l == "" || slices.Contains(Losses(), l) {
		return nil
	}
	var names []string
	for _, k := range Losses() {
		names = append(names, string(k))
	}
	return fmt.Errorf("there is no loss %q; there are %s", l, strings.Join(names, ", "))
}

// rho returns ρ(z) and its first two derivatives.
func (l Loss) rho(z float64) (rho, first, second float64) {
	switch l {
	case SoftL1Loss:
		t := math.Sqrt(1 + z)
		return 2 * z / (t + 1), 1 / t, -0.5 / (t * t * t)
	case HuberLoss:
		if z > 1 {
			root := math.Sqrt(z)
			return 2*root - 1, 1 / root, -0.5 / (z * root)
		}
	case CauchyLoss:
		return math.Log1p(z), 1 / (1 + z), -1 / ((1 + z) * (1 + z))
	case ArctanLoss:
		t := 1 + z*z
		return math.Atan(z), 1 / t, -2 * z / (t * t)
	}
	return z, 1, 0
}

// Weight returns the weight ρ'(z) of a row in a fit with this loss, relative to least squares. Here
// z = (residual/scale)². For a residual of 0 the weight is 1.
func (l Loss) Weight(residual, scale float64) float64 {
	_, first, _ := l.rho(residual * residual / (scale * scale))
	return first
}

// sum returns Σ C²·ρ((r/C)²). For least squares, this is Σ r².
func (o *objective) sum(r []float64) float64 {
	total := 0.0
	for _, v := range r {
		if o.loss.robust() {
			c := o.scale * o.scale
			rho, _, _ := o.loss.rho(v * v / c)
			total += c * rho
		} else {
			total += v * v
		}
	}
	return total
}

// leastCurvature is the least curvature of a row's loss, relative to that of least squares. As in
// scipy, it is the rounding unit of float64.
const leastCurvature = 0x1p-52

// weighByLoss scales the residuals r and their derivatives j. Afterwards Jᵀr is half the gradient
// of the loss, and JᵀJ the Gauss–Newton part of half its Hessian (B. Triggs and others, Bundle
// Adjustment, 1999, section 4.3, as in scipy).
func (o *objective) weighByLoss(r []float64, j [][]float64) {
	if !o.loss.robust() {
		return
	}
	for i, v := range r {
		z := v * v / (o.scale * o.scale)
		_, first, second := o.loss.rho(z)
		curvature := math.Sqrt(max(first+2*second*z, leastCurvature))
		r[i] = v * first / curvature
		for k := range j {
			j[k][i] *= curvature
		}
	}
}

// huberScale is the scale of a loss whose scale is estimated from the residuals, in units of their
// standard deviation. With this scale, Huber's loss has 95 % of the efficiency of least squares for
// normal errors.
const huberScale = 1.345

// normalMAD is the ratio of the standard deviation to the median absolute deviation of a normal
// distribution.
const normalMAD = 1.4826

// Limits of the iterative estimate of a loss's scale from the residuals.
const (
	scalings   = 50    // largest number of iterations
	scalingTol = 1e-10 // relative change of the scale below which the iteration ends
)

// spread returns a robust estimate of the standard deviation of the residuals r, calculated from
// their median absolute value. The smallest residuals, as many as there are constants, are left
// out, since a fit makes as many residuals zero. If the median is 0, spread returns the root mean
// square.
func spread(r []float64, constants int) float64 {
	size, squares := make([]float64, len(r)), 0.0
	for i, v := range r {
		size[i] = math.Abs(v)
		squares += v * v
	}
	slices.Sort(size)
	rest := size[min(constants, len(size)-1):]
	median := (rest[(len(rest)-1)/2] + rest[len(rest)/2]) / 2
	if median > 0 {
		return normalMAD * median
	}
	return math.Sqrt(squares / float64(len(r)))
}

// solveRobust finds the constants with the least loss. If no scale is given, the scale is 1 for
// known errors. For unknown errors, scale and constants are estimated alternately: the scale from
// the residuals, and the constants by a fit.
func (p *problem) solveRobust(free []float64) (params, cov []float64, converged bool, err error) {
	p.loss, p.scale = p.s.Loss, p.s.LossScale
	if p.scale == 0 && p.known {
		p.scale = 1
	}
	if p.scale > 0 {
		return p.solveBounded(free)
	}
	// Least squares come first. Then comes the convex soft-L1 loss, which has a unique minimum if
	// the law is linear.
	p.loss, p.scale = LinearLoss, 1
	if params, _, _, err = p.solveBounded(free); err != nil {
		return nil, nil, false, err
	}
	r := make([]float64, len(p.y))
	for step := range scalings {
		p.objective(params).residual(params, r)
		next := huberScale * spread(r, len(params))
		if next == 0 { // the law is exact, so no robust loss is needed
			p.scale = 1
			break
		}
		done := step > 1 && math.Abs(next-p.scale) <= scalingTol*next
		p.scale = next
		if done {
			break
		}
		p.loss = p.s.Loss
		if step == 0 {
			p.loss = SoftL1Loss
		}
		if best, _, ok := p.objective(params).minimize(params, p.lo, p.hi); best != nil && ok {
			params = best
		}
	}
	p.loss = p.s.Loss
	return p.solveBounded(params)
}

// A robust fit also starts from least-squares solutions for random subsets of rows.
const (
	subsets     = 60 // number of subsets that are fitted
	subsetsKept = 6  // number of solutions that are kept as starting values
)

// subsets fits the constants to many random subsets of a few rows. It returns the solutions with
// the least loss (P. J. Rousseeuw, J. Am. Stat. Assoc. 79 (1984) 871). Several starting values are
// needed since robust losses have several minima. Small subsets are used since some of them contain
// no outlier.
func (p *problem) subsets(rng *rand.Rand, from []float64, o *objective) (starts [][]float64) {
	n, size := len(p.y), min(len(p.y), len(from)+1)
	type solution struct {
		params []float64
		loss   float64
	}
	var list []solution
	r := make([]float64, n)
	for range subsets {
		part := p.rows(rng.Perm(n)[:size])
		if c, _, _ := part.objective(from).minimize(from, p.lo, p.hi); c != nil {
			if sum := o.residual(c, r); !math.IsNaN(sum) {
				list = append(list, solution{c, sum})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b solution) int { return cmp.Compare(a.loss, b.loss) })
	for _, s := range list[:min(len(list), subsetsKept)] {
		starts = append(starts, s.params)
	}
	return starts
}

// rows returns the least-squares problem that contains only the given rows of p.
func (p *problem) rows(at []int) *problem {
	pick := func(v []float64) (out []float64) {
		for _, i := range at {
			if v != nil {
				out = append(out, v[i])
			}
		}
		return out
	}
	q := *p
	q.loss, q.cols, q.xsigma, q.y, q.sigma = LinearLoss, nil, nil, pick(p.y), pick(p.sigma)
	for _, c := range p.cols {
		q.cols = append(q.cols, pick(c))
	}
	for _, s := range p.xsigma {
		q.xsigma = append(q.xsigma, pick(s))
	}
	return &q
}
