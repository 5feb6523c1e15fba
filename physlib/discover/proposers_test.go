package discover_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// oracle is a Proposer that yields given laws after a pause.
type oracle struct {
	laws  []string
	err   error // reported after the laws
	fault bool  // panic after the laws
	pause time.Duration
}

func (o oracle) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		var names []string
		for _, v := range p.Vars {
			names = append(names, v.Name)
		}
		for _, text := range o.laws {
			select {
			case <-ctx.Done():
				return
			case <-time.After(o.pause):
			}
			t, err := expr.Parse(text, names)
			if !yield(t, err) {
				return
			}
		}
		if o.fault {
			panic("out of oracles")
		}
		if o.err != nil {
			yield(expr.Tree{}, o.err)
		}
	}
}

func extra(o oracle) []discover.NamedProposer {
	return []discover.NamedProposer{{Name: "oracle", Proposer: o}}
}

func names(ps []discover.Proposed) (all []string) {
	for _, p := range ps {
		all = append(all, p.Name)
	}
	return all
}

func discovered(t *testing.T, table *dataset.Table, s discover.Settings) *discover.Result {
	t.Helper()
	r, err := discover.Discover(t.Context(), table, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The likeliest forms, which are fitted before the searches, count as evaluated even if an exact
// law then needs no ranking.
func TestFormsCount(t *testing.T) {
	table := measured(t, deep, "y", "a:0.1:1 b:0.5:1.3", 100)
	s := discover.Settings{Proposers: []string{"oracle", discover.Forms}, Extra: extra(oracle{laws: []string{deep}}), Evaluations: 400}
	r := discovered(t, table, s)
	if !strings.Contains(r.Verdict, "rounding errors") {
		t.Fatalf("the law was ranked: %s", r.Verdict)
	}
	if r.Evaluations < 50 || r.Evaluations > s.Evaluations {
		t.Errorf("%d evaluations, want 1 and the forms fitted", r.Evaluations)
	}
}

// deep is a law that the search does not find in the time of a test.
const deep = "sin(a)*cos(b)/(1 + a*sin(b + a*b))"

// A law that only an extra Proposer yields is found, and the result names this Proposer.
func TestExtraProposer(t *testing.T) {
	table := measured(t, deep, "y", "a:0.1:1 b:0.5:1.3", 100)
	for _, s := range []discover.Settings{
		{Proposers: []string{"oracle"}},                                   // limited by time
		{Proposers: []string{"oracle"}, Evaluations: 1000},                // limited by evaluations
		{Proposers: []string{"search", "oracle"}, Time: 20 * time.Second}, // begins while the search runs
	} {
		s.Extra = extra(oracle{laws: []string{"c0*a", "c0*" + deep, "c0*a*b"}})
		r := discovered(t, table, s)
		if r.Stopped != "exact" || !same(t, r.Best, deep) || r.Best.Proposer != "oracle" {
			t.Errorf("%v: %s: %s by %q", s.Proposers, r.Stopped, r.Best.Infix(), r.Best.Proposer)
		}
		if !slices.Equal(names(r.Proposers), s.Proposers) || r.Proposers[len(r.Proposers)-1].Laws != 3 {
			t.Errorf("%v: proposed %v", s.Proposers, r.Proposers)
		}
	}
}

// If few laws are proposed, each is fitted from many starts, so constants inside functions are
// found.
func TestExtraConstants(t *testing.T) {
	table := measured(t, "3*exp(-7.5*a)", "y", "a:0.1:1", 60)
	r := discovered(t, table, discover.Settings{Proposers: []string{"oracle"}, Extra: extra(oracle{laws: []string{"c0*exp(c1*a)"}})})
	if r.Stopped != "exact" || !same(t, r.Best, "3*exp(-15*a/2)") {
		t.Errorf("%s: %s", r.Stopped, r.Best.Infix())
	}
}

// A law that the search finds at once does not wait for other Proposers, and none of them begins.
func TestEasyStaysFast(t *testing.T) {
	table := measured(t, "a/b", "y", "a:1:3 b:0.5:4", 100)
	start := time.Now()
	r := discovered(t, table, discover.Settings{Extra: extra(oracle{laws: []string{"a/b"}, pause: time.Hour})})
	if r.Stopped != "exact" || r.Best.Proposer != discover.Search {
		t.Errorf("%s: %s by %q", r.Stopped, r.Best.Infix(), r.Best.Proposer)
	}
	if p := r.Proposers[2]; p.Name != "oracle" || p.Laws != 0 || p.StartedAfter >= 0 && r.Elapsed < 500*time.Millisecond {
		t.Errorf("%+v after %v", p, time.Since(start))
	}
}

// With a budget of evaluations, a run with a slow extra Proposer equals one with a fast one.
func TestExtraEqualRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	var laws []string
	for i := range 150 {
		laws = append(laws, fmt.Sprintf("c0*a**%d/(b + c1)", i%7), fmt.Sprintf("c0*sin(a*%d)", i))
	}
	var first []byte
	for n, pause := range []time.Duration{0, time.Millisecond} {
		table := measured(t, deep, "y", "a:0.1:1 b:0.5:1.3", 40)
		r := found(t, table, discover.Settings{Proposers: []string{"search", "oracle"}, Evaluations: 800, Seed: 3, Extra: extra(oracle{laws: laws, pause: pause})})
		text, err := json.Marshal([]any{r.Best, r.Front, r.Stopped, r.Proposers[1].Laws})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = text
			if r.Proposers[1].Laws == 0 {
				t.Error("the oracle was not asked")
			}
		} else if !bytes.Equal(text, first) {
			t.Errorf("with pauses of %v\n%s\nnot\n%s", pause, text, first)
		}
	}
}

