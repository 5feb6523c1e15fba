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
// of t, in the fewest bits. The library also contains the terms of other laws. exact reports
// whether the sum fits too closely to be a mere approximation. If no sum fits within the errors of
// the derivatives, direct returns a short sum that is close, and near is true. Such a sum may be
// the law, since the derivatives may have the errors of an integrator. If there is no such sum
// either, the law is empty.
func (sr *searcher) direct(ctx context.Context, k int, t *dataset.Table, terms []termColumn) (
	found law.Law, exact, near bool,
) {
	d := directSearch{sr: sr, k: k, table: t, least: math.Inf(1), leastNear: math.Inf(1)}
	d.p, d.names = problem(t)
	d.p.Ops = sr.s.Search.Ops
	l := newTermMatrix(d.p, sr.driver())
	if l == nil {
		return found, false, false
	}
	for _, term := range terms {
		if over, err := (law.Law{Tree: term.tree, Vars: sr.names}).Over(d.names); err == nil {
			l.take(over.Tree)
		}
	}
	d.size = math.Sqrt(dot(l.y, l.y) / float64(len(l.y)))
	d.search(ctx, append(l.rational(), l))
	if d.found.Tree.Len() == 0 && d.short.Tree.Len() == 0 {
		d.search(ctx, l.exponentials())
	}
	if d.found.Tree.Len() == 0 {
		return d.short, false, d.short.Tree.Len() > 0
	}
	return d.found, d.exact, false
}

// directSearch is the state of searcher.direct.
type directSearch struct {
	sr    *searcher
	k     int // equation
	table *dataset.Table
	p     *dataset.Problem // of table, without units
	names []string         // variables of p
	size  float64          // RMS of the target in standard errors

	found     law.Law // best sum within the errors of the derivatives
	exact     bool    // whether found fits too closely to be a mere approximation
	short     law.Law // best short sum that is close
	least     float64 // description length of found
	leastNear float64 // description length of short
}

// price returns the description length of a law with its constants.
func (d *directSearch) price(tree expr.Tree) float64 {
	return law.Complexity(tree, len(d.names)) + coefBits*float64(tree.NumParams())
}

// try scores tree with its starting values as constants.
func (d *directSearch) try(tree expr.Tree) {
	if d.sr.s.Search.Evaluations == 0 { // if evaluations are limited, only those of engine count
		d.sr.evals++
	}
	next := law.Law{
		Tree: tree, Vars: d.names, Target: d.table.Target.Name,
		Constants:  law.NewConstants(tree.Params(), nil),
		Complexity: law.Complexity(tree, len(d.names)), Proposer: sparseName,
	}
	rows := float64(d.table.Rows())
	rms := scaledRMS(next, d.table)
	relative := rms / d.size
	if relative < 10*exactly {
		rms = finest
	}
	next.Score = d.price(tree) + rows*math.Log2(max(rms, finest))
	over, err := next.Over(d.sr.names)
	if err != nil || !d.sr.admits(d.k, over.Tree) {
		return
	}
	if rms < mostRMS && next.Score < d.least {
		d.least, d.found, d.exact = next.Score, next, relative < notNear
	}
	// A sum within notFarErrors is not better if its residuals are smaller.
	isClose := relative < notFar && tree.NumParams() <= fewConsts
	closeBits := next.Score
	if rms < notFarErrors && tree.NumParams() <= someConsts {
		isClose, closeBits = true, d.price(tree)+rows*math.Log2(notFarErrors)
	}
	if isClose && closeBits < d.leastNear {
		d.leastNear, d.short = closeBits, next
	}
}

// fit fits the constants of tree and scores it.
func (d *directSearch) fit(tree expr.Tree) {
	r, err := fit.Fit(tree, d.p.Cols(), d.p.Target.Values, d.p.Weights, fit.Settings{Starts: 1})
	if err == nil {
		d.try(tree.WithStarts(r.Params))
	}
}

// search scores the short sums of each library, and laws that follow if parts of the best one are
// left out.
func (d *directSearch) search(ctx context.Context, libraries []*termMatrix) {
	var curved []expr.Tree
	for _, l := range libraries {
		curved = append(curved, l.shortSums(ctx, d.price, d.try)...)
	}
	slices.SortStableFunc(curved, func(a, b expr.Tree) int { return cmp.Compare(d.price(a), d.price(b)) })
	for _, tree := range curved[:min(len(curved), mostFitted)] {
		if d.price(tree) > d.least+float64(d.table.Rows())*math.Log2(mostRMS/finest) {
			break
		}
		d.fit(tree)
	}
	// As long as a constant of a denominator is not fitted, a sum may need further terms. They are
	// removed afterwards.
	for before := uint64(0); ctx.Err() == nil; {
		best := d.short.Tree
		if d.found.Tree.Len() > 0 {
			best = d.found.Tree
		}
		if best.Len() == 0 || best.Hash() == before {
			break
		}
		before = best.Hash()
		for _, tree := range simplifications(best) {
			d.fit(tree)
		}
	}
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
