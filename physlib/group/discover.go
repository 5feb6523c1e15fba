package group

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

// Settings of Discover. The zero value searches for discover.DefaultTime.
type Settings struct {
	// Settings of each search for forms. Time and Evaluations limit the whole run.
	Search discover.Settings
	Rule   Rule      // which constants have separate values for each group
	Forms  []law.Law // forms that are compared in addition to the forms that the search finds
	Only   bool      // compare only Forms, without a search

	// Find searches all rows together, and some groups separately; nil: discover.Discover. If it is
	// set, there is no survey of likely forms.
	Find finder
}

// finder searches one table.
type finder = func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error)

// Law is a form, together with its constants for each group.
type Law struct {
	Form   law.Law   // with the constants of the first group
	Shared []bool    // for each slot, whether the constant is the same in all groups
	Groups []law.Law // the law of each group
	Bits   float64   // description length
}

// Result is the result of Discover. Best is empty if no law is better than a constant for each
// group.
type Result struct {
	Best Law
	// Laws of different forms, by ascending description length. Best is the first. If there are
	// many groups, only Best has a law for every group.
	Front []Law
	// For each slot of Best, the number of bits that would be added if the constant were separate
	// instead of shared, or shared instead of separate; NaN: not compared.
	Switch  []float64
	R2      float64 // of Best, on all rows
	RMSE    float64
	Verdict string

	Evaluations int64
	Elapsed     time.Duration
	Stopped     discover.Stop
	Warnings    []string
}

// Discover finds the law for all groups of t's rows. t must not contain the column of the groups
// (see ByColumn). If ctx ends, it returns the best law so far.
func Discover(ctx context.Context, t *dataset.Table, g Groups, s Settings) (*Result, error) {
	began := s.Search.Clock.Now()
	if s.Search.Time == 0 {
		s.Search.Time = discover.DefaultTime
	}
	if len(g.Of) != t.Rows() {
		return nil, fmt.Errorf("group: %d rows have a group and the table has %d", len(g.Of), t.Rows())
	}
	if len(t.Vars) == 0 {
		return nil, errors.New("group: the table has no column besides the target and the group")
	}
	res := &Result{Stopped: discover.StopExhausted}
	some, part := g.some(t)
	j := newJudge(some, part, s.Search, s.Rule)
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
	within, late, cancel := s.Search.Deadlines(ctx, began)
	defer cancel()
	j.choose(within, late, forms, res)
	if len(some.Names) < len(g.Names) && len(res.Best.Groups) > 0 {
		newExtension(j, g, t, res.Best).extend(res)
	}
	if ctx.Err() != nil {
		res.Stopped = discover.StopInterrupted
	}
	res.Elapsed = s.Search.Clock.Since(began)
	return res, nil
}

// Sizes of the search.
const (
	searchedAlone = 4  // number of groups that are searched separately
	compared      = 30 // number of forms that are compared with each choice of shared constants
	refitted      = 16 // number of choices that are fitted precisely
	shown         = 8  // number of laws in a result
	fewest        = 3  // least number of forms that are compared, even if no time is left
)

// search finds forms in all rows together, and in the largest groups separately.
func (j *judge) search(ctx context.Context, find finder, s discover.Settings, res *Result) (forms []form, err error) {
	rows := j.groups.Rows()
	slices.SortStableFunc(rows, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	tables := []*dataset.Table{j.table}
	for _, r := range rows[:min(len(rows), searchedAlone)] {
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
			res.Stopped = discover.StopInterrupted
			break
		}
		if i > 0 && s.Time > 0 && part.Time == 1 { // the search of all rows used up the time
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
		res.Stopped = discover.StopInterrupted
	}
	return forms, nil
}

// add appends the form of a law unless forms already contains it.
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
