package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/unit"
	"gonum.org/v1/gonum/floats"
)

// match is an entry of the library that fits a target: target ≈ offset + factor*entry. With a
// second entry, it is target ≈ offset + factor*entry + extra*second. If ratio is true, it is target
// ≈ (offset + factor*entry)/(1 - extra*second).
type match struct {
	entry, second         int // indices of entries; second is -1 if there is none
	ratio                 bool
	offset, factor, extra float64
	// Logarithm of the fraction of query.total that is not explained, plus a price for complexity.
	// The match with the lowest score is the best.
	score float64
}

// query is a target with weights. The target must be finite even in rows with weight 0.
type query struct {
	target, weight []float64
	affine         bool      // an offset is allowed
	dim            *unit.Dim // only entries of this dimension count; nil: all

	wt []float64 // weight·target
	// Σ weight, Σ weight·target, and Σ weight·(target − mean)². If affine is false, the mean is
	// taken as 0.
	w, t, total float64

	// The fields below are set by project for pairs of a first entry with a second one. The
	// residual is the residual of the match with only the first entry.
	//
	// first is weight·(entry − mean) and left is weight·residual. For a ratio, both are multiplied
	// by the target.
	first, left     []float64
	scaled, squared []float64 // weight·target and weight·target², set only for a ratio
	// Mean of the first entry, and Σ weight·(entry − mean)². If affine is false, the mean is taken
	// as 0.
	mean, variance float64
	sum            float64 // Σ weight·residual²
	ratio          bool    // the second entry is in the denominator
}

// nearest returns the matches of q with the entries that fit best, the best first. The result is
// stored in best, up to its capacity.
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

// single returns the match of entry i. ok is false if it has the wrong dimension or is constant.
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

// companion returns the best matches of q with the entry of first and a second entry. The result is
// stored in best, up to its capacity. first must be a match that nearest has just found for q.
//
// If ratio is true, the second entry is in the denominator:
//
//	target ≈ (offset + factor*entry)/(1 - extra*second).
//
// Multiplied by the denominator, this equation is linear in the constants, which are then found by
// linear least squares.
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

// parabola returns the best match of q with a column and its square. nearest must have prepared q.
// ok is false if there is no match.
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

// pair returns the match of q with the entry of first and entry i. project must have prepared q for
// first. ok is false if entry i has the wrong dimension or does not improve the match.
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

// project prepares q for pairs with the entry of the match m. It returns false if the match leaves
// no residual.
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

// timesTarget prepares q for a ratio. It multiplies q.first and q.left by the target, and sets
// q.scaled and q.squared to weight·target and weight·target².
func (q *query) timesTarget() {
	q.scaled, q.squared = append(q.scaled[:0], q.weight...), append(q.squared[:0], q.weight...)
	for k, t := range q.target {
		q.first[k] *= t
		q.left[k] *= t
		q.scaled[k] *= t
		q.squared[k] *= t * t
	}
}

// rank inserts m into best, which keeps the matches with the lowest scores, up to its capacity.
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
