package discover

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
)

// Discover finds the law behind t, which is Result.Best. If ctx ends or the time is up, it returns
// the best law so far and no error. An error means that t cannot be searched, that the settings are
// wrong, or that all Proposers failed.
func Discover(ctx context.Context, t *dataset.Table, s Settings) (*Result, error) {
	start := s.Clock.Now()
	if done, err := s.checkAndDefault(t); done != nil || err != nil {
		return done, err
	}
	if len(s.XSigma) > 0 {
		return discoverErrorsInX(ctx, t, s)
	}
	// The caller's laws are kept in s.earlier for the ranking, since nextSearch adds laws of the
	// previous search to s.Resume.
	s.earlier = s.Resume
	if !s.AllRows {
		if out := s.suspects(t); out != nil {
			return discoverTrimmed(ctx, t, s, out, start)
		}
	}
	return discoverAll(ctx, t, s, start)
}

// checkAndDefault checks the table and the settings, and fills in defaults. done is the result if
// there is nothing to search because the target is constant, otherwise nil.
func (s *Settings) checkAndDefault(t *dataset.Table) (done *Result, err error) {
	if t.Rows() < 2 {
		return nil, errors.New("discover: a law needs at least two rows")
	}
	if len(t.Vars) == 0 {
		return nil, errors.New("discover: the table has no column besides the target")
	}
	if v := t.Target.Values; slices.Max(v)-slices.Min(v) <= sameValue*floats.Norm(v, math.Inf(1)) {
		return &Result{Stopped: Exhausted, Verdict: "no law: " + t.Target.Name + " is the same in every row"}, nil
	}
	if _, err := s.proposerNames(); err != nil {
		return nil, fmt.Errorf("discover: %w", err)
	}
	if s.Time == 0 {
		s.Time = time.Minute
	}
	s.Resume = bestEarlier(s.Resume)
	return nil, nil
}

// sameValue is the relative variation that rounding errors of calculations may cause in a constant
// target.
const sameValue = 1e-14
