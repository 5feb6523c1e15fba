package expr

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/vec"
)

// TestOperators checks that every row of the table of operators is complete, and that its
// properties are true.
func TestOperators(t *testing.T) {
	names := map[string]Op{}
	count := 0
	for op, o := range Operators() {
		count++
		t.Run(o.Name, func(t *testing.T) {
			for _, name := range append([]string{o.Name}, o.Aliases...) {
				if other, taken := names[name]; taken {
					t.Errorf("%s is %s already", name, other)
				}
				names[name] = op
			}
			if o.Arity != 1 && o.Arity != 2 || op.Arity() != o.Arity {
				t.Fatalf("arity %d", o.Arity)
			}
			checkRow(t, op, o)
			x := []float64{o.Sample[0] + 0.3*(o.Sample[1]-o.Sample[0]), o.Sample[0] + 0.7*(o.Sample[1]-o.Sample[0])}
			tree := Apply(op, []Tree{X(0), X(1)}[:o.Arity]...)
			checkPrint(t, tree)
			checkDerivatives(t, op, tree, x)
			checkParity(t, op, o, x[0])
			checkUnits(t, o, tree)
			if tree.Hash() == 0 || !Equal(tree, tree.Canonical()) {
				t.Error("the canonical form has another hash")
			}
			v := evalRow(tree, x)
			if w := evalRow(tree.Canonical(), x); !close64(v, w, 1e-12) {
				t.Errorf("canonical: %v, want %v", w, v)
			}
			folded := Apply(op, []Tree{Num(x[0]), Num(x[1])}[:o.Arity]...).Canonical()
			if w := evalRow(folded, x); !close64(v, w, 1e-9) {
				t.Errorf("folded: %s, want %v", folded, v)
			}
			if o.Inverse != nil && !close64(o.Inverse(o.F1(x[0]), x[0]), x[0], 1e-9) {
				t.Errorf("the inverse of %v is %v, want %v", o.F1(x[0]), o.Inverse(o.F1(x[0]), x[0]), x[0])
			}
		})
	}
	if count != int(numOps-Neg) {
		t.Errorf("%d rows for %d operators", count, numOps-Neg)
	}
}

// checkRow reports properties that are missing in a row of the table.
func checkRow(t *testing.T, op Op, o *Operator) {
	function := o.level == 0 && op != Inv && op != Square && op != Cube
	switch {
	case o.Arity == 1 && (o.F1 == nil || o.F2 != nil || o.slope == nil), o.Arity == 2 && (o.F2 == nil || o.F1 != nil || o.slope2 == nil):
		t.Error("no value or no derivative")
	case o.Arity == 1 && (o.chain == nil) == (o.Slope1 == nil):
		t.Error("a function has either a kernel or the number of its derivative")
	case o.Arity == 2 && (op <= Pow) == (o.Slope2 != nil):
		t.Error("an operator of two operands without a kernel has the numbers of its derivatives")
	case o.Weight <= 0, !(o.Sample[0] < o.Sample[1]):
		t.Error("no weight or no sample")
	case function && op != Sqrt && o.Price <= 0:
		t.Error("no price")
	case function && op != Sqrt && op != Abs && op != Exp && (o.LaTeX == "" || o.Text == ""):
		t.Error("no LaTeX or text")
	case function && len(o.Code) < 6:
		t.Error("no code in other languages")
	case o.Arity == 1 && o.Price > 0 && op != Abs && len(o.Factors) == 0 && op != Exp:
		t.Error("no factors for a search")
	}
	for _, name := range o.Names() {
		if found, ok := OperatorNamed(name); !ok || found != op {
			t.Errorf("a list of operators takes %s for %s", name, found)
		}
	}
}

func checkPrint(t *testing.T, tree Tree) {
	vars := []string{"x", "y"}
	for _, text := range []string{tree.Infix(vars), tree.Format(vars, 3)} {
		back, err := Parse(text, vars)
		if err != nil || !slices.Equal(back.nodes, tree.nodes) {
			t.Errorf("%s reads back as %s (%v)", text, back, err)
		}
	}
	for _, text := range []string{tree.LaTeX(vars), tree.SymPy(vars), tree.Go(vars), tree.Prefix(vars), tree.RPN(vars)} {
		if text == "" || text == "(x)" {
			t.Errorf("printed as %q", text)
		}
	}
}

