package accept

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// Form is an expression with free constants. Several goroutines must not use it at once.
type Form struct {
	Text string

	tree    expr.Tree
	curved  []int // slots of constants that enter nonlinearly
	linear  []int
	program *expr.Program
	fitter  fit.Fitter

	value []float64 // values of the form, reused between calls
	grad  [][]float64
}

// ParseForm reads a form in the columns with the given names. Its constants are renumbered c0, c1,
// … without gaps.
func ParseForm(text string, names []string) (*Form, error) {
	t, err := expr.Parse(text, names)
	if err != nil {
		return nil, fmt.Errorf("accepted form: %w", err)
	}
	return newForm(text, t), nil
}

func newForm(text string, t expr.Tree) *Form {
	f := &Form{Text: text, tree: compact(t)}
	f.linear = fit.Linear(f.tree)
	for slot := range f.NumParams() {
		if !slices.Contains(f.linear, slot) {
			f.curved = append(f.curved, slot)
		}
	}
	f.program = expr.Compile(f.tree)
	f.grad = make([][]float64, f.NumParams())
	return f
}

// compact renumbers the free constants of t from 0 in the order of their slots.
func compact(t expr.Tree) expr.Tree {
	var used []int32
	for _, n := range t.Nodes() {
		if n.Op == expr.Param && !slices.Contains(used, n.Index) {
			used = append(used, n.Index)
		}
	}
	slices.Sort(used)
	nodes := slices.Clone(t.Nodes())
	for i, n := range nodes {
		if n.Op == expr.Param {
			nodes[i].Index = int32(slices.Index(used, n.Index))
		}
	}
	t, _ = expr.FromNodes(nodes)
	return t
}

// NumParams returns the number of free constants.
func (f *Form) NumParams() int { return f.tree.NumParams() }

// at returns the values of the form with constants c at the rows of cols.
func (f *Form) at(c []float64, cols [][]float64, rows int) []float64 {
	out := make([]float64, rows)
	f.program.Eval(out, cols, c)
	return out
}

// search holds the starting values of a fit and its stopping criterion.
type search struct {
	starts [][]float64 // starting values that are tried first; nil elements are ignored
	extra  []float64   // likely values of constants
	// The fit ends when its sum of squares is below enough. If enough is +Inf, the fit ends after
	// the first success.
	enough float64
	rng    *rand.Rand // generates random starts; nil: a fixed seed
}

const (
	draws   = 500 // number of random starts for each nonlinear constant
	refined = 10  // number of best starts that are refined
	// gain is the fraction by which later starting values must lower the sum of squares. It
	// prevents a switch to an alias that fits equally well.
	gain = 1e-6
)

// fit returns the constants with the least sum of squares of (form - y)/s, and this sum. If the fit
// fails from all starting values, best is nil and rss is +Inf.
func (f *Form) fit(cols [][]float64, y, s []float64, o search) (best []float64, rss float64) {
	w := column.InverseSquares(s)
	rss = math.Inf(1)
	refine := func(start []float64) bool {
		r, err := f.fitter.Fit(f.tree.WithStarts(start), cols, y, w, fit.Settings{Starts: 1, MaxIter: 300})
		if err == nil && r.RSS < rss*(1-gain) {
			best, rss = r.Params, r.RSS
		}
		return rss <= o.enough && best != nil
	}
	if len(f.curved) == 0 {
		refine(make([]float64, f.NumParams()))
		return best, rss
	}
	for _, start := range o.starts {
		if len(start) == f.NumParams() && refine(start) {
			return best, rss
		}
	}
	if o.rng == nil {
		o.rng = source(1)
	}
	for _, start := range f.screen(cols, y, s, o) {
		if refine(start) {
			break
		}
	}
	return best, rss
}

