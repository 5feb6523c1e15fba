package motion

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Derivatives at neighbouring rows share windows, so their errors are correlated, and their
// standard errors are only estimates. The standard errors are therefore enlarged.
const (
	doubt     = 4    // factor by which the standard errors of derivatives are multiplied
	noiseless = 1e-4 // relative standard error below which derivatives count as noise-free
	// A row of noise-free derivatives is left out if its error exceeds this multiple of the median
	// error.
	overMedian = 6
	leastError = 1e-10 // smallest relative error that is assumed for a derivative
	tableRows  = 3000  // rows of at least twice this number are thinned
)

// search searches for laws of the derivative of equation k and adds them to its pool.
func (sr *searcher) search(ctx context.Context, k, pass int) error {
	table, clean := sr.table(k)
	var terms []termColumn
	if pass > 1 {
		terms = sr.otherTerms(k)
	}
	if clean && !sr.undefined[k] && sr.searchTime(pass) > leastSearchTime {
		l, exact, near := sr.direct(ctx, k, table, terms)
		sr.add(k, &discover.Result{Best: l})
		if sr.summed[k] = near && !sr.refuted; exact || sr.summed[k] {
			sr.solved[k] = true
			return nil
		}
	}
	sr.addTerms(table, terms)
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	s := sr.engineSettings(k, pass)
	brief := clean && (pass == 1 || sr.shot != nil && sr.followed(sr.shot))
	done := stopRule(table, clean, brief)
	s.Progress = func(p discover.Progress) {
		sr.report(k, pass, p)
		if s.Evaluations == 0 && done(p.Best) {
			cancel()
		}
	}
	found, err := engine(inner, table, s)
	if err != nil {
		return err
	}
	sr.evals += found.Evaluations
	for _, w := range found.Warnings {
		if !slices.Contains(sr.warns, w) {
			sr.warns = append(sr.warns, w)
		}
	}
	found.Best = sr.withTerms(found.Best, terms)
	for i, l := range found.Finalists {
		found.Finalists[i] = sr.withTerms(l, terms)
	}
	sr.add(k, found)
	sr.solved[k] = found.Stopped == discover.StopExact || clean && scaledRMS(found.Best, table) < mostRMS
	return nil
}

// engineSettings returns the settings of the search for the law of equation k in the given pass.
func (sr *searcher) engineSettings(k, pass int) discover.Settings {
	s := sr.s.Search
	s.Time = sr.searchTime(pass)
	if s.Evaluations > 0 {
		s.Time = -1
	}
	s.Extra = append(slices.Clone(s.Extra), discover.NamedProposer{Name: sparseName, Proposer: Sparse{Time: sr.driver()}})
	if s.Proposers != nil {
		s.Proposers = append(slices.Clone(s.Proposers), sparseName)
	}
	s.Clock = sr.s.Clock
	if sr.best[k] != nil {
		s.Resume = []law.Law{sr.best[k].law}
	}
	s.AllRows = true // outlying derivatives come from gaps and ends of runs, not from wrong measurements
	return s
}

// report passes the progress of the search for the law of equation k to the caller of Discover.
func (sr *searcher) report(k, pass int, p discover.Progress) {
	if sr.s.Progress == nil {
		return
	}
	elapsed := sr.s.Clock.Since(sr.began)
	sr.s.Progress(Progress{Pass: pass, Equation: sr.tr.Target(k), Search: p, Elapsed: elapsed, Left: max(0, sr.s.Time-elapsed)})
}

// stopRule returns a function that reports whether a search of table should end early. best is the
// best law that the search has found so far. A brief search ends after briefLimit in any case.
func stopRule(table *dataset.Table, clean, brief bool) func(best law.Law) bool {
	start := clock.CPU()
	since := start // time when the best law was found
	wait := patience
	if clean {
		wait = cleanPatience
	}
	var last expr.Tree
	return func(best law.Law) bool {
		if !slices.Equal(best.Tree.Nodes(), last.Nodes()) {
			last, since = best.Tree, clock.CPU()
		}
		now := clock.CPU()
		return now-since > max(wait, (since-start)/2) && scaledRMS(best, table) < mostRMS ||
			brief && now-start > briefLimit
	}
}

