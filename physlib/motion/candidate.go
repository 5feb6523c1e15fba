package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
)

// pool holds the candidates found for one equation.
type pool struct {
	list []*candidate
	seen map[uint64]*candidate
	top  *candidate // best law of the latest search

	edited map[uint64]bool // hashes of forms already fitted as neighbours
}

// candidate is a law of one equation with its scores.
type candidate struct {
	law  law.Law
	tree expr.Tree // in the columns of the right-hand sides; fitted numbers are free constants
	bits float64   // complexity
	// Score of the fit to the integral form, with the measured values of the other states.
	alone float64
	joint float64        // score of the whole system with this law, over windows of length windowLength
	shot  *trajectoryFit // fit that gave joint
	first int            // index of the first constant of the law in shot.Params

	others       string // key of the laws of the other equations in the system whose score is joint
	windowLength int    // length, in intervals, of the windows over which joint was calculated
}

// alike reports whether c and o have laws of the same form.
func (c *candidate) alike(o *candidate) bool {
	return c != nil && o != nil && c.tree.Len() > 0 && c.tree.Hash() == o.tree.Hash()
}

// newCandidate returns a law of equation k as a candidate without scores.
func (sr *searcher) newCandidate(k int, t expr.Tree, proposer string) *candidate {
	return sr.candidateOf(law.Law{Tree: t, Vars: sr.names, Target: sr.tr.Target(k), Constants: law.NewConstants(t.Params(), nil),
		Complexity: law.Complexity(t, len(sr.names)), Proposer: proposer}, t)
}

// candidateOf returns a law as a candidate without scores. t is the law in the columns of the
// right-hand sides.
func (sr *searcher) candidateOf(l law.Law, t expr.Tree) *candidate {
	return &candidate{law: l, tree: t, bits: sr.complexity(t), alone: math.NaN(), joint: math.NaN()}
}

// add adds the laws in found to the pool of equation k. It skips duplicates, implausible laws
// and laws whose units do not balance.
func (sr *searcher) add(k int, found *discover.Result) {
	p, names := &sr.pools[k], sr.names
	for _, l := range append([]law.Law{found.Best}, found.Finalists...) {
		if l.Tree.Len() == 0 {
			continue
		}
		over, err := l.Over(names)
		if err != nil {
			continue
		}
		t := shortened(withNumbersFreed(over.Tree.WithStarts(over.Params())).AbsorbParams())
		if !plausible(t) || !sr.admits(k, t) {
			continue
		}
		hash := t.Hash()
		c := p.seen[hash]
		if c == nil {
			c = sr.candidateOf(l, t)
			p.seen[hash], p.list = c, append(p.list, c)
		}
		if l.Score == found.Best.Score {
			p.top = c
		}
	}
}

// shortened returns t without common factors of numerators and denominators. Both are in the form
// of expr.Tree.AbsorbParams. The rate C²/(a·C² + C) is 0/0 at C = 0, for example, while C/(a·C + 1)
// has a value.
func shortened(t expr.Tree) expr.Tree {
	if len(t.Denominators()) == 0 {
		return t
	}
	if s := rewrite.ClearDenominators(t); s.Len() < t.Len() {
		return s.AbsorbParams()
	}
	return t
}

// withNumbersFreed returns t with its numbers, including π, replaced by free constants that start
// at their values. Exponents and ±1 stay. Closed forms of the constants are found at the end of the
// search (see system.snap).
func withNumbersFreed(t expr.Tree) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	free := int32(t.NumParams())
	exponent := make([]bool, len(nodes))
	starts := make([]int, len(nodes)) // first node of the subtree that ends at each node
	for i, n := range nodes {
		at := i
		for range n.Op.Arity() {
			at = starts[at-1]
		}
		starts[i] = at
		if n.Op == expr.Pow {
			for k := starts[i-1]; k < i; k++ {
				exponent[k] = true
			}
		}
	}
	slots := map[float64]int32{} // equal non-integers share one constant
	for i, n := range nodes {
		if n.Op == expr.Pi {
			n.Value = math.Pi
		}
		if n.Op != expr.Number && n.Op != expr.Pi || exponent[i] || math.Abs(n.Value) == 1 {
			continue
		}
		slot, again := slots[n.Value]
		if !again {
			slot = free
			free++
			if n.Value != math.Trunc(n.Value) {
				slots[n.Value] = slot
			}
		}
		nodes[i] = expr.Node{Op: expr.Param, Index: slot, Value: n.Value}
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return out
}
