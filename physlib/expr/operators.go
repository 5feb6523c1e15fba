package expr

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/vec"
)

// init fills the table of operators. TestOperators checks that each row is complete. A new operator
// also needs its constant in tree.go and its name in the help text of the option --ops. If it has
// two operands, package genetic must name it as well.
func init() {
	for op, name := range map[Op]string{Number: "number", Param: "param", Var: "var", Pi: "pi", Euler: "e"} {
		operators[op] = Operator{Name: name}
	}
	arithmeticRows()
	powerRows()
	functionRows()
	circularRows()
	hyperbolicRows()
	gaussRows()
	gammaRows()
	besselRows()
	extremeRows()
	for op, o := range operators {
		arities[op] = uint8(o.Arity)
	}
	functions = parsed()
}

// same returns the Code, as described in Operator, of a function that has nearly the same name in
// most languages. capital is the name with a capital letter, as in Go. differ lists each language
// with another spelling, followed by that spelling.
func same(name, capital string, differ ...string) map[string]string {
	upper := []byte(name)
	for i, c := range upper {
		if c >= 'a' && c <= 'z' {
			upper[i] = c - 'a' + 'A'
		}
	}
	code := map[string]string{"sympy": "sp." + name, "numpy": "np." + name, "c": name, "go": "math." + capital, "julia": name, "matlab": name,
		"r": name, "excel": string(upper), "json": capital}
	for i := 0; i < len(differ); i += 2 {
		code[differ[i]] = differ[i+1]
	}
	return code
}

// arithmeticRows sets the rows of operators for the operators that are written as signs: + - * /
// and **.
func arithmeticRows() {
	near := [2]float64{0.5, 2}
	operators[Add] = Operator{Name: "add", Sign: []string{"+"}, Arity: 2, Commutes: true, Unit: SumUnit, level: levelAdd, Weight: 3, Sample: near,
		F2:     func(x, y float64) float64 { return x + y },
		slope2: func(_, _, da, db Tree) Tree { return plus(da, db) }}
	operators[Sub] = Operator{Name: "sub", Sign: []string{"-"}, Arity: 2, Unit: SumUnit, level: levelAdd, Weight: 2, Sample: near,
		F2:     func(x, y float64) float64 { return x - y },
		slope2: func(_, _, da, db Tree) Tree { return minus(da, db) }}
	operators[Mul] = Operator{Name: "mul", Sign: []string{"*"}, Arity: 2, Commutes: true, Unit: ProductUnit, level: levelMul, Weight: 4, Sample: near,
		F2:     func(x, y float64) float64 { return x * y },
		slope2: func(a, b, da, db Tree) Tree { return plus(times(da, b), times(a, db)) }}
	operators[Div] = Operator{Name: "div", Sign: []string{"/"}, Arity: 2, Unit: QuotientUnit, level: levelMul, Weight: 2.5, Sample: near,
		F2: func(x, y float64) float64 { return x / y },
		slope2: func(a, b, da, db Tree) Tree {
			if db.isNumber(0) {
				return over(da, b)
			}
			return minus(over(da, b), over(times(a, db), raise(b, 2)))
		}}
	operators[Pow] = Operator{Name: "pow", Aliases: []string{"power"}, Sign: []string{"**", "^"}, Arity: 2, Unit: PowerUnit, level: levelPow, Weight: 0.6,
		Sample: near, F2: math.Pow, slope2: powerSlope}
}

func powerSlope(a, b, da, db Tree) Tree {
	switch {
	case db.isNumber(0):
		if da.isNumber(0) {
			return Num(0)
		}
		return times(times(b, power(a, minus(b, Num(1)))), da)
	case da.isNumber(0):
		return times(times(Apply(Pow, a, b), Apply(Log, a)), db)
	}
	return times(Apply(Pow, a, b), plus(times(db, Apply(Log, a)), over(times(b, da), a)))
}

