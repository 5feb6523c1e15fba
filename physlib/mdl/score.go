package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/unit"
)

// Prices in bits that are not part of the prior of the form.
const (
	// FormWeight multiplies the bits of the form. It is needed since no error model is quite right,
	// so that the likelihood of small tables is overconfident. It has the same effect as raising
	// the likelihood to the power 1/FormWeight, the learning rate of P. Grünwald (The safe
	// Bayesian, ALT 2012).
	//
	// FormWeight and factorBits were chosen so that the accepted law comes first as often as
	// possible in the tables of package corpus/tables that were used for development.
	FormWeight = 1.6
	// constantLaw is the price of the form of a constant. It assumes that half of all tables
	// contain no law.
	constantLaw = 1
	// ViolationBits is the price of a law whose dimensions do not balance with any units of its
	// constants.
	ViolationBits = 12
)

// Score is a law fitted to a table and its description length.
type Score struct {
	Tree  expr.Tree // over the Data's variables; its constants start at their fitted values
	Model Errors    // error model of the target

	Bits float64 // description length of law and data, with FormBits multiplied by FormWeight
	// The parts of Bits: the form, its units, its constants, the name of the error model, and the
	// data under that model.
	FormBits, UnitBits, ParamBits, ErrorBits, DataBits float64

	Params, StdErr []float64 // fitted constants and standard errors, by slot in Tree
	Cov            []float64 // covariance of Params, by rows
	RSS            float64   // Σ (y − f)², without weights
	// Size of the errors. Depending on Model, this is a standard deviation, a relative standard
	// deviation, or √(χ²/dof).
	Size     float64
	Dims     []unit.Dim
	Balanced bool // the dimensions balance if the constants have suitable units
	Rounding bool // the residuals are no larger than the rounding of the table's digits

	// Standard deviation of the error in each row, if it follows from the law: that of the
	// rounding, or a share of the law's value. nil: it follows from Model.
	sigmas []float64
}

// BitsWithoutForm returns the description length except for the form.
func (c Score) BitsWithoutForm() float64 {
	return c.UnitBits + c.ParamBits + c.ErrorBits + c.DataBits
}

// Complexity returns the bits of the form and of its units. It does not include the bits of the
// constants.
func (c Score) Complexity() float64 { return c.FormBits + c.UnitBits }

// Scorer fits and scores laws on one table. It must not be used concurrently.
type Scorer struct {
	*Data
	fitter fit.Fitter
	final  bool            // Effort.Final: the errors of a law include the rounding of its inputs
	done   <-chan struct{} // Effort.Done
	value  []float64
	w      []float64

	scratch, sizes []float64
	grad           [][]float64
	at             [][]float64 // points at which numberBits evaluates laws; nil: not chosen yet
}

// Scorer returns a workspace for one goroutine.
func (m *Data) Scorer() *Scorer {
	return &Scorer{Data: m, value: make([]float64, m.Rows()), w: make([]float64, m.Rows()),
		scratch: make([]float64, m.Rows()), sizes: make([]float64, m.Rows())}
}

// Effort sets how much time a fit may take.
type Effort struct {
	Starts int  // number of starting points of each fit; 0: one
	Quick  bool // take only a few steps from each starting point
	// Fit with full care, as for the last few laws: also heavy-tailed errors, known rounding of the
	// inputs, shares as errors, and large proportional errors. A law that the rows do not support
	// is rejected (see Scorer.admissible).
	Final bool
	// Try all starting points under each error model. Otherwise the fits under all models but the
	// first start at the constants of the fit before.
	EachModel bool

	Done <-chan struct{} // once closed, the law counts as one that cannot be fitted; nil: never
}

