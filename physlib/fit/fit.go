package fit

import (
	"errors"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Method is the method by which the nonlinear constants are found.
type Method uint8

const (
	LevenbergMarquardt Method = iota // with variable projection
	// Quasi-Newton on all constants, including linear ones, by gonum/optimize.
	BFGS
)

// Settings of a fit. The zero value works.
type Settings struct {
	Method Method
	// Number of sets of starting values that are refined; 0: 8. The first set is that of the tree.
	// Trees with only linear constants need no starting values.
	Starts  int
	MaxIter int // largest number of steps from each set of starting values; 0: 200
	// A fit has converged if a step changes each constant by at most this fraction; 0: 1e-13. It
	// has also converged if the cosine of the angle between the residual and the tangent space is
	// less than Tol.
	Tol  float64
	Seed int64 // seed of the random numbers for further starting values

	Done <-chan struct{} // the fit ends with ErrEnded once this channel is closed; nil: never
}

// Result is a fit.
type Result struct {
	Params []float64 // Params[slot] is the fitted constant whose index in the tree is slot
	StdErr []float64 // standard error of each constant; +Inf if the data do not determine it
	Cov    []float64 // covariance matrix of the constants, row by row
	RSS    float64   // Σ w·(y - f)²
	Rows   int
	// Number of passes over the rows; a pass over a sample of the rows counts as well.
	Evaluations int
	Converged   bool
}

// Sigma returns the residual standard deviation √(RSS/(Rows - len(Params))). It is NaN or +Inf if
// the number of rows does not exceed the number of constants.
func (r Result) Sigma() float64 {
	return math.Sqrt(r.RSS / float64(max(r.Rows-len(r.Params), 0)))
}

// ErrNotFinite is the error of a fit if no set of starting values gives finite values in all rows.
var ErrNotFinite = errors.New("not finite")

// ErrEnded is the error of a fit that Settings.Done ended.
var ErrEnded = errors.New("fit: ended before it converged")

// RowError is [ErrNotFinite] with the first row, counted from 0, that has no finite value.
type RowError struct{ Row int }

// Error returns one line that names the row.
func (e RowError) Error() string {
	return fmt.Sprintf("fit: the law is not finite in row %d at any start: try other starting values", e.Row)
}

// Is reports whether target is ErrNotFinite.
func (e RowError) Is(target error) bool { return target == ErrNotFinite }

// exactFit is the error relative to RMS(y) below which a fit counts as exact.
const exactFit = 1e-12

// Fit finds the constants of t that minimize Σ w·(y - t)², starting from [expr.Tree.Params].
// cols[v] is variable v. w is 1/σ² of each row, or nil if the errors are equal and unknown; the
// package comment explains the standard errors in both cases. A row of weight 0 is left out. To fit
// many trees, it is faster to use one [Fitter] for each goroutine.
func Fit(t expr.Tree, cols [][]float64, y, w []float64, s Settings) (Result, error) {
	return new(Fitter).Fit(t, cols, y, w, s)
}

// Fitter is a reusable workspace for one goroutine. The zero Fitter is ready to use.
type Fitter struct {
	model
	step   stepper
	sample *Fitter // refines starting values on a sample of the rows of a large table
	screen *Fitter // compares starting values on few rows
	inner  *Fitter // fits transformed trees
	own    struct {
		cols [][]float64
		y, w []float64
	} // memory for the rows of a sample, if this Fitter is the sample or screen of another one
}

// Fit is like the function Fit. The result does not share memory with f.
func (f *Fitter) Fit(t expr.Tree, cols [][]float64, y, w []float64, s Settings) (Result, error) {
	if err := check(t, cols, y, w); err != nil {
		return Result{}, err
	}
	if c := centre(t, cols, len(y)); c.pairs != nil {
		if r, err := f.fit(c.tree, cols, y, w, s); err == nil && c.undo(&r) {
			return r, nil
		}
	}
	return f.fit(t, cols, y, w, s)
}

// fit is like Fit, for input that check has accepted.
func (f *Fitter) fit(t expr.Tree, cols [][]float64, y, w []float64, s Settings) (Result, error) {
	s = s.withDefaults()
	f.done = s.Done
	f.load(t, cols, y, w)
	copy(f.params, t.Params())
	switch {
	case len(f.curved) == 0:
		f.converged = f.project() && f.linearize()
		f.polish()
	case s.Method == BFGS:
		f.quasiNewton(s)
	default:
		f.search(s)
	}
	if !f.fresh && !f.linearize() {
		if f.ended() {
			return Result{}, ErrEnded
		}
		return Result{}, f.notFinite()
	}
	return f.result(), nil
}

func (s Settings) withDefaults() Settings {
	if s.Starts <= 0 {
		s.Starts = 8
	}
	if s.MaxIter <= 0 {
		s.MaxIter = 200
	}
	if s.Tol <= 0 {
		s.Tol = 1e-13
	}
	return s
}

// check returns an error if the input is invalid, so that no other function has to check it.
func check(t expr.Tree, cols [][]float64, y, w []float64) error {
	if t.Len() == 0 {
		return errors.New("fit: the tree is empty")
	}
	if len(y) == 0 {
		return errors.New("fit: no rows")
	}
	if w != nil && len(w) != len(y) {
		return fmt.Errorf("fit: %d weights for %d rows", len(w), len(y))
	}
	for _, n := range t.Nodes() {
		if n.Op != expr.Var {
			continue
		}
		if int(n.Index) >= len(cols) {
			return fmt.Errorf("fit: the law uses variable %d of %d", n.Index, len(cols))
		}
		if len(cols[n.Index]) < len(y) {
			return fmt.Errorf("fit: variable %d has %d rows, the target %d", n.Index, len(cols[n.Index]), len(y))
		}
	}
	for i, v := range y {
		if (math.IsNaN(v) || math.IsInf(v, 0)) && (w == nil || w[i] != 0) {
			return fmt.Errorf("fit: the target is %v in row %d: leave it out or give it weight 0", v, i)
		}
	}
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("fit: weight %v in row %d: weights are 1/σ², finite and not negative", v, i)
		}
	}
	return nil
}

