package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// A term that two equations have in common is described once: the second equation refers to it.
// Equations that share a term are so found together even where the errors leave each of them a
// shorter law of its own.
const (
	referenceBits = 6  // of a term that an earlier equation has
	leastShared   = 14 // bits of a term that is offered to other equations
	sharedPairs   = 6  // of candidates that are weighed together
	sharedTerms   = 24 // offered to an equation
	sharedLength  = 4  // terms of sums that begin with an offered one
)

// part is a term of a law without its coefficient.
type part struct {
	tree expr.Tree
	sign uint64  // equal for equal terms, whatever their constants
	bits float64 // its description length
}

// parts returns the terms of t that depend on a column.
func (h *hunt) parts(t expr.Tree) (out []part) {
	for _, term := range terms(t) {
		b := bare(term)
		if len(b.Vars()) == 0 {
			continue
		}
		n := int32(0)
		for _, node := range b.Nodes() {
			if node.Op == expr.Param {
				n = max(n, node.Index+1)
			}
		}
		scaled := expr.Apply(expr.Mul, expr.C(int(n), 1), b).AbsorbParams()
		out = append(out, part{b, scaled.Hash(), law.Complexity(b, len(h.names))})
	}
	return out
}

// shared returns the bits that a system saves by terms that come in several of its equations.
func shared(trial []*candidate) (bits float64) {
	seen := map[uint64]bool{}
	for _, c := range trial {
		if c == nil {
			continue
		}
		for _, p := range c.parts {
			if seen[p.sign] {
				bits += max(0, p.bits-referenceBits)
			}
		}
		for _, p := range c.parts {
			seen[p.sign] = true
		}
	}
	return bits
}

// spreadTerms offers to each equation sums that begin with a long term of another's best laws.
func (h *hunt) spreadTerms(ctx context.Context, forms []*integralForm) {
	for k, f := range forms {
		if f == nil || ctx.Err() != nil {
			continue
		}
		atoms := h.library(k)
		own := len(atoms)
		for j := range forms {
			if j != k {
				atoms = append(atoms, h.lendable(j, k, sharedTerms-(len(atoms)-own))...)
			}
		}
		if len(atoms) == own {
			continue
		}
		m := f.terms(atoms)
		if m == nil {
			continue
		}
		for i, a := range m.atoms {
			if !slices.ContainsFunc(atoms[own:], func(t expr.Tree) bool { return slices.Equal(t.Nodes(), a.Nodes()) }) {
				continue
			}
			for chosen := []int{i}; len(chosen) <= sharedLength && ctx.Err() == nil; {
				if s := m.fitted(chosen); s.terms != nil {
					h.offer(k, s.tree())
				}
				next := m.ranked(chosen)
				if len(next) == 0 {
					break
				}
				chosen = append(chosen, next[0])
			}
		}
	}
}

// lendable returns at most so many long terms of the best laws of equation j that the units of
// equation k allow, with constants of their own.
func (h *hunt) lendable(j, k, most int) (out []expr.Tree) {
	seen := map[uint64]bool{}
	for _, c := range h.ahead(j, finalists) {
		for _, p := range c.parts {
			if p.bits < leastShared || seen[p.sign] || len(out) >= most {
				continue
			}
			seen[p.sign] = true
			t := renumbered(p.tree)
			if h.balancedTree(k, expr.Apply(expr.Mul, expr.C(t.NumParams(), 1), t)) {
				out = append(out, t)
			}
		}
	}
	return out
}

// ahead returns the candidates of equation k that are best by themselves, at most n.
func (h *hunt) ahead(k, n int) []*candidate {
	list := slices.Clone(h.pools[k].list)
	slices.SortStableFunc(list, func(a, b *candidate) int { return compareScores(a.alone, b.alone) })
	return list[:min(len(list), n)]
}

// pairing are candidates of two equations that share terms.
type pairing struct {
	k, j  int
	a, b  *candidate
	score float64
}

// pairings returns the pairs of candidates that are best together, each by itself less what they
// share.
func (h *hunt) pairings() (out []pairing) {
	for k := range h.pools {
		for j := range k {
			for _, a := range h.pools[k].list {
				for _, b := range h.pools[j].list {
					if math.IsNaN(a.alone) || math.IsNaN(b.alone) || math.IsInf(a.alone+b.alone, 0) {
						continue
					}
					if saved := shared([]*candidate{a, b}); saved >= leastShared-referenceBits {
						out = append(out, pairing{k, j, a, b, a.alone + b.alone - saved})
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b pairing) int { return cmp.Compare(a.score, b.score) })
	return out[:min(len(out), sharedPairs)]
}

// pairwise exchanges the laws of two equations at a time for such as share a term, where that is
// better.
func (h *hunt) pairwise(ctx context.Context) {
	if h.shot == nil {
		return
	}
	for _, p := range h.pairings() {
		if ctx.Err() != nil || h.best[p.k] == p.a && h.best[p.j] == p.b {
			continue
		}
		trial := slices.Clone(h.best)
		trial[p.k], trial[p.j] = p.a, p.b
		shot, score := h.weigh(trial, nil, hopeless(ctx, sum64(h.shot.RSS)))
		if ctx.Err() == nil && score < h.total-1e-6 {
			h.best, h.shot, h.total = trial, shot, score
			h.note(p.k, p.a, shot, score)
			h.note(p.j, p.b, shot, score)
		}
	}
	h.settle()
}

// renumbered returns t with its free constants numbered from 0.
func renumbered(t expr.Tree) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	slots := map[int32]int32{}
	for i, n := range nodes {
		if n.Op != expr.Param {
			continue
		}
		if _, ok := slots[n.Index]; !ok {
			slots[n.Index] = int32(len(slots))
		}
		nodes[i].Index = slots[n.Index]
	}
	out, _ := expr.FromNodes(nodes)
	return out
}

// nearUnit is within how many standard errors of ±1 a constant may be that one.
const nearUnit = 2

// unitCoefficients offers the best laws of equation k with constants that may be ±1 as such, all of
// them and each alone, and returns the new candidates.
func (h *hunt) unitCoefficients(k int) (out []*candidate) {
	for _, c := range h.ahead(k, finalists) {
		params := c.tree.Params()
		if len(c.known) != len(params) {
			continue
		}
		var near []int
		for i, p := range params {
			if se := math.Abs(p) / (math.Exp2(c.known[i]) - 1); math.Abs(math.Abs(p)-1) <= nearUnit*se && se < 0.25 {
				near = append(near, i)
			}
		}
		sets := [][]int{near}
		for i := range near {
			sets = append(sets, near[i:i+1])
		}
		for _, set := range sets {
			if len(set) == 0 {
				continue
			}
			if n, fresh := h.offer(k, withUnits(c.tree, set)); fresh {
				out = append(out, n)
			}
		}
	}
	return out
}

// withUnits returns t with constants of the given slots replaced by ±1, by their sign.
func withUnits(t expr.Tree, slots []int) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	for i, n := range nodes {
		if n.Op == expr.Param && slices.Contains(slots, int(n.Index)) {
			nodes[i] = expr.Node{Op: expr.Number, Value: math.Copysign(1, t.Params()[n.Index])}
		}
	}
	out, _ := expr.FromNodes(nodes)
	return renumbered(out)
}