// Score fits t, over the table's variables, under each error model that the target allows. It
// returns the best score. ok is false if t has no finite value in some row, or if there are too few
// rows for its constants.
func (s *Scorer) Score(t expr.Tree, e Effort) (best Score, ok bool) {
	if !s.Enough(t.NumParams()) {
		return best, false
	}
	s.final, s.done = e.Final, e.Done
	set := s.settings(e, t.NumParams())
	a := s.newAttempt(t)
	for _, model := range s.models() {
		robust := model == HeavyTailed
		if robust {
			model = Equal
		}
		c, good := s.fit(t, model, set)
		if !good {
			continue
		}
		calculated := e.Final && s.Calculated(c)
		if robust && e.Final && !calculated { // rounding errors of calculations have no heavy tails
			a.considerHeavy(c)
			continue
		}
		if !s.plausible(c) || e.Final && !s.admissible(c) {
			continue
		}
		a.consider(c)
		if !e.EachModel {
			set.Starts = 1
		}
		t = c.Tree // the fit of the next model starts with these constants
		if !e.Final {
			continue
		}
		if c.Rounding {
			if r, good := s.rounded(c); good {
				a.consider(r)
			}
		} else if !calculated && (model == Equal || model == Proportional) && s.kurtosis(c) > heavyKurtosis {
			a.considerHeavy(c)
		}
	}
	if s.ended() || math.IsInf(a.best.Bits, 0) {
		return Score{}, false
	}
	return a.best, true
}

// attempt compares the scores of one law under several error models.
type attempt struct {
	*Scorer
	form, units float64    // prices in bits
	dims        []unit.Dim // dimensions of the constants
	balanced    bool       // the dimensions of the law balance
	best        Score      // its Bits are infinite until a score is considered
}

func (s *Scorer) newAttempt(t expr.Tree) *attempt {
	a := &attempt{Scorer: s, best: Score{Bits: math.Inf(1)}}
	a.form, a.units, a.dims, a.balanced = s.form(t)
	return a
}

// consider completes the score of the law under one error model, and keeps it if it is the best.
func (a *attempt) consider(c Score) {
	c.FormBits, c.Dims, c.Balanced = a.form, a.dims, a.balanced
	c.UnitBits = a.units + a.numberBits(c.Tree, c.Params)
	c.ErrorBits = modelBits[c.Model]
	c.Bits = FormWeight*c.FormBits + c.BitsWithoutForm()
	if c.Bits < a.best.Bits {
		a.best = c
	}
}

// considerHeavy considers the law c with heavy-tailed errors.
func (a *attempt) considerHeavy(c Score) {
	if h, good := a.heavy(c); good && a.plausible(h) && a.admissible(h) {
		a.consider(h)
	}
}

// Enough reports whether there are enough rows to score a law with the given number of constants:
// more than twice as many rows, exactly twice as many if they are at least six, or four more. There
// must also be two more different rows than constants.
func (s *Scorer) Enough(constants int) bool {
	n := s.Rows()
	return (n > 2*constants || n == 2*constants && n >= 6 || n >= constants+4) && s.points >= constants+2
}

// ended reports whether Effort.Done is closed.
func (s *Scorer) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// manyConstants is the smallest number of free constants for which a fit needs more starting
// points.
const manyConstants = 5

// settings returns the numbers of starting points and iterations of a fit of a law with the given
// number of constants.
func (s *Scorer) settings(e Effort, constants int) fit.Settings {
	set := fit.Settings{Starts: max(e.Starts, 1), MaxIter: 60, Done: e.Done}
	if constants >= manyConstants && e.Quick {
		set.Starts *= 4
	}
	if e.Quick {
		set.MaxIter = 25
	}
	if e.Final && s.Rows() < 200 {
		set.MaxIter = 200
	}
	return set
}

// models returns the error models that Score tries in any case. In a final fit (Effort.Final),
// Score adds heavy tails and known rounding. If Data.Models names HeavyTailed, as with --errors
// heavy-tailed, fits that are not final use equal errors in its place.
func (s *Scorer) models() []Errors {
	switch {
	case s.Sigma != nil:
		return []Errors{Given}
	case s.Models != nil && (s.sign != 0 || !slices.Contains(s.Models, Proportional)):
		return s.Models
	case s.sign == 0:
		return []Errors{Equal}
	case s.isCount:
		return []Errors{Equal, Proportional, Counting}
	}
	return []Errors{Equal, Proportional}
}

