package invariant

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// fitted is a sum with refined coefficients. Its first coefficient is 1.
type fitted struct {
	sum
	cov   []float64 // covariance of the coefficients except the first, row by row
	level []float64 // value of the sum in each run
	loose float64   // standard error of a level
}

// refineSteps is how many times the weights of the rows are calculated.
const refineSteps = 12

// refine fits the coefficients of s. Each row is weighted by the gradient of s at this row.
func (p *problem) refine(s sum) (f fitted, ok bool) {
	lead := p.lead(s)
	s.terms, s.coef = slices.Clone(s.terms), slices.Clone(s.coef)
	s.terms[0], s.terms[lead] = s.terms[lead], s.terms[0]
	s.coef[0], s.coef[lead] = s.coef[lead], s.coef[0]
	for i := len(s.coef) - 1; i >= 0; i-- {
		s.coef[i] /= s.coef[0]
	}
	k := len(s.terms)
	var normal *mat.SymDense
	w := make([]float64, p.rows)
	for range refineSteps {
		p.weights(s, w)
		centred := p.centred(s.terms, w)
		if k == 1 {
			break
		}
		normal = mat.NewSymDense(k-1, nil)
		right := mat.NewVecDense(k-1, nil)
		for a := 1; a < k; a++ {
			for b := 1; b <= a; b++ {
				v := 0.0
				for i := range p.rows {
					v += centred[a][i] * centred[b][i] * w[i]
				}
				normal.SetSym(a-1, b-1, v)
			}
			v := 0.0
			for i := range p.rows {
				v -= centred[a][i] * centred[0][i] * w[i]
			}
			right.SetVec(a-1, v)
		}
		var chol mat.Cholesky
		var c mat.VecDense
		if !chol.Factorize(normal) || chol.SolveVecTo(&c, right) != nil {
			return f, false
		}
		for a := 1; a < k; a++ {
			s.coef[a] = c.AtVec(a - 1)
		}
	}
	f = fitted{sum: s}
	return f, p.judge(&f, normal, w)
}

// lead returns the index of the term whose coefficient is set to 1. This is the simplest of the
// terms that contribute much to the sum.
func (p *problem) lead(s sum) int {
	weight := func(i int) float64 { return math.Abs(s.coef[i]) * math.Sqrt(p.free.At(s.terms[i], s.terms[i])) }
	most := 0.0
	for i := range s.terms {
		most = max(most, weight(i))
	}
	best := -1
	for i, t := range s.terms {
		if weight(i) > 0.1*most && (best < 0 || p.terms[t].bits < p.terms[s.terms[best]].bits) {
			best = i
		}
	}
	return max(best, 0)
}

// weights sets w to 1/variance of the sum s in each row. The variance is propagated from the errors
// of the columns, and is at least 1e-4 of the median variance.
func (p *problem) weights(s sum, w []float64) {
	for i := range w {
		w[i] = 0
	}
	for j := range p.columns {
		for i := range p.rows {
			g := 0.0
			for a, t := range s.terms {
				if d := p.terms[t].gradient[j]; d != nil {
					g += s.coef[a] * d[i]
				}
			}
			w[i] += g * g * p.sigma[j][i] * p.sigma[j][i]
		}
	}
	middle := column.Median(w)
	for i, v := range w {
		// The lower limit is needed where the gradient vanishes, as at a fixed point.
		w[i] = 1 / max(v, 1e-4*middle)
	}
}

// centred returns the values of terms minus their weighted mean in each run.
func (p *problem) centred(terms []int, w []float64) (out [][]float64) {
	for _, t := range terms {
		c := slices.Clone(p.terms[t].value)
		for _, run := range p.runs {
			sum, weight := 0.0, 0.0
			for _, i := range run {
				sum += c[i] * w[i]
				weight += w[i]
			}
			for _, i := range run {
				c[i] -= sum / weight
			}
		}
		out = append(out, c)
	}
	return out
}

// judge sets the deviation, covariance, levels and bits of a refined sum. It returns false if these
// are not finite, or if there are no degrees of freedom left.
func (p *problem) judge(f *fitted, normal *mat.SymDense, w []float64) bool {
	k := len(f.terms)
	centred := p.centred(f.terms, w)
	chi2 := 0.0
	for i := range p.rows {
		g := 0.0
		for a := range f.terms {
			g += f.coef[a] * centred[a][i]
		}
		chi2 += g * g * w[i]
	}
	spare := p.rows - len(p.runs) - k + 1
	if spare < 1 {
		return false
	}
	eps := math.Sqrt(max(chi2/float64(spare), 1e-24))
	if k > 1 {
		var chol mat.Cholesky
		var inverse mat.SymDense
		if !chol.Factorize(normal) || chol.InverseTo(&inverse) != nil {
			return false
		}
		scale := eps * eps
		if p.known {
			scale = 1
		}
		for a := range k - 1 {
			for b := range k - 1 {
				f.cov = append(f.cov, inverse.At(a, b)*scale)
			}
		}
	}
	for _, run := range p.runs {
		sum, weight := 0.0, 0.0
		for _, i := range run {
			g := 0.0
			for a, t := range f.terms {
				g += f.coef[a] * p.terms[t].value[i]
			}
			sum += g * w[i]
			weight += w[i]
		}
		f.level = append(f.level, sum/weight)
		f.loose = eps / math.Sqrt(weight)
	}
	f.eps = p.ratio(f)
	f.bits = p.data(f.eps) + float64(k-1)/2*math.Log2(float64(p.rows)) + mdl.FormWeight*p.form(f.sum)
	return !math.IsNaN(f.bits)
}

