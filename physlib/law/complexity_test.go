package law_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

func TestComplexityEqualForms(t *testing.T) {
	vars := []string{"x", "y", "z"}
	for _, group := range [][]string{
		{"x/y", "x*y**(-1)", "x*inv(y)", "1/(y/x)"},
		{"x + y + z", "z + (y + x)", "x - (-y - z)"},
		{"sqrt(x)", "x**(1/2)"},
		{"x**2", "x*x", "square(x)"},
		{"2*pi*x", "x*(pi + pi)", "x*2*pi"},
		{"c0*x + c1", "c1 + c0*x", "c0 + c1*x"},
		{"x", "x*1", "x + 0", "-(-x)"},
	} {
		var want float64
		for i, text := range group {
			tree, err := expr.Parse(text, vars)
			if err != nil {
				t.Fatal(err)
			}
			got := law.Complexity(tree, 3)
			if i == 0 {
				want = got
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%s costs %.2f bits, %s %.2f", text, got, group[0], want)
			}
		}
	}
}

// Each law in a chain has a shorter description than the next.
func TestComplexityRises(t *testing.T) {
	vars := []string{"x", "y", "z"}
	for _, chain := range [][]string{
		{"1", "x", "x*y", "x*y*z", "x*y*z*sin(x)", "x*y*z*acos(x)"},
		{"x", "2*x", "4*pi**2*x", "2.7465519*x"},
		{"x", "x**2", "x**3", "x**(5/2)", "x**2.7465519"},
		{"x", "x + 1", "x + 1/2", "x + 97/89"},
		{"exp(x)", "exp(-x)", "exp(-x/2)", "exp(-x**2/2)", "exp(-x**2/2)/sqrt(2*pi)"},
		{"x", "c0*x", "c0*x + c1"},
	} {
		last := math.Inf(-1)
		for _, text := range chain {
			tree, err := expr.Parse(text, vars)
			if err != nil {
				t.Fatal(err)
			}
			bits := law.Complexity(tree, 3)
			if !(bits > last) {
				t.Errorf("%s costs %.2f bits, no more than the one before in %q", text, bits, chain)
			}
			last = bits
		}
	}
}

