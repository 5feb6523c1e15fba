package mdl

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// fit fits t under one error model and sets the bits of constants and data. Unless s.final is true,
// it may miss the best constants in two cases: large errors proportional to the value, and errors
// that are a given share of it.
func (s *Scorer) fit(t expr.Tree, model Errors, set fit.Settings) (c Score, ok bool) {
	var w []float64
	y := s.Y
	switch model {
	case Given:
		w = s.w
		for i, sigma := range s.Sigma {
			w[i] = 1 / (sigma * sigma)
		}
	case Proportional:
		w = s.w
		for i, v := range y {
			w[i] = 1 / (v * v)
		}
	case Counting:
		w = s.w
		for i, v := range y {
			w[i] = 1 / max(v, 1)
		}
	}
	r, err := s.fitter.Fit(t, s.Cols, y, w, set)
	if err != nil || math.IsNaN(r.RSS) {
		return c, false
	}
	if model == Proportional && s.final {
		r = s.fitLogarithms(t, r)
	}
	var sigmas []float64
	if model == Given && s.Share > 0 && s.final {
		r, sigmas = s.fitShare(t, r)
	}
	c = Score{Model: model, Tree: t.WithStarts(r.Params), Params: r.Params, StdErr: r.StdErr, Cov: r.Cov, sigmas: sigmas}
	s.measure(&c, r, w)
	return c, !math.IsNaN(c.DataBits)
}

// Bounds of a fit in logarithms.
const (
	// Mean square of relative residuals below which weights 1/y² are accurate enough.
	smallSquare = 0.01
	logSteps    = 20   // most steps
	logGain     = 1e-6 // a further step must reduce the sum of squares by at least this share
)

// fitLogarithms continues a fit with weights 1/y² until Σ ln²(y/f) is smallest. This is the sum of
// squares for errors proportional to the value. If errors are large, the weights 1/y² favour the
// lowest values, so a fit with them does not minimize Σ ln²(y/f). Each step is a Gauss–Newton step:
// it fits f·(1 + ln(y/f)) with weights 1/f².
func (s *Scorer) fitLogarithms(t expr.Tree, r fit.Result) fit.Result {
	n := s.Rows()
	if r.RSS < smallSquare*float64(n) {
		return r
	}
	z, w := make([]float64, n), make([]float64, n)
	least := s.logarithmic(t, r.Params, z, w)
	for range logSteps {
		if math.IsNaN(least) {
			return r
		}
		next, err := s.fitter.Fit(t.WithStarts(r.Params), s.Cols, z, w, fit.Settings{Starts: 1, MaxIter: 25, Done: s.done})
		if err != nil {
			return r
		}
		sum := s.logarithmic(t, next.Params, z, w)
		if !(sum < least) {
			return r
		}
		done := sum > (1-logGain)*least
		r, least = next, sum
		if done {
			break
		}
	}
	return r
}

// logarithmic returns Σ ln²(y/f), and sets z and w to the target and the weights of the next step.
func (s *Scorer) logarithmic(t expr.Tree, params, z, w []float64) (sum float64) {
	expr.Compile(t).Eval(s.value, s.Cols, params)
	for i, f := range s.value {
		z[i], w[i] = f*(1+math.Log(s.Y[i]/f)), 1/(f*f)
	}
	return s.LogSquares(s.value)
}

// LogSquares returns Σ ln²(y/f) for a law with the values f.
func (m *Data) LogSquares(f []float64) (sum float64) {
	for i, v := range f {
		q := math.Log(m.Y[i] / v)
		sum += q * q
	}
	return sum
}

// measure sets the results of a fit: RSS, the size of the errors, the standard errors of the
// constants, and the bits of the constants and of the data.
func (s *Scorer) measure(c *Score, r fit.Result, w []float64) {
	n, k := s.Rows(), len(r.Params)
	expr.Compile(c.Tree).Eval(s.value, s.Cols, r.Params)
	c.RSS = s.rss()
	if c.Model == Given {
		logs := 0.0
		for i, f := range s.value {
			logs += math.Log2(s.sigma(c, i, f) * math.Sqrt(2*math.Pi))
		}
		c.DataBits = logs + r.RSS/(2*math.Ln2)
		c.Size = math.Sqrt(r.RSS / float64(max(1, n-k)))
		s.priceConstants(c)
		return
	}
	rss, floor, logs := s.scaled(c)
	if math.IsNaN(rss) {
		c.DataBits = math.NaN()
		return
	}
	c.Rounding = rss <= roundedSquares*floor
	rss = max(rss, floor, 1e-24*s.square(c.Model))
	c.Size = math.Sqrt(rss / float64(max(1, n-k)))
	if w != nil { // the weights are known only up to a factor
		c.scaleErrors(c.Size)
	} else if r.RSS > 0 && rss > r.RSS {
		c.scaleErrors(math.Sqrt(rss / r.RSS))
	}
	c.DataBits = unknownSize(n, k, rss) + logs
	s.priceConstants(c)
}

