package expr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/vec"
)

// grow draws a tree of about size nodes over vars columns and params constants, from ops.
func grow(rng *rand.Rand, size, vars, params int, ops []Op) Tree {
	if size <= 1 {
		switch r := rng.Float64(); {
		case r < 0.15:
			return Num(math.Round(rng.Float64()*4000-2000) / 1000)
		case r < 0.35 && params > 0:
			k := rng.IntN(params)
			return C(k, 0.5+float64(k)/4)
		case r < 0.38:
			return Leaf(Pi + Op(rng.IntN(2)))
		}
		return X(rng.IntN(vars))
	}
	op := ops[rng.IntN(len(ops))]
	if size == 2 || op.Arity() == 1 {
		if op.Arity() == 2 {
			return grow(rng, 1, vars, params, ops)
		}
		return Apply(op, grow(rng, size-1, vars, params, ops))
	}
	left := 1 + rng.IntN(size-2)
	return Apply(op, grow(rng, left, vars, params, ops), grow(rng, size-1-left, vars, params, ops))
}

func allOps() (ops []Op) {
	for op := Neg; op < numOps; op++ {
		ops = append(ops, op)
	}
	return ops
}

// interpret is the plainest evaluation of row i.
func interpret(t Tree, cols [][]float64, i int, params []float64) float64 {
	var stack []float64
	for _, n := range t.nodes {
		v := value{op: n.Op, index: n.Index, num: n.Value, a: none, b: none}
		switch k := len(stack); n.Op.Arity() {
		case 0:
			if n.Op == Var {
				stack = append(stack, cols[n.Index][i])
			} else {
				stack = append(stack, v.scalar(nil, params))
			}
		case 1:
			stack[k-1] = apply1(n.Op, stack[k-1])
		case 2:
			stack[k-2] = apply2(n.Op, stack[k-2], stack[k-1])
			stack = stack[:k-1]
		}
	}
	return stack[0]
}

func columns(rng *rand.Rand, vars, rows int) [][]float64 {
	cols := make([][]float64, vars)
	for v := range cols {
		cols[v] = make([]float64, rows)
		for i := range cols[v] {
			cols[v][i] = 0.5 + 1.5*rng.Float64()
		}
	}
	return cols
}

func close64(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol*math.Max(math.Abs(a), math.Abs(b))
}

// Arithmetic gives the same bits whatever the fusing, the order and the set; rows are awkward numbers.
func TestEvalArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, set := range vec.Sets64() {
		old := kernels64
		kernels64 = set
		for k := range 400 {
			rows := []int{1, 2, 15, 16, 17, 31, 33, 500, 512, 513, 1000, 1040}[rng.IntN(12)]
			tree := grow(rng, 1+rng.IntN(60), 4, 3, []Op{Add, Sub, Mul, Div, Neg, Square, Cube, Abs, Inv})
			cols, params := columns(rng, 4, rows), []float64{1.5, -0.25, 3}
			dst := make([]float64, rows)
			p := Compile(tree)
			p.Eval(dst, cols, params)
			for i := range dst {
				if want := interpret(tree, cols, i, params); !close64(dst[i], want, 0) {
					t.Fatalf("%s: tree %d %v, %d rows: row %d is %v, want %v", set.Name, k, tree, rows, i, dst[i], want)
				}
			}
		}
		kernels64 = old
	}
}

func TestGradFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	checked := 0
	for k := range 600 {
		rows := []int{1, 16, 21, 515}[rng.IntN(4)]
		tree := grow(rng, 1+rng.IntN(25), 3, 3, allOps())
		cols, params := columns(rng, 3, rows), []float64{0.5, 0.75, 1}
		dst, plain := make([]float64, rows), make([]float64, rows)
		grad := columns(rng, 4, rows)
		p := Compile(tree)
		p.Grad(dst, grad, cols, params)
		p.Eval(plain, cols, params)
		for i := range dst {
			if !close64(dst[i], plain[i], 1e-12) {
				t.Fatalf("tree %d %v row %d: Grad's value %v, Eval's %v", k, tree, i, dst[i], plain[i])
			}
		}
		for c := range grad {
			for _, i := range []int{0, rows / 2, rows - 1} {
				slope := func(h float64) float64 {
					q := []float64{0.5, 0.75, 1, 0}
					q[c] += h
					up := interpret(tree, cols, i, q)
					q[c] -= 2 * h
					return (up - interpret(tree, cols, i, q)) / (2 * h)
				}
				near, wide := slope(1e-5), slope(2e-5)
				if math.IsNaN(near) || !close64(near, wide, 1e-6) || math.Abs(dst[i]) > 1e3 || math.Abs(near) > 1e6 || math.Abs(near) < 1e-3*math.Abs(dst[i]) {
					continue // too steep, or too flat, to tell
				}
				checked++
				if !close64(grad[c][i], near, 1e-4) {
					t.Fatalf("tree %d %v: d/dc%d at row %d is %v, want %v", k, tree, c, i, grad[c][i], near)
				}
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d derivatives could be checked", checked)
	}
}

func TestEvalAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tree := grow(rng, 40, 3, 3, allOps())
	const rows = 1000
	cols, grad, dst := columns(rng, 3, rows), columns(rng, 3, rows), make([]float64, rows)
	dst32, cols32 := make([]float32, rows), [][]float32{make([]float32, rows), make([]float32, rows), make([]float32, rows)}
	p := Compile(tree)
	params, params32 := []float64{1, 2, 3}, []float32{1, 2, 3}
	for name, f := range map[string]func(){
		"Eval":   func() { p.Eval(dst, cols, params) },
		"Eval32": func() { p.Eval32(dst32, cols32, params32) },
		"Grad":   func() { p.Grad(dst, grad, cols, params) },
	} {
		if n := testing.AllocsPerRun(10, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestEvalEmptyAndStarts(t *testing.T) {
	dst := make([]float64, 20)
	Compile(Tree{}).Eval(dst, nil, nil)
	if !math.IsNaN(dst[0]) || !math.IsNaN(dst[19]) {
		t.Errorf("the empty tree gives %v", dst)
	}
	Compile(C(0, 7)).Eval(dst, nil, nil)
	if dst[0] != 7 || dst[19] != 7 {
		t.Errorf("a constant without a value gives %v, want its start 7", dst)
	}
	Compile(X(1)).Eval(dst[:0], [][]float64{nil, nil}, nil) // no rows
}
