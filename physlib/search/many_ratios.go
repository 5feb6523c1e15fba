package search

import (
	"context"
	"slices"

	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/view"
)

// Ratios of sums of products of the variables, with one expression in both.

// moebiusPowers lists the powers of the g of a ratio, in halves. Squares apply to functions.
var moebiusPowers = [...]int8{2, -2, 4, -4}

// moebius matches (S₁ + g·S₂)/(1 + S₃ + g·S₄).
func (w *work) moebius(ctx context.Context, m *many) bool {
	if m.h.name != identity.name && m.h.name != squared.name { // under their reciprocals it is nearly the same question
		return false
	}
	room := wideWork
	known := map[uint64]*backdrop{}
	for a := range int32(w.p.Len()) {
		if !w.p.Transcends(a) {
			continue
		}
		for _, without := range []uint64{w.p.Variables(a), 0} {
			b, ok := known[without]
			if !ok {
				b = w.backdrop(m, without)
				known[without] = b
			}
			if b == nil {
				continue
			}
			for _, pow := range moebiusPowers {
				if max(pow, -pow) > 2 && !w.p.IsFunction(a) {
					continue
				}
				if room -= b.work; room < 0 || ctx.Err() != nil {
					return false
				}
				if fs := w.moved(m, b, a, pow); fs != nil && w.offerMany(m, fs) {
					return true
				}
			}
		}
	}
	return false
}

// backdrop is the part of a ratio without g: S₁ and S₃ of products without some variables.
type backdrop struct {
	free   []dictionary.Feature // those of the sums without g
	terms  [][]float64          // weighted rows of the products, at the points sampled
	shares [][]float64          // the same times the target; 1 first
	of     [2][]view.Monomial
	base   [][]float64 // orthonormal, of all that is free without g
	only   [][]float64 // of its shares
	work   int         // dot products of the query for one g
}

// backdrop returns the part without g, or nil if there are too few points or no such products.
func (w *work) backdrop(m *many, without uint64) *backdrop {
	groups := min(len(w.s.Lattice.Basis), 5)
	terms := monos(m.near, []int{1, 4, 7, 11, 13, 14}[groups], without)
	shares := monos(m.bare, []int{1, 4, 6, 9, 10, 10}[groups], without)
	size := 2 * (len(terms) + len(shares))
	points := size + moebiusSpare
	if len(terms) == 0 || points > w.s.Points() {
		return nil
	}
	b := &backdrop{of: [2][]view.Monomial{terms, shares}, work: size * size / 2}
	all := append(asFeatures(terms, dictionary.Term, -1, 2), asFeatures(shares, dictionary.Share, -1, 2)...)
	for i, f := range all {
		v, ok := m.column(f)
		if !ok {
			return nil
		}
		v = v[:points]
		switch {
		case f.Role == dictionary.Term:
			b.terms = append(b.terms, v)
		default:
			b.shares = append(b.shares, v)
			if i == len(terms) {
				continue // y itself
			}
			b.only = extended(b.only, v)
		}
		b.base = extended(b.base, v)
		b.free = append(b.free, f)
	}
	return b
}

// moved returns the features of the ratio with g = a^(pow/2) if it explains the target, or else
// nil.
func (w *work) moved(m *many, b *backdrop, a int32, pow int8) []dictionary.Feature {
	n := len(b.shares[0])
	t, g := m.Target[:n], slices.Clone(w.p.Values(a)[:n])
	dictionary.RaiseHalf(g, int(pow))
	base, only := slices.Clip(b.base), slices.Clip(b.only)
	for _, v := range b.terms {
		base = extended(base, column.Product(v, g))
	}
	fs := append(append([]dictionary.Feature(nil), b.free[:len(b.terms)]...), asFeatures(b.of[0], dictionary.Term, a, pow)...)
	for _, v := range b.shares {
		only = extended(only, column.Product(v, g))
	}
	if left(only, t) > wideEps { // else the shares explain any target: 1 is a sum of them
		for _, v := range b.shares {
			base = extended(base, column.Product(v, g))
		}
		fs = append(append(fs, b.free[len(b.terms):]...), asFeatures(b.of[1], dictionary.Share, a, pow)...)
	}
	if left(base, t) > wideEps {
		return nil
	}
	return fs
}
