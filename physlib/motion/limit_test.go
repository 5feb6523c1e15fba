package motion

import (
	"context"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/expr"
)

// hunted returns a search for the laws of predators, with the laws fitted.
func hunted(t *testing.T) *searcher {
	table, f := predators(t, 0.05)
	tr, _, err := Read(table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, d: tr.data(t.Context(), nil), names: []string{"x", "y"}}
	sr.wins = sr.d.windows(windowLength, mostWhole)
	for _, rate := range f.Rates {
		sr.best = append(sr.best, &candidate{tree: rate})
	}
	sr.shot, _ = sr.evaluate(sr.best, nil, nil)
	return sr
}

// After the time limit, neither the final fits nor the tests of the verdict begin.
func TestAfterTimeLimit(t *testing.T) {
	sr := hunted(t)
	sr.s.Time, sr.began = time.Minute, time.Now().Add(-time.Minute)
	s := &system{searcher: sr, trees: []expr.Tree{sr.best[0].tree, sr.best[1].tree}, wins: sr.wins, shot: sr.shot}
	s.snap(t.Context())
	if s.shot != sr.shot {
		t.Error("constants are replaced after the time limit")
	}
	if s.whole(t.Context()) {
		t.Error("whole runs are fitted after the time limit")
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	ev := sr.evidence(late, "time")
	if ev.g != nil {
		t.Error("the system is linearized after the time limit")
	}
	if list := sr.missingObjections(late, 0, ev); len(list) != 1 {
		t.Errorf("objections %v, want one that no time was left", list)
	}
}

// The table of a rate is made again only if the derivatives change, and columns that a search adds
// to it are not kept.
func TestTableKept(t *testing.T) {
	sr := hunted(t)
	a, _ := sr.table(0)
	a.Vars = append(a.Vars, a.Target)
	b, _ := sr.table(0)
	if &a.Target.Values[0] != &b.Target.Values[0] || len(b.Vars) != 2 {
		t.Errorf("a new table, or one of %d columns", len(b.Vars))
	}
	sr.correct(t.Context())
	if c, _ := sr.table(0); &a.Target.Values[0] == &c.Target.Values[0] {
		t.Error("the table is not made again after the derivatives were corrected")
	}
}
