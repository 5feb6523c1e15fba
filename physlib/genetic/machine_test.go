package genetic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
	"gonum.org/v1/gonum/diff/fd"
)

// TestDerivatives compares the derivative with respect to each constant with the result of finite
// differences.
func TestDerivatives(t *testing.T) {
	names := []string{"x"}
	formulas := []string{"c0*x", "x/c0", "c0/x", "c0 - x", "x - c0", "x**c0", "c0**x", "sqrt(c0*x)", "exp(c0*x)", "log(c0*x)",
		"sin(c0*x)", "cos(c0*x)", "tan(c0*x)", "asin(c0*x/2)", "acos(c0*x/2)", "atan(c0*x)", "sinh(c0*x)", "cosh(c0*x)", "tanh(c0*x)",
		"abs(c0*x)", "inv(c0*x)", "square(c0*x)", "cube(c0*x)", "-(c0*x)", "c0*x + sin(c0)"}
	for _, o := range expr.Operators() {
		if o.Arity == 1 {
			formulas = append(formulas, o.Name+"(c0*x/2)")
		} else {
			formulas = append(formulas, o.Name+"(c0, x)", o.Name+"(x, c0*x)")
		}
	}
	for _, f := range formulas {
		tree := parse(t, f, names...)
		nodes := append([]expr.Node(nil), tree.Nodes()...)
		m := newMachine(16)
		cols := uniform(1, 16, 0.5, 1)
		at := func(c float64) float64 {
			for i := range nodes {
				if nodes[i].Op == expr.Param {
					nodes[i].Value = c
				}
			}
			m.eval(nodes, cols)
			return m.wide(len(nodes) - 1)[3]
		}
		want := fd.Derivative(at, 1.3, &fd.Settings{Formula: fd.Central})
		at(1.3)
		m.differentiate(nodes, 0, len(nodes), 1, false)
		got := 0.0
		for i, n := range nodes {
			if n.Op == expr.Param {
				got += m.adj[i][3]
			}
		}
		if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("%s: derivative %g, by differences %g", f, got, want)
		}
	}
}

func TestUndo(t *testing.T) {
	for op, o := range expr.Operators() {
		x := 0.7
		if o.Inverse == nil {
			continue
		}
		if got := undoUnary(op, o.Apply(x, 0), x); math.Abs(got-x) > 1e-12 {
			t.Errorf("%s: %g comes back as %g", op, x, got)
		}
	}
	for _, x := range []float64{-20, -0.3, 4, 100} {
		for _, op := range []expr.Op{expr.Sin, expr.Cos, expr.Tan, expr.Square, expr.Abs} {
			if got := undoUnary(op, op.Operator().Apply(x, 0), x); math.Abs(got-x) > 1e-9*math.Abs(x) {
				t.Errorf("%s: %g comes back as %g", op, x, got)
			}
		}
	}
}

func TestFold(t *testing.T) {
	names := []string{"x", "y"}
	for _, c := range []struct{ from, to string }{
		{"2*x + 3", "x"},
		{"3 - x*y/7", "x*y"},
		{"1/(2*x)", "inv(x)"},
		{"sin(2*3*x)", "sin(c0*x)"},
		{"x*1 + 0*2", "x"},
		{"exp(log(x))", "x"},
		{"-(-(x))", "x"},
		{"x + 0", "x"},
		{"2 + c0", ""},
		{"x - y", "x + y"}, // the linear constant supplies the sign
	} {
		nodes := fold(parse(t, c.from, names...).Nodes())
		got := ""
		if nodes != nil {
			renumber(nodes)
			tree, ok := expr.FromNodes(nodes)
			if !ok {
				t.Fatalf("%s: malformed", c.from)
			}
			got = tree.Infix(names)
		}
		if got != c.to {
			t.Errorf("%s becomes %q, want %q", c.from, got, c.to)
		}
	}
}

func TestShapeIgnoresOrder(t *testing.T) {
	hash := func(s string) uint64 { return shape(parse(t, s, "x", "y").Nodes()) }
	if hash("x*y + sin(x)") != hash("sin(x) + y*x") {
		t.Error("order in sums and products counts")
	}
	if hash("x - y") == hash("y - x") || hash("x/y") == hash("y/x") || hash("x**2") == hash("x**3") || hash("x") == hash("y") {
		t.Error("different laws have one shape")
	}
}

// TestSurgery applies all mutations many times and checks that the results are valid trees.
func TestSurgery(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	names := []string{"x", "y"}
	p := problemOf(parse(t, "x*y", names...), names, uniform(2, 30, 1, 2), 0, nil)
	for _, units := range []bool{false, true} {
		p.Units = units
		p.Vars[0].Dim, p.Target.Dim = unit.Powers(1), unit.Powers(1)
		m := newMaterial(p, rng)
		g := newGrammar(nil, m)
		nodes := g.grow(rng, 8)
		for range 3000 {
			child := mutations.draw(rng)(g, rng, nodes)
			if rng.IntN(4) == 0 {
				child = cross(g, rng, nodes, g.growDim(rng, 6, m.target))
			}
			if child == nil {
				continue
			}
			if folded := fold(child); folded != nil {
				child = folded
			}
			if _, ok := expr.FromNodes(child); !ok {
				t.Fatalf("%v became %v", nodes, child)
			}
			if nodes = child; len(nodes) > 40 {
				nodes = g.grow(rng, 8)
			}
		}
	}
}

// BenchmarkEvolve runs the search on one core, with 256 rows and three columns. The metric
// candidates/s is the number of evaluated trees per second, including those of fits of constants.
func BenchmarkEvolve(b *testing.B) {
	names := []string{"x", "y", "z"}
	p := problemOf(parse(b, "x*exp(-y/z) + sin(x*y)/(1 + z**2)", names...), names, uniform(3, 256, 1, 4), 0.01, rand.New(rand.NewPCG(3, 4)))
	m := newMaterial(p, rand.New(rand.NewPCG(1, 1)))
	g := newGrammar(nil, m)
	lib := newLibrary(g, m)
	is := newIsland(m, g, lib, &Search{}, 0, 0)
	is.evolve(b.Context(), 1, math.MaxInt64)
	is.tuner.calls = 0
	for b.Loop() {
		is.evolve(b.Context(), 1000, math.MaxInt64)
	}
	b.ReportMetric(float64(is.tuner.calls)/b.Elapsed().Seconds(), "candidates/s")
}

// BenchmarkFitness evaluates a small tree with linear scaling on 256 rows.
func BenchmarkFitness(b *testing.B) {
	names := []string{"x", "y", "z"}
	tree := parse(b, "x*y/(1 + z) + sqrt(x)", names...)
	p := problemOf(tree, names, uniform(3, 256, 1, 4), 0, nil)
	m := newMaterial(p, rand.New(rand.NewPCG(1, 1)))
	c := newScaler(m.fit, 8, true)
	for b.Loop() {
		c.nmse(tree.Nodes())
	}
}
