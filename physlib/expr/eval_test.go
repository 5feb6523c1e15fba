package expr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/vec"
)

// grow returns a random tree of about size nodes with the given numbers of columns and constants
// and operators from ops.
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
	for op, o := range Operators() {
		// Rare operators are steep and have poles. TestOperators evaluates them where they are
		// smooth.
		if !o.Rare {
			ops = append(ops, op)
		}
	}
	return ops
}

// interpret returns the value of t in row i, calculated node by node.
func interpret(t Tree, cols [][]float64, i int, params []float64) float64 {
	y, _ := interpretMost(t, cols, i, params)
	return y
}

// interpretMost is like interpret. It also returns the largest of the intermediate results and
// their inverses, in absolute value.
func interpretMost(t Tree, cols [][]float64, i int, params []float64) (y, most float64) {
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
			stack[k-1] = n.Op.Operator().Apply(stack[k-1], 0)
		case 2:
			stack[k-2] = n.Op.Operator().Apply(stack[k-2], stack[k-1])
			stack = stack[:k-1]
		}
		if x := math.Abs(stack[len(stack)-1]); x > 0 {
			most = max(most, x, 1/x)
		}
	}
	return stack[0], most
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

// Arithmetic gives the same bits with fused instructions, with any order of the operands and with
// any instruction set. The rows contain zeros, infinities and NaN.
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
					continue // too steep or too flat to be checked by a difference
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

// The kernels of every instruction set agree with the interpreter, as far as the condition number
// of the tree allows. The tolerance is the change of the result if all columns change by the factor
// 1 + 1e-10 (1 + 1e-5 in float32), plus a few rounding errors.
func TestEvalAgainstInterpreter(t *testing.T) {
	defer func(a *vec.Set[float64], b *vec.Set[float32]) { kernels64, kernels32 = a, b }(kernels64, kernels32)
	for k := range vec.Sets64() {
		kernels64, kernels32 = vec.Sets64()[k], vec.Sets32()[k]
		rng := rand.New(rand.NewPCG(7, 8))
		for range 300 {
			tree := grow(rng, 1+rng.IntN(30), 4, 2, allOps())
			rows := []int{3, 16, 40, 530}[rng.IntN(4)]
			cols, params := columns(rng, 4, rows), []float64{0.75, 1.25}
			dst, dst32 := make([]float64, rows), make([]float32, rows)
			cols32, moved, moved32 := make([][]float32, 4), make([][]float64, 4), make([][]float64, 4)
			for v := range cols {
				cols32[v], moved[v], moved32[v] = make([]float32, rows), make([]float64, rows), make([]float64, rows)
				for i, x := range cols[v] {
					cols32[v][i] = float32(x)
					cols[v][i] = float64(float32(x))
					moved[v][i], moved32[v][i] = cols[v][i]*(1+1e-10), cols[v][i]*(1+1e-5)
				}
			}
			p := Compile(tree)
			p.Eval(dst, cols, params)
			p.Eval32(dst32, cols32, []float32{0.75, 1.25})
			for i := range dst {
				want, most := interpretMost(tree, cols, i, params)
				if most > 1e4 {
					continue // too large for float32, or an angle too large for float32
				}
				check := func(name string, got, near, eps float64) {
					t.Helper()
					if math.IsNaN(near-near) || math.IsNaN(want-want) {
						return
					}
					if tol := 100*math.Abs(near-want) + eps*math.Max(1, math.Abs(want)); !(math.Abs(got-want) <= tol) && tol < 1e-2*math.Abs(want) {
						t.Fatalf("%s %s: %v at row %d is %v, want %v", kernels64.Name, name, tree, i, got, want)
					}
				}
				check("float64", dst[i], interpret(tree, moved, i, params), 1e-10)
				check("float32", float64(dst32[i]), interpret(tree, moved32, i, params), 1e-4)
			}
		}
	}
}

