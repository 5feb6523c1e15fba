package motion

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Derivative is the estimate of [Derivatives] at one row: the value, the first and the second
// derivative, each with its standard error.
type Derivative struct {
	D  [3]float64
	SE [3]float64
}

// Windows and degrees of the local polynomials.
var (
	widths  = []int{5, 7, 9, 11, 13, 17, 21, 27, 35, 45, 61, 81, 121, 181, 271, 401}
	degrees = []int{2, 4, 6, 8, 10, 12}
)

// topDegree is two above the highest degree of the estimates. The contribution of these two degrees
// estimates the truncation error.
const topDegree = 14

// Derivatives returns the derivatives of x at the increasing times t, by a Savitzky–Golay filter of
// variable width and degree. sigma is the standard deviation of the errors of x (see [Noise]).
func Derivatives(t, x []float64, sigma float64) []Derivative {
	return derivatives(context.Background(), t, x, sigma)
}

// derivatives is like Derivatives, but returns the estimates made so far if ctx ends.
func derivatives(ctx context.Context, t, x []float64, sigma float64) []Derivative {
	base := make([]Derivative, len(t))
	return estimate(ctx, t, base, x, func(_, a, w int) []float64 { return x[a : a+w] }, sigma, degrees)
}

// estimate returns base plus the derivatives of the data that window returns. window(i, a, w)
// returns the data for row i in the w rows from row a on, or nil if they are unknown. x holds the
// measurements. If ctx ends, estimate uses only the windows tried so far; narrow windows come
// first.
func estimate(ctx context.Context, t []float64, base []Derivative, x []float64, window func(i, a, w int) []float64, sigma float64, degrees []int) []Derivative {
	n := len(t)
	e := newEstimator(base, x, sigma, degrees)
	even := evenly(t)
	for _, w := range widths {
		if w > n || ctx.Err() != nil {
			break
		}
		var shared *basis
		for i := range n {
			if i%rowsBetween == rowsBetween-1 && ctx.Err() != nil {
				break
			}
			a := min(max(i-w/2, 0), n-w)
			rows := window(i, a, w)
			if rows == nil {
				e.terms[i] = unknown
				continue
			}
			b := shared
			if inside := a == i-w/2; !inside || !even || shared == nil {
				b = newBasis(t[a:a+w], t[i])
				if inside {
					shared = b
				}
			}
			e.terms[i] = b.expand(rows)
		}
		e.take(ctx, w)
	}
	return e.best()
}

// estimator keeps, for each row, the best estimates of the windows so far.
type estimator struct {
	base    []Derivative // added to the estimates of the windows
	noise   float64      // variance of the errors of the data
	degrees []int        // degrees of the polynomials
	agreed  *agreement

	terms   []series     // of the windows of the current width
	next    []float64    // for each row: squared contribution of the next two degrees
	out     []Derivative // the best estimates so far, without their errors
	squares [][3]float64 // expected squared errors of out
}

func newEstimator(base []Derivative, x []float64, sigma float64, degrees []int) *estimator {
	n := len(x)
	e := &estimator{base: base, noise: sigma * sigma, degrees: degrees, agreed: newAgreement(n),
		terms: make([]series, n), next: make([]float64, n), out: make([]Derivative, n), squares: make([][3]float64, n)}
	for i := range e.out {
		e.out[i].D[0] = x[i]
		e.squares[i] = [3]float64{e.noise, math.Inf(1), math.Inf(1)}
	}
	return e
}

// best returns the best estimates with their standard errors.
func (e *estimator) best() []Derivative {
	for i := range e.out {
		for r := range e.out[i].SE {
			e.out[i].SE[r] = math.Sqrt(e.squares[i][r])
		}
	}
	return e.out
}

// take copies the estimates from e.terms, windows of the given width, to e.out if their expected
// squared errors are smaller. If ctx ends, it skips the remaining estimates.
func (e *estimator) take(ctx context.Context, width int) {
	for r := range 3 {
		for _, p := range e.degrees {
			if ctx.Err() != nil {
				return
			}
			if p < r || p+2 > topDegree || p+3 > width {
				continue
			}
			for i := range e.terms {
				d := e.terms[i].add[r][p+1] + e.terms[i].add[r][p+2]
				e.next[i] = d * d
			}
			for i := range e.terms {
				bias := e.bias(i, r, p, width)
				variance, value := 0.0, e.base[i].D[r]
				for j := r; j <= p; j++ {
					variance += e.noise * e.terms[i].gain[r][j]
					value += e.terms[i].add[r][j]
				}
				if math.IsInf(variance, 0) || math.IsNaN(variance) || !e.agreed[r][p][i].joins(value, math.Sqrt(variance)) {
					continue
				}
				if square := variance + bias; square < e.squares[i][r] {
					e.squares[i][r], e.out[i].D[r] = square, value
				}
			}
		}
	}
}

// bias returns the expected square of the truncation error of derivative r at row i, for
// polynomials of degree p. It follows from the contributions of the next two degrees at row i and
// at its neighbours, less the part that noise explains.
func (e *estimator) bias(i, r, p, width int) float64 {
	lo, hi := max(0, i-max(1, width/6)), min(len(e.next)-1, i+max(1, width/6))
	mean, most := 0.0, 0.0
	for k := lo; k <= hi; k++ {
		mean += e.next[k] / float64(hi-lo+1)
		most = max(most, e.next[k])
	}
	gain := &e.terms[i].gain[r]
	square := max(mean, most/float64(2+width/6))
	return max(square-e.noise*(gain[p+1]+gain[p+2]), 0.05*e.next[i])
}

