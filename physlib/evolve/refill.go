package evolve

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
)

// refill runs a generation of the network. It reports whether to continue.
func (b *breeder) refill(ctx context.Context) bool {
	seq, ok := b.length()
	if !ok {
		return true
	}
	gaps, err := b.gaps(ctx, seq)
	if err != nil {
		return b.failed(ctx, err)
	}
	if len(gaps) == 0 {
		return true
	}
	var given []int32
	var priors []system.Prior
	for _, g := range gaps {
		given = append(given, g.given...)
		priors = append(priors, system.Prior{IDs: g.parent.ids, R2: 1 - g.parent.unexplained})
	}
	laws, err := b.view.Refill(ctx, given, seq, b.steps(), b.draws(), priors, b.rng.Uint64())
	if err != nil {
		return b.failed(ctx, err)
	}
	for i, ids := range laws {
		if ids == nil {
			continue
		}
		law, ok := b.view.Law(ids)
		if ok && !b.bear(b.inherit(law, ids, gaps[i/b.draws()])) {
			return false
		}
	}
	return true
}

func (b *breeder) steps() int {
	if b.Steps < 0 {
		return 0
	}
	return cmp.Or(b.Steps, 1)
}

func (b *breeder) draws() int { return cmp.Or(b.Draws, 2) }

// failed yields err unless ctx has ended, and returns false.
func (b *breeder) failed(ctx context.Context, err error) bool {
	if ctx.Err() == nil {
		b.yield(expr.Tree{}, err)
	}
	return false
}

func (b *breeder) writable(x *individual) bool { return x.ids != nil }

// length returns the number of tokens of the children of a generation. With probability 1/2 it is
// drawn from the network's prediction for the table. Otherwise it is near the length of a parent.
// ok is false if the network can express no parent.
func (b *breeder) length() (seq int, ok bool) {
	x := b.parent(b.rng, b.writable)
	if x == nil {
		return 0, false
	}
	if logp := b.view.Lengths(); logp != nil && b.rng.IntN(2) == 0 {
		return min(1+draw(b.rng, logp, 0.5), b.view.Longest()), true
	}
	return min(max(1, len(x.ids)-2+b.rng.IntN(8)), b.view.Longest()), true
}

// draw returns a random index. Its probability is proportional to exp(sharp·logp).
func draw(rng *rand.Rand, logp []float64, sharp float64) int {
	sum := 0.0
	for _, l := range logp {
		sum += math.Exp(sharp * l)
	}
	u := rng.Float64() * sum
	for i, l := range logp {
		if u -= math.Exp(sharp * l); u < 0 {
			return i
		}
	}
	return len(logp) - 1
}

// gaps returns parents with masked tokens. Each has seq tokens in total.
func (b *breeder) gaps(ctx context.Context, seq int) (list []gap, err error) {
	vocab := b.view.Vocabulary()
	most := max(1, b.count()/b.draws())
	for try := 0; len(list) < most && try < 10*most; try++ {
		x := b.parent(b.rng, b.writable)
		var g gap
		ok := false
		switch u := b.rng.Float64(); {
		case u < 0.3 && len(x.ids) == seq:
			if x.logp == nil {
				if x.logp, err = b.view.Confidence(ctx, x.ids); err != nil {
					return nil, err
				}
			}
			g, ok = uncertainGap(vocab, b.rng, x, x.logp), true
		case u < 0.6:
			g, ok = widen(vocab, b.rng, x, seq)
		default:
			g, ok = replace(vocab, b.rng, x, seq)
		}
		if ok {
			list = append(list, g)
		}
	}
	return list, nil
}

// inherit returns law, whose tokens are ids. Constants that come from its parent start at the
// parent's values.
func (b *breeder) inherit(law expr.Tree, ids []int32, g gap) expr.Tree {
	if len(g.parent.constants) == 0 {
		return law
	}
	// value holds the parent's value for each constant among ids, and 0 for new constants.
	value := make([]float64, len(ids))
	k := 0
	for i, id := range g.parent.ids {
		if !b.constant(id) || k == len(g.parent.constants) {
			continue
		}
		if at := g.kept[i]; at >= 0 {
			value[at] = g.parent.constants[k]
		}
		k++
	}
	starts := law.Params()
	at := -1
	for _, n := range law.Nodes() {
		// The last constant is the overall factor.
		if n.Op != expr.Param || int(n.Index) == len(starts)-1 {
			continue
		}
		for at++; at < len(ids) && !b.constant(ids[at]); at++ {
		}
		if at < len(ids) && value[at] != 0 {
			starts[n.Index] = value[at]
		}
	}
	return law.WithStarts(starts)
}

// constant reports whether a token stands for a free constant.
func (b *breeder) constant(id int32) bool {
	if b.constants == nil {
		b.constants = map[int32]bool{}
	}
	is, known := b.constants[id]
	if !known {
		t, err := b.view.Vocabulary().Decode([]int32{id})
		is = err == nil && t.Root() == expr.Param
		b.constants[id] = is
	}
	return is
}
