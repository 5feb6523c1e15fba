package bench

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// A run does not reuse the results of a run with other proposers. Each record names the proposers
// of its run, and the proposer that was the first to propose the law.
func TestRecoveryProposers(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.jsonl")
	var asked [][]string
	o := RecoveryOptions{Suite: suiteFile(t, threeLaws), IDs: []string{"ohm"}, Rows: 50, Out: out}
	o.discover = func(ctx context.Context, table *dataset.Table, s discover.Settings) (*discover.Result, error) {
		asked = append(asked, s.Proposers)
		r, err := knows(map[string]string{"ohm": "R*I"})(ctx, table, s)
		r.Best.Proposer = "oracle"
		return r, err
	}
	for _, names := range [][]string{nil, {"search", "genetic"}, {"oracle", "search"}, {"search", "oracle"}} {
		o.Proposers, o.Extra = names, []discover.NamedProposer{{Name: "oracle"}}
		if names == nil {
			o.Extra = nil
		}
		s, err := Recovery(t.Context(), o)
		if err != nil || s.Recovered != 1 || s.By.String() != "oracle 1" {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if want := [][]string{nil, {"oracle", "search"}}; !slices.EqualFunc(asked, want, slices.Equal) {
		t.Errorf("searched with %q, want %q", asked, want)
	}
	records, err := ReadResults(out)
	if err != nil || len(records) != 2 {
		t.Fatal(records, err)
	}
	if r := records[1]; r.Proposer != "oracle" || !slices.Equal(r.Proposers, []string{"oracle", "search"}) {
		t.Errorf("%+v", r)
	}
	// Old results do not name their proposers, which were search and genetic programming.
	old, now := records[0], records[0]
	old.Proposers = nil
	if !old.sameRun(now) || old.sameRun(records[1]) {
		t.Error("old results are read as others")
	}
}

func TestCompareProposers(t *testing.T) {
	a := []Record{{ID: "1", Exact: true, Proposer: "search"}, {ID: "2", Found: "x", True: "y"}, {ID: "3", Exact: true}}
	b := []Record{{ID: "1", Exact: true, Proposer: "search"}, {ID: "2", Exact: true, Proposer: "physdiffuse", True: "y"}, {ID: "3", Exact: true, Proposer: "search"}}
	want := "laws in both 3: A recovers 2, B 3; B is 1.00 times as fast\n" +
		"first proposed by: A search 1; B search 2, physdiffuse 1\n" +
		"by one alone: A 0, B 1; p = 1 (exact sign test)\n" +
		"only B: 2, by physdiffuse\n  true  y\n  A has x\n"
	if diff := cmp.Diff(want, Compare(a, b).String()); diff != "" {
		t.Error(diff)
	}
}