// rss returns Σ (y − f)² of the law whose values are in s.value.
func (s *Scorer) rss() (sum float64) {
	for i, f := range s.value {
		sum += (s.Y[i] - f) * (s.Y[i] - f)
	}
	return sum
}

// scaled returns three sums over the rows. rss is the sum of squares of a law's residuals, each
// divided by the scale of its row (see rowScale). For proportional errors, rss is Σ ln²(y/f). floor
// is the same sum with the rounding errors of the table's digits in place of the residuals. logs is
// Σ log₂ of the scales. rss is NaN if the error model does not allow the law.
func (s *Scorer) scaled(c *Score) (rss, floor, logs float64) {
	round := s.roundingOf(c)
	switch c.Model {
	case Equal:
		rss = c.RSS
		for i := range s.value {
			floor += round(i)
		}
	case Proportional:
		if rss = s.LogSquares(s.value); math.IsInf(rss, 0) {
			return math.NaN(), 0, 0
		}
		for i, y := range s.Y {
			logs += math.Log2(math.Abs(y))
			floor += round(i) / (y * y)
		}
	case Counting:
		for i, f := range s.value {
			v := max(f, 1)
			q := s.Y[i] - f
			rss += q * q / v
			logs += math.Log2(v) / 2
			floor += round(i) / v
		}
	}
	return rss, floor, logs
}

// roundingOf returns a function that gives the variance of the rounding error of a row's residual.
// With Effort.Final, it includes the rounding of the inputs.
func (s *Scorer) roundingOf(c *Score) func(row int) float64 {
	var inputs []float64
	if s.final {
		inputs = s.inherited(c.Tree, c.Params)
	}
	return func(i int) float64 {
		if inputs == nil {
			return s.yRound[i] * s.yRound[i]
		}
		return s.yRound[i]*s.yRound[i] + inputs[i]
	}
}

// scaleErrors multiplies the standard errors of the constants by a factor.
func (c *Score) scaleErrors(by float64) {
	floats.Scale(by, c.StdErr)
	floats.Scale(by*by, c.Cov)
}

// priceConstants sets the bits of the constants of a law. s.value must hold the values of the law.
func (s *Scorer) priceConstants(c *Score) {
	for i, f := range s.value {
		s.sizes[i] = s.sigma(c, i, f)
	}
	c.ParamBits = s.precision(c.Tree, c.Params, s.sizes) + s.prices(c.Tree, c.Params)
}

// sigma returns the standard deviation of the error in row i, in which the law c has the value f.
func (s *Scorer) sigma(c *Score, i int, f float64) float64 {
	switch {
	case c.sigmas != nil:
		return c.sigmas[i]
	case c.Model == Given:
		return s.Sigma[i]
	}
	return c.Size * s.rowScale(c.Model, f)
}

// rowScale returns the standard deviation of the error in a row in which the law has the value f,
// divided by Score.Size.
func (s *Scorer) rowScale(e Errors, f float64) float64 {
	switch e {
	case Proportional, HeavyFactors:
		return math.Abs(f)
	case Counting:
		return math.Sqrt(max(f, 1))
	}
	return 1
}

// square returns the sum of squares of the target, each value divided by the scale of its row.
func (s *Scorer) square(e Errors) float64 {
	switch e {
	case Proportional:
		return float64(s.Rows())
	case Counting:
		sum := 0.0
		for _, v := range s.Y {
			sum += max(v, 1)
		}
		return sum
	}
	sum := 0.0
	for _, v := range s.Y {
		sum += v * v
	}
	return sum
}