func TestComplexityAwkward(t *testing.T) {
	if got := law.Complexity(expr.Tree{}, 3); got != 0 {
		t.Errorf("the empty tree costs %v", got)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 5e-324, -math.MaxFloat64} {
		for _, tree := range []expr.Tree{
			expr.Num(v), expr.Apply(expr.Mul, expr.Num(v), expr.X(0)), expr.Apply(expr.Pow, expr.X(0), expr.Num(v)),
			expr.Apply(expr.Div, expr.X(0), expr.Num(v)), expr.Apply(expr.Inv, expr.Num(v)),
		} {
			for _, vars := range []int{-1, 0, 1, 50} {
				if got := law.Complexity(tree, vars); !(got >= 0 && got < 100) {
					t.Errorf("%s costs %v bits", tree, got)
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 1000 {
		tree := grow(rng, 1+rng.IntN(20))
		if got := law.Complexity(tree, 2); !(got >= 0 && got < 1000) {
			t.Errorf("%s costs %v bits", tree, got)
		}
	}
}

func TestNumberBits(t *testing.T) {
	for _, test := range []struct{ v, bits float64 }{
		{1, 0}, {-1, 1}, {2, 2}, {0.5, 2}, {-0.5, 3}, {math.Pi, 3}, {4 * math.Pi * math.Pi, 8}, {0, 0},
		{2.7465519, 14}, {-2.7465519, 15}, {math.NaN(), 14}, {math.Inf(1), 14}, {math.Inf(-1), 15},
	} {
		if got := law.NumberBits(test.v); math.Abs(got-test.bits) > 1e-9 {
			t.Errorf("%v costs %v bits, want %v", test.v, got, test.bits)
		}
	}
}

func TestScore(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name       string
		complexity float64
		r          law.Residuals
		score      float64
	}{
		{"χ² and the law", 20, law.Residuals{Rows: 64, RSS: 64 * 4 * 2 * math.Ln2, Sigma: 2}, 84},
		{"a constant costs half log₂ n", 20, law.Residuals{Rows: 64, RSS: 0, Sigma: 2, Free: 2}, 26},
		{"unknown σ", 20, law.Residuals{Rows: 64, RSS: 64 * 0.25, RMS: 2}, 20 - 64*2},
		{"exact is exact", 20, law.Residuals{Rows: 10, RSS: 0, RMS: 1}, 20 + 10*math.Log2(law.Floor)},
		{"exact in the rounding", 20, law.Residuals{Rows: 10, RSS: 1e-25, RMS: 1}, 20 + 10*math.Log2(law.Floor)},
		{"target of zeros", 1, law.Residuals{Rows: 10, RSS: 0, RMS: 0}, 1 + 10*math.Log2(law.Floor)},
		{"as many constants as rows", 5, law.Residuals{Rows: 3, RSS: 0, RMS: 1, Free: 3}, inf},
		{"no rows", 5, law.Residuals{}, inf},
		{"undefined", 5, law.Residuals{Rows: 3, RSS: math.NaN(), RMS: 1}, inf},
		{"overflow", 5, law.Residuals{Rows: 3, RSS: inf, RMS: 1}, inf},
	} {
		if got := law.Score(test.complexity, test.r); got != test.score && math.Abs(got-test.score) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.score)
		}
	}
}

func ExampleComplexity() {
	for _, text := range []string{"2*pi*sqrt(l/g)", "c0*l**c1", "atan(l)/g"} {
		t, _ := expr.Parse(text, []string{"l", "g"})
		fmt.Printf("%-15s %.1f bits\n", text, law.Complexity(t, 2))
	}
	// Output:
	// 2*pi*sqrt(l/g)  17.5 bits
	// c0*l**c1        23.5 bits
	// atan(l)/g       18.0 bits
}

func ExampleScore() {
	// 100 rows with a standard error of 0.1: a straight line, and a parabola that fits a little
	// better
	line := law.Score(26, law.Residuals{Rows: 100, RSS: 1.02, Sigma: 0.1, Free: 2})
	parabola := law.Score(41, law.Residuals{Rows: 100, RSS: 1.00, Sigma: 0.1, Free: 3})
	fmt.Printf("the line is shorter by %.0f bits\n", parabola-line)
	// Output:
	// the line is shorter by 17 bits
}

func ExampleLaw() {
	t, _ := expr.Parse("c0*sqrt(l/g) + c1", []string{"l", "g"})
	pendulum := law.Law{
		Tree: t, Vars: []string{"l", "g"}, Target: "T",
		Constants: []law.Constant{
			{Name: "c0", Value: 6.2829, StdErr: 0.0007, Exact: "2*pi"},
			{Name: "c1", Value: -0.0213467, StdErr: 0.0011},
		},
	}
	fmt.Println(pendulum.Infix())
	fmt.Println(pendulum.Display(0))
	fmt.Println(pendulum.LaTeX())
	fmt.Println(pendulum.Go())
	// Output:
	// 2*pi*sqrt(l/g) - 0.0213467
	// 2*pi*sqrt(l/g) - 0.0213
	// 2 \pi \sqrt{\frac{l}{g}} - 0.0213
	// 2.0*math.Pi*math.Sqrt(l/g) - 0.0213467
}

func BenchmarkComplexity(b *testing.B) {
	vars := []string{"x", "y", "z", "m"}
	for _, text := range []string{"c0*x*y", "exp(-x**2/(2*y**2))/sqrt(2*pi*y**2)", "3.7281*x*y/(4*pi*(z - m)**2)"} {
		t, err := expr.Parse(text, vars)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				law.Complexity(t, 4)
			}
		})
	}
}
