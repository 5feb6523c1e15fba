package discover

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Limits of exchangeParts.
const (
	exchangedLaws = 5 // number of best laws whose parts are exchanged
	// Largest number of similar forms for each part if there are more than survey.MostRows rows.
	exchangeForms      = 12
	exchangeRows       = 60 // largest number of rows on which a form is compared with a part
	exchangeIterations = 3  // largest number of iterations
)

// maxFormDifference is the largest RMS difference between a form and the part that it replaces,
// relative to the part.
const maxFormDifference = 0.3

// exchangeParts adds laws to the list: the best laws with parts replaced by common forms of the
// same column with nearly the same values. For example, a straight line in a law may become the
// cosine that it approximates. It also adds the best laws with an offset of the target or of a
// column. It repeats both until no better law is found, an exact law is found, or the time is up.
// In small tables, where fits take little time, it scores the offsets even then.
func (k *ranking) exchangeParts(p pace, list []ranked) []ranked {
	// Hashes and bits of the laws whose parts were exchanged in earlier iterations. Their parts
	// would give the same forms again.
	done := map[[2]uint64]bool{}
	small := k.m.Rows() < slowFitRows && !p.hurried
	for i := range exchangeIterations {
		late := p.timeUp()
		if len(list) == 0 || k.m.Exact(list[0].Score) || late && (i > 0 || !small) {
			break
		}
		best := list[0].rankBits
		var forms []proposedForm
		for _, c := range list[:min(len(list), exchangedLaws)] {
			key := [2]uint64{c.Tree.Hash(), math.Float64bits(c.rankBits)}
			if done[key] {
				continue
			}
			done[key] = true
			for _, t := range append(shifted(c.Score), k.exchanged(c.Score, p.timeUp)...) {
				forms = k.unseen(forms, t, c.by)
			}
		}
		quick := k.scoreForms(p, forms, refinedLaws/6, mdl.Effort{Quick: true})
		list = byBits(append(list, k.scoreForms(p, bestAndFront(quick, len(quick)), len(quick), mdl.Effort{Final: true})...))
		if list[0].rankBits >= best {
			break
		}
	}
	return list
}

// shifted returns c with a constant added to the whole law, and for each column, c with a constant
// added to this column. Such a constant may be the zero error of an instrument.
func shifted(c mdl.Score) (laws []expr.Tree) {
	t := c.Tree.WithStarts(c.Params)
	offset := expr.C(len(c.Params), 0)
	laws = append(laws, expr.Apply(expr.Add, t, offset))
	for _, v := range t.Vars() {
		laws = append(laws, t.Substitute(v, expr.Apply(expr.Add, expr.X(v), offset)))
	}
	for i, t := range laws {
		laws[i] = mdl.Merged(t)
	}
	return laws
}

// exchanged returns laws in which a part of c that depends on one column is replaced by a form
// that [survey.Parts] lists.
func (k *ranking) exchanged(c mdl.Score, timeUp func() bool) (laws []expr.Tree) {
	rows := dataset.Evenly(k.m.Rows(), min(k.m.Rows(), exchangeRows))
	for i := range c.Tree.Nodes() {
		part := c.Tree.Subtree(i)
		vars := part.Vars()
		if part.Len() < 3 || part.Len() == c.Tree.Len() || len(vars) != 1 || timeUp() {
			continue
		}
		values := dataset.Pick(k.m.Values(part, c.Params), rows)
		for _, form := range k.imitations(vars[0], values, rows) {
			form = form.ShiftParams(len(c.Params))
			t := c.Tree.WithStarts(c.Params).Splice(i+1-part.Len(), i+1, form.Nodes()...)
			laws = append(laws, mdl.Merged(t.CompactParams()))
		}
	}
	return laws
}

// imitations returns forms, in the column of variable v, that have nearly the given values in the
// rows. The nearest form is first.
func (k *ranking) imitations(v int, values []float64, rows []int) []expr.Tree {
	type imitation struct {
		form  expr.Tree
		error float64
	}
	var all []imitation
	for u := range k.m.Cols {
		if !k.m.Dependent(u, v) {
			continue
		}
		x := dataset.Pick(k.m.Cols[u], rows)
		for _, f := range survey.Parts() {
			r, err := fit.Fit(f, [][]float64{x}, values, nil, fit.Settings{Starts: 2, MaxIter: 25})
			if err != nil {
				continue
			}
			if e := math.Sqrt(r.RSS) / floats.Norm(values, 2); e < maxFormDifference && !floats.HasNaN(r.Params) {
				fitted := f.WithStarts(r.Params).SubstituteVars([]expr.Tree{expr.X(u)})
				all = append(all, imitation{fitted, e})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b imitation) int { return cmp.Compare(a.error, b.error) })
	if k.m.Rows() > survey.MostRows {
		all = all[:min(len(all), exchangeForms)]
	}
	forms := make([]expr.Tree, len(all))
	for i := range forms {
		forms[i] = all[i].form
	}
	return forms
}
