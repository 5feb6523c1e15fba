package discover

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// surveyAlongside starts the survey: it fits the likeliest forms while the searches run, unless a
// search finds an exact law at once. With a budget of evaluations it fits them before the searches.
// Forms with rare operators that the user allows come first (see survey.Rare). wait waits for the
// survey to end, and stop ends it early.
func (k *ranking) surveyAlongside(ctx context.Context, b budget) (wait, stop func()) {
	if !k.wantsSurvey() {
		return func() {}, func() {}
	}
	within, cancel := b.within(ctx, surveyShare)
	if rare := survey.Rare(k.m, dataset.Listed(k.s.Ops)); len(rare) > 0 {
		_, k.rareExact = k.fitTrees(within, rare)
	}
	if b.counted() {
		k.survey(within, b)
		cancel()
		return func() {}, func() {}
	}
	done, now := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-within.Done():
		case <-now:
		case <-time.After(b.surveyDelay()):
		}
		if within.Err() == nil {
			k.survey(within, b)
		}
	}()
	var once sync.Once
	wait = func() {
		once.Do(func() {
			close(now)
			<-done
			cancel()
		})
	}
	return wait, func() {
		cancel()
		wait()
	}
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

// survey fits the likeliest forms until ctx ends, and keeps the best as proposals.
func (k *ranking) survey(ctx context.Context, b budget) {
	most := int64(0) // no limit
	if b.counted() {
		most = max(1, b.evaluations/surveyedPart)
	}
	k.covered = k.fitForms(ctx, most)
}

// proposeLikeliest fits the likeliest forms if nothing was proposed, even if no time is left.
func (k *ranking) proposeLikeliest(ctx context.Context) {
	if len(k.proposals) == 0 && k.wantsSurvey() && !errors.Is(ctx.Err(), context.Canceled) {
		k.fitForms(context.WithoutCancel(ctx), leastForms)
	}
}

// leastForms is the number of likeliest forms that proposeLikeliest fits.
const leastForms = 60

// fitForms fits the likeliest forms, at most the given number if that is not 0, and keeps the best
// as proposals. It returns the share of the forms that it fitted before ctx ended.
func (k *ranking) fitForms(ctx context.Context, most int64) (share float64) {
	share, _ = k.fitTrees(ctx, survey.Candidates(k.m, most))
	return share
}

// fitTrees fits trees and keeps the best as proposals. It returns the share of the trees that it
// fitted before ctx ended, and whether one of them is exact.
func (k *ranking) fitTrees(ctx context.Context, trees []expr.Tree) (share float64, exact bool) {
	trees = k.shaped(trees)
	found, fitted := k.m.ScoreAll(ctx, trees, surveyedForms, mdl.Effort{Starts: 3, Quick: true})
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried += int64(fitted)
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
	return float64(fitted) / float64(max(len(trees), 1)), exact
}

// surveyedForms is the number of forms that a survey proposes.
const surveyedForms = 90

// allows reports whether a law has only allowed operators and does not exceed the allowed
// complexity.
func (s Settings) allows(c mdl.Score) bool {
	p := dataset.Problem{Ops: s.Ops}
	return p.Allows(c.Tree) && (s.MaxComplexity == 0 || c.Complexity() <= s.MaxComplexity)
}
