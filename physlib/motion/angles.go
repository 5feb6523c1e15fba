package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// For small angles a cosine is nearly 1 - x²/2, and a sine nearly x or x - x³/6. So sines and
// cosines of columns that may be angles are replaced by such powers, and powers by sines and
// cosines. The better law is chosen, and the other becomes a rival.
const (
	fullTurn = 2 * math.Pi // largest size of a column that may be an angle, in radians
	// Largest number of laws of an equation with replaced terms that are fitted to the
	// trajectories.
	mostWaves = 4
	waveSteps = 4 // number of steps of the fits by which laws with replaced terms are ranked

	mostExchanged = 100 // largest number of laws of an equation with replaced terms that are ranked
)

// angle is a column that may be an angle.
type angle struct {
	column int
	turned expr.Tree // the column in radians
	sure   bool      // whether the unit, the name or a law shows that the column is an angle
}

// angles returns the columns that may be angles: states without a dimension that stay within a full
// turn, and that are known to be angles or take both signs.
func (sr *searcher) angles() (out []angle) {
	inside := make([]bool, len(sr.names))
	for _, c := range sr.best {
		if c != nil {
			markAngles(c.tree, false, inside, make([]bool, len(sr.names)))
		}
	}
	for j := range sr.tr.States {
		a := angle{j, expr.X(j), inside[j]}
		limit := fullTurn
		if isInDegrees(sr.tr.States[j]) {
			a.turned, a.sure = expr.Apply(expr.Mul, expr.C(0, math.Pi/180), expr.X(j)), true
			limit *= 180 / math.Pi
		}
		c := sr.tr.States[j]
		if c.HasUnit && !c.Unit.Dim.IsZero() {
			continue
		}
		a.sure = a.sure || c.HasUnit && c.Unit.IsRadian()
		low, high := slices.Min(c.Values), slices.Max(c.Values)
		if max(-low, high) <= limit && (a.sure || low < 0 && high > 0) {
			out = append(out, a)
		}
	}
	return out
}

// otherWaves returns variants of the chosen law of equation k. In a variant, powers of angles
// replace sines and cosines, or sines and cosines replace powers. The best variant is first.
func (sr *searcher) otherWaves(ctx context.Context, k int) (out []expr.Tree) {
	form, angles := sr.integralForm(k, sr.wins), sr.angles()
	if form == nil || len(angles) == 0 {
		return nil
	}
	list := exchangedTwice(sr.best[k].tree, angles, sr.sampledColumns())
	bits := make(map[uint64]float64, len(list))
	fitted := slices.Repeat([]float64{math.Inf(1)}, len(list))
	parallel(ctx, len(list), func(i int) {
		t := list[i]
		if !sr.admits(k, t) {
			return
		}
		params, rss, precision := form.fit(t, waveSteps, nil)
		list[i], fitted[i] = t.WithStarts(params), sr.complexity(t)+precision+sr.dataBits(form, k, rss)
	})
	for i, t := range list {
		bits[t.Hash()] = fitted[i]
	}
	slices.SortStableFunc(list, func(a, b expr.Tree) int { return compareScores(bits[a.Hash()], bits[b.Hash()]) })
	for _, t := range list[:min(len(list), mostWaves)] {
		if bits[t.Hash()] < math.Inf(1) {
			out = append(out, t)
		}
	}
	return out
}

// exchangedTwice returns the laws that follow from t by one or two exchanges. An exchange replaces
// a sine or cosine of an angle by a power, or the reverse.
func exchangedTwice(t expr.Tree, angles []angle, cols [][]float64) (out []expr.Tree) {
	seen := map[uint64]bool{shape(t, cols): true}
	from := []expr.Tree{t}
	for range 2 {
		var next []expr.Tree
		for _, f := range from {
			for _, a := range angles {
				for _, e := range exchangedWaves(f, a, cols) {
					if hash := shape(e, cols); !seen[hash] && len(out) < mostExchanged {
						seen[hash] = true
						next, out = append(next, e), append(out, e)
					}
				}
			}
		}
		from = next
	}
	return out
}

// shape returns a hash of t. For a sum, the hash does not depend on the coefficients or the order
// of the terms.
func shape(t expr.Tree, cols [][]float64) (hash uint64) {
	s, isSum := asSum(t, cols)
	if !isSum {
		return t.Hash()
	}
	for _, a := range s.terms {
		hash += mixed(a.AbsorbParams().Hash())
	}
	return hash
}