// rowsBetween is the number of rows between two checks of the context in a loop over rows.
const rowsBetween = 256

// agreement holds the intersection of the confidence intervals of all windows so far, for each
// derivative and degree. If the interval of a window does not overlap this intersection, the window
// is too wide, and so are all wider windows.
type agreement [3][topDegree + 1][]interval

type interval struct{ low, high float64 }

func newAgreement(n int) *agreement {
	a := new(agreement)
	for r := range a {
		for p := range a[r] {
			a[r][p] = make([]interval, n)
			for i := range a[r][p] {
				a[r][p][i] = interval{math.Inf(-1), math.Inf(1)}
			}
		}
	}
	return a
}

// series holds the contribution of each degree to the value and the derivatives at one row. The
// degrees are orthogonal, so partial sums are fits of lower degree.
type series struct {
	add  [3][topDegree + 1]float64
	gain [3][topDegree + 1]float64 // variance of add if the errors have variance 1
}

// unknown is the series of a missing window. Its estimates have an infinite variance.
var unknown = func() (s series) {
	for r := range s.gain {
		for j := range s.gain[r] {
			s.gain[r][j] = math.Inf(1)
		}
	}
	return s
}()

// confidence is the half width of the confidence intervals, in standard errors.
const confidence = 2.5

// joins intersects v with the confidence interval of an estimate. It reports whether the result is
// not empty.
func (v *interval) joins(value, se float64) bool {
	v.low, v.high = max(v.low, value-confidence*se), min(v.high, value+confidence*se)
	return v.low <= v.high
}

// expand returns the series of x on the window, at the row of the basis.
func (b *basis) expand(x []float64) (s series) {
	for j := range s.gain[0] {
		if j >= len(b.q) {
			for r := range 3 {
				s.gain[r][j] = math.Inf(1) // degree too high for the window
			}
			continue
		}
		a := dot(b.q[j], x)
		for r := range 3 {
			s.add[r][j], s.gain[r][j] = b.u[r][j]*a, b.u[r][j]*b.u[r][j]
		}
	}
	return s
}

// basis holds polynomials orthonormal on the times of a window, up to degree topDegree.
type basis struct {
	q [][]float64               // values of the polynomial of each degree
	u [3][topDegree + 1]float64 // value and derivatives of each polynomial at the row
}

// In windows of at least longWindow rows, a new polynomial is made orthogonal only to the previous
// two. It is then orthogonal to the earlier ones as well, by the three-term recurrence of
// orthogonal polynomials.
const longWindow = 64

// newBasis multiplies each polynomial by s = (t - at)/h and orthogonalizes the product, twice for
// accuracy, to get the next polynomial (Vandermonde with Arnoldi; Brubeck, Nakatsukasa and
// Trefethen, SIAM Rev. 63, 2021). The derivatives of the polynomials at the row follow by the
// product rule.
func newBasis(t []float64, at float64) *basis {
	n := len(t)
	h := max(t[n-1]-at, at-t[0])
	s, one := make([]float64, n), make([]float64, n)
	for i := range t {
		s[i], one[i] = (t[i]-at)/h, 1/math.Sqrt(float64(n))
	}
	b := &basis{q: [][]float64{one}}
	b.u[0][0] = one[0]
	for k := 1; k <= min(topDegree, n-1); k++ {
		v, first := make([]float64, n), 0
		floats.MulTo(v, s, b.q[k-1])
		at0 := [3]float64{0, b.u[0][k-1], 2 * b.u[1][k-1]} // value and derivatives of v at the row
		passes := 2
		if n >= longWindow {
			first, passes = max(0, k-2), 1
		}
		norm0 := math.Sqrt(floats.Dot(v, v))
		for range passes {
			for j := first; j < k; j++ {
				d := floats.Dot(b.q[j], v)
				floats.AddScaled(v, -d, b.q[j])
				for r := range at0 {
					at0[r] -= d * b.u[r][j]
				}
			}
		}
		norm := math.Sqrt(floats.Dot(v, v))
		if !(norm > 1e-10*norm0) {
			break
		}
		floats.Scale(1/norm, v)
		for r := range at0 {
			b.u[r][k] = at0[r] / norm
		}
		b.q = append(b.q, v)
	}
	for j := range b.q {
		b.u[1][j] /= h
		b.u[2][j] /= h * h
	}
	return b
}

// evenly reports whether the times are equally spaced.
func evenly(t []float64) bool {
	n := len(t)
	if n < 3 {
		return true
	}
	step := (t[n-1] - t[0]) / float64(n-1)
	for i := 1; i < n; i++ {
		if math.Abs(t[i]-t[0]-float64(i)*step) > 1e-9*step+1e-14*math.Abs(t[i]) {
			return false
		}
	}
	return true
}

// dot returns the inner product of a and the first elements of b.
func dot(a, b []float64) float64 { return floats.Dot(a, b[:len(a)]) }