// evalRow returns the value of the tree for x0 = x[0] and x1 = x[1].
func evalRow(tree Tree, x []float64) float64 {
	dst := make([]float64, 1)
	Compile(tree).Eval(dst, [][]float64{x[:1], x[1:2]}, nil)
	return dst[0]
}

func checkDerivatives(t *testing.T, op Op, tree Tree, x []float64) {
	const h = 1e-4
	reference := func(x ...float64) float64 { return op.Operator().Apply(x[0], x[1]) }
	value := reference(x...)
	if math.IsNaN(value) || math.IsInf(value, 0) || math.Abs(evalRow(tree, x)-value) > 1e-14*(1+math.Abs(value)) {
		t.Errorf("at %v: %v, want %v", x, evalRow(tree, x), value)
	}
	dst32 := make([]float32, 40)
	cols := [][]float32{make([]float32, 40), make([]float32, 40)}
	for i := range dst32 {
		cols[0][i], cols[1][i] = float32(x[0]), float32(x[1])
	}
	Compile(tree).Eval32(dst32, cols, nil)
	if math.Abs(float64(dst32[39])-value) > 1e-5*(1+math.Abs(value)) {
		t.Errorf("float32: %v, want %v", dst32[39], value)
	}
	kernel := make([]float64, vec.Block)
	blocks := [2][]float64{slices.Repeat(x[:1], vec.Block), slices.Repeat(x[1:], vec.Block)}
	if op.Arity() == 1 {
		op.Unary(vec.Best64(), kernel, blocks[0])
	} else {
		op.Binary(vec.Best64(), kernel, blocks[0], blocks[1])
	}
	if !close64(kernel[1], value, 1e-14) {
		t.Errorf("block: %v, want %v", kernel[1], value)
	}
	params := Apply(op, []Tree{Apply(Mul, C(0, 1), X(0)), Apply(Mul, C(1, 1), X(1))}[:op.Arity()]...)
	grad := [][]float64{make([]float64, 1), make([]float64, 1)}
	Compile(params).Grad(make([]float64, 1), grad, [][]float64{x[:1], x[1:2]}, []float64{1, 1})
	for v := range op.Arity() {
		at := func(k float64) float64 {
			moved := slices.Clone(x)
			moved[v] += k * h
			return reference(moved...)
		}
		want := (8*(at(1)-at(-1)) - (at(2) - at(-2))) / (12 * h)
		if got := grad[v][0] / x[v]; !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("gradient by operand %d: %v, by differences %v", v, got, want)
		}
		if op == Digamma {
			continue // no tree represents its derivative
		}
		if got := evalRow(tree.Diff(v), x); !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("Diff by operand %d: %v, by differences %v", v, got, want)
		}
	}
}

func checkParity(t *testing.T, op Op, o *Operator, x float64) {
	if o.Arity == 2 {
		y := 1.3
		if o.Commutes != (o.F2(x, y) == o.F2(y, x)) || o.Idempotent != (o.F2(x, x) == x && o.F2(y, y) == y) {
			t.Error("whether the operands can change places is wrong")
		}
		same := Equal(Apply(op, X(0), X(1)), Apply(op, X(1), X(0)))
		if same != o.Commutes {
			t.Errorf("the hashes of swapped operands are equal: %v", same)
		}
		return
	}
	v, w := o.F1(x), o.F1(-x)
	if (o.Parity == Odd) != (v == -w) || (o.Parity == Even) != (v == w) {
		t.Errorf("parity %d: %v and %v at ±%v", o.Parity, v, w, x)
	}
	opposite := Apply(op, Apply(Neg, X(0)))
	if even := Equal(opposite, Apply(op, X(0))); even != (o.Parity == Even) {
		t.Errorf("the hash is even: %v", even)
	}
	if odd := Equal(opposite, Apply(Neg, Apply(op, X(0)))); odd != (o.Parity == Odd) {
		t.Errorf("the hash is odd: %v", odd)
	}
	if o.NonNegative && (v < 0 || w < 0) {
		t.Error("a value is negative")
	}
	if o.Undoes != 0 && o.F1(o.Undoes.Operator().F1(0.3)) != 0.3 && math.Abs(o.F1(o.Undoes.Operator().F1(0.3))-0.3) > 1e-15 {
		t.Errorf("it does not undo %s", o.Undoes)
	}
}

