package discover

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Sizes of the ranking.
const (
	rankedRows = 6000 // rows on which laws are compared
	refined    = 90   // laws with a careful fit
	simplified = 12   // laws near which simpler forms are evaluated
	finalLaws  = 60   // laws in a result
)

// ranking chooses among the laws of all searches of one table by their description length,
// regardless of the units and error model of each search.
type ranking struct {
	t       *dataset.Table
	sampled *dataset.Table // the rows of t on which laws are compared
	m       *mdl.Table     // sampled
	whole   *mdl.Table     // t; nil: not prepared yet
	units   bool           // the table's units are checked
	hurried bool           // the user interrupted: few fits of many rows, and one iteration of simplify
	forms   []proposedForm
	seen    map[uint64]bool // hashes of forms, and of those derived from them
	leaders map[uint64]bool // the best of each search
	list    []ranked        // best first, once chosen

	places    []int   // positions of t's rows in the user's table, if outliers are left out; nil: t has all
	constant  float64 // bits of the law that the target is a constant
	tried     int64   // number of forms fitted in the survey
	covered   float64 // share of the likeliest forms that the survey fitted; -1: there was none
	mu        sync.Mutex
	rareExact bool // an exact form has a rare operator: the first exact law does not end the run

	given         prescribed
	maxComplexity float64 // of laws in a result, in bits; 0: no limit

	relations []rewrite.Relation // relations that express the columns left out of the search
}

// proposedForm is a form over the variables of the table on which laws are compared.
type proposedForm struct {
	tree expr.Tree
	by   string // the Proposer
}

// ranked is a law with its score and the Proposer. Bits decide the order. They are not the sum of
// the score's parts once a law has those of a law of the same function (distinct) or of which it is
// a special case (preferFewerConstants).
type ranked struct {
	mdl.Score
	by string
}

// newRanking makes the ranking of a table.
func newRanking(t *dataset.Table, s Settings) *ranking {
	sampled := fewer(t)
	k := &ranking{t: t, sampled: sampled, units: !s.NoUnits, m: mdl.New(sampled, s.prior(t), !s.NoUnits), seen: map[uint64]bool{}, leaders: map[uint64]bool{}, places: s.places, covered: -1, maxComplexity: s.MaxComplexity}
	if s.Noise.Known && sampled.Sigma == nil {
		k.m.Sigma = slices.Repeat([]float64{s.Noise.Sigma}, sampled.Rows())
	}
	if model, ok := mdl.ErrorsNamed(string(s.Errors)); ok {
		k.m.Models = []mdl.Errors{model}
	}
	k.constant = k.m.Scorer().Constant().Bits
	k.prescribe(s)
	return k
}

// fewer returns t, or rankedRows of its rows at even distances if it has more.
func fewer(t *dataset.Table) *dataset.Table {
	if n := t.Rows(); n > rankedRows {
		return t.Subset(dataset.Evenly(n, rankedRows))
	}
	return t
}

// prior returns the prior of forms for a table.
func (s Settings) prior(t *dataset.Table) mdl.Prior {
	if s.Prior == nil {
		s.Prior = survey.Catalogue()
	}
	if laws, ok := s.Prior.(*survey.Laws); ok {
		return laws.For(t, !s.NoUnits)
	}
	return s.Prior
}

// add proposes a law over the table's columns and constants.
func (k *ranking) add(t expr.Tree, by string) { k.addLifted(k.m.Lift(t), by) }

// addLifted adds up to three forms of a law over m's variables. One has the law's numbers and one
// has free constants in their place. If the target is in °C, one has all temperatures in °C.
// Constants are moved to the front where possible: c0*sqrt(x), not 1/sqrt(c0/x).
func (k *ranking) addLifted(t expr.Tree, by string) {
	t = mdl.Merged(withoutAbs(k.m, t))
	for _, form := range []expr.Tree{t, freed(t), k.inDegrees(t)} {
		if form.Len() > 0 {
			k.addForm(form, by)
		}
	}
}

// addForm adds a form over m's variables, unless it was proposed before.
func (k *ranking) addForm(t expr.Tree, by string) { k.forms = k.unseen(k.forms, t, by) }

