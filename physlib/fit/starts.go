package fit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// Numbers of rows in two samples. Starting values are compared on the first sample, and refined on
// the second one before all rows are used.
const (
	screenRows = 256
	sampleRows = 4096
)

// search finds the nonlinear constants, starting from the values in the tree. If this fit is not
// exact, it also tries fits of transformed trees, and random starting values. For random starting
// values, it first solves only for the linear constants, and then refines the sets with the
// smallest residuals. It ends after s.Starts sets of starting values, or when three sets have led
// to the best minimum.
func (f *Fitter) search(s Settings) {
	if len(f.y) > 2*sampleRows {
		f.searchSample(s)
		return
	}
	if f.searchWithoutNumber(s) {
		return
	}
	start := slices.Clone(f.params)
	best := minimum{rss: math.Inf(1)}
	f.try(s, &best)
	if f.satisfied(&best, s) {
		f.settle(best)
		f.restoreSigns(start)
		return
	}
	for _, transformed := range []func(Settings) []float64{f.linked, f.reciprocal, f.logarithm} {
		copy(f.params, start)
		if from := transformed(s); from != nil {
			copy(f.params, from)
			f.try(s, &best)
		}
	}
	used := 1
	list, scales := f.candidates(start, s)
	best.frequencies = scales.frequencies
	for _, c := range list {
		if used >= s.Starts && !math.IsInf(best.rss, 1) || used > 4*s.Starts {
			break
		}
		used++
		copy(f.params, c.params)
		f.try(s, &best)
		if f.satisfied(&best, s) || best.votes >= 3 {
			break
		}
	}
	f.settle(best)
	f.restoreSigns(start)
}

// searchWithoutNumber is search for a law f + b or f - b, where b is a number, such as that of 0
// °C. It searches for the constants of f, to which more transformations apply. It returns false for
// any other law, and if f cannot be fitted.
func (f *Fitter) searchWithoutNumber(s Settings) bool {
	end := len(f.nodes) - 1
	if op := f.nodes[end].Op; op != expr.Add && op != expr.Sub || f.nodes[end-1].Op != expr.Number {
		return false
	}
	t, ok := expr.FromNodes(f.nodes[:end-1])
	if !ok || t.NumParams() != len(f.params) {
		return false
	}
	b := f.nodes[end-1].Value
	if f.nodes[end].Op == expr.Add {
		b = -b
	}
	y := slices.Clone(f.y)
	floats.AddConst(b, y)
	f.loadInner(t, y, f.w)
	f.inner.search(s)
	f.evaluations += f.inner.evaluations
	start := slices.Clone(f.params)
	copy(f.params, f.inner.params)
	if f.refine(s) {
		return true
	}
	copy(f.params, start)
	return false
}

// restoreSigns gives nonlinear constants the sign of their starting values, if the law does not
// depend on the sign. Examples are the width c0 in exp(-(x/c0)**2) and the frequency c1 in
// c0*cos(c1*x).
func (f *Fitter) restoreSigns(start []float64) {
	for _, slot := range f.curved {
		if math.Signbit(f.params[slot]) == math.Signbit(start[slot]) || math.IsInf(f.rss, 0) {
			continue
		}
		rss := f.rss
		before := slices.Clone(f.params)
		f.params[slot] = -f.params[slot]
		f.fresh = false
		ok := f.project() && (len(f.linear) > 0 || f.linearize())
		if ok && math.Abs(f.rss-rss) <= 1e-9*rss+exactFit*exactFit*f.yy {
			continue
		}
		copy(f.params, before)
		f.rss, f.fresh = rss, false
	}
}

// minimum is the best of the fits from all starting values so far.
type minimum struct {
	params    []float64
	rss       float64
	converged bool
	votes     int // number of sets of starting values that led to the minimum
	// Slots of the frequencies of oscillations. Of several equal minima, the one with the lowest
	// frequencies is stored, since the others may be its aliases.
	frequencies []int
}

// compareFrequencies returns a negative number if the frequencies among params are lower than those
// of the minimum, 0 if they are the same, and a positive number if they are higher.
func (b *minimum) compareFrequencies(params []float64) int {
	was, is := 0.0, 0.0
	for _, slot := range b.frequencies {
		was += math.Abs(b.params[slot])
		is += math.Abs(params[slot])
	}
	if math.Abs(is-was) <= 1e-6*was {
		return 0
	}
	return cmp.Compare(is, was)
}

