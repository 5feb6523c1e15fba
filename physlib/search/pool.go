package search

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/physlib/lab/physlib/expr"
)

// shape is what a node of the pool does.
type shape uint8

const (
	leaf   shape = iota // monos[l]
	apply               // fn(k·l)
	shift               // 1 + k·l
	sum                 // l + k·r
	times               // l · r
	over                // l / r
	raised              // l ** r
	peak                // fn(-(k·(l - mid))²) with fn = exp, or 1/(1 + (k·(l - mid))²) with fn = inv
)

// node is an expression of the pool. Its values stand at the same index in the slab.
type node struct {
	shape shape
	fn    expr.Op
	grid  bool // k is one of a grid of starting values, not a number to believe in
	trans bool // holds a transcendental function
	cost  int16
	l, r  int32
	k     float64
	mid   float64 // of a peak
}

// pool enumerates dimensionless expressions of the lattice's monomials by rising cost and keeps one
// of each value.
type pool struct {
	s      *space
	fns    []fn
	powers bool // a column may be an exponent
	grid   bool
	lean   bool // fewer inner numbers and broken powers; no sums but of products of the variables, no products but x·(1 ± y) and of two functions
	monos  []mono
	nodes  []node
	vals   []float64 // points values a node
	levels [][]int32 // nodes by cost
	seen   map[uint64]struct{}
	probe  [2][]float64
	tmp    []float64
	next   int // cost of the level to be made next
	cap    int
	full   bool
}

// fn is a function that the pool may apply, with what it costs and the factors that its argument
// may carry.
type fn struct {
	op    expr.Op
	cost  int
	ks    []float64
	trans bool
	deep  bool // may be applied to what holds a transcendental function
	plain int  // how many of ks cost nothing beside the function
}

var (
	one      = []float64{1}
	angles   = []float64{1, 2, 0.5, 2 * math.Pi, math.Pi, 0.5 / math.Pi}
	rates    = []float64{1, -1, 2, 0.5, 0.5 / math.Pi, -2, -0.5, -0.25}
	shifts   = []float64{1, -1, 2, -2, 0.5, -0.5, 3, -3, 4, -4, 1. / 3, -1. / 3, 0.25, -0.25}
	addends  = []float64{1, -1, 2, -2, 0.5, -0.5}
	gridSpan = []float64{0.05, 0.1, 0.2, 0.4, 0.7, 1, 1.4, 2, 2.8, 4, 8, 16}
)

func allFns(allowed func(expr.Op) bool) []fn {
	var fs []fn
	for _, f := range []fn{
		{expr.Exp, 1, rates, true, false, 2},
		{expr.Sin, 1, angles, true, false, 1},
		{expr.Cos, 1, angles, true, false, 1},
		{expr.Sqrt, 1, one, false, true, 1},
		{expr.Log, 1, one, true, true, 1},
		{expr.Square, 1, one, false, true, 1},
		{expr.Inv, 1, one, false, true, 1},
		{expr.Tanh, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Sinh, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Cosh, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Tan, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Asin, 3, one, true, true, 1},
		{expr.Acos, 3, one, true, true, 1},
		{expr.Atan, 2, one, true, true, 1},
	} {
		if allowed(f.op) {
			fs = append(fs, f)
		}
	}
	for op, o := range expr.Operators() {
		if o.Rare && o.Arity == 1 && allowed(op) {
			fs = append(fs, fn{op, 2, o.Factors, true, false, 1})
		}
	}
	return fs
}

func newPool(s *space, allowed func(expr.Op) bool, grid bool) *pool {
	p := &pool{s: s, fns: allFns(allowed), powers: allowed(expr.Pow), grid: grid, seen: map[uint64]struct{}{}, tmp: make([]float64, s.points()), next: 1}
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range p.probe {
		p.probe[i] = make([]float64, s.points())
		for j := range p.probe[i] {
			p.probe[i][j] = rng.NormFloat64()
		}
	}
	p.levels = make([][]int32, 1)
	return p
}

func (p *pool) val(i int32) []float64 {
	n := p.s.points()
	return p.vals[int(i)*n : int(i+1)*n : int(i+1)*n]
}

