package expr

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/vec"
)

// chunk is the number of rows for which the tape, the list of compiled instructions, is run at
// once. It is small enough that the registers and a chunk of each column fit in the L1 cache. It is
// large enough that the cost of calls is small.
const chunk = 512

// Program is a compiled tree: a tape of kernels that run over chunks of rows, with their scratch
// memory. A Program must be used by one goroutine only; Clone makes one for another goroutine. Only
// the first call of each method allocates memory.
//
// Additions, subtractions and multiplications are rounded after each operation as in IEEE 754, in
// the order of the tree. Nothing is simplified or contracted. Subtrees without a column are
// calculated once per call, in float64. The other functions have the error bounds of package vec.
type Program struct {
	tree Tree
	eval *tape // instructions of Eval
	grad *tape // instructions of Grad; nil until it is called
	m64  *machine[float64]
	m32  *machine[float32]
	mg   *machine[float64]
}

// Compile makes t ready to be evaluated. The empty tree evaluates to NaN.
func Compile(t Tree) *Program {
	return &Program{tree: t, eval: compileTape(t)}
}

func compileTape(t Tree) *tape {
	g := &graph{values: make([]value, 0, max(len(t.nodes), 1))}
	if len(t.nodes) == 0 {
		return newTape(g, []ref{g.number(math.NaN())})
	}
	root := g.addTree(t)
	return newTape(g, []ref{root})
}

// Tree returns the tree from which p was compiled.
func (p *Program) Tree() Tree { return p.tree }

// Values returns the values of t in the given number of rows. The arguments are those of
// [Program.Eval].
func (t Tree) Values(rows int, cols [][]float64, params []float64) []float64 {
	v := make([]float64, rows)
	Compile(t).Eval(v, cols, params)
	return v
}

// Clone returns a Program for another goroutine.
func (p *Program) Clone() *Program { return &Program{tree: p.tree, eval: p.eval, grad: p.grad} }

// Eval sets dst[i] to the value of the tree in row i. cols[v][i] is the value of variable v, and
// params[k] that of constant k. Constants beyond params have their starting values in the tree.
// len(dst) is the number of rows. dst must not overlap a column. Eval panics if a variable has no
// column, or if a column has fewer rows than dst.
func (p *Program) Eval(dst []float64, cols [][]float64, params []float64) {
	if p.m64 == nil {
		p.m64 = newMachine(p.eval, kernels64)
	}
	p.m64.scalars(params)
	p.m64.outs[0] = dst
	p.m64.run(len(dst), cols)
}

// Eval32 is Eval in float32.
func (p *Program) Eval32(dst []float32, cols [][]float32, params []float32) {
	if p.m32 == nil {
		p.m32 = newMachine(p.eval, kernels32)
	}
	p.m32.scalars(params)
	p.m32.outs[0] = dst
	p.m32.run(len(dst), cols)
}

// The kernels that new Programs use. Tests replace them.
var (
	kernels64 = vec.Best64()
	kernels32 = vec.Best32()
)

// machine runs a tape with its own memory.
type machine[T vec.Float] struct {
	t       *tape
	set     *vec.Set[T]
	outs    [][]T
	slots   [][]T
	values  []float64 // values of the tape's scalars
	params  []float64
	numbers []T  // for each scalar that an instruction reads, a block that repeats its value
	memory  []T  // registers
	rows    int  // how many rows each register holds
	small   []T  // columns and outputs of a table with fewer rows than a block
	fixed   bool // the scalars are already calculated and depend on no free constant
}

func newMachine[T vec.Float](t *tape, set *vec.Set[T]) *machine[T] {
	m := &machine[T]{t: t, set: set, outs: make([][]T, t.outputs), values: make([]float64, len(t.scalars)),
		slots:   make([][]T, t.outputs+t.registers+len(t.shown)+len(t.columns)),
		numbers: make([]T, len(t.shown)*vec.Block)}
	for k := range t.shown {
		m.slots[t.outputs+t.registers+k] = m.numbers[k*vec.Block : (k+1)*vec.Block]
	}
	n := 0
	for i := range t.scalars {
		if t.scalars[i].op == Param {
			n = max(n, int(t.scalars[i].index)+1)
		}
	}
	m.params = make([]float64, 0, n)
	return m
}