// screen returns the best of many random starting values of the nonlinear constants. For each of
// them, the linear constants are optimal.
func (f *Form) screen(cols [][]float64, y, s []float64, o search) [][]float64 {
	type start struct {
		c   []float64
		rss float64
	}
	var pool []start
	hints := hints(cols)
	for range draws * len(f.curved) {
		c := make([]float64, f.NumParams())
		for _, slot := range f.curved {
			c[slot] = draw(hints, o.extra, o.rng)
		}
		if rss := f.project(c, cols, y, s); !math.IsNaN(rss) && !math.IsInf(rss, 0) {
			pool = append(pool, start{c, rss})
		}
	}
	slices.SortStableFunc(pool, func(a, b start) int {
		if a.rss < b.rss {
			return -1
		} else if a.rss > b.rss {
			return 1
		}
		return 0
	})
	var best [][]float64
	for _, p := range pool[:min(refined, len(pool))] {
		best = append(best, p.c)
	}
	return best
}

// hints returns magnitudes that the columns suggest for a constant: powers of their medians and
// ranges.
func hints(cols [][]float64) []float64 {
	h := []float64{1}
	for _, x := range cols {
		abs := make([]float64, len(x))
		for i, v := range x {
			abs[i] = math.Abs(v)
		}
		slices.Sort(abs)
		for _, size := range []float64{stat.Quantile(0.5, stat.LinInterp, abs, nil), slices.Max(x) - slices.Min(x)} {
			if size > 0 {
				h = append(h, size, 1/size, size*size, 1/(size*size))
			}
		}
	}
	return h
}

// draw returns a random starting value for a nonlinear constant. Most often it has the magnitude of
// a hint. Otherwise it is an exponent, a number of any magnitude, or one of extra.
func draw(hints, extra []float64, rng *rand.Rand) float64 {
	within := func(low, high float64) float64 { return low + (high-low)*rng.Float64() }
	var v float64
	switch u := rng.Float64(); {
	case u < 0.25:
		v = within(-4, 5)
	case u < 0.4:
		v = math.Pow(10, within(-7, 7))
	default:
		v = hints[rng.IntN(len(hints))] * math.Pow(10, within(-2.3, 2.3))
	}
	if len(extra) > 0 && rng.Float64() < 0.3 {
		v = extra[rng.IntN(len(extra))]
	}
	if rng.Float64() < 0.2 {
		v = -v
	}
	return v
}

// project returns the residual sum of squares with optimal linear constants. c holds the nonlinear
// constants; its linear ones are 0. The sum is NaN if the form has no value at some row. project
// uses modified Gram-Schmidt orthogonalization.
func (f *Form) project(c []float64, cols [][]float64, y, s []float64) float64 {
	n := len(y)
	if cap(f.value) < n {
		f.value = make([]float64, n)
	}
	for i := range f.grad {
		if cap(f.grad[i]) < n {
			f.grad[i] = make([]float64, n)
		}
		f.grad[i] = f.grad[i][:n]
	}
	r := f.value[:n]
	if len(f.linear) == 0 {
		f.program.Eval(r, cols, c)
	} else {
		f.program.Grad(r, f.grad, cols, c)
	}
	for i := range r {
		r[i] = (y[i] - r[i]) / s[i]
	}
	for k, slot := range f.linear {
		q := f.grad[slot]
		floats.Div(q, s)
		length := floats.Norm(q, 2)
		if math.IsNaN(length) || math.IsInf(length, 0) {
			return math.NaN()
		}
		for _, before := range f.linear[:k] {
			floats.AddScaled(q, -floats.Dot(f.grad[before], q), f.grad[before])
		}
		left := floats.Norm(q, 2)
		if left <= 1e-13*length {
			clear(q) // the column depends linearly on the previous ones
			continue
		}
		floats.Scale(1/left, q)
		floats.AddScaled(r, -floats.Dot(q, r), q)
	}
	return floats.Dot(r, r)
}

// source returns a generator of random numbers with the given seed.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0xacce97)) }
