package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
	"gonum.org/v1/gonum/floats"
)

const (
	libraryRows = 96   // rows on which library entries are compared; a multiple of vec.Block
	librarySize = 3000 // entries
)

// library holds small expressions with their values, for the semantic operator to look up what fits at a place.
type library struct {
	rows    int
	entries []entry
	squares [][2]int // entries that are a column and its square
	g       *grammar
}

type entry struct {
	nodes  []expr.Node
	value  []float64 // on the first rows of the sample
	square []float64
	price  int
	dim    unit.Dim
	known  bool // dim holds
}

// builder fills a library without repetitions: entries that are the same up to a factor and an addend are one.
type builder struct {
	*library
	m    *machine
	cols [][]float64
	seen map[uint64]bool
}

func newLibrary(g *grammar, mat *material) *library {
	lib := &library{rows: min(libraryRows, len(mat.fit.y)), g: g}
	b := &builder{library: lib, m: newMachine(lib.rows), seen: map[uint64]bool{}}
	for _, c := range mat.fit.cols {
		b.cols = append(b.cols, c[:lib.rows])
	}
	b.fill(mat.vars[:min(len(mat.vars), 12)])
	return lib
}

// fill enumerates by size: columns, functions of a column, two columns, functions of those, products of functions.
func (b *builder) fill(vars []int) {
	var leaves, functions, pairs [][]expr.Node
	for _, v := range vars {
		x := []expr.Node{{Op: expr.Var, Index: int32(v)}}
		if b.add(x) {
			leaves = append(leaves, x)
		}
	}
	for i, x := range leaves {
		if len(b.entries) < librarySize && b.add(join(expr.Square, x)) {
			b.squares = append(b.squares, [2]int{i, len(b.entries) - 1})
			functions = append(functions, join(expr.Square, x))
		}
		functions = append(functions, b.functions(x)...)
	}
	for _, x := range leaves {
		b.shifted(x)
		b.shifted(join(expr.Square, x))
	}
	for i, x := range leaves {
		for _, y := range leaves[i+1:] {
			pairs = append(pairs, b.pairs(x, y)...)
		}
	}
	for i, f := range functions {
		for _, x := range leaves {
			if i < 400 {
				b.pairs(f, x)
			}
		}
	}
	for _, p := range pairs {
		b.functions(p)
		if op := p[len(p)-1].Op; op == expr.Mul || op == expr.Div {
			b.shifted(p)
			b.shifted(join(expr.Square, p))
		}
	}
	for i, f := range functions {
		for _, h := range functions[i+1:] {
			if len(b.entries) >= librarySize {
				return
			}
			b.add(join(expr.Mul, f, h))
			b.add(join(expr.Div, f, h))
		}
	}
	for i, p := range pairs {
		for _, f := range functions {
			if len(b.entries) >= librarySize || i > 60 {
				return
			}
			b.add(join(expr.Mul, p, f))
		}
	}
}

func (b *builder) pairs(x, y []expr.Node) (added [][]expr.Node) {
	try := func(n []expr.Node) {
		if b.add(n) {
			added = append(added, n)
		}
	}
	try(join(expr.Mul, x, y))
	try(join(expr.Div, x, y))
	try(join(expr.Div, y, x))
	try(join(expr.Sub, x, y))
	try(join(expr.Add, x, y))
	if len(x) == 1 && len(y) == 1 {
		try(join(expr.Add, join(expr.Square, x), join(expr.Square, y)))
		try(join(expr.Sub, join(expr.Square, x), join(expr.Square, y)))
		try(join(expr.Pow, x, y))
		try(join(expr.Pow, y, x))
	}
	return added
}

func (b *builder) functions(x []expr.Node) (added [][]expr.Node) {
	try := func(n []expr.Node) {
		if b.add(n) {
			added = append(added, n)
		}
	}
	for _, op := range []expr.Op{expr.Square, expr.Cube, expr.Inv, expr.Sqrt, expr.Exp, expr.Log, expr.Sin, expr.Cos, expr.Tanh} {
		try(join(op, x))
	}
	try(join(expr.Square, join(expr.Square, x)))
	try(join(expr.Inv, join(expr.Square, x)))
	try(join(expr.Inv, join(expr.Sqrt, x)))
	try(join(expr.Exp, join(expr.Neg, x)))
	try(join(expr.Exp, join(expr.Mul, param(-0.5), join(expr.Square, x))))
	try(join(expr.Log, join(expr.Abs, x)))
	try(join(expr.Sqrt, join(expr.Abs, x)))
	for _, k := range []float64{2, 0.5, math.Pi, 3, 1.5, 2 * math.Pi, 4, 6, 8, 10} {
		try(join(expr.Sin, join(expr.Mul, param(k), x)))
		try(join(expr.Cos, join(expr.Mul, param(k), x)))
		if len(x) > 1 && k != 2 {
			break
		}
	}
	if len(x) == 1 {
		try(join(expr.Pow, x, number(5)))
		try(join(expr.Square, join(expr.Cube, x)))
		try(join(expr.Pow, x, number(1.5)))
		try(join(expr.Pow, x, number(1./3)))
	}
	for _, op := range []expr.Op{expr.Tan, expr.Asin, expr.Acos, expr.Atan, expr.Sinh, expr.Cosh} {
		if len(x) == 1 {
			try(join(op, x))
		}
	}
	return added
}

