package pursuit

import (
	"context"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// Settings bound a pursuit. The zero value works.
type Settings struct {
	Terms   int // most terms of a sum; 0: 9
	Beam    int // sums that are extended in each iteration; 0: 5
	Columns int // of the dictionary; 0: 7000
}

func (s Settings) withDefaults() Settings {
	if s.Terms <= 0 {
		s.Terms = 9
	}
	if s.Beam <= 0 {
		s.Beam = 5
	}
	if s.Columns <= 0 {
		s.Columns = 7000
	}
	return s
}

// Law is a sum that was found.
type Law struct {
	Tree  expr.Tree // its constants start where they were fitted
	Error float64   // root mean square residual relative to that of the target
}

// Exact is the relative error below which a residual is rounding.
const Exact = 1e-9

const (
	fewestRows = 20 // below, sums fit anything
	patience   = 2  // iterations without a shorter description after which a pursuit ends
	leastGain  = 2  // bits that count as shorter
)

// Laws returns sums of rising number of terms, each with a shorter description than those before.
// It ends with ctx, or when further terms no longer pay. Equal problems give equal sums as long
// as ctx does not end.
func Laws(ctx context.Context, p Problem, s Settings) iter.Seq[Law] {
	return func(yield func(Law) bool) {
		s = s.withDefaults()
		if len(p.Y) < fewestRows || len(p.X) == 0 {
			return
		}
		b := &beam{ctx: ctx, Settings: s, dictionary: newDictionary(p, s.Columns), seen: map[string]bool{}}
		if b.power = floats.Dot(b.target, b.target); !(b.power > 0) || math.IsInf(b.power, 0) {
			return
		}
		b.run(yield)
	}
}

// beam is a pursuit under way.
type beam struct {
	*dictionary
	Settings
	ctx    context.Context
	power  float64 // Σ w·y²
	models []*model
	seen   map[string]bool // sums that were fitted, by their families
	solver solver
}

// run extends the best sums until this no longer shortens the description.
func (b *beam) run(yield func(Law) bool) {
	b.models = []*model{b.fitted(nil)}
	best, idle := b.models[0].bits, 0
	for idle < patience && b.ctx.Err() == nil && b.models[0].rss > Exact*Exact*b.power {
		var next []*model
		for i, m := range b.models {
			next = append(next, b.extended(m, i)...)
		}
		next = append(next, b.exchanged(b.models[0])...)
		if len(next) == 0 {
			return
		}
		slices.SortStableFunc(next, shorter)
		for _, m := range next[:min(len(next), b.Beam)] {
			if m.bits < best+leastGain && !yield(Law{b.renamed(m.tree), math.Sqrt(m.rss / b.power)}) {
				return
			}
		}
		b.models = append(next, b.models...)
		slices.SortStableFunc(b.models, shorter)
		b.models = b.models[:min(len(b.models), b.Beam)]
		idle++
		if b.models[0].bits < best-leastGain {
			best, idle = b.models[0].bits, 0
		}
	}
}

// renamed is t in the variables of the problem's trees.
func (b *beam) renamed(t expr.Tree) expr.Tree {
	if b.Vars == nil {
		return t
	}
	nodes := slices.Clone(t.Nodes())
	for i, n := range nodes {
		if n.Op == expr.Var {
			nodes[i].Index = int32(b.Vars[n.Index])
		}
	}
	t, _ = expr.FromNodes(nodes)
	return t
}

// extended returns sums with one more term, of which the model numbered rank in the beam gets two,
// too, if it is one of the first.
func (b *beam) extended(m *model, rank int) (next []*model) {
	if m.done || len(m.terms) >= b.Terms {
		return nil
	}
	m.done = true
	gains := b.gains(m.span, m.residual)
	for _, i := range b.leading(gains, singlesKept) {
		next = b.try(next, m.terms, i)
	}
	if rank < pairedModels && len(m.terms)+2 <= b.Terms {
		for _, p := range b.pairs(m, gains) {
			next = b.try(next, m.terms, p[:]...)
		}
	}
	return next
}

// exchanged returns sums in which one of m's terms is another.
func (b *beam) exchanged(m *model) (next []*model) {
	if m.exchanged || len(m.terms) < 2 {
		return nil
	}
	m.exchanged = true
	for out := range m.terms {
		rest := slices.Delete(slices.Clone(m.terms), out, out+1)
		span, residual := b.explain(b.rows(rest))
		for _, i := range b.leading(b.gains(span, residual), exchangesKept) {
			next = b.try(next, rest, i)
		}
	}
	return next
}

// try appends the fitted sum of terms and columns unless it was tried before.
func (b *beam) try(next []*model, terms []term, columns ...int) []*model {
	all := slices.Clone(terms)
	for _, i := range columns {
		all = append(all, b.term(i))
	}
	key := familiesOf(all)
	if b.ctx.Err() != nil || b.seen[key] {
		return next
	}
	b.seen[key] = true
	if m := b.fitted(all); m != nil {
		next = append(next, b.pruned(m))
	}
	return next
}
