package figures

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/system"
)

// filming makes the film of a table. The embedded system refines a few sequences step by step,
// package discover fits the resulting laws, and the film shows the best of them.
func (c *Cmd) filming(ctx context.Context) error {
	name, t, law, err := filmTable(c.Film)
	if err != nil {
		return fmt.Errorf("--film: %w", err)
	}
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return fmt.Errorf("--backend: %w", err)
	}
	defer b.Finalize()
	const preset = "physdiffuse-small"
	sys, err := system.Embedded(b, preset, func(s *system.Config) {
		s.Refine = system.RefineConfig{Strategy: "small", Steps: c.Steps, Rounds: 1, Samples: 8, Tau0: 1, Tau1: 1, Noise: 1}
	})
	if err != nil {
		return err
	}
	defer sys.Close()
	f := &filmer{sys: sys, names: map[string]string{}}
	for i, v := range t.Vars {
		f.names[fmt.Sprintf("x_%d", i)] = v.Name
	}
	r, err := discover.Discover(ctx, t, discover.Settings{Time: 2 * time.Minute, AllRows: true, Proposers: []string{"film"}, Extra: []discover.NamedProposer{{Name: "film", Proposer: f}}})
	if err != nil {
		return err
	}
	if f.err != nil {
		return f.err
	}
	if len(f.takes) == 0 {
		return fmt.Errorf("%s: nothing was refined into an expression; try other --steps", name)
	}
	take := f.best(r.Best.Bound())
	film := figure.Film{Law: law, Found: take.law.Infix(columnNames(t))}
	if film.Frames, err = frames(take, f.names); err != nil {
		return err
	}
	film.System = fmt.Sprintf("%s, refined in %d steps, %s", preset, len(film.Frames), used)
	out, err := json.Marshal(film)
	if err != nil {
		return err
	}
	path := filepath.Join(c.Results, "film-"+name+".json")
	if err := outfile.Write(path, append(out, '\n')); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: %s (the engine's law: %s)\n", path, film.Found, r.Best.Display(0))
	return nil
}

// filmTable returns an embedded table, a sample of a law of the Feynman set, or the table in a
// file. law is the true law, if known.
func filmTable(what string) (name string, t *dataset.Table, law string, err error) {
	if t, info, err := dataset.Example(what); err == nil {
		return what, t, info.Law, nil
	}
	problems, err := corpus.Suite("feynman")
	if err != nil {
		return "", nil, "", err
	}
	for _, p := range problems {
		if p.ID == what {
			t, err := p.Sample(200, rand.New(rand.NewPCG(1, 1)))
			return what, t, p.Output + " = " + p.Law, err
		}
	}
	t, _, err = dataset.ReadFile(what, dataset.Options{})
	if err != nil {
		return "", nil, "", fmt.Errorf("%s is neither an embedded table nor a law of the Feynman set, and: %w", what, err)
	}
	return strings.TrimSuffix(filepath.Base(what), filepath.Ext(what)), t, "", nil
}

// filmer is a Proposer that records the refinement of its proposals.
type filmer struct {
	sys   *system.System
	names map[string]string // names of the problem's columns, by token
	takes []take
	err   error
}

// take is one of the refinements recorded in a trace, and the law that it resulted in.
type take struct {
	trace  *diffusion.Trace
	sample int
	law    expr.Tree
}

// Propose refines eight sequences for each of the four likeliest lengths.
func (f *filmer) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		v, err := f.sys.View(p)
		if err != nil || v == nil {
			f.err = err
			return
		}
		defer v.Close()
		lengths := v.Lengths()
		order := make([]int, len(lengths))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lengths[b], lengths[a]) })
		for k, i := range order[:min(4, len(order))] {
			trace, laws, err := v.Film(ctx, i+1, 8, uint64(k))
			if err != nil {
				if ctx.Err() == nil { // otherwise the search has ended, or the user has ended it
					f.err = err
				}
				return
			}
			for sample, ids := range laws {
				law, ok := v.Law(ids)
				if ids == nil || !ok {
					continue
				}
				f.takes = append(f.takes, take{trace, sample, law})
				if !yield(law, nil) {
					return
				}
			}
		}
	}
}

// best returns the shortest take that has the form of law, which discover.Discover chose. If there
// is none, it returns the first take.
func (f *filmer) best(law expr.Tree) take {
	best, matches := f.takes[0], false
	want, _, ok := stream.Skeleton(law)
	for _, t := range f.takes {
		got, _, fits := stream.Skeleton(t.law)
		if ok && fits && got.String() == want.String() && (!matches || t.law.Len() < best.law.Len()) {
			best, matches = t, true
		}
	}
	return best
}

func columnNames(t *dataset.Table) (names []string) {
	for _, v := range t.Vars {
		names = append(names, v.Name)
	}
	return names
}

// frames returns the frames of a take, with the names of the table's columns. The trace goes
// through JSON, because package figure does not depend on GoMLX.
func frames(t take, names map[string]string) ([]figure.Frame, error) {
	b, err := json.Marshal(t.trace)
	if err != nil {
		return nil, err
	}
	film, err := figure.ReadFilm(b)
	if err != nil {
		return nil, err
	}
	film = film.Sample(t.sample)
	rename := func(token *string) {
		if name, ok := names[*token]; ok {
			*token = name
		}
	}
	for _, frame := range film.Frames {
		for i := range frame.Cells {
			rename(&frame.Cells[i].Token)
			for k := range frame.Cells[i].Top {
				rename(&frame.Cells[i].Top[k].Token)
			}
		}
	}
	return film.Frames, nil
}