// notFinite returns a RowError for the first row in which the law has no finite value.
func (f *Fitter) notFinite() error {
	row := 0
	f.eachBlock(func(lo, m int) bool {
		for i, v := range f.value[:m] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				if f.w == nil || f.w[lo+i] != 0 {
					row = lo + i
					return false
				}
			}
		}
		return true
	})
	return RowError{row}
}

// result returns the fit with the present constants. It uses the orthogonal factor that linearize
// calculated.
func (f *Fitter) result() Result {
	k := len(f.params)
	mem := make([]float64, 2*k+k*k)
	r := Result{
		Params: mem[:k:k], StdErr: mem[k : 2*k : 2*k], Cov: mem[2*k:],
		RSS: f.rss, Rows: f.rows, Evaluations: f.evaluations, Converged: f.converged,
	}
	copy(r.Params, f.params)
	if k == 0 {
		return r
	}
	f.scratch = grow(f.scratch, 2*k*k)
	cov := f.scratch[k*k:]
	f.tri.Covariance(cov, f.scratch, k)
	variance := 1.0
	if f.w == nil {
		variance = f.rss / float64(f.rows-f.tri.Rank)
		if f.rows <= f.tri.Rank {
			// There are no more rows than constants, so the residual variance cannot be estimated.
			variance = math.Inf(1)
		}
	}
	for i := range k {
		for j := range k {
			v := cov[i*k+j]
			if v != 0 {
				v *= variance
			}
			if math.IsNaN(v) {
				v = math.Inf(1)
			}
			r.Cov[f.slot(i)*k+f.slot(j)] = v
		}
		r.StdErr[f.slot(i)] = math.Sqrt(r.Cov[f.slot(i)*k+f.slot(i)])
	}
	return r
}
