package rewrite

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Relation states that column Y equals A + B·(column X), where B is not 0.
type Relation struct {
	X, Y int
	A, B float64
}

// Apply returns forms of t in which column X is replaced by column Y in some terms. For this, t is
// expanded into a sum. For example, with T = 273 + 500·ε, 3000·ε·exp(-ε) − 90·exp(-ε) becomes 6·(T
// − 288)·exp(-ε). All numbers in the forms become free constants. With the starting values of these
// constants, the forms equal t.
func (r Relation) Apply(t expr.Tree) (forms []expr.Tree) {
	seen := map[uint64]bool{t.Hash(): true}
	put := func(f expr.Tree) {
		if f.Len() == 0 {
			return
		}
		f = f.UnshareParams().MergeParams()
		if h := f.Hash(); !seen[h] {
			seen[h] = true
			forms = append(forms, f)
		}
	}
	families, ok := r.families(t)
	if !ok {
		return nil
	}
	for _, inner := range [][]family{families, r.inside(families)} {
		if inner == nil {
			continue
		}
		put(r.sum(inner, func(f family) expr.Tree { return f.tree(expr.X(r.X)) }))
		put(r.sum(inner, r.linear))
		put(r.sum(inner, r.polynomial))
		for _, f := range inner {
			if zero, ok := f.zero(); ok {
				for lowest := range maxDegree + 1 {
					put(r.common(inner, zero, lowest, maxDegree))
					put(r.common(inner, zero, lowest, 1))
				}
			}
		}
	}
	return forms
}

// Limits of the rewriting.
const (
	maxTerms  = 24 // most terms of a sum
	maxDegree = 3  // largest degree of a polynomial
)

// families groups the terms of t by their rest and by their power of X modulo 1. ok is false if
// there are too many terms.
func (r Relation) families(t expr.Tree) (out []family, ok bool) {
	terms := r.terms(t)
	if len(terms) == 0 || len(terms) > maxTerms {
		return nil, false
	}
	slices.SortStableFunc(terms, func(a, b term) int {
		switch {
		case a.power < b.power:
			return -1
		case a.power > b.power:
			return 1
		}
		return 0
	})
	var names []string
	for _, m := range terms {
		name := bound(m.rest)
		home := -1
		for i, f := range out {
			step := m.power - f.power
			if names[i] == name && math.Abs(step-math.Round(step)) < samePower && step < maxDegree+0.5 {
				home = i
				break
			}
		}
		if home < 0 {
			out, names = append(out, family{[]float64{m.coef}, m.power, m.rest}), append(names, name)
			continue
		}
		f := &out[home]
		for step := int(math.Round(m.power - f.power)); len(f.coef) <= step; {
			f.coef = append(f.coef, 0)
		}
		f.coef[int(math.Round(m.power-f.power))] += m.coef
	}
	return out, true
}

// samePower is the difference up to which two fitted exponents count as equal.
const samePower = 2e-3

// bound returns the text of t with the values of its constants, to five digits.
func bound(t expr.Tree) string {
	if t.Len() == 0 {
		return ""
	}
	return t.Bind(t.Params()).Format(nil, 5)
}

// terms expands t into a sum of terms. It returns nil if there would be too many.
func (r Relation) terms(t expr.Tree) []term {
	args := t.Args()
	switch n := t.Nodes()[t.Len()-1]; n.Op {
	case expr.Number, expr.Param:
		return []term{{coef: n.Value}}
	case expr.Var:
		if int(n.Index) == r.X {
			return []term{{coef: 1, power: 1}}
		}
	case expr.Neg:
		return scaled(r.terms(args[0]), -1)
	case expr.Add:
		return append(r.terms(args[0]), r.terms(args[1])...)
	case expr.Sub:
		return append(r.terms(args[0]), scaled(r.terms(args[1]), -1)...)
	case expr.Mul:
		return product(r.terms(args[0]), r.terms(args[1]))
	case expr.Div:
		if below := r.terms(args[1]); len(below) == 1 && below[0].rest.Len() == 0 {
			return product(r.terms(args[0]), []term{{coef: 1 / below[0].coef, power: -below[0].power}})
		}
		return product(r.terms(args[0]), []term{{coef: 1, rest: expr.Apply(expr.Inv, args[1])}})
	case expr.Square, expr.Cube, expr.Sqrt, expr.Inv, expr.Pow:
		if p, ok := r.raised(t, args); ok {
			return p
		}
	case expr.Exp:
		if e, ok := r.logarithmic(args[0]); ok {
			return []term{{coef: 1, power: e}}
		}
	}
	return []term{{coef: 1, rest: t}}
}

// raised returns the terms of t, which is a power of X or a square or cube of a sum. ok is false
// for other powers.
func (r Relation) raised(t expr.Tree, args []expr.Tree) (out []term, ok bool) {
	e := map[expr.Op]float64{expr.Square: 2, expr.Cube: 3, expr.Sqrt: 0.5, expr.Inv: -1}[t.Root()]
	if t.Root() == expr.Pow {
		last := args[1].Nodes()
		if len(last) != 1 || last[0].Op != expr.Number && last[0].Op != expr.Param {
			return nil, false
		}
		e = last[0].Value
	}
	base := r.terms(args[0])
	if len(base) == 1 && base[0].rest.Len() == 0 && base[0].power == 1 && base[0].coef > 0 {
		return []term{{coef: math.Pow(base[0].coef, e), power: e}}, true
	}
	if e != 2 && e != 3 {
		return nil, false
	}
	out = base
	for range int(e) - 1 {
		out = product(out, base)
	}
	return out, true
}

