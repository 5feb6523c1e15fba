package vec

var unaryNames = [NumUnary]string{"neg", "inv", "abs", "sqrt", "square", "cube", "exp", "log", "sin", "cos", "tan", "asin",
	"acos", "atan", "sinh", "cosh", "tanh"}

var binaryNames = [NumBinary]string{"add", "sub", "mul", "div", "pow"}

// String returns the name of f, such as "sqrt".
func (f Unary) String() string { return unaryNames[f] }

// String returns the name of f, such as "add".
func (f Binary) String() string { return binaryNames[f] }

// Bounds on the errors of all sets, in ulp (units in the last place of the exact result). For
// subnormal results, the unit is the least subnormal number. A bound of 0.5 means correct rounding.
var (
	unaryBounds = [NumUnary][2]float64{ // float32, float64
		Neg: {0, 0}, Inv: {0.5, 0.5}, Abs: {0, 0}, Sqrt: {0.5, 0.5}, Square: {0.5, 0.5}, Cube: {1.5, 1.5},
		Exp: {1.2, 1.2}, Log: {1.2, 1.2}, Sin: {2, 2}, Cos: {2, 2}, Tan: {0.6, 3.5},
		Asin: {0.6, 2}, Acos: {0.6, 2}, Atan: {0.6, 2}, Sinh: {0.6, 3}, Cosh: {0.6, 2}, Tanh: {0.6, 3},
	}
	binaryBounds = [NumBinary][2]float64{Add: {0.5, 0.5}, Sub: {0.5, 0.5}, Mul: {0.5, 0.5}, Div: {0.5, 0.5}, Pow: {1.5, 2}}
)

// Bound returns the largest error of f in float32 and in float64, in units in the last place (ulp).
func (f Unary) Bound() (ulp32, ulp64 float64) { return unaryBounds[f][0], unaryBounds[f][1] }

// Bound returns the largest error of f in float32 and in float64, in units in the last place (ulp).
func (f Binary) Bound() (ulp32, ulp64 float64) { return binaryBounds[f][0], binaryBounds[f][1] }