// A search ends early if the residuals of its best law are within the errors of the derivatives,
// and this law has not changed for some time. Two kinds of search are brief: the first search of
// noise-free derivatives, whose laws only serve to correct the derivatives, and searches that may
// only confirm laws. All times are processor time, whatever Settings.Clock is.
const (
	patience      = 3 * time.Second        // time without a better law after which a search under noise ends
	cleanPatience = 600 * time.Millisecond // time without a better law after which a search without noise ends
	mostRMS       = 1.2                    // largest RMS residual that is within the errors, in standard errors
	briefLimit    = 4 * time.Second        // longest brief search
)

// table returns equation k as a table of its derivative and the states. isClean reports whether the
// derivatives are free of noise. If so, the table contains only rows with accurate derivatives and
// clearly different states.
func (sr *searcher) table(k int) (t *dataset.Table, isClean bool) {
	sr.tables.Lock()
	defer sr.tables.Unlock()
	if sr.tables.of == nil {
		sr.tables.of = map[int]rateTable{}
	}
	made, known := sr.tables.of[k]
	if !known {
		made.Table, made.clean = sr.newTable(k)
		sr.tables.of[k] = made
	}
	copied := *made.Table
	copied.Vars = slices.Clone(copied.Vars) // a search adds columns
	return &copied, made.clean
}

// rateTables holds the tables of the equations by their index, for the current derivatives.
type rateTables struct {
	sync.Mutex
	of map[int]rateTable
}

// rateTable is the table of one equation: its derivative and the states.
type rateTable struct {
	*dataset.Table
	clean bool // the derivatives are free of noise
}

// mostRelativeError is the relative error of a derivative above which its row is left out. Clean
// derivatives have a smaller limit, and very noisy ones a larger one.
const mostRelativeError = 1e3

// newTable makes the table that table returns and keeps.
func (sr *searcher) newTable(k int) (t *dataset.Table, isClean bool) {
	tr, d := sr.tr, sr.d
	t = &dataset.Table{Name: tr.Name, Target: tr.rate(k, tr.Order), Vars: tr.vars(), Consts: tr.Consts}
	_, where := d.rows()
	var sizes []float64
	for _, p := range where {
		sizes = append(sizes, math.Abs(d.runs[p.run].derivative[k][p.at].D[tr.Order]))
	}
	slices.Sort(sizes)
	usual := typical(sizes)
	relative := func(p position) float64 {
		s := d.runs[p.run].derivative[k][p.at]
		share := doubt * s.SE[tr.Order] / (math.Abs(s.D[tr.Order]) + usual)
		if math.IsNaN(share) {
			return unusable
		}
		return min(max(share, leastError), unusable)
	}
	var shares []float64
	for _, p := range where {
		shares = append(shares, relative(p))
	}
	slices.Sort(shares)
	limit := mostRelativeError
	switch median := shares[len(shares)/2]; {
	case median < doubt*noiseless:
		limit, isClean = overMedian*median, true
	case median >= limit: // the noise far exceeds the derivatives
		limit = overMedian * median
	}
	kept := where[:0:0]
	every := max(1, len(where)/tableRows)
	for i, p := range where {
		if i%every == 0 && relative(p) < limit {
			kept = append(kept, p)
		}
	}
	if isClean {
		kept = sr.apart(kept)
	}
	for _, p := range kept {
		share := relative(p)
		r := d.runs[p.run]
		v := r.derivative[k][p.at].D[tr.Order]
		t.Target.Values = append(t.Target.Values, v)
		t.Sigma = append(t.Sigma, share*(math.Abs(v)+usual))
		for col, v := range sr.variables(p) {
			t.Vars[col].Values = append(t.Vars[col].Values, v)
		}
	}
	return t, isClean
}