// grow enumerates on until the pool holds size expressions, cost exceeds maxCost, or ctx ends.
func (p *pool) grow(ctx context.Context, size, maxCost int) {
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
		if c == 3 { // x - y is to be known as such, not as x·(1 - y/x)
			p.sums(ctx, c)
		}
		p.products(ctx, c)
		p.sums(ctx, c)
		if p.full { // the level is not complete: what is missing comes next time, what is there is known
			return
		}
		p.next++
	}
}

func (p *pool) leaves(c int) {
	for _, m := range p.s.lat.level(c) {
		if p.full {
			return
		}
		if p.lean && c > 2 && !m.divisible(1, sixth) {
			continue
		}
		p.s.value(p.tmp, m)
		p.monos = append(p.monos, m)
		p.add(node{shape: leaf, l: int32(len(p.monos) - 1), cost: int16(c)})
	}
}

// norms adds sums and differences of the squares of two variables and sums of three, and then the
// same of the squares of differences of variables: coordinates give distances, however many other
// expressions there are of the variables.
func (p *pool) norms(c int) {
	if p.grid || p.lean || c != 3 && c != 4 {
		return
	}
	var squares []length
	for _, a := range p.levels[2] {
		if n := p.nodes[a]; n.shape == leaf && p.monos[n.l].square() {
			squares = append(squares, length{a, p.monos[n.l]})
		}
	}
	if len(squares) > maxNormed {
		return
	}
	plain := len(squares)
	if c == 4 {
		for _, a := range p.levels[3] {
			n := p.nodes[a]
			if n.shape != sum || n.k != -1 || !p.single(n.l) || !p.single(n.r) {
				continue
			}
			evaluate(expr.Square, p.tmp, p.val(a), 1)
			if id, ok := p.add(node{shape: apply, fn: expr.Square, l: a, k: 1, cost: int16(c)}); ok {
				squares = append(squares, length{id, p.monos[p.nodes[n.l].l].plus(p.monos[p.nodes[n.r].l], 1, 1)})
			}
		}
	}
	add := func(a, b int32, k float64) (id int32, ok bool) {
		va, vb := p.val(a), p.val(b)
		for j := range p.tmp {
			p.tmp[j] = va[j] + k*vb[j]
		}
		return p.add(node{shape: sum, l: a, r: b, k: k, cost: int16(c)})
	}
	for i, a := range squares {
		if c == 4 && i < plain {
			continue
		}
		for j, b := range squares[:i] {
			if !a.apart(b) {
				continue
			}
			add(a.id, b.id, -1)
			both, ok := add(b.id, a.id, 1)
			if !ok {
				continue
			}
			for _, d := range squares[:j] {
				if d.apart(a) && d.apart(b) {
					add(both, d.id, 1)
				}
			}
		}
	}
}

// maxNormed is for how many variables at most norms are added.
const maxNormed = 8

// length is the node of a square, and a monomial of its variables.
type length struct {
	id int32
	of mono
}

// apart reports whether s and o have no variable in common.
func (s length) apart(o length) bool {
	for i, e := range s.of {
		if e != 0 && o.of[i] != 0 {
			return false
		}
	}
	return true
}

// single reports whether node i is one variable.
func (p *pool) single(i int32) bool {
	n := p.nodes[i]
	return n.shape == leaf && p.monos[n.l].single()
}

// shifts adds 1 + k·a.
func (p *pool) shifts(c int) {
	for extra := 1; extra <= 2; extra++ {
		if c-extra < 1 {
			continue
		}
		ks := shifts[:2]
		if extra == 2 {
			if ks = shifts[2:]; p.lean {
				continue
			}
		}
		for _, a := range p.levels[c-extra] {
			if p.nodes[a].shape == shift || p.full {
				continue
			}
			v := p.val(a)
			for _, k := range ks {
				for j, x := range v {
					p.tmp[j] = 1 + k*x
				}
				p.add(node{shape: shift, l: a, k: k, cost: int16(c), trans: p.nodes[a].trans})
				v = p.val(a)
			}
		}
	}
}

