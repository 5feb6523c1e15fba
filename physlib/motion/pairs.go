package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Two laws may share a term that can only be found in both at once: in each law alone, another term
// gives a shorter description. So sums with a common term are also tried in two laws at once.
const (
	mostPaired = 10 // largest number of pairs of sums proposed for two equations
	pairMargin = 30 // a pair is proposed if it is at most this many bits above the best sums
)

// matched holds the sums of terms that integral matching found for an equation.
type matched struct {
	*matching
	sums []subset // best first
}

// pair is a pair of candidates of equations k and j with a term in common.
type pair struct {
	k, j int
	a, b *candidate
}

// termKey identifies a term by its form and by the starting value of the constant inside it, if
// there is one.
type termKey struct {
	form  uint64
	start float64
}

func keyOf(t expr.Tree) termKey {
	key := termKey{form: t.Hash()}
	if p := t.Params(); len(p) > 0 {
		key.start = p[0]
	}
	return key
}

// best returns, for each term, the best sum that contains it.
func (m *matched) best() map[termKey]subset {
	out := map[termKey]subset{}
	for _, s := range m.sums {
		for _, a := range s.terms[:m.numTerms(s.terms)] {
			if key := keyOf(m.trees[a]); out[key].terms == nil {
				out[key] = s
			}
		}
	}
	return out
}

// matchPairs adds to the pools those pairs of sums that have a term in common and the shortest
// description of both sums together.
func (sr *searcher) matchPairs(ctx context.Context, found []matched) {
	sr.pairs = nil
	for k, m := range found {
		for j, o := range found[:k] {
			if ctx.Err() != nil {
				return
			}
			if len(m.sums) > 0 && len(o.sums) > 0 {
				sr.pairs = append(sr.pairs, sr.pairsOf(k, j, m, o)...)
			}
		}
	}
}

// pairsOf returns the best pairs of sums of equations k and j.
func (sr *searcher) pairsOf(k, j int, m, o matched) (out []pair) {
	type scored struct {
		a, b subset
		bits float64
	}
	var list []scored
	others := o.best()
	mine := m.best()
	for _, t := range m.trees {
		a, known := mine[keyOf(t)]
		if !known || t.Len() < 3 || len(t.Vars()) == 0 {
			continue
		}
		for _, u := range []expr.Tree{t, sr.exchange(t, k, j)} {
			if b, both := others[keyOf(u)]; both {
				list = append(list, scored{a, b, a.bits + b.bits - sr.saved(t)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.bits, b.bits) })
	limit := m.sums[0].bits + o.sums[0].bits + pairMargin
	for _, s := range list {
		if len(out) == mostPaired || s.bits > limit || math.IsNaN(s.bits) {
			break
		}
		a, b := sr.offerSum(k, m, s.a), sr.offerSum(j, o, s.b)
		next := pair{k, j, a, b}
		if a != nil && b != nil && !slices.Contains(out, next) {
			out = append(out, next)
		}
	}
	return out
}

// offerSum adds a sum of terms to the pool of equation k. It returns the candidate, or nil if the
// sum has no fit or is not admitted.
func (sr *searcher) offerSum(k int, m matched, s subset) *candidate {
	law := m.fitted(s.terms)
	if law.terms == nil {
		return nil
	}
	c, _ := sr.offer(k, law.tree())
	return c
}

// exchangePairs replaces two chosen laws at once by the laws of a pair, if this improves the chosen
// system. The laws of the other pairs are kept as rivals.
func (sr *searcher) exchangePairs(ctx context.Context, pairs []pair) {
	var lists [][]*candidate
	for _, p := range pairs {
		laws := make([]*candidate, len(sr.best))
		laws[p.k], laws[p.j] = p.a, p.b
		lists = append(lists, laws)
	}
	sr.exchangeSeveral(ctx, lists)
}

// exchangeSeveral replaces several chosen laws at once by those of one of the lists, if this
// improves the chosen system. It reports whether the system changed. Each list has a law for each
// equation, or nil if the law stays. Lists that are not chosen are kept as rivals.
func (sr *searcher) exchangeSeveral(ctx context.Context, lists [][]*candidate) (changed bool) {
	for _, laws := range lists {
		trial := slices.Clone(sr.best)
		for k, c := range laws {
			if c != nil {
				trial[k] = c
			}
		}
		if ctx.Err() != nil || sr.shot == nil || slices.Equal(trial, sr.best) {
			continue
		}
		shot, score := sr.evaluate(trial, nil, hopeless(ctx, sum64(sr.shot.RSS)))
		if ctx.Err() != nil {
			break
		}
		if score < sr.total-1e-6 {
			trial, sr.best = sr.best, trial
			shot, sr.shot = sr.shot, shot
			score, sr.total, changed = sr.total, score, true
		}
		sr.noteTwins(laws, trial, shot, score)
	}
	if changed {
		sr.storeConstants()
		sr.noteBest()
	}
	return changed
}

// twins are laws of several equations that were fitted jointly in the chosen system and are rivals
// of the chosen laws. They are copies, since a candidate is also scored by itself.
type twins struct {
	laws         []*candidate // for each equation, another law; nil: the law of the chosen system
	windowLength int
	others       string // key of the laws of all other equations
}

// noteTwins stores the joint fit of system as twins. system differs from the chosen system in those
// equations k for which laws[k] is not nil.
func (sr *searcher) noteTwins(laws, system []*candidate, shot *trajectoryFit, score float64) {
	t := twins{make([]*candidate, len(laws)), sr.windowLength, sr.others(changedIn(laws)...)}
	for k, c := range laws {
		if c != nil {
			c := *system[k]
			c.joint, c.shot, c.windowLength, c.first = score, shot, sr.windowLength, constantsBefore(system, k)
			t.laws[k] = &c
		}
	}
	sr.twins = append(sr.twins, t)
}

// changedIn returns the equations that have a law in laws.
func changedIn(laws []*candidate) (out []int) {
	for k, c := range laws {
		if c != nil {
			out = append(out, k)
		}
	}
	return out
}

// twinsOf returns laws of equation k that were scored together with another law of a further
// equation. The remaining equations must have had the laws of the chosen system, over its windows.
func (sr *searcher) twinsOf(k int) (out []*candidate) {
	for _, t := range sr.twins {
		if t.laws[k] != nil && t.windowLength == sr.windowLength && t.others == sr.others(changedIn(t.laws)...) {
			out = append(out, t.laws[k])
		}
	}
	return out
}
