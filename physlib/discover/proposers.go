package discover

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search"
	"github.com/physlib/lab/physlib/search/genetic"
)

// Names of the Proposers that are built in.
const (
	Search  = "search"  // enumeration and joins
	Genetic = "genetic" // evolution of trees
)

// Named is a Proposer with the name by which Settings.Proposers, laws and messages call it.
type Named struct {
	Name string
	Proposer
	Cost time.Duration // processor time that it takes; where that is more than a tenth of what a run has on all cores, it waits for the search's end
}

// Proposed tells what one Proposer gave to a run.
type Proposed struct {
	Name  string
	Laws  int64         // expressions judged, those that the genetic search tried by itself included
	After time.Duration // from the beginning of the run to its own; below 0: it did not begin
}

// available are the names that Proposers may have.
func (s Settings) available() []string {
	names := []string{Search, Genetic, Forms}
	for _, p := range s.Extra {
		names = append(names, p.Name)
	}
	return names
}

// chosen are the names of the Proposers that shall work, in the order of available.
func (s Settings) chosen() ([]string, error) {
	all := s.available()
	if s.Proposers == nil {
		return all, nil
	}
	for _, name := range s.Proposers {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no proposer is called %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	if len(s.Proposers) == 0 {
		return nil, fmt.Errorf("no proposer is chosen; there are %s", strings.Join(all, ", "))
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(s.Proposers, name) }), nil
}

// When Proposers begin. The search does at once; the others only if there is something left to
// find.
const (
	geneticLaws = 1500 // laws judged before the genetic search begins
	extraLaws   = 500  // laws judged before the others begin, where evaluations are counted
)

// alone is the time before the others begin, where evaluations are not counted: a twelfth of the
// budget, from 0.7 s to 5 s. The search is first with nearly every law of Feynman's
// (experiments/results, recovery-feynman-*-both).
func (s Settings) alone() time.Duration {
	const least, most = 700 * time.Millisecond, 5 * time.Second
	if s.Time < 0 {
		return most
	}
	return min(max(s.Time/12, least), most)
}

// affords reports whether the run has so much time that an extra source takes little of the
// search's. On one core a neural system took more than half of 20 s, and the search found three
// laws of 101 less.
func (s Settings) affords(n Named) bool {
	return s.Time < 0 || 10*n.Cost <= s.Time*time.Duration(runtime.GOMAXPROCS(0))
}

// heardOut is how many expressions of an extra Proposer are waited for: a neural one gives the
// likeliest first.
const heardOut = 128

// source is one Proposer of a run.
type source struct {
	Named
	extra bool           // not built in: its expressions are few, their constants far from where a fit ends, their units not always right
	trees chan expr.Tree // nil: not begun
	done  bool
	taken int64
	after time.Duration

	asks  chan chan []expr.Tree // it wants to know the best laws
	reply chan []expr.Tree      // it is waiting for them
}

func (s *source) begun() bool { return s.trees != nil }

// gather makes the sources of a run.
func (r *run) gather() {
	names, _ := r.s.chosen() // Discover has looked at the error
	for _, name := range names {
		s := &source{Named: Named{Name: name}, after: -1}
		switch name {
		case Forms:
			continue // it works on the table in its own units, before the others
		case Search:
			s.Proposer = &search.Search{Stage: func(stage string) { r.stage.Store(&stage) }, Joins: r.s.Joins}
			r.search = s
		case Genetic:
			s.Proposer = r.evolution()
		default:
			s.extra = true
			s.Named = r.s.Extra[slices.IndexFunc(r.s.Extra, func(n Named) bool { return n.Name == name })]
		}
		r.sources = append(r.sources, s)
	}
}

// evolution is the genetic Proposer. With an evaluation budget it gets as many generations as the
// budget allows, for a run to be the same each time.
func (r *run) evolution() *genetic.Search {
	g := &genetic.Search{Evaluations: &r.genetic}
	if r.s.Evaluations > 0 {
		g.Generations = int(r.s.Evaluations/12000) + 1
	}
	return g
}

