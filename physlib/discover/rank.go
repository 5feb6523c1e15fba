package discover

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// Limits of the ranking.
const (
	refinedLaws   = 90 // number of laws that are fitted carefully
	rewrittenLaws = 12 // number of best laws that near, respell and useOtherColumns rewrite
	mostLaws      = 60 // number of laws in a result
)

// rank chooses among the proposals. It returns the chosen laws and the verdict, with the counts and
// warnings of searched, the result of the searches. b is the budget of the whole table, and
// likeliest its survey.
func (k *ranking) rank(ctx context.Context, b budget, likeliest surveyResult, searched *Result) *Result {
	within, cancel := b.rankingContext(ctx, k.t.Rows())
	defer cancel()
	p := pace{
		within:  within,
		timeUp:  func() bool { return ctx.Err() != nil || b.timeIsUp() },
		hurried: errors.Is(ctx.Err(), context.Canceled),
	}
	laws := k.inColumns(p, k.scoreAndOrder(p))
	res := searched.withoutLaws()
	k.fillResult(res, laws)
	k.setVerdict(res, laws, likeliest)
	return res
}

// pace limits the work of a ranking.
type pace struct {
	within context.Context // once it ends, a little after timeUp, only few laws are scored
	// Once it reports true, few forms near the best laws are evaluated, and only the first law is
	// fitted to all rows.
	timeUp func() bool
	// The user interrupted the run. So in large tables only few laws are fitted, and addNearForms ends
	// after one iteration.
	hurried bool
}

// scoreAndOrder returns the laws scored, the preferred one first. It scores the proposals and
// refits the best of them with more effort. Then it derives further forms of the best laws, and
// orders all laws by their rankBits.
func (k *ranking) scoreAndOrder(p pace) []ranked {
	k.sortForms()
	k.adaptToRequirements()
	starts, careful := max(1, min(8, startedRows/k.m.Rows())), refinedLaws
	slow := starts == 1 // A fit takes long, so fit all laws quickly and fewer laws carefully.
	if slow {
		careful = refinedLaws / 6
	}
	all := k.scoreForms(p, k.proposals, len(k.proposals), mdl.Effort{Starts: min(starts, 2), Quick: slow})
	best := bestAndFront(all, careful)
	list := k.scoreForms(p, best, len(best), mdl.Effort{Starts: starts, Final: true})
	list = k.exchangeParts(p, list)
	list = k.addNearForms(p, list)
	list = k.mergeEqual(list)
	list = k.preferFewerConstants(list)
	list = k.raiseSpareConstants(list)
	list = k.preferTestable(list)
	list = k.respell(p, list)
	return k.useOtherColumns(p, list)
}

// startedRows is the number of rows times the number of starts of a fit. It gives eight starts for
// up to 125 rows, and one for more than 500.
const startedRows = 1000

// Laws that are scored even if the time is up. Those of ranking.fitFirst come first, then the
// shortest.
const (
	leastRanked = 16 // number of laws that are always scored
	// leastHurried replaces leastRanked in tables of at least slowFitRows rows, for careful fits
	// and after an interrupt.
	leastHurried = 4
)

// sortForms puts the forms of fitFirst first, then the other laws by length.
func (k *ranking) sortForms() {
	place := func(t expr.Tree) int {
		if k.fitFirst[t.Hash()] {
			return 0
		}
		return t.Len()
	}
	slices.SortStableFunc(k.proposals, func(a, b proposedForm) int { return cmp.Compare(place(a.tree), place(b.tree)) })
}

// scoreForms fits forms and returns the best that satisfy the requirements, at most the given
// number. A form with numbers that are neither exponents nor simple (see numerical) must be exact,
// or the form of a known law with free constants. An example of such a known law is
// c0 + log(x/(c1 - x))/log(10).
func (k *ranking) scoreForms(p pace, forms []proposedForm, most int, e mdl.Effort) (list []ranked) {
	for _, f := range k.bestFits(p, forms, most, e) {
		if !k.permits(f.Tree) || numerical(k.m.Absolute(f.Tree)) && !k.m.Exact(f.Score) && !(f.Tree.NumParams() > 0 && k.isKnown(f.Tree)) {
			continue
		}
		c := newRanked(foldPhases(k.m, f.Score), forms[f.From].by)
		c.Tree = withoutAbs(k.m, c.Tree)
		list = append(list, c)
	}
	return list
}

