package invariant

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/require"
)

// Settings of a search for invariants. The zero value works.
type Settings struct {
	Time  time.Duration // limit of the search on Clock; 0: a minute; below 0: no limit
	Clock clock.Clock   // the clock on which Time is measured
	// Rows of each run, in which an invariant is constant; nil: all rows are one run.
	Runs [][]int
	// Standard errors of each column, one for each row; nil: unknown. Unknown errors are assumed to
	// be the same fraction of the spread in each column.
	Sigma map[string][]float64
	Most  int // largest number of invariants reported; 0: one fewer than columns

	Evaluations   int64         // largest number of sums that are tried; 0: no limit
	MaxComplexity float64       // largest total bits of the terms of a sum; 0: no limit
	Seed          int64         // seed of the random order of shuffled columns
	Ops           []string      // names of the functions allowed in terms, besides + - *; nil: all
	Shape         require.Shape // columns and functions that an invariant must or must not have
}

// Invariant is a function of the columns that is constant in each run.
type Invariant struct {
	Law law.Law // the function
	// The function minus its value in the data, so that it is 0 in all rows. It is empty if there
	// are several runs.
	Zero   law.Law
	Levels []float64 // value of the function in each run
	// Size of the deviations of the function from a constant, in units of the columns' errors. If
	// the errors are unknown, the unit is the columns' spread.
	Spread float64
	Bits   float64 // description length in bits; it is 0 for unrelated columns
}

// Result is the result of a search: invariants with independent gradients, the best first.
// Others[i] lists alternatives to Found[i] that are about as good.
type Result struct {
	Found   []Invariant
	Others  [][]Invariant
	Elapsed time.Duration
	Cut     bool // the search ended before all sums were tried, because of Time or Evaluations

	Evaluations int64 // number of sums tried
}

// Limits of the search and of the report.
const (
	marginBits = 10 // least bits that an invariant must save, compared with unrelated columns
	rivalBits  = 12 // largest number of bits by which an alternative may be longer than the best
	rivals     = 4  // largest number of alternatives reported
	refined    = 40 // number of best sums that are refined; leading adds a few of each complexity

	leastRefined = 4 // least number of sums that are refined, even if no time is left
)

// Largest deviations of an invariant, relative to those of shuffled columns. A further invariant
// may have deviations of up to looser times those of the first one, or up to firm if that is
// larger.
const (
	loosest = 0.1 // for the first invariant
	looser  = 10
	firm    = 0.002
)

// mostColumns is the largest number of columns. The limit is needed because the library of terms
// grows with the number of columns.
const mostColumns = 8

// Find finds invariants of the columns of a table. The target column is treated like the others.
func Find(ctx context.Context, columns []dataset.Column, s Settings) (*Result, error) {
	began := s.Clock.Now()
	if s.Time == 0 {
		s.Time = time.Minute
	}
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = s.Clock.WithTimeout(ctx, s.Time)
		defer cancel()
	}
	p, err := newProblem(columns, s)
	if err != nil {
		return nil, err
	}
	if !p.prepare(ctx) {
		return &Result{Cut: true, Elapsed: s.Clock.Since(began)}, nil
	}
	all := p.search(ctx)
	res := &Result{Cut: p.cut || ctx.Err() != nil, Evaluations: p.tried}
	p.report(all, s, res, func() bool {
		return errors.Is(ctx.Err(), context.Canceled) || s.Time > 0 && s.Clock.Since(began) > s.Time+s.Time/10
	})
	res.Elapsed = s.Clock.Since(began)
	return res, nil
}

// leastSpare is the least number of rows for an invariant, besides one in each run, which
// determines the value of a conserved quantity.
const leastSpare = 8

// Enough returns an error if the rows are too few for an invariant.
func Enough(rows, runs int) error {
	need := runs + leastSpare
	switch {
	case rows >= need:
		return nil
	case runs > 1:
		return fmt.Errorf("%d rows in %d runs are too few for a conserved quantity, which needs %d and one in each run; give at least %d rows, or fewer runs",
			rows, runs, leastSpare, need)
	case rows == 1:
		return fmt.Errorf("1 row is too few for an invariant; give at least %d rows", need)
	}
	return fmt.Errorf("%d rows are too few for an invariant; give at least %d rows", rows, need)
}

// newProblem checks the columns and returns the problem.
func newProblem(columns []dataset.Column, s Settings) (*problem, error) {
	switch {
	case len(columns) < 2:
		return nil, errors.New("an invariant relates two columns at least; give a table with more columns of numbers")
	case len(columns) > mostColumns:
		return nil, fmt.Errorf("an invariant has at most %[2]d columns, not %[1]d; name fewer with --columns", len(columns), mostColumns)
	}
	p := &problem{set: s, columns: columns, runs: s.Runs, rows: len(columns[0].Values), known: s.Sigma != nil}
	if p.runs == nil {
		all := make([]int, p.rows)
		for i := range all {
			all[i] = i
		}
		p.runs = [][]int{all}
	}
	if err := Enough(p.rows, len(p.runs)); err != nil {
		return nil, err
	}
	for _, c := range columns {
		d := stat.PopStdDev(c.Values, nil)
		if d == 0 {
			return nil, fmt.Errorf("column %s is the same in all rows; leave it out with --ignore", c.Name)
		}
		sigma := s.Sigma[c.Name]
		if s.Sigma != nil && sigma == nil {
			return nil, fmt.Errorf("the errors of %s are not given; give those of all columns, or of none", c.Name)
		}
		if sigma == nil {
			sigma = slices.Repeat([]float64{d}, p.rows)
		}
		p.sigma = append(p.sigma, sigma)
	}
	p.terms = library(columns, s)
	if len(p.terms) == 0 {
		return nil, errors.New("no term of an invariant has the functions and columns that are allowed; allow more")
	}
	return p, nil
}

