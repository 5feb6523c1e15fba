package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
	"gonum.org/v1/gonum/floats"
)

const (
	libraryRows = 96   // rows on which library entries are compared; a multiple of vec.Block
	librarySize = 3000 // largest number of entries
)

// library holds small expressions with their values. The semantic operator looks in it for
// expressions whose values are close to the desired values of a node.
type library struct {
	rows    int
	entries []entry
	squares [][2]int // pairs of indices of entries: a column and the square of the same column
	g       *grammar
}

type entry struct {
	nodes  []expr.Node
	value  []float64 // values on the first rows of the sample
	square []float64
	price  int
	dim    unit.Dim
	known  bool // the dimension dim is valid
}

// builder fills a library without duplicates. Entries whose values are equal up to a factor and an
// addend count as duplicates.
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

// fill enumerates entries by size: columns, functions of a column, products and sums of two
// columns, functions of these products and sums, and products of functions.
func (b *builder) fill(vars []int) {
	var leaves, functions, pairs [][]expr.Node
	for _, v := range vars {
		x := []expr.Node{{Op: expr.Var, Index: int32(v)}}
		if b.add(x) {
			leaves = append(leaves, x)
		}
	}
	for i, x := range leaves {
		if len(b.entries) < librarySize && b.add(join(expr.Square, x)) {
			b.squares = append(b.squares, [2]int{i, len(b.entries) - 1})
			functions = append(functions, join(expr.Square, x))
		}
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
		if op := p[len(p)-1].Op; op == expr.Mul || op == expr.Div {
			b.shifted(p)
			b.shifted(join(expr.Square, p))
		}
	}
	for i, f := range functions {
		for _, h := range functions[i+1:] {
			if len(b.entries) >= librarySize {
				return
			}
			b.add(join(expr.Mul, f, h))
			b.add(join(expr.Div, f, h))
		}
	}
	for i, p := range pairs {
		for _, f := range functions {
			if len(b.entries) >= librarySize || i > 60 {
				return
			}
			b.add(join(expr.Mul, p, f))
		}
	}
}

func (b *builder) pairs(x, y []expr.Node) (added [][]expr.Node) {
	try := func(n []expr.Node) {
		if b.add(n) {
			added = append(added, n)
		}
	}
	try(join(expr.Mul, x, y))
	try(join(expr.Div, x, y))
	try(join(expr.Div, y, x))
	try(join(expr.Sub, x, y))
	try(join(expr.Add, x, y))
	for _, op := range []expr.Op{expr.Min, expr.Max} {
		if b.g.has[op] {
			try(join(op, x, y))
		}
	}
	if len(x) == 1 && len(y) == 1 {
		try(join(expr.Add, join(expr.Square, x), join(expr.Square, y)))
		try(join(expr.Sub, join(expr.Square, x), join(expr.Square, y)))
		try(join(expr.Pow, x, y))
		try(join(expr.Pow, y, x))
	}
	return added
}

func (b *builder) functions(x []expr.Node) (added [][]expr.Node) {
	try := func(n []expr.Node) {
		if b.add(n) {
			added = append(added, n)
		}
	}
	for _, op := range []expr.Op{expr.Square, expr.Cube, expr.Inv, expr.Sqrt, expr.Exp, expr.Log, expr.Sin, expr.Cos, expr.Tanh} {
		try(join(op, x))
	}
	try(join(expr.Square, join(expr.Square, x)))
	try(join(expr.Inv, join(expr.Square, x)))
	try(join(expr.Inv, join(expr.Sqrt, x)))
	try(join(expr.Exp, join(expr.Neg, x)))
	try(join(expr.Exp, join(expr.Mul, param(-0.5), join(expr.Square, x))))
	try(join(expr.Log, join(expr.Abs, x)))
	try(join(expr.Sqrt, join(expr.Abs, x)))
	for _, k := range []float64{2, 0.5, math.Pi, 3, 1.5, 2 * math.Pi, 4, 6, 8, 10} {
		try(join(expr.Sin, join(expr.Mul, param(k), x)))
		try(join(expr.Cos, join(expr.Mul, param(k), x)))
		if len(x) > 1 && k != 2 {
			break
		}
	}
	if len(x) == 1 {
		try(join(expr.Pow, x, number(5)))
		try(join(expr.Square, join(expr.Cube, x)))
		try(join(expr.Pow, x, number(1.5)))
		try(join(expr.Pow, x, number(1./3)))
	}
	for _, op := range []expr.Op{expr.Tan, expr.Asin, expr.Acos, expr.Atan, expr.Sinh, expr.Cosh} {
		if len(x) == 1 {
			try(join(op, x))
		}
	}
	for op, o := range expr.Operators() {
		if !o.Rare || !b.g.has[op] || o.Arity != 1 || len(x) > 1 {
			continue
		}
		try(join(op, x))
		for _, k := range []float64{0.25, 0.5, 2, 4} {
			try(join(op, join(expr.Mul, param(k), x)))
		}
	}
	return added
}

// shifted adds functions of 1 + x and of 1 - x.
func (b *builder) shifted(x []expr.Node) {
	for _, op := range []expr.Op{expr.Add, expr.Sub} {
		u := join(op, number(1), x)
		for _, f := range []expr.Op{expr.Inv, expr.Sqrt, expr.Log, expr.Square, expr.Cube} {
			b.add(join(f, u))
		}
		b.add(join(expr.Inv, join(expr.Sqrt, u)))
	}
}

// add appends nodes and returns true. It returns false in these cases:
//
//   - The library is full.
//   - nodes are not legal, or contain a forbidden operator.
//   - With units, their dimension is open or their units conflict.
//   - Their values are invalid, constant, or equal to those of an entry (with units: of the same
//     dimension) up to a factor and an addend.
func (b *builder) add(nodes []expr.Node) bool {
	if len(b.entries) >= librarySize || !legal(nodes) || !b.g.allows(nodes) {
		return false
	}
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
		for i := range e.dim { // equal values with different dimensions are different quantities
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
