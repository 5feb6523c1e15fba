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

// An Operator is a row of the table of operators: what the program knows of one of them. The rows
// are in operators.go. Every package uses it, so that a new row is parsed, printed, evaluated,
// differentiated, fitted and exported without a change elsewhere. So is one of one operand searched.
type Operator struct {
	Name    string   // in infix, prefix and postfix notation: "sqrt"
	Aliases []string // other names that Parse reads: "arcsin"
	Sign    []string // other names that a list of allowed operators has: "+"
	Arity   int
	// Rare operators are parsed, fitted and exported like others. A search uses one only where its
	// list of operators names it.
	Rare bool
	// Implied are operators that allow this one where a list names them, as * allows square.
	Implied []Op

	Parity      Parity
	NonNegative bool // no value is below zero
	Commutes    bool // f(a, b) = f(b, a)
	Idempotent  bool // f(a, a) = a
	Undoes      Op   // a function whose inverse this is wherever that is defined: of sin, asin

	Unit      UnitRule
	UnitPower unit.Ratio // of a RaisedUnit

	// F1 or F2 is the operator on numbers.
	F1 func(x float64) float64
	F2 func(x, y float64) float64
	// Fold replaces F1 where Canonical folds numbers; nil: F1.
	Fold func(x float64) float64
	// Slope1 is the derivative of F1, Slope2 those of F2. An operator with a kernel in package vec
	// has none, since its derivative is made of kernels.
	Slope1 func(x float64) float64
	Slope2 func(x, y float64) (dx, dy float64)
	// Inverse returns the x with F1(x) = y that is nearest to near, NaN where there is none. It is
	// nil where no closed form is known.
	Inverse func(y, near float64) float64
	// Sample is an interval on which the operator is smooth.
	Sample [2]float64

	LaTeX string // the function's command; "": the writer has a form of its own, such as a fraction
	Text  string // the function's name in figures; "": as for LaTeX

	Price   float64 // bits above the operand's, as law.Complexity counts; 0: that has a rule of its own
	Weight  float64 // how often random laws have it, in relation to others
	Factors []float64
	// Code is how each language of package export writes a call: a name, or a text in which $1 and
	// $2 stand for the operands. It is empty where the languages have a sign for the operator.
	Code map[string]string

	slope  func(a Tree) Tree                         // derivative of a function
	slope2 func(a, b, da, db Tree) Tree              // derivative of a op b
	chain  func(s *sweep, a, r ref, z signed) signed // adjoint of the operand a of r, whose is z
	unary  vec.Unary                                 // kernel of a function, if chain is not nil
	level  int                                       // how tightly it binds in print, 0: a function
}

// Parity says what a function makes of the opposite of its operand.
type Parity uint8

// Parities.
const (
	NoParity Parity = iota
	Even            // f(-x) = f(x)
	Odd             // f(-x) = -f(x)
)

// UnitRule says which units the operands need and what the result has.
type UnitRule uint8

// Rules of units.
const (
	PlainUnit    UnitRule = iota // operand and result have none
	SameUnit                     // the result has that of the operand
	AnyUnit                      // the operand may have any, the result has none
	RaisedUnit                   // that of the operand to the power UnitPower
	SumUnit                      // both operands and the result have the same
	ProductUnit                  // that of a product
	QuotientUnit                 // that of a quotient
	PowerUnit                    // a number as exponent raises, any other needs operands without units
)

// operators is the table by Op, filled by init in operators.go; rows of leaves have a name only.
var operators [numOps]Operator

// arities has the arity of every Op.
var arities [256]uint8

// Operator returns the row of the table. It is shared and must not be changed.
func (o Op) Operator() *Operator {
	if o < numOps {
		return &operators[o]
	}
	return &Operator{Name: "op" + strconv.Itoa(int(o))}
}

// Operators iterates over all operators that have operands.
func Operators() iter.Seq2[Op, *Operator] {
	return func(yield func(Op, *Operator) bool) {
		for op := range numOps {
			if operators[op].Arity > 0 && !yield(op, &operators[op]) {
				return
			}
		}
	}
}

// OperatorNamed returns the operator that a list of allowed operators calls name: "+", "sin", "ln".
func OperatorNamed(name string) (Op, bool) {
	for op, o := range Operators() {
		if slices.Contains(o.Names(), name) {
			return op, true
		}
	}
	return 0, false
}

// Names returns all names that a list of allowed operators may have for o, the usual one first.
func (o *Operator) Names() []string {
	return slices.Concat(o.Sign, []string{o.Name}, o.Aliases)
}

// Apply returns the operator's value for numbers; y does not matter where it has one operand.
func (o *Operator) Apply(x, y float64) float64 {
	switch {
	case o.F1 != nil:
		return o.F1(x)
	case o.F2 != nil:
		return o.F2(x, y)
	}
	return math.NaN()
}

// Unary sets dst to the function o of a, with a kernel of set if there is one. Lengths are as for
// the kernels of package vec.
func (o Op) Unary(set *vec.Set[float64], dst, a []float64) {
	if row := &operators[o]; row.chain != nil {
		set.Unary[row.unary](dst, a)
	} else {
		mapUnary(row.F1, dst, a)
	}
}

// Binary sets dst to a op b, with a kernel of set if there is one.
func (o Op) Binary(set *vec.Set[float64], dst, a, b []float64) {
	if o >= Add && o <= Pow {
		set.Binary[o-Add](dst, a, b)
	} else {
		mapBinary(operators[o].F2, dst, a, b)
	}
}

// mapUnary sets dst to f of a. Like a kernel it takes operands of one block for constants.
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

// mapBinary sets dst to f of a and b.
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

// Spell returns a call of o in a language of package export. The error says that the language has
// no such function.
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
