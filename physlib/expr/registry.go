package expr

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/vec"
)

// An Operator is a row of the table of operators: all that the program knows about one operator.
// The rows are in operators.go. All packages use the table. So an operator with a row in it and a
// constant in tree.go is parsed, printed, evaluated, differentiated, fitted and exported. Package
// genetic also uses all allowed operators of one operand. Package search has its own list of
// functions (allFns in search/dictionary), to which it adds the rare ones of one operand that are
// allowed. The help text of the option --ops has its own list of the operators, too.
type Operator struct {
	Name    string   // in infix, prefix and postfix notation: "sqrt"
	Aliases []string // other names that Parse reads: "arcsin"
	Sign    []string // signs that stand for the operator in a list of allowed operators: "+"
	Arity   int
	// Rare operators are parsed, fitted and exported like others. A search uses a rare operator
	// only if the user's list of operators names it.
	Rare bool
	// Implied lists operators. If one of them is in a list of allowed operators, this operator is
	// allowed as well. For example, * allows square.
	Implied []Op

	Parity      Parity
	NonNegative bool // no value is below zero
	Commutes    bool // f(a, b) = f(b, a) for all a and b
	Idempotent  bool // f(a, a) = a for all a
	Undoes      Op   // the function g with f(g(x)) = x wherever g is defined: asin for sin

	Unit      UnitRule
	UnitPower unit.Ratio // the exponent of a RaisedUnit

	// F1 is the value of an operator with one operand. F2 is the value of an operator with two
	// operands.
	F1 func(x float64) float64
	F2 func(x, y float64) float64
	// Fold is used instead of F1 when Canonical folds numbers. If it is nil, F1 is used.
	Fold func(x float64) float64
	// Slope1 is the derivative of F1. Slope2 holds the two derivatives of F2. Both are nil if the
	// operator has a kernel in package vec, since its derivative is then composed of kernels.
	Slope1 func(x float64) float64
	Slope2 func(x, y float64) (dx, dy float64)
	// Inverse returns the x with F1(x) = y that is nearest to near, or NaN if there is none.
	// Inverse is nil if no closed form is known.
	Inverse func(y, near float64) float64
	// Sample is an interval on which the operator is smooth.
	Sample [2]float64

	LaTeX string // the LaTeX command; "": not written as a function but, for example, as a fraction
	Text  string // the name in figures; "": not written as a function

	// Bits that law.Complexity adds to the bits of the operand; 0: law.Complexity has its own rule.
	Price   float64
	Weight  float64   // relative frequency in random laws
	Factors []float64 // factors of the operand that searches try; the first one adds no bits
	// Code is how each language of package export writes a call: a name, or a text in which $1 and
	// $2 stand for the operands. It is empty for operators that are written as signs.
	Code map[string]string

	// Derivative of an operator with one operand a, with respect to a.
	slope func(a Tree) Tree
	// Derivative of an operator with two operands a and b, whose derivatives are da and db.
	slope2 func(a, b, da, db Tree) Tree
	// Adjoint of the operand a. z is the adjoint of the result r.
	chain func(s *sweep, a, r ref, z signed) signed
	unary vec.Unary // kernel, if chain is not nil
	// How tightly the printed form binds; 0: the form is a function call.
	level int
}

// Parity is the symmetry of a function when its operand changes sign.
type Parity uint8

// The possible parities.
const (
	NoParity Parity = iota
	Even            // f(-x) = f(x)
	Odd             // f(-x) = -f(x)
)

// UnitRule is the rule by which the unit of the result follows from the units of the operands.
type UnitRule uint8

// The possible rules for units.
const (
	PlainUnit    UnitRule = iota // operand and result are dimensionless
	SameUnit                     // the result has the unit of the operand
	AnyUnit                      // the operand may have any unit; the result is dimensionless
	RaisedUnit                   // the unit of the operand to the power UnitPower
	SumUnit                      // both operands and the result have the same unit
	ProductUnit                  // the product of the operands' units
	QuotientUnit                 // the quotient of the operands' units
	// A unit to the power of a number; if the exponent is not a number, both operands are
	// dimensionless.
	PowerUnit
)

