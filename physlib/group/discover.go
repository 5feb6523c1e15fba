package group

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/regression"
)

// How many groups are searched by themselves, how many forms are compared with each choice of
// shared constants, how many of the best choices are fitted with care, and how many laws a result
// holds.
const (
	searched = 4
	compared = 30
	refitted = 16
	shown    = 8
	fewest   = 3 // forms that are compared even if there is no time
)

// Settings of a run. The zero value searches for a minute.
type Settings struct {
	Search discover.Settings // its Time and Evaluations are those of the whole run
	Rule   Rule              // which constants have a value for each group
	Forms  []law.Law         // forms that are compared besides those that are found
	Only   bool              // nothing is searched: Forms are all there is

	// Find searches all rows together, and some groups by themselves; nil: discover.Discover. Where
	// it is given, no other forms are surveyed.
	Find finder
}

// finder searches one table.
type finder = func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error)

// Law is a form with its constants for each group.
type Law struct {
	Form   law.Law   // with the constants of the first group
	Shared []bool    // by slot: the constant is the same in all groups
	Groups []law.Law // the law of each group
	Bits   float64   // description length
}

// Result is what a run found. Best is empty where nothing is better than a constant for each group.
type Result struct {
	Best    Law
	Front   []Law     // other forms, by rising description length; Best is the first
	Switch  []float64 // by slot of Best: bits that the other choice costs, shared or for each group; NaN: not compared
	R2      float64   // of Best on all rows
	RMSE    float64
	Verdict string

	Evaluations int64
	Elapsed     time.Duration
	Stopped     discover.Stop
	Warnings    []string
}

// Discover finds the law of all groups of t's rows. t has no column for the groups, see [ByColumn].
// When ctx ends it returns the best so far.
func Discover(ctx context.Context, t *dataset.Table, g Groups, s Settings) (*Result, error) {
	began := s.Search.Clock.Now()
	if s.Search.Time == 0 {
		s.Search.Time = time.Minute
	}
	if len(g.Of) != t.Rows() {
		return nil, fmt.Errorf("group: %d rows have a group and the table has %d", len(g.Of), t.Rows())
	}
	if len(t.Vars) == 0 {
		return nil, errors.New("group: the table has no column besides the target and the group")
	}
	j := newJudge(g, t, !s.Search.NoUnits, s.Rule)
	res := &Result{Stopped: "exhausted"}
	var forms []form
	for _, l := range s.Forms {
		forms = j.add(forms, l)
	}
	if !s.Only {
		find := s.Find
		if find == nil {
			find = discover.Discover
		}
		found, err := j.search(ctx, find, s.Search, res)
		if err != nil {
			return nil, err
		}
		forms = append(forms, found...)
		if s.Find == nil {
			forms = append(forms, j.survey(ctx, s.Search, res)...)
		}
	}
	within, cancel := ctx, func() {}
	if s.Search.Time > 0 {
		within, cancel = s.Search.Clock.WithDeadline(ctx, began.Add(s.Search.Time))
	}
	defer cancel()
	j.choose(within, forms, res)
	res.Elapsed = s.Search.Clock.Since(began)
	return res, nil
}

// search finds forms in all rows together and in the largest groups by themselves.
func (j *judge) search(ctx context.Context, find finder, s discover.Settings, res *Result) (forms []form, err error) {
	rows := j.groups.Rows()
	slices.SortStableFunc(rows, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	tables := []*dataset.Table{j.table}
	for _, r := range rows[:min(len(rows), searched)] {
		if part := j.table.Subset(r); slices.Min(part.Target.Values) < slices.Max(part.Target.Values) {
			tables = append(tables, part)
		}
	}
	began := s.Clock.Now()
	for i, t := range tables {
		part := s
		if s.Time > 0 {
			part.Time = max(1, (s.Time*6/10-s.Clock.Since(began))/time.Duration(len(tables)-i))
		}
		if s.Evaluations > 0 {
			part.Evaluations = max(1, s.Evaluations/int64(len(tables)))
		}
		if ctx.Err() != nil {
			res.Stopped = "interrupted"
			break
		}
		if i > 0 && s.Time > 0 && part.Time == 1 { // the search of all rows took all of it
			break
		}
		r, err := find(ctx, t, part)
		if err != nil {
			return nil, err
		}
		res.Evaluations += r.Evaluations
		res.Stopped = r.Stopped
		for _, l := range r.Finalists {
			forms = j.add(forms, l)
		}
	}
	if ctx.Err() != nil {
		res.Stopped = "interrupted"
	}
	return forms, nil
}

// add appends the form of a law, unless it is there.
func (j *judge) add(forms []form, l law.Law) []form {
	over, err := l.Over(j.names)
	if err != nil || over.Tree.Len() == 0 {
		return forms
	}
	tree := over.Tree.WithStarts(over.Params())
	for _, f := range forms {
		if f.tree.Hash() == tree.Hash() {
			return forms
		}
	}
	return append(forms, form{tree, l.Complexity, l.Proposer})
}

// choose compares forms and fills in the result. When ctx ends it compares no more of them, but at
// least a few.
func (j *judge) choose(ctx context.Context, forms []form, res *Result) {
	quick, done := share(ctx, quickShare)
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
	careful, done := share(ctx, carefulShare)
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

// Parts of the time that is left in which forms are compared quickly, and then with care. The rest
// is for what is said of the law.
const (
	quickShare   = 0.5
	carefulShare = 0.7
)

// share returns a context for a part of the time that ctx has left.
func share(ctx context.Context, part float64) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Duration(part*float64(time.Until(end))))
}