// bestFits fits forms and returns the best, at most the given number. The first forms are always
// fitted (see leastRanked), and the others until p.within ends.
func (k *ranking) bestFits(p pace, forms []proposedForm, most int, e mdl.Effort) []mdl.Scored {
	trees := make([]expr.Tree, len(forms))
	for i, f := range forms {
		trees[i] = f.tree
	}
	first := min(len(trees), leastRanked)
	if (p.hurried || e.Final) && k.m.Rows() >= slowFitRows {
		first = min(first, leastHurried)
	}
	found, _ := k.m.ScoreAll(context.WithoutCancel(p.within), trees[:first], most, e)
	more, _ := k.m.ScoreAll(p.within, trees[first:], most, e)
	for _, f := range more {
		f.From += first
		found = append(found, f)
	}
	slices.SortStableFunc(found, func(a, b mdl.Scored) int { return cmp.Compare(a.Bits, b.Bits) })
	return found[:min(len(found), most)]
}

// bestAndFront returns the given number of best laws by score. It adds the law that fits best at
// each complexity, in steps of four bits.
func bestAndFront(all []ranked, number int) (some []proposedForm) {
	fits := map[int]int{}
	for i, c := range all {
		step := complexityStep(c)
		if o, ok := fits[step]; !ok || c.BitsWithoutForm() < all[o].BitsWithoutForm() {
			fits[step] = i
		}
	}
	for i, c := range all {
		if i < number || fits[complexityStep(c)] == i {
			some = append(some, proposedForm{c.Tree, c.by})
		}
	}
	return some
}

// nearIterations is the largest number of iterations of addNearForms.
const nearIterations = 4

// addNearForms adds the forms near the best laws to the list, and repeats this until no form is
// new. Once the time is up, it ends after the second iteration, or after the first one if the user
// interrupted the run.
func (k *ranking) addNearForms(p pace, list []ranked) []ranked {
	for iteration := range nearIterations {
		if p.timeUp() && (iteration > 1 || iteration == 1 && p.hurried) {
			break
		}
		near := k.near(list)
		if len(near) == 0 {
			break
		}
		list = byBits(append(list, k.scoreForms(p, near, refinedLaws, mdl.Effort{Final: true})...))
	}
	return list
}

// near returns new forms near the best laws:
//
//   - laws in the columns' own units,
//   - laws with one constant less, and limits of laws,
//   - laws with a sum replaced by √(a² + b²),
//   - laws whose sums have other common factors.
func (k *ranking) near(list []ranked) (forms []proposedForm) {
	s := k.m.Scorer()
	for _, c := range list[:min(len(list), rewrittenLaws)] {
		trees := slices.Concat([]expr.Tree{k.m.AsWritten(c.Tree)}, k.simpler(c.Score), limits(k.m, c.Score), ofSquares(c.Tree), cheaper(s, c.Score))
		for _, t := range trees {
			forms = k.unseen(forms, t, c.by)
		}
	}
	return forms
}

