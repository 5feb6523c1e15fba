package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
	"gonum.org/v1/gonum/floats"
)

const (
	libraryRows = 96   // rows on which library entries are compared; a multiple of vec.Block
	librarySize = 2500 // entries
)

// library holds small expressions with their values, for the semantic operator to look up what fits at a place.
type library struct {
	rows    int
	entries []entry
	g       *grammar
}

type entry struct {
	nodes  []expr.Node
	value  []float64 // on the first rows of the sample
	square []float64
	price  int
	dim    unit.Dim
	known  bool // dim holds
}

// builder fills a library without repetitions: entries that are the same up to a factor and an addend are one.
type builder struct {
	*library
	m    *machine
	cols [][]float64
	seen map[uint64]bool
}

func newLibrary(g *grammar, mat *material) *library {
	lib := &library{rows: min(libraryRows, len(mat.fit.y)), g: g}
	b := &builder{library: lib, m: newMachine(lib.rows), seen: map[uint64]bool{}}
	for _, c := range mat.fit.cols {
		b.cols = append(b.cols, c[:lib.rows])
	}
	b.fill(mat.vars[:min(len(mat.vars), 12)])
	return lib
}

// fill enumerates by size: columns, functions of a column, two columns, functions of those, products of functions.
func (b *builder) fill(vars []int) {
	var leaves, functions, pairs [][]expr.Node
	for _, v := range vars {
		x := []expr.Node{{Op: expr.Var, Index: int32(v)}}
		if b.add(x) {
			leaves = append(leaves, x)
		}
	}
	for _, x := range leaves {
		functions = append(functions, b.functions(x)...)
	}
	for _, x := range leaves {
		b.shifted(x)
		b.shifted(join(expr.Square, x))
	}
	for i, x := range leaves {
		for _, y := range leaves[i+1:] {
			pairs = append(pairs, b.pairs(x, y)...)
		}
	}
	for i, f := range functions {
		for _, x := range leaves {
			if i < 400 {
				b.pairs(f, x)
			}
		}
	}
	for _, p := range pairs {
		b.functions(p)
	}
	for i, f := range functions {
		for _, h := range functions[i+1:] {
			if len(b.entries) >= librarySize {
				return
			}
			if b.g.has[expr.Mul] {
				b.add(join(expr.Mul, f, h))
			}
			if b.g.has[expr.Div] {
				b.add(join(expr.Div, f, h))
			}
		}
	}
	for i, p := range pairs {
		for _, f := range functions {
			if len(b.entries) >= librarySize || i > 60 {
				return
			}
			if b.g.has[expr.Mul] {
				b.add(join(expr.Mul, p, f))
			}
		}
	}
}

func (b *builder) pairs(x, y []expr.Node) (added [][]expr.Node) {
	try := func(op expr.Op, n []expr.Node) {
		if b.g.has[op] && len(b.entries) < librarySize && b.add(n) {
			added = append(added, n)
		}
	}
	try(expr.Mul, join(expr.Mul, x, y))
	try(expr.Div, join(expr.Div, x, y))
	try(expr.Div, join(expr.Div, y, x))
	try(expr.Sub, join(expr.Sub, x, y))
	try(expr.Add, join(expr.Add, x, y))
	if len(x) == 1 && len(y) == 1 {
		try(expr.Add, join(expr.Add, join(expr.Square, x), join(expr.Square, y)))
		try(expr.Sub, join(expr.Sub, join(expr.Square, x), join(expr.Square, y)))
		try(expr.Pow, join(expr.Pow, x, y))
		try(expr.Pow, join(expr.Pow, y, x))
	}
	return added
}

func (b *builder) functions(x []expr.Node) (added [][]expr.Node) {
	try := func(op expr.Op, n []expr.Node) {
		if b.g.has[op] && len(b.entries) < librarySize && b.add(n) {
			added = append(added, n)
		}
	}
	for _, op := range []expr.Op{expr.Square, expr.Cube, expr.Inv, expr.Sqrt, expr.Exp, expr.Log, expr.Sin, expr.Cos, expr.Tanh} {
		try(op, join(op, x))
	}
	try(expr.Square, join(expr.Square, join(expr.Square, x)))
	try(expr.Inv, join(expr.Inv, join(expr.Square, x)))
	try(expr.Inv, join(expr.Inv, join(expr.Sqrt, x)))
	try(expr.Exp, join(expr.Exp, join(expr.Neg, x)))
	try(expr.Log, join(expr.Log, join(expr.Abs, x)))
	try(expr.Sqrt, join(expr.Sqrt, join(expr.Abs, x)))
	for _, k := range []float64{2, 0.5, math.Pi, 3, 1.5, 2 * math.Pi, 4, 6, 8, 10} {
		try(expr.Sin, join(expr.Sin, join(expr.Mul, param(k), x)))
		try(expr.Cos, join(expr.Cos, join(expr.Mul, param(k), x)))
		if len(x) > 1 && k != 2 {
			break
		}
	}
	if len(x) == 1 {
		try(expr.Pow, join(expr.Pow, x, number(5)))
		try(expr.Cube, join(expr.Square, join(expr.Cube, x)))
		try(expr.Pow, join(expr.Pow, x, number(1.5)))
		try(expr.Pow, join(expr.Pow, x, number(1./3)))
	}
	for _, op := range []expr.Op{expr.Tan, expr.Asin, expr.Acos, expr.Atan, expr.Sinh, expr.Cosh} {
		if len(x) == 1 {
			try(op, join(op, x))
		}
	}
	return added
}

