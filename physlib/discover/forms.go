package discover

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// surveyed is what the survey of a table has done so far. The survey fits the likeliest forms of
// laws.
type surveyed struct {
	forms   int64   // number of forms fitted
	covered float64 // share of the likeliest forms that were fitted
	// An exact form has a rare operator, so the first exact law does not end the run.
	rareExact bool
}

// surveyRare fits forms with the rare operators that the user allows (see survey.Rare), and keeps
// the best as proposals.
func (k *ranking) surveyRare(ctx context.Context) surveyed {
	if !k.wantsSurvey() {
		return surveyed{}
	}
	tried, _, exact := k.fitForms(ctx, survey.Rare(k.m, dataset.Listed(k.s.Ops)))
	return surveyed{forms: tried, rareExact: exact}
}

// survey fits the likeliest forms until ctx ends, and keeps the best as proposals. It returns what
// the survey has done, including before.
func (k *ranking) survey(ctx context.Context, b budget, before surveyed) surveyed {
	if !k.wantsSurvey() {
		return before
	}
	most := int64(0) // no limit
	if b.counted() {
		most = max(1, b.evaluations/surveyedPart)
	}
	tried, share, _ := k.fitForms(ctx, survey.Candidates(k.m, most))
	before.forms, before.covered = before.forms+tried, share
	return before
}

// surveying is a survey that runs alongside the searches, or has ended.
type surveying struct {
	begin, end context.CancelFunc
	done       chan struct{} // closed when the survey has ended
	result     surveyed      // valid once done is closed
}

// startSurvey starts a survey alongside the searches. It begins after surveyDelay, unless a search
// finds an exact law at once, and ends with ctx. With a budget of evaluations, it is done before
// the searches, so that equal runs are equal.
func (k *ranking) startSurvey(ctx context.Context, b budget, before surveyed) *surveying {
	ctx, end := context.WithCancel(ctx)
	begun, begin := context.WithCancel(ctx)
	s := &surveying{begin: begin, end: end, done: make(chan struct{}), result: before}
	go func() {
		defer close(s.done)
		delay, cancel := b.clock.WithTimeout(begun, b.surveyDelay())
		defer cancel()
		<-delay.Done()
		if ctx.Err() == nil {
			s.result = k.survey(ctx, b, before)
		}
	}()
	if b.counted() {
		s.wait()
	}
	return s
}

// wait lets the survey begin now, if it has not begun, and waits for its end.
func (s *surveying) wait() surveyed {
	s.begin()
	<-s.done
	return s.result
}

// stop ends the survey early.
func (s *surveying) stop() surveyed {
	s.end()
	return s.wait()
}

// surveyDelay returns the time before the survey begins. Most exact laws are found within this
// time, so that no survey is needed.
func (b budget) surveyDelay() time.Duration {
	if !b.timed() {
		return latestSurvey
	}
	return min(latestSurvey, b.timeShare(surveyStart))
}

// wantsSurvey reports whether the likeliest forms are fitted. They are fitted only if the table has
// so few rows that the fits take at most a second or two.
func (k *ranking) wantsSurvey() bool {
	names, err := k.s.proposerNames()
	return err == nil && slices.Contains(names, Forms) && k.t.Rows() <= survey.MostRows
}

// proposeLikeliest fits the likeliest forms if nothing was proposed, even if no time is left. It
// returns the number of forms fitted.
func (k *ranking) proposeLikeliest(ctx context.Context) (tried int64) {
	if len(k.proposals) == 0 && k.wantsSurvey() && !errors.Is(ctx.Err(), context.Canceled) {
		tried, _, _ = k.fitForms(context.WithoutCancel(ctx), survey.Candidates(k.m, leastForms))
	}
	return tried
}

// leastForms is the number of likeliest forms that proposeLikeliest fits.
const leastForms = 60

// fitForms fits forms until ctx ends and keeps the best as proposals. It returns the number and the
// share of the forms that it fitted, and whether one of them is exact.
func (k *ranking) fitForms(ctx context.Context, forms []expr.Tree) (tried int64, share float64, exact bool) {
	forms = k.shaped(forms)
	found, fitted := survey.Fit(ctx, k.m, forms, surveyedForms, mdl.Effort{Starts: 3, Quick: true})
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, f := range found {
		if !k.s.allows(f.Score) {
			continue
		}
		exact = exact || k.m.Exact(f.Score)
		if i < searchLeaders {
			k.leaders[f.Tree.Hash()] = true
		}
		k.addForm(f.Tree, Forms)
	}
	return int64(fitted), float64(fitted) / float64(max(len(forms), 1)), exact
}

// surveyedForms is the number of forms that a survey proposes.
const surveyedForms = 90

// allows reports whether a law has only allowed operators and does not exceed the allowed
// complexity.
func (s Settings) allows(c mdl.Score) bool {
	p := dataset.Problem{Ops: s.Ops}
	return p.Allows(c.Tree) && (s.MaxComplexity == 0 || c.Complexity() <= s.MaxComplexity)
}
