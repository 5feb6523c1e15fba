// Package gaussian fits Gaussian processes to a column of values over some coordinates. The fit
// maximizes the evidence times a prior of the hyperparameters, with an analytic gradient. A process
// gives the derivatives of a smooth function, the size of the errors, and the errors of
// leave-one-out prediction.
package gaussian

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/physlib/lab/physlib/column"
)

// Process is a Gaussian process over standardized coordinates: the sum of a constant, a linear
// function, a smooth function and errors. The covariance of the smooth function falls with
// distance. The distance along each coordinate is measured in units of a length, one for each
// coordinate (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, §5.4).
type Process struct {
	ctx context.Context
	x   [][]float64 // coordinates × points, standardized
	t   []float64   // the values, standardized
	// Standard error of each value, scaled to a mean square of one.
	spread []float64
	square [][]float64 // for each coordinate: (xᵢ − xⱼ)² of all pairs of points
	linear []float64   // Σ xᵢ·xⱼ for each pair of points; the sum is over the coordinates
	// The hyperparameters: logarithms of the lengths, then of the quantities OfSmooth, OfLinear and
	// OfErrors.
	Theta           []float64
	NegLogPosterior float64   // −ln of (likelihood of the values × prior of theta)
	weights         []float64 // K⁻¹·t, where K is the covariance of the values

	cov    *mat.SymDense
	inv    *mat.SymDense
	smooth []float64 // covariance of the smooth function for all pairs of points
}

// Indices of the last elements of Process.Theta, which come after n lengths: Theta[n+OfSmooth] is
// the logarithm of the first quantity, and so on. Sizes is the number of these quantities.
const (
	OfSmooth = iota // standard deviation of the smooth function
	OfLinear        // standard deviation of a slope of the linear function
	OfErrors        // standard error of the values
	Sizes
)

// The prior of theta. Each element has a normal distribution with the mean given here and the
// standard deviation thetaSD. The prior matters only for coordinates without effect. The variance
// of the constant function is so large that the constant is practically free.
const (
	meanLength = 1    // mean for the length of a coordinate
	meanSize   = 0    // mean for OfSmooth
	meanSlope  = -1   // mean for OfLinear
	meanErrors = -3   // mean for OfErrors
	thetaSD    = 3    // standard deviation of each element of theta
	constant   = 10   // variance of the constant function
	jitter     = 1e-8 // variance added to make the Cholesky decomposition stable
	bound      = 9    // largest absolute value in theta
)

// New prepares a process for the values t over coordinates. It returns nil if a coordinate
// or the values are constant or not finite.
func New(ctx context.Context, coordinates [][]float64, t, spread []float64) *Process {
	n := len(t)
	p := &Process{ctx: ctx, t: column.Standardize(t),
		linear: make([]float64, n*(n+1)/2), smooth: make([]float64, n*(n+1)/2),
		cov: mat.NewSymDense(n, nil), inv: mat.NewSymDense(n, nil), NegLogPosterior: math.Inf(1)}
	if p.t == nil || !column.Finite(p.t) || !column.Finite(spread) {
		return nil
	}
	p.spread = slices.Clone(spread)
	floats.Scale(math.Sqrt(float64(n))/floats.Norm(spread, 2), p.spread)
	for _, c := range coordinates {
		u := column.Standardize(c)
		if u == nil || !column.Finite(u) {
			return nil
		}
		square := make([]float64, 0, len(p.linear))
		for i := range n {
			for j := range i + 1 {
				square = append(square, (u[i]-u[j])*(u[i]-u[j]))
				p.linear[i*(i+1)/2+j] += u[i] * u[j]
			}
		}
		p.x, p.square = append(p.x, u), append(p.square, square)
	}
	return p
}

// Start returns the mean of the prior of theta. The first fit of a process starts there.
func (p *Process) Start() []float64 {
	theta := make([]float64, len(p.x)+Sizes)
	for k := range p.x {
		theta[k] = meanLength
	}
	theta[len(p.x)+OfSmooth], theta[len(p.x)+OfLinear], theta[len(p.x)+OfErrors] = meanSize, meanSlope, meanErrors
	return theta
}