// powerRows sets the rows of operators for negation and the fixed powers of one operand.
func powerRows() {
	near := [2]float64{0.5, 2}
	operators[Neg] = Operator{Name: "neg", Arity: 1, Implied: []Op{Sub}, Parity: Odd, Unit: SameUnit, level: levelNeg, Weight: 0.2, Sample: near,
		F1:      func(x float64) float64 { return -x },
		Inverse: func(y, _ float64) float64 { return -y },
		slope:   func(Tree) Tree { return Num(-1) },
		unary:   vec.Neg, chain: func(_ *sweep, _, _ ref, z signed) signed { return signed{z.r, !z.minus} }}
	operators[Inv] = Operator{Name: "inv", Arity: 1, Implied: []Op{Div}, Parity: Odd, Unit: RaisedUnit, UnitPower: unit.Rat(-1, 1), Weight: 1, Sample: near,
		F1:      func(x float64) float64 { return 1 / x },
		Inverse: func(y, _ float64) float64 { return 1 / y },
		slope:   func(a Tree) Tree { return over(Num(-1), raise(a, 2)) },
		unary:   vec.Inv, chain: func(s *sweep, _, r ref, z signed) signed { return s.less(z, s.g.unary(Square, r)) }}
	operators[Sqrt] = Operator{Name: "sqrt", Arity: 1, NonNegative: true, Unit: RaisedUnit, UnitPower: unit.Rat(1, 2), Weight: 1.5, Sample: near,
		Code: same("sqrt", "Sqrt"),
		F1:   math.Sqrt,
		Inverse: func(y, _ float64) float64 {
			if y < 0 {
				return math.NaN()
			}
			return y * y
		},
		slope: func(a Tree) Tree { return over(Num(0.5), Apply(Sqrt, a)) },
		unary: vec.Sqrt, chain: func(s *sweep, _, r ref, z signed) signed { return s.div(s.more(z, s.g.number(0.5)), r) }}
	operators[Square] = Operator{Name: "square", Arity: 1, Implied: []Op{Mul, Pow}, Parity: Even, NonNegative: true, Unit: RaisedUnit, UnitPower: unit.Rat(2, 1),
		Weight: 2, Sample: near,
		F1:      func(x float64) float64 { return x * x },
		Inverse: func(y, near float64) float64 { return math.Copysign(math.Sqrt(y), near) },
		slope:   func(a Tree) Tree { return times(Num(2), a) },
		unary:   vec.Square, chain: func(s *sweep, a, _ ref, z signed) signed { return s.more(z, s.g.binary(Add, a, a)) }}
	operators[Cube] = Operator{Name: "cube", Arity: 1, Implied: []Op{Mul, Pow}, Parity: Odd, Unit: RaisedUnit, UnitPower: unit.Rat(3, 1), Weight: 1, Sample: near,
		F1:      func(x float64) float64 { return x * x * x },
		Inverse: func(y, _ float64) float64 { return math.Cbrt(y) },
		slope:   func(a Tree) Tree { return times(Num(3), raise(a, 2)) },
		unary:   vec.Cube, chain: func(s *sweep, a, _ ref, z signed) signed {
			return s.more(z, s.g.binary(Mul, s.g.number(3), s.g.unary(Square, a)))
		}}
}

// functionRows sets the rows of operators for |x|, the exponential and the logarithm.
func functionRows() {
	near, one := [2]float64{0.5, 1.4}, []float64{1}
	operators[Abs] = Operator{Name: "abs", Aliases: []string{"Abs"}, Arity: 1, Parity: Even, NonNegative: true, Unit: SameUnit, Price: 5, Weight: 0.15, Sample: near,
		Code: same("abs", "Abs", "sympy", "sp.Abs", "c", "fabs"),
		F1:   math.Abs,
		Inverse: func(y, near float64) float64 {
			if y < 0 {
				return math.NaN()
			}
			return math.Copysign(y, near)
		},
		slope: func(a Tree) Tree { return over(a, Apply(Abs, a)) },
		unary: vec.Abs, chain: func(s *sweep, a, r ref, z signed) signed { return s.more(z, s.g.binary(Div, a, r)) }}
	operators[Exp] = Operator{Name: "exp", Arity: 1, NonNegative: true, Price: 4, Weight: 1.5, Sample: near, Code: same("exp", "Exp"), Factors: one,
		F1: math.Exp, Inverse: func(y, _ float64) float64 { return math.Log(y) },
		slope: func(a Tree) Tree { return Apply(Exp, a) },
		unary: vec.Exp, chain: func(s *sweep, _, r ref, z signed) signed { return s.more(z, r) }}
	operators[Log] = Operator{Name: "log", Aliases: []string{"ln"}, Arity: 1, LaTeX: `\ln`, Text: "ln", Price: 4, Weight: 1.5, Sample: near, Factors: one,
		Code: same("log", "Log", "excel", "LN", "json", "Ln"),
		F1:   math.Log, Inverse: func(y, _ float64) float64 { return math.Exp(y) },
		slope: func(a Tree) Tree { return over(Num(1), a) },
		unary: vec.Log, chain: func(s *sweep, a, _ ref, z signed) signed { return s.div(z, a) }}
}

