package expr

import "github.com/physlib/lab/physlib/vec"

// callKind is the kind of kernel that an instruction calls.
type callKind uint8

const (
	// dst = a, used if an output equals a column, a constant or another output.
	copyColumn callKind = iota
	callUnary
	callBinary
	callFused
	callFunction // an operator without a kernel, of one or two operands
)

// instruction calculates the values in slot dst from those in one to three of the slots a, b and c.
type instruction struct {
	kind callKind
	// The kernel: f is a vec.Unary or a vec.Binary, and g a vec.Outer if a second operation is
	// fused with f. For an operator without a kernel, f is the Op and g its part.
	f, g         uint8
	dst, a, b, c int32 // slots
}

// tape is a compiled graph: instructions that run over blocks of rows in slots. The slots are, in
// this order: outputs, registers, scalars (values that do not vary from row to row), and columns.
type tape struct {
	code      []instruction
	outputs   int
	registers int
	scalars   []value // in the order of calculation; their operands are indices into scalars
	columns   []int32 // the table's column for each column slot
	shown     []int32 // for each scalar slot, the index of its value in scalars
}

// lowering is the state of the compilation of a graph to a tape.
type lowering struct {
	g       *graph
	t       *tape
	slot    []int32 // slot of every value, -1 before it has one
	scalar  []int32 // index in t.scalars of every value that is the same in all rows
	lastUse []int32 // for each value, the last value that uses it
	uses    []int32
	// For each value, its operand that is calculated by the same fused instruction; none: no
	// fusion.
	partner []ref
	free    []int32
	keep    []bool // the value is an output, so its slot is never reused
}

// newTape compiles the graph g to a tape with the given outputs.
func newTape(g *graph, outputs []ref) *tape {
	n := len(g.values)
	ints := make([]int32, 4*n)
	l := &lowering{g: g, t: &tape{outputs: len(outputs)}, slot: ints[:n], scalar: ints[n : 2*n], lastUse: ints[2*n : 3*n],
		uses: ints[3*n:], partner: make([]ref, n), keep: make([]bool, n)}
	for i := range l.slot {
		l.slot[i], l.partner[i] = -1, none
	}
	l.countUses(outputs)
	l.fuse()
	l.leaves(outputs)
	l.instructions(outputs)
	return l.t
}

// countUses counts how often each value is used, and finds its last use. A value that no output
// needs counts as unused.
func (l *lowering) countUses(outputs []ref) {
	for _, o := range outputs {
		l.uses[o]++
		l.keep[o] = true
	}
	for i := len(l.g.values) - 1; i >= 0; i-- {
		v := &l.g.values[i]
		if l.uses[i] == 0 {
			continue
		}
		for _, o := range [2]ref{v.a, v.b} {
			if o != none {
				l.uses[o]++
				l.lastUse[o] = max(l.lastUse[o], int32(i))
			}
		}
	}
}

func arithmetic(op Op) bool { return op == Add || op == Sub || op == Mul || op == Div }

// fuse pairs arithmetic operations with the operation that calculates one of their operands. The
// operand must not be used elsewhere, and calculating it later must not need another register.
func (l *lowering) fuse() {
	taken := make([]bool, len(l.g.values))
	for i := len(l.g.values) - 1; i >= 0; i-- {
		v := &l.g.values[i]
		if taken[i] || l.uses[i] == 0 || !v.varies || !arithmetic(v.op) || v.a == v.b {
			continue
		}
		for _, o := range [2]ref{max(v.a, v.b), min(v.a, v.b)} {
			w := &l.g.values[o]
			if !w.varies || !arithmetic(w.op) || l.uses[o] != 1 || l.keep[o] || taken[o] {
				continue
			}
			if l.isLeaf(w.a) && l.isLeaf(w.b) || l.adjacent(int(o), i) {
				l.partner[i], taken[o] = o, true
				for _, x := range [2]ref{w.a, w.b} {
					l.lastUse[x] = max(l.lastUse[x], int32(i))
				}
				break
			}
		}
	}
}

func (l *lowering) isLeaf(r ref) bool { return !l.g.values[r].varies || l.g.values[r].op == Var }

// adjacent reports whether no register is written between the values o and i.
func (l *lowering) adjacent(o, i int) bool {
	for o++; o < i; o++ {
		if l.uses[o] > 0 && !l.isLeaf(ref(o)) {
			return false
		}
	}
	return true
}

// leaves assigns slots to scalars and columns. The slots of each kind are provisional, see
// relocate.
func (l *lowering) leaves(outputs []ref) {
	isOutput := l.keep
	column := map[int32]int32{}
	for i := range l.g.values {
		v := &l.g.values[i]
		if l.uses[i] == 0 {
			continue
		}
		if !v.varies {
			l.scalar[i] = int32(len(l.t.scalars))
			s := *v
			if s.a != none {
				s.a = ref(l.scalar[s.a])
			}
			if s.b != none {
				s.b = ref(l.scalar[s.b])
			}
			l.t.scalars = append(l.t.scalars, s)
			if isOutput[i] {
				l.show(ref(i))
			}
			continue
		}
		if v.op == Var {
			at, seen := column[v.index]
			if !seen {
				at = int32(len(l.t.columns))
				column[v.index] = at
				l.t.columns = append(l.t.columns, v.index)
			}
			l.slot[i] = at
			continue
		}
		for _, o := range [2]ref{v.a, v.b} {
			if o != none && !l.g.values[o].varies {
				l.show(o)
			}
		}
	}
}

