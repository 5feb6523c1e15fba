package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// Accurate derivatives determine a sum of a few library terms by linear least squares, so no search
// is needed. The shortest sum that agrees with the derivatives within their errors is the law.
const (
	coefBits = 12 // price of a constant in bits
	// Smallest RMS residual that counts, in standard errors: sums with smaller residuals are
	// equally good.
	finest = 0.3
	nearly = 1e-4 // largest relative residual of a sum of library terms
	// The best sums of each length may have this relative residual while the constants inside terms
	// are only estimated.
	roughly = 1e-2
	// A sum of few terms with a relative residual below this is not just an approximation.
	notNear   = 1e-7
	leastTerm = 1e-6 // smallest fraction of the target that a term must contribute
	// Largest number of constants of a sum that may be the law although its residuals exceed the
	// errors of the derivatives.
	fewConsts = 3
	notFar    = 1e-5 // largest relative residual of a sum of up to fewConsts constants
	// Largest RMS residual, in standard errors, of a sum of up to someConsts constants that may be
	// the law. The standard errors of derivatives are only estimates (see doubt).
	notFarErrors = 3
	someConsts   = 5
	leastRSS     = 1e-13 // smallest relative residual sum of squares that inner products resolve
	mostFitted   = 20    // largest number of sums whose constants inside terms are fitted
)

// direct returns the sum of library terms that describes the derivatives of equation k, the target
// of t, in the fewest bits. exact reports whether the sum fits too closely to be a mere
// approximation. If no sum fits within the errors of the derivatives, direct returns a short sum
// that is close, and near is true. Such a sum may be the law, since the derivatives may have the
// errors of an integrator. If there is no such sum either, the law is empty.
func (sr *searcher) direct(ctx context.Context, k int, t *dataset.Table) (
	found law.Law, exact, near bool,
) {
	p, names := problem(t)
	p.Ops = sr.s.Search.Ops
	l := newTermMatrix(p, sr.driver())
	if l == nil {
		return found, false, false
	}
	price := func(tree expr.Tree) float64 {
		return law.Complexity(tree, len(names)) + coefBits*float64(tree.NumParams())
	}
	typical := math.Sqrt(dot(l.y, l.y) / float64(len(l.y))) // size of the target in standard errors
	least, leastNear := math.Inf(1), math.Inf(1)
	var short law.Law
	try := func(tree expr.Tree) {
		if sr.s.Search.Evaluations == 0 { // if evaluations are limited, only those of engine count
			sr.evals++
		}
		next := law.Law{
			Tree: tree, Vars: names, Target: t.Target.Name,
			Constants:  law.Named(tree.Params(), nil),
			Complexity: law.Complexity(tree, len(names)), Proposer: sparseName,
		}
		rms := scaledRMS(next, t)
		relative := rms / typical
		if relative < 10*exactly {
			rms = finest
		}
		next.Score = price(tree) + float64(t.Rows())*math.Log2(max(rms, finest))
		over, err := next.Over(sr.names)
		if err != nil || !sr.admits(k, over.Tree) {
			return
		}
		if rms < enough && next.Score < least {
			least, found, exact = next.Score, next, relative < notNear
		}
		// A sum within notFarErrors is not better if its residuals are smaller.
		isClose := relative < notFar && tree.NumParams() <= fewConsts
		closeBits := next.Score
		if rms < notFarErrors && tree.NumParams() <= someConsts {
			isClose, closeBits = true, price(tree)+float64(t.Rows())*math.Log2(notFarErrors)
		}
		if isClose && closeBits < leastNear {
			leastNear, short = closeBits, next
		}
	}
	var curved []expr.Tree
	for _, l := range append(l.rational(), l) {
		curved = append(curved, l.shortSums(ctx, price, try)...)
	}
	slices.SortStableFunc(curved, func(a, b expr.Tree) int { return cmp.Compare(price(a), price(b)) })
	fitted := func(tree expr.Tree) {
		r, err := fit.Fit(tree, p.Cols(), p.Target.Values, p.Weights, fit.Settings{Starts: 1})
		if err == nil {
			try(tree.WithStarts(r.Params))
		}
	}
	for _, tree := range curved[:min(len(curved), mostFitted)] {
		if price(tree) > least+float64(t.Rows())*math.Log2(enough/finest) {
			break
		}
		fitted(tree)
	}
	// As long as a constant of a denominator is not fitted, a sum may need further terms. They are
	// removed afterwards.
	for before := uint64(0); ctx.Err() == nil; {
		best := short.Tree
		if found.Tree.Len() > 0 {
			best = found.Tree
		}
		if best.Len() == 0 || best.Hash() == before {
			break
		}
		before = best.Hash()
		for _, tree := range simplifications(best) {
			fitted(tree)
		}
	}
	if found.Tree.Len() == 0 {
		return short, false, short.Tree.Len() > 0
	}
	return found, exact, false
}

// shortSums finds sums of few terms whose relative residual is at most nearly. If all constants of
// a sum are coefficients, shortSums fits them and calls visit. It returns the other sums, whose
// constants inside terms still have to be fitted. Of these, it also returns the best of each
// length whose relative residual is at most roughly.
func (l *termMatrix) shortSums(
	ctx context.Context, price func(expr.Tree) float64, visit func(expr.Tree),
) (open []expr.Tree) {
	size := dot(l.y, l.y)
	b := l.beam(ctx, func(t expr.Tree) float64 { return price(t) + coefBits })
	var returned [beamTerms + 1]int
	for _, s := range b.sums(ctx) {
		rss := l.residualSS(s.terms)
		near := rss <= nearly*nearly*size
		if rss > roughly*roughly*size || !near && returned[len(s.terms)] >= ofLength {
			continue
		}
		fit := l.fitted(s.terms)
		if fit.terms == nil || l.negligible(s.terms, fit.coefs) {
			continue
		}
		tree := l.sum(s.terms)
		tree = tree.WithStarts(append(fit.coefs, tree.Params()[len(s.terms):]...))
		switch {
		case tree.NumParams() > len(s.terms):
			open = append(open, tree)
			returned[len(s.terms)]++
		case near:
			visit(tree)
		}
	}
	return open
}

// negligible reports whether a term of a sum is so small that it describes only errors.
func (l *termMatrix) negligible(terms []int, coefs []float64) bool {
	size := math.Sqrt(dot(l.y, l.y))
	for i, a := range terms {
		if math.Abs(coefs[i])*l.size[a] < leastTerm*size {
			return true
		}
	}
	return false
}

// problem returns t as a problem without units, and the names of its variables.
func problem(t *dataset.Table) (p *dataset.Problem, names []string) {
	p = &dataset.Problem{Target: dataset.Quantity{Values: t.Target.Values}}
	for _, c := range t.Vars {
		p.Vars = append(p.Vars, dataset.Quantity{Name: c.Name, Values: c.Values})
		names = append(names, c.Name)
	}
	for _, s := range t.Sigma {
		p.Weights = append(p.Weights, 1/(s*s))
	}
	return p, names
}