// ratio returns the size of the deviations of the invariant f, relative to shuffled rows. The
// deviation of a row is its distance from the surface on which f has the level of the run.
// Distances are calculated to first order, in units of the columns' sigma. For shuffled rows the
// median is used, since a function such as 1/x may be huge in some rows.
func (p *problem) ratio(f *fitted) float64 {
	l := p.law(*f, "", 0)
	tree := l.Tree.Bind(l.Params())
	cols := make([][]float64, len(p.columns))
	for j, c := range p.columns {
		cols[j] = c.Values
	}
	level := make([]float64, p.rows)
	for r, run := range p.runs {
		for _, i := range run {
			level[i] = f.level[r]
		}
	}
	distance := func(cols [][]float64) []float64 {
		g, d := make([]float64, p.rows), make([]float64, p.rows)
		expr.Compile(tree).Eval(g, cols, nil)
		square := make([]float64, p.rows)
		for j := range p.columns {
			expr.Compile(tree.Diff(j)).Eval(d, cols, nil)
			for i := range d {
				square[i] += d[i] * d[i] * p.sigma[j][i] * p.sigma[j][i]
			}
		}
		// The lower limit is needed where the gradient vanishes, as at a fixed point.
		least := 1e-4 * column.Median(square)
		var out []float64
		for i := range g {
			if v := math.Abs(g[i]-level[i]) / math.Sqrt(max(square[i], least)); !math.IsNaN(v) {
				out = append(out, v)
			}
		}
		return out
	}
	floor := calculation
	for j, r := range p.rounding() {
		floor = max(floor, r/stat.PopStdDev(p.columns[j].Values, nil)/math.Sqrt(float64(len(p.columns))))
	}
	here, apart := distance(cols), distance(p.apart)
	if len(here) < p.rows || 2*len(apart) < p.rows {
		return math.NaN()
	}
	size := norm(here) / math.Sqrt(float64(p.rows))
	return max(normalMedian*size, floor) / min(column.Median(apart), 1)
}

// normalMedian is the ratio of the median absolute value to the standard deviation of a normal
// distribution.
const normalMedian = 0.6745

// law returns a refined sum minus level as a law in the columns, with the given target.
func (p *problem) law(f fitted, target string, level float64) law.Law {
	l := law.Law{Target: target, UnitsOK: true, Score: f.bits}
	for _, c := range p.columns {
		l.Vars = append(l.Vars, c.Name)
	}
	tree := p.terms[f.terms[0]].tree
	k := len(f.terms)
	for a := 1; a < k; a++ {
		tree = expr.Apply(expr.Add, tree, expr.Apply(expr.Mul, expr.C(a-1, f.coef[a]), p.terms[f.terms[a]].tree))
		stderr := 0.0
		if len(f.cov) > 0 {
			stderr = math.Sqrt(f.cov[(a-1)*(k-1)+a-1])
		}
		name := law.ConstantName(l.Vars, a-1)
		l.Constants = append(l.Constants, law.Constant{Name: name, Value: f.coef[a], StdErr: stderr, Exact: whole(f.coef[a], stderr)})
	}
	l.Cov = f.cov
	if level != 0 {
		tree = expr.Apply(expr.Sub, tree, expr.C(k-1, level))
		l.Constants = append(l.Constants, law.Constant{Name: law.ConstantName(l.Vars, k-1), Value: level, StdErr: f.loose})
		l.Cov = nil
	}
	l.Tree = tree
	for _, t := range f.terms {
		l.Complexity += p.terms[t].bits
	}
	return l
}

// whole returns the whole number that a coefficient equals within its standard error, as text. It
// returns "" if there is no such number, or if the standard error exceeds 10⁻³.
func whole(v, stderr float64) string {
	n := math.Round(v)
	if n == 0 || math.Abs(n) > 20 || stderr > 1e-3 || math.Abs(v-n) > max(2*stderr, 1e-9) {
		return ""
	}
	return strconv.Itoa(int(n))
}