// logarithmic returns e if t is e·log(X). ok is false for any other t.
func (r Relation) logarithmic(t expr.Tree) (e float64, ok bool) {
	log := expr.Apply(expr.Log, expr.X(r.X)).Hash()
	terms := r.terms(t)
	if len(terms) != 1 || terms[0].power != 0 || terms[0].rest.Len() == 0 || terms[0].rest.Hash() != log {
		return 0, false
	}
	return terms[0].coef, true
}

// sum returns the sum of of(f) over all families.
func (r Relation) sum(all []family, of func(family) expr.Tree) (sum expr.Tree) {
	for _, f := range all {
		sum = Plus(sum, of(f))
	}
	return sum
}

// linear returns a family of two terms as c·(Y − y0)·X^power·rest, where y0 is the value of Y at
// which the family is zero. It returns any other family unchanged.
func (r Relation) linear(f family) expr.Tree {
	x, ok := f.zero()
	if !ok {
		return f.tree(expr.X(r.X))
	}
	return times(times(expr.C(0, f.coef[1]/r.B), r.from(x)), f.timesPower(expr.X(r.X)))
}

// from returns Y − y0, where y0 is the value of Y at X = x.
func (r Relation) from(x float64) expr.Tree {
	return expr.Apply(expr.Sub, expr.X(r.Y), expr.C(0, r.A+r.B*x))
}

// polynomial returns the family as X^power·rest times a polynomial in Y.
func (r Relation) polynomial(f family) expr.Tree {
	if len(f.coef) < 2 {
		return f.tree(expr.X(r.X))
	}
	p := family{coef: make([]float64, len(f.coef))}
	for k, c := range f.coef { // c·((Y − A)/B)^k
		binomial := 1.0
		for j := 0; j <= k; j++ {
			p.coef[j] += c * binomial * math.Pow(-r.A, float64(k-j)) / math.Pow(r.B, float64(k))
			binomial *= float64(k-j) / float64(j+1)
		}
	}
	return times(p.tree(expr.X(r.Y)), f.timesPower(expr.X(r.X)))
}

// common writes X − zero in terms of Y and takes this factor out of the lowest terms of each
// family, up to the given degree. One term with X^(power+lowest) remains in each such family.
// Families of one term do not change.
func (r Relation) common(all []family, zero float64, lowest, degree int) expr.Tree {
	var within, others expr.Tree
	for _, f := range all {
		n := min(degree+1, len(f.coef))
		if len(f.coef) < 2 || lowest >= n && !f.vanishes(zero, n) {
			others = Plus(others, f.tree(expr.X(r.X)))
			continue
		}
		quotient, remainder := f.divided(zero, min(lowest, n-1), n)
		within = Plus(within, scaledBy(quotient, 1/r.B).tree(expr.X(r.X)))
		others = Plus(others, remainder.tree(expr.X(r.X)))
	}
	if within.Len() == 0 {
		return within
	}
	return Plus(times(r.from(zero), within), others)
}

// inside rewrites the field rest of each family: a sum of column X and a constant is expressed by
// column Y. It returns nil if there are no such sums.
func (r Relation) inside(all []family) (out []family) {
	found := false
	for _, f := range all {
		if f.rest.Len() > 0 {
			rest, ok := r.within(f.rest)
			if ok {
				f.rest, found = rest, true
			}
		}
		out = append(out, f)
	}
	if !found {
		return nil
	}
	return out
}

// within replaces each sum of a multiple of X and a constant in t by a sum of a multiple of Y and a
// constant. found reports whether there were any such sums.
func (r Relation) within(t expr.Tree) (_ expr.Tree, found bool) {
	args := t.Args()
	if len(args) == 0 {
		return t, false
	}
	if slope, offset, ok := r.affine(t); ok && offset != 0 {
		return times(expr.C(0, slope/r.B), r.from(-offset/slope)), true
	}
	for i, a := range args {
		w, ok := r.within(a)
		args[i], found = w, found || ok
	}
	return expr.Apply(t.Root(), args...), found
}

// affine returns slope and offset if t is slope·X + offset. ok is false for any other t.
func (r Relation) affine(t expr.Tree) (slope, offset float64, ok bool) {
	if op := t.Root(); op != expr.Add && op != expr.Sub {
		return 0, 0, false
	}
	terms := r.terms(t)
	if len(terms) != 2 {
		return 0, 0, false
	}
	for _, m := range terms {
		switch {
		case m.rest.Len() > 0:
			return 0, 0, false
		case m.power == 0:
			offset += m.coef
		case m.power == 1:
			slope += m.coef
		default:
			return 0, 0, false
		}
	}
	return slope, offset, slope != 0
}

// Plus returns a + b. An empty tree counts as 0.
func Plus(a, b expr.Tree) expr.Tree {
	switch {
	case a.Len() == 0:
		return b
	case b.Len() == 0:
		return a
	}
	return expr.Apply(expr.Add, a, b)
}