// rounded refits a law whose residuals are only the rounding of the table's digits. The weight of a
// row is 1/variance of its rounding error. This variance is not estimated from the residuals, since
// it follows from the digits of the table and the law. It differs from row to row if values of a
// column differ in their last decimal place, or if the law is steep in some rows.
func (s *Scorer) rounded(from Score) (c Score, ok bool) {
	w := make([]float64, s.Rows())
	c = Score{Model: from.Model, Tree: from.Tree, Rounding: true, sigmas: make([]float64, s.Rows())}
	round := s.roundingOf(&from)
	for i := range w {
		variance := round(i)
		if variance == 0 {
			return c, false
		}
		w[i] = 1 / variance
		c.sigmas[i] = math.Sqrt(variance)
		c.DataBits += math.Log2(c.sigmas[i] * math.Sqrt(2*math.Pi))
	}
	r, err := s.fitter.Fit(c.Tree, s.Cols, s.Y, w, fit.Settings{Starts: 1, MaxIter: 40, Done: s.done})
	if err != nil || !(r.RSS < roundedSquares*float64(s.Rows())) {
		return c, false
	}
	// Rounding errors are not normal errors: smaller ones are not likelier.
	c.DataBits += max(r.RSS, float64(s.Rows())) / (2 * math.Ln2)
	c.Tree, c.Params, c.StdErr, c.Cov = c.Tree.WithStarts(r.Params), r.Params, r.StdErr, r.Cov
	expr.Compile(c.Tree).Eval(s.value, s.Cols, c.Params)
	c.RSS = s.rss()
	c.Size = from.Size
	s.priceConstants(&c)
	return c, !math.IsNaN(c.DataBits)
}

// roundedSquares is the largest mean square of residuals that count as rounding. Each residual is
// divided by the standard deviation of its rounding, so the mean square is about 1 for pure
// rounding.
const roundedSquares = 1.5

// heavy refits a law with heavy-tailed errors, starting from its fit under another model.
func (s *Scorer) heavy(from Score) (c Score, ok bool) {
	c = Score{Model: HeavyTailed, Tree: from.Tree, Params: from.Params}
	if from.Model == Proportional {
		c.Model = HeavyFactors
	}
	r, ok := s.reweighted(&c)
	if !ok || r.Params == nil {
		return c, false
	}
	n, k := s.Rows(), len(r.Params)
	c.StdErr, c.Cov = r.StdErr, r.Cov
	c.Size = math.Sqrt(r.RSS / float64(max(1, n-k)))
	c.scaleErrors(c.Size)
	c.RSS = s.rss()
	// Add the price of the size of the errors and of k constants, which were fitted, not integrated
	// out.
	c.DataBits += float64(k)/2*math.Log2(float64(n)/float64(max(1, n-k))) + 0.5*math.Log2(float64(n))
	s.priceConstants(&c)
	return c, true
}

// reweighted fits c by iteratively reweighted least squares under Student's distribution, and
// returns the last fit. It sets s.value and c.DataBits for the constants of that fit. The Params of
// the fit are nil if no fit was made.
func (s *Scorer) reweighted(c *Score) (r fit.Result, ok bool) {
	res := make([]float64, s.Rows())
	w := make([]float64, s.Rows())
	last := math.Inf(1)
	round := s.roundingOf(c)
	for fits := 0; ; fits++ {
		expr.Compile(c.Tree).Eval(s.value, s.Cols, c.Params)
		logs, floor := 0.0, 0.0
		for i, f := range s.value {
			g := s.rowScale(c.Model, f)
			res[i] = (s.Y[i] - f) / g
			logs += math.Log2(g)
			floor += round(i) / (g * g * float64(s.Rows()))
		}
		bits, weights := student(res, tails, floor)
		if weights == nil || math.IsNaN(bits) {
			return r, false
		}
		c.DataBits = bits + logs
		if last-c.DataBits < 1e-3 || fits == reweightings {
			return r, true
		}
		last = c.DataBits
		for i, f := range s.value {
			g := s.rowScale(c.Model, f)
			w[i] = weights[i] / (g * g)
		}
		var err error
		if r, err = s.fitter.Fit(c.Tree, s.Cols, s.Y, w, fit.Settings{Starts: 1, MaxIter: 40, Done: s.done}); err != nil {
			return r, false
		}
		c.Tree, c.Params = c.Tree.WithStarts(r.Params), r.Params
	}
}

// reweightings is the largest number of reweighted fits.
const reweightings = 8

// tails is the number of degrees of freedom of Student's distribution for heavy-tailed errors.
const tails = 3

// kurtosis returns the fourth moment of a law's residuals, divided by the square of the second
// moment. The residuals are in units of the error model's scale in each row.
func (s *Scorer) kurtosis(c Score) float64 {
	expr.Compile(c.Tree).Eval(s.value, s.Cols, c.Params)
	two, four := 0.0, 0.0
	for i, f := range s.value {
		r := (s.Y[i] - f) / s.rowScale(c.Model, f)
		two += r * r
		four += r * r * r * r
	}
	return float64(s.Rows()) * four / (two * two)
}

// heavyKurtosis is the kurtosis of residuals above which heavy-tailed errors are considered. Normal
// errors have a kurtosis of 3.
const heavyKurtosis = 3.7