// Fit minimizes p.NegLogPosterior, starting from theta, in at most the given number of steps. It
// ends early with the context of New. If p.NegLogPosterior does not fall, p.Theta stays as it was.
func (p *Process) Fit(theta []float64, steps int) {
	// theta and the derivatives of the last evaluation
	at, slopes := make([]float64, len(theta)), make([]float64, len(theta))
	at[0] = math.NaN()
	problem := optimize.Problem{
		Func: func(theta []float64) float64 {
			copy(at, theta)
			return p.eval(theta, slopes)
		},
		Grad: func(grad, theta []float64) {
			if !slices.Equal(at, theta) {
				copy(at, theta)
				p.eval(theta, slopes)
			}
			copy(grad, slopes)
		},
		Status: func() (optimize.Status, error) {
			if p.ctx.Err() != nil {
				return optimize.RuntimeLimit, nil
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{MajorIterations: steps,
		Converger: &optimize.FunctionConverge{Absolute: 0.1, Iterations: 3}}
	if math.IsInf(problem.Func(theta), 1) {
		return
	}
	// The best theta is kept even if the line search fails near the optimum.
	r, _ := optimize.Minimize(problem, theta, settings, &optimize.LBFGS{})
	if r != nil && r.F < p.NegLogPosterior {
		p.Theta, p.NegLogPosterior = r.X, r.F
	}
}

// eval returns −ln of (likelihood of the values × prior of theta), up to a constant. Unless grad is
// nil, it sets grad to the derivatives of that value with respect to theta. It returns +Inf if the
// covariance is not positive definite, or if the absolute value of an element of theta exceeds
// bound.
func (p *Process) eval(theta, grad []float64) float64 {
	n, d := len(p.t), len(p.x)
	size := math.Exp(2 * theta[d+OfSmooth])
	slope := math.Exp(2 * theta[d+OfLinear])
	noise := math.Exp(2 * theta[d+OfErrors])
	p.covariance(theta, size, slope, noise)
	var chol mat.Cholesky
	if !chol.Factorize(p.cov) {
		return math.Inf(1)
	}
	alpha := mat.NewVecDense(n, nil)
	if chol.SolveVecTo(alpha, mat.NewVecDense(n, p.t)) != nil {
		return math.Inf(1)
	}
	p.weights = alpha.RawVector().Data
	v := (column.Dot(p.weights, p.t) + chol.LogDet() + float64(n)*math.Log(2*math.Pi)) / 2
	means := p.Start()
	for k, mean := range means {
		off := (theta[k] - mean) / thetaSD
		v += off * off / 2
		if math.Abs(theta[k]) > bound {
			return math.Inf(1)
		}
	}
	if grad == nil || chol.InverseTo(p.inv) != nil {
		return v
	}
	p.gradient(grad, theta, slope, noise)
	for k, mean := range means {
		grad[k] += (theta[k] - mean) / (thetaSD * thetaSD)
	}
	return v
}

// covariance sets p.cov and p.smooth. size, slope and noise are the squares of the quantities
// OfSmooth, OfLinear and OfErrors.
func (p *Process) covariance(theta []float64, size, slope, noise float64) {
	n := len(p.t)
	clear(p.smooth)
	for k, square := range p.square {
		floats.AddScaled(p.smooth, -0.5*math.Exp(-2*theta[k]), square)
	}
	data, stride := p.cov.RawSymmetric().Data, p.cov.RawSymmetric().Stride
	at := 0
	for i := range n {
		for j := range i + 1 {
			p.smooth[at] = size * math.Exp(p.smooth[at])
			data[j*stride+i] = p.smooth[at] + slope*p.linear[at] + constant
			at++
		}
		data[i*stride+i] += noise*p.spread[i]*p.spread[i] + jitter
	}
}

// gradient sets grad to the derivatives of −ln of the likelihood. p must hold the covariance at
// theta.
func (p *Process) gradient(grad, theta []float64, slope, noise float64) {
	n, d := len(p.t), len(p.x)
	clear(grad)
	inv, stride := p.inv.RawSymmetric().Data, p.inv.RawSymmetric().Stride
	// For each pair of points, m holds the element of K⁻¹ − α·αᵀ times the covariance of the smooth
	// function. If both points are the same, it holds half of that. K is the covariance of the
	// values, and α = K⁻¹·t is p.weights.
	m := make([]float64, len(p.linear))
	at := 0
	for i := range n {
		for j := range i + 1 {
			v := inv[j*stride+i] - p.weights[i]*p.weights[j]
			if i == j {
				grad[d+OfErrors] += v * noise * p.spread[i] * p.spread[i]
				v /= 2
			}
			grad[d+OfLinear] += 2 * v * slope * p.linear[at]
			m[at] = v * p.smooth[at]
			grad[d+OfSmooth] += 2 * m[at]
			at++
		}
	}
	for k, square := range p.square {
		grad[k] = math.Exp(-2*theta[k]) * floats.Dot(m, square)
	}
}

// Slopes returns the derivatives of the expected value with respect to each coordinate, at all
// points. Value and coordinates are standardized.
func (p *Process) Slopes() [][]float64 {
	n, d := len(p.t), len(p.x)
	p.eval(p.Theta, nil)
	slope := math.Exp(2 * p.Theta[d+OfLinear])
	all := make([][]float64, d)
	for k, x := range p.x {
		all[k] = make([]float64, n)
		line, length := slope*column.Dot(p.weights, x), math.Exp(-2*p.Theta[k])
		for i := range n {
			sum := 0.0
			for j := range n {
				at := max(i, j)*(max(i, j)+1)/2 + min(i, j)
				sum -= p.smooth[at] * (x[i] - x[j]) * p.weights[j]
			}
			all[k][i] = sum*length + line
		}
	}
	return all
}

// LeaveOneOut returns the error of leave-one-out prediction for each value, in standard deviations
// of the prediction (Rasmussen and Williams 2006, §5.4.2).
func (p *Process) LeaveOneOut() []float64 {
	p.eval(p.Theta, make([]float64, len(p.Theta)))
	z := make([]float64, len(p.t))
	for i, w := range p.weights {
		z[i] = w / math.Sqrt(p.inv.At(i, i))
	}
	return z
}