// Constant scores the law "target = constant".
func (s *Scorer) Constant() Score {
	sum := 0.0
	for _, v := range s.Y {
		sum += v / float64(s.Rows())
	}
	c, _ := s.Score(expr.C(0, sum), Effort{Final: true})
	c.Bits += constantLaw - FormWeight*c.FormBits
	c.FormBits = constantLaw / FormWeight
	return c
}

// Refit fits the constants of t, over the table's variables, under one error model. It sets all
// fields of the Score except ErrorBits and Bits. A fit of a heavy-tailed model starts with the
// constants of t. If it fails, Refit uses the model without heavy tails.
func (s *Scorer) Refit(t expr.Tree, model Errors) (c Score, ok bool) {
	s.done, s.final = nil, true
	heavy := true
	switch model {
	case HeavyTailed:
		model = Equal
	case HeavyFactors:
		model = Proportional
	default:
		heavy = false
	}
	if heavy {
		c, ok = s.heavy(Score{Model: model, Tree: t, Params: t.Params()})
	}
	if !ok {
		c, ok = s.fit(t, model, fit.Settings{Starts: 1})
	}
	c.FormBits, c.UnitBits, c.Dims, c.Balanced = s.form(c.Tree)
	c.UnitBits += s.numberBits(c.Tree, c.Params)
	return c, ok
}

// Residuals returns y − f of a scored law.
func (s *Scorer) Residuals(c Score) []float64 {
	v := s.Values(c.Tree, c.Params)
	for i, f := range v {
		v[i] = s.Y[i] - f
	}
	return v
}

// Standardized returns the residuals of a scored law, each divided by the standard deviation of its
// error.
func (s *Scorer) Standardized(c Score) []float64 {
	v := s.Values(c.Tree, c.Params)
	for i, f := range v {
		v[i] = (s.Y[i] - f) / s.sigma(&c, i, f)
	}
	return v
}

// Studentized returns the residual of row i of a scored law, divided by a standard deviation that
// is estimated from the other rows alone (the externally studentized residual of R. D. Cook and S.
// Weisberg, Residuals and Influence in Regression, 1982). For normal errors, it has Student's
// distribution with the given degrees of freedom. It is 0 if a fit fails.
func (s *Scorer) Studentized(c Score, i int) (t float64, freedom int) {
	freedom = s.Rows() - 1 - c.Tree.NumParams()
	f := s.Values(c.Tree, c.Params)
	w := make([]float64, s.Rows())
	for k := range w {
		sigma := s.sigma(&c, k, f[k])
		w[k] = 1 / (sigma * sigma)
	}
	rss := func() float64 {
		r, err := s.fitter.Fit(c.Tree.WithStarts(c.Params), s.Cols, s.Y, w, fit.Settings{Starts: 1})
		if err != nil {
			return math.NaN()
		}
		return r.RSS
	}
	all := rss()
	w[i] = 0
	others := rss()
	if t = math.Sqrt((all - others) / (others / float64(freedom))); math.IsNaN(t) {
		return 0, freedom
	}
	return t, freedom
}

// Gap returns the distance between law b and the form of a, after the constants of a are fitted to
// the values of b. The distance is √(Σ (fₐ − f_b)²/σ²) over the rows, with the errors σ of a. It is
// zero if b is a special case of a, and infinite if the fit fails.
func (s *Scorer) Gap(a, b Score) float64 {
	f := s.Values(b.Tree, b.Params)
	w := make([]float64, s.Rows())
	for i := range f {
		sigma := s.sigma(&a, i, f[i])
		w[i] = 1 / (sigma * sigma)
	}
	r, err := s.fitter.Fit(a.Tree.WithStarts(a.Params), s.Cols, f, w, fit.Settings{Starts: 4, MaxIter: 200})
	if err != nil || math.IsNaN(r.RSS) {
		return math.Inf(1)
	}
	return math.Sqrt(r.RSS)
}
