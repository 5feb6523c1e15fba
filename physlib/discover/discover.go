package discover

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
)

// Discover finds the law behind t, which is Result.Best. If ctx ends or the time is up, it returns
// the best law so far and no error. An error means that t cannot be searched, that the settings are
// wrong, or that all Proposers failed.
func Discover(ctx context.Context, t *dataset.Table, s Settings) (*Result, error) {
	w := newTask(t, s)
	found, err := check(t, s)
	switch {
	case found != nil || err != nil:
		return found, err
	case len(s.XSigma) > 0:
		found, err = discoverErrorsInX(ctx, w)
	default:
		found, err = discoverTable(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	found.Elapsed = w.budget.elapsed()
	return found, nil
}

// discoverTable finds the law of a table whose columns, except the target, have no errors.
func discoverTable(ctx context.Context, w task) (*Result, error) {
	if !w.s.AllRows {
		if out := w.s.suspects(w.t); out != nil {
			return discoverTrimmed(ctx, w, out)
		}
	}
	return searchAndRank(ctx, w)
}

// check checks the table and the settings. done is the result if there is nothing to search because
// the target is constant, otherwise nil.
func check(t *dataset.Table, s Settings) (done *Result, err error) {
	if t.Rows() < 2 {
		return nil, errors.New("discover: a law needs at least two rows")
	}
	if len(t.Vars) == 0 {
		return nil, errors.New("discover: the table has no column besides the target")
	}
	if v := t.Target.Values; slices.Max(v)-slices.Min(v) <= sameValue*floats.Norm(v, math.Inf(1)) {
		return &Result{Stopped: StopExhausted, Verdict: "no law: " + t.Target.Name + " is the same in every row"}, nil
	}
	if _, err := s.proposerNames(); err != nil {
		return nil, fmt.Errorf("discover: %w", err)
	}
	return nil, nil
}

// sameValue is the relative variation that rounding errors of calculations may cause in a constant
// target.
const sameValue = 1e-14