// variables returns the values, at position p, of the columns that vars names. These are the
// states, at order 2 their derivatives, the parameters, and the time if the laws may depend on it.
func (sr *searcher) variables(p position) (out []float64) {
	r := sr.d.runs[p.run]
	for o := range sr.tr.Order {
		for j := range sr.d.numMeasured() {
			if o == 0 {
				out = append(out, sr.d.start(p.run, p.at, j))
			} else {
				out = append(out, r.derivative[j][p.at].D[o])
			}
		}
	}
	for j := range sr.tr.Params {
		out = append(out, r.extra[j])
	}
	if sr.tr.TimeDependent {
		out = append(out, r.t[p.at])
	}
	return out
}

// unusable is the largest relative error that is assigned to a derivative.
const unusable = 1e100

// typical returns the median of sizes, which must be sorted. If the median is 0, it returns their
// mean, and if the mean is 0 or not finite, 1.
func typical(sizes []float64) float64 {
	if v := sizes[len(sizes)/2]; v > 0 && !math.IsInf(v, 0) {
		return v
	}
	if v := mean(sizes); v > 0 && !math.IsInf(v, 0) {
		return v
	}
	return 1
}

// enoughRows is the number of rows with noise-free derivatives that suffices for a search.
const enoughRows = 160

// apart returns positions whose states differ clearly. If a trajectory lingers, as at a fixed
// point, most of its rows repeat the same information.
func (sr *searcher) apart(where []position) []position {
	m := sr.d.numMeasured()
	low, high := slices.Repeat([]float64{math.Inf(1)}, m), slices.Repeat([]float64{math.Inf(-1)}, m)
	for _, p := range where {
		for k := range m {
			v := sr.d.start(p.run, p.at, k)
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	distance := func(p, q position) float64 {
		sum := 0.0
		for k := range m {
			d := (sr.d.start(p.run, p.at, k) - sr.d.start(q.run, q.at, k)) / (high[k] - low[k])
			sum += d * d
		}
		return math.Sqrt(sum)
	}
	var kept []position
	for near := 0.1; near > 1e-5 && len(kept) < min(enoughRows, len(where)); near /= 2 {
		for _, p := range where {
			if !slices.ContainsFunc(kept, func(q position) bool { return distance(p, q) < near }) {
				kept = append(kept, p)
			}
		}
	}
	return kept
}

// driver returns the name of the time column, or "" if no law may depend on the time.
func (sr *searcher) driver() string {
	if sr.tr.TimeDependent {
		return sr.tr.Time.Name
	}
	return ""
}

// leastSearchTime is the shortest time for one search, used if no time is left.
const leastSearchTime = time.Millisecond

// searchTime returns the time for one search of a derivative's law.
func (sr *searcher) searchTime(pass int) time.Duration {
	if sr.s.Time < 0 {
		return 30 * time.Second
	}
	parts := 4 * sr.numLaws()
	switch {
	case pass == 1:
		parts *= 2 // the first laws mainly serve to correct the derivatives
	case pass > 2: // in the same time, a search would find the same law again
		parts = max(parts>>(pass-2), 2) // each pass has twice the time of the previous pass
	}
	return max(sr.s.Time/time.Duration(parts), leastSearchTime)
}

// scaledRMS returns the root mean square residual of l on the table, in standard errors.
func scaledRMS(l law.Law, t *dataset.Table) float64 {
	if l.Tree.Len() == 0 {
		return math.Inf(1)
	}
	cols := columns(l.Vars, t)
	y, sum := make([]float64, t.Rows()), 0.0
	expr.Compile(l.Tree).Eval(y, cols, l.Params())
	for i, v := range t.Target.Values {
		e := (v - y[i]) / t.Sigma[i]
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(y)))
}

// columns returns the columns of t with the given names. A missing column is filled with NaN.
func columns(names []string, t *dataset.Table) [][]float64 {
	cols := make([][]float64, len(names))
	for i, name := range names {
		for _, v := range t.Vars {
			if v.Name == name {
				cols[i] = v.Values
			}
		}
		for _, c := range t.Consts {
			if c.Name == name {
				cols[i] = slices.Repeat([]float64{c.Value}, t.Rows())
			}
		}
		if cols[i] == nil {
			cols[i] = slices.Repeat([]float64{math.NaN()}, t.Rows())
		}
	}
	return cols
}
