package accept

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/corpus/tables"
)

// Reference is an accepted form with its least-squares fit to a table.
type Reference struct {
	Form      *Form
	Constants []float64
	RSS, BIC  float64

	table *Table
	scale float64 // standard deviation of the errors in units of table.s
}

// NewReference fits f to t. If start is not nil, the first fit begins there. ok is false if the fit
// fails.
func NewReference(f *Form, t *Table, start []float64) (r *Reference, ok bool) {
	r = &Reference{Form: f, table: t}
	r.Constants, r.RSS = f.fit(t.cols, t.y, t.s, search{starts: [][]float64{start}})
	if r.Constants == nil {
		return nil, false
	}
	if t.kind == tables.LogNormal {
		r.Constants, r.RSS = t.polish(f, r.Constants)
	}
	r.BIC = t.bic(r.RSS, f.NumParams())
	r.scale = 1
	if t.kind != tables.StandardErrors {
		r.scale = math.Sqrt(r.RSS / float64(max(1, len(t.y)-f.NumParams())))
	}
	return r, !math.IsNaN(r.BIC) && !math.IsInf(r.BIC, 0)
}

// Law returns the form with its fitted constants as a law in the columns of t.
func (r *Reference) Law(t *Table) (*Law, error) {
	text := r.Form.tree.Bind(r.Constants).Infix(t.Names)
	var c []Constant
	for _, v := range r.Constants {
		c = append(c, Constant{Value: v})
	}
	return ParseLaw(text, t.Names, c)
}

// polish refits the constants to the logarithms of the values. It starts from c, which minimizes
// the squared errors of the values themselves.
func (t *Table) polish(f *Form, c []float64) ([]float64, float64) {
	if r, err := t.least(f.tree.WithStarts(c)); err == nil {
		return r.Params, r.RSS
	}
	return c, t.rss(f.at(c, t.cols, len(t.y)))
}

// sigma returns the standard deviations of the noise at points where the law has the values y.
func (r *Reference) sigma(y []float64) []float64 {
	out := make([]float64, len(y))
	common := r.scale
	if r.table.kind == tables.StandardErrors {
		s := slices.Sorted(slices.Values(r.table.s))
		common *= stat.Quantile(0.5, stat.LinInterp, s, nil)
	}
	for i, v := range y {
		out[i] = common
		if r.table.perValue() {
			out[i] = common * math.Abs(v)
		}
	}
	return out
}

// alias reports whether law and fitted form differ between the rows, by much more than they differ
// at the rows.
func (r *Reference) alias(l *Law) bool {
	inside, _ := r.table.points(source(4))
	rows := len(r.table.y)
	n := rows + between
	want, got := r.Form.at(r.Constants, inside, n), l.at(inside, n)
	sigma := r.sigma(want)
	farthest := func(from, to int) (gap float64) {
		for i := from; i < to; i++ {
			if d := math.Abs(got[i]-want[i]) / math.Max(sigma[i], 1e-300); d > gap {
				gap = d
			}
		}
		return gap
	}
	return farthest(rows, n) > max(10, 5*farthest(0, rows))
}

// near reports whether the fit that starts from c ends within three standard errors of c, for equal
// or for relative errors.
func (r *Reference) near(c []float64) bool {
	if r.nearWith(c, r.table) {
		return true
	}
	return r.table.kind != tables.StandardErrors && r.nearWith(c, r.table.otherErrors())
}

func (r *Reference) nearWith(c []float64, t *Table) bool {
	best, rss := r.Form.fit(t.cols, t.y, t.s, search{starts: [][]float64{c}, enough: math.Inf(1)})
	if best == nil {
		return false
	}
	if t.kind == tables.LogNormal {
		best, rss = t.polish(r.Form, best)
	}
	variance := 1.0
	if t.kind != tables.StandardErrors {
		variance = rss / float64(max(1, len(t.y)-len(c)))
	}
	for i, se := range r.Form.standardErrors(best, t) {
		if !(math.Abs(c[i]-best[i]) <= 3*math.Sqrt(variance)*se+1e-6*math.Abs(best[i])) {
			return false
		}
	}
	return true
}

// standardErrors returns the standard errors of constants c, for errors of variance 1 in units of
// t.s. Combinations of constants that the data do not determine are omitted, as in a pseudoinverse.
func (f *Form) standardErrors(c []float64, t *Table) []float64 {
	n, k := len(t.y), len(c)
	f.project(c, t.cols, t.y, t.s) // allocates f.value and f.grad
	f.program.Grad(f.value[:n], f.grad, t.cols, c)
	size := make([]float64, k)
	j := mat.NewDense(max(n, k), max(k, 1), nil)
	for i, g := range f.grad {
		floats.Div(g, t.s)
		size[i] = floats.Norm(g, 2) + 1e-300
		for row, v := range g {
			j.Set(row, i, v/size[i])
		}
	}
	se := make([]float64, k)
	var svd mat.SVD
	if k == 0 || !svd.Factorize(j, mat.SVDThin) {
		return se
	}
	var v mat.Dense
	svd.VTo(&v)
	values := svd.Values(nil)
	for i := range k {
		for d, s := range values {
			if s*s > 1e-13*values[0]*values[0] {
				se[i] += v.At(i, d) * v.At(i, d) / (s * s)
			}
		}
		se[i] = math.Sqrt(se[i]) / size[i]
	}
	return se
}
