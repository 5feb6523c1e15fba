package rewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// ClearDenominators clears the denominators of sums in products if this makes t shorter. So x₂²·(1
// - x₁/x₂)² becomes (x₂ - x₁)², and c·(a·b/c + 1) becomes a·b + c. The search finds laws as sums of
// dimensionless terms, while people use the shorter form. Common factors of a numerator and a
// denominator are cancelled: x²/(a·x² + x) becomes x/(a·x + 1). The result may be defined at more
// points than t. Constants keep their slots.
func ClearDenominators(t expr.Tree) expr.Tree {
	args := t.Args()
	if len(args) == 0 {
		return t
	}
	if !inProduct(t.Root()) {
		for i, a := range args {
			args[i] = ClearDenominators(a)
		}
		return expr.Apply(t.Root(), args...)
	}
	p := powers{}
	p.collect(t, 1)
	for i := range p.list {
		p.list[i].base = ClearDenominators(p.list[i].base)
	}
	best := p.tree()
	for i, f := range p.list {
		if r := f.base.Root(); r != expr.Add && r != expr.Sub {
			continue
		}
		for _, factors := range [][]factor{p.denominators(i), p.common(i)} {
			if len(factors) == 0 {
				continue
			}
			if q := p.dividedBy(i, p.terms(i), factors); q.tree().Len() < best.Len() {
				return ClearDenominators(q.tree())
			}
		}
	}
	if best.Len() <= t.Len() {
		return best
	}
	return t
}

// inProduct reports whether powers.collect splits op into factors.
func inProduct(op expr.Op) bool {
	switch op {
	case expr.Mul, expr.Div, expr.Inv, expr.Square, expr.Cube, expr.Sqrt:
		return true
	}
	return false
}

// powers is a product of powers.
type powers struct {
	list     []factor
	positive bool // all factors count as positive, so that roots of products are distributed
}

// factor is base**pow.
type factor struct {
	base expr.Tree
	pow  float64
	key  uint64 // hash of base
}

// add multiplies the product by base**pow. Powers of equal bases are merged unless the bases have
// free constants.
func (p *powers) add(base expr.Tree, pow float64) {
	k := base.Hash()
	for i := range p.list {
		if p.list[i].key == k && p.list[i].base.Len() == base.Len() && base.NumParams() == 0 {
			p.list[i].pow += pow
			return
		}
	}
	p.list = append(p.list, factor{base, pow, k})
}

// collect multiplies p by t**pow, factor by factor.
func (p *powers) collect(t expr.Tree, pow float64) {
	a := t.Args()
	splits := p.positive || pow == math.Trunc(pow)
	switch op := t.Root(); {
	case op == expr.Mul && splits:
		p.collect(a[0], pow)
		p.collect(a[1], pow)
	case op == expr.Div && splits:
		p.collect(a[0], pow)
		p.collect(a[1], -pow)
	case op == expr.Inv && splits:
		p.collect(a[0], -pow)
	case op == expr.Square && splits:
		p.collect(a[0], 2*pow)
	case op == expr.Cube && splits:
		p.collect(a[0], 3*pow)
	case op == expr.Sqrt && p.positive:
		p.collect(a[0], pow/2)
	case op == expr.Sqrt:
		p.add(a[0], pow/2)
	case op == expr.Pow && a[1].Root() == expr.Number && p.positive:
		p.collect(a[0], pow*a[1].Nodes()[0].Value)
	case op == expr.Pow && a[1].Root() == expr.Number:
		p.add(a[0], pow*a[1].Nodes()[0].Value)
	default:
		p.add(t, pow)
	}
}

// tree returns the product as a tree.
func (p *powers) tree() expr.Tree {
	above, below := expr.Tree{}, expr.Tree{}
	put := func(to *expr.Tree, t expr.Tree) {
		if to.Len() == 0 {
			*to = t
			return
		}
		*to = expr.Apply(expr.Mul, *to, t)
	}
	for _, f := range p.list {
		switch {
		case f.pow > 0:
			put(&above, Raise(f.base, f.pow))
		case f.pow < 0:
			put(&below, Raise(f.base, -f.pow))
		}
	}
	if above.Len() == 0 {
		above = expr.Num(1)
	}
	if below.Len() > 0 {
		return expr.Apply(expr.Div, above, below)
	}
	return above
}

// Raise returns t**pow, written as a square, cube or square root if pow is 2, 3 or 1/2.
func Raise(t expr.Tree, pow float64) expr.Tree {
	switch pow {
	case 1:
		return t
	case 2:
		return expr.Apply(expr.Square, t)
	case 3:
		return expr.Apply(expr.Cube, t)
	case 0.5:
		return expr.Apply(expr.Sqrt, t)
	}
	return expr.Apply(expr.Pow, t, expr.Num(pow))
}