// operators is the table, indexed by Op and filled by init in operators.go. The rows of leaves
// contain only a name.
var operators [numOps]Operator

// arities holds the number of operands of every Op.
var arities [256]uint8

// Operator returns the row of o in the table. The row is shared and must not be changed.
func (o Op) Operator() *Operator {
	if o < numOps {
		return &operators[o]
	}
	return &Operator{Name: "op" + strconv.Itoa(int(o))}
}

// Operators iterates over all operators that have operands, in the order of Op.
func Operators() iter.Seq2[Op, *Operator] {
	return func(yield func(Op, *Operator) bool) {
		for op := range numOps {
			if operators[op].Arity > 0 && !yield(op, &operators[op]) {
				return
			}
		}
	}
}

// OperatorNamed returns the operator with the given name in a list of allowed operators, such as
// "+", "sin" or "ln". ok is false if there is none.
func OperatorNamed(name string) (Op, bool) {
	for op, o := range Operators() {
		if slices.Contains(o.Names(), name) {
			return op, true
		}
	}
	return 0, false
}

// Names returns the names of o that a list of allowed operators may use. The usual name comes
// first.
func (o *Operator) Names() []string {
	return slices.Concat(o.Sign, []string{o.Name}, o.Aliases)
}

// Apply returns the operator's value for numbers. An operator of one operand ignores y.
func (o *Operator) Apply(x, y float64) float64 {
	switch {
	case o.F1 != nil:
		return o.F1(x)
	case o.F2 != nil:
		return o.F2(x, y)
	}
	return math.NaN()
}

// Unary sets dst to function o of a, with a kernel of set if there is one. If a is shorter than
// dst, it is a block that repeats one constant, as for the kernels of package vec.
func (o Op) Unary(set *vec.Set[float64], dst, a []float64) {
	if row := &operators[o]; row.chain != nil {
		set.Unary[row.unary](dst, a)
	} else {
		mapUnary(row.F1, dst, a)
	}
}

// Binary sets dst to a o b, with a kernel of set if there is one. Operands may be constants as for
// Unary.
func (o Op) Binary(set *vec.Set[float64], dst, a, b []float64) {
	if o >= Add && o <= Pow {
		set.Binary[o-Add](dst, a, b)
	} else {
		mapBinary(operators[o].F2, dst, a, b)
	}
}

// mapUnary sets dst to f of a. If a is shorter than dst, it holds one constant, as for a kernel.
func mapUnary[T vec.Float](f func(float64) float64, dst, a []T) {
	if len(a) < len(dst) {
		y := T(f(float64(a[0])))
		for i := range dst {
			dst[i] = y
		}
		return
	}
	for i, x := range a[:len(dst)] {
		dst[i] = T(f(float64(x)))
	}
}

// mapBinary sets dst to f of a and b. An operand that is shorter than dst holds one constant.
func mapBinary[T vec.Float](f func(x, y float64) float64, dst, a, b []T) {
	stepA, stepB := 1, 1
	if len(a) < len(dst) {
		stepA = 0
	}
	if len(b) < len(dst) {
		stepB = 0
	}
	for i := range dst {
		dst[i] = T(f(float64(a[i*stepA]), float64(b[i*stepB])))
	}
}

// Spell returns a call of o in a language of package export. It returns an error if the language
// has no such function.
func (o *Operator) Spell(language string, args ...string) (string, error) {
	code := o.Code[language]
	if code == "" {
		return "", fmt.Errorf("%s has no function %s", language, o.Name)
	}
	if !strings.Contains(code, "$") {
		return code + "(" + strings.Join(args, ", ") + ")", nil
	}
	for i, a := range args {
		code = strings.ReplaceAll(code, "$"+strconv.Itoa(i+1), a)
	}
	return code, nil
}