// A Proposer that fails gives a warning; the others continue.
func TestExtraFails(t *testing.T) {
	table := measured(t, deep, "y", "a:0.1:1 b:0.5:1.3", 60)
	for want, o := range map[string]oracle{
		"takes at most 1 variable":          {err: errors.New("oracle takes at most 1 variable")},
		"oracle stopped early: out of orac": {fault: true},
	} {
		s := discover.Settings{Proposers: []string{"oracle", "other"}, Extra: extra(o)}
		s.Extra = append(s.Extra, discover.NamedProposer{Name: "other", Proposer: oracle{laws: []string{deep}, pause: 20 * time.Millisecond}})
		r := discovered(t, table, s)
		if !same(t, r.Best, deep) || r.Best.Proposer != "other" || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], want) {
			t.Errorf("%s by %q, warnings %q", r.Best.Infix(), r.Best.Proposer, r.Warnings)
		}
		s.Proposers = []string{"oracle"}
		if r, err := discover.Discover(t.Context(), table, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("alone: %v, %v", r, err)
		}
	}
}

// Expressions of an extra Proposer must balance in units.
func TestExtraUnits(t *testing.T) {
	table := measured(t, "m*v**2/2", "E:J", "m:1:3:kg v:1:3:m/s", 50)
	r := discovered(t, table, discover.Settings{Proposers: []string{"oracle"}, Extra: extra(oracle{laws: []string{"m + v", "m*v**2/2", "sin(m)*v"}})})
	if !r.Best.UnitsOK || len(r.Front) != 1 {
		t.Errorf("%s, front of %d", r.Best.Infix(), len(r.Front))
	}
}

func TestChosenProposers(t *testing.T) {
	table := measured(t, "a/b", "y", "a:1:3 b:0.5:4", 100)
	for want, s := range map[string]discover.Settings{
		`no proposer is called "serch"; there are search, genetic, forms, oracle`: {Proposers: []string{"search", "serch"}, Extra: extra(oracle{})},
		"no proposer is chosen; there are search, genetic":                        {Proposers: []string{}},
	} {
		if _, err := discover.Discover(t.Context(), table, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	// A run with one built-in Proposer, or with several in any order, finds the law and ends by
	// itself.
	for _, chosen := range [][]string{{"search"}, {"genetic"}, {"genetic", "search"}} {
		r := discovered(t, table, discover.Settings{Proposers: chosen, Time: 20 * time.Second})
		if !same(t, r.Best, "a/b") || r.Stopped == "time" || !slices.Contains(chosen, r.Best.Proposer) || len(r.Proposers) != len(chosen) {
			t.Errorf("%v: %s: %s by %q", chosen, r.Stopped, r.Best.Infix(), r.Best.Proposer)
		}
	}
}

// Laws of an earlier run keep the name of their Proposer, unless another yields them first.
func TestResumedProposer(t *testing.T) {
	table := measured(t, deep, "y", "a:0.1:1 b:0.5:1.3", 100)
	first := discovered(t, table, discover.Settings{Proposers: []string{"oracle"}, Extra: extra(oracle{laws: []string{table.Name}})})
	r := discovered(t, table, discover.Settings{Proposers: []string{"search"}, Evaluations: 100, Resume: []law.Law{first.Best}})
	if r.Best.Proposer != "oracle" {
		t.Errorf("%s by %q", r.Best.Infix(), r.Best.Proposer)
	}
}

// A slow Proposer waits for the end of the search if there is little time.
func TestExpensiveProposer(t *testing.T) {
	table := measured(t, deep, "y", "a:0.1:1 b:0.5:1.3", 100)
	for _, test := range []struct {
		cost  time.Duration
		begun bool
	}{{0, true}, {time.Hour, false}} {
		s := discover.Settings{Proposers: []string{"search", "oracle"}, Time: 1500 * time.Millisecond, Extra: extra(oracle{laws: []string{"c0*a"}})}
		s.Extra[0].Cost = test.cost
		if r := discovered(t, table, s); r.Proposers[1].StartedAfter >= 0 != test.begun {
			t.Errorf("at a cost of %v: proposed %v, begun shall be %v", test.cost, r.Proposers, test.begun)
		}
	}
}

// limited is a Proposer that records the number of candidates after which it should end.
type limited struct{ most *int64 }

func (l limited) Propose(_ context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	*l.most = p.MaxCandidates
	return func(func(expr.Tree, error) bool) {}
}

// A budget of evaluations also limits a Proposer that takes long for each, unless it is alone.
func TestExtraPart(t *testing.T) {
	table := &dataset.Table{Name: "t", Vars: []dataset.Column{{Name: "x", Values: []float64{1, 2, 3, 4, 5, 6}}},
		Target: dataset.Column{Name: "y", Values: []float64{1.1, 0.3, 2.9, 0.2, 1.7, 3.1}}}
	for _, c := range []struct {
		evaluations int64
		proposers   []string
		want        int64
	}{
		{1600, []string{discover.Search, "limited"}, 100},
		{1600, []string{"limited"}, 0},
	} {
		most := int64(-1)
		_, err := discover.Discover(t.Context(), table, discover.Settings{Evaluations: c.evaluations, Proposers: c.proposers,
			Extra: []discover.NamedProposer{{Name: "limited", Proposer: limited{&most}}}})
		if c.proposers[0] == discover.Search && err != nil || most != c.want {
			t.Errorf("%v: at most %d candidates, want %d (%v)", c.proposers, most, c.want, err)
		}
	}
}