// shifted adds functions of 1 + x and 1 - x.
func (b *builder) shifted(x []expr.Node) {
	for _, op := range []expr.Op{expr.Add, expr.Sub} {
		u := join(op, number(1), x)
		for _, f := range []expr.Op{expr.Inv, expr.Sqrt, expr.Log, expr.Square, expr.Cube} {
			b.add(join(f, u))
		}
		b.add(join(expr.Inv, join(expr.Sqrt, u)))
	}
}

// add appends nodes unless they use what is not allowed or their values are broken, constant, or known up to a factor and an addend.
func (b *builder) add(nodes []expr.Node) bool {
	if len(b.entries) >= librarySize || !legal(nodes) || !b.g.allows(nodes) {
		return false
	}
	b.m.eval(nodes, b.cols)
	v := b.m.wide(len(nodes) - 1)
	mean := floats.Sum(v) / float64(len(v))
	spread, first := 0.0, 0.0
	for _, x := range v {
		spread += (x - mean) * (x - mean)
	}
	spread = math.Sqrt(spread)
	if !(spread > 1e-9*math.Abs(mean)) || math.IsInf(spread, 0) || spread > 1e60 || spread < 1e-60 {
		return false
	}
	h := uint64(len(v))
	for _, x := range v {
		z := (x - mean) / spread
		if first == 0 && math.Abs(z) > 1e-3 {
			first = math.Copysign(1, z)
		}
		h = mix(h ^ uint64(int64(math.Round(first*z*1e8))))
	}
	e := entry{nodes: nodes, value: append([]float64(nil), v...), price: totalPrice(nodes)}
	if b.g.units {
		e.dim, e.known = b.g.dimOf(nodes)
		if !e.known {
			return false
		}
		for i := range e.dim { // the same values of another dimension are another quantity
			h = mix(h ^ uint64(e.dim[i].Num())<<16 ^ uint64(e.dim[i].Den()))
		}
	}
	if b.seen[h] {
		return false
	}
	b.seen[h] = true
	e.square = make([]float64, len(v))
	for k, x := range v {
		e.square[k] = x * x
	}
	b.entries = append(b.entries, e)
	return true
}

// match is an entry that fits a target: target ≈ offset + factor*entry, plus extra*second where second is not negative, or
// with ratio (offset + factor*entry)/(1 - extra*second).
type match struct {
	entry, second         int
	ratio                 bool
	offset, factor, extra float64
	score                 float64 // log of the share of the target left unexplained, plus a price
}

// query is a target with weights. Where these are 0 the target is finite all the same.
type query struct {
	target, weight []float64
	affine         bool      // an offset is allowed
	dim            *unit.Dim // only entries of this dimension count; nil: all

	wt          []float64 // weight*target
	w, t, total float64   // sums of weight and weight*target, what there is to explain

	first, left     []float64 // of a pair: weight times the first entry, less its mean, and times what it leaves
	scaled, squared []float64 // weight times the target, once and twice
	mean, variance  float64   // of the first entry
	sum             float64   // what it leaves
	ratio           bool
}

// nearest lists the best few entries for q, best first, in best, up to its capacity.
func (l *library) nearest(best []match, q *query) []match {
	best = best[:0]
	if !q.prepare() {
		return best
	}
	for i := range l.entries {
		if m, ok := q.single(l, i); ok {
			best = rank(best, m)
		}
	}
	return best
}

// single is the match of entry i; ok is false where it has the wrong dimension or nothing to vary.
func (q *query) single(l *library, i int) (m match, ok bool) {
	e := &l.entries[i]
	if q.dim != nil && e.dim != *q.dim {
		return m, false
	}
	sl, cov, variance := 0.0, floats.Dot(q.wt, e.value), floats.Dot(q.weight, e.square)
	raw := variance
	if q.affine {
		sl = floats.Dot(q.weight, e.value)
		cov, variance = cov-sl*q.t/q.w, variance-sl*sl/q.w
	}
	if !(variance > 1e-12*raw) {
		return m, false
	}
	m = match{entry: i, second: -1, factor: cov / variance}
	m.score = math.Log(max(1-cov*cov/(variance*q.total), 1e-12)) + 0.02*float64(e.price)
	if q.affine {
		m.offset = (q.t - m.factor*sl) / q.w
	}
	return m, true
}

