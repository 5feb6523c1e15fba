package group

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/spelling"
)

// fill sets the result to the chosen laws. It makes a fit for each entry of res.Switch, until late
// ends. After within has ended, it starts no fit except for the first entry. An entry without a fit
// is taken from list (see alternative).
func (j *judge) fill(within, late context.Context, res *Result, list []choice) {
	best := list[0]
	var other *choice
	for i, c := range list {
		if slices.ContainsFunc(list[:i], func(o choice) bool { return o.tree.Hash() == c.tree.Hash() }) {
			continue
		}
		if i > 0 && other == nil {
			other = &list[i]
		}
		if len(res.Front) < shown {
			res.Front = append(res.Front, j.law(c))
		}
	}
	res.Best = res.Front[0]
	for slot := range best.shared {
		bits := math.NaN()
		if within.Err() == nil || slot == 0 {
			bits = j.switched(late, best, slot)
		}
		if math.IsNaN(bits) {
			bits = alternative(list, slot)
		}
		res.Switch = append(res.Switch, bits)
	}
	res.RMSE, res.R2 = law.Quality(best.RSS, j.table.Target.Values)
	res.Verdict = j.verdict(res, best, other)
}

// alternative searches for a choice that differs from all[0] only in whether the constant in slot
// is shared. It returns by how many bits that choice is longer than all[0]. It returns NaN if there
// is no such choice.
func alternative(all []choice, slot int) float64 {
	best := all[0]
	shared := slices.Clone(best.shared)
	shared[slot] = !shared[slot]
	for _, c := range all {
		if c.tree.Hash() == best.tree.Hash() && slices.Equal(c.shared, shared) {
			return c.total - best.total
		}
	}
	return math.NaN()
}

// switched returns by how many bits c gets longer if the constant in slot becomes shared instead of
// separate, or separate instead of shared. It returns NaN if the changed choice cannot be fitted
// before ctx ends.
func (j *judge) switched(ctx context.Context, c choice, slot int) float64 {
	shared := slices.Clone(c.shared)
	shared[slot] = !shared[slot]
	other, ok := j.together(c.form, shared, j.values(c), mdl.Effort{Starts: 2, Final: true, Done: ctx.Done()})
	if !ok {
		return math.NaN()
	}
	return other.total - c.total
}

// verdict returns one line that compares the law with other laws.
func (j *judge) verdict(res *Result, best choice, other *choice) string {
	text := "the only form that fits"
	if res.Stopped.Cut() {
		text = "the search ended before it was compared with other forms"
	}
	if other != nil {
		text = fmt.Sprintf("the next different form is %.1f bits worse", other.total-best.total)
	}
	if n, own := j.table.Rows(), len(best.Params); !discover.Testable(n, own) {
		text = "a guess: " + discover.Untested(n, spelling.Count(n, "row"), own) + "; " + text
	}
	text += "; R² = " + law.ShortR2(res.R2, 4)
	if j.wide.HasUnits() {
		text += "; " + discover.Balance(res.Best.Form, j.table)
	}
	switch best.Model {
	case mdl.Proportional:
		text += "; errors taken as proportional to " + j.table.Target.Name
	case mdl.Counting:
		text += "; errors taken as those of counts"
	case mdl.HeavyTailed, mdl.HeavyFactors:
		text += "; some errors are far larger than others"
	}
	return text
}

// law returns a choice as a Law, with the laws of all groups.
func (j *judge) law(c choice) Law {
	out := Law{Shared: c.shared, Bits: c.total}
	units, _ := discover.ConstantUnits(j.table, c.tree.WithStarts(j.values(c)[0]))
	errors, noise, dof := j.wide.Noise(c.Score)
	for g, rows := range j.groups.Rows() {
		at := c.slots(g, len(j.each))
		l := law.Law{Vars: j.names, Target: j.table.Target.Name, Complexity: c.bits, Score: c.total, UnitsOK: c.Balanced, Proposer: c.by,
			Errors: errors, Noise: noise, Dof: dof}
		k := len(c.Params)
		for slot, i := range at {
			l.Constants = append(l.Constants, law.Constant{Name: law.ConstantName(j.names, slot), Value: c.Params[i], StdErr: c.StdErr[i], Unit: units[slot]})
			for _, o := range at {
				if len(c.Cov) == k*k {
					l.Cov = append(l.Cov, c.Cov[i*k+o])
				}
			}
		}
		l.Tree = c.tree.WithStarts(l.Params())
		l.RMSE, l.R2 = quality(l, j.table.Subset(rows))
		out.Groups = append(out.Groups, l)
	}
	out.Form = out.Groups[0]
	return out
}

// values returns the constants of a fitted choice. out[g][slot] is the value of the constant in
// slot for group g.
func (j *judge) values(c choice) (out [][]float64) {
	for g := range j.each {
		var own []float64
		for _, at := range c.slots(g, len(j.each)) {
			own = append(own, c.Params[at])
		}
		out = append(out, own)
	}
	return out
}

// slots returns, for each slot, the index in c.Params of the constant of group g.
func (c choice) slots(g, groups int) (at []int) {
	next := 0
	for _, shared := range c.shared {
		if shared {
			at, next = append(at, next), next+1
			continue
		}
		at, next = append(at, next+g), next+groups
	}
	return at
}

// quality returns the root mean square of the residuals and R² of a law on the rows of part.
func quality(l law.Law, part *dataset.Table) (rmse, r2 float64) {
	f := discover.Predict(l, part)
	rss := 0.0
	for i, y := range part.Target.Values {
		rss += (y - f[i]) * (y - f[i])
	}
	return law.Quality(rss, part.Target.Values)
}

// Decide returns the names of the constants of l that the groups should share. The other constants
// should have separate values. The choice with the shortest description length is used. If there
// are many groups, only some of them are compared. Decide returns an error if no choice can be
// fitted.
func Decide(l law.Law, t *dataset.Table, g Groups, units bool) (shared []string, err error) {
	g, t = g.some(t)
	j := newJudge(g, t, discover.Settings{NoUnits: !units}, Rule{})
	over, err := l.Over(t.InputNames())
	if err != nil {
		return nil, err
	}
	best := j.best(context.Background(), form{tree: over.Tree.WithStarts(over.Params())}, mdl.Effort{Starts: 4, Final: true})
	if len(best) == 0 {
		return nil, fmt.Errorf("%s cannot be fitted to all groups of %s; give --start, or name the shared constants", l.Formula(), t.Name)
	}
	for slot, k := range over.Constants {
		if best[0].shared[slot] {
			shared = append(shared, k.Name)
		}
	}
	return shared, nil
}