// likeliest are the forms that are compared with each choice of shared constants: the best where
// each group has its own or all have the same, and the best if sharing cost nothing.
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
		_, apart, alike, ok := j.apart(f, mdl.Effort{Starts: 2, Quick: true})
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

// marginBits is by how many bits a law must be shorter than constants to be reported.
const marginBits = 2

// refined fits a choice with care. It was fitted to the rows of part before; where these are not
// all, it begins there.
func (j *judge) refined(c choice, part *judge) (choice, bool) {
	if part != j {
		return j.together(c.form, c.shared, part.values(c), mdl.Effort{Starts: 1, Final: true})
	}
	values, _, _, ok := j.apart(c.form, mdl.Effort{Starts: 4})
	if !ok {
		values = slices.Repeat([][]float64{c.tree.Params()}, len(j.each))
	}
	again, ok := j.together(c.form, c.shared, values, mdl.Effort{Starts: 3, Final: true})
	if !ok || c.total < again.total { // from where the first fit began it came further
		return c, true
	}
	return again, ok
}

// constant is the description length of the shorter one of a constant for all and one for each
// group.
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

// fill writes the chosen laws into the result. When ctx ends no more constants are switched between
// shared and not.
func (j *judge) fill(ctx context.Context, res *Result, list []choice) {
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
		if ctx.Err() == nil || slot == 0 {
			bits = j.switched(best, slot)
		}
		res.Switch = append(res.Switch, bits)
	}
	res.RMSE, res.R2 = law.Quality(best.RSS, j.table.Target.Values)
	res.Verdict = j.verdict(res, best, other)
}

// switched is by how many bits a choice is longer where the constant of a slot is shared in place of
// having a value for each group, or the other way round; NaN where that cannot be fitted.
func (j *judge) switched(c choice, slot int) float64 {
	shared := slices.Clone(c.shared)
	shared[slot] = !shared[slot]
	other, ok := j.together(c.form, shared, j.values(c), mdl.Effort{Starts: 2, Final: true})
	if !ok {
		return math.NaN()
	}
	return other.total - c.total
}

// verdict says in a line how the law compares.
func (j *judge) verdict(res *Result, best choice, other *choice) string {
	text := "the only form that fits"
	if other != nil {
		text = fmt.Sprintf("the next different form is %.1f bits worse", other.total-best.total)
	}
	if own := len(best.Params); j.table.Rows() < 2*(own+1) {
		text = fmt.Sprintf("a guess: only %d rows, free constants: %d; ", j.table.Rows(), own) + text
	}
	text += fmt.Sprintf("; R² = %.4g", res.R2)
	if j.wide.HasUnits() {
		text += map[bool]string{true: "; the units balance", false: "; the units do NOT balance"}[best.Balanced]
	}
	switch best.Errors {
	case mdl.Proportional:
		text += "; errors taken as proportional to " + j.table.Target.Name
	case mdl.Counting:
		text += "; errors taken as those of counts"
	case mdl.HeavyTailed, mdl.HeavyFactors:
		text += "; some errors are far larger than others"
	}
	return text
}

// slots are the numbers of the constants of group g among those fitted together.
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

// values are the constants of a fitted choice by group and slot.
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

// law writes a choice as laws of all groups.
func (j *judge) law(c choice) Law {
	out := Law{Shared: c.shared, Bits: c.total}
	units, _ := discover.ConstantUnits(j.table, c.tree.WithStarts(j.values(c)[0]))
	noise, dof := c.Size, max(j.table.Rows()-len(c.Params), 0)
	if c.Errors == mdl.Given {
		squares := 0.0
		for _, s := range j.table.Sigma {
			squares += s * s / float64(len(j.table.Sigma))
		}
		noise, dof = math.Sqrt(squares), 0
	}
	for g, rows := range j.groups.Rows() {
		at := c.slots(g, len(j.each))
		l := law.Law{Vars: j.names, Target: j.table.Target.Name, Complexity: c.bits, Score: c.total, UnitsOK: c.Balanced, Proposer: c.by,
			Errors: c.Errors.String(), Noise: noise, Dof: dof}
		k := len(c.Params)
		for slot, i := range at {
			l.Constants = append(l.Constants, law.Constant{Name: constantName(j.names, slot), Value: c.Params[i], StdErr: c.StdErr[i], Unit: units[slot]})
			for _, o := range at {
				if len(c.Cov) == k*k {
					l.Cov = append(l.Cov, c.Cov[i*k+o])
				}
			}
		}
		l.Tree = c.tree.WithStarts(l.Params())
		l.RMSE, l.R2 = j.quality(l, rows)
		out.Groups = append(out.Groups, l)
	}
	out.Form = out.Groups[0]
	return out
}

// quality is the root mean square of the residuals and R² of a law on some rows.
func (j *judge) quality(l law.Law, rows []int) (rmse, r2 float64) {
	part := j.table.Subset(rows)
	f := discover.Predict(l, part)
	rss := 0.0
	for i, y := range part.Target.Values {
		rss += (y - f[i]) * (y - f[i])
	}
	return law.Quality(rss, part.Target.Values)
}

// constantName is what the constant of a slot is called: c0, c1, …, unless a column is called so.
func constantName(names []string, slot int) string {
	prefix := "c"
	for _, n := range names {
		if len(n) > 1 && n[0] == 'c' && n[1] >= '0' && n[1] <= '9' {
			prefix = "const"
		}
	}
	return fmt.Sprint(prefix, slot)
}

// Decide says which constants of a formula have a value for each group, in bits: those of l that
// are not in the result are shared. An error says that no choice can be fitted.
func Decide(l law.Law, t *dataset.Table, g Groups, units bool) (shared []string, err error) {
	j := newJudge(g, t, units, Rule{})
	over, err := l.Over(regression.Columns(t))
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
