package dictionary

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/view"
)

// shape is the kind of a node of the pool.
type shape uint8

const (
	leaf   shape = iota // monos[l]
	apply               // fn(k·l)
	shift               // 1 + k·l
	sum                 // l + k·r
	times               // l · r
	raised              // l ** r
	// exp(-(k·(l - mid))²) if fn is exp, or 1/(1 + (k·(l - mid))²) if fn is inv
	peak
)

// node is an expression of the pool. Its operands l and r are indices of other nodes. In a leaf, l
// is the index of a monomial in monos.
type node struct {
	shape          shape
	fn             expr.Op
	grid           bool // k is a starting value from a grid, and is to be fitted
	transcendental bool // the expression contains a transcendental function
	cost           int16
	l, r           int32
	k              float64
	mid            float64 // position of the centre of a peak
}

// Pool enumerates expressions of the monomials of the lattice, by rising cost. If two expressions
// have equal values, it keeps the first.
type Pool struct {
	Space  *view.Space
	fns    []fn
	powers bool // a**b with a variable exponent b is allowed
	grid   bool
	monos  []view.Monomial
	nodes  []node
	vals   []float64 // values of the nodes at the points, one node after the other
	levels [][]int32 // levels[c] lists the nodes of cost c
	seen   map[uint64]struct{}
	Probe  [2][]float64 // two random vectors with an element for each point; used by hash
	tmp    []float64    // values of the node to be added next
	next   int          // cost of the level that Grow fills next
	cap    int          // number of nodes at which the pool is full
	full   bool         // the number of nodes has reached cap
}

// NewPool returns an empty pool of expressions at the points of s. allowed reports whether an
// expression may contain a function. If grid is true, Grow also adds functions and peaks whose
// inner constants have values from a grid. A fit starts from these values.
func NewPool(s *view.Space, allowed func(expr.Op) bool, grid bool) *Pool {
	p := &Pool{Space: s, fns: allFns(allowed), powers: allowed(expr.Pow), grid: grid, seen: map[uint64]struct{}{}, tmp: make([]float64, s.Points()), next: 1}
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range p.Probe {
		p.Probe[i] = make([]float64, s.Points())
		for j := range p.Probe[i] {
			p.Probe[i][j] = rng.NormFloat64()
		}
	}
	p.levels = make([][]int32, 1)
	return p
}

// Len returns the number of expressions.
func (p *Pool) Len() int { return len(p.nodes) }

// Values returns the values of expression i at the points. They must not be changed.
func (p *Pool) Values(i int32) []float64 {
	n := p.Space.Points()
	return p.vals[int(i)*n : int(i+1)*n : int(i+1)*n]
}

// Grow adds expressions by rising cost until the pool has size expressions, the cost would exceed
// maxCost, or ctx ends.
func (p *Pool) Grow(ctx context.Context, size, maxCost int) {
	p.cap, p.full = size, len(p.nodes) >= size
	for !p.full && p.next <= maxCost && ctx.Err() == nil {
		c := p.next
		for len(p.levels) <= c {
			p.levels = append(p.levels, nil)
		}
		p.norms(c)
		p.functions(ctx, c, true)
		p.shifts(c)
		p.leaves(c)
		p.variablePowers(c)
		p.peaks(c)
		p.functions(ctx, c, false)
		// Sums and differences come before products, so that the pool has x - y and not the equal
		// x·(1 - y/x).
		if c == 3 {
			p.sums(ctx, c)
		}
		p.products(ctx, c)
		p.sums(ctx, c)
		// If the pool is full, level c is incomplete. The next call of Grow adds the missing
		// expressions.
		if p.full {
			return
		}
		p.next++
	}
}

// leaves adds the products of powers that have cost c.
func (p *Pool) leaves(c int) {
	for _, m := range p.Space.Lattice.Level(c) {
		if p.full {
			return
		}
		p.Space.Value(p.tmp, m)
		p.monos = append(p.monos, m)
		p.add(node{shape: leaf, l: int32(len(p.monos) - 1), cost: int16(c)})
	}
}

// add adds n, whose values are in tmp, and returns its index. ok is false if n is not added,
// because the pool is full, or because the values are constant, huge, not finite or equal to those
// of another node.
func (p *Pool) add(n node) (id int32, ok bool) {
	if p.full {
		return 0, false
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range p.tmp {
		if !(math.Abs(x) < 1e30) { // NaN, or so large that a power of it may overflow
			return 0, false
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		return 0, false
	}
	h := p.hash()
	if _, known := p.seen[h]; known {
		return 0, false
	}
	p.seen[h] = struct{}{}
	id = int32(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.vals = append(p.vals, p.tmp...)
	p.levels[n.cost] = append(p.levels[n.cost], id)
	p.full = len(p.nodes) >= p.cap
	return id, true
}

// hash returns a number that is the same for equal values in tmp, up to rounding. It combines two
// random projections of the values with their norm.
func (p *Pool) hash() uint64 {
	n := math.Sqrt(column.Dot(p.tmp, p.tmp))
	a := math.Round(column.Dot(p.Probe[0], p.tmp) / n * 1e8)
	b := math.Round(column.Dot(p.Probe[1], p.tmp) / n * 1e8)
	h := math.Float64bits(a)*0x9e3779b97f4a7c15 ^ math.Float64bits(b)
	h ^= h >> 29
	// the norm distinguishes 2a from a
	return h*0xbf58476d1ce4e5b9 ^ uint64(math.Round(math.Log(n)*1e7))
}
