package group

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// choose compares forms and sets the result. After ctx ends it compares only the first few.
func (j *judge) choose(ctx context.Context, forms []form, res *Result) {
	quick, done := clock.Share(ctx, quickShare)
	defer done()
	part := j.sample()
	var all []choice
	for i, f := range part.likeliest(quick, forms) {
		if i >= fewest && quick.Err() != nil {
			break
		}
		all = append(all, part.best(quick, f, mdl.Effort{Starts: 1})...)
	}
	slices.SortStableFunc(all, byBits)
	careful, done := clock.Share(ctx, carefulShare)
	defer done()
	var final []choice
	times := map[uint64]int{}
	for _, c := range all {
		if h := c.tree.Hash(); times[h] < 2 && len(final) < refitted && (len(final) == 0 || careful.Err() == nil) {
			times[h]++
			if again, ok := j.refined(c, part); ok {
				final = append(final, again)
			}
		}
	}
	slices.SortStableFunc(final, byBits)
	if base := j.constant(); len(final) > 0 && final[0].total < base-marginBits && len(final[0].tree.Vars()) > 0 {
		j.fill(ctx, res, final)
	} else {
		res.Verdict = fmt.Sprintf("no law: nothing explains %s better than a constant for each group", j.table.Target.Name)
	}
}

// Shares of the remaining time for a quick comparison of forms, and then for a precise one. The
// rest is for the report about the law.
const (
	quickShare   = 0.5
	carefulShare = 0.7
)

// likeliest returns the forms for which each choice of shared constants is compared. They are those
// with the fewest bits in one of three cases: all constants are shared, no constant is shared, or
// sharing would not worsen the fit.
func (j *judge) likeliest(ctx context.Context, forms []form) (out []form) {
	type priced struct {
		form
		sure, hopeful float64
	}
	seen := map[uint64]bool{}
	var list []priced
	for _, f := range forms {
		if h := f.tree.Hash(); seen[h] {
			continue
		} else {
			seen[h] = true
		}
		if len(list) >= fewest && ctx.Err() != nil {
			break
		}
		_, apart, alike, ok := j.separate(f, mdl.Effort{Starts: 2, Quick: true})
		common := slices.Repeat([]bool{true}, f.tree.NumParams())
		values := slices.Repeat([][]float64{f.tree.Params()}, len(j.each))
		sure := apart
		if c, good := j.together(f, common, values, mdl.Effort{Starts: 2, Quick: true}); good {
			sure, ok = min(sure, c.total), true
		}
		if ok {
			list = append(list, priced{f, sure, alike})
		}
	}
	taken := map[uint64]bool{}
	for _, bits := range []func(priced) float64{func(p priced) float64 { return p.sure }, func(p priced) float64 { return p.hopeful }} {
		slices.SortStableFunc(list, func(a, b priced) int { return cmp.Compare(bits(a), bits(b)) })
		for _, p := range list[:min(len(list), compared)] {
			if h := p.tree.Hash(); !taken[h] {
				taken[h] = true
				out = append(out, p.form)
			}
		}
	}
	return out
}

// refined fits a choice precisely. part is the judge for the rows to which the choice was fitted
// before. If that had fewer rows, the fit continues from its constants.
func (j *judge) refined(c choice, part *judge) (choice, bool) {
	if part != j {
		return j.together(c.form, c.shared, part.values(c), mdl.Effort{Starts: 1, Final: true})
	}
	values, _, _, ok := j.separate(c.form, mdl.Effort{Starts: 4})
	if !ok {
		values = slices.Repeat([][]float64{c.tree.Params()}, len(j.each))
	}
	again, ok := j.together(c.form, c.shared, values, mdl.Effort{Starts: 3, Final: true})
	if !ok || c.total < again.total { // the first fit found a better minimum
		return c, true
	}
	return again, ok
}

// constant returns the description length of the law "target = constant". The constant is the same
// for all groups or separate for each, whichever is shorter.
func (j *judge) constant() float64 {
	least := math.Inf(1)
	mean := 0.0
	for _, y := range j.table.Target.Values {
		mean += y / float64(j.table.Rows())
	}
	for _, shared := range []bool{true, false} {
		f := form{tree: expr.C(0, mean), bits: 1 / mdl.FormWeight}
		values := slices.Repeat([][]float64{{mean}}, len(j.each))
		if c, ok := j.together(f, []bool{shared}, values, mdl.Effort{Final: true}); ok {
			least = min(least, c.total)
		}
	}
	return least
}

// marginBits is how many bits shorter than a constant law a law must be to be reported.
const marginBits = 2
