package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/unit"
)

// Prices in bits of what the prior of forms does not know.
const (
	// constantBits is the price of a factor or a rate beside the bits that its value takes: its
	// logarithm is taken as uniform over six decades and both signs, log₂(2 ln 10⁶), less ½ log₂ 2π
	// of the Gaussian volume that its standard error stands for.
	constantBits = 3.4
	// FormWeight multiplies the bits of the form. In small tables no error model is quite right,
	// and the likelihood is surer than it should be, by the power 1/FormWeight (P. Grünwald, The
	// safe Bayesian, ALT 2012, calls that the learning rate).
	//
	// Both were chosen such that the accepted laws of the developed tables of package
	// corpus/tables have the highest probability among the laws found.
	FormWeight = 1.6
	// constantLaw is the price of the form of no law at all: half of all tables are taken to hold
	// none.
	constantLaw = 1
	// violationBits is the price of a law whose dimensions don't balance whatever units its
	// constants have.
	violationBits = 12
)

// Score is a law fitted to a table and its description length.
type Score struct {
	Tree   expr.Tree // over the Table's variables; its constants start at their fitted values
	Errors Errors

	Bits                               float64 // description length of law and data, in which the form counts 1.6 times
	Form, Units, Constants, ErrorModel float64 // parts of it
	Data                               float64

	Params, StdErr []float64 // by slot
	Cov            []float64 // covariance of Params, by rows
	RSS            float64   // Σ (y − f)², without weights
	Size           float64   // of the errors: standard deviation, relative one, or the root of χ² per degree of freedom
	Dims           []unit.Dim
	Balanced       bool // dimensions balance, constants carrying the units that they need
	Rounding       bool // the residuals are no larger than the rounding of the table's digits
}

// Rest returns the description length except for the form.
func (c Score) Rest() float64 { return c.Units + c.Constants + c.ErrorModel + c.Data }

// Scorer fits and scores laws on one table; it is for one goroutine.
type Scorer struct {
	*Table
	fitter fit.Fitter
	final  bool // the law's inputs count with their rounding
	value  []float64
	w      []float64

	scratch, sizes []float64
	grad           [][]float64
}

// Scorer returns a workspace for one goroutine.
func (m *Table) Scorer() *Scorer {
	return &Scorer{Table: m, value: make([]float64, m.Rows()), w: make([]float64, m.Rows()),
		scratch: make([]float64, m.Rows()), sizes: make([]float64, m.Rows())}
}

// Effort says how much a fit is worth.
type Effort struct {
	Starts int  // of each fit; 0: one
	Quick  bool // few steps from each start
	Final  bool // also the models and corrections that matter for the last few laws only
}

// Score fits t, over the table's variables, under each error model that the target allows, and
// returns the best. ok is false where t has no finite value in some row, or as many constants as
// there are rows.
func (s *Scorer) Score(t expr.Tree, e Effort) (best Score, ok bool) {
	k := t.NumParams()
	if s.Rows() < 2*k+1 && s.Rows() < k+4 || s.points < k+2 {
		return best, false // too few rows to tell anything of so many constants
	}
	best.Bits = math.Inf(1)
	s.final = e.Final
	set := fit.Settings{Starts: max(e.Starts, 1), MaxIter: 60}
	if e.Quick {
		set.MaxIter = 25
	}
	if e.Final && s.Rows() < 200 {
		set.MaxIter = 200
	}
	consider := func(c Score, good bool) {
		if good && c.Bits < best.Bits {
			best, ok = c, true
		}
	}
	form, units, dims, balanced := s.form(t)
	finish := func(c Score) Score {
		c.Form, c.Units, c.Dims, c.Balanced = form, units, dims, balanced
		c.ErrorModel = errorBits[c.Errors]
		c.Bits = FormWeight*c.Form + c.Rest()
		return c
	}
	for _, model := range s.models() {
		if robust := model == HeavyTailed; robust {
			model = Equal
			if e.Final {
				c, _ := s.fit(t, model, set)
				if h, good := s.heavy(c); good && plausible(h.Tree) && s.resolves(h.Tree) && s.turns(h.Tree) {
					consider(finish(h), true)
				}
				continue
			}
		}
		c, good := s.fit(t, model, set)
		if !good || !plausible(c.Tree) || e.Final && !(s.resolves(c.Tree) && s.turns(c.Tree)) {
			continue
		}
		c = finish(c)
		consider(c, true)
		set.Starts = 1
		t = c.Tree // the next model starts where this one ended
		if e.Final && !c.Rounding && (model == Equal || model == Proportional) && s.kurtosis(c) > heavyKurtosis {
			h, good := s.heavy(c)
			consider(finish(h), good)
		}
	}
	if !ok {
		return best, false
	}
	return best, !math.IsNaN(best.Bits) && !math.IsInf(best.Bits, 0)
}