// circularRows sets the rows of operators for the trigonometric functions and their inverses.
func circularRows() {
	near, unitInterval := [2]float64{0.5, 1.4}, [2]float64{-0.8, 0.8}
	one, half := []float64{1}, []float64{1, 0.5}
	operators[Sin] = Operator{Name: "sin", Arity: 1, Parity: Odd, Undoes: Asin, LaTeX: `\sin`, Text: "sin", Price: 4, Weight: 1.5, Sample: near, Factors: one,
		Code: same("sin", "Sin"),
		// The solutions are x and π - x, each plus any multiple of 2π.
		F1: math.Sin, Inverse: func(y, near float64) float64 {
			x := math.Asin(y)
			return nearer(near, turn(x, near), turn(math.Pi-x, near))
		},
		slope: func(a Tree) Tree { return Apply(Cos, a) },
		unary: vec.Sin, chain: func(s *sweep, a, _ ref, z signed) signed { return s.more(z, s.g.unary(Cos, a)) }}
	operators[Cos] = Operator{Name: "cos", Arity: 1, Parity: Even, Undoes: Acos, LaTeX: `\cos`, Text: "cos", Price: 4, Weight: 1.5, Sample: near, Factors: one,
		Code: same("cos", "Cos"),
		F1:   math.Cos, Inverse: func(y, near float64) float64 {
			x := math.Acos(y)
			return nearer(near, turn(x, near), turn(-x, near))
		},
		slope: func(a Tree) Tree { return minus(Num(0), Apply(Sin, a)) },
		unary: vec.Cos, chain: func(s *sweep, a, _ ref, z signed) signed { return s.less(z, s.g.unary(Sin, a)) }}
	operators[Tan] = Operator{Name: "tan", Arity: 1, Parity: Odd, Undoes: Atan, LaTeX: `\tan`, Text: "tan", Price: 8, Weight: 0.1, Sample: near, Factors: half,
		Code: same("tan", "Tan"),
		F1:   math.Tan, Inverse: func(y, near float64) float64 {
			x := math.Atan(y)
			return x + math.Pi*math.Round((near-x)/math.Pi)
		},
		slope: func(a Tree) Tree { return plus(Num(1), raise(Apply(Tan, a), 2)) },
		unary: vec.Tan, chain: func(s *sweep, _, r ref, z signed) signed {
			return s.more(z, s.g.binary(Add, s.g.number(1), s.g.unary(Square, r)))
		}}
	operators[Asin] = Operator{Name: "asin", Aliases: []string{"arcsin"}, Arity: 1, Parity: Odd, LaTeX: `\arcsin`, Text: "arcsin", Price: 14, Weight: 0.05,
		Sample: unitInterval, Factors: one, Code: same("asin", "Asin", "numpy", "np.arcsin", "json", "Arcsin"),
		F1: asin, Fold: math.Asin, Inverse: func(y, _ float64) float64 { return math.Sin(y) },
		slope: func(a Tree) Tree { return over(Num(1), Apply(Sqrt, minus(Num(1), raise(a, 2)))) },
		unary: vec.Asin, chain: func(s *sweep, a, _ ref, z signed) signed { return s.arc(a, z) }}
	operators[Acos] = Operator{Name: "acos", Aliases: []string{"arccos"}, Arity: 1, NonNegative: true, LaTeX: `\arccos`, Text: "arccos", Price: 14, Weight: 0.05,
		Sample: unitInterval, Factors: one, Code: same("acos", "Acos", "numpy", "np.arccos", "json", "Arccos"),
		F1: acos, Fold: math.Acos, Inverse: func(y, _ float64) float64 { return math.Cos(y) },
		slope: func(a Tree) Tree { return over(Num(-1), Apply(Sqrt, minus(Num(1), raise(a, 2)))) },
		unary: vec.Acos, chain: func(s *sweep, a, _ ref, z signed) signed {
			d := s.arc(a, z)
			return signed{d.r, !d.minus}
		}}
	operators[Atan] = Operator{Name: "atan", Aliases: []string{"arctan"}, Arity: 1, Parity: Odd, LaTeX: `\arctan`, Text: "arctan", Price: 11, Weight: 0.1, Sample: near,
		Factors: one, Code: same("atan", "Atan", "numpy", "np.arctan", "json", "Arctan"),
		F1: math.Atan, Inverse: func(y, _ float64) float64 { return math.Tan(y) },
		slope: func(a Tree) Tree { return over(Num(1), plus(Num(1), raise(a, 2))) },
		unary: vec.Atan, chain: func(s *sweep, a, _ ref, z signed) signed {
			return s.div(z, s.g.binary(Add, s.g.number(1), s.g.unary(Square, a)))
		}}
}

