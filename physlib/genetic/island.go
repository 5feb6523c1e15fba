package genetic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// individual is a law without its linear constants, which linear scaling supplies.
type individual struct {
	nodes []expr.Node
	nmse  float64 // fitness: normalized mean square error (see scaler) on the rows of material.fit
	// Complexity: totalPrice of nodes, 1 for each term after the first, and dimensionPrice.
	price int
	shape uint64
}

// island is a population with its workspace. Individuals are stored in cells by price and compete
// only within their cell. The best individual of a cell comes first.
type island struct {
	*material
	g      *grammar
	rng    *rand.Rand
	tuner  *tuner
	sem    *semantics
	check  *scaler
	offset bool // the laws of the island have an addend

	cells    [][]individual
	capacity int
	maxNodes int
	seen     map[uint64]uint8
	best     []float64 // for each price: the lowest nmse of all individuals with this price or less
	found    []individual
	evals    int64
	calm     int64 // number of evaluations since the front of the island last improved
	patience int64
	explorer bool // the island accepts immigrants only after every 64th epoch
	restarts int
}

const exact = 1e-24 // nmse below which the residuals of a law are only rounding errors

func newIsland(m *material, g *grammar, lib *library, s *Search, seed int64, number int) *island {
	limit := max(1, min(maxTerms, m.fit.rows/3))
	offset := (g.has[expr.Add] || g.has[expr.Sub]) && (!m.units || m.target.IsZero() || number%4 == 3)
	is := &island{material: m, g: g, rng: rand.New(rand.NewPCG(uint64(seed), uint64(number)+0x9e3779b97f4a7c15)),
		tuner: newTuner(newScaler(m.fit, limit, offset)), sem: newSemantics(lib),
		maxNodes: s.maxNodes(), capacity: max(2, s.population()/s.maxNodes()),
		explorer: number%2 == 1, patience: 20000, offset: offset}
	if m.check != m.fit {
		is.check = newScaler(m.check, limit, offset)
	} else {
		is.check = is.tuner.scaler
	}
	is.clear()
	return is
}

func (is *island) maxPrice() int { return is.maxNodes * 3 / 2 }

func (is *island) clear() {
	is.cells = make([][]individual, is.maxPrice()+1)
	is.best = make([]float64, is.maxPrice()+1)
	for i := range is.best {
		is.best[i] = math.Inf(1)
	}
	is.seen = make(map[uint64]uint8)
	is.calm = 0
}

// populate fills an empty island with random trees and entries of the library.
func (is *island) populate(ctx context.Context) {
	for i := range 400 {
		if i%64 == 0 && ctx.Err() != nil {
			return
		}
		is.consider(is.g.growDim(is.rng, 1+is.rng.IntN(9), is.target))
	}
	entries := is.sem.lib.entries
	if len(entries) == 0 { // all columns are too large, too small or constant
		return
	}
	for range 100 {
		e := entries[is.rng.IntN(len(entries))]
		is.consider(append([]expr.Node(nil), e.nodes...))
	}
}

// evolve makes offspring until is.evals has risen by count, or until the island has evaluated quota
// trees in the current epoch.
func (is *island) evolve(ctx context.Context, count, quota int64) {
	if is.restarts == 0 && is.evals == 0 {
		is.populate(ctx)
	}
	for end, i := is.evals+count, 0; is.evals < end && is.tuner.calls < quota; i++ {
		if i%32 == 0 && ctx.Err() != nil {
			return
		}
		is.breed()
		if is.calm > is.patience {
			is.restarts++
			is.clear()
			is.populate(ctx)
		}
	}
}

func (is *island) breed() {
	a := is.parent()
	if a == nil {
		is.consider(is.g.growDim(is.rng, 1+is.rng.IntN(9), is.target))
		return
	}
	switch u := is.rng.Float64(); {
	case u < semanticShare:
		if is.rng.IntN(2) == 0 {
			a = is.leader()
		}
		if is.tuner.nmse(a.nodes) < math.Inf(1) {
			is.evals += 4
			for _, child := range is.sem.offspring(is.rng, is.tuner.scaler, a.nodes) {
				is.consider(child)
			}
		}
	case u < semanticShare+crossShare:
		is.consider(cross(is.g, is.rng, a.nodes, is.parent().nodes))
	default:
		is.consider(is.g.mutated(is.rng, a.nodes))
	}
	is.evals++ // A fruitless attempt counts as well, so that evolve ends.
}

// Probabilities of the ways in which an offspring is made. All other offspring are mutants.
const (
	semanticShare = 0.06 // by the semantic operator
	crossShare    = 0.19 // by crossover of two parents
)

// leader draws an individual of the Pareto front at random. An individual is on the front if its
// error is smaller than that of all individuals of the same or a lower price. leader returns nil if
// the island is empty.
func (is *island) leader() (chosen *individual) {
	n, least := 0, math.Inf(1)
	for _, cell := range is.cells {
		if len(cell) > 0 && cell[0].nmse < least {
			least = cell[0].nmse
			if n++; is.rng.IntN(n) == 0 {
				chosen = &cell[0]
			}
		}
	}
	return chosen
}

// parent draws a cell at random, preferring those of short laws. It then chooses an individual of
// the cell by a tournament of two. It returns nil if the island is empty.
func (is *island) parent() *individual {
	var full [256]int
	n := 0
	for p := range is.cells {
		if len(is.cells[p]) > 0 && n < len(full) {
			full[n] = p
			n++
		}
	}
	if n == 0 {
		return nil
	}
	k := is.rng.IntN(n)
	if is.rng.IntN(2) == 0 {
		k = min(k, is.rng.IntN(n))
	}
	cell := is.cells[full[k]]
	return &cell[min(is.rng.IntN(len(cell)), is.rng.IntN(len(cell)))]
}