// models returns the error models that are tried, those of the last fits aside.
func (s *Scorer) models() []Errors {
	switch {
	case s.Sigma != nil:
		return []Errors{Given}
	case s.Models != nil && (s.positive != 0 || !slices.Contains(s.Models, Proportional)):
		return s.Models
	case s.positive == 0:
		return []Errors{Equal}
	case s.count:
		return []Errors{Equal, Proportional, Counting}
	}
	return []Errors{Equal, Proportional}
}

// fit fits t under one error model and fills in constants and data.
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
	c = Score{Errors: model, Tree: t.WithStarts(r.Params), Params: r.Params, StdErr: r.StdErr, Cov: r.Cov}
	s.measure(&c, r, w)
	return c, !math.IsNaN(c.Data)
}

// measure fills in what a fit leaves, its standard errors and its bits except for the form.
func (s *Scorer) measure(c *Score, r fit.Result, w []float64) {
	n, k := s.Rows(), len(r.Params)
	expr.Compile(c.Tree).Eval(s.value, s.Cols, r.Params)
	c.RSS = 0
	for i, f := range s.value {
		c.RSS += (s.Y[i] - f) * (s.Y[i] - f)
	}
	rss := 0.0 // in units in which the scale of each row is one
	logs := 0.0
	floor := 0.0
	var inputs []float64
	if s.final && c.Errors != Given {
		inputs = s.inherited(c.Tree, c.Params)
	}
	round := func(i int) float64 {
		if inputs == nil {
			return s.yRound * s.yRound
		}
		return s.yRound*s.yRound + inputs[i]
	}
	switch c.Errors {
	case Equal:
		rss = c.RSS
		for i := range s.value {
			floor += round(i)
		}
	case Given:
		rss = r.RSS
		for _, sigma := range s.Sigma {
			logs += math.Log2(sigma * math.Sqrt(2*math.Pi))
		}
		c.Data = logs + rss/(2*math.Ln2)
		c.Constants = s.precision(c.Tree, c.Params, s.Sigma) + s.prices(c.Tree, c.Params)
		c.Size = math.Sqrt(rss / float64(max(1, n-k)))
		return
	case Proportional:
		for i, f := range s.value {
			q := math.Log(s.Y[i] / f)
			if math.IsNaN(q) || math.IsInf(q, 0) {
				c.Data = math.NaN()
				return
			}
			rss += q * q
			logs += math.Log2(math.Abs(s.Y[i]))
			floor += round(i) / (s.Y[i] * s.Y[i])
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
	c.Rounding = rss <= 1.5*floor
	rss = max(rss, floor, 1e-24*s.square(c.Errors))
	scale := math.Sqrt(rss / float64(max(1, n-k)))
	if w != nil { // the weights are known up to a factor
		for i := range c.StdErr {
			c.StdErr[i] *= scale
		}
		for i := range c.Cov {
			c.Cov[i] *= scale * scale
		}
	} else if r.RSS > 0 && rss > r.RSS {
		by := math.Sqrt(rss / r.RSS)
		for i := range c.StdErr {
			c.StdErr[i] *= by
		}
		for i := range c.Cov {
			c.Cov[i] *= by * by
		}
	}
	c.Size = scale
	c.Data = unknownSize(n, k, rss) + logs
	for i, f := range s.value {
		s.sizes[i] = scale * s.rowScale(c.Errors, f)
	}
	c.Constants = s.precision(c.Tree, c.Params, s.sizes) + s.prices(c.Tree, c.Params)
}

// rowScale returns the size of the errors of a row in which the law is f, in units of the size that
// is fitted.
func (s *Scorer) rowScale(e Errors, f float64) float64 {
	switch e {
	case Proportional, HeavyFactors:
		return math.Abs(f)
	case Counting:
		return math.Sqrt(max(f, 1))
	}
	return 1
}

// square returns the sum of squares of the target in units in which each row's scale is one.
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

// heavyKurtosis is the kurtosis of residuals from which errors with heavy tails are tried; normal
// ones have 3.
const heavyKurtosis = 3.7

// kurtosis returns the fourth moment of a law's residuals, in units in which its error model has
// them alike, over the square of the second.
func (s *Scorer) kurtosis(c Score) float64 {
	expr.Compile(c.Tree).Eval(s.value, s.Cols, c.Params)
	two, four := 0.0, 0.0
	for i, f := range s.value {
		r := (s.Y[i] - f) / s.rowScale(c.Errors, f)
		two += r * r
		four += r * r * r * r
	}
	return float64(s.Rows()) * four / (two * two)
}

// tails is the number of degrees of freedom of Student's distribution for errors with heavy tails.
const tails = 3

// heavy refits a law with errors that have heavy tails, from where another model ended.
func (s *Scorer) heavy(from Score) (c Score, ok bool) {
	model := HeavyTailed
	if from.Errors == Proportional {
		model = HeavyFactors
	}
	scale := func(f float64) float64 {
		if model == HeavyFactors {
			return math.Abs(f)
		}
		return 1
	}
	c = Score{Errors: model, Tree: from.Tree, Params: from.Params}
	res := make([]float64, s.Rows())
	w := make([]float64, s.Rows())
	last := math.Inf(1)
	var r fit.Result
	for range 8 {
		expr.Compile(c.Tree).Eval(s.value, s.Cols, c.Params)
		logs := 0.0
		for i, f := range s.value {
			g := scale(f)
			res[i] = (s.Y[i] - f) / g
			logs += math.Log2(g)
		}
		bits, weights := student(res, tails)
		if weights == nil || math.IsNaN(bits) {
			return c, false
		}
		c.Data = bits + logs
		if last-c.Data < 1e-3 {
			break
		}
		last = c.Data
		for i, f := range s.value {
			g := scale(f)
			w[i] = weights[i] / (g * g)
		}
		var err error
		if r, err = s.fitter.Fit(c.Tree, s.Cols, s.Y, w, fit.Settings{Starts: 1, MaxIter: 40}); err != nil {
			return c, false
		}
		c.Tree, c.Params = c.Tree.WithStarts(r.Params), r.Params
	}
	if r.Params == nil {
		return c, false
	}
	n, k := s.Rows(), len(r.Params)
	c.StdErr, c.Cov = r.StdErr, r.Cov
	c.Size = math.Sqrt(r.RSS / float64(max(1, n-k)))
	for i := range c.StdErr {
		c.StdErr[i] *= c.Size
	}
	for i := range c.Cov {
		c.Cov[i] *= c.Size * c.Size
	}
	for i, f := range s.value {
		c.RSS += (s.Y[i] - f) * (s.Y[i] - f)
	}
	// the size of the errors and k constants were fitted and not integrated out
	c.Data += float64(k)/2*math.Log2(float64(n)/float64(max(1, n-k))) + 0.5*math.Log2(float64(n))
	for i, f := range s.value {
		s.sizes[i] = c.Size * s.rowScale(model, f)
	}
	c.Constants = s.precision(c.Tree, c.Params, s.sizes) + s.prices(c.Tree, c.Params)
	return c, true
}

// form prices the form of t and the units that it needs.
func (s *Scorer) form(t expr.Tree) (form, units float64, dims []unit.Dim, balanced bool) {
	form = s.Prior.Bits(s.inRadians(t), s.raw)
	units = s.guesses(t)
	if !s.anyUnit {
		return form, units, nil, true
	}
	shape, slots := loose(t)
	dims, violation := shape.ParamDimsKnown(s.dims, s.known, s.target, s.knows)
	dims = dims[:slots]
	for _, d := range dims {
		units += unitBits(d)
	}
	if violation > 0 {
		return form, units + violationBits, dims, false
	}
	return form, units, dims, true
}

// unitBits returns the price of the unit of a fitted constant: nothing for a plain one, more the
// larger its powers are.
func unitBits(d unit.Dim) float64 {
	bits := 0.0
	for _, e := range d {
		if a := math.Abs(e.Float64()); a > 4 {
			bits += 2 * math.Log2(a/4)
		}
	}
	return bits
}

// loose returns t for the calculation of dimensions: exponents that were fitted are rounded to
// hundredths, since c0·x^3.86 balances when c0 carries that power of the unit, and the operand of
// each logarithm is divided by a constant of its own beyond the slots of t, since scientists take
// logarithms of numbers in a unit. slots is the number of t's own constants.
func loose(t expr.Tree) (shape expr.Tree, slots int) {
	src := t.Nodes()
	slots = t.NumParams()
	next := slots
	nodes := make([]expr.Node, 0, len(src)+4)
	for i, n := range src {
		if n.Op == expr.Param && i+1 < len(src) && src[i+1].Op == expr.Pow {
			n = expr.Node{Op: expr.Number, Value: math.Round(n.Value*100) / 100}
		}
		if n.Op == expr.Log {
			nodes = append(nodes, expr.Node{Op: expr.Param, Index: int32(next), Value: 1}, expr.Node{Op: expr.Mul})
			next++
		}
		nodes = append(nodes, n)
	}
	shape, _ = expr.FromNodes(nodes)
	if k := shape.NumParams(); k < slots { // the last one was an exponent
		slots = k
	}
	return shape, slots
}

// Residuals returns y − f of a scored law.
func (s *Scorer) Residuals(c Score) []float64 {
	v := make([]float64, s.Rows())
	expr.Compile(c.Tree).Eval(v, s.Cols, c.Params)
	for i, f := range v {
		v[i] = s.Y[i] - f
	}
	return v
}

// Constant scores the law that the target is a constant.
func (s *Scorer) Constant() Score {
	sum := 0.0
	for _, v := range s.Y {
		sum += v / float64(s.Rows())
	}
	c, _ := s.Score(expr.C(0, sum), Effort{Final: true})
	c.Bits += constantLaw - FormWeight*c.Form
	c.Form = constantLaw / FormWeight
	return c
}

// Refit fits the constants of t, over the Table's variables, under one error model, and scores it.
func (s *Scorer) Refit(t expr.Tree, model Errors) (c Score, ok bool) {
	base, heavy := model, true
	switch model {
	case HeavyTailed:
		base = Equal
	case HeavyFactors:
		base = Proportional
	default:
		heavy = false
	}
	c, ok = s.fit(t, base, fit.Settings{Starts: 1})
	if ok && heavy {
		if h, good := s.heavy(c); good {
			c = h
		}
	}
	c.Form, c.Units, c.Dims, c.Balanced = s.form(c.Tree)
	return c, ok
}

// ParamDims returns the dimensions that the constants of t need for it to balance, by slot; nil
// where no units are known.
func (m *Table) ParamDims(t expr.Tree) []unit.Dim {
	if !m.anyUnit {
		return nil
	}
	shape, slots := loose(m.Lift(t))
	dims, _ := shape.ParamDimsKnown(m.dims, m.known, m.target, m.knows)
	return dims[:slots]
}

// exactSize is the relative size of residuals at or below which data are exact.
const exactSize = 1e-7

// exactSpread is the size of residuals relative to the target's standard deviation above which the
// rounding of a table's digits is too coarse to make a law exact.
const exactSpread = 1e-3

// Exact reports whether a law leaves no more than the rounding of the table's digits, in fine
// enough tables, or of calculations.
func (m *Table) Exact(c Score) bool {
	_, spread := m.squares()
	return c.Rounding && c.RSS <= exactSpread*exactSpread*spread || m.Calculated(c)
}

// Calculated reports whether a law leaves no more than the rounding of calculations.
func (m *Table) Calculated(c Score) bool {
	square, spread := m.squares()
	return c.RSS <= exactSize*exactSize*min(square, 1e4*spread)
}

// squares returns the sum of squares of the target and that of its distances from the mean.
func (m *Table) squares() (square, spread float64) {
	sum := 0.0
	for _, v := range m.Y {
		sum += v
		square += v * v
	}
	return square, square - sum*sum/float64(m.Rows())
}