func (q *query) prepare() bool {
	q.wt = append(q.wt[:0], q.target...)
	q.w, q.t, q.total = 0, 0, 0
	for k, w := range q.weight {
		q.wt[k] *= w
		q.w += w
		q.t += q.wt[k]
		q.total += q.wt[k] * q.target[k]
	}
	if q.affine {
		q.total -= q.t * q.t / q.w
	}
	return q.total > 0 && !math.IsInf(q.total, 0)
}

// companion lists the best few partners of the match first, which nearest has just found for q. With ratio the partner
// goes below a fraction, which is linear in its constants too: from target ≈ offset + factor*entry + extra*second*target
// follows target ≈ (offset + factor*entry) / (1 - extra*second).
func (l *library) companion(best []match, q *query, first match, ratio bool) []match {
	best = best[:0]
	if !q.project(l, first, ratio) {
		return best
	}
	for i := range l.entries {
		if m, ok := q.pair(l, i, first); ok {
			best = rank(best, m)
		}
	}
	return best
}

// parabola is the best match of q by a column and its square, which nearest has just prepared; ok is false without one.
func (l *library) parabola(q *query) (best match, ok bool) {
	best.score = math.Inf(1)
	for _, p := range l.squares {
		first, found := q.single(l, p[0])
		if !found || !q.project(l, first, false) {
			continue
		}
		if m, found := q.pair(l, p[1], first); found && m.score < best.score {
			best, ok = m, true
		}
	}
	return best, ok
}

// pair is the match of what was projected, with entry i.
func (q *query) pair(l *library, i int, first match) (m match, ok bool) {
	e := &l.entries[i]
	weight, square := q.weight, q.weight
	if q.ratio {
		weight, square = q.scaled, q.squared
	}
	if q.dim != nil && (q.ratio && !e.dim.IsZero() || !q.ratio && e.dim != *q.dim) || i == first.entry && !q.ratio {
		return m, false
	}
	sl, cov, rest := 0.0, floats.Dot(q.left, e.value), floats.Dot(square, e.square)
	raw, shared := rest, floats.Dot(q.first, e.value)
	if q.affine {
		sl = floats.Dot(weight, e.value)
		rest -= sl * sl / q.w
	}
	if rest -= shared * shared / q.variance; !(rest > 1e-9*raw) {
		return m, false
	}
	m = match{entry: first.entry, second: i, ratio: q.ratio, extra: cov / rest}
	m.factor = first.factor - m.extra*shared/q.variance
	m.score = math.Log(max(q.sum-cov*cov/rest, 1e-12*q.total)/q.total) + 0.02*float64(e.price+l.entries[first.entry].price+3)
	if q.affine {
		m.offset = (q.t - m.factor*q.mean*q.w - m.extra*sl) / q.w
	}
	return m, true
}

// project prepares for pairs with the match m; false when that leaves nothing.
func (q *query) project(l *library, m match, ratio bool) bool {
	value := l.entries[m.entry].value
	q.mean, q.variance, q.sum, q.ratio = 0, 0, 0, ratio
	if q.affine {
		q.mean = floats.Dot(q.weight, value) / q.w
	}
	q.first, q.left = append(q.first[:0], value...), append(q.left[:0], value...)
	for k, w := range q.weight {
		d := value[k] - q.mean
		q.first[k] = w * d
		q.variance += w * d * d
		r := q.target[k] - m.offset - m.factor*value[k]
		q.left[k] = w * r
		q.sum += w * r * r
	}
	if ratio {
		q.timesTarget()
	}
	return q.sum > 1e-12*q.total
}

// timesTarget multiplies by the target what will be multiplied with entries.
func (q *query) timesTarget() {
	q.scaled, q.squared = append(q.scaled[:0], q.weight...), append(q.squared[:0], q.weight...)
	for k, t := range q.target {
		q.first[k] *= t
		q.left[k] *= t
		q.scaled[k] *= t
		q.squared[k] *= t * t
	}
}

// rank inserts m into best, which holds the lowest scores, up to its capacity.
func rank(best []match, m match) []match {
	if n := len(best); n == cap(best) {
		if m.score >= best[n-1].score {
			return best
		}
		best = best[:n-1]
	}
	at := len(best)
	for at > 0 && best[at-1].score > m.score {
		at--
	}
	best = append(best, match{})
	copy(best[at+1:], best[at:])
	best[at] = m
	return best
}
