package evolve

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/genetic"
	"github.com/physlib/lab/physlib/system"
)

// Settings of the evolution. The zero value is the default.
type Settings struct {
	Share    float64 // of the generations that the network breeds, the others being those of genetic operators; 0: 0.5; below 0: none
	Children int     // of a generation; 0: 32
	Draws    int     // ways in which a gap is filled; 0: 2
	Steps    int     // calls of the network to fill a gap, at most; 0: 1, all hidden tokens at once; below 0: one for each
	NoFirst  bool    // do not begin with what the system proposes for the table by itself
	Patience int     // generations without anything new in the archive after which it ends; 0: 100
}

func (s Settings) share() float64 {
	switch {
	case s.Share == 0:
		return 0.5
	case s.Share < 0:
		return 0
	}
	return s.Share
}

// Proposer is a discover.Proposer that improves the laws of the archive. It may serve several
// problems, also at a time; those of one system wait for each other between generations.
type Proposer struct {
	System   *system.System // nil: genetic operators only
	Settings Settings
}

// Name returns the names of the system and of the method.
func (e *Proposer) Name() string {
	if e.System == nil {
		return "evolve"
	}
	return e.System.Name() + "+evolve"
}

// Propose yields laws for p: those of the system's own first pass, then generations bred from the
// archive, until ctx ends or nothing new comes.
func (e *Proposer) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		j, ok := newJudge(p)
		if !ok || ctx.Err() != nil {
			return
		}
		b := &breeder{Settings: e.Settings, p: p, judge: j, yield: yield, born: map[uint64]bool{},
			rng:     rand.New(rand.NewPCG(uint64(p.Seed), 0x65766f6c7665)),
			islands: islands{known: map[uint64]bool{}}}
		b.variation, _ = genetic.NewVariation(p, b.rng)
		if e.System != nil {
			v, err := e.System.View(p)
			if err != nil {
				yield(expr.Tree{}, err)
				return
			}
			if v == nil {
				return
			}
			defer v.Close()
			b.view = v
			if !e.Settings.NoFirst && !b.first(ctx, e.System) {
				return
			}
		}
		b.evolve(ctx)
	}
}

// breeder is one problem's evolution.
type breeder struct {
	Settings
	islands
	p         *dataset.Problem
	judge     *judge
	view      *system.View // nil: no network
	variation *genetic.Variation
	rng       *rand.Rand
	yield     func(expr.Tree, error) bool
	born      map[uint64]bool // laws that were yielded
	children  []expr.Tree     // of this generation, where nobody else judges
	constants map[int32]bool  // tokens that are free constants, as far as they were asked for
}

// first yields the system's own laws; false: enough.
func (b *breeder) first(ctx context.Context, s *system.System) bool {
	n := 0
	for law, err := range s.Propose(ctx, b.p) {
		if err != nil {
			b.yield(law, err)
			return false
		}
		if !b.bear(law) {
			return false
		}
		if n++; n >= b.view.Samples() {
			break
		}
	}
	return ctx.Err() == nil
}

// bear yields a child unless it came before or its dimensions cannot balance; false: enough.
func (b *breeder) bear(law expr.Tree) bool {
	h := law.Hash()
	if b.born[h] || !b.p.Allows(law) || !b.judge.balances(law) {
		return true
	}
	b.born[h] = true
	if b.p.Laws == nil {
		b.children = append(b.children, law)
	}
	return b.yield(law, nil)
}

// archive returns the good laws known so far.
func (b *breeder) archive() []expr.Tree {
	if b.p.Laws != nil {
		return b.p.Laws()
	}
	laws := b.children
	b.children = nil
	for i, law := range laws {
		laws[i] = b.judge.fit(law)
	}
	return laws
}

// evolve breeds generation after generation.
func (b *breeder) evolve(ctx context.Context) {
	network := 0.0 // share of the generations so far that was due to the network and not yet its
	for rest := cmp.Or(b.Patience, 100); rest > 0 && ctx.Err() == nil; rest-- {
		if b.settle(b.archive(), b.judge, b.view) > 0 {
			rest = cmp.Or(b.Patience, 100)
		}
		breed := b.vary
		if network += b.share(); b.view != nil && (network >= 1 || b.variation == nil) {
			network--
			breed = b.refill
		}
		if !breed(ctx) {
			return
		}
	}
}

// vary runs a generation of genetic operators, and reports whether to go on.
func (b *breeder) vary(ctx context.Context) bool {
	all := func(*individual) bool { return true }
	if b.variation == nil {
		return true
	}
	for n, try := 0, 0; n < b.count() && try < 20*b.count(); try++ {
		x, y := b.parent(b.rng, all), b.parent(b.rng, all)
		if x == nil || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		child, ok := b.variation.Offspring(b.rng, x.law, y.law)
		if !ok || b.born[child.Hash()] {
			continue
		}
		n++
		if !b.bear(child) {
			return false
		}
	}
	return true
}

func (b *breeder) count() int { return cmp.Or(b.Children, 32) }
