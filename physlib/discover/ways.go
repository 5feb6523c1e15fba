package discover

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

// discoverAll finds the law of all rows of t. It searches t in each suitable way and ranks the laws
// of all searches together. A law whose residuals are rounding errors of calculations is returned
// without ranking, unless another form may be preferred. The ranking keeps to the budget counted
// from start. The searches count theirs from when the table has been prepared.
func discoverAll(ctx context.Context, t *dataset.Table, s Settings, start time.Time) (*Result, error) {
	k := newRanking(t, s)
	k.proposeEarlier(s.earlier)
	waysStart := s.Clock.Now()
	waitForSurvey, stopSurvey := k.surveyAlongside(ctx, s)
	defer stopSurvey()
	if s.Evaluations > 0 { // then the survey has already ended
		s.Evaluations = max(1, s.Evaluations-k.tried)
	}
	found, final, err := k.searchWays(ctx, s, waysStart)
	if err != nil {
		return nil, err
	}
	if final {
		stopSurvey()
		found.Known = k.named(found.Best)
		found.Best.SI = k.inSI(found.Best)
	} else {
		waitForSurvey()
		k.conclude(ctx, s, found, start)
	}
	found.Elapsed = s.Clock.Since(start)
	return found, nil
}

// searchWays searches the table in each suitable way, within a budget that counts from waysStart,
// and proposes the laws found. final reports that the law of found needs no ranking, since it is
// exact; its verdict is set.
func (k *ranking) searchWays(ctx context.Context, s Settings, waysStart time.Time) (found *Result, final bool, err error) {
	ways := waysOf(k.t, s)
	reduced := independent(k.t, s)
	k.relations = reduced.relations
	residualsGrew := false // in the previous search, residuals grew with the target
	for i, w := range ways {
		if w.relative && i > 0 && k.t.Rows() >= growRows && !residualsGrew {
			break
		}
		settings, ok := s.ofWay(ways, i, waysStart, k.t)
		if !ok {
			break
		}
		r := searchTable(ctx, reduced.Table, settings, w.relative)
		exact := r.j.exact(r.j.best()) && !w.noUnits // with noUnits, a law may break the units
		atOnce := exact && !k.competes(r)
		residualsGrew = r.j.residualsGrow()
		res, err := r.finish(found)
		if err != nil {
			return nil, false, err
		}
		if atOnce && r.roundingLeft(res) && !k.fitsRounding(res) {
			res.Verdict = r.exactVerdict(res)
			return res, true, nil
		}
		found = res
		reduced.widen(k.t, res.Finalists) // Best and Front are replaced after the ranking
		k.addLaws(res.Finalists)
		if exact || ctx.Err() != nil { // an exact law is only ranked: no other way is needed
			break
		}
	}
	return found, false, nil
}

// competes reports whether another law may be preferred to the exact one of r, so that it must be
// ranked.
func (k *ranking) competes(r *run) bool {
	return r.j.best().rounded || // other laws may also fit to within the table's rounding
		len(r.s.Statements) > 0 || // the ranking checks the requirements
		k.rareExact || // a form with a rare operator is exact, too
		len(k.relations) > 0 // a column that was left out may give a shorter law
}

// growRows is the least number of rows in which the residuals of the first search must grow with
// the target. Otherwise errors are not taken as proportional to it. In fewer rows, such growth is
// hard to see.
const growRows = 40

// way is the mode of one search: with units or without, with equal or with proportional errors.
type way struct{ noUnits, relative bool }

// waysOf returns the ways to search t, in order.
func waysOf(t *dataset.Table, s Settings) []way {
	if s.Errors == ProportionalErrors && t.Sigma == nil && !s.Noise.Known && !slices.Contains(t.Target.Values, 0) {
		return []way{{false, true}}
	}
	ways := []way{{}}
	units := t.Target.HasUnit && !t.Target.Unit.Dim.IsZero()
	for _, c := range t.Vars {
		units = units || c.HasUnit && !c.Unit.Dim.IsZero()
	}
	if units && !s.NoUnits && t.Rows() <= fewRows {
		ways = append(ways, way{noUnits: true})
	}
	if s.Errors == AnyErrors && manyDecades(t, s) {
		ways = append(ways, way{relative: true})
	}
	return ways
}

// fewRows is the number of rows up to which a table is searched without its units as well. The
// search with units finds late, if at all, forms whose constants carry units within functions.
const fewRows = 400

// fewVars is the largest number of variables for which a search without units gets as much time as
// one with them.
const fewVars = 3

// manyDecades reports whether the target spans so many decades that its errors, if not given, may
// be equal or proportional to its size.
func manyDecades(t *dataset.Table, s Settings) bool {
	const many = 30       // ratio of the largest to the least value
	const mostRows = 5000 // a second search of more rows takes long
	if t.Sigma != nil || s.Noise.Known || t.Rows() > mostRows {
		return false
	}
	lo, hi := math.Inf(1), 0.0
	for _, y := range t.Target.Values {
		if y*t.Target.Values[0] <= 0 {
			return false
		}
		lo, hi = min(lo, math.Abs(y)), max(hi, math.Abs(y))
	}
	return hi > many*lo
}

// ofWay returns the settings of the search in the way of the given index, with its part of the
// budget, which counts from waysStart. ok is false if no time is left.
func (s Settings) ofWay(ways []way, index int, waysStart time.Time, t *dataset.Table) (settings Settings, ok bool) {
	settings = s
	settings.NoUnits = s.NoUnits || ways[index].noUnits
	if s.Time > 0 {
		settings.Time = share(s.Time-s.Clock.Since(waysStart), len(ways)-index, t.Rows(), len(t.Vars))
		if settings.Time <= 0 && index > 0 {
			return settings, false
		}
		settings.Time = max(1, settings.Time)
	}
	if s.Evaluations > 0 {
		later := s.Evaluations / laterPart
		settings.Evaluations = max(1, later) // 0 would mean no limit
		if index == 0 {
			settings.Evaluations = max(1, s.Evaluations-int64(len(ways)-1)*later)
		}
	}
	return settings, true
}

// share returns the part of the time left that the next way to search gets. ways counts the ways
// that are left, the next one included.
//
//   - In a table of up to fewRows rows and fewVars variables, each way gets an equal part.
//   - Otherwise a way before the last gets three quarters, so that the first gets most. In a table
//     with units the first uses them, and they rule out more forms the more variables there are.
//   - The last way gets the time left except for concludeTime, which is at most a sixth. With more
//     than largeRows rows the ranking takes longer: the exception rises to a quarter at twice
//     largeRows.
func share(left time.Duration, ways, rows, vars int) time.Duration {
	switch {
	case rows <= fewRows && vars <= fewVars && ways > 1:
		return left / time.Duration(ways)
	case ways > 1:
		return left / 4 * 3
	}
	more := min(max(rows-largeRows, 0), largeRows)
	return left - max(min(left/6, concludeTime), left/4*time.Duration(more)/largeRows)
}

// largeRows is the number of rows from which ranking laws takes a notable time.
const largeRows = 3000

// finish returns the result of r. It includes the counts and warnings of before. This is the result
// of the previous searches of the same table, or nil if r is the first.
func (r *run) finish(before *Result) (*Result, error) {
	proposers := r.proposed()
	if before != nil {
		for _, text := range before.Warnings {
			r.warn(text)
		}
		r.tally.elsewhere = before.Evaluations
		addProposed(proposers, before.Proposers)
	} else if err := r.failure(); err != nil {
		return nil, fmt.Errorf("discover: %w", err)
	}
	return r.result(proposers), nil
}