// hyperbolicRows sets the rows of operators for the hyperbolic functions.
func hyperbolicRows() {
	near, half := [2]float64{0.5, 1.4}, []float64{1, 0.5}
	operators[Sinh] = Operator{Name: "sinh", Arity: 1, Parity: Odd, LaTeX: `\sinh`, Text: "sinh", Price: 9, Weight: 0.08, Sample: near, Factors: half,
		Code: same("sinh", "Sinh"),
		F1:   math.Sinh, Inverse: func(y, _ float64) float64 { return math.Asinh(y) },
		slope: func(a Tree) Tree { return Apply(Cosh, a) },
		unary: vec.Sinh, chain: func(s *sweep, a, _ ref, z signed) signed { return s.more(z, s.g.unary(Cosh, a)) }}
	operators[Cosh] = Operator{Name: "cosh", Arity: 1, Parity: Even, NonNegative: true, LaTeX: `\cosh`, Text: "cosh", Price: 9, Weight: 0.08, Sample: near, Factors: half,
		Code: same("cosh", "Cosh"),
		F1:   math.Cosh, Inverse: func(y, near float64) float64 { return math.Copysign(math.Acosh(y), near) },
		slope: func(a Tree) Tree { return Apply(Sinh, a) },
		unary: vec.Cosh, chain: func(s *sweep, a, _ ref, z signed) signed { return s.more(z, s.g.unary(Sinh, a)) }}
	operators[Tanh] = Operator{Name: "tanh", Arity: 1, Parity: Odd, LaTeX: `\tanh`, Text: "tanh", Price: 10, Weight: 0.25, Sample: near, Factors: half,
		Code: same("tanh", "Tanh"),
		F1:   math.Tanh, Inverse: func(y, _ float64) float64 { return math.Atanh(y) },
		slope: func(a Tree) Tree { return minus(Num(1), raise(Apply(Tanh, a), 2)) },
		// The derivative is calculated as 1/cosh², since 1 - tanh² suffers from cancellation.
		unary: vec.Tanh, chain: func(s *sweep, a, _ ref, z signed) signed {
			return s.div(z, s.g.unary(Square, s.g.unary(Cosh, a)))
		}}
}

// rarePrice is the price in bits of a function that physics rarely uses. It equals the price of
// tanh.
const rarePrice = 10

// special completes the row of a function that is rare in physics and has no kernel.
func special(o Operator) Operator {
	o.Arity, o.Rare, o.Price, o.Weight, o.Sample, o.Factors = 1, true, rarePrice, 0.5, [2]float64{0.5, 1.4}, []float64{1, 0.5}
	return o
}

