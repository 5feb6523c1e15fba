package discover

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// The search for rows that contradict the others: how many turns it has and which share of the
// budget the first and all of them may take, and after which laws of all rows with heavy tails are
// looked for; how many laws a turn hears of from the one before; how long, against the time that a
// law took which leaves noise, and at least, one is looked for that needs no row left out; how many
// rows times laws are fitted anew to tell which rows the laws leave out.
const (
	outlierTurns = 4
	firstTurn    = 0.75
	allTurns     = 0.85
	tailedFrom   = 0.9
	passedOn     = 20
	secondLook   = 2
	leastLook    = 3 * time.Second
	refits       = 60 * 2000
)

// contradicted finds the law behind t, in which the rows out look like gross errors. The others are
// searched first. What their laws leave in all rows tells which rows contradict them; these are
// left out of the next turn, until they stay the same. A law that is exact without them is the
// answer. Any other must describe the table in fewer bits, the rows that it leaves out as they
// stand, than what is found when no row is left out.
func contradicted(ctx context.Context, t *dataset.Table, s Settings, out []int, start time.Time) (*Result, error) {
	first := s
	if s.Time > 0 {
		first.Time = time.Duration(tailedFrom * float64(s.Time))
	}
	found, err := agreed(ctx, t, first, out, start)
	if err != nil || len(found.Outliers) == 0 {
		return found, err
	}
	if all := tailed(ctx, t, s.part(start, 1, found), found); all != nil {
		return all, nil
	}
	v := newView(t, found)
	if best := found.Best; best.Tree.Len() > 0 {
		_, far := v.contradictions(new(fit.Fitter), best.Tree.WithStarts(best.Params()))
		// where the time was over, some may have been left out that agree with the law found
		found.Outliers = outlier.Both(found.Outliers, far)
	}
	if len(found.Outliers) > 0 {
		found.tellOutliers(v)
	}
	return found, nil
}

// tailed is the result of all rows, errors with heavy tails allowed, where that describes the table
// in fewer bits than what was found without some rows, or where these rows are next to one another:
// a law fails over a stretch of rows, slips stand alone. nil otherwise, and where the law is exact
// without them.
func tailed(ctx context.Context, t *dataset.Table, s Settings, found *Result) *Result {
	cut := outlier.Stuck(t.Target.Values)
	stretch := longestRun(outlier.Except(found.Outliers, cut)) >= 3
	if !stretch && (found.bits == 0 || len(outlier.Except(found.Outliers, cut)) == 0) {
		return nil
	}
	slips := found.slips(t)
	k := newRanking(t, s)
	for _, l := range found.Finalists {
		k.add(l.Tree.WithStarts(l.Params()), l.Proposer)
	}
	if k.surveys(s) {
		within, cancel := s.within(ctx, 1)
		k.survey(within, s)
		cancel()
	}
	k.choose(context.WithoutCancel(ctx), func() bool { return ctx.Err() != nil })
	all := *found
	all.Outliers = nil
	k.fill(&all)
	if !stretch && (all.Best.Tree.Len() == 0 || all.bits > found.bits+found.apart(t, slips)) {
		return nil
	}
	all.Verdict = k.verdict(&all)
	return &all
}

// longestRun is the length of the longest run of rows, which are in order, that follow one another.
func longestRun(rows []int) int {
	longest, run := 0, 0
	for i, r := range rows {
		if run++; i > 0 && r != rows[i-1]+1 {
			run = 1
		}
		longest = max(longest, run)
	}
	return longest
}

// agreed is contradicted except for what is said of the rows left out.
func agreed(ctx context.Context, t *dataset.Table, s Settings, out []int, start time.Time) (*Result, error) {
	var found *Result
	var bits float64
	for turn := range outlierTurns {
		share := allTurns
		if turn == 0 {
			share = firstTurn
		}
		next, err := without(ctx, t, s.part(start, share, found), out, found)
		if err != nil {
			return nil, err
		}
		found = next
		var clear law.Law
		var better []int
		if clear, better, bits = clearest(t, next); clear.Tree.Len() == 0 || slices.Equal(better, out) || ctx.Err() != nil || s.over(start, allTurns, next) {
			break
		}
		found.Finalists = append([]law.Law{clear}, found.Finalists...)
		out = better
	}
	if len(found.Outliers) > 0 && len(found.slips(t)) == len(found.Outliers) {
		return found, nil
	}
	cut := found.Stopped == "time" || found.Stopped == "evaluations"
	if found.Stopped == "exact" || len(found.Outliers) == 0 && !cut || ctx.Err() != nil || s.over(start, 1, found) {
		return found, nil
	}
	rest := s.part(start, 1, found)
	if found.Stopped == "settled" && rest.Time > 0 {
		rest.Time = min(rest.Time, max(leastLook, secondLook*found.Elapsed))
	}
	all, err := without(ctx, t, rest, nil, found)
	if err != nil {
		return nil, err
	}
	if v := newView(t, all); v.bits(all.Best.Tree.WithStarts(all.Best.Params()), all.Best.Complexity, nil) <= bits {
		return all, nil
	}
	found.Evaluations, found.Elapsed, found.Proposers = all.Evaluations, all.Elapsed, all.Proposers
	return found, nil
}

// determination is R² of a law on all rows of t.
func determination(l law.Law, t *dataset.Table) float64 {
	f := make([]float64, t.Rows())
	expr.Compile(l.Tree).Eval(f, columns(t), l.Params())
	y := t.Target.Values
	left := 0.0
	for i, v := range y {
		left += (v - f[i]) * (v - f[i])
	}
	_, r2 := law.Quality(left, y)
	return r2
}

