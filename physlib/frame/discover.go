package frame

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
	"github.com/physlib/lab/physlib/spelling"
)

// Result is the result of Discover: the whole law and its functions.
type Result struct {
	discover.Result
	Functions []string // functions of the best law, such as "f(theta) = c0*theta**2 + 1"
}

// Discover finds the unknown functions of a law in t. The columns and known constants of t must be
// those with which f was parsed. If ctx ends, it returns the best law so far.
func Discover(ctx context.Context, t *dataset.Table, f *Frame, s discover.Settings) (*Result, error) {
	began := s.Clock.Now()
	if s.Time == 0 {
		s.Time = discover.DefaultTime
	}
	q := newSearch(t, f, s)
	within, cancel := ctx, func() {}
	if s.Time > 0 {
		within, cancel = s.Clock.WithTimeout(ctx, time.Duration(libraryShare*float64(s.Time)))
	}
	q.until(formsEnd)
	states := q.functions(within)
	cancel()
	q.until(searchEnd)
	if len(states) > 0 {
		states = q.deeper(ctx, states, began)
	}
	res := &Result{}
	res.Stopped = discover.StopExhausted
	within, late, end := s.Deadlines(ctx, began)
	defer end()
	q.choose(within, late, states, res)
	q.cut = q.cut || within.Err() != nil
	switch {
	case ctx.Err() != nil:
		res.Stopped = discover.StopInterrupted
	case q.cut:
		res.Stopped = discover.StopTime
	case q.spent:
		res.Stopped = discover.StopEvaluations
	}
	res.Evaluations, res.Elapsed = q.tried, s.Clock.Since(began)
	return res, nil
}

// deeper solves the law for the values of each function, if this is possible, and searches for the
// function in the table of these values. It returns the states found, followed by states.
func (q *search) deeper(ctx context.Context, states []state, began time.Time) []state {
	var found []state
	n := len(q.frame.Functions)
	for i := range q.frame.Functions {
		set := q.s
		set.Statements, set.Shape, set.Resume, set.Progress = nil, require.Shape{}, nil, q.s.Progress
		set.Noise = discover.Noise{}
		// The table already has standard errors that account for proportional and for counting
		// errors (see sizeAt), so the search needs no model for them.
		if set.Errors != discover.HeavyErrors {
			set.Errors = discover.AnyErrors
		}
		if q.s.Time > 0 {
			set.Time = q.left(began, 0.8) / time.Duration(n-i)
			if set.Time <= 0 {
				break
			}
		}
		if q.s.Evaluations > 0 {
			if set.Evaluations = int64(q.room(math.MaxInt32) / (n - i)); set.Evaluations < leastSearch {
				break
			}
		}
		if ctx.Err() != nil {
			break
		}
		best := q.fit(ctx, q.m, states[:1], mdl.Effort{Starts: 1, Done: ctx.Done()})
		if len(best) == 0 {
			continue
		}
		found = append(found, q.searchFunction(ctx, best[0], i, set)...)
	}
	return append(found, states...)
}