// functions adds f(k·a), for products a or for everything else, which is one dearer.
func (p *pool) functions(ctx context.Context, c int, products bool) {
	for _, f := range p.fns {
		for extra := f.cost; extra <= f.cost+1; extra++ {
			from := c - extra
			if !products {
				from--
			}
			if from < 1 || p.lean && extra > f.cost && from > 1 {
				continue
			}
			ks := f.ks[:f.plain]
			if extra > f.cost {
				ks = f.ks[f.plain:]
			}
			for _, a := range p.levels[from] {
				if p.full || ctx.Err() != nil {
					return
				}
				switch {
				case p.plainArgument(a) != products:
				case p.nodes[a].shape == sum && products && (f.op == expr.Sin || f.op == expr.Cos):
					if extra == f.cost { // half a phase difference is as common as a whole one
						p.function(f, a, f.ks, c)
					}
				default:
					p.function(f, a, ks, c)
				}
			}
			if p.grid && products && extra > f.cost && f.trans && !f.deep {
				p.gridFunctions(f, c, from)
			}
		}
	}
}

// plainArgument reports whether a function of a is as simple as can be: a is a product, or the
// difference or sum of two variables, as phases are.
func (p *pool) plainArgument(a int32) bool {
	n := p.nodes[a]
	return n.shape == leaf || n.shape == sum && n.cost == 3 && p.nodes[n.l].shape == leaf && p.nodes[n.r].shape == leaf
}

// pathDifference reports whether a is a product times the sine or cosine of an angle, such as the
// d·sin(θ)/λ of which waves that meet take sines.
func (p *pool) pathDifference(a int32) bool {
	n := p.nodes[a]
	if n.shape != times {
		return false
	}
	l, r := p.nodes[n.l], p.nodes[n.r]
	if r.shape == leaf {
		l, r = r, l
	}
	return l.shape == leaf && r.shape == apply && (r.fn == expr.Sin || r.fn == expr.Cos) && r.k == 1 && p.nodes[r.l].shape == leaf
}

func (p *pool) function(f fn, a int32, ks []float64, c int) {
	n := p.nodes[a]
	if n.trans && !f.deep && !((f.op == expr.Sin || f.op == expr.Cos) && p.pathDifference(a)) {
		return
	}
	if f.trans && n.trans && n.shape == apply { // log(exp x), asin(sin x)
		return
	}
	if n.shape == leaf && (f.op == expr.Square || f.op == expr.Inv || f.op == expr.Sqrt) { // a leaf already
		return
	}
	if n.shape == apply && (n.fn == expr.Sqrt || n.fn == expr.Square || n.fn == expr.Inv) && !f.trans {
		return
	}
	for _, k := range ks {
		v := p.val(a)
		evaluate(f.op, p.tmp, v, k)
		known := len(p.nodes)
		p.add(node{shape: apply, fn: f.op, l: a, k: k, cost: int16(c), trans: f.trans || n.trans})
		if f.op == expr.Exp && n.shape == sum && len(p.nodes) > known { // 1 ± exp(x - y) is as likely as exp(x - y)
			for _, sign := range shifts[:2] {
				for j, x := range p.val(int32(known)) {
					p.tmp[j] = 1 + sign*x
				}
				p.add(node{shape: shift, l: int32(known), k: sign, cost: int16(c), trans: true})
			}
		}
	}
}

// gridFunctions adds f(k·a) for the cheapest arguments with k from a grid about the argument's own
// scale: laws whose inner constant is any number start a fit there.
func (p *pool) gridFunctions(f fn, c, level int) {
	if level > 2 {
		return
	}
	for _, a := range p.levels[level] {
		n := p.nodes[a]
		if p.full || n.trans || n.shape != leaf {
			continue
		}
		scale := 0.0
		for _, x := range p.val(a) {
			scale += math.Abs(x)
		}
		scale /= float64(p.s.points())
		if scale == 0 || math.IsInf(scale, 0) {
			continue
		}
		for _, g := range gridSpan {
			for _, sign := range []float64{1, -1} {
				if sign < 0 && f.op != expr.Exp {
					continue
				}
				k := sign * g / scale
				evaluate(f.op, p.tmp, p.val(a), k)
				p.add(node{shape: apply, fn: f.op, l: a, k: k, grid: true, cost: int16(c), trans: true})
			}
		}
	}
}