// gaussRows sets the rows of operators for the error function and its complement.
func gaussRows() {
	gauss := func(a Tree) Tree { // 2/√π·exp(-a²)
		return over(times(Num(2), Apply(Exp, Apply(Neg, raise(a, 2)))), Apply(Sqrt, Leaf(Pi)))
	}
	operators[Erf] = special(Operator{Name: "erf", Parity: Odd, LaTeX: `\operatorname{erf}`, Text: "erf",
		F1: math.Erf, Slope1: func(x float64) float64 { return 2 / math.SqrtPi * math.Exp(-x*x) },
		Inverse: func(y, _ float64) float64 { return math.Erfinv(y) },
		slope:   gauss,
		Code: same("erf", "Erf", "numpy", "special.erf", "julia", "SpecialFunctions.erf",
			"r", "(sign($1)*pchisq(2*($1)^2, 1))")})
	operators[Erfc] = special(Operator{Name: "erfc", NonNegative: true, LaTeX: `\operatorname{erfc}`, Text: "erfc",
		F1: math.Erfc, Slope1: func(x float64) float64 { return -2 / math.SqrtPi * math.Exp(-x*x) },
		Inverse: func(y, _ float64) float64 { return math.Erfcinv(y) },
		slope:   func(a Tree) Tree { return minus(Num(0), gauss(a)) },
		Code: same("erfc", "Erfc", "numpy", "special.erfc", "julia", "SpecialFunctions.erfc",
			"r", "(2*pnorm(-sqrt(2)*($1)))")})
}

// gammaRows sets the rows of operators for the gamma function and the functions defined by it.
func gammaRows() {
	operators[Gamma] = special(Operator{Name: "gamma", LaTeX: `\Gamma`, Text: "Γ",
		F1: math.Gamma, Slope1: func(x float64) float64 { return math.Gamma(x) * mathext.Digamma(x) },
		slope: func(a Tree) Tree { return Apply(Mul, Apply(Gamma, a), Apply(Digamma, a)) },
		Code:  same("gamma", "Gamma", "numpy", "special.gamma", "c", "tgamma", "julia", "SpecialFunctions.gamma")})
	operators[Lgamma] = special(Operator{Name: "lgamma", Aliases: []string{"loggamma", "gammaln"}, LaTeX: `\ln\Gamma`, Text: "lnΓ",
		F1: func(x float64) float64 { v, _ := math.Lgamma(x); return v }, Slope1: mathext.Digamma,
		slope: func(a Tree) Tree { return Apply(Digamma, a) },
		Code: same("lgamma", "Lgamma", "sympy", "sp.log(sp.Abs(sp.gamma($1)))", "numpy", "special.gammaln", "go",
			"func() float64 { v, _ := math.Lgamma($1); return v }()", "julia", "SpecialFunctions.logabsgamma($1)[1]", "matlab", "gammaln",
			"excel", "GAMMALN", "json", "GammaLn")})
	operators[Digamma] = special(Operator{Name: "digamma", LaTeX: `\psi`, Text: "ψ",
		F1: mathext.Digamma, Slope1: trigamma,
		// There is no operator for the trigamma function.
		slope: func(Tree) Tree { return Num(math.NaN()) },
		Code: map[string]string{"sympy": "sp.digamma", "numpy": "special.digamma", "julia": "SpecialFunctions.digamma", "matlab": "psi",
			"r": "digamma", "json": "Digamma"}})
}

