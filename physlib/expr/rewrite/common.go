package rewrite

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// CommonFactors returns t with another common factor taken out of one of its sums. In each form,
// the denominators of the terms are cleared, one term becomes a constant, or the sum is multiplied
// out. So b·sqrt(a/(a/b − b/a)) becomes b·a/sqrt(a² − b²) and b/sqrt(1 − b²/a²).
//
// Powers of products are distributed. A form may therefore have other values than t where a factor
// is negative. Free constants keep their slots, but may occur several times.
func CommonFactors(t expr.Tree) (forms []expr.Tree) {
	args := t.Args()
	if !inProduct(t.Root()) && !isSum(t) {
		return formsOfArgs(t, args)
	}
	p := powers{positive: true}
	p.collect(t, 1)
	for i, f := range p.list {
		var others []expr.Tree
		if isSum(f.base) {
			forms = append(forms, p.withCommonFactors(i)...)
		}
		if f.base.Len() < t.Len() {
			others = CommonFactors(f.base)
		} else {
			others = formsOfArgs(t, t.Args())
		}
		for _, base := range others {
			q := powers{list: slices.Clone(p.list)}
			q.list[i].base = base
			forms = append(forms, q.tree())
		}
	}
	return forms
}

// isSum reports whether t is a sum or difference.
func isSum(t expr.Tree) bool { return t.Root() == expr.Add || t.Root() == expr.Sub }

// formsOfArgs returns t with one of its operands in another form.
func formsOfArgs(t expr.Tree, args []expr.Tree) (forms []expr.Tree) {
	for i, a := range args {
		for _, form := range CommonFactors(a) {
			changed := slices.Clone(args)
			changed[i] = form
			forms = append(forms, expr.Apply(t.Root(), changed...))
		}
	}
	return forms
}

// withCommonFactors returns forms of the product in which the sum, factor i, has another common
// factor.
func (p *powers) withCommonFactors(i int) (forms []expr.Tree) {
	if below := p.denominators(i); len(below) > 0 {
		q := p.dividedBy(i, p.terms(i), below)
		forms = append(forms, q.tree())
	}
	for _, term := range addends(p.list[i].base, 1) {
		factors := powers{positive: true}
		factors.collect(term.tree, 1)
		factors.list = slices.DeleteFunc(factors.list, func(f factor) bool { return f.base.NumParams() > 0 || f.base.Root() == expr.Number })
		if len(factors.list) > 0 {
			q := p.dividedBy(i, p.terms(i), factors.list)
			forms = append(forms, q.tree())
		}
	}
	if p.list[i].pow == 1 && len(p.list) > 1 {
		forms = append(forms, p.multipliedOut(i))
	}
	return forms
}

// multipliedOut returns the product with each term of the sum, factor i, multiplied by the other
// factors.
func (p *powers) multipliedOut(i int) (sum expr.Tree) {
	for _, term := range addends(p.list[i].base, 1) {
		q := powers{positive: true, list: slices.Delete(slices.Clone(p.list), i, i+1)}
		q.collect(term.tree, 1)
		sum = plusSigned(sum, q.tree(), term.sign)
	}
	return sum
}
