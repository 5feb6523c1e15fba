package mdl

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// ToColumns returns a law over the table's own columns. It replaces derived variables by
// expressions in columns. A temperature above absolute zero becomes T + 273.15, years since the
// first one become year - 1990, and an angle in radians becomes π·x/180. If the target is an angle
// in degrees, atan(x) becomes 180·atan(x)/π.
func (m *Data) ToColumns(t expr.Tree) expr.Tree {
	if m.degrees {
		if sum, ok := besideConstant(t, m.ToColumns); ok {
			return sum
		}
	}
	if angle := m.inRadians(t); angle.Len() < t.Len() {
		scaled := expr.Apply(expr.Mul, expr.Num(180), m.ToColumns(angle))
		return expr.Apply(expr.Div, scaled, expr.Leaf(expr.Pi))
	}
	return rewrite.CancelPi(t.ReplaceLeaves(func(n expr.Node) expr.Tree {
		if n.Op != expr.Var || int(n.Index) < m.columns {
			return expr.Tree{}
		}
		d := m.derived[int(n.Index)-m.columns]
		x := expr.X(d.of)
		switch {
		case d.shift > 0:
			return expr.Apply(expr.Add, x, expr.Num(d.shift))
		case d.shift < 0:
			return expr.Apply(expr.Sub, x, expr.Num(-d.shift))
		}
		return expr.Apply(expr.Div, expr.Apply(expr.Mul, expr.Leaf(expr.Pi), x), expr.Num(180))
	}))
}

// FromColumns is the inverse of ToColumns. In a law over the table's own columns, it recognizes
// T + 273.15, multiples of π·x/180, and 180/π in front of an angle.
func (m *Data) FromColumns(t expr.Tree) expr.Tree {
	if m.degrees {
		if sum, ok := besideConstant(t, m.FromColumns); ok {
			return sum
		}
		if angle, by := rewrite.NumberFactor(t); angle.Len() > 0 && math.Abs(by-inDegrees) < 1e-9*inDegrees {
			return expr.Apply(expr.Mul, expr.Num(inDegrees), m.replaceInColumns(angle))
		}
	}
	return m.replaceInColumns(t)
}

// replaceInColumns is FromColumns without the conversion factor 180/π of the target.
func (m *Data) replaceInColumns(t expr.Tree) expr.Tree {
	if len(m.derived) == 0 {
		return t
	}
	var stack []expr.Tree
	for _, n := range t.Nodes() {
		var part expr.Tree
		switch n.Op.Arity() {
		case 0:
			part, _ = expr.FromNodes([]expr.Node{n})
		case 1:
			a := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if n.Op == expr.Sin || n.Op == expr.Cos || n.Op == expr.Tan {
				a = m.radians(a)
			}
			part = expr.Apply(n.Op, a)
		case 2:
			a, b := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-2]
			part = m.liftPair(n.Op, a, b)
		}
		stack = append(stack, part)
	}
	return stack[0]
}

// liftPair returns op of a and b, with derived variables where possible.
func (m *Data) liftPair(op expr.Op, a, b expr.Tree) expr.Tree {
	number := func(t expr.Tree) (float64, bool) {
		if t.Len() == 1 && t.Root() == expr.Number {
			return t.Nodes()[0].Value, true
		}
		return 0, false
	}
	for _, pair := range [][2]expr.Tree{{a, b}, {b, a}} {
		v, ok := number(pair[1])
		x, by := rewrite.NumberFactor(pair[0]) // 20*T + 5463 is 20*(T + 273.15)
		if !ok || x.Len() != 1 || x.Root() != expr.Var {
			continue
		}
		switch {
		case op == expr.Sub && pair[0].Root() == a.Root():
			v = -v
		case op != expr.Add:
			continue
		}
		for k, d := range m.derived {
			if d.of != int(x.Nodes()[0].Index) || d.shift == 0 || !(math.Abs(v/by-d.shift) < 1e-9*math.Abs(d.shift)) {
				continue
			}
			if by == 1 {
				return expr.X(m.columns + k)
			}
			return expr.Apply(expr.Mul, expr.Num(by), expr.X(m.columns+k))
		}
	}
	return expr.Apply(op, a, b)
}

// radians replaces columns in degrees by the same columns in radians. t is the operand of a
// function of an angle.
func (m *Data) radians(t expr.Tree) expr.Tree {
	found := false
	r := t.ReplaceLeaves(func(n expr.Node) expr.Tree {
		if n.Op == expr.Var && int(n.Index) < m.columns {
			if k, ok := m.angle(int(n.Index)); ok {
				found = true
				return expr.Apply(expr.Div, expr.Apply(expr.Mul, expr.X(k), expr.Num(180)), expr.Leaf(expr.Pi))
			}
		}
		return expr.Tree{}
	})
	if !found {
		return t
	}
	return canonical(r, m.columns+len(m.derived))
}

// canonical returns the canonical form of a part of a law. Its constants keep their slots: they
// temporarily become variables, numbered from free.
func canonical(t expr.Tree, free int) expr.Tree {
	constants := map[int32]expr.Node{}
	fixed := t.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op != expr.Param {
			return n
		}
		at := int32(free) + n.Index
		constants[at] = n
		return expr.Node{Op: expr.Var, Index: at}
	})
	return fixed.Canonical().MapLeaves(func(_ int, n expr.Node) expr.Node {
		if k, ok := constants[n.Index]; ok && n.Op == expr.Var {
			return k
		}
		return n
	})
}