// Grad agrees with the derivative trees of DiffParam.
func TestGradAgainstDiffParam(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		tree := grow(rng, 1+rng.IntN(20), 3, 2, []Op{Add, Sub, Mul, Div, Neg, Square, Sqrt, Exp, Log, Sin, Cos, Tanh, Atan})
		const rows = 37
		cols, params := columns(rng, 3, rows), []float64{0.5, 1.5}
		dst, grad, want := make([]float64, rows), columns(rng, 2, rows), make([]float64, rows)
		Compile(tree).Grad(dst, grad, cols, params)
		for k := range grad {
			Compile(tree.DiffParam(k)).Eval(want, cols, params)
			for i := range want {
				if math.IsNaN(want[i]-want[i]) || math.IsNaN(grad[k][i]-grad[k][i]) || math.Abs(want[i]) > 1e8*math.Max(1, math.Abs(dst[i])) {
					// Grad and DiffParam use different orders of operations, which overflow at
					// different rows.
					continue
				}
				if math.Abs(grad[k][i]-want[i]) > 1e-6*math.Max(1e-3, math.Abs(want[i])) {
					t.Fatalf("%v: d/dc%d at row %d is %v, DiffParam gives %v", tree, k, i, grad[k][i], want[i])
				}
			}
		}
	}
}

// The derivative of x**c with respect to c is 0 at x = 0. With NaN, a fit would fail.
func TestGradPowerOfZero(t *testing.T) {
	x := []float64{0, 1, 2}
	dst, grad := make([]float64, 3), [][]float64{make([]float64, 3)}
	Compile(Apply(Pow, X(0), C(0, 2))).Grad(dst, grad, [][]float64{x}, []float64{2})
	if grad[0][0] != 0 || grad[0][1] != 0 || math.Abs(grad[0][2]-4*math.Ln2) > 1e-15 {
		t.Errorf("d x²/dc = %v", grad[0])
	}
}

func TestProgramConcurrent(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	p := Compile(grow(rng, 30, 3, 2, allOps()))
	cols, want := columns(rng, 3, 700), make([]float64, 700)
	p.Eval(want, cols, nil)
	done := make(chan []float64)
	for range 4 {
		go func(q *Program) {
			dst := make([]float64, 700)
			for range 20 {
				q.Eval(dst, cols, nil)
			}
			done <- dst
		}(p.Clone())
	}
	for range 4 {
		for i, y := range <-done {
			if y != want[i] && y == y {
				t.Fatalf("row %d of a clone is %v, want %v", i, y, want[i])
			}
		}
	}
}

func ExampleProgram_Grad() {
	// The period of a pendulum, T = c0·√(l/g), and its derivative with respect to c0.
	period := Apply(Mul, C(0, 6), Apply(Sqrt, Apply(Div, X(0), X(1))))
	length, g := []float64{0.25, 1, 4}, []float64{9.81, 9.81, 9.81}
	p := Compile(period)
	dst, grad := make([]float64, 3), [][]float64{make([]float64, 3)}
	p.Grad(dst, grad, [][]float64{length, g}, []float64{2 * math.Pi})
	fmt.Printf("%.3f\n%.3f\n", dst, grad[0])
	// Output:
	// [1.003 2.006 4.012]
	// [0.160 0.319 0.639]
}

func BenchmarkEval(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 3))
	const rows = 1000
	var programs []*Program
	nodes := 0
	for range 100 {
		tree := grow(rng, 1+rng.IntN(50), 10, 2, []Op{Add, Sub, Mul, Div, Exp, Log, Sin, Cos, Sqrt})
		nodes += tree.Len()
		programs = append(programs, Compile(tree))
	}
	cols, dst, grad := columns(rng, 10, rows), make([]float64, rows), columns(rng, 2, rows)
	cols32, dst32 := make([][]float32, len(cols)), make([]float32, rows)
	for v := range cols {
		cols32[v] = make([]float32, rows)
		for i := range cols[v] {
			cols32[v][i] = float32(cols[v][i])
		}
	}
	for _, run := range []struct {
		name string
		f    func(p *Program)
	}{
		{"float32", func(p *Program) { p.Eval32(dst32, cols32, nil) }},
		{"float64", func(p *Program) { p.Eval(dst, cols, nil) }},
		{"grad", func(p *Program) { p.Grad(dst, grad, cols, nil) }},
	} {
		b.Run(run.name, func(b *testing.B) {
			for range b.N {
				for _, p := range programs {
					run.f(p)
				}
			}
			b.ReportMetric(float64(nodes)*rows*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "Gnodes/s")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	tree := grow(rand.New(rand.NewPCG(1, 4)), 25, 10, 2, allOps())
	for range b.N {
		Compile(tree)
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
