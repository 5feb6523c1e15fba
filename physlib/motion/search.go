package motion

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// The standard errors of derivatives are estimates themselves, and those of neighbours, which share
// windows, are much alike: so many rows say less than they would if they were independent.
const (
	doubt     = 4     // by which they are multiplied
	noiseless = 1e-4  // below this, relative to the derivative, they come from the windows alone, and there is no noise to speak of
	worse     = 6     // times the median, beyond which a row of clean ones is left out
	least     = 1e-10 // relative error below which no derivative is believed to be
	most      = 3000  // rows of a table
)

// table is equation k as a table: its derivative against the states. clean tells that there is no
// noise to speak of; then only rows whose derivatives are well known, and that are apart from each
// other, are in it.
func (h *hunt) table(k int) (t *dataset.Table, isClean bool) {
	tr, d := h.tr, h.d
	t = &dataset.Table{Name: tr.Name, Target: tr.rate(k, tr.Order), Vars: tr.vars(), Consts: tr.Consts}
	m := d.measured()
	_, where := d.rows()
	var sizes []float64
	for _, p := range where {
		sizes = append(sizes, math.Abs(d.runs[p.run].slope[k][p.at].D[tr.Order]))
	}
	slices.Sort(sizes)
	usual := sizes[len(sizes)/2]
	relative := func(p place) float64 {
		s := d.runs[p.run].slope[k][p.at]
		return max(doubt*s.SE[tr.Order]/(math.Abs(s.D[tr.Order])+usual), least)
	}
	var shares []float64
	for _, p := range where {
		shares = append(shares, relative(p))
	}
	slices.Sort(shares)
	limit := 1e3
	if median := shares[len(shares)/2]; median < doubt*noiseless {
		limit, isClean = worse*median, true
	}
	kept := where[:0:0]
	every := max(1, len(where)/most)
	for i, p := range where {
		if i%every == 0 && relative(p) < limit {
			kept = append(kept, p)
		}
	}
	if isClean {
		kept = h.apart(kept)
	}
	for _, p := range kept {
		share := relative(p)
		r := d.runs[p.run]
		v := r.slope[k][p.at].D[tr.Order]
		t.Target.Values = append(t.Target.Values, v)
		t.Sigma = append(t.Sigma, share*(math.Abs(v)+usual))
		col := 0
		put := func(v float64) { t.Vars[col].Values = append(t.Vars[col].Values, v); col++ }
		for o := range tr.Order {
			for j := range m {
				put(r.slope[j][p.at].D[o])
			}
		}
		for j := range tr.Params {
			put(r.extra[j])
		}
		if tr.With {
			put(r.t[p.at])
		}
	}
	return t, isClean
}

// enoughRows is how many rows of clean derivatives the search gets where there are more.
const enoughRows = 160

// apart are places that are apart from each other in the states: a trajectory that lingers, at a
// fixed point above all, says one thing many times over.
func (h *hunt) apart(where []place) []place {
	m := h.d.measured()
	low, high := slices.Repeat([]float64{math.Inf(1)}, m), slices.Repeat([]float64{math.Inf(-1)}, m)
	for _, p := range where {
		for k := range m {
			v := h.d.start(p.run, p.at, k)
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	distance := func(p, q place) float64 {
		sum := 0.0
		for k := range m {
			d := (h.d.start(p.run, p.at, k) - h.d.start(q.run, q.at, k)) / (high[k] - low[k])
			sum += d * d
		}
		return math.Sqrt(sum)
	}
	var kept []place
	for near := 0.1; near > 1e-5 && len(kept) < min(enoughRows, len(where)); near /= 2 {
		for _, p := range where {
			if !slices.ContainsFunc(kept, func(q place) bool { return distance(p, q) < near }) {
				kept = append(kept, p)
			}
		}
	}
	return kept
}

// driver is the column of the time where a law may depend on it, else "".
func (h *hunt) driver() string {
	if h.tr.With {
		return h.tr.Time.Name
	}
	return ""
}

// share is the time for one search of a derivative's law.
func (h *hunt) share(pass int) time.Duration {
	if h.s.Time < 0 {
		return 30 * time.Second
	}
	parts := 4 * h.laws()
	switch {
	case pass == 1:
		parts *= 2 // what is found first corrects the derivatives, above all
	case pass > 2: // a search of the same length would find the same
		parts = max(parts>>(pass-2), 2)
	}
	return max(h.s.Time/time.Duration(parts), time.Millisecond)
}

// search lets the engine find laws of equation k's derivative.
func (h *hunt) search(ctx context.Context, k, pass int) error {
	s := h.s.Search
	s.Time = h.share(pass)
	if s.Evaluations > 0 {
		s.Time = -1
	}
	s.Extra = append(slices.Clone(s.Extra), discover.Named{Name: sparseName, Proposer: Sparse{Time: h.driver()}})
	if s.Proposers != nil {
		s.Proposers = append(slices.Clone(s.Proposers), sparseName)
	}
	s.Clock = h.s.Clock
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if h.best[k] != nil {
		s.Resume = []law.Law{h.best[k].law}
	}
	s.AllRows = true // what lies apart in derivatives is what was measured next to a gap or an end
	table, clean := h.table(k)
	var terms []lent
	if pass > 1 {
		terms = h.borrow(k)
		h.lend(table, terms)
	}
	var last expr.Tree
	start := clock.CPU()
	since := start // when the best law was found
	s.Progress = func(p discover.Progress) {
		if h.s.Progress != nil {
			h.s.Progress(Progress{Pass: pass, Equation: h.tr.Target(k), Search: p, Elapsed: h.s.Clock.Since(h.began), Left: max(0, h.s.Time-h.s.Clock.Since(h.began))})
		}
		if s.Evaluations > 0 {
			return
		}
		if !slices.Equal(p.Best.Tree.Nodes(), last.Nodes()) {
			last, since = p.Best.Tree, clock.CPU()
		}
		now, wait := clock.CPU(), patience
		if clean {
			wait = quick
		}
		if now-since > max(wait, (since-start)/2) && leaves(p.Best, table) < enough || pass == 1 && clean && now-start > first {
			cancel()
		}
	}
	found, err := engine(inner, table, s)
	if err != nil {
		return err
	}
	h.evals += found.Evaluations
	for _, w := range found.Warnings {
		if !slices.Contains(h.warns, w) {
			h.warns = append(h.warns, w)
		}
	}
	found.Best = h.repaid(found.Best, terms)
	for i, l := range found.Finalists {
		found.Finalists[i] = h.repaid(l, terms)
	}
	h.add(k, found)
	h.solved[k] = found.Stopped == "exact" || clean && leaves(found.Best, table) < enough
	return nil
}

// A search ends early when its best law, which has not changed for so much processor time, leaves
// so many standard errors of the derivatives. The first one of clean derivatives ends after so
// long: what it finds is for their correction.
const (
	patience = 3 * time.Second
	quick    = 600 * time.Millisecond // without noise
	enough   = 1.2
	first    = 4 * time.Second
)

// leaves is what l leaves of the table's target, in standard errors, root mean square.
func leaves(l law.Law, t *dataset.Table) float64 {
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

// columns are those of t that have the names, NaN where there is none.
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
