package expr

// Diff returns the derivative of t with respect to column v. Products with 0 and 1 and sums with 0
// are simplified. The derivative of |a| is a'·a/|a|, which is NaN at a = 0. The derivatives of j1
// and sinc are also NaN at 0, and that of digamma is NaN everywhere.
func (t Tree) Diff(v int) Tree {
	return t.derivative(func(n Node) bool { return n.Op == Var && int(n.Index) == v })
}

// DiffParam returns the derivative of t with respect to the free constant in a slot. The slots of
// all constants stay the same.
func (t Tree) DiffParam(slot int) Tree {
	return t.derivative(func(n Node) bool { return n.Op == Param && int(n.Index) == slot })
}

// derivative returns the derivative of t with respect to the leaves for which the function by
// returns true. It visits each node once. A stack holds the value and the derivative of each
// operand.
func (t Tree) derivative(by func(Node) bool) Tree {
	type pair struct{ value, slope Tree }
	var stack []pair
	for _, n := range t.nodes {
		k := len(stack)
		switch n.Op.Arity() {
		case 0:
			slope := Num(0)
			if by(n) {
				slope = Num(1)
			}
			stack = append(stack, pair{Tree{[]Node{n}}, slope})
		case 1:
			a := stack[k-1]
			slope := Num(0)
			if !a.slope.isNumber(0) {
				slope = times(a.slope, operators[n.Op].slope(a.value))
			}
			stack[k-1] = pair{Apply(n.Op, a.value), slope}
		case 2:
			a, b := stack[k-2], stack[k-1]
			stack = append(stack[:k-2], pair{Apply(n.Op, a.value, b.value), operators[n.Op].slope2(a.value, b.value, a.slope, b.slope)})
		}
	}
	if len(stack) == 0 {
		return Tree{}
	}
	return stack[0].slope
}

func (t Tree) isNumber(v float64) bool {
	return len(t.nodes) == 1 && t.nodes[0].Op == Number && t.nodes[0].Value == v
}

// numbers returns the values of a and b. ok reports whether both are numbers.
func numbers(a, b Tree) (x, y float64, ok bool) {
	if len(a.nodes) != 1 || len(b.nodes) != 1 || a.nodes[0].Op != Number || b.nodes[0].Op != Number {
		return 0, 0, false
	}
	return a.nodes[0].Value, b.nodes[0].Value, true
}

// plus returns a + b, minus a - b, times a·b, over a/b, power aᵇ, and raise aⁿ. They fold numbers.
// They also omit terms that are 0, and factors and exponents that are 1.
func plus(a, b Tree) Tree {
	if x, y, ok := numbers(a, b); ok {
		return Num(x + y)
	}
	switch {
	case a.isNumber(0):
		return b
	case b.isNumber(0):
		return a
	}
	return Apply(Add, a, b)
}

func minus(a, b Tree) Tree {
	if x, y, ok := numbers(a, b); ok {
		return Num(x - y)
	}
	switch {
	case a.isNumber(0):
		return Apply(Neg, b)
	case b.isNumber(0):
		return a
	}
	return Apply(Sub, a, b)
}

func times(a, b Tree) Tree {
	if x, y, ok := numbers(a, b); ok {
		return Num(x * y)
	}
	switch {
	case a.isNumber(0), b.isNumber(0):
		return Num(0)
	case a.isNumber(1):
		return b
	case b.isNumber(1):
		return a
	case a.isNumber(-1):
		return Apply(Neg, b)
	case b.isNumber(-1):
		return Apply(Neg, a)
	}
	return Apply(Mul, a, b)
}

func over(a, b Tree) Tree {
	switch {
	case a.isNumber(0):
		return a
	case b.isNumber(1):
		return a
	}
	return Apply(Div, a, b)
}

func power(a, b Tree) Tree {
	if b.isNumber(1) {
		return a
	}
	return Apply(Pow, a, b)
}

func raise(a Tree, n float64) Tree { return power(a, Num(n)) }