// shifted adds functions of 1 + x and 1 - x.
func (b *builder) shifted(x []expr.Node) {
	for _, op := range []expr.Op{expr.Add, expr.Sub} {
		if !b.g.has[op] {
			continue
		}
		u := join(op, number(1), x)
		for _, f := range []expr.Op{expr.Inv, expr.Sqrt, expr.Log, expr.Square, expr.Cube} {
			if b.g.has[f] {
				b.add(join(f, u))
			}
		}
		if b.g.has[expr.Inv] && b.g.has[expr.Sqrt] {
			b.add(join(expr.Inv, join(expr.Sqrt, u)))
		}
	}
}

// add appends nodes unless their values are broken, constant, or known up to a factor and an addend.
func (b *builder) add(nodes []expr.Node) bool {
	if len(b.entries) >= librarySize || !legal(nodes) {
		return false
	}
	nodes = append([]expr.Node(nil), nodes...)
	renumber(nodes)
	b.m.eval(nodes, b.cols)
	v := b.m.wide(len(nodes) - 1)
	mean := floats.Sum(v) / float64(len(v))
	spread, first := 0.0, 0.0
	for _, x := range v {
		spread += (x - mean) * (x - mean)
	}
	spread = math.Sqrt(spread)
	if !(spread > 1e-9*math.Abs(mean)) || math.IsInf(spread, 0) || spread > 1e60 || spread < 1e-60 {
		return false
	}
	h := uint64(len(v))
	for _, x := range v {
		z := (x - mean) / spread
		if first == 0 && math.Abs(z) > 1e-3 {
			first = math.Copysign(1, z)
		}
		h = mix(h ^ uint64(int64(math.Round(first*z*1e8))))
	}
	e := entry{nodes: nodes, value: append([]float64(nil), v...), price: totalPrice(nodes)}
	if b.g.units {
		e.dim, e.known = b.g.dimOf(nodes)
		if !e.known {
			return false
		}
		for i := range e.dim { // the same values of another dimension are another quantity
			h = mix(h ^ uint64(e.dim[i].Num())<<16 ^ uint64(e.dim[i].Den()))
		}
	}
	if b.seen[h] {
		return false
	}
	b.seen[h] = true
	e.square = make([]float64, len(v))
	for k, x := range v {
		e.square[k] = x * x
	}
	b.entries = append(b.entries, e)
	return true
}

// match is an entry that fits a target: target ≈ offset + factor*entry.
type match struct {
	entry          int
	offset, factor float64
	score          float64 // log of the share of the target left unexplained, plus a price
}

// nearest lists the best few entries for target under the weights, best first. With affine an offset is allowed. When dim
// is not nil only entries of that dimension count. Targets of weight 0 must be finite.
func (l *library) nearest(best []match, target, weight []float64, affine bool, dim *unit.Dim) []match {
	most := cap(best)
	best = best[:0]
	sw, swt, swtt := 0.0, 0.0, 0.0
	var buf [libraryRows]float64
	wt := buf[:l.rows]
	weight = weight[:l.rows]
	for k, w := range weight {
		wt[k] = w * target[k]
		sw += w
		swt += wt[k]
		swtt += wt[k] * target[k]
	}
	total := swtt
	if affine {
		total -= swt * swt / sw
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return best
	}
	for i := range l.entries {
		e := &l.entries[i]
		if dim != nil && e.dim != *dim {
			continue
		}
		sl, sll, slt := 0.0, floats.Dot(weight, e.square), floats.Dot(wt, e.value)
		cov, variance := slt, sll
		if affine {
			sl = floats.Dot(weight, e.value)
			cov, variance = slt-sl*swt/sw, sll-sl*sl/sw
		}
		if !(variance > 1e-12*sll) {
			continue
		}
		left := max(1-cov*cov/(variance*total), 1e-12)
		m := match{entry: i, factor: cov / variance, score: math.Log(left) + 0.02*float64(e.price)}
		if affine {
			m.offset = (swt - m.factor*sl) / sw
		}
		if len(best) == most {
			if m.score >= best[most-1].score {
				continue
			}
			best = best[:most-1]
		}
		at := len(best)
		for at > 0 && best[at-1].score > m.score {
			at--
		}
		best = append(best, match{})
		copy(best[at+1:], best[at:])
		best[at] = m
	}
	return best
}