// consider evaluates nodes and inserts them if they are new and good enough for their cell.
func (is *island) consider(nodes []expr.Node) {
	if nodes = is.g.admitted(nodes, is.maxNodes); nodes == nil {
		return
	}
	params := renumber(nodes)
	cost := totalPrice(nodes)
	if params > maxConstants || cost > is.maxPrice() {
		return
	}
	h := shape(nodes)
	if n := is.seen[h]; n > 0 && params == 0 || n > 4 {
		return
	}
	if len(is.seen) < 1<<20 {
		is.seen[h]++
	}
	is.evals++
	is.calm++
	err := is.tuner.nmse(nodes)
	if math.IsInf(err, 1) || err > 1.5 {
		return
	}
	if params > 0 && (err < 1.5*is.worst(cost) || is.rng.IntN(8) == 0) {
		err = is.tuner.tune(nodes, 4)
		is.evals += 2
	}
	if j := is.idle(); j >= 0 {
		is.consider(without(nodes, is.tuner.list, j))
		return
	}
	if cost += len(is.tuner.list) - 1; cost > is.maxPrice() || err >= is.worst(cost) {
		return
	}
	if cost += is.dimensionPrice(nodes); cost > is.maxPrice() {
		return
	}
	better := err < 0.999*is.best[cost]
	if params > 0 && better {
		err = is.tuner.tune(nodes, 20)
	}
	is.insert(individual{nodes, max(err, exact), cost, h})
	if better {
		is.prune(nodes)
	}
}

// prune considers simpler variants of nodes: each sum with one term left out, and each law with one
// free constant replaced by 0 or by the nearest whole number.
func (is *island) prune(nodes []expr.Node) {
	if list := terms(nodes, is.tuner.limit); len(list) > 1 {
		for j := range list {
			is.consider(without(nodes, list, j))
		}
	}
	for i, n := range nodes {
		if n.Op != expr.Param {
			continue
		}
		for _, v := range []float64{0, math.Round(n.Value)} {
			if math.Abs(v) <= 10 {
				with := slices.Clone(nodes)
				with[i] = expr.Node{Op: expr.Number, Value: v}
				is.consider(with)
			}
		}
	}
}

// idle returns the index of a term of the last evaluated tree whose factor is 0, or -1 if there is
// none.
func (is *island) idle() int {
	if len(is.tuner.list) > 1 {
		for j, b := range is.tuner.coef[1:] {
			if b == 0 {
				return j
			}
		}
	}
	return -1
}

// worst returns the nmse of the last individual in the cell of the given price, or 1 if the cell has
// room. A further individual must have a smaller one.
func (is *island) worst(price int) float64 {
	if cell := is.cells[price]; len(cell) >= is.capacity {
		return cell[len(cell)-1].nmse
	}
	return 1
}

// insert puts x into its cell, in order. If the cell already has the same law, only the better of
// the two stays. If x improves the front of the island, insert adds it to found.
func (is *island) insert(x individual) {
	cell := is.cells[x.price]
	at := len(cell)
	for i, y := range cell {
		if y.shape == x.shape || math.Abs(y.nmse-x.nmse) <= 1e-9*y.nmse {
			if x.nmse >= y.nmse {
				return
			}
			cell = append(cell[:i], cell[i+1:]...)
			at = len(cell)
			break
		}
	}
	for at > 0 && cell[at-1].nmse > x.nmse {
		at--
	}
	if at >= is.capacity {
		return
	}
	cell = append(cell, individual{})
	copy(cell[at+1:], cell[at:])
	cell[at] = x
	is.cells[x.price] = cell[:min(len(cell), is.capacity)]
	if x.nmse < 0.999*is.best[x.price] {
		for p := x.price; p < len(is.best) && is.best[p] > x.nmse; p++ {
			is.best[p] = x.nmse
		}
		is.calm = 0
		is.found = append(is.found, x)
	}
}

// dimensionPrice returns the price of conflicting units and of constants with units.
func (is *island) dimensionPrice(nodes []expr.Node) int {
	if !is.units {
		return 0
	}
	dims, violation := is.tuner.law(nodes).ParamDims(is.dims, is.target)
	n := int(min(8, math.Ceil(2*violation)))
	for _, d := range dims {
		if !d.IsZero() {
			n += 2
		}
	}
	return n
}

// law returns the law with the given nodes and its linear constants. nodes must be those of the
// last evaluation.
func (c *scaler) law(nodes []expr.Node) expr.Tree {
	out := make([]expr.Node, 0, len(nodes)+3*len(c.list))
	rms := math.Sqrt(c.s.power / c.s.mass)
	if a := c.coef[0]; math.Abs(a) > 1e-10*rms {
		out = append(out, expr.Node{Op: expr.Param, Value: a})
	}
	for j, t := range c.list {
		b := c.coef[j+1]
		if b == 0 {
			continue
		}
		first := len(out) == 0
		op := expr.Add
		switch {
		case math.Abs(b-1) < 1e-11:
			out = append(out, nodes[t.from:t.to]...)
		case math.Abs(b+1) < 1e-11 && !first:
			out = append(out, nodes[t.from:t.to]...)
			op = expr.Sub
		default:
			out = append(append(append(out, expr.Node{Op: expr.Param, Value: b}), nodes[t.from:t.to]...), expr.Node{Op: expr.Mul})
		}
		if !first {
			out = append(out, expr.Node{Op: op})
		}
	}
	if len(out) == 0 {
		out = number(0)
	}
	renumber(out)
	t, _ := expr.FromNodes(out)
	return t
}