// choose compares the laws in states more precisely and sets the result. It stops comparing when
// the context within ends, but compares at least a few laws. The fits of these few laws to all rows
// may continue until the context late ends.
func (q *search) choose(within, late context.Context, states []state, res *Result) {
	q.until(compareEnd)
	quickly, cancel := clock.Share(within, quickShare)
	defer cancel()
	always := context.WithoutCancel(within)
	quick := q.fitAll(quickly, always, q.part, states, mdl.Effort{Starts: 1, Quick: true})
	q.until(reduceEnd)
	for range 2 {
		var more []state
		for _, s := range quick[:min(len(quick), simplified)] {
			more = append(more, q.reduced(s)...)
		}
		quick = q.distinct(append(quick, q.fit(quickly, q.part, more, mdl.Effort{Starts: 1, Quick: true})...))
	}
	q.until(adaptEnd)
	var more []state
	for _, s := range quick {
		more = append(more, q.adapted(s)...)
	}
	quick = q.distinct(append(quick, q.fitAll(quickly, always, q.part, more, mdl.Effort{Starts: 2, Quick: true})...))
	names := q.frame.columns
	quick = slices.DeleteFunc(quick, func(s state) bool { return !q.permits(s, q.part, require.NewTable(names, q.part.Cols[:len(names)])) })
	starts := 4
	if q.part.Rows() < q.m.Rows() { // the fits to all rows start from those to fewer rows
		starts = 1
	}
	quick = quick[:min(len(quick), compared)]
	q.until(1)
	m := q.m
	list := q.fitAll(within, late, m, quick, mdl.Effort{Starts: starts, Final: true})
	if len(list) == 0 && len(quick) > 0 && late.Err() != nil {
		m, list = q.part, quick
		if q.part.Rows() < q.m.Rows() {
			res.Warnings = append(res.Warnings, fmt.Sprintf("the run ended before a law was fitted to all %d rows; it is fitted to %d, evenly spaced; give more --time", q.m.Rows(), q.part.Rows()))
		}
	}
	where := require.NewTable(names, q.m.Cols[:len(names)])
	list = q.different(slices.DeleteFunc(list, func(s state) bool { return !q.permits(s, q.m, where) }))
	base := m.Scorer().Constant()
	if len(list) == 0 || list[0].bits > base.Bits {
		res.Verdict = fmt.Sprintf("no law: nothing of the form %s describes %s clearly better than a constant", q.frame.Text, q.table.Target.Name)
		if len(q.s.Statements) > 0 || q.s.MaxComplexity > 0 {
			res.Verdict += " and satisfies all requirements"
		}
		res.Probability = math.NaN()
		return
	}
	for _, s := range list {
		l := q.law(s)
		res.Finalists = append(res.Finalists, l)
		if len(res.Front) < shown {
			res.Front = append(res.Front, l)
		}
	}
	slices.SortStableFunc(res.Front, func(a, b law.Law) int { return cmp.Compare(a.Complexity, b.Complexity) })
	res.Best, res.ErrorModel, res.Probability = res.Finalists[0], list[0].score.Model.String(), math.NaN()
	res.Functions = q.texts(list[0])
	res.Verdict = q.verdict(list, res.Best)
}

// quickShare is the fraction of the remaining time that the quick comparison of laws may take.
const quickShare = 0.5

// atLeast is the least number of laws that are compared, even if no time is left.
const atLeast = 8

// fitAll fits states until ctx ends. The fits of the first atLeast states may continue until late
// ends.
func (q *search) fitAll(ctx, late context.Context, m *mdl.Data, states []state, e mdl.Effort) []state {
	n := min(len(states), atLeast)
	e.Done = late.Done()
	out := q.fit(late, m, states[:n], e)
	e.Done = ctx.Done()
	out = append(out, q.fit(ctx, m, states[n:], e)...)
	slices.SortStableFunc(out, func(a, b state) int { return cmp.Compare(a.bits, b.bits) })
	return out
}

// law returns the law of a state, in the columns of the table.
func (q *search) law(s state) law.Law {
	l := discover.NewLaw(q.table, q.m, s.score, s.by)
	taken := slices.Clone(q.frame.columns)
	for i, k := range q.frame.constants {
		l.Constants[i].Name = k.Name
		taken = append(taken, k.Name)
	}
	next := 0
	for i := len(q.frame.constants); i < len(l.Constants); i++ {
		for slices.Contains(taken, fmt.Sprint("c", next)) {
			next++
		}
		l.Constants[i].Name = fmt.Sprint("c", next)
		next++
	}
	return l
}

// texts returns the functions of a state as text, with the names that their constants have in the
// law.
func (q *search) texts(s state) (out []string) {
	names := q.law(s).Constants[len(q.frame.constants):]
	for i, g := range q.frame.Functions {
		form := s.forms[i]
		k := form.NumParams()
		vars := slices.Clone(g.Args)
		for _, c := range names[:k] {
			vars = append(vars, c.Name)
		}
		names = names[k:]
		shown := law.Law{Tree: form.ParamsAsVars(len(g.Args)), Vars: vars}
		out = append(out, fmt.Sprintf("%s(%s) = %s", g.Name, strings.Join(g.Args, ", "), shown.Display(0)))
	}
	return out
}

// verdict returns one line that compares the law best with the other laws.
func (q *search) verdict(list []state, best law.Law) string {
	text := "the only functions that fit"
	if q.cut || q.s.Evaluations > 0 {
		text = "the search ended before they were compared with other functions"
	}
	if len(list) > 1 {
		text = fmt.Sprintf("the next different functions are %.1f bits worse", list[1].bits-list[0].bits)
	}
	if n, k := q.m.Rows(), len(list[0].params); !discover.Testable(n, k) {
		text = "a guess: " + discover.Untested(n, spelling.Count(n, "row"), k) + "; " + text
	}
	text += "; R² = " + law.ShortR2(best.R2, 4)
	if q.m.HasUnits() {
		text += "; " + discover.Balance(best, q.table)
	}
	return text
}