// scalars computes the values that do not vary from row to row.
func (m *machine[T]) scalars(params []T) {
	if m.fixed {
		return
	}
	m.fixed = cap(m.params) == 0
	m.params = m.params[:0]
	for _, p := range params[:min(len(params), cap(m.params))] {
		m.params = append(m.params, float64(p))
	}
	for i := range m.t.scalars {
		m.values[i] = m.t.scalars[i].scalar(m.values, m.params)
	}
	for k, s := range m.t.shown {
		x := T(m.values[s])
		block := m.numbers[k*vec.Block : (k+1)*vec.Block]
		for i := range block {
			block[i] = x
		}
	}
}

// run evaluates n rows into m.outs. The last chunk may overlap the previous one, so that every
// chunk consists of whole blocks.
func (m *machine[T]) run(n int, cols [][]T) {
	for k, o := range m.outs {
		if len(o) < n {
			panic(fmt.Sprintf("expr: output %d has %d rows of %d", k, len(o), n))
		}
	}
	for _, c := range m.t.columns {
		if int(c) >= len(cols) || len(cols[c]) < n {
			panic(fmt.Sprintf("expr: x%d has no column of %d rows", c, n))
		}
	}
	if n < vec.Block {
		m.runSmall(n, cols)
		return
	}
	whole := (n + vec.Block - 1) / vec.Block * vec.Block
	for at := 0; at < n; at += chunk {
		size := min(chunk, whole-at)
		m.size(size)
		from := min(at, n-size)
		if from < 0 { // only one chunk: first the whole blocks from row 0, then the last block
			m.size(size - vec.Block)
			m.bind(0, size-vec.Block, cols)
			m.execute()
			m.size(vec.Block)
			size, from = vec.Block, n-vec.Block
		}
		m.bind(from, size, cols)
		m.execute()
	}
	clear(m.outs)
}

// size sets the number of rows that the registers hold.
func (m *machine[T]) size(rows int) {
	if m.rows == rows {
		return
	}
	if need := rows * m.t.registers; need > len(m.memory) {
		m.memory = make([]T, need)
	}
	for k := range m.t.registers {
		m.slots[m.t.outputs+k] = m.memory[k*rows : (k+1)*rows : (k+1)*rows]
	}
	m.rows = rows
}

// bind sets the slots of outputs and columns to the rows [from, from+size).
func (m *machine[T]) bind(from, size int, cols [][]T) {
	for k, o := range m.outs {
		m.slots[k] = o[from : from+size]
	}
	slots := m.slots[len(m.slots)-len(m.t.columns):]
	for k, c := range m.t.columns {
		slots[k] = cols[c][from : from+size]
	}
}

// runSmall evaluates a table with fewer rows than a block, padded to one block.
func (m *machine[T]) runSmall(n int, cols [][]T) {
	if m.small == nil {
		m.small = make([]T, (len(m.t.columns)+len(m.outs))*vec.Block)
	}
	m.size(vec.Block)
	for k, c := range m.t.columns {
		block := m.small[k*vec.Block : (k+1)*vec.Block]
		copy(block, cols[c][:n])
		m.slots[len(m.slots)-len(m.t.columns)+k] = block
	}
	for k := range m.outs {
		at := (len(m.t.columns) + k) * vec.Block
		m.slots[k] = m.small[at : at+vec.Block]
	}
	m.execute()
	for k, o := range m.outs {
		copy(o[:n], m.slots[k])
	}
	clear(m.outs)
}

// execute runs the tape over the rows to which the slots are bound.
func (m *machine[T]) execute() {
	s := m.slots
	for i := range m.t.code {
		in := &m.t.code[i]
		switch in.kind {
		case callFused:
			m.set.Fused[in.f][in.g](s[in.dst], s[in.a], s[in.b], s[in.c])
		case callBinary:
			m.set.Binary[in.f](s[in.dst], s[in.a], s[in.b])
		case callUnary:
			m.set.Unary[in.f](s[in.dst], s[in.a])
		case callFunction:
			m.function(in)
		default:
			spread(s[in.dst], s[in.a])
		}
	}
}

// function runs an instruction without a kernel.
//
//go:noinline
func (m *machine[T]) function(in *instruction) {
	v := value{op: Op(in.f), part: part(in.g)}
	mapBinary(v.of, m.slots[in.dst], m.slots[in.a], m.slots[in.b])
}

// spread fills dst with the column a, or with copies of a if a is a block that holds one constant.
func spread[T vec.Float](dst, a []T) {
	for len(dst) > 0 {
		dst = dst[copy(dst, a):]
	}
}
