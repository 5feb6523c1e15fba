package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// A greedy sum of terms often misses the true sum, since its first terms imitate several of the
// true terms together. So sums are selected by a beam search: it keeps the best sums of one length
// and extends each of them by every term. Since the inner products of all terms are known, an
// extension needs no pass over the rows.
const (
	beamWidth = 120           // number of sums that are kept for each length
	perFamily = 2             // number of sums kept that differ only in constants inside terms
	beamTerms = mostTerms - 1 // largest number of terms in a sum
	// Least squared norm of the component of a normalized term that is orthogonal to the
	// other terms of the sum.
	collinear = 1e-7
)

// subset is a sum of terms of a library.
type subset struct {
	terms  []int // indices into termMatrix.trees, ascending
	bits   float64
	family uint64 // equal for sums whose terms differ only in a constant inside
}

// beam searches for sums of terms of a library.
type beam struct {
	gram     [][]float64 // inner products of the terms
	with     []float64   // inner products of the terms with the target
	cost     float64     // squared norm of the target
	families []uint64
	prices   []float64
	rows     float64 // number of independent rows
	floor    float64 // smaller residual sums of squares count as equal to this one
}

// Numbers of sums that integral matching proposes for an equation.
const (
	mostMatched = 24 // number of the best sums of any length
	ofLength    = 2  // number of the best sums of each length
)

// match adds to the pool of equation k the sums of terms that best describe its integral form f,
// and returns all sums found. The terms are those of a library and of the laws of the other
// equations.
func (sr *searcher) match(ctx context.Context, k int, f *integralForm) (all matched) {
	if f == nil || ctx.Err() != nil {
		return all
	}
	m := f.terms(sr.unlike(append(sr.termsFor(k), sr.recurring(k)...)))
	if m == nil {
		return all
	}
	all = matched{m, sr.newBeam(ctx, k, m).sums(ctx)}
	var taken [beamTerms + 1]int
	families := map[uint64]bool{}
	for i, s := range all.sums {
		if i > 0 && families[s.family] || len(families) >= mostMatched && taken[len(s.terms)] >= ofLength {
			continue
		}
		families[s.family] = true
		taken[len(s.terms)]++
		sr.offerSum(k, all, s)
	}
	return all
}

// newBeam returns the beam search for the sums of a matching for equation k.
func (sr *searcher) newBeam(ctx context.Context, k int, m *matching) *beam {
	rows := m.rows / smoothing
	b := m.beam(ctx, sr.termPrice(m.rows, rows))
	b.rows, b.floor = rows, rows*math.Pow(0.3*sr.d.sigma[k], 2)
	return b
}

// termPrice returns a function that returns the description length of a term with its coefficient.
// rows is the number of rows, and independent the number of independent ones.
func (sr *searcher) termPrice(rows, independent float64) func(t expr.Tree) float64 {
	return func(t expr.Tree) float64 {
		inside := float64(t.NumParams()) * (insideBits + math.Log2(rows)/2)
		return sr.complexity(t) + inside + math.Log2(independent)/2
	}
}

// beam returns the beam search for sums of terms of l. price returns the description length of a
// term with its coefficient. If ctx ends, the inner products are incomplete. The search must then
// be run with the same ctx, so that it ends as well.
func (l *termMatrix) beam(ctx context.Context, price func(expr.Tree) float64) *beam {
	n := len(l.trees)
	b := &beam{cost: dot(l.y, l.y), gram: make([][]float64, n), rows: float64(len(l.y))}
	b.floor = leastRSS * b.cost
	for i, t := range l.trees {
		b.with = append(b.with, dot(l.cols[i], l.y))
		b.families = append(b.families, mixed(t.Hash()))
		b.prices = append(b.prices, price(t))
		b.gram[i] = make([]float64, n)
	}
	parallel(ctx, n, func(i int) {
		for j := range i + 1 {
			v := dot(l.cols[i], l.cols[j])
			b.gram[i][j], b.gram[j][i] = v, v
		}
	})
	return b
}

// mixed scrambles the bits of a hash. The sum of the scrambled hashes of its terms identifies the
// family of a sum, so two families rarely agree by chance.
func mixed(v uint64) uint64 {
	v ^= v >> 31
	v *= 0x9e3779b97f4a7c15
	return v ^ v>>29
}