// mergeEqual keeps one law of each group of laws that are the same function (see sameFunctionAs),
// for example in °C and in kelvin. It keeps the first law, with the fewest bits, or a later law.
// The later law must be shorter when printed, and its form may have at most longerForm bits more
// than that of the first.
//
// The later law gets the rankBits of the first law, with one exception. It keeps its own if both
// laws have the same variables and its form has fewer bits by more than sameForm. The first form is
// then likely to be a roundabout one of the same law, such as c₀·x + c₁·(x − 1) for c₀·x + c₁.
//
// After the first k.most() laws, mergeEqual keeps only laws that fit best at their complexity.
func (k *ranking) mergeEqual(list []ranked) []ranked {
	s := k.m.Scorer()
	fits := leastBitsOfData(list)
	var kept []ranked
	var left [][]float64 // the residuals of the laws kept
	for _, c := range list {
		if len(kept) >= k.most() && c.BitsWithoutForm() > fits[complexityStep(c)] {
			continue
		}
		r := s.Residuals(c.Score)
		i, same := sameFunctionAs(s, kept, left, c, r)
		if i < 0 {
			kept, left = append(kept, c), append(left, r)
			continue
		}
		old := kept[i]
		if !k.shorter(c, old) || c.FormBits >= old.FormBits+longerForm {
			continue
		}
		roundabout := old.FormBits > c.FormBits+sameForm && slices.Equal(old.Tree.Vars(), c.Tree.Vars())
		if !roundabout {
			c = same.withBitsOf(old)
		}
		c.hasNearZero = c.hasNearZero || old.hasNearZero
		kept[i], left[i] = c, s.Residuals(c.Score)
	}
	return byBits(kept)
}

// leastBitsOfData returns the least bits of data and constants among the laws of each
// complexityStep.
func leastBitsOfData(list []ranked) map[int]float64 {
	least := map[int]float64{}
	for _, c := range list {
		step, bits := complexityStep(c), c.BitsWithoutForm()
		if o, ok := least[step]; !ok || bits < o {
			least[step] = bits
		}
	}
	return least
}

// complexityStep returns the complexity of a law in steps of complexityStepBits.
func complexityStep(c ranked) int { return int(c.FormBits / complexityStepBits) }

// sameFunctionAs returns the index of the first law in kept that is the same function as c, or -1.
// The residuals of the two agree within a thousandth, if need be under the error model of the law
// kept (see underModelOf). same is c under that error model. left holds the residuals of the laws
// kept, and r those of c. Two laws of the same columns whose residuals are rounding errors of
// calculations are the same function, too.
func sameFunctionAs(s *mdl.Scorer, kept []ranked, left [][]float64, c ranked, r []float64) (i int, same ranked) {
	if s.Calculated(c.Score) {
		i := slices.IndexFunc(kept, func(o ranked) bool { return s.Calculated(o.Score) && slices.Equal(o.Tree.Vars(), c.Tree.Vars()) })
		if i >= 0 {
			return i, c
		}
	}
	if i := slices.IndexFunc(left, func(o []float64) bool { return similarResiduals(r, o) }); i >= 0 {
		return i, c
	}
	for i, old := range kept[:min(len(kept), rewrittenLaws)] {
		if o, ok := underModelOf(s, old, c); ok && similarResiduals(s.Residuals(o.Score), left[i]) {
			return i, o
		}
	}
	return -1, c
}

// underModelOf returns c with its constants fitted under the error model of a. ok is false if c has
// that model already, or if the laws cannot be the same function, since they differ in their
// columns or in the number of their constants.
func underModelOf(s *mdl.Scorer, a, c ranked) (fitted ranked, ok bool) {
	if a.Model == c.Model || len(a.Params) != len(c.Params) || !slices.Equal(a.Tree.Vars(), c.Tree.Vars()) {
		return ranked{}, false
	}
	fitted = c
	fitted.Score, ok = s.Refit(c.Tree.WithStarts(c.Params), a.Model)
	fitted.ErrorBits = a.ErrorBits
	return fitted, ok
}

// similarResiduals reports whether the residuals a and b are equal to within a thousandth.
func similarResiduals(a, b []float64) bool {
	far, size := 0.0, 0.0
	for i := range a {
		far += (a[i] - b[i]) * (a[i] - b[i])
		size += b[i] * b[i]
	}
	return far <= 1e-6*size
}

// Largest differences, in bits, between the prices of two forms of the same function (see
// mergeEqual).
const (
	sameForm   = 0.3 // a form with fewer bits by more than this keeps its rankBits
	longerForm = 3   // a form with this many bits more replaces no law
)

// most returns the number of laws in a result. It is smaller for tables of more than largeRows rows
// (ways.go), since each law is fitted to all rows.
func (k *ranking) most() int {
	if k.t.Rows() > largeRows {
		return mostLaws / 3
	}
	return mostLaws
}