// exchangedWaves returns the laws that follow from t by one exchange: a power of the angle a
// replaces a sine or cosine, or the reverse. In a sum, a lower power may be added or removed as
// well, such as the 1 in 1 - x²/2.
func exchangedWaves(t expr.Tree, a angle, cols [][]float64) (out []expr.Tree) {
	s, isSum := asSum(t, cols)
	if !isSum {
		e := editor{tree: t, seen: map[uint64]bool{}}
		for i := range t.Len() {
			for _, x := range a.exchanges(t.Subtree(i), t.NumParams()) {
				e.put(i, x.by)
			}
		}
		return e.out
	}
	for i, term := range s.terms {
		for n := range term.Len() {
			for _, x := range a.exchanges(term.Subtree(n), term.NumParams()) {
				changed, lower := withSubtree(term, n, x.by), withSubtree(term, n, x.lower)
				if len(changed.Vars()) == 0 {
					continue
				}
				if !isFactor(term, n) {
					lower = changed
				}
				one := sum{slices.Clone(s.terms), slices.Clone(s.coefs)}
				one.terms[i] = changed
				out = append(out, one.tree())
				switch at := slices.IndexFunc(one.terms, sameForm(lower)); {
				case at < 0:
					out = append(out, one.with(addition{term: lower, coef: s.coefs[i]}).tree())
				case at != i:
					out = append(out, one.without(at).tree())
				}
			}
		}
	}
	return out
}

// exchange is a possible replacement of a term. The tree by replaces the term; it is a power, a
// sine or a cosine of an angle. lower is the other term of the truncated Taylor series, for example
// 1 in cos x ≈ 1 − x²/2. The replacement may add or remove lower as well.
type exchange struct{ by, lower expr.Tree }

// exchanges returns the possible replacements of t, if t is a power, a sine or a cosine of angle a.
// The slots of new constants start at free.
func (a angle) exchanges(t expr.Tree, free int) []exchange {
	if !slices.Equal(t.Vars(), []int{a.column}) {
		return nil
	}
	ap, x, one := expr.Apply, expr.X(a.column), expr.Num(1)
	turned := a.turned.ShiftParams(free)
	sin, cos := exchange{ap(expr.Sin, turned), x}, exchange{ap(expr.Cos, turned), one}
	switch power, ok := powerOf(t); {
	case ok && power == 1:
		return []exchange{{sin.by, ap(expr.Cube, x)}}
	case ok && power == 2:
		return []exchange{cos}
	case ok && power == 3:
		return []exchange{sin}
	case ok && power == 4:
		return []exchange{{cos.by, ap(expr.Square, x)}}
	case t.Root() == expr.Cos:
		return []exchange{{ap(expr.Square, x), one}}
	case t.Root() == expr.Sin:
		return []exchange{{x, ap(expr.Cube, x)}, {ap(expr.Cube, x), x}}
	}
	return nil
}

// powerOf returns the exponent n if t is a column to the power n.
func powerOf(t expr.Tree) (n float64, ok bool) {
	nodes := t.Nodes()
	if nodes[0].Op != expr.Var {
		return 0, false
	}
	switch last := nodes[len(nodes)-1]; {
	case len(nodes) == 1:
		return 1, true
	case len(nodes) == 2 && last.Op == expr.Square:
		return 2, true
	case len(nodes) == 2 && last.Op == expr.Cube:
		return 3, true
	case len(nodes) == 3 && last.Op == expr.Pow && nodes[1].Op == expr.Number:
		return nodes[1].Value, true
	}
	return 0, false
}

// isFactor reports whether the subtree of t that ends at node n is a factor of t.
func isFactor(t expr.Tree, n int) bool {
	for n < t.Len()-1 {
		args := t.Args()
		switch op := t.Root(); {
		case op != expr.Mul && op != expr.Div && op != expr.Neg:
			return false
		case n < args[0].Len():
			t = args[0]
		case op == expr.Mul:
			t, n = args[1], n-args[0].Len()
		default:
			return false
		}
	}
	return true
}

// withSubtree returns t with the tree by in place of the subtree that ends at node n. It removes
// constant factors.
func withSubtree(t expr.Tree, n int, by expr.Tree) expr.Tree {
	nodes := t.Nodes()
	out, ok := expr.FromNodes(slices.Concat(nodes[:expr.SubtreeStart(nodes, n)], by.Nodes(), nodes[n+1:]))
	if !ok {
		return t
	}
	return bare(out)
}
