package genetic

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Search is a genetic search. The zero value is ready to use.
type Search struct {
	// Size of the population of each island; 0: 600. A cell of the island holds Population/MaxNodes
	// laws, at least two.
	Population int
	Islands    int // number of islands; 0: 6
	// Largest number of nodes of a law, without its linear constants; 0: 36; at most 60.
	MaxNodes int
	// Number of epochs after which the search ends; 0: no limit, so that only the context ends it.
	Generations int
	Limit       int64         // number of evaluated trees after which the search ends; 0: no limit
	Workers     int           // number of goroutines; 0: one per processor. The laws do not depend on it
	Evaluations *atomic.Int64 // if not nil, the number of evaluated trees is added to it
}

func (s *Search) population() int { return cmp.Or(max(0, s.Population), 600) }
func (s *Search) maxNodes() int   { return min(cmp.Or(max(0, s.MaxNodes), 36), 60) }

// epoch is the number of evaluations of an island in one epoch.
const epoch = 2000

// Numbers of evaluations of an island if Limit is set.
const (
	// Number of evaluations of each island that are reserved for harvest, which evaluates laws
	// again.
	judging    = 64
	leastQuota = 200 // an epoch begins only if the quota of an island is at least this
)

// quota returns the number of trees that an island may evaluate in the next epoch.
func (s *Search) quota(a *archipelago) int64 {
	if s.Limit <= 0 {
		return math.MaxInt64
	}
	return (s.Limit-a.evaluated)/int64(len(a.islands)) - judging
}

// Propose yields laws that improve on all earlier ones in error or complexity. It never yields an
// error, and ignores columns whose length differs from that of the target. It yields nothing if
// there are no rows or no usable columns, or if the target is constant.
func (s *Search) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		if ctx.Err() != nil {
			return
		}
		rng := rand.New(rand.NewPCG(uint64(p.Seed), 0x67656e65746963))
		m := newMaterial(p, rng)
		if m == nil {
			return
		}
		a := s.newArchipelago(m, p)
		for n := 0; ctx.Err() == nil && (s.Generations <= 0 || n < s.Generations); n++ {
			if a.quota = s.quota(a); a.quota < leastQuota {
				return
			}
			s.advance(ctx, a)
			for _, t := range a.harvest() {
				if !yield(t, nil) {
					return
				}
			}
			a.migrate(n, rng)
		}
	}
}

// archipelago is the set of islands together with their common front.
type archipelago struct {
	islands []*island
	// Laws by rising price and falling nmse, the normalized mean square error (see scaler). The
	// nmse is calculated on the rows of material.check.
	front []individual

	evaluated int64 // trees evaluated so far
	quota     int64 // number of trees that an island may evaluate in the current epoch
}

// newArchipelago returns the islands of a search, each still without individuals.
func (s *Search) newArchipelago(m *material, p *dataset.Problem) *archipelago {
	g := newGrammar(p.Ops, m)
	lib := newLibrary(g, m)
	a := &archipelago{}
	for i := range cmp.Or(max(0, s.Islands), 6) {
		a.islands = append(a.islands, newIsland(m, g, lib, s, p.Seed, i))
	}
	return a
}

// advance lets every island evolve by one epoch.
func (s *Search) advance(ctx context.Context, a *archipelago) {
	var next = make(chan *island, len(a.islands))
	for _, is := range a.islands {
		next <- is
	}
	close(next)
	var wg sync.WaitGroup
	for range min(cmp.Or(max(0, s.Workers), runtime.GOMAXPROCS(0)), len(a.islands)) {
		wg.Go(func() {
			for is := range next {
				is.evolve(ctx, epoch, a.quota)
			}
		})
	}
	wg.Wait()
	for _, is := range a.islands {
		a.evaluated += is.tuner.calls
		if s.Evaluations != nil {
			s.Evaluations.Add(is.tuner.calls)
		}
		is.tuner.calls = 0
	}
}

// harvest takes the laws that the islands found since the last harvest and evaluates them on the
// rows of material.check. It returns the laws that improve the front. The law found last comes
// first.
func (a *archipelago) harvest() (laws []expr.Tree) {
	type fruit struct {
		x   individual
		law expr.Tree
	}
	var fruits []fruit
	for _, is := range a.islands {
		for _, x := range is.found {
			if y, law, ok := is.judge(x); ok && a.improve(y) {
				fruits = append(fruits, fruit{y, law})
			}
		}
		is.found = is.found[:0]
	}
	for _, f := range slices.Backward(fruits) {
		if slices.ContainsFunc(a.front, func(y individual) bool { return y.shape == f.x.shape && y.nmse == f.x.nmse }) {
			// Only laws that are still on the front are returned, since a better law may have
			// replaced the others within this harvest.
			laws = append(laws, f.law)
		}
	}
	return laws
}

// judge evaluates x on the rows of material.check. It returns x with its error there, the law with
// its linear constants, and whether the error is finite. The law gets an addend only if the addend
// is significant.
func (is *island) judge(x individual) (individual, expr.Tree, bool) {
	with := is.tuner.nmse(x.nodes)
	if is.tuner.offset {
		is.tuner.offset = false
		if without := is.tuner.nmse(x.nodes); !(without <= with*(1+4/float64(is.fit.rows))) {
			is.tuner.offset = true
			is.tuner.nmse(x.nodes)
		}
	}
	defer func(offset bool) { is.tuner.offset = offset }(is.offset)
	law := is.tuner.law(x.nodes)
	if is.check == is.tuner.scaler {
		return x, law, true
	}
	is.check.eval(x.nodes, is.check.s.cols)
	is.check.list = is.tuner.list
	x.nmse = is.check.residual(is.tuner.coef)
	x.nmse = max(x.nmse, exact)
	return x, law, !math.IsInf(x.nmse, 1)
}

// improve adds x to the front unless a law of the front is at least as good. It reports whether it
// added x.
func (a *archipelago) improve(x individual) bool {
	for _, y := range a.front {
		if y.price <= x.price && y.nmse <= x.nmse*1.001 {
			return false
		}
	}
	a.front = slices.DeleteFunc(a.front, func(y individual) bool { return y.price >= x.price && y.nmse >= x.nmse })
	at, _ := slices.BinarySearchFunc(a.front, x, func(y, x individual) int { return y.price - x.price })
	a.front = slices.Insert(a.front, at, x)
	return true
}

// migrate offers each law of the front to each island with probability ½. It does so after every
// fourth epoch. For islands with the field explorer set it is only after every 64th. n is the index
// of the epoch.
func (a *archipelago) migrate(n int, rng *rand.Rand) {
	for _, is := range a.islands {
		if is.explorer && n%64 != 63 || n%4 != 3 {
			continue
		}
		for _, x := range a.front {
			if rng.IntN(2) == 0 {
				is.immigrate(x.nodes)
			}
		}
	}
}

// immigrate offers a copy of nodes to the island.
func (is *island) immigrate(nodes []expr.Node) {
	calm := is.calm
	is.consider(slices.Clone(nodes))
	is.calm = calm // an immigrant does not count as progress of the island itself
}

// residual returns the nmse (see scaler) of the last evaluated tree if its linear constants are
// coef.
func (c *scaler) residual(coef []float64) float64 {
	sum := 0.0
	for k, w := range c.s.root[:c.s.rows] {
		f := coef[0]
		for j, t := range c.list {
			f += coef[j+1] * c.at(t.to-1, k)
		}
		d := w * (c.s.y[k] - f)
		sum += d * d
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum / c.s.total
}