// try refines the present constants and, if they are the best so far, stores them in best.
func (f *Fitter) try(s Settings, best *minimum) {
	if !f.refine(s) {
		return
	}
	better := f.rss < best.rss
	switch {
	case best.params == nil || math.Abs(f.rss-best.rss) > 1e-9*best.rss:
		if better {
			best.votes = 1
		}
	default:
		best.votes++
		if order := best.compareFrequencies(f.params); order != 0 {
			better = order < 0
		}
	}
	if better {
		best.params = append(best.params[:0], f.params...)
		best.rss, best.converged = f.rss, f.converged
	}
}

// satisfied reports whether no further starting values are needed. This is so if the fit is exact
// up to rounding, or if only one set of starting values is allowed.
func (f *Fitter) satisfied(best *minimum, s Settings) bool {
	return best.rss <= 1e-24*f.yy || s.Starts == 1 && !math.IsInf(best.rss, 1)
}

// settle restores the constants of the best minimum.
func (f *Fitter) settle(best minimum) {
	if best.params == nil {
		return
	}
	if !slices.Equal(f.params, best.params) {
		copy(f.params, best.params)
		f.fresh = false
	}
	f.converged = best.converged
}

// searchSample searches on a sample of the rows and refines the result on all of them.
func (f *Fitter) searchSample(s Settings) {
	if f.sample == nil {
		f.sample = new(Fitter)
	}
	sub := f.sample
	f.loadSample(sub, sampleRows, s.Seed)
	copy(sub.params, f.params)
	sub.search(s)
	f.evaluations += sub.evaluations
	start := slices.Clone(f.params)
	copy(f.params, sub.params)
	if f.refine(s) {
		return
	}
	copy(f.params, start)
	f.refine(s)
}

// loadSample loads sub with about n rows of f: one random row from each of n equal ranges of rows.
func (f *Fitter) loadSample(sub *Fitter, n int, seed int64) {
	rng := rand.New(rand.NewPCG(uint64(seed), 0x5eed))
	n = min(n, len(f.y))
	rows := make([]int, n)
	for i := range rows {
		lo, hi := i*len(f.y)/n, (i+1)*len(f.y)/n
		rows[i] = lo + rng.IntN(hi-lo)
	}
	pick := func(from []float64) []float64 {
		to := make([]float64, n)
		for i, r := range rows {
			to[i] = from[r]
		}
		return to
	}
	used := make([]bool, len(f.cols))
	for _, n := range f.nodes {
		if n.Op == expr.Var {
			used[n.Index] = true
		}
	}
	sub.own.cols = make([][]float64, len(f.cols))
	for v, c := range f.cols {
		if used[v] {
			sub.own.cols[v] = pick(c)
		}
	}
	sub.own.y, sub.own.w = pick(f.y), nil
	if f.w != nil {
		sub.own.w = pick(f.w)
	}
	t, _ := expr.FromNodes(f.nodes)
	sub.done = f.done
	sub.load(t, sub.own.cols, sub.own.y, sub.own.w)
}

// candidate is a set of starting values with its residual sum of squares after the linear constants
// are solved for.
type candidate struct {
	params []float64
	rss    float64
}

// candidates returns random sets of starting values, and the scales by which they are drawn. The
// sets with the smallest residuals come first.
func (f *Fitter) candidates(start []float64, s Settings) ([]candidate, *scales) {
	sub := f
	if len(f.y) > 2*screenRows {
		if f.screen == nil {
			f.screen = new(Fitter)
		}
		sub = f.screen
		f.loadSample(sub, screenRows, s.Seed+1)
	}
	rng := rand.New(rand.NewPCG(uint64(s.Seed), 0x57a27))
	scales := newScales(&sub.model, start)
	var list []candidate
	for range min(24+24*len(f.curved), 12*s.Starts+12) {
		copy(sub.params, start)
		for _, slot := range f.curved {
			sub.params[slot] = scales.draw(slot, rng)
		}
		if len(sub.linear) > 0 && !sub.project() || len(sub.linear) == 0 && !sub.linearize() {
			continue
		}
		list = append(list, candidate{slices.Clone(sub.params), sub.rss})
	}
	if sub != f {
		f.evaluations += sub.evaluations
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.rss, b.rss) })
	return list, scales
}
