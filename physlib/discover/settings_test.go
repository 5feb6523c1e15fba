package discover

import (
	"context"
	"math"
	"slices"
	"strings"
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

// If a Proposer began only in an earlier search, the time of its beginning is kept. Either search
// may lack the genetic one.
func TestAddProposed(t *testing.T) {
	both := []Proposed{{Search, 3, 0}, {Genetic, 7, time.Second}}
	for _, test := range []struct{ now, earlier, want []Proposed }{
		{[]Proposed{{Search, 5, 0}, {Genetic, 0, -1}}, both, []Proposed{{Search, 8, 0}, {Genetic, 7, time.Second}}},
		{both, []Proposed{{Search, 1, 0}, {Genetic, 0, -1}}, []Proposed{{Search, 4, 0}, {Genetic, 7, time.Second}}},
		{[]Proposed{{Search, 5, 0}, {"net", 2, 0}}, both, []Proposed{{Search, 8, 0}, {"net", 2, 0}, {Genetic, 7, time.Second}}},
		{both, []Proposed{{Search, 5, 0}}, []Proposed{{Search, 8, 0}, {Genetic, 7, time.Second}}},
	} {
		if got := addProposed(test.now, test.earlier); !slices.Equal(got, test.want) {
			t.Errorf("%v plus %v is %v, want %v", test.now, test.earlier, got, test.want)
		}
	}
}

// The genetic Proposer takes part in the first search of this table, and is left out of the second,
// since too few evaluations remain.
func TestLaterSearchWithoutGenetic(t *testing.T) {
	table, _, err := dataset.Read(strings.NewReader("t [s],v [m/s]\n1,2.11\n2,2.83\n3,3.97\n4,5.42\n5,7.55\n6,10.01\n7,14.4\n"), "t.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Discover(context.Background(), table, Settings{Time: -1, Evaluations: 3 * leastGenetic, Proposers: []string{Search, Genetic}})
	if err != nil {
		t.Fatal(err)
	}
	if p := found.Proposers; len(p) != 2 || p[1].Name != Genetic || p[1].Laws == 0 {
		t.Errorf("the Proposers are %v", p)
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