// show gives the scalar r a slot.
func (l *lowering) show(r ref) {
	if l.slot[r] < 0 {
		l.slot[r] = int32(len(l.t.shown))
		l.t.shown = append(l.t.shown, l.scalar[r])
	}
}

// Bases of provisional slots. Each kind of slot is counted up from its base: registers, scalars and
// columns. Outputs are counted from 0. relocate replaces these numbers.
const (
	registerBase = 1 << 20
	scalarBase   = 2 << 20
	columnBase   = 3 << 20
)

// instructions emits the code. A linear scan assigns registers and frees each one after its last
// use.
func (l *lowering) instructions(outputs []ref) {
	output := make(map[ref]int32, len(outputs))
	for k, o := range outputs {
		if _, seen := output[o]; !seen && !l.isLeaf(o) {
			output[o] = int32(k)
		}
	}
	taken := make(map[ref]bool)
	for _, p := range l.partner {
		if p != none {
			taken[p] = true
		}
	}
	for i := range l.g.values {
		r := ref(i)
		if l.uses[i] == 0 || l.isLeaf(r) || taken[r] {
			continue
		}
		in := l.instruction(r)
		l.release(r, r)
		if p := l.partner[i]; p != none {
			l.release(p, r)
		}
		if k, ok := output[r]; ok {
			l.slot[i] = k
		} else {
			l.slot[i] = l.register()
		}
		in.dst = l.slot[i]
		l.t.code = append(l.t.code, in)
	}
	for k, o := range outputs {
		if at, ok := output[o]; !ok || at != int32(k) {
			l.t.code = append(l.t.code, instruction{kind: copyColumn, dst: int32(k), a: l.operand(o)})
		}
	}
	l.relocate()
}

// instruction returns the instruction that computes value r, without its dst.
func (l *lowering) instruction(r ref) instruction {
	v := &l.g.values[r]
	switch p := l.partner[r]; {
	case p != none:
		w := &l.g.values[p]
		in := instruction{kind: callFused, f: uint8(w.op - Add), a: l.operand(w.a), b: l.operand(w.b)}
		if p == v.a {
			in.g, in.c = uint8(outerLeft[v.op-Add]), l.operand(v.b)
		} else {
			in.g, in.c = uint8(outerRight[v.op-Add]), l.operand(v.a)
		}
		return in
	case !v.hasKernel():
		in := instruction{kind: callFunction, f: uint8(v.op), g: uint8(v.part), a: l.operand(v.a)}
		in.b = in.a
		if v.b != none {
			in.b = l.operand(v.b)
		}
		return in
	case v.b != none:
		return instruction{kind: callBinary, f: uint8(v.op - Add), a: l.operand(v.a), b: l.operand(v.b)}
	}
	return instruction{kind: callUnary, f: uint8(operators[v.op].unary), a: l.operand(v.a)}
}

var (
	outerLeft  = [4]vec.Outer{vec.AddTo, vec.SubBy, vec.MulBy, vec.DivBy}
	outerRight = [4]vec.Outer{vec.AddTo, vec.SubFrom, vec.MulBy, vec.DivInto}
)

func (l *lowering) operand(r ref) int32 {
	switch v := &l.g.values[r]; {
	case !v.varies:
		return scalarBase + l.slot[r]
	case v.op == Var:
		return columnBase + l.slot[r]
	}
	return l.slot[r]
}

// release frees the registers of those operands of r that no value after the value `at` uses.
func (l *lowering) release(r, at ref) {
	v := &l.g.values[r]
	for k, o := range [2]ref{v.a, v.b} {
		if o == none || l.isLeaf(o) || l.keep[o] || l.slot[o] < registerBase || l.lastUse[o] != int32(at) || k == 1 && v.a == v.b {
			continue
		}
		l.free = append(l.free, l.slot[o])
	}
}

// register returns the register freed last, which is most likely in the cache, or a new one.
func (l *lowering) register() int32 {
	if n := len(l.free); n > 0 {
		s := l.free[n-1]
		l.free = l.free[:n-1]
		return s
	}
	l.t.registers++
	return registerBase + int32(l.t.registers-1)
}

// relocate replaces the provisional slots in the code by final ones.
func (l *lowering) relocate() {
	t := l.t
	base := [4]int32{0, int32(t.outputs), int32(t.outputs + t.registers), int32(t.outputs + t.registers + len(t.shown))}
	for i := range t.code {
		in := &t.code[i]
		for _, s := range []*int32{&in.dst, &in.a, &in.b, &in.c} {
			*s = base[*s>>20] + *s&(1<<20-1)
		}
	}
}