// Derived returns the column or constant from which a variable is derived. radians reports that the
// variable is that column in radians, and fromZero that it is a temperature above absolute zero.
// Any other derived variable counts years from the first one.
func (m *Data) Derived(variable int) (of int, radians, fromZero bool) {
	if variable < m.columns {
		return variable, false, false
	}
	d := m.derived[variable-m.columns]
	return d.of, d.scale != 1, d.shift > 0
}

// Calendar reports whether a variable is a column of calendar years. Years counted from the first
// one are a separate variable.
func (m *Data) Calendar(variable int) bool {
	for _, d := range m.derived {
		if d.of == variable && d.shift < 0 {
			return true
		}
	}
	return false
}

// OneSign reports whether all values of the target are positive, or all negative.
func (m *Data) OneSign() bool { return m.sign != 0 }

// angle returns the variable that holds column i in radians. ok reports whether the column is in
// degrees.
func (m *Data) angle(i int) (variable int, ok bool) {
	for k, d := range m.derived {
		if d.of == i && d.scale != 1 {
			return m.columns + k, true
		}
	}
	return 0, false
}

// AsWritten returns t with each derived variable replaced by the column from which it is derived.
// For example, a temperature above absolute zero becomes the column in °C. This changes the values
// of t. If t has no derived variable, AsWritten returns t.
func (m *Data) AsWritten(t expr.Tree) expr.Tree {
	return t.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op == expr.Var && int(n.Index) >= m.columns {
			n.Index = int32(m.derived[int(n.Index)-m.columns].of)
		}
		return n
	})
}

// inRadians returns t without the factor 180/π that converts an angle to degrees. It returns t
// unchanged if there is no such factor or the target is not in degrees.
func (m *Data) inRadians(t expr.Tree) expr.Tree {
	if !m.degrees || t.Root() != expr.Mul {
		return t
	}
	for i, a := range t.Args() {
		if a.Len() == 1 && a.Root() == expr.Number && math.Abs(a.Nodes()[0].Value-inDegrees) < 1e-9*inDegrees {
			return t.Args()[1-i]
		}
	}
	return t
}

// FromZero returns the law t of an absolute temperature as a law of the target in °C, t - 273.15,
// and the price of this in bits. ok is false if the target is not in °C, or if a free constant is
// added to t anyway.
func (m *Data) FromZero(t expr.Tree) (c expr.Tree, bits float64, ok bool) {
	_, free := besideConstant(t, func(a expr.Tree) expr.Tree { return a })
	if m.zero == 0 || free || t.Root() == expr.Param {
		return t, 0, false
	}
	return expr.Apply(expr.Sub, t, expr.Num(m.zero)), m.zeroPrice, true
}

// Absolute returns t without the subtraction that converts an absolute temperature to a target in
// °C. It returns other laws unchanged.
func (m *Data) Absolute(t expr.Tree) expr.Tree {
	if m.zero == 0 || t.Root() != expr.Sub {
		return t
	}
	args := t.Args()
	if n := args[1]; n.Root() != expr.Number || math.Abs(n.Nodes()[0].Value-m.zero) > 1e-9*m.zero {
		return t
	}
	return args[0]
}

// inPlainAngle is inRadians for laws in which a constant in degrees may be added to the angle, such
// as the zero error of a goniometer.
func (m *Data) inPlainAngle(t expr.Tree) expr.Tree {
	if sum, ok := besideConstant(t, m.inRadians); ok {
		return sum
	}
	return m.inRadians(t)
}

// besideConstant returns t with f applied to the other operand if t is the sum or difference of a
// free constant and something else. Otherwise it returns t, and ok is false.
func besideConstant(t expr.Tree, f func(expr.Tree) expr.Tree) (sum expr.Tree, ok bool) {
	if t.Root() != expr.Add && t.Root() != expr.Sub {
		return t, false
	}
	args := t.Args()
	for i, a := range args {
		if a.Root() == expr.Param {
			args[1-i] = f(args[1-i])
			return expr.Apply(t.Root(), args...), true
		}
	}
	return t, false
}

// InDegrees returns the angle t in degrees. ok reports whether the target is in degrees and t is in
// radians, as an inverse trigonometric function is.
func (m *Data) InDegrees(t expr.Tree) (d expr.Tree, ok bool) {
	switch t.Root() {
	case expr.Asin, expr.Acos, expr.Atan:
		if m.degrees {
			return expr.Apply(expr.Mul, expr.Num(inDegrees), t), true
		}
	}
	return t, false
}

// inDegrees is the number of degrees in a radian.
const inDegrees = 180 / math.Pi

// guesses returns the price in bits of the guessed units of the variables in t, and of a target in
// °C as an absolute temperature.
func (m *Data) guesses(t expr.Tree) (bits float64) {
	for _, v := range t.Vars() {
		if v >= m.columns {
			bits += m.derived[v-m.columns].guess
		}
	}
	if m.guessPrice > 0 && m.inRadians(t).Len() < t.Len() {
		bits += m.guessPrice
	}
	if m.Absolute(t).Len() < t.Len() {
		bits += m.zeroPrice
	}
	return bits
}

// guessBits is the price in bits of reading a column without a unit as degrees or degrees Celsius,
// if its name makes that likely.
const guessBits = 3
