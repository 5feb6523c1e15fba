package expr

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/unit"
)

// A dimForm is the dimension of a subtree as far as it is known: dim, times the unknown dimensions
// to the powers coefs. If coefs is nil, all powers are 0.
type dimForm struct {
	dim      unit.Dim
	coefs    []unit.Ratio
	value    float64 // value of the subtree, if constant is true
	constant bool    // the subtree consists of numbers
}

// A dimRule states that a form must be dimensionless because of a node, which is given by its
// index. The form may be the ratio of the two operands of a sum, or the operand of sin.
type dimRule struct {
	dimForm
	node int
}

// dimSystem collects the rules of a tree.
type dimSystem struct {
	unknowns int
	rules    []dimRule
	stack    []dimForm
}

func (s *dimSystem) require(f dimForm, node int) {
	if f.coefs != nil || !f.dim.IsZero() {
		s.rules = append(s.rules, dimRule{f, node})
	}
}

// unknown returns the form of the unknown dimension with index k.
func (s *dimSystem) unknown(k int) dimForm {
	coefs := make([]unit.Ratio, s.unknowns)
	coefs[k] = unit.Rat(1, 1)
	return dimForm{coefs: coefs}
}

// times returns the form of a·bⁿ.
func (s *dimSystem) times(a, b dimForm, n unit.Ratio) dimForm {
	if one := unit.Rat(1, 1); n == one {
		a.dim = a.dim.Mul(b.dim)
	} else {
		a.dim = a.dim.Mul(b.dim.Pow(n))
	}
	if b.coefs == nil {
		return a
	}
	coefs := make([]unit.Ratio, s.unknowns)
	copy(coefs, a.coefs)
	for i, c := range b.coefs {
		coefs[i] = coefs[i].Add(c.Mul(n))
	}
	a.coefs = coefs
	return a
}

// read collects the rules of t and returns the form of its root. leaf returns the form of a column
// or a free constant.
func (s *dimSystem) read(t Tree, leaf func(n Node) dimForm) dimForm {
	for i, n := range t.nodes {
		k := len(s.stack)
		switch n.Op.Arity() {
		case 0:
			f := dimForm{constant: true, value: n.Value}
			switch n.Op {
			case Var, Param:
				f = leaf(n)
			case Pi:
				f.value = math.Pi
			case Euler:
				f.value = math.E
			}
			s.stack = append(s.stack, f)
		case 1:
			s.stack[k-1] = s.unary(n.Op, s.stack[k-1], i)
		case 2:
			f := s.binary(n.Op, s.stack[k-2], s.stack[k-1], i)
			s.stack = append(s.stack[:k-2], f)
		}
	}
	if len(s.stack) == 0 {
		return dimForm{}
	}
	return s.stack[0]
}

func (s *dimSystem) unary(op Op, a dimForm, node int) dimForm {
	var f dimForm
	switch o := &operators[op]; o.Unit {
	case SameUnit:
		f = a
	case RaisedUnit:
		f = s.times(dimForm{}, a, o.UnitPower)
	case PlainUnit:
		s.require(a, node)
	}
	f.constant = a.constant
	if a.constant {
		f.value = apply(op, a.value, 0)
	}
	return f
}

func (s *dimSystem) binary(op Op, a, b dimForm, node int) dimForm {
	one := unit.Rat(1, 1)
	var f dimForm
	switch operators[op].Unit {
	case SumUnit:
		s.require(s.times(a, b, one.Neg()), node)
		// The sum 2 + x has the form of x, like x + 2. If x has a unit, the sum breaks this rule,
		// but the rules of the nodes above it still get the dimension of x.
		f = a
		if a.constant {
			f = b
		}
	case ProductUnit:
		f = s.times(a, b, one)
	case QuotientUnit:
		f = s.times(a, b, one.Neg())
	case PowerUnit:
		if b.constant {
			f = s.times(dimForm{}, a, ratioOf(b.value))
			break
		}
		s.require(a, node)
		s.require(b, node)
	}
	if f.constant = a.constant && b.constant; f.constant {
		f.value = apply(op, a.value, b.value)
	}
	return f
}

