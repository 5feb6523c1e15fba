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

// Settings configures the evolution, a method of this project, not in the papers. The zero value
// has the defaults.
type Settings struct {
	// Share is the fraction of generations that the network makes. The others use genetic
	// operators. 0 means 0.5; a negative Share means that the network makes none.
	Share    float64
	Children int // number of children per generation; 0: 32
	Draws    int // number of ways to fill each gap; 0: 2
	// Steps is the largest number of network calls to fill a gap. 0 means 1, which fills all masked
	// tokens at once. A negative number means one call for each token.
	Steps   int
	NoFirst bool // whether to skip the system's own proposals for the table
	// Patience is the number of generations without a new law in the archive after which evolution
	// ends; 0: 100
	Patience int
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
// problems, also concurrently. Problems that share a system take turns between generations.
type Proposer struct {
	System   *system.System // nil: genetic operators only
	Settings Settings
}

// Name returns the name of the system with the suffix +evolve.
func (e *Proposer) Name() string {
	if e.System == nil {
		return "evolve"
	}
	return e.System.Name() + "+evolve"
}

// Propose yields laws for p: first the system's own, then generations bred from the archive. It
// ends with ctx, or when the archive gets no new law for Settings.Patience generations.
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

// breeder holds the evolution for one problem.
type breeder struct {
	Settings
	islands
	p         *dataset.Problem
	judge     *judge
	view      *system.View // the system's view of the problem; nil: no network
	variation *genetic.Variation
	rng       *rand.Rand
	yield     func(expr.Tree, error) bool
	born      map[uint64]bool // hashes of the laws yielded
	children  []expr.Tree     // children of this generation, if there is no archive
	constants map[int32]bool  // cache: whether a token is a free constant
}

// first yields the system's own laws. It reports whether to continue.
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

// bear yields a child, unless the same law occurred before or its dimensions cannot balance. It
// reports whether to continue.
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

// archive returns the laws of the archive. If there is none, it fits and returns the children of
// the last generation.
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

// evolve makes generations until Settings.Patience generations in a row have added no law to the
// archive, or ctx ends.
func (b *breeder) evolve(ctx context.Context) {
	network := 0.0 // generations that the network should have made so far, minus those that it made
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

// vary runs a generation of genetic operators. It reports whether to continue.
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

// count returns the number of children per generation.
func (b *breeder) count() int { return cmp.Or(b.Children, 32) }
