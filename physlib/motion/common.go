package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Under noise, two laws may share a wrong term that is a limit of the right one. For example, y/x
// is a limit of x·y/(1 + c·x²). To edit a term is to replace it by a term of nearly the same form
// (see replacements). If the term is edited in one law alone, the two laws no longer share it, and
// the description gets longer. So shared terms are edited in both laws at once.
const (
	mostCommon   = 2 // largest number of terms edited in a pair of laws: the longest they share
	mostTogether = 6 // largest number of pairs of edited laws that are scored jointly
	mostNear     = 3 // largest number of laws of an equation whose terms are edited
	// The terms of a rival are edited if it is at most this many bits above the chosen law.
	nearBits = 8
)

// commonTerm is a term that the laws of equations k and j share.
type commonTerm struct {
	k, j      int
	term      expr.Tree // the term in the law of equation k, without its coefficient
	exchanged bool      // whether states k and j are exchanged in the law of equation j
	inK, inJ  split     // the laws of equations k and j without the term
}

// split is a law without one of its addends. coef is the coefficient of that addend.
type split struct {
	addends []expr.Tree
	coef    float64
}

// splits returns the terms of t that are not constant and, for each of them, t without it.
func splits(t expr.Tree, cols [][]float64) (list []recurring, rest []split) {
	addends := terms(t)
	for i, a := range addends {
		bound := a.Bind(t.Params())
		b := bare(bound)
		if len(b.Vars()) == 0 {
			continue
		}
		r, whole := newRecurring(b, cols), valuesOn(bound, cols, nil)
		r.coef = projection(whole, r.value)
		if r.coef-r.coef != 0 {
			continue
		}
		others := slices.Delete(slices.Clone(addends), i, i+1)
		list, rest = append(list, r), append(rest, split{others, r.coef})
	}
	return list, rest
}

