package motion

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// A greedy search often misses the true sum, since one term may stand in for several. A beam search
// keeps the best sums of each length and extends each of them by every term. Since the inner
// products of all terms are known, an extension needs no pass over the rows.

// Limits of the beam search.
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
	terms  []int // indices of terms, then of slopes (see termMatrix), ascending
	bits   float64
	family uint64 // equal for sums whose terms differ only in a constant inside
}

// beam searches for sums of terms of a library.
type beam struct {
	gram       [][]float64 // inner products of the terms
	withTarget []float64   // inner products of the terms with the target
	cost       float64     // squared norm of the target
	families   []uint64
	prices     []float64
	slopes     []int   // see termMatrix
	rows       float64 // number of independent rows
	floor      float64 // smaller residual sums of squares count as equal to this one
}

// Numbers of sums that integral matching proposes for an equation.
const (
	mostMatched = 24 // number of the best sums of any length
	ofLength    = 2  // number of the best sums of each length
)

// match adds to the pool of equation k the sums of terms that best describe its integral form f,
// and returns all sums found (see sumsOf).
func (sr *searcher) match(ctx context.Context, k int, f *integralForm) (all matched) {
	all = sr.sumsOf(ctx, k, f)
	var taken [beamTerms + 1]int
	offered := 0
	for s := range firstOfFamilies(all.sums) {
		n := all.numTerms(s.terms)
		if offered >= mostMatched && taken[n] >= ofLength {
			continue
		}
		offered++
		taken[n]++
		sr.offerSum(k, all, s)
	}
	return all
}

// firstOfFamilies yields the first sum of each family.
func firstOfFamilies(sums []subset) iter.Seq[subset] {
	return func(yield func(subset) bool) {
		seen := map[uint64]bool{}
		for _, s := range sums {
			if seen[s.family] {
				continue
			}
			seen[s.family] = true
			if !yield(s) {
				return
			}
		}
	}
}

// sumsOf returns the sums of terms that best describe the integral form f of equation k. The terms
// are those of a library and of the laws of the other equations. The result is empty if f is nil or
// ctx ends.
func (sr *searcher) sumsOf(ctx context.Context, k int, f *integralForm) (all matched) {
	if f == nil || ctx.Err() != nil {
		return all
	}
	m := f.terms(distinctTerms(append(sr.termsFor(k), sr.recurring(k)...)))
	if m == nil {
		return all
	}
	m.addSlopes(func(t expr.Tree) ([]float64, float64) { return m.column(expr.Compile(t), t.Params()) })
	return matched{m, sr.newBeam(ctx, k, m).sums(ctx)}
}

// mostShift is the largest shift of the logarithm of a constant inside a term, by its slope. The
// term is nearly linear in such a shift.
const mostShift = 0.8

