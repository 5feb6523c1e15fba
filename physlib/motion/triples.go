package motion

import (
	"cmp"
	"context"
	"slices"
)

// triples returns the best sums of three terms, best first. Two of the terms are among the plain
// ones. Terms that nearly cancel each other, such as growth and loss on a slow manifold, describe
// the target only together, so no sum of two of them is kept.
func (b *beam) triples(ctx context.Context) (out []subset) {
	if b.slopes == nil {
		return nil
	}
	plain := b.plain()
	lists := make([][]subset, len(b.prices))
	parallel(ctx, len(b.prices), func(i int) { lists[i] = b.triplesWith(i, plain) })
	for _, s := range distinct(slices.Concat(lists...)) {
		last := s.terms[0]
		pair := subset{terms: s.terms[1:], family: s.family - b.families[last]}
		if p := b.project(pair.terms); p != nil {
			l := p.leftWith(last)
			bits := b.bits(b.prices[last]+b.prices[pair.terms[0]]+b.prices[pair.terms[1]], l.rss)
			out = append(out, b.extension(pair, last, l.shifted, bits))
		}
	}
	return out
}

// plain returns the terms without a constant inside that have the lowest prices, at most mostPlain.
func (b *beam) plain() (out []int) {
	for a := range b.prices {
		if b.slopes[a] < 0 {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, c int) int { return cmp.Compare(b.prices[a], b.prices[c]) })
	return out[:min(len(out), mostPlain)]
}

// mostPlain is the largest number of terms of which triples takes all pairs.
const mostPlain = 64

// triplesWith returns the best sums of term i and two of the plain terms. Term i comes first in
// them.
func (b *beam) triplesWith(i int, plain []int) (out []subset) {
	columns := []int{i}
	if c := b.slopes[i]; c >= 0 {
		columns = append(columns, c)
	}
	p := b.project(columns)
	if p == nil {
		return nil
	}
	var terms []int
	var rows [][]float64 // projections of terms
	for _, a := range plain {
		w := p.of(a, make([]float64, len(columns)))
		if a != i && b.gram[a][a]-dot(w, w) > collinear*b.gram[a][a] {
			terms, rows = append(terms, a), append(rows, w)
		}
	}
	best := newShortlist()
	for x, a := range terms {
		aa, ay := b.gram[a][a]-dot(rows[x], rows[x]), b.withTarget[a]-dot(rows[x], p.target)
		for y, c := range terms[:x] {
			ac, cc := b.gram[a][c]-dot(rows[x], rows[y]), b.gram[c][c]-dot(rows[y], rows[y])
			left := cc - ac*ac/aa
			if left < collinear*b.gram[c][c] {
				continue
			}
			cy := b.withTarget[c] - dot(rows[y], p.target) - ac*ay/aa
			best.add(b.bits(b.prices[i]+b.prices[a]+b.prices[c], p.left-ay*ay/aa-cy*cy/left), x*mostPlain+y)
		}
	}
	for _, r := range best.sorted() {
		a, c := terms[r.index/mostPlain], terms[r.index%mostPlain]
		out = append(out, subset{[]int{i, min(a, c), max(a, c)}, r.bits, b.families[i] + b.families[a] + b.families[c]})
	}
	return out
}