func checkUnits(t *testing.T, o *Operator, tree Tree) {
	var m unit.Dim
	m[0] = unit.Rat(1, 1)
	d, _, err := tree.Dim([]unit.Dim{m, m})
	_, _, plain := tree.Dim([]unit.Dim{{}, {}})
	if plain != nil {
		t.Errorf("numbers: %v", plain)
	}
	switch o.Unit {
	case PlainUnit, PowerUnit:
		if err == nil {
			t.Error("an operand in metres is not an error")
		}
	case AnyUnit, QuotientUnit:
		if err != nil || !d.IsZero() {
			t.Errorf("of metres: %s, %v", d, err)
		}
	case SameUnit, SumUnit:
		if err != nil || d != m {
			t.Errorf("of metres: %s, %v", d, err)
		}
		if _, _, err := tree.Dim([]unit.Dim{m, {}}); o.Arity == 2 && err == nil {
			t.Error("a length and a number have no common unit")
		}
	case RaisedUnit:
		if err != nil || d != m.Pow(o.UnitPower) {
			t.Errorf("of metres: %s, %v", d, err)
		}
	}
}

// No operator and no derivative panics if operands are extreme.
func TestAwkwardOperands(t *testing.T) {
	awkward := []float64{0, math.Copysign(0, -1), -1, -2, 1, 1e-320, 1e300, -1e300, 1e5, -1e5, -0.5, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, o := range Operators() {
		for _, x := range awkward {
			for _, y := range awkward {
				o.Apply(x, y)
				if o.Slope2 != nil {
					o.Slope2(x, y)
				}
				if o.Inverse != nil {
					o.Inverse(x, y)
				}
			}
			if o.Slope1 != nil {
				o.Slope1(x)
			}
		}
		if o.Arity == 1 && !math.IsNaN(o.F1(math.NaN())) || o.Arity == 2 && !math.IsNaN(o.F2(math.NaN(), 1)) {
			t.Errorf("%s of NaN is a number", o.Name)
		}
	}
}

// Functions with a pole or a quotient have their limits at these points. Gradients are finite where
// a fit may evaluate them.
func TestSpecialValues(t *testing.T) {
	for _, test := range []struct {
		formula        string
		x, value, dydx float64
	}{
		{"sinc(x)", 0, 1, 0},
		{"sinc(x)", 1e-3, math.Sin(1e-3) / 1e-3, -1e-3/3 + 1e-9/30},
		{"j1(x)", 0, 0, 0.5},
		{"j0(x)", 0, 1, 0},
		{"sign(x)", -2, -1, 0},
		{"sign(x)", 0, 0, 0},
		{"erf(x)", 0, 0, 2 / math.SqrtPi},
		{"erfc(x)", 10, 2.088487583762545e-45, -2 / math.SqrtPi * math.Exp(-100)},
		{"gamma(x)", 5, 24, 24 * (25./12 - 0.5772156649015329)},
		{"lgamma(x)", -0.5, math.Log(2 * math.Sqrt(math.Pi)), 0.03648997397857652},
		{"min(x, 2)", 1, 1, 1}, {"min(x, 2)", 3, 2, 0}, {"max(2, x)", 3, 3, 1}, {"max(2, x)", 1, 2, 0},
		{"digamma(x)", 3, 0.9227843350984671, 0.39493406684822646},
	} {
		tree := parse(t, test.formula)
		shifted := tree.Substitute(0, Apply(Add, X(0), C(0, 0)))
		dst, grad := []float64{0}, [][]float64{{0}}
		Compile(shifted).Grad(dst, grad, [][]float64{{test.x}}, []float64{0})
		// Digamma is accurate to ten digits.
		if !close64(dst[0], test.value, 1e-10) || math.Abs(grad[0][0]-test.dydx) > 1e-9*(1e-30+math.Abs(test.dydx)) {
			t.Errorf("%s at %v: %v with slope %v, want %v and %v", test.formula, test.x, dst[0], grad[0][0], test.value, test.dydx)
		}
	}
	for in, want := range map[string]string{
		"max(y, x)": "max(x, y)", "min(x, x)": "x", "erf(-x)": "-erf(x)", "gamma(5)*x": "24*x", "sinc(-x)": "sinc(x)", "max(2, 3)": "3", "sqrt(erfc(x)**2)": "erfc(x)",
	} {
		if got := parse(t, in).Canonical().Infix(xyz); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}