// unseen appends a form over m's variables, unless it was proposed or derived before.
func (k *ranking) unseen(forms []proposedForm, t expr.Tree, by string) []proposedForm {
	h := t.Hash()
	if k.seen[h] {
		return forms
	}
	k.seen[h] = true
	return append(forms, proposedForm{t, by})
}

// inDegrees returns t, whose temperatures are counted from absolute zero, with temperatures in
// degrees Celsius. Examples are a mean of temperatures, and T_0 + c0*Q. The result is empty if the
// target is not in °C or the law has no such form.
func (k *ranking) inDegrees(t expr.Tree) expr.Tree {
	target := k.t.Target
	if !target.HasUnit || target.Unit.Offset == 0 || t.Root() != expr.Sub {
		return expr.Tree{}
	}
	args := t.Args()
	if args[1].Root() != expr.Number || math.Abs(args[1].Nodes()[0].Value-target.Unit.Zero()) > 1e-6 {
		return expr.Tree{}
	}
	written := k.m.AsWritten(args[0])
	if written.Hash() == args[0].Hash() {
		return expr.Tree{}
	}
	return written
}

// choose scores the proposals, refits the best of them with more effort, and sorts them. It
// evaluates simpler forms of the best laws until timeUp reports true, but at least twice, or once
// after an interrupt. Once ctx ends, it scores leastRanked laws.
func (k *ranking) choose(ctx context.Context, timeUp func() bool) {
	k.order()
	k.adapt()
	starts, careful := max(1, min(8, startedRows/k.m.Rows())), refined
	slow := starts == 1 // a fit takes long: all are quick, and fewer are careful
	if slow {
		careful = refined / 6
	}
	all := k.score(ctx, k.forms, len(k.forms), mdl.Effort{Starts: min(starts, 2), Quick: slow})
	best := leading(all, careful)
	k.list = k.score(ctx, best, len(best), mdl.Effort{Starts: starts, Final: true})
	k.exchangeParts(ctx, timeUp)
	k.simplify(ctx, timeUp)
	k.distinct()
	k.preferFewerConstants()
	k.respell()
	k.useOtherColumns(timeUp)
}

// startedRows is the number of rows times starts of a fit: from eight starts in few rows to one in
// more than 500.
const startedRows = 1000

// Laws that are scored even if the time is up: those of ranking.leaders first, then the shortest.
const (
	leastRanked   = 16
	leastHurried  = 4    // the same after an interrupt, of tables with more than hurriedRows rows
	hurriedRows   = 1000 // the fit of so many rows takes long
	searchLeaders = 4    // laws of each search in ranking.leaders
)

// order puts the leaders of each search first, then the others by length.
func (k *ranking) order() {
	late := func(t expr.Tree) int {
		if k.leaders[t.Hash()] {
			return 0
		}
		return t.Len()
	}
	slices.SortStableFunc(k.forms, func(a, b proposedForm) int { return cmp.Compare(late(a.tree), late(b.tree)) })
}

// score fits forms and returns those of the best that meet the requirements, at most the given
// number. Closed forms are for exact data only.
func (k *ranking) score(ctx context.Context, forms []proposedForm, most int, e mdl.Effort) (list []ranked) {
	for _, f := range k.fitted(ctx, forms, most, e) {
		if !k.permits(f.Tree) || numerical(f.Tree) && !k.m.Exact(f.Score) {
			continue
		}
		c := ranked{foldPhases(k.m, f.Score), forms[f.From].by}
		c.Tree = withoutAbs(k.m, c.Tree)
		list = append(list, c)
	}
	return list
}

// fitted always fits the first forms (see leastRanked), and the others until ctx ends. It returns
// the best, at most the given number.
func (k *ranking) fitted(ctx context.Context, forms []proposedForm, most int, e mdl.Effort) []survey.Found {
	trees := make([]expr.Tree, len(forms))
	for i, f := range forms {
		trees[i] = f.tree
	}
	first := min(len(trees), leastRanked)
	if k.hurried && k.m.Rows() > hurriedRows {
		first = min(first, leastHurried)
	}
	found, _ := survey.Fit(context.WithoutCancel(ctx), k.m, trees[:first], most, e)
	more, _ := survey.Fit(ctx, k.m, trees[first:], most, e)
	for _, f := range more {
		f.From += first
		found = append(found, f)
	}
	slices.SortStableFunc(found, func(a, b survey.Found) int { return cmp.Compare(a.Bits, b.Bits) })
	return found[:min(len(found), most)]
}

