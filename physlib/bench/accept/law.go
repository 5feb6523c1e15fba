package accept

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Constant is a constant of a reported law.
type Constant struct {
	Value float64
	Exact bool // whether it is recognized as an exact number, which is not refitted
}

// Law is a reported law: an expression with numbers, some of which may be refitted. Several
// goroutines must not use it at once.
type Law struct {
	Text string

	tree    expr.Tree // fitted numbers are Params that start from their values
	k       int       // number of fitted numbers and of unusual exponents, for the BIC
	numbers []float64 // absolute values of all numbers except 0
	program *expr.Program
}

// usual are the exponents that do not count as constants. Any other exponent counts, as if it were
// fitted.
var usual = []float64{1. / 4, 1. / 3, 1. / 2, 2. / 3, 3. / 4, 1, 4. / 3, 3. / 2, 2, 5. / 2, 3, 4, 5, 6}

// ParseLaw reads a law in the columns with the given names. A number in the law counts as fitted
// if its absolute value equals that of a constant in constants that is not Exact.
func ParseLaw(text string, names []string, constants []Constant) (*Law, error) {
	t, err := expr.Parse(text, names)
	if err != nil {
		return nil, fmt.Errorf("law: %w", err)
	}
	if t.NumParams() > 0 {
		return nil, errors.New("law: " + text + ": a constant has no value")
	}
	fitted := func(v float64) bool {
		return slices.ContainsFunc(constants, func(c Constant) bool {
			return !c.Exact && math.Abs(math.Abs(v)-math.Abs(c.Value)) <= 1e-12*math.Abs(c.Value)
		})
	}
	odd := unusual(t, fitted)
	nodes := slices.Clone(t.Nodes())
	free := int32(0)
	for i, n := range nodes {
		if n.Op == expr.Number && fitted(n.Value) {
			nodes[i] = expr.Node{Op: expr.Param, Index: free, Value: n.Value}
			free++
		}
	}
	t, _ = expr.FromNodes(nodes)
	l := newLaw(text, t)
	l.k += odd
	return l, nil
}

// newLaw returns the law t, in which fitted numbers are Params.
func newLaw(text string, t expr.Tree) *Law {
	l := &Law{Text: text, tree: t, k: t.NumParams(), program: expr.Compile(t)}
	for _, n := range t.Nodes() {
		if (n.Op == expr.Number || n.Op == expr.Param) && n.Value != 0 {
			l.numbers = append(l.numbers, math.Abs(n.Value))
		}
	}
	return l
}

// unusual returns the number of powers in t whose exponent is a number that is neither usual nor
// fitted.
func unusual(t expr.Tree, fitted func(float64) bool) (count int) {
	var stack []expr.Tree // operands that consist only of numbers; other operands are empty trees
	for _, n := range t.Nodes() {
		arity := n.Op.Arity()
		args := slices.Clone(stack[len(stack)-arity:])
		stack = stack[:len(stack)-arity]
		if n.Op == expr.Pow && args[1].Len() > 0 {
			var v [1]float64
			expr.Compile(args[1]).Eval(v[:], nil, nil)
			if p := math.Abs(v[0]); !slices.Contains(usual, p) && !fitted(p) {
				count++
			}
		}
		var whole expr.Tree
		switch {
		case n.Op == expr.Number:
			whole = expr.Num(n.Value)
		case (n.Op == expr.Neg || arity == 2) && !slices.ContainsFunc(args, func(a expr.Tree) bool { return a.Len() == 0 }):
			whole = expr.Apply(n.Op, args...)
		}
		stack = append(stack, whole)
	}
	return count
}

// at returns the predictions of the law with the reported numbers.
func (l *Law) at(cols [][]float64, rows int) []float64 {
	out := make([]float64, rows)
	l.program.Eval(out, cols, nil)
	return out
}