// denominators returns the common denominator of the terms of factor i, a sum, as factors with
// negative powers.
func (p *powers) denominators(i int) []factor {
	least := powers{}
	for _, term := range p.terms(i) {
		for _, f := range term.list {
			if f.pow < 0 && f.base.NumParams() == 0 && f.base.Root() != expr.Number {
				least.lower(f)
			}
		}
	}
	slices.SortFunc(least.list, func(a, b factor) int { return cmp.Compare(a.key, b.key) })
	return least.list
}

// common returns the common factors of the terms of factor i, a sum, with positive powers.
func (p *powers) common(i int) (shared []factor) {
	terms := p.terms(i)
	for _, f := range terms[0].list {
		if f.base.NumParams() > 0 || f.base.Root() == expr.Number {
			continue
		}
		for _, term := range terms[1:] {
			k := slices.IndexFunc(term.list, func(g factor) bool { return g.key == f.key })
			if k < 0 {
				f.pow = 0
				break
			}
			f.pow = min(f.pow, term.list[k].pow)
		}
		if f.pow > 0 {
			shared = append(shared, f)
		}
	}
	return shared
}

// terms returns the terms of factor i, a sum, as products. The signs of the terms are not included.
func (p *powers) terms(i int) []powers {
	terms := addends(p.list[i].base, 1)
	products := make([]powers, len(terms))
	for k, t := range terms {
		products[k].positive = p.positive
		if t.tree.Root() != expr.Number || t.tree.Nodes()[0].Value != 1 {
			products[k].collect(t.tree, 1)
		}
	}
	return products
}

// lower makes the power of a base in p at most that of f.
func (p *powers) lower(f factor) {
	for i, o := range p.list {
		if o.key == f.key {
			p.list[i].pow = min(o.pow, f.pow)
			return
		}
	}
	p.list = append(p.list, f)
}

// dividedBy divides factor i, a sum of the given terms, term by term by the given factors, and
// multiplies the rest of the product by them. It changes the terms.
func (p *powers) dividedBy(i int, terms []powers, factors []factor) powers {
	s := p.list[i]
	out := powers{list: slices.Delete(slices.Clone(p.list), i, i+1)}
	signs := addends(s.base, 1)
	for _, f := range factors {
		out.add(f.base, f.pow*s.pow)
		for n := range terms {
			terms[n].add(f.base, -f.pow)
		}
	}
	sum := expr.Tree{}
	for n := range terms {
		sum = plusSigned(sum, terms[n].tree(), signs[n].sign)
	}
	out.add(sum, s.pow)
	return out
}

// plusSigned returns sum + t, or sum - t if sign is negative. An empty sum counts as 0.
func plusSigned(sum, t expr.Tree, sign int) expr.Tree {
	switch {
	case sign > 0:
		return Plus(sum, t)
	case sum.Len() == 0:
		return expr.Apply(expr.Neg, t)
	}
	return expr.Apply(expr.Sub, sum, t)
}

// addend is a term of a sum with its sign.
type addend struct {
	tree expr.Tree
	sign int
}

// Addends returns the terms of the sum t. Terms that are subtracted are negated.
func Addends(t expr.Tree) (out []expr.Tree) {
	for _, a := range addends(t, 1) {
		if a.sign < 0 {
			a.tree = expr.Apply(expr.Neg, a.tree)
		}
		out = append(out, a.tree)
	}
	return out
}

// addends returns the terms of the sum t with their signs, multiplied by sign.
func addends(t expr.Tree, sign int) []addend {
	a := t.Args()
	switch t.Root() {
	case expr.Add:
		return append(addends(a[0], sign), addends(a[1], sign)...)
	case expr.Sub:
		return append(addends(a[0], sign), addends(a[1], -sign)...)
	case expr.Neg:
		return addends(a[0], -sign)
	}
	return []addend{{t, sign}}
}

// Upright turns -c/(a - b) into c/(b - a), where -c is a free constant with a negative start.
func Upright(t expr.Tree) expr.Tree {
	if len(t.Args()) == 0 || !inProduct(t.Root()) {
		return t
	}
	p := powers{}
	p.collect(t, 1)
	for i, c := range p.list {
		if c.base.Root() != expr.Param || c.pow != 1 || c.base.Params()[len(c.base.Params())-1] >= 0 {
			continue
		}
		for k, s := range p.list {
			if s.base.Root() == expr.Sub && math.Abs(s.pow) == 1 {
				a := s.base.Args()
				p.list[k].base = expr.Apply(expr.Sub, a[1], a[0])
				n := c.base.Nodes()[0]
				p.list[i].base = expr.C(int(n.Index), -n.Value)
				return p.tree()
			}
		}
	}
	return t
}