// sums returns the best sums of each length, best first.
func (b *beam) sums(ctx context.Context) (all []subset) {
	level := []subset{{}}
	for range beamTerms {
		lists := make([][]subset, len(level))
		parallel(ctx, len(level), func(i int) { lists[i] = b.extensions(level[i]) })
		if ctx.Err() != nil {
			break
		}
		level = distinct(slices.Concat(lists...))
		all = append(all, level...)
	}
	slices.SortFunc(all, compareSubsets)
	return all
}

// distinct returns the best different sums, best first, and at most perFamily of each family.
func distinct(list []subset) (out []subset) {
	slices.SortFunc(list, compareSubsets)
	families := map[uint64]int{}
	for i, s := range list {
		if i > 0 && slices.Equal(s.terms, list[i-1].terms) || families[s.family] == perFamily {
			continue
		}
		families[s.family]++
		if out = append(out, s); len(out) == beamWidth {
			break
		}
	}
	return out
}

// extensions returns the best sums with one more term than s, best first.
func (b *beam) extensions(s subset) (out []subset) {
	return b.extended(s, b.remaining(s.terms))
}

// extended returns the best sums with one more term than s, best first. rss holds the residual sum
// of squares with each further term.
func (b *beam) extended(s subset, rss []float64) (out []subset) {
	paid := 0.0
	for _, i := range s.terms {
		paid += b.prices[i]
	}
	for a, rss := range rss {
		if math.IsInf(rss, 1) {
			continue
		}
		bits := paid + b.prices[a] + b.rows/2*math.Log2(max(rss, b.floor))
		out = append(out, subset{bits: bits, terms: []int{a}, family: s.family + b.families[a]})
	}
	slices.SortFunc(out, compareSubsets)
	out = out[:min(len(out), beamWidth)]
	for i, o := range out {
		out[i].terms = slices.Sorted(slices.Values(append(slices.Clone(s.terms), o.terms[0])))
	}
	return out
}

// remaining returns the residual sum of squares of a sum of terms with each further term. It is
// infinite if the terms are linearly dependent.
func (b *beam) remaining(terms []int) (rss []float64) {
	rss = slices.Repeat([]float64{math.Inf(1)}, len(b.with))
	lower := b.cholesky(terms)
	if lower == nil {
		return rss
	}
	along := forward(lower, func(i int) float64 { return b.with[terms[i]] })
	before := b.cost - dot(along, along)
	for a := range b.with {
		if slices.Contains(terms, a) {
			continue
		}
		w := forward(lower, func(i int) float64 { return b.gram[a][terms[i]] })
		left := b.gram[a][a] - dot(w, w)
		if left < collinear*b.gram[a][a] {
			continue
		}
		r := b.with[a] - dot(w, along)
		rss[a] = before - r*r/left
	}
	return rss
}

// compareSubsets orders sums by their description length.
func compareSubsets(a, b subset) int {
	return cmp.Or(cmp.Compare(a.bits, b.bits), slices.Compare(a.terms, b.terms))
}

// cholesky returns the lower triangular Cholesky factor of the matrix of inner products of terms,
// or nil if the terms are linearly dependent.
func (b *beam) cholesky(terms []int) [][]float64 {
	lower := make([][]float64, 0, len(terms))
	for i, a := range terms {
		row := append(forward(lower, func(j int) float64 { return b.gram[a][terms[j]] }), 0)
		left := b.gram[a][a] - dot(row, row)
		if !(left > collinear*b.gram[a][a]) {
			return nil
		}
		row[i] = math.Sqrt(left)
		lower = append(lower, row)
	}
	return lower
}

// forward solves a lower triangular system by forward substitution.
func forward(lower [][]float64, right func(i int) float64) []float64 {
	x := make([]float64, len(lower))
	for i, row := range lower {
		v := right(i)
		for j := range i {
			v -= row[j] * x[j]
		}
		x[i] = v / row[i]
	}
	return x
}

// unlike returns terms without repetitions.
func (sr *searcher) unlike(list []expr.Tree) (out []expr.Tree) {
	seen := map[termKey]bool{}
	for _, t := range list {
		if k := keyOf(t); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	return out
}
