package accept

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// Table holds the rows to which laws and forms are fitted, with the errors of the target.
type Table struct {
	Names []string // names of the columns, then of the known constants
	cols  [][]float64
	y     []float64
	s     []float64 // standard errors if known, otherwise numbers proportional to them
	kind  string    // kind of errors, see tables.Errors
}

// NewTable returns the rows of t except those whose indices, counted from 0, are in drop. If kind
// is tables.StandardErrors, sigma holds the errors of all rows of t.
func NewTable(t *dataset.Table, kind string, sigma []float64, drop []int) (*Table, error) {
	var rows []int
	for i := range t.Rows() {
		if !slices.Contains(drop, i) {
			rows = append(rows, i)
		}
	}
	part := t.Subset(rows)
	a := &Table{y: part.Target.Values, kind: kind}
	for _, c := range part.Vars {
		a.Names, a.cols = append(a.Names, c.Name), append(a.cols, c.Values)
	}
	for _, k := range t.Consts {
		a.Names, a.cols = append(a.Names, k.Name), append(a.cols, slices.Repeat([]float64{k.Value}, len(rows)))
	}
	switch kind {
	case tables.StandardErrors:
		if len(sigma) != t.Rows() {
			return nil, fmt.Errorf("%s: %d standard errors for %d rows", t.Name, len(sigma), t.Rows())
		}
		for _, i := range rows {
			a.s = append(a.s, sigma[i])
		}
	case tables.Relative, tables.LogNormal:
		a.s = a.proportional(1e-3)
	case tables.Equal:
		a.s = slices.Repeat([]float64{1}, len(rows))
	default:
		return nil, fmt.Errorf("%s: errors of no known kind: %q", t.Name, kind)
	}
	return a, nil
}

// proportional returns errors equal to the absolute values of the target, but at least the given
// share of the largest absolute value.
func (t *Table) proportional(share float64) []float64 {
	s := make([]float64, len(t.y))
	floor := share * largest(t.y)
	for i, y := range t.y {
		s[i] = math.Max(math.Abs(y), floor)
	}
	return s
}

func largest(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

// otherErrors returns the table with relative errors if its errors are equal. If they are relative
// or log-normal, it returns the table with equal errors.
func (t *Table) otherErrors() *Table {
	o := *t
	if t.kind == tables.Equal {
		o.kind, o.s = tables.Relative, t.proportional(1e-2)
	} else {
		o.kind, o.s = tables.Equal, slices.Repeat([]float64{1}, len(t.y))
	}
	return &o
}

// perValue reports whether the errors are relative to the value.
func (t *Table) perValue() bool { return t.kind == tables.Relative || t.kind == tables.LogNormal }

// bic returns the Bayesian information criterion for the residual sum of squares of a fit with k
// constants.
func (t *Table) bic(rss float64, k int) float64 {
	n := float64(len(t.y))
	if t.kind == tables.StandardErrors {
		return rss + float64(k)*math.Log(n)
	}
	unit := 1.0
	if !t.perValue() {
		unit = stat.PopStdDev(t.y, nil)
	}
	least := n * 1e-14 * unit * unit // smaller residuals are rounding errors
	return n*math.Log(max(rss, least, 1e-300)/n) + float64(k)*math.Log(n)
}

// rss returns the sum of squared residuals of predictions. An undefined residual counts as 10³⁰.
func (t *Table) rss(f []float64) (sum float64) {
	for i, v := range f {
		r := (v - t.y[i]) / t.s[i]
		if t.kind == tables.LogNormal {
			r = math.Log(v / t.y[i])
		}
		if math.IsNaN(r) || math.IsInf(r, 0) {
			r = 1e30
		}
		sum += r * r
	}
	return sum
}

// least fits the free constants of f, from the starting values in f, by least squares with the
// errors of the table.
func (t *Table) least(f expr.Tree) (fit.Result, error) {
	s := fit.Settings{Starts: 1, MaxIter: 400}
	if t.kind != tables.LogNormal {
		return fit.Fit(f, t.cols, t.y, column.InverseSquares(t.s), s)
	}
	cols := append(slices.Clone(t.cols), t.y)
	f = expr.Apply(expr.Log, expr.Apply(expr.Div, f, expr.X(len(t.cols))))
	return fit.Fit(f, cols, make([]float64, len(t.y)), nil, s)
}

// lawBIC returns the BIC of a law, and its residual sum of squares. It refits the fitted constants
// to the table if that lowers the sum.
func (t *Table) lawBIC(l *Law) (bic, rss float64) {
	rss = t.rss(l.at(t.cols, len(t.y)))
	if l.tree.NumParams() > 0 {
		if r, err := t.least(l.tree); err == nil {
			rss = min(rss, r.RSS)
		}
	}
	return t.bic(rss, l.k), rss
}

// Number of points at which laws and forms are compared.
const (
	between = 80  // points between random pairs of rows
	beyond  = 120 // points on the wider ranges
	widen   = 1.5
)

// points returns the rows followed by points between them, and points on wider ranges. The wider
// range of a positive column stays positive.
func (t *Table) points(rng *rand.Rand) (inside, wide [][]float64) {
	n := len(t.y)
	var a, b [between]int
	var w [between]float64
	for i := range between {
		a[i], b[i], w[i] = rng.IntN(n), rng.IntN(n), rng.Float64()
	}
	for _, x := range t.cols {
		in := slices.Clone(x)
		for i := range between {
			in = append(in, w[i]*x[a[i]]+(1-w[i])*x[b[i]])
		}
		inside = append(inside, in)
		low, high := slices.Min(x), slices.Max(x)
		middle, half := (low+high)/2, widen/2*(high-low)
		from := middle - half
		if low > 0 && from <= 0 {
			from = low / 2
		}
		out := make([]float64, beyond)
		for i := range out {
			out[i] = from + (middle+half-from)*rng.Float64()
		}
		wide = append(wide, out)
	}
	return inside, wide
}