// ratioOf returns v as a fraction with a denominator of at most 100. If there is none, it returns v
// rounded to three decimals.
func ratioOf(v float64) unit.Ratio {
	if p, q, ok := fraction(v, 100); ok && p > -math.MaxInt16 && p < math.MaxInt16 {
		return unit.Rat(int(p), int(q))
	}
	if !(math.Abs(v) < math.MaxInt16) {
		return unit.Ratio{}
	}
	return unit.Rat(int(math.Round(v*1000)), 1000)
}

// apply applies op to the numbers x and y. It folds them in the same way as Canonical.
func apply(op Op, x, y float64) float64 {
	o := &operators[op]
	if o.Fold != nil {
		return o.Fold(x)
	}
	return o.Apply(x, y)
}

// solve finds the unknown dimensions that satisfy the rules. It uses elimination in exact
// fractions, in the order of the rules, and skips a rule that contradicts earlier ones. Unknowns
// that no rule determines are dimensionless. bound reports which unknowns are determined.
func (s *dimSystem) solve() (dims []unit.Dim, bound []bool) {
	dims, bound = make([]unit.Dim, s.unknowns), make([]bool, s.unknowns)
	// pivots[k] has coefficient 1 at unknown k, and 0 at all other pivots.
	pivots := make([]dimForm, s.unknowns)
	for _, r := range s.rules {
		row := r.dimForm
		for k, isPivot := range bound {
			if isPivot && row.coefs != nil && !row.coefs[k].IsZero() {
				row = s.times(row, pivots[k], row.coefs[k].Neg())
			}
		}
		k := firstNonZero(row.coefs)
		if k < 0 {
			continue
		}
		c := row.coefs[k]
		row = s.times(dimForm{}, row, unit.Rat(c.Den(), c.Num()))
		for j := range pivots {
			if bound[j] && !pivots[j].coefs[k].IsZero() {
				pivots[j] = s.times(pivots[j], row, pivots[j].coefs[k].Neg())
			}
		}
		pivots[k], bound[k] = row, true
	}
	for k := range dims {
		if bound[k] {
			dims[k] = unit.Dim{}.Div(pivots[k].dim)
		}
	}
	s.close(pivots, bound)
	return dims, bound
}

// close sets bound to false for each unknown whose pivot depends on an undetermined unknown.
func (s *dimSystem) close(pivots []dimForm, bound []bool) {
	open := make([]int, 0, len(bound))
	for k := range pivots {
		if !bound[k] {
			continue
		}
		for j, c := range pivots[k].coefs {
			if j != k && !c.IsZero() {
				open = append(open, k)
				break
			}
		}
	}
	for _, k := range open {
		bound[k] = false
	}
}

func firstNonZero(coefs []unit.Ratio) int {
	for k, c := range coefs {
		if !c.IsZero() {
			return k
		}
	}
	return -1
}

// at returns the dimension of f once the unknowns are solved.
func (f dimForm) at(dims []unit.Dim) unit.Dim {
	d := f.dim
	for k, c := range f.coefs {
		if !c.IsZero() {
			d = d.Mul(dims[k].Pow(c))
		}
	}
	return d
}

// violation returns how strongly dims violates the rules. It is the sum of the squared exponents of
// forms that should be dimensionless (PhysDiffuse §5, without its weight λ).
func (s *dimSystem) violation(dims []unit.Dim) float64 {
	v := 0.0
	for _, r := range s.rules {
		d := r.at(dims)
		for _, e := range d {
			v += e.Float64() * e.Float64()
		}
	}
	return v
}