// variablePowers adds a**e for products and binomials a, where e is dimensionless and of the size
// that exponents have: as a law of gases has its γ, and growth its order.
func (p *pool) variablePowers(c int) {
	if !p.powers || p.grid || c < 4 || c > 6 {
		return
	}
	bases := append([]int32(nil), p.levels[c-3]...)
	for _, a := range p.levels[c-2] {
		if p.nodes[a].shape == shift {
			bases = append(bases, a)
		}
	}
	for _, e := range p.levels[1] {
		n := p.nodes[e]
		if n.shape != leaf || !p.s.units && !p.monos[n.l].single() || !within(p.val(e), -12, 12) {
			continue
		}
		for _, a := range bases {
			if p.full {
				return
			}
			switch b := p.nodes[a]; {
			case a == e || b.shape != leaf && (b.shape != shift || int(b.cost) == c-3) || b.shape == shift && p.nodes[b.l].shape != leaf:
				continue
			}
			positive := true
			ve, va := p.val(e), p.val(a)
			for j, x := range va {
				positive = positive && x > 0
				p.tmp[j] = math.Pow(x, ve[j])
			}
			if positive {
				p.add(node{shape: raised, l: a, r: e, cost: int16(c), trans: true})
			}
		}
	}
}

// peaks adds Gaussian and Lorentzian peaks of the simplest products, from a grid of places and
// widths where a fit may start.
func (p *pool) peaks(c int) {
	if !p.grid || c != 2 {
		return
	}
	for _, a := range p.levels[1] {
		v := append([]float64(nil), p.val(a)...)
		sort.Float64s(v)
		span := v[len(v)-1] - v[0]
		for _, width := range []float64{0.02, 0.05, 0.12, 0.3} {
			for place := 1; place < 20; place++ {
				mid, k := v[place*(len(v)-1)/20], 1/(width*span)
				for _, fn := range []expr.Op{expr.Exp, expr.Inv} {
					for j, x := range p.val(a) {
						d := k * (x - mid)
						if fn == expr.Exp {
							p.tmp[j] = math.Exp(-d * d)
						} else {
							p.tmp[j] = 1 / (1 + d*d)
						}
					}
					p.add(node{shape: peak, fn: fn, l: a, k: k, mid: mid, grid: true, cost: int16(c), trans: true})
				}
			}
		}
	}
}

func (p *pool) sums(ctx context.Context, c int) {
	for _, extra := range []int{1, 3} {
		ks := addends[:2]
		if extra == 3 {
			ks = addends[2:]
		}
		for ca := 1; ca < c-extra; ca++ {
			cb := c - extra - ca
			if cb < 1 || extra == 1 && cb < ca {
				continue
			}
			for _, a := range p.levels[ca] {
				if ctx.Err() != nil {
					return
				}
				for _, b := range p.levels[cb] {
					if p.full {
						return
					}
					if p.lean && (p.nodes[a].shape != leaf || p.nodes[b].shape != leaf) {
						continue
					}
					if a == b || extra == 1 && ca == cb && b < a || p.nodes[a].shape == shift && p.nodes[b].shape == shift {
						continue
					}
					for _, k := range ks {
						va, vb := p.val(a), p.val(b)
						for j := range p.tmp {
							p.tmp[j] = va[j] + k*vb[j]
						}
						p.add(node{shape: sum, l: a, r: b, k: k, cost: int16(c), trans: p.nodes[a].trans || p.nodes[b].trans})
					}
				}
			}
		}
	}
}

func (p *pool) products(ctx context.Context, c int) {
	p.quotients(c)
	for ca := 1; ca <= c-1; ca++ {
		cb := c - ca
		if cb < ca {
			break
		}
		for _, a := range p.levels[ca] {
			if ctx.Err() != nil {
				return
			}
			for _, b := range p.levels[cb] {
				if p.full {
					return
				}
				if p.nodes[a].shape == leaf && p.nodes[b].shape == leaf || ca == cb && b < a || p.lean && !p.plainProduct(a, b) {
					continue
				}
				va, vb := p.val(a), p.val(b)
				for j := range p.tmp {
					p.tmp[j] = va[j] * vb[j]
				}
				p.add(node{shape: times, l: a, r: b, cost: int16(c), trans: p.nodes[a].trans || p.nodes[b].trans})
			}
		}
	}
}

