package group

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
)

// choose compares forms and sets the result. It stops comparing when the context within ends, but
// compares at least a few forms. The fit of a constant law and the first fit of a form to all rows
// may continue until the context late ends.
func (j *judge) choose(within, late context.Context, forms []form, res *Result) {
	part := j.sample()
	all, cut := part.quickly(within, slices.DeleteFunc(forms, func(f form) bool { return !j.allows(f) }))
	all = slices.DeleteFunc(all, func(c choice) bool { return !part.permits(c) })
	final, base, more := j.carefully(within, late, all, part)
	cut = cut || more
	if late.Err() != nil && (len(final) == 0 || math.IsInf(base, 1)) {
		if part != j && len(all) > 0 {
			res.Warnings = append(res.Warnings, fmt.Sprintf("the run ended before a law was fitted to all %d rows; it is fitted to %d, evenly spaced in each group; give more --time", j.table.Rows(), part.table.Rows()))
		}
		j, final, base, cut = part, all, part.constant(context.Background()), true
	}
	if cut && !res.Stopped.Cut() {
		res.Stopped = discover.StopTime
	}
	final = slices.DeleteFunc(final, func(c choice) bool { return !j.permits(c) })
	if len(final) > 0 && final[0].total < base-marginBits && len(final[0].tree.Vars()) > 0 {
		j.fill(within, late, res, final)
		return
	}
	res.Verdict = fmt.Sprintf("no law: nothing describes %s clearly better than a constant for each group", j.table.Target.Name)
	if len(j.set.Statements) > 0 {
		res.Verdict += " and satisfies all requirements"
	}
}

// quickly compares the choices of shared constants of each form by quick fits. It returns the
// choices by ascending bits. cut reports whether ctx ended before all choices were compared. Even
// after ctx has ended, the choices of a few forms are compared during the time moment.
func (j *judge) quickly(ctx context.Context, forms []form) (all []choice, cut bool) {
	ctx, done := clock.Share(ctx, quickShare)
	defer done()
	likeliest, cut := j.likeliest(ctx, forms)
	brief, end := context.WithTimeout(context.WithoutCancel(ctx), moment)
	defer end()
	for i, f := range likeliest {
		until := ctx
		if ctx.Err() != nil {
			if i >= fewest {
				cut = true
				break
			}
			until = brief
		}
		all = append(all, j.best(until, f, mdl.Effort{Starts: 1})...)
	}
	slices.SortStableFunc(all, byBits)
	return all, cut
}

// moment is the time for which choices of shared constants are compared if no time is left.
const moment = 500 * time.Millisecond

// carefully makes precise fits of the best choices to all rows, and returns them by ascending bits.
// The list all contains the choices after a fit to the rows of part. base is the number of bits of
// a constant law, or +Inf if late ended before this number was calculated. cut reports whether a
// choice was not fitted because the time had ended.
func (j *judge) carefully(within, late context.Context, all []choice, part *judge) (final []choice, base float64, cut bool) {
	careful, done := clock.Share(within, carefulShare)
	defer done()
	base = j.constant(late)
	times := map[uint64]int{}
	for _, c := range all {
		h := c.tree.Hash()
		if times[h] == 2 || len(final) == refitted {
			continue
		}
		times[h]++
		until, ended := within, careful.Err()
		if len(final) == 0 {
			until, ended = late, late.Err()
		}
		if ended != nil {
			cut = true
			break
		}
		if again, ok := j.refined(until, c, part); ok {
			final = append(final, again)
		}
	}
	slices.SortStableFunc(final, byBits)
	return final, base, cut
}

// allows reports whether a form has the shape, the operators and the complexity that are required
// of the law.
func (j *judge) allows(f form) bool {
	return j.allowed(f.tree) && (j.set.MaxComplexity == 0 || f.bits <= j.set.MaxComplexity)
}

// allowed reports whether a tree over the columns has the shape and the operators that are required
// of the law.
func (j *judge) allowed(t expr.Tree) bool {
	p := dataset.Problem{Ops: j.set.Ops}
	return p.Allows(t) && j.set.Shape.Allows(t)
}

// permits reports whether the law of each group satisfies the user's statements about the law.
func (j *judge) permits(c choice) bool {
	statements := j.set.Statements.About("")
	if len(statements) == 0 {
		return true
	}
	for g, values := range j.values(c) {
		where := require.NewTable(j.names, j.each[g].Cols[:len(j.names)])
		if !statements.Hold(c.tree.WithStarts(values), where) {
			return false
		}
	}
	return true
}

// Limits of time. The quick comparison of forms may take the fraction quickShare of the remaining
// time. The precise comparison may take the fraction carefulShare of the time that remains after
// that. The time left over is for the report about the law.
const (
	quickShare   = 0.5
	carefulShare = 0.7
)

// likeliest returns the forms for which each choice of shared constants is compared: those with the
// fewest bits in either of two rankings. The first ranking uses the bits with all constants shared
// or with none shared, whichever are fewer. The second ranking uses the bits that would result if
// the constants could be shared without a larger misfit. cut reports whether ctx ended before all
// forms were fitted.
func (j *judge) likeliest(ctx context.Context, forms []form) (out []form, cut bool) {
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
			cut = true
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
	return out, cut
}

// refined fits a choice precisely, until ctx ends. The choice was fitted before to the rows of
// part. If part has fewer rows than j, the fit starts from that result.
func (j *judge) refined(ctx context.Context, c choice, part *judge) (choice, bool) {
	if part != j {
		return j.together(c.form, c.shared, part.values(c), mdl.Effort{Starts: 1, Final: true, Done: ctx.Done()})
	}
	values, _, _, ok := j.separate(c.form, mdl.Effort{Starts: 4})
	if !ok {
		values = slices.Repeat([][]float64{c.tree.Params()}, len(j.each))
	}
	again, ok := j.together(c.form, c.shared, values, mdl.Effort{Starts: 3, Final: true, Done: ctx.Done()})
	if !ok || c.total < again.total { // the first fit found a better minimum
		return c, true
	}
	return again, ok
}

// constant returns the description length of one constant for all groups or of one constant for
// each group, whichever is shorter. The result is +Inf if ctx ends early.
func (j *judge) constant(ctx context.Context) float64 {
	least := math.Inf(1)
	mean := 0.0
	for _, y := range j.table.Target.Values {
		mean += y / float64(j.table.Rows())
	}
	for _, shared := range []bool{true, false} {
		f := form{tree: expr.C(0, mean), bits: 1 / mdl.FormWeight}
		values := slices.Repeat([][]float64{{mean}}, len(j.each))
		if c, ok := j.together(f, []bool{shared}, values, mdl.Effort{Final: true, Done: ctx.Done()}); ok {
			least = min(least, c.total)
		}
	}
	return least
}

// marginBits is the number of bits by which a law must be shorter than a constant law to be
// reported.
const marginBits = 2
