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

// surveyResult is what a survey of a table found. A survey fits the likeliest forms of laws.
type surveyResult struct {
	made    bool         // whether forms were fitted
	forms   int64        // number of forms fitted
	covered float64      // share of the likeliest forms that were fitted
	best    []mdl.Scored // the best forms, by rising description length
}

// surveyRare fits forms with the rare operators that the user allows (see survey.Rare).
func (k *ranking) surveyRare(ctx context.Context) surveyResult {
	if !k.wantsSurvey() {
		return surveyResult{}
	}
	return k.fitForms(ctx, survey.Rare(k.m, dataset.Listed(k.s.Ops)))
}

// hasExact reports whether a form of s is exact.
func (k *ranking) hasExact(s surveyResult) bool {
	return slices.ContainsFunc(s.best, func(f mdl.Scored) bool { return k.m.Exact(f.Score) })
}

// survey fits the likeliest forms until ctx ends.
func (k *ranking) survey(ctx context.Context, b budget) surveyResult {
	if !k.wantsSurvey() {
		return surveyResult{}
	}
	most := int64(0) // no limit
	if b.counted() {
		most = max(1, b.evaluations/surveyedPart)
	}
	return k.fitForms(ctx, survey.Candidates(k.m, most))
}

// runningSurvey is a survey that runs alongside the searches, or has ended.
type runningSurvey struct {
	begin, end context.CancelFunc
	done       chan struct{} // closed when the survey has ended
	result     surveyResult  // valid once done is closed
}

// startSurvey starts a survey alongside the searches. It begins after surveyDelay, unless a search
// finds an exact law at once, and ends with ctx. With a budget of evaluations, it is done before
// the searches, so that equal runs are equal.
func (k *ranking) startSurvey(ctx context.Context, b budget) *runningSurvey {
	ctx, end := context.WithCancel(ctx)
	begun, begin := context.WithCancel(ctx)
	s := &runningSurvey{begin: begin, end: end, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		delay, cancel := b.clock.WithTimeout(begun, b.surveyDelay())
		defer cancel()
		<-delay.Done()
		if ctx.Err() == nil {
			s.result = k.survey(ctx, b)
		}
	}()
	if b.counted() {
		s.wait()
	}
	return s
}

// wait lets the survey begin now, if it has not begun, and waits for its end.
func (s *runningSurvey) wait() surveyResult {
	s.begin()
	<-s.done
	return s.result
}

// stop ends the survey early.
func (s *runningSurvey) stop() surveyResult {
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

// proposeLikeliest fits the likeliest forms and proposes the best, even if no time is left, if
// nothing was proposed. It returns the number of forms fitted.
func (k *ranking) proposeLikeliest(ctx context.Context) (tried int64) {
	if len(k.proposals) > 0 || !k.wantsSurvey() || errors.Is(ctx.Err(), context.Canceled) {
		return 0
	}
	likeliest := k.fitForms(context.WithoutCancel(ctx), survey.Candidates(k.m, leastForms))
	k.addSurveyed(likeliest)
	return likeliest.forms
}

// leastForms is the number of likeliest forms that proposeLikeliest fits.
const leastForms = 60

// fitForms fits forms until ctx ends. It may run at the same time as methods that add proposals.
func (k *ranking) fitForms(ctx context.Context, forms []expr.Tree) surveyResult {
	forms = k.shaped(forms)
	found, fitted := survey.Fit(ctx, k.m, forms, surveyedForms, mdl.Effort{Starts: 3, Quick: true})
	best := slices.DeleteFunc(found, func(f mdl.Scored) bool {
		return !k.required.operators.Allows(f.Tree) || k.required.tooComplex(f.Complexity())
	})
	return surveyResult{true, int64(fitted), float64(fitted) / float64(max(len(forms), 1)), best}
}

// addSurveyed proposes the best forms of a survey.
func (k *ranking) addSurveyed(s surveyResult) {
	for i, f := range s.best {
		if i < fitFirstOfSearch {
			k.fitFirst[f.Tree.Hash()] = true
		}
		k.addForm(f.Tree, Forms)
	}
}

// surveyedForms is the number of forms that a survey proposes.
const surveyedForms = 90
