package expr

import (
	"encoding/csv"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var xyz = []string{"x", "y", "z"}

func parse(t testing.TB, s string) Tree {
	t.Helper()
	tree, err := Parse(s, xyz)
	if err != nil {
		t.Fatalf("Parse(%q): %v", s, err)
	}
	return tree
}

func TestCanonical(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		// like terms and factors
		{"x+x", "2*x"}, {"x*x", "x**2"}, {"x**y*x**2", "x**(y + 2)"}, {"x-x", "0"}, {"x/x", "1"},
		{"1/3*x+1/6*x", "1/2*x"}, {"(x*y)**3/y", "x**3*y**2"}, {"x/2/y", "x/(2*y)"},
		// numeric factors merge
		{"2*(x+y)", "2*x + 2*y"}, {"x*(2*x+2*y)", "2*x*(x + y)"}, {"(2+2*x)*(1+x)", "2*(x + 1)**2"}, {"1/(2*y-2*x)", "-1/(2*(x - y))"},
		// roots
		{"sqrt(x)*sqrt(x)", "x"}, {"sqrt(12*x**2*y)", "2*sqrt(3)*sqrt(y)*abs(x)"}, {"sqrt(8)", "2*sqrt(2)"}, {"sqrt(x**4)", "x**2"},
		{"(x**3)**(1/2)", "x**(3/2)"}, {"(-x)**(1/2)", "sqrt(-x)"}, {"sqrt(y-x)", "sqrt(y - x)"},
		// exponentials and logarithms
		{"exp(x)*exp(y)", "exp(x + y)"}, {"exp(log(x))", "x"}, {"log(exp(x))", "x"}, {"exp(2*log(x)+y)", "x**2*exp(y)"},
		{"exp(c0*log(x)-c1/x)", "x**c0*exp(-c1/x)"}, {"exp(-2*c0*log(x))", "x**(-2*c0)"}, {"exp(y*log(x))", "exp(y*log(x))"}, {"exp(c0*log(x)**2)", "exp(c0*log(x)**2)"},
		{"e**2*e**x", "exp(x + 2)"}, {"log(x**2)", "2*log(abs(x))"}, {"log(1/x)", "-log(x)"}, {"2**(x+3)", "8*2**x"}, {"log(e)", "1"},
		// odd and even functions, and functions that undo each other
		{"sin(-x)", "-sin(x)"}, {"cos(y-x)", "cos(x - y)"}, {"tanh(-2*x)", "-tanh(2*x)"}, {"abs(-3*x)", "3*abs(x)"}, {"sin(asin(x))", "x"},
		// numbers
		{"sin(pi/6)", "1/2"}, {"cos(pi)", "-1"}, {"atan(1)", "1/4*pi"}, {"2*pi*x/pi", "2*x"}, {"0*x", "0"},
		// expressions without a finite value at any point
		{"1/0", "(0/0)"}, {"x+log(-1)", "(0/0)"}, {"0*x/0", "(0/0)"}, {"sqrt(-4)", "(0/0)"}, {"1e300*1e300*x", "(0/0)"},
		// numbers that are not fractions are not multiplied out
		{"y/(1+0.0034567*x)", "y/(0.0034567*x + 1)"}, {"2*(x+1.23456)", "2*(x + 1.23456)"}, {"2*(x+1.23456)+x", "3*x + 2.46912"},
		// free constants are renumbered
		{"c1*x+c0*y+c1", "c0*x + c1*y + c0"}, {"c7+x", "x + c0"},
		// common factors come to the front, unless a free constant of the sum can absorb them
		{"x*(y**2/3 + 1/6)", "1/6*x*(2*y**2 + 1)"}, {"x*(c0*y**2 + 1/3)", "x*(c0*y**2 + 1/3)"},
	} {
		if got := parse(t, test.in).Canonical().Infix(xyz); got != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got, test.want)
		}
	}
	if got := (Tree{}).Canonical(); got.Len() != 0 {
		t.Errorf("empty tree: got %v", got)
	}
}