// begin starts the sources whose time has come.
func (r *run) begin(ctx context.Context) {
	for _, s := range r.sources {
		if !s.begun() && r.due(s) {
			s.trees, s.asks, s.after = make(chan expr.Tree, 4096), make(chan chan []expr.Tree), r.s.Clock.Since(r.start)
			go r.propose(ctx, s)
		}
	}
}

// due reports whether s shall begin now. With a budget of evaluations that depends on what was
// judged and not on time.
func (r *run) due(s *source) bool {
	if s == r.search {
		return true
	}
	late := r.searched() && !r.settled()
	switch {
	case !s.extra:
		late = late || r.j.count > geneticLaws && !r.settled()
	case r.s.Evaluations > 0: // an approximation may leave what looks like noise, too
		late = late || r.j.count > extraLaws
	default:
		late = late || r.s.Clock.Since(r.start) > r.s.alone() && r.s.affords(s.Named)
	}
	return late && !r.j.exact(r.j.best())
}

// propose lets s work until it has no more or ctx ends.
func (r *run) propose(ctx context.Context, s *source) {
	defer close(s.trees)
	defer func() { // a fault in one Proposer does not end the others' work
		if e := recover(); e != nil {
			r.warn(fmt.Sprintf("%s stopped early: %v; please report it with the table", s.Name, e))
		}
	}()
	p := *r.p
	p.Laws = s.laws(ctx)
	for t, err := range s.Propose(ctx, &p) {
		if err != nil {
			if ctx.Err() == nil {
				r.warn(err.Error())
			}
			return
		}
		select {
		case s.trees <- t:
		case <-ctx.Done():
			return
		}
	}
}

// warn keeps a warning for the result, each once.
func (r *run) warn(text string) {
	r.faultsMu.Lock()
	defer r.faultsMu.Unlock()
	if !slices.Contains(r.faults, text) {
		r.faults = append(r.faults, text)
	}
}

// warnings are those so far.
func (r *run) warnings() []string {
	r.faultsMu.Lock()
	defer r.faultsMu.Unlock()
	return slices.Clone(r.faults)
}

// searched reports whether the search has nothing more, or does not take part.
func (r *run) searched() bool { return r.search == nil || r.search.done }

// finished reports whether no source has anything more.
func (r *run) finished() bool {
	return !slices.ContainsFunc(r.sources, func(s *source) bool { return !s.done })
}

// isExtra reports whether the source called name is not built in.
func (r *run) isExtra(name string) bool {
	return slices.ContainsFunc(r.sources, func(s *source) bool { return s.extra && s.Name == name })
}

// working is the number of sources that are at work.
func (r *run) working() (n int) {
	for _, s := range r.sources {
		if s.begun() && !s.done {
			n++
		}
	}
	return n
}

// heard reports whether the extra sources at work have given what they think likeliest.
func (r *run) heard() bool {
	return !slices.ContainsFunc(r.sources, func(s *source) bool { return s.extra && s.begun() && !s.done && s.taken < heardOut })
}

// proposed is what the sources gave, together with those of another run of the same settings; nil:
// none.
func (r *run) proposed(other *run) []Proposed {
	var out []Proposed
	for i, s := range r.sources {
		p := Proposed{s.Name, s.taken, s.after}
		if s.Name == Genetic {
			p.Laws += r.genetic.Load()
		}
		if other != nil {
			o := other.proposed(nil)[i]
			p.Laws += o.Laws
			if p.After < 0 && o.After >= 0 {
				p.After = other.start.Sub(r.start) + o.After
			}
		}
		out = append(out, p)
	}
	return out
}

// failure is the error of a run whose Proposers proposed nothing and said why; nil: there is none.
func (r *run) failure() error {
	if faults := r.warnings(); r.j.count == 0 && r.finished() && len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}