// besselRows sets the rows of operators for the sign function, the Bessel functions and sin(x)/x.
func besselRows() {
	operators[Sign] = special(Operator{Name: "sign", Aliases: []string{"sgn"}, Parity: Odd, Unit: AnyUnit, LaTeX: `\operatorname{sgn}`, Text: "sgn",
		F1: sign1, Slope1: func(float64) float64 { return 0 },
		slope: func(Tree) Tree { return Num(0) },
		Code: same("sign", "Sign", "c", "(($1 > 0) - ($1 < 0))", "go",
			"func(x float64) float64 { if x == 0 { return 0 }; return math.Copysign(1, x) }($1)", "julia", "Base.sign")})
	operators[J0] = special(Operator{Name: "j0", Aliases: []string{"besselj0"}, Parity: Even, LaTeX: "J_{0}", Text: "J₀",
		F1: math.J0, Slope1: func(x float64) float64 { return -math.J1(x) },
		slope: func(a Tree) Tree { return minus(Num(0), Apply(J1, a)) },
		Code: same("j0", "J0", "sympy", "sp.besselj(0, $1)", "numpy", "special.j0", "julia", "SpecialFunctions.besselj0", "matlab", "besselj(0, $1)",
			"r", "besselJ(abs($1), 0)", "excel", "BESSELJ($1,0)", "json", "BesselJ 0")})
	operators[J1] = special(Operator{Name: "j1", Aliases: []string{"besselj1"}, Parity: Odd, LaTeX: "J_{1}", Text: "J₁",
		F1: math.J1, Slope1: func(x float64) float64 {
			if x == 0 {
				return 0.5
			}
			return math.J0(x) - math.J1(x)/x
		},
		slope: func(a Tree) Tree { return minus(Apply(J0, a), over(Apply(J1, a), a)) },
		Code: same("j1", "J1", "sympy", "sp.besselj(1, $1)", "numpy", "special.j1", "julia", "SpecialFunctions.besselj1", "matlab", "besselj(1, $1)",
			"r", "(sign($1)*besselJ(abs($1), 1))", "excel", "BESSELJ($1,1)", "json", "BesselJ 1")})
	operators[Sinc] = special(Operator{Name: "sinc", Parity: Even, LaTeX: `\operatorname{sinc}`, Text: "sinc",
		F1: sinc, Slope1: sincSlope,
		slope: func(a Tree) Tree { return over(minus(Apply(Cos, a), Apply(Sinc, a)), a) },
		Code: same("sinc", "Sinc", "numpy", "np.sinc(($1)/np.pi)", "c", "(($1) == 0 ? 1 : sin($1)/($1))", "go",
			"func(x float64) float64 { if x == 0 { return 1 }; return math.Sin(x)/x }($1)", "julia", "Base.sinc(($1)/pi)",
			"matlab", "(sin(($1) + (($1) == 0)*eps)./(($1) + (($1) == 0)*eps))", "r", "ifelse(($1) == 0, 1, sin($1)/($1))",
			"excel", "IF(($1)=0,1,SIN($1)/($1))")})
}

// extremeRows sets the rows of operators for the minimum and the maximum of two operands.
func extremeRows() {
	extreme := func(o Operator) Operator {
		o.Arity, o.Rare, o.Commutes, o.Idempotent, o.Unit, o.Price, o.Weight, o.Sample = 2, true, true, true, SumUnit, rarePrice, 0.5, [2]float64{0.5, 2}
		return o
	}
	mean := func(da, db, difference Tree) Tree { // (da + db + difference)/2
		return over(plus(plus(da, db), difference), Num(2))
	}
	operators[Min] = extreme(Operator{Name: "min", LaTeX: `\min`, Text: "min",
		F2: math.Min, Slope2: func(x, y float64) (dx, dy float64) { return chosen(x <= y, x, y) },
		slope2: func(a, b, da, db Tree) Tree { return mean(da, db, times(Apply(Sign, minus(b, a)), minus(da, db))) },
		Code:   same("min", "Min", "sympy", "sp.Min", "numpy", "np.minimum", "c", "fmin", "julia", "Base.min", "r", "pmin", "excel", "MIN($1,$2)")})
	operators[Max] = extreme(Operator{Name: "max", LaTeX: `\max`, Text: "max",
		F2: math.Max, Slope2: func(x, y float64) (dx, dy float64) { return chosen(x >= y, x, y) },
		slope2: func(a, b, da, db Tree) Tree { return mean(da, db, times(Apply(Sign, minus(a, b)), minus(da, db))) },
		Code:   same("max", "Max", "sympy", "sp.Max", "numpy", "np.maximum", "c", "fmax", "julia", "Base.max", "r", "pmax", "excel", "MAX($1,$2)")})
}