// commonTerms returns the terms shared by the chosen laws of equations k and j, longest first.
func (sr *searcher) commonTerms(k, j int) (out []commonTerm) {
	cols := sr.sampledColumns()
	mine, inK := splits(sr.best[k].tree, cols)
	others, inJ := splits(sr.best[j].tree, cols)
	for i, a := range mine {
		for m, b := range others {
			c := commonTerm{k, j, freedInside(a.bare), false, inK[i], inJ[m]}
			// If the term is just a state, its occurrence in both laws does not indicate a common
			// term.
			if !a.recurs(b) || a.bare.Len() < 3 {
				c.exchanged = true
				if !sr.exchanged(a, k, j, cols).recurs(b) {
					continue
				}
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b commonTerm) int { return cmp.Compare(b.term.Len(), a.term.Len()) })
	return out[:min(len(out), mostCommon)]
}

// recurs reports whether a and b are equal apart from their coefficients.
func (a recurring) recurs(b recurring) bool {
	return a.form == b.form && proportional(a.value, b.value)
}

// with returns the law with term in place of the missing addend. If free is true, the coefficient
// of term is a free constant that starts at coef; otherwise it is the sign of coef.
func (s split) with(term expr.Tree, coef float64, free bool) expr.Tree {
	first := 0
	if len(s.addends) > 0 {
		first = total(s.addends).NumParams()
	}
	t := term.ShiftParams(first)
	switch {
	case free:
		t = expr.Apply(expr.Mul, expr.C(first+term.NumParams(), coef), t)
	case coef < 0:
		t = expr.Apply(expr.Neg, t)
	}
	if len(s.addends) == 0 {
		return t
	}
	return expr.Apply(expr.Add, total(s.addends), t)
}

// replacement is a term that may replace a common one.
type replacement struct {
	term expr.Tree
	coef float64
	free bool // the coefficient is a free constant; otherwise it is the sign of coef
}

// replacements returns terms that may replace the common term c: terms one edit away from c, terms
// that have c as a limit, and products of c with powers of a distance or speed.
func (sr *searcher) replacements(c commonTerm) (out []replacement) {
	term, coef, cols := c.term, c.inK.coef, sr.sampledColumns()
	value := valuesOn(term, cols, term.Params())
	for i := range value {
		value[i] *= coef
	}
	for _, t := range append(neighbours(term, len(sr.names)), sr.central(c)...) {
		if !plausible(t) {
			continue
		}
		v := valuesOn(t, cols, t.Params())
		if c := projection(value, v); c-c == 0 {
			out = append(out, replacement{t, c, true})
		}
	}
	for _, r := range sr.saturating(term) {
		if r, ok := r.startedAt(value, cols, coef); ok {
			out = append(out, r)
		}
	}
	return out
}

// central returns the term of c multiplied or divided by powers of a distance or speed. The
// components of drag and of central forces have such factors. The result is empty if the law of
// equation j contains the term without an exchange of states k and j.
func (sr *searcher) central(c commonTerm) (out []expr.Tree) {
	if !c.exchanged {
		return nil
	}
	ap := expr.Apply
	three := ap(expr.Div, expr.Num(3), expr.Num(2))
	for first := 0; first < sr.d.numStates(); first += sr.d.numMeasured() {
		for _, squares := range sr.squaredNorms(first, c.k, c.j) {
			norm := ap(expr.Sqrt, squares)
			for _, below := range []expr.Tree{norm, squares, ap(expr.Pow, squares, three)} {
				out = append(out, ap(expr.Div, c.term, below).Simplify())
			}
			out = append(out, ap(expr.Mul, c.term, norm).Simplify(), ap(expr.Mul, c.term, squares).Simplify())
		}
	}
	return out
}

// squaredNorms returns the squared distance or speed in two directions and, if there are more, in
// all directions. first is the column of the first coordinate or velocity.
func (sr *searcher) squaredNorms(first, k, j int) (out []expr.Tree) {
	out = append(out, squares([]int{first + j, first + k}))
	if m := sr.numLaws(); m > 2 {
		var all []int
		for i := range m {
			all = append(all, first+i)
		}
		out = append(out, squares(all))
	}
	return out
}

// saturating returns term times factors that become constant for small or large values of a column
// that is never negative. The last constant of each product has no starting value yet.
func (sr *searcher) saturating(term expr.Tree) (out []replacement) {
	ap, c := expr.Apply, expr.C(term.NumParams(), 1)
	for j, v := range sr.sampledColumns() {
		if slices.Min(v) < -nearlyZero*math.Sqrt(dot(v, v)/float64(len(v))) || slices.Max(v) <= 0 {
			continue
		}
		x := expr.X(j)
		for _, power := range []expr.Tree{x, ap(expr.Square, x)} {
			one, more := ap(expr.Add, expr.Num(1), ap(expr.Mul, c, power)), ap(expr.Add, c, power)
			for _, above := range []expr.Tree{term, ap(expr.Mul, term, power).Simplify()} {
				t := ap(expr.Div, above, more)
				out = append(out, replacement{t, 0, true}, replacement{ap(expr.Div, above, one), 0, false})
			}
		}
	}
	return out
}

// startedAt sets the last constant and the coefficient of r so that r is closest to value on cols.
// A coefficient that is not free is 1 with the given sign.
func (r replacement) startedAt(value []float64, cols [][]float64, sign float64) (best replacement, ok bool) {
	least := math.Inf(1)
	params := r.term.Params()
	for e := -4.0; e <= 4; e += 0.1 {
		params[len(params)-1] = math.Pow(10, e)
		v, c := valuesOn(r.term, cols, params), math.Copysign(1, sign)
		if r.free {
			c = projection(value, v)
		}
		if off := deviation(v, value, c); off < least {
			least, best = off, replacement{r.term.WithStarts(params), c, r.free}
		}
	}
	return best, !math.IsInf(least, 1)
}

// valuesOn returns the values of t in the rows of cols, with the given constants.
func valuesOn(t expr.Tree, cols [][]float64, params []float64) []float64 {
	return t.Values(len(cols[0]), cols, params)
}

// projection returns the coefficient for which coefficient times v is closest to value.
func projection(value, v []float64) float64 { return dot(v, value) / dot(v, v) }

// deviation returns the sum of the squared deviations of coef times v from value.
func deviation(v, value []float64, coef float64) (off float64) {
	for i := range v {
		off += (coef*v[i] - value[i]) * (coef*v[i] - value[i])
	}
	return off
}

// lawPair is a pair of laws for two equations, fitted to their integral forms.
type lawPair struct {
	a, b expr.Tree
	bits float64
}

// edited returns the pairs of laws in which the common term c is replaced, sorted by the
// description length of the pair.
func (sr *searcher) edited(ctx context.Context, c commonTerm, fk, fj *integralForm) []lawPair {
	list := sr.replacements(c)
	out := make([]lawPair, len(list))
	parallel(ctx, len(list), func(i int) {
		out[i].bits = math.Inf(1)
		r := list[i]
		other := r.term
		if c.exchanged {
			other = sr.exchange(other, c.k, c.j)
		}
		coef := r.coef * c.inJ.coef / c.inK.coef
		out[i] = sr.fitLawPair(c, c.inK.with(r.term, r.coef, r.free), c.inJ.with(other, coef, r.free), fk, fj)
	})
	out = slices.DeleteFunc(out, func(t lawPair) bool { return !(t.bits < math.Inf(1)) })
	slices.SortStableFunc(out, func(a, b lawPair) int { return cmp.Compare(a.bits, b.bits) })
	return out
}

// fitLawPair fits a pair of laws of the two equations of c to their integral forms.
func (sr *searcher) fitLawPair(c commonTerm, a, b expr.Tree, fk, fj *integralForm) lawPair {
	t := lawPair{bits: math.Inf(1)}
	bits := 0.0
	trees, constants := make([]expr.Tree, len(sr.best)), []float64{}
	for _, e := range []struct {
		k    int
		tree expr.Tree
		form *integralForm
	}{{c.k, a, fk}, {c.j, b, fj}} {
		tree := factored(e.tree.AbsorbParams(), len(sr.names), sr.complexity).AbsorbParams()
		if !sr.admits(e.k, tree) {
			return t
		}
		params, rss, precision := e.form.fit(tree, editSteps, nil)
		if math.IsInf(rss, 0) || math.IsNaN(rss) {
			return t
		}
		trees[e.k] = tree.WithStarts(params)
		bits += sr.complexity(tree) + precision + sr.dataBits(e.form, e.k, rss)
	}
	for _, tree := range trees {
		constants = append(constants, tree.Params()...)
	}
	bits += sr.oddities(trees, constants) - sr.mutual(trees, constants, nil, sr.sampledColumns())
	return lawPair{a: trees[c.k], b: trees[c.j], bits: bits}
}

// editCommon replaces the laws of two equations by laws with another common term, if this improves
// the chosen system.
func (sr *searcher) editCommon(ctx context.Context) {
	for k := range sr.numLaws() {
		for j := range k {
			if sr.best[k] == nil || sr.best[j] == nil || sr.shot == nil || ctx.Err() != nil {
				continue
			}
			chosen := slices.Clone(sr.best)
			var pairs []pair
			for _, a := range sr.near(k) {
				for _, b := range sr.near(j) {
					sr.best[k], sr.best[j] = a, b
					pairs = append(pairs, sr.editedPairs(ctx, k, j)...)
				}
			}
			sr.best = chosen
			sr.exchangePairs(ctx, pairs)
		}
	}
}

// near returns the laws of equation k whose terms are edited: the chosen law and its best rivals.
func (sr *searcher) near(k int) []*candidate {
	out := []*candidate{sr.best[k]}
	for _, r := range sr.different(k, sr.scored(k)) {
		if r.moreBits < nearBits && len(out) < mostNear {
			out = append(out, r.c)
		}
	}
	return out
}

// editedPairs returns the most likely pairs of laws for equations k and j in which a term that both
// laws share is replaced in both. It tries each common term of the chosen laws (see commonTerms).
func (sr *searcher) editedPairs(ctx context.Context, k, j int) (out []pair) {
	common := sr.commonTerms(k, j)
	if len(common) == 0 {
		return nil
	}
	fk, fj := sr.integralForm(k, sr.wins), sr.integralForm(j, sr.wins)
	if fk == nil || fj == nil {
		return nil
	}
	for _, c := range common {
		now := sr.fitLawPair(c, sr.best[k].tree, sr.best[j].tree, fk, fj)
		n := 0
		for _, t := range sr.edited(ctx, c, fk, fj) {
			if n == mostTogether || t.bits > now.bits+pairMargin {
				break
			}
			a, _ := sr.offer(k, t.a)
			b, _ := sr.offer(j, t.b)
			if p := (pair{k, j, a, b}); a != nil && b != nil && !slices.Contains(out, p) {
				out = append(out, p)
				n++
			}
		}
	}
	return out
}