func TestHash(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"(x+1)**2", "x**2+2*x+1", true},
		{"x/(1+x)", "1/(1+1/x)", true},
		{"1/x+1/y", "(x+y)/(x*y)", true},
		{"sqrt(x*y)", "sqrt(x)*sqrt(y)", true},
		{"1/(exp(x)-1)", "exp(-x)/(1-exp(-x))", true},
		{"(exp(x)+1)**2", "exp(2*x)+2*exp(x)+1", true},
		{"log(x*y)", "log(x)+log(y)", true},
		{"log(x/y)", "log(x)-log(y)", true},
		{"x**(y+1)", "x*x**y", true},
		{"sin(x*(y+1))", "sin(x+x*y)", true},
		{"abs(y)*sqrt(1-x**2/y**2)", "sqrt(y**2-x**2)", true},
		{"0.1*x+0.2*x", "0.3*x", true},
		{"1.2345678*(x+y)*z", "1.2345678*x*z+1.2345678*y*z", true},
		// the slots of free constants do not matter
		{"c0*x+c1*y", "c1*x+c0*y", true},
		{"c0*sin(c1*x)+c2*sin(c3*x+c4)", "c0*sin(c4+c1*x)+c2*sin(c3*x)", true},
		{"c0*(x+c1)", "c1*x+c1*c0", true},
		{"c0*x+c0*y", "c0*x+c1*y", false},
		{"c0*x", "2*x", false},
		{"abs(x-y)", "x-y", false},
		{"abs(x-y)", "y-x", false},
		{"abs(x-y)", "abs(y-x)", true},
		{"x*abs(x-2*y)", "x*(x-2*y)", false},
		// different values where both are defined, or no point where both are defined
		{"y*sqrt(1-x**2/y**2)", "sqrt(y**2-x**2)", false},
		{"sqrt(x)", "sqrt(-x)", false},
		{"sqrt(x-1)", "-sqrt(1-x)", false},
		{"sqrt(x**2)", "x", false},
		{"x", "-x", false}, {"x", "y", false}, {"sin(x)", "cos(x)", false}, {"x**y", "y**x", false}, {"1.0001*x", "x", false},
	} {
		if got := Equal(parse(t, test.a), parse(t, test.b)); got != test.want {
			t.Errorf("Equal(%s, %s) = %v", test.a, test.b, got)
		}
	}
}

// Canonical, Simplify and AbsorbParams keep the value at points where the tree is defined before
// and after. Canonical is idempotent, and all three functions keep the hash.
func TestCanonicalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, 5, false)
		canonical, simple := tree.Canonical(), tree.Simplify()
		if again := canonical.Canonical(); !cmp.Equal(again.nodes, canonical.nodes, sameNumbers) {
			t.Fatalf("%s: canonical %s, again %s", tree, canonical, again)
		}
		for name, other := range map[string]Tree{"canonical": canonical, "simplified": simple} {
			for _, x := range [][]float64{{1.3, 0.7, 2.1}, {-0.4, 1.9, -1.1}, {0.21, -0.83, 0.5}} {
				if a, b := reference(tree, x, nil), reference(other, x, nil); !agree(a, b, sensitivity(tree, x), 1e-7) {
					t.Fatalf("%s = %v, %s %s = %v at %v", tree, a, name, other, b, x)
				}
			}
		}
	})
}

// sensitivity returns a scale for the errors with which t can be evaluated. It is the largest
// absolute value of a subtree of t, plus a multiple of the change of t when its columns and numbers
// are rounded. This change is large if terms cancel.
func sensitivity(t Tree, x []float64) float64 {
	v, s := reference(t, x, nil), 0.0
	for i := range t.nodes {
		part := Tree{t.nodes[i+1-int(t.sizes()[i]) : i+1]}
		if m := math.Abs(reference(part, x, nil)); m > s {
			s = m
		}
		if n := len(part.nodes); n > 1 && part.Root() == Pow && math.Abs(reference(part.Args()[0], x, nil)) < 1e-9 {
			// Rounding may replace 0 by a small number, whose power can be very different.
			return math.Inf(1)
		}
		if part.Root() == Sign && math.Abs(reference(part.Args()[0], x, nil)) < 1e-9 {
			return math.Inf(1) // rounding may replace 0 by a small number, which has a sign
		}
	}
	for _, eps := range []float64{1e-9, -1e-9} {
		moved := make([]float64, len(x))
		for i := range x {
			moved[i] = x[i] * (1 + eps*float64(i+1))
		}
		nodes := append([]Node(nil), t.nodes...)
		for i := range nodes {
			switch n := &nodes[i]; {
			case n.Op == Number && n.Value != math.Trunc(n.Value):
				n.Value *= 1 + eps
			case n.Op == Pi:
				*n = Node{Op: Number, Value: math.Pi * (1 + eps)}
			case n.Op == Euler:
				*n = Node{Op: Number, Value: math.E * (1 + eps)}
			}
		}
		if d := math.Abs(reference(Tree{nodes}, moved, nil) - v); math.IsNaN(d) {
			return math.Inf(1)
		} else if d > 0 {
			s += 1e6 * d
		}
	}
	return s
}