// plainProduct reports whether a·b is x·(1 ± y) for variables x and y, or a product of two
// functions.
func (p *pool) plainProduct(a, b int32) bool {
	x, y := &p.nodes[a], &p.nodes[b]
	if y.shape == leaf {
		x, y = y, x
	}
	switch x.shape {
	case leaf:
		return y.shape == shift && p.nodes[y.l].shape == leaf && x.cost+y.cost <= 3
	case apply:
		return y.shape == apply
	}
	return false
}

// transcendental reports whether a is a transcendental function of something.
func (p *pool) transcendental(a int32) bool { return p.nodes[a].shape == apply && p.nodes[a].trans }

// quotients adds a/b for transcendental functions a and b, as cos x/cos y.
func (p *pool) quotients(c int) {
	for ca := 1; ca < c-2; ca++ {
		for _, a := range p.levels[ca] {
			for _, b := range p.levels[c-1-ca] {
				if p.full {
					return
				}
				if a == b || !p.transcendental(a) || !p.transcendental(b) {
					continue
				}
				va, vb := p.val(a), p.val(b)
				for j := range p.tmp {
					p.tmp[j] = va[j] / vb[j]
				}
				p.add(node{shape: over, l: a, r: b, cost: int16(c), trans: true})
			}
		}
	}
}

// add keeps the node whose values stand in tmp unless they are useless or known, and tells where.
func (p *pool) add(n node) (id int32, ok bool) {
	if p.full {
		return 0, false
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range p.tmp {
		if !(math.Abs(x) < 1e30) { // NaN, ±Inf and what will soon be
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

// hash is equal for equal values up to rounding: two random projections, relative to the norm.
func (p *pool) hash() uint64 {
	n := math.Sqrt(dot(p.tmp, p.tmp))
	a := math.Round(dot(p.probe[0], p.tmp) / n * 1e8)
	b := math.Round(dot(p.probe[1], p.tmp) / n * 1e8)
	h := math.Float64bits(a)*0x9e3779b97f4a7c15 ^ math.Float64bits(b)
	h ^= h >> 29
	// the norm tells 2a from a
	return h*0xbf58476d1ce4e5b9 ^ uint64(math.Round(math.Log(n)*1e7))
}

// evaluate writes op(k·v) to dst.
func evaluate(op expr.Op, dst, v []float64, k float64) {
	switch op {
	case expr.Exp:
		for j, x := range v {
			dst[j] = math.Exp(k * x)
		}
	case expr.Sin:
		for j, x := range v {
			dst[j] = math.Sin(k * x)
		}
	case expr.Cos:
		for j, x := range v {
			dst[j] = math.Cos(k * x)
		}
	case expr.Sqrt:
		for j, x := range v {
			dst[j] = math.Sqrt(k * x)
		}
	case expr.Log:
		for j, x := range v {
			dst[j] = math.Log(k * x)
		}
	case expr.Square:
		for j, x := range v {
			dst[j] = k * x * k * x
		}
	case expr.Inv:
		for j, x := range v {
			dst[j] = 1 / (k * x)
		}
	case expr.Tanh:
		for j, x := range v {
			dst[j] = math.Tanh(k * x)
		}
	case expr.Sinh:
		for j, x := range v {
			dst[j] = math.Sinh(k * x)
		}
	case expr.Cosh:
		for j, x := range v {
			dst[j] = math.Cosh(k * x)
		}
	case expr.Tan:
		for j, x := range v {
			dst[j] = math.Tan(k * x)
		}
	case expr.Asin:
		for j, x := range v {
			dst[j] = math.Asin(k * x)
		}
	case expr.Acos:
		for j, x := range v {
			dst[j] = math.Acos(k * x)
		}
	case expr.Atan:
		for j, x := range v {
			dst[j] = math.Atan(k * x)
		}
	default:
		f := op.Operator().F1
		for j, x := range v {
			dst[j] = f(k * x)
		}
	}
}
