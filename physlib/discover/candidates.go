package discover

import (
	"context"

	"github.com/physlib/lab/physlib/dataset"
)

// Candidates searches t as Discover does, but keeps the units of the table and all rows. It returns
// the laws found without choosing one, for callers that score laws themselves. The Verdict is
// empty.
func Candidates(ctx context.Context, t *dataset.Table, s Settings) (*Result, error) {
	w := newTask(t, s)
	if done, err := check(t, s); done != nil || err != nil {
		return done, err
	}
	r := searchTable(ctx, w, way{})
	res, err := r.finish(nil)
	if err != nil {
		return nil, err
	}
	res.Elapsed = w.budget.elapsed()
	return res, nil
}
