// Package fit finds the constants of a law by least squares on the raw table, and their standard errors.
//
// # Design
//
// A law is linear in some of its constants. Those are found exactly for every value of the others (variable projection:
// Golub and Pereyra, SIAM J. Numer. Anal. 10, 413, 1973, with Kaufman's Jacobian, BIT 15, 49, 1975), and
// Levenberg–Marquardt with Moré's scaling (Lecture Notes in Mathematics 630, 105, 1978) runs on what is left. A law
// without nonlinear constants takes one linear solve.
package fit

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/expr"
)

// Method is how nonlinear constants are found. The zero value is LevenbergMarquardt.
type Method int

const (
	LevenbergMarquardt Method = iota
	BFGS                      // gonum/optimize on the sum of squares, as the seed documents have it
)

// Settings of a fit. The zero value works.
type Settings struct {
	Method  Method
	Starts  int     // starting points tried for nonlinear constants; 0: 4. The first is the tree's own
	MaxIter int     // steps from each start; 0: 100
	Tol     float64 // relative change of the residual below which a start has converged; 0: 1e-12
	Seed    int64   // of the further starting points
}

// Result of a fit.
type Result struct {
	Params      []float64 // by slot
	StdErr      []float64 // one standard error each; +Inf where the data do not determine the constant
	Cov         []float64 // covariance, row by row
	RSS         float64   // Σ w (y - f)²
	Rows        int
	Evaluations int // of the law on all rows
	Converged   bool
}

// ErrUndefined says that the law has no finite value on some row wherever its constants were tried.
var ErrUndefined = errors.New("fit: the law is undefined on some rows for all starting values tried")

// Fit finds the constants of t that minimise Σ w (y - f)² over the rows; w holds 1/σ² of each row, nil means one.
//
// With w the standard errors are absolute; without, they are scaled by the residual variance RSS/(rows - constants).
func Fit(t expr.Tree, cols [][]float64, y, w []float64, s Settings) (Result, error) {
	var f Fitter
	return f.Fit(t, cols, y, w, s)
}

// Fitter is a Fit that keeps its buffers between calls. It is for one goroutine at a time. The zero Fitter is ready.
type Fitter struct {
	rows   int
	slab   [][]float64 // free rows
	used   int
	p      *expr.Program
	cols   [][]float64
	y, sw  []float64
	lin    []int // slots by kind
	non    []int
	evals  int
	params []float64
	value  []float64
	grad   [][]float64
	res    []float64
}

// Fit is [Fit] with kept buffers. The Result shares nothing with the Fitter.
func (f *Fitter) Fit(t expr.Tree, cols [][]float64, y, w []float64, s Settings) (Result, error) {
	if t.Len() == 0 {
		return Result{}, errors.New("fit: empty law")
	}
	for _, n := range t.Nodes() {
		if n.Op == expr.Var && int(n.Index) >= len(cols) {
			return Result{}, fmt.Errorf("fit: the law uses variable %d of %d columns", n.Index, len(cols))
		}
	}
	if len(y) == 0 {
		return Result{}, errors.New("fit: no rows")
	}
	f.prepare(t, cols, y, w)
	if s.Starts == 0 {
		s.Starts = 4
	}
	if s.MaxIter == 0 {
		s.MaxIter = 100
	}
	if s.Tol == 0 {
		s.Tol = 1e-12
	}
	start := t.Params()
	best := Result{RSS: math.Inf(1)}
	if len(f.non) == 0 {
		s.Starts = 1
	}
	rng := rand.New(rand.NewPCG(uint64(s.Seed), 0x51ab))
	for k := range s.Starts {
		theta := make([]float64, len(f.non))
		for i, slot := range f.non {
			theta[i] = start[slot]
			if k > 0 {
				theta[i] = scatter(start[slot], rng)
			}
		}
		copy(f.params, start)
		rss, converged := f.descend(theta, s)
		if rss < best.RSS*(1-1e-9) || math.IsInf(best.RSS, 1) && rss < best.RSS {
			best.RSS, best.Converged = rss, converged
			best.Params = append(best.Params[:0], f.params...)
		}
		if k == 0 && converged && f.perfect(rss) {
			break
		}
	}
	best.Rows, best.Evaluations = len(y), f.evals
	if best.Params == nil {
		return Result{Params: start, RSS: math.Inf(1), Rows: len(y), Evaluations: f.evals}, ErrUndefined
	}
	f.errors(&best, w != nil)
	return best, nil
}

// scatter moves a starting value by a factor of about e², sometimes to the other sign.
func scatter(v float64, rng *rand.Rand) float64 {
	g, u := rng.NormFloat64(), rng.Float64()
	if v == 0 {
		return g
	}
	v *= math.Exp(2 * g)
	if u < 0.2 {
		v = -v
	}
	return v
}

// perfect tells whether the residual is rounding.
func (f *Fitter) perfect(rss float64) bool {
	s := 0.0
	for i, v := range f.y {
		v *= f.weight(i)
		s += v * v
	}
	return rss <= 1e-24*s
}

func (f *Fitter) weight(i int) float64 {
	if f.sw == nil {
		return 1
	}
	return f.sw[i]
}

// prepare compiles the law and lays out the buffers.
func (f *Fitter) prepare(t expr.Tree, cols [][]float64, y, w []float64) {
	if f.rows != len(y) {
		f.rows, f.slab = len(y), nil
	}
	f.used, f.evals = 0, 0
	f.p, f.cols, f.y = expr.Compile(t), cols, y
	f.sw = nil
	if w != nil {
		f.sw = f.row()
		for i, v := range w {
			f.sw[i] = math.Sqrt(v)
		}
	}
	n := t.NumParams()
	f.lin, f.non = split(t, n)
	f.params = make([]float64, n)
	f.value, f.res = f.row(), f.row()
	f.grad = f.grad[:0]
	for range n {
		f.grad = append(f.grad, f.row())
	}
}

// row is a buffer of one value a row of the table.
func (f *Fitter) row() []float64 {
	if f.used == len(f.slab) {
		f.slab = append(f.slab, make([]float64, f.rows))
	}
	f.used++
	return f.slab[f.used-1]
}

// evaluate computes the law and its derivatives at params.
func (f *Fitter) evaluate() {
	f.evals++
	f.p.Grad(f.value, f.grad, f.cols, f.params)
}
