package discover

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

func TestSurveyDelay(t *testing.T) {
	for _, test := range []struct{ limit, want time.Duration }{
		{-1, 500 * time.Millisecond}, // no limit
		{time.Minute, 500 * time.Millisecond},
		{2 * time.Second, 100 * time.Millisecond},
	} {
		if got := (budget{limit: test.limit}).surveyDelay(); got != test.want {
			t.Errorf("time limit %v: the survey begins after %v, want %v", test.limit, got, test.want)
		}
	}
}

// If a Proposer began only in an earlier search, the time of its beginning is kept.
func TestAddProposed(t *testing.T) {
	now := []Proposed{{Search, 5, 0}, {Genetic, 0, -1}}
	addProposed(now, []Proposed{{Search, 3, 0}, {Genetic, 7, time.Second}})
	if now[0] != (Proposed{Search, 8, 0}) || now[1] != (Proposed{Genetic, 7, time.Second}) {
		t.Errorf("the sum of two searches is %v", now)
	}
	addProposed(now, []Proposed{{Search, 1, 0}, {Genetic, 0, -1}})
	if now[1] != (Proposed{Genetic, 7, time.Second}) {
		t.Errorf("an earlier search without the genetic one changes it to %v", now[1])
	}
}

func TestMaxComplexityLimitsResult(t *testing.T) {
	table, _, err := dataset.Example("kepler")
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Time: -1, Evaluations: 300, Proposers: []string{Search, Forms}}
	free, err := Discover(context.Background(), table, s)
	if err != nil {
		t.Fatal(err)
	}
	longest := free.Front[len(free.Front)-1].Complexity
	s.MaxComplexity = longest - 0.1
	limited, err := Discover(context.Background(), table, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range append(limited.Finalists, limited.Front...) {
		if l.Complexity > s.MaxComplexity {
			t.Errorf("%v has %.1f bits; the limit is %.1f", l, l.Complexity, s.MaxComplexity)
		}
	}
}

// The forms that are fitted to all rows, outliers included, count as evaluated.
func TestFormsOfAllRowsCount(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 20 {
		x := 1 + float64(i)
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, 3*x+0.1*math.Sin(7*x*x))
	}
	table.Target.Values[5] = 300
	found := &Result{Outliers: []int{5}, ranked: true, bits: 1}
	s := Settings{Time: -1, Evaluations: 100, Proposers: []string{Forms}}
	rankAllRows(t.Context(), newTask(table, s), found)
	if found.Evaluations < 20 || found.Evaluations > 100 {
		t.Errorf("%d evaluations of at most 100", found.Evaluations)
	}
}