func columnForm(vars []unit.Dim, i int32) dimForm {
	if int(i) < len(vars) {
		return dimForm{dim: vars[i]}
	}
	return dimForm{}
}

// Dim returns the dimension of t if column i has the dimension vars[i]. Columns beyond vars are
// dimensionless. Free constants get the dimensions that the tree requires, and numbers are
// dimensionless. free is true if some free constant, and therefore t, may have any dimension. In
// this case d is the dimension of t if such constants are dimensionless. The error names the
// operation whose dimensions do not balance.
func (t Tree) Dim(vars []unit.Dim) (d unit.Dim, free bool, err error) {
	s := dimSystem{unknowns: t.NumParams()}
	root := s.read(t, func(n Node) dimForm {
		if n.Op == Param {
			return s.unknown(int(n.Index))
		}
		return columnForm(vars, n.Index)
	})
	dims, bound := s.solve()
	for _, r := range s.rules {
		if off := r.at(dims); !off.IsZero() {
			return unit.Dim{}, false, t.dimError(r.node, off)
		}
	}
	for k, c := range root.coefs {
		free = free || !c.IsZero() && !bound[k]
	}
	return root.at(dims), free, nil
}

// dimError returns the error for a node whose form should be dimensionless but has the dimension
// off.
func (t Tree) dimError(node int, off unit.Dim) error {
	size := int(t.sizes()[node])
	part := Tree{t.nodes[node+1-size : node+1]}
	op := t.nodes[node].Op
	switch op {
	case Add, Sub:
		return fmt.Errorf("%s: the terms of a sum differ in dimension by %s", part, off)
	case Pow:
		return fmt.Errorf("%s: a power with an exponent that is not a number needs dimensionless operands, not %s", part, off)
	}
	if op.Arity() == 2 {
		return fmt.Errorf("%s: the operands of %s differ in dimension by %s", part, op, off)
	}
	return fmt.Errorf("%s: %s needs a dimensionless operand, not %s", part, op, off)
}

// ParamDims returns dimensions of the free constants, in the order of their slots, with which t has
// the dimension target. Column i has the dimension vars[i]. Constants near the leaves are chosen
// first. Constants that no rule determines are dimensionless.
//
// violation is 0 if the dimensions of t balance with these constants. Otherwise it is a sum of
// squared exponents (PhysDiffuse §5). These are the exponents of dimensions that should be 1: of
// the ratio of the operands of each sum, of the ratio of t to target, and of the operands of
// functions.
func (t Tree) ParamDims(vars []unit.Dim, target unit.Dim) (dims []unit.Dim, violation float64) {
	return t.ParamDimsKnown(vars, nil, target, true)
}

// ParamDimsKnown is ParamDims for tables in which some units are unknown. The dimension vars[i] of
// column i counts only if known[i] is true; a nil known means that all are known. The dimension
// target counts only if targetKnown is true. An unknown column gets the dimension that balances t
// best.
func (t Tree) ParamDimsKnown(vars []unit.Dim, known []bool, target unit.Dim, targetKnown bool) (dims []unit.Dim, violation float64) {
	params := t.NumParams()
	s := dimSystem{unknowns: params}
	columns := make(map[int32]int)
	for _, n := range t.nodes {
		if n.Op != Var || int(n.Index) >= len(known) || known[n.Index] {
			continue
		}
		if _, ok := columns[n.Index]; !ok {
			columns[n.Index] = s.unknowns
			s.unknowns++
		}
	}
	root := s.read(t, func(n Node) dimForm {
		if n.Op == Param {
			return s.unknown(int(n.Index))
		}
		if k, ok := columns[n.Index]; ok {
			return s.unknown(k)
		}
		return columnForm(vars, n.Index)
	})
	if targetKnown {
		s.require(s.times(root, dimForm{dim: target}, unit.Rat(-1, 1)), len(t.nodes)-1)
	}
	all, _ := s.solve()
	return all[:params:params], s.violation(all)
}
