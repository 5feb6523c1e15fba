package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
)

// proposes is a Proposer that yields the same laws for each table, and then err if it is not nil.
type proposes struct {
	laws []string
	err  error
}

func (f proposes) Propose(_ context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		var names []string
		for _, v := range p.Vars {
			names = append(names, v.Name)
		}
		for _, text := range f.laws {
			t, err := expr.Parse(text, names)
			if err != nil {
				continue // the law has variables that this table lacks
			}
			if !yield(t, nil) {
				return
			}
		}
		if f.err != nil {
			yield(expr.Tree{}, f.err)
		}
	}
}

func TestCandidates(t *testing.T) {
	var out bytes.Buffer
	calls := 0
	s, err := Candidates(t.Context(), CandidatesOptions{
		Suite: suiteFile(t, threeLaws), MaxVars: 2, Vocabulary: token.Small(), Out: &out,
		// Of the candidates for growth = exp(k*t) and ohm = R*I, the first two differ only by a
		// factor.
		Proposer: proposes{laws: []string{"c0*k*t", "2*t*k", "c0*exp(k*t)", "c0*exp(c1*k*t)", "c0*R/I", "R*I*c0", "c0*(R*I+c1)"}},
		Done:     func(_ CandidateRecord, done, total int) { calls += total },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Records) != 3 || calls != 9 {
		t.Fatalf("%d records, calls add up to %d", len(s.Records), calls)
	}
	want := map[string]CandidateRecord{
		"fall":   {Tokens: 4, Variables: 2, Monomial: true},
		"ohm":    {Tokens: 3, Variables: 2, Monomial: true, Rank: 2, Fit: 2, Distinct: 3, Samples: 3},
		"growth": {Tokens: 4, Variables: 2, Rank: 2, Fit: 2, Distinct: 3, Samples: 4},
	}
	lines := json.NewDecoder(&out)
	for _, r := range s.Records {
		w := want[r.ID]
		if r.Tokens != w.Tokens || r.Variables != w.Variables || r.Monomial != w.Monomial || r.Rank != w.Rank || r.Fit != w.Fit ||
			r.Distinct != w.Distinct || r.Samples != w.Samples || !r.Units || r.Rows != 64 {
			t.Errorf("%+v, want %+v", r, w)
		}
		var line CandidateRecord
		if err := lines.Decode(&line); err != nil || line != r {
			t.Errorf("line %+v of %+v: %v", line, r, err)
		}
	}
	table := s.String()
	for _, want := range []string{"3 laws, 64 rows", "≤5     3  0 %   67 %   67 %   67 %   67 %         2", "true skeleton among all: 2 of 3"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

// The error of a failing proposer is reported and does not end the run. No more than the requested
// number of candidates is used.
func TestCandidatesAwkward(t *testing.T) {
	o := CandidatesOptions{Suite: suiteFile(t, threeLaws), Proposer: proposes{err: errors.New("no room")}}
	s, err := Candidates(t.Context(), o)
	if err != nil || s.Records[0].Error != "no room" || !strings.Contains(s.String(), "3 tables failed, the first: no room") {
		t.Errorf("%v\n%s", err, s)
	}
	o.Proposer, o.Samples, o.Laws = proposes{laws: []string{"g*t", "g/t", "g*t**2"}}, 2, 1
	if s, _ = Candidates(t.Context(), o); len(s.Records) != 1 || s.Records[0].Samples != 2 || s.Records[0].Rank != 0 {
		t.Errorf("%+v", s.Records)
	}
	o.MaxVars, o.Laws = 1, 0
	if s, err = Candidates(t.Context(), o); err != nil || len(s.Records) > 0 || s.LeftOut != 3 || s.String() == "" {
		t.Errorf("%v %+v", err, s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o.MaxVars = 0
	if _, err = Candidates(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	o.Suite = "no-such.csv"
	if _, err = Candidates(t.Context(), o); err == nil {
		t.Error("an unknown suite is not an error")
	}
}

// Held-out forms are distinct. A proposer that yields the true law first has rank 1 for each of
// them.
func TestCandidatesHeldOut(t *testing.T) {
	o := CandidatesOptions{Laws: 30, Rows: 16}.withDefaults()
	laws, _, err := o.laws(t.Context())
	if err != nil || len(laws) != 30 {
		t.Fatalf("%d laws, %v", len(laws), err)
	}
	for _, l := range laws {
		o.Proposer = proposes{laws: []string{"c9*(" + l.skel.Infix(l.names) + ")"}}
		if r := o.one(t.Context(), l); r.Rank != 1 {
			t.Errorf("%+v", r)
		}
	}
	// Only laws of at most 9 tokens are requested, so the groups of longer laws stay empty.
	short := CandidatesOptions{Laws: 9, Rows: 16, MaxTokens: 9}.withDefaults()
	if laws, _, err := short.laws(t.Context()); err != nil || len(laws) != 9 {
		t.Errorf("%d laws of at most 9 tokens, %v", len(laws), err)
	}
	again, _, _ := o.laws(t.Context())
	for i := range laws {
		if fmt.Sprint(laws[i].skel, laws[i].problem.Target) != fmt.Sprint(again[i].skel, again[i].problem.Target) {
			t.Errorf("law %d differs the second time", i)
		}
	}
}