// leading returns the first best laws by score. It adds the law that fits best at each complexity,
// in steps of four bits.
func leading(all []ranked, first int) (some []proposedForm) {
	fits := map[int]int{}
	for i, c := range all {
		step := int(c.FormBits / 4)
		if o, ok := fits[step]; !ok || c.Rest() < all[o].Rest() {
			fits[step] = i
		}
	}
	for i, c := range all {
		if i < first || fits[int(c.FormBits/4)] == i {
			some = append(some, proposedForm{c.Tree, c.by})
		}
	}
	return some
}

// simplifications bounds how often forms near the best laws are evaluated.
const simplifications = 4

// simplify scores forms near the best laws, and repeats this until no form is new. When the time is
// up, it ends after the second iteration, or after the first if the user interrupted.
func (k *ranking) simplify(ctx context.Context, timeUp func() bool) {
	for iteration := range simplifications {
		if timeUp() && (iteration > 1 || iteration == 1 && k.hurried) {
			return
		}
		near := k.near()
		if len(near) == 0 {
			return
		}
		k.list = append(k.list, k.score(ctx, near, refined, mdl.Effort{Final: true})...)
		k.sort()
	}
}

// near returns new forms near the best laws: in the columns' own units, with one constant less, and
// limits.
func (k *ranking) near() (forms []proposedForm) {
	for _, c := range k.list[:min(len(k.list), simplified)] {
		trees := append([]expr.Tree{k.m.AsWritten(c.Tree)}, k.simpler(c.Score)...)
		for _, t := range append(trees, limits(k.m, c.Score)...) {
			forms = k.unseen(forms, t, c.by)
		}
	}
	return forms
}

// sort puts the laws with the fewest bits first.
func (k *ranking) sort() {
	slices.SortStableFunc(k.list, func(a, b ranked) int { return cmp.Compare(a.Bits, b.Bits) })
}

// distinct drops laws whose residuals equal those of a better one, to a thousandth. If the dropped
// law is shorter to write and hardly less likely, it replaces the better law, such as a polynomial
// in °C instead of kelvin. It gets the bits of the law that it replaces. It keeps its own bits if
// that law is a disguise with a less likely form, such as c₀·x + c₁·(x - 1) for c₀·x + c₁.
func (k *ranking) distinct() {
	s := k.m.Scorer()
	fits := map[int]float64{} // least bits of data and constants at each complexity, in steps of four bits
	for _, c := range k.list {
		step, rest := int(c.FormBits/4), c.Rest()
		if o, ok := fits[step]; !ok || rest < o {
			fits[step] = rest
		}
	}
	var kept []ranked
	var left [][]float64
	for _, c := range k.list {
		if len(kept) >= k.most() && c.Rest() > fits[int(c.FormBits/4)] {
			continue
		}
		r := s.Residuals(c.Score)
		if i := slices.IndexFunc(left, func(o []float64) bool { return alike(r, o) }); i >= 0 {
			if k.shorter(c, kept[i]) && c.FormBits < kept[i].FormBits+spelling {
				if disguised := kept[i].FormBits > c.FormBits+sameForm && slices.Equal(kept[i].Tree.Vars(), c.Tree.Vars()); !disguised {
					c.Bits = kept[i].Bits
				}
				kept[i] = c
			}
			continue
		}
		kept, left = append(kept, c), append(left, r)
	}
	k.list = kept
	k.sort()
}

// alike reports whether residuals a and b are the same to a thousandth.
func alike(a, b []float64) bool {
	far, size := 0.0, 0.0
	for i := range a {
		far += (a[i] - b[i]) * (a[i] - b[i])
		size += b[i] * b[i]
	}
	return far <= 1e-6*size
}

// Bits by which the prices of two forms of one function differ: at most sameForm if they are known
// as one form, at most spelling in usual forms.
const (
	sameForm = 0.3
	spelling = 3
)

// most returns the number of laws that a result holds. It is smaller for large tables, since each
// law is fitted to all rows.
func (k *ranking) most() int {
	if k.t.Rows() > largeRows {
		return finalLaws / 3
	}
	return finalLaws
}
