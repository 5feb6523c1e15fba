package discover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

// Candidates searches t as Discover does, in the units of the table and with all rows, and returns
// what was found without choosing among it: for callers that score laws by themselves. Its Verdict
// is empty.
func Candidates(ctx context.Context, t *dataset.Table, s Settings) (*Result, error) {
	start := time.Now()
	if t.Rows() < 2 || len(t.Vars) == 0 {
		return nil, errors.New("discover: a law needs at least two rows and a column besides the target")
	}
	if v := t.Target.Values; slices.Min(v) == slices.Max(v) {
		return &Result{Stopped: "exhausted", Elapsed: time.Since(start)}, nil
	}
	if _, err := s.chosen(); err != nil {
		return nil, fmt.Errorf("discover: %w", err)
	}
	if s.Time == 0 {
		s.Time = time.Minute
	}
	s.Resume = foremost(s.Resume)
	r := discover(ctx, t, s, start, false)
	res, err := r.finish(ctx, nil, start)
	if err != nil {
		return nil, err
	}
	res.Elapsed = time.Since(start)
	return res, nil
}