// addSlopes adds the slopes of the terms with one constant inside. column returns the column of a
// term with its starting value, which may be nil, and its norm before a projection.
func (l *termMatrix) addSlopes(column func(t expr.Tree) (v []float64, whole float64)) {
	const step = 1e-4
	l.slopes, l.growth = slices.Repeat([]int{-1}, len(l.trees)), make([]float64, len(l.trees))
	for i, t := range l.trees {
		if t.NumParams() != 1 {
			continue
		}
		v, _ := column(t.WithStarts([]float64{t.Params()[0] * math.Exp(step)}))
		if v == nil {
			continue
		}
		for j := range v {
			v[j] = (v[j]/l.size[i] - l.cols[i][j]) / step
		}
		l.growth[i] = dot(v, l.cols[i])
		subtract(v, l.cols[i], l.growth[i])
		l.slopes[i] = len(l.cols)
		l.cols = append(l.cols, v)
	}
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
	n := len(l.cols)
	b := &beam{cost: dot(l.y, l.y), gram: make([][]float64, n), slopes: l.slopes, rows: float64(len(l.y))}
	b.floor = leastRSS * b.cost
	for _, t := range l.trees {
		b.families = append(b.families, mixed(t.Hash()))
		b.prices = append(b.prices, price(t))
	}
	for i, c := range l.cols {
		b.withTarget = append(b.withTarget, dot(c, l.y))
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
	for n := 1; n <= beamTerms; n++ {
		lists := make([][]subset, len(level))
		parallel(ctx, len(level), func(i int) { lists[i] = b.extensions(level[i]) })
		if n == 3 {
			lists = append(lists, b.triples(ctx))
		}
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

// extended returns the best sums with one more term than s, best first. rest holds the residuals
// with each further term.
func (b *beam) extended(s subset, rest []leftover) (out []subset) {
	paid := 0.0
	for _, i := range s.terms {
		if i < len(b.prices) {
			paid += b.prices[i]
		}
	}
	best := newShortlist()
	for a, r := range rest {
		if !math.IsInf(r.rss, 1) {
			best.add(b.bits(paid+b.prices[a], r.rss), a)
		}
	}
	for _, r := range best.sorted() {
		out = append(out, b.extension(s, r.index, rest[r.index].shifted, r.bits))
	}
	return out
}

// bits returns the description length of a sum: the price of its terms, and the bits of its
// residual sum of squares.
func (b *beam) bits(price, rss float64) float64 {
	return price + b.rows/2*math.Log2(max(rss, b.floor))
}

// extension returns s with term a and, if shifted is true, the slope of the term.
func (b *beam) extension(s subset, a int, shifted bool, bits float64) subset {
	terms := append(slices.Clone(s.terms), a)
	if shifted {
		terms = append(terms, b.slopes[a])
	}
	slices.Sort(terms)
	return subset{terms, bits, s.family + b.families[a]}
}

// ranked is a sum, identified by an index, with its description length in bits.
type ranked struct {
	bits  float64
	index int
}

// shortlist holds the beamWidth best sums of those added in the order of their indices, and some
// others.
type shortlist struct {
	list  []ranked
	limit float64 // description length of a sum that is too long, in bits
}

func newShortlist() *shortlist { return &shortlist{limit: math.Inf(1)} }

// add adds a sum with its description length in bits, unless there are enough better ones.
func (s *shortlist) add(bits float64, index int) {
	if !(bits < s.limit) {
		return
	}
	if s.list = append(s.list, ranked{bits, index}); len(s.list) == 4*beamWidth {
		s.list = s.sorted()
		s.limit = s.list[beamWidth-1].bits
	}
}

// sorted returns the beamWidth best sums, best first.
func (s *shortlist) sorted() []ranked {
	slices.SortFunc(s.list, func(a, b ranked) int {
		if c := cmp.Compare(a.bits, b.bits); c != 0 {
			return c
		}
		return cmp.Compare(a.index, b.index)
	})
	return s.list[:min(len(s.list), beamWidth)]
}

// leftover is what a sum leaves of the target.
type leftover struct {
	rss     float64 // residual sum of squares; infinite if the terms are linearly dependent
	shifted bool    // whether the slope of the last term is a column of the sum
}

// remaining returns what a sum of columns leaves of the target with each further term.
func (b *beam) remaining(columns []int) (out []leftover) {
	out = slices.Repeat([]leftover{{rss: math.Inf(1)}}, len(b.prices))
	p := b.project(columns)
	if p == nil {
		return out
	}
	for a := range out {
		if !slices.Contains(columns, a) {
			out[a] = p.leftWith(a)
		}
	}
	return out
}

// projected holds the target of a library, projected on some columns of the library.
type projected struct {
	*beam
	columns []int
	lower   [][]float64 // Cholesky factor of the inner products of the columns
	target  []float64   // of the target, in an orthonormal base
	left    float64     // squared norm of the rest of the target
	// Projections of a term and of its slope, the scratch space of with.
	term, slope []float64
}

// project returns the projection on columns, or nil if they are linearly dependent.
func (b *beam) project(columns []int) *projected {
	p := &projected{beam: b, columns: columns, lower: b.cholesky(columns)}
	if p.lower == nil {
		return nil
	}
	p.target = forward(make([]float64, len(columns)), p.lower, func(i int) float64 { return b.withTarget[columns[i]] })
	p.left = b.cost - dot(p.target, p.target)
	p.term, p.slope = make([]float64, len(columns)), make([]float64, len(columns))
	return p
}

// of sets x to the projection of column a, in the same base, and returns it.
func (p *projected) of(a int, x []float64) []float64 {
	return forward(x, p.lower, func(i int) float64 { return p.gram[a][p.columns[i]] })
}

// leftWith returns what the columns leave of the target together with term a. The slope of the term
// is a further column if it shifts the constant in the term by at most mostShift.
func (p *projected) leftWith(a int) leftover {
	w := p.of(a, p.term)
	left := p.gram[a][a] - dot(w, w)
	if left < collinear*p.gram[a][a] {
		return leftover{rss: math.Inf(1)}
	}
	r := p.beam.withTarget[a] - dot(w, p.target)
	out := leftover{rss: p.left - r*r/left}
	if p.slopes == nil || p.slopes[a] < 0 {
		return out
	}
	c := p.slopes[a]
	u := p.of(c, p.slope)
	cross := p.gram[c][a] - dot(u, w)
	slopeLeft := p.gram[c][c] - dot(u, u) - cross*cross/left
	if slopeLeft < collinear*p.gram[c][c] {
		return out
	}
	rc := p.beam.withTarget[c] - dot(u, p.target) - cross*r/left
	slope := rc / slopeLeft
	if coef := (r - cross*slope) / left; math.Abs(slope) <= mostShift*math.Abs(coef) {
		return leftover{out.rss - rc*slope, true}
	}
	return out
}

// compareSubsets orders sums by their description length.
func compareSubsets(a, b subset) int {
	if c := cmp.Compare(a.bits, b.bits); c != 0 {
		return c
	}
	return slices.Compare(a.terms, b.terms)
}

// cholesky returns the lower triangular Cholesky factor of the matrix of inner products of terms,
// or nil if the terms are linearly dependent.
func (b *beam) cholesky(terms []int) [][]float64 {
	lower := make([][]float64, 0, len(terms))
	for i, a := range terms {
		row := append(forward(make([]float64, i, i+1), lower, func(j int) float64 { return b.gram[a][terms[j]] }), 0)
		left := b.gram[a][a] - dot(row, row)
		if !(left > collinear*b.gram[a][a]) {
			return nil
		}
		row[i] = math.Sqrt(left)
		lower = append(lower, row)
	}
	return lower
}

// forward sets x to the solution of a lower triangular system, by forward substitution, and returns
// it.
func forward(x []float64, lower [][]float64, right func(i int) float64) []float64 {
	for i, row := range lower {
		v := right(i)
		for j := range i {
			v -= row[j] * x[j]
		}
		x[i] = v / row[i]
	}
	return x
}

// distinctTerms returns terms without repetitions.
func distinctTerms(list []expr.Tree) (out []expr.Tree) {
	seen := map[termKey]bool{}
	for _, t := range list {
		if k := keyOf(t); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	return out
}