func TestCanonicalParams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, 4, true)
		canonical := tree.Canonical()
		if again := canonical.Canonical(); !cmp.Equal(again.nodes, canonical.nodes, sameNumbers) {
			t.Fatalf("%s: canonical %s, again %s", tree, canonical, again)
		}
		// renumbering the slots does not change the form
		number := rapid.Permutation([]int32{0, 1, 2, 3}).Draw(t, "slots")
		nodes := append([]Node(nil), tree.nodes...)
		for i := range nodes {
			if nodes[i].Op == Param {
				nodes[i].Index = number[nodes[i].Index]
			}
		}
		other := Tree{nodes}
		if other.Hash() != tree.Hash() {
			t.Fatalf("%s and %s: different hashes", tree, other)
		}
		if c := other.Canonical(); !cmp.Equal(c.nodes, canonical.nodes, sameNumbers) {
			t.Fatalf("%s is %s, %s is %s", tree, canonical, other, c)
		}
	})
}

// Constants that belong together, such as c0 and c1 in c0*exp(c1*x), get adjacent slots in the
// canonical form, whatever their slots in the tree.
func TestCanonicalPairs(t *testing.T) {
	for _, forms := range [][]string{
		{"c0*exp(c1*x) + c2*exp(c3*x)", "c0*exp(c3*x) + c2*exp(c1*x)", "c3*exp(c0*x) + c1*exp(c2*x)", "c1*exp(c2*x) + c3*exp(c0*x)"},
		{"c0*sin(c1*x + c2) + c3*sin(c4*x + c5)", "c5*sin(c1*x + c3) + c2*sin(c4*x + c0)", "c0*sin(c4*x + c2) + c3*sin(c1*x + c5)"},
		{"(x + c0)**c1*(x + c2)**c3*(x + c4)**c5", "(x + c5)**c1*(x + c2)**c4*(x + c3)**c0"},
	} {
		want := parse(t, forms[0])
		for _, form := range forms[1:] {
			if got := parse(t, form); !Equal(got, want) || !cmp.Equal(got.Canonical().nodes, want.Canonical().nodes) {
				t.Errorf("%s is %s, %s is %s", want, want.Canonical(), got, got.Canonical())
			}
		}
	}
}

func TestAbsorbParams(t *testing.T) {
	for _, test := range []struct {
		in, want string
		starts   []float64
	}{
		{"c0*2*x", "c0*x", []float64{2}},
		{"c0+3", "c0", []float64{4}},
		{"c0*(c1*x+c2)", "c0*x + c1", []float64{1, 1}},
		{"c0*exp(x+c1)", "c0*exp(x)", []float64{math.E}},
		{"c0*log(c1*x)+c2", "c0*log(x) + c1", []float64{1, 1}},
		{"c0/(c1*x+c2)", "1/(c0*x + c1)", []float64{1, 1}},
		{"c0*sqrt(c1*x)", "c0*sqrt(x)", []float64{1}},
		{"c0*pi*x/(2*c1)", "c0*x", []float64{math.Pi / 2}},
		{"exp(c0)*sin(c1*2*x+3*c2)", "c0*sin(c1*x + c2)", []float64{math.E, 2, 3}},
		{"c0*(x+c1)+c2", "c0*x + c1", []float64{1, 2}},
		{"2*x+c1*x+c0*x", "c0*x", []float64{4}},
		{"c0*exp(c1*(sin(x)+1))", "c0*exp(c1*sin(x))", []float64{math.E, 1}},
		{"2*(c0*x+c1)", "c0*x + c1", []float64{2, 2}},
		{"2*sqrt(c0*x+c1)", "sqrt(c0*x + c1)", []float64{4, 4}},
		{"c0*(2*x+c1)", "c0*(x + c1)", []float64{2, 0.5}},
		{"c0*sqrt(c1/x+4)", "c0*sqrt(c1/x + 1)", []float64{2, 0.25}},
		{"c0*(2*x+3*y+c1)", "c0*(2*x + 3*y + c1)", []float64{1, 1}},
		// a constant that occurs twice is not absorbed
		{"c0*2*x+c0*y", "2*c0*x + c0*y", []float64{1}},
		{"2*x", "2*x", []float64{}},
	} {
		got := parse(t, test.in).AbsorbParams()
		if got.Infix(xyz) != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got.Infix(xyz), test.want)
			continue
		}
		for i, v := range test.starts {
			if !agree(got.Params()[i], v, 0, 1e-12) {
				t.Errorf("%s: starts %v, want %v", test.in, got.Params(), test.starts)
			}
		}
	}
}

func TestAbsorbParamsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, 4, true).WithStarts([]float64{1.7, 0.6, 2.3, -0.9})
		absorbed := tree.AbsorbParams()
		if absorbed.NumParams() > tree.NumParams() || !cmp.Equal(absorbed.AbsorbParams().nodes, absorbed.nodes, sameNumbers) {
			t.Fatalf("%s: absorbed %s, again %s", tree, absorbed, absorbed.AbsorbParams())
		}
		x := []float64{1.3, 0.7, 2.1}
		bound := tree.Bind(tree.Params())
		if a, b := reference(bound, x, nil), reference(absorbed.Bind(absorbed.Params()), x, nil); !agree(a, b, sensitivity(bound, x), 1e-7) {
			t.Fatalf("%s = %v, absorbed %s = %v from %v", bound, a, absorbed, b, absorbed.Params())
		}
	})
}

var sameNumbers = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*(math.Abs(a)+math.Abs(b))
})

func TestSimplify(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"x*y**-1", "x/y"}, {"1/sqrt(2*pi)", "1/sqrt(2*pi)"}, {"x**0.5/y**0.5", "sqrt(x/y)"}, {"z*(x-y)*-1", "z*(y - x)"},
		{"2*x+2*y", "2*(x + y)"}, {"x*y+x*z", "x*(y + z)"}, {"x/z+y/z", "(x + y)/z"}, {"log(x)-log(y)", "log(x/y)"},
		{"-2*x*(y+z)", "-2*x*(y + z)"}, {"sqrt(3)*sqrt(x)/3", "sqrt(1/3*x)"}, {"x+(-1)*y", "x - y"}, {"x*x", "x**2"},
		{"2*log(abs(x))", "2*log(abs(x))"}, {"(x*y*z)**2", "(x*y*z)**2"}, {"1/2*x*y**2", "1/2*x*y**2"},
		// factors that cancel denominators of a sum
		{"x*(y/x + 1)", "x + y"}, {"x**2/z*((y/x)**2 + (z/x)**2 + 1)/8", "(x**2 + y**2 + z**2)/(8*z)"}, {"exp(-x)*(exp(x) + y)", "exp(-x)*(y + exp(x))"},
		// a sum and a difference
		{"(x + y)*(x - y)", "x**2 - y**2"}, {"z/sqrt((1 - x/y)*(1 + x/y))", "z/sqrt(1 - x**2/y**2)"}, {"(1 + x**3)*(1 - x**3)/x**12", "(1 - x**6)/x**12"},
		{"(2*x + c0)*(c0 - 2*x)", "c0**2 - 4*x**2"}, {"(x + y)*(x - z)", "(x + y)*(x - z)"}, {"(x + y)**2*(x - y)", "(x - y)*(x + y)**2"},
		{"x*(y/x**2 + z)", "x*z + y/x"}, {"c0*x*(y/x + c1)", "c0*(c1*x + y)"}, {"c0*x/z*(y*z/x + c1)", "c0*(c1*x/z + y)"},
	} {
		if got := parse(t, test.in).Simplify().Infix(xyz); got != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got, test.want)
		}
	}
	if got := parse(t, "2*x+2*y").Complexity(); got != 5 {
		t.Errorf("complexity of 2*(x + y): %d", got)
	}
}

// The laws of the benchmark keep their hash when they are rewritten.
func TestCanonicalOfBenchmarks(t *testing.T) {
	for _, law := range benchmarkLaws(t) {
		for name, other := range map[string]Tree{"canonical": law.Canonical(), "simplified": law.Simplify()} {
			if !Equal(law, other) {
				t.Errorf("%s: %s %s has another hash", law, name, other)
			}
		}
		if c := law.Canonical(); !cmp.Equal(c.Canonical().nodes, c.nodes) {
			t.Errorf("%s: canonical %s, again %s", law, c, c.Canonical())
		}
	}
}

// benchmarkLaws returns the laws of testdata/laws.csv. Each row has the columns, then the law.
func benchmarkLaws(t testing.TB) []Tree {
	f, err := os.Open("testdata/laws.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var laws []Tree
	for _, row := range rows {
		tree, err := Parse(row[0], row[1:])
		if err != nil {
			t.Fatal(err)
		}
		laws = append(laws, tree)
	}
	return laws
}

func BenchmarkCanonical(b *testing.B) {
	tree := parse(b, "x*y/sqrt(1-y**2/z**2)+c0*exp(-x/(c1*y))")
	for b.Loop() {
		tree.Canonical()
	}
}

func BenchmarkHash(b *testing.B) {
	tree := parse(b, "x*y/sqrt(1-y**2/z**2)+c0*exp(-x/(c1*y))")
	for b.Loop() {
		tree.Hash()
	}
}

func BenchmarkSimplify(b *testing.B) {
	tree := parse(b, "x*y/sqrt(1-y**2/z**2)+c0*exp(-x/(c1*y))")
	for b.Loop() {
		tree.Simplify()
	}
}