// report adds independent invariants to res, one at a time. over reports whether the time has
// ended. After that, report refines only leastRefined sums for each invariant.
func (p *problem) report(all []sum, s Settings, res *Result, over func() bool) {
	most := s.Most
	if most == 0 {
		most = len(p.columns) - 1
	}
	var basis [][][]float64 // gradients of the invariants found so far: [invariant][row][column]
	for len(res.Found) < most {
		var list []fitted
		for _, c := range p.leading(p.independent(p.needed(all), basis), refined, 6) {
			if len(list) >= leastRefined && over() {
				break
			}
			if f, ok := p.refine(c); ok {
				list = append(list, f)
			}
		}
		slices.SortStableFunc(list, func(a, b fitted) int { return byBits(a.sum, b.sum) })
		if len(list) == 0 || list[0].bits > -marginBits || list[0].eps > loosest {
			return
		}
		if n := len(res.Found); n > 0 && list[0].eps > max(looser*res.Found[0].Spread, firm) {
			return
		}
		res.Found = append(res.Found, p.invariant(list[0]))
		var others []Invariant
		for _, f := range list[1:] {
			if len(others) < rivals && f.bits < list[0].bits+rivalBits {
				others = append(others, p.invariant(f))
			}
		}
		res.Others = append(res.Others, others)
		basis = append(basis, p.gradients(list[0]))
	}
}

// needed returns the sums that depend on all columns of Shape.Need.
func (p *problem) needed(all []sum) (out []sum) {
	for _, s := range all {
		depends := func(v int) bool {
			return slices.ContainsFunc(s.terms, func(t int) bool { return slices.Contains(p.terms[t].vars, v) })
		}
		if !slices.ContainsFunc(p.set.Shape.Need, func(v int) bool { return !depends(v) }) {
			out = append(out, s)
		}
	}
	return out
}

// independent returns the sums whose gradients are linearly independent of those in basis.
func (p *problem) independent(all []sum, basis [][][]float64) (out []sum) {
	if len(basis) == 0 {
		return all
	}
	for _, s := range all {
		if !p.dependent(p.gradients(fitted{sum: s}), basis) {
			out = append(out, s)
		}
	}
	return out
}

// invariant returns a refined sum as an Invariant.
func (p *problem) invariant(f fitted) Invariant {
	v := Invariant{Law: p.law(f, "invariant", 0), Levels: f.level, Spread: f.eps, Bits: f.bits}
	if len(p.runs) == 1 {
		level := f.level[0]
		if math.Abs(level) < 3*f.loose { // not significantly different from 0
			level = 0
		}
		v.Zero = p.law(f, "0", level)
	}
	return v
}

// gradients returns the gradients of a sum in some rows. Component j is the derivative with respect
// to column j, in units of sigma of that column.
func (p *problem) gradients(f fitted) (out [][]float64) {
	for i := 0; i < p.rows; i += max(1, p.rows/40) {
		g := make([]float64, len(p.columns))
		for j := range p.columns {
			for a, t := range f.terms {
				if d := p.terms[t].gradient[j]; d != nil {
					g[j] += f.coef[a] * d[i] * p.sigma[j][i]
				}
			}
		}
		out = append(out, g)
	}
	return out
}

// parallel is a fraction of a gradient's length. If the part of the gradient that is orthogonal to
// other gradients is shorter, the gradient counts as dependent on them.
const parallel = 0.1

// dependent reports whether the gradients g are in the span of basis in most rows.
func (p *problem) dependent(g [][]float64, basis [][][]float64) bool {
	if len(basis) == 0 {
		return false
	}
	n := 0
	for i, own := range g {
		rest := slices.Clone(own)
		var unit [][]float64
		for _, b := range basis {
			u := slices.Clone(b[i])
			for _, o := range unit {
				project(u, o)
			}
			if norm(u) > 1e-6*norm(b[i]) {
				scale(u, 1/norm(u))
				unit = append(unit, u)
			}
		}
		for _, u := range unit {
			project(rest, u)
		}
		if norm(rest) < parallel*norm(own) {
			n++
		}
	}
	return 2*n > len(g)
}

// project subtracts from v its component along the unit vector u.
func project(v, u []float64) {
	dot := 0.0
	for i := range v {
		dot += v[i] * u[i]
	}
	for i := range v {
		v[i] -= dot * u[i]
	}
}

func norm(v []float64) (n float64) {
	for _, x := range v {
		n = math.Hypot(n, x)
	}
	return n
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}