// tellOutliers says which rows were left out, and at which of them the target seems to be cut off.
func (found *Result) tellOutliers(v *view) {
	t, rest, y := v.t, found.Outliers, v.t.Target
	var told []string
	if best := found.Best; best.Tree.Len() > 0 {
		cut := v.beyond(v.residuals(best.Tree.WithStarts(best.Params())), found.Outliers, 0)
		rest = outlier.Except(rest, cut)
		for _, end := range []struct {
			name, more, as string
			value          float64
		}{{"largest", "more", "min", slices.Max(y.Values)}, {"least", "less", "max", slices.Min(y.Values)}} {
			if at := slices.DeleteFunc(slices.Clone(cut), func(i int) bool { return y.Values[i] != end.value }); len(at) > 0 {
				told = append(told, fmt.Sprintf("%s %s the %s %s, %.6g, where the law gives %s, and %s left out: %s is cut off there, as %s(law, %.6g)",
					t.RowNames(at), plural(at, "has", "have"), end.name, y.Name, end.value, end.more, plural(at, "was", "were"), y.Name, end.as, end.value))
			}
		}
	}
	slips := found.slips(t)
	for _, i := range found.Outliers {
		if s, ok := slips[i]; ok && slices.Contains(rest, i) {
			told, rest = append(told, tellSlip(t, s)), outlier.Except(rest, []int{i})
		}
	}
	if len(rest) > 0 {
		var said []float64
		if found.Best.Tree.Len() > 0 {
			said = Predict(found.Best, t.Subset(rest))
		}
		var values []string
		for k, i := range rest[:min(len(rest), dataset.NamedRows)] {
			values = append(values, fmt.Sprintf("%.6g", y.Values[i]))
			if said != nil {
				values[k] += fmt.Sprintf(" where the law gives %.6g", said[k])
			}
		}
		told = append(told, fmt.Sprintf("%s %s far from what the other %d tell and %s left out (%s: %s)", t.RowNames(rest), plural(rest, "is", "are"),
			t.Rows()-len(found.Outliers), plural(rest, "was", "were"), y.Name, strings.Join(values, ", ")))
	}
	found.Verdict += fmt.Sprintf("; %s %s left out", t.RowNames(found.Outliers), plural(found.Outliers, "was", "were"))
	if found.Best.Tree.Len() > 0 {
		found.Verdict += fmt.Sprintf(", of all rows R² = %.4g", determination(found.Best, t))
	}
	found.Warnings = append(told, found.Warnings...)
}

// plural is the word for as many rows.
func plural(rows []int, one, more string) string {
	if len(rows) == 1 {
		return one
	}
	return more
}

// part is s for what may go on until a share of the whole budget is used, after what was found.
func (s Settings) part(start time.Time, share float64, found *Result) Settings {
	p := s
	used := int64(0)
	if found != nil {
		used = found.Evaluations
		p.simple = found.Stopped == "exact"
		p.Resume = append(slices.Clone(found.Finalists[:min(len(found.Finalists), passedOn)]), s.Resume...)
	}
	if s.Time > 0 {
		p.Time = max(1, time.Duration(share*float64(s.Time))-s.Clock.Since(start))
	}
	if s.Evaluations > 0 {
		p.Evaluations = max(1, int64(share*float64(s.Evaluations))-used)
	}
	if s.Progress != nil {
		p.Progress = func(now Progress) {
			now.Evaluations += used
			now.Elapsed = s.Clock.Since(start)
			if s.Time > 0 {
				now.Left = max(0, s.Time-now.Elapsed)
			}
			s.Progress(now)
		}
	}
	return p
}

// over reports whether a share of the whole budget is used.
func (s Settings) over(start time.Time, share float64, found *Result) bool {
	return s.Time > 0 && s.Clock.Since(start) >= time.Duration(share*float64(s.Time)) ||
		s.Evaluations > 0 && found.Evaluations >= int64(share*float64(s.Evaluations))
}

// without searches t without the rows out, after what was found before.
func without(ctx context.Context, t *dataset.Table, s Settings, out []int, before *Result) (*Result, error) {
	part := t
	if len(out) > 0 {
		s.places = outlier.Others(t.Rows(), out)
		part = t.Subset(s.places)
	}
	began := s.Clock.Now()
	res, err := searched(ctx, part, s, began)
	if err != nil {
		return nil, err
	}
	res.Outliers = out
	if before != nil {
		res.Evaluations += before.Evaluations
		res.Elapsed += before.Elapsed
		for i, p := range before.Proposers {
			res.Proposers[i].Laws += p.Laws
			res.Proposers[i].After = p.After
		}
	}
	return res, nil
}

// clearest is the law among those of a run that describes t in the fewest bits, its constants
// fitted to the rows that do not contradict it, and the rows that do; no law and the rows that the
// run left out where a constant does as well.
func clearest(t *dataset.Table, found *Result) (best law.Law, out []int, bits float64) {
	v := newView(t, found)
	out, bits = found.Outliers, v.bits(expr.Tree{}, 0, found.Outliers)
	var f fit.Fitter
	for i, l := range found.Finalists {
		if i >= 3 && i*t.Rows() > refits {
			break
		}
		tree, rows := v.contradictions(&f, l.Tree.WithStarts(l.Params()))
		if b := v.bits(tree, l.Complexity, rows); b < bits {
			best, out, bits = l, rows, b
			best.Tree, best.Constants = tree, nil
		}
	}
	return best, out, bits
}
