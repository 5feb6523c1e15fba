package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/vec"
)

// machine evaluates trees in postfix order. Unlike expr.Program, it keeps the values of every node,
// because terms, derivatives with respect to inner constants, and the semantic operator use them.
// Its kernels are those of package vec.
type machine struct {
	set  *vec.Set[float64]
	rows int // number of rows, a multiple of vec.Block
	// Values of each node: one value for each row. For a constant, one block of equal values.
	val   [][]float64
	left  []int       // left operand of each binary node; the right operand is the previous node
	adj   [][]float64 // derivative of the law with respect to each node; set by differentiate
	live  []bool      // the subtree of the node contains a constant to be fitted
	store [][]float64 // memory of val
	back  [][]float64 // memory of adj
	tmp   []float64
	stack []int
}

func newMachine(rows int) *machine {
	return &machine{set: vec.Best64(), rows: rows, tmp: make([]float64, rows)}
}

// reserve makes room for n nodes.
func (m *machine) reserve(n int) {
	for len(m.store) < n {
		m.store = append(m.store, make([]float64, m.rows))
		m.back = append(m.back, make([]float64, m.rows))
		m.val, m.adj = append(m.val, nil), append(m.adj, nil)
		m.left, m.live = append(m.left, 0), append(m.live, false)
	}
}

// eval computes the values of all nodes over cols, which have m.rows values each.
func (m *machine) eval(nodes []expr.Node, cols [][]float64) {
	m.reserve(len(nodes))
	s := m.stack[:0]
	for i, n := range nodes {
		switch n.Op.Arity() {
		case 0:
			m.val[i], m.live[i] = m.leaf(i, n, cols), n.Op == expr.Param
		case 1:
			m.val[i], m.live[i] = m.store[i], m.live[i-1]
			n.Op.Unary(m.set, m.val[i], m.val[i-1])
			s = s[:len(s)-1]
		case 2:
			l := s[len(s)-2]
			s = s[:len(s)-2]
			m.left[i], m.live[i], m.val[i] = l, m.live[l] || m.live[i-1], m.store[i]
			n.Op.Binary(m.set, m.val[i], m.val[l], m.val[i-1])
		}
		s = append(s, i)
	}
	m.stack = s[:0]
}

func (m *machine) leaf(i int, n expr.Node, cols [][]float64) []float64 {
	if n.Op == expr.Var {
		return cols[n.Index]
	}
	v := leafValue(n)
	block := m.store[i][:vec.Block]
	for k := range block {
		block[k] = v
	}
	return block
}

// at returns the value of node i in row k. It also works for a constant.
func (m *machine) at(i, k int) float64 { return m.val[i][k%len(m.val[i])] }

// wide returns the values of node i, one for each row, even if it is a constant.
func (m *machine) wide(i int) []float64 {
	if v := m.val[i]; len(v) == m.rows {
		return v
	}
	v := m.store[i]
	for k := range v {
		v[k] = v[0]
	}
	return v
}

// differentiate sets adj for the nodes of one term, nodes[from:to], backwards from its root. The
// derivative at the root is coef in every row. If all is false, it visits only branches with
// constants to be fitted.
func (m *machine) differentiate(nodes []expr.Node, from, to int, coef float64, all bool) {
	for i := from; i < to; i++ {
		m.adj[i] = nil
	}
	root := m.back[to-1]
	for k := range root {
		root[k] = coef
	}
	m.adj[to-1] = root
	for i := to - 1; i >= from; i-- {
		if m.adj[i] == nil {
			continue
		}
		switch nodes[i].Op.Arity() {
		case 1:
			if all || m.live[i-1] {
				m.adj[i-1] = m.back[i-1]
				m.unaryRule(nodes[i].Op, i)
			}
		case 2:
			l, r := m.left[i], i-1
			if all || m.live[l] {
				m.adj[l] = m.back[l]
				m.leftRule(nodes[i].Op, i, l, r)
			}
			if all || m.live[r] {
				m.adj[r] = m.back[r]
				m.rightRule(nodes[i].Op, i, l, r)
			}
		}
	}
}

// unaryRule sets adj of the operand of node i by the chain rule.
func (m *machine) unaryRule(op expr.Op, i int) {
	up, down, x, f := m.adj[i], m.adj[i-1], m.wide(i-1), m.val[i]
	switch op {
	case expr.Sin:
		m.set.Unary[vec.Cos](m.tmp, x)
	case expr.Cos:
		m.set.Unary[vec.Sin](m.tmp, x)
	case expr.Sinh:
		m.set.Unary[vec.Cosh](m.tmp, x)
	case expr.Cosh:
		m.set.Unary[vec.Sinh](m.tmp, x)
	}
	switch op {
	case expr.Sin, expr.Sinh, expr.Cosh:
		m.set.Binary[vec.Mul](down, up, m.tmp)
	case expr.Cos:
		m.set.Binary[vec.Mul](down, up, m.tmp)
		m.set.Unary[vec.Neg](down, down)
	default:
		slope := slopeOf(op)
		for k := range down {
			down[k] = up[k] * slope(x[k], f[k])
		}
	}
}

// slopes are the derivatives of functions, given the value x of the operand and f of the function.
var slopes = map[expr.Op]func(x, f float64) float64{
	expr.Neg:    func(_, _ float64) float64 { return -1 },
	expr.Inv:    func(_, f float64) float64 { return -f * f },
	expr.Abs:    func(x, _ float64) float64 { return math.Copysign(1, x) },
	expr.Sqrt:   func(_, f float64) float64 { return 0.5 / f },
	expr.Square: func(x, _ float64) float64 { return 2 * x },
	expr.Cube:   func(x, _ float64) float64 { return 3 * x * x },
	expr.Exp:    func(_, f float64) float64 { return f },
	expr.Log:    func(x, _ float64) float64 { return 1 / x },
	expr.Sin:    func(x, _ float64) float64 { return math.Cos(x) },
	expr.Cos:    func(x, _ float64) float64 { return -math.Sin(x) },
	expr.Tan:    func(_, f float64) float64 { return 1 + f*f },
	expr.Asin:   func(x, _ float64) float64 { return 1 / math.Sqrt(1-x*x) },
	expr.Acos:   func(x, _ float64) float64 { return -1 / math.Sqrt(1-x*x) },
	expr.Atan:   func(x, _ float64) float64 { return 1 / (1 + x*x) },
	expr.Sinh:   func(x, _ float64) float64 { return math.Cosh(x) },
	expr.Cosh:   func(x, _ float64) float64 { return math.Sinh(x) },
	expr.Tanh:   func(_, f float64) float64 { return 1 - f*f },
}

// slopeOf returns the derivative of a function, given the value x of the operand and f of the
// function.
func slopeOf(op expr.Op) func(x, f float64) float64 {
	if s := slopes[op]; s != nil {
		return s
	}
	slope := op.Operator().Slope1
	return func(x, _ float64) float64 { return slope(x) }
}

func (m *machine) leftRule(op expr.Op, i, l, r int) {
	up, down := m.adj[i], m.adj[l]
	switch op {
	case expr.Add, expr.Sub:
		copy(down, up)
	case expr.Mul:
		m.set.Binary[vec.Mul](down, up, m.val[r])
	case expr.Div:
		m.set.Binary[vec.Div](down, up, m.val[r])
	case expr.Pow: // ∂(a^b)/∂a = b a^(b-1)
		f := m.val[i]
		for k := range down {
			b, a := m.at(r, k), m.at(l, k)
			d := b * f[k] / a
			if a == 0 {
				d = b * math.Pow(a, b-1)
			}
			down[k] = up[k] * d
		}
	default:
		slope := op.Operator().Slope2
		for k := range down {
			d, _ := slope(m.at(l, k), m.at(r, k))
			down[k] = up[k] * d
		}
	}
}

func (m *machine) rightRule(op expr.Op, i, l, r int) {
	up, down := m.adj[i], m.adj[r]
	switch op {
	case expr.Add:
		copy(down, up)
	case expr.Sub:
		m.set.Unary[vec.Neg](down, up)
	case expr.Mul:
		m.set.Binary[vec.Mul](down, up, m.val[l])
	case expr.Div: // ∂f/∂b = -f/b for f = a/b
		m.set.Binary[vec.Mul](down, up, m.val[i])
		m.set.Binary[vec.Div](down, down, m.val[r])
		m.set.Unary[vec.Neg](down, down)
	case expr.Pow: // ∂f/∂b = f log a for f = a^b
		f := m.val[i]
		for k := range down {
			down[k] = 0
			if a := m.at(l, k); a > 0 {
				down[k] = up[k] * f[k] * math.Log(a)
			}
		}
	default:
		slope := op.Operator().Slope2
		for k := range down {
			_, d := slope(m.at(l, k), m.at(r, k))
			down[k] = up[k] * d
		}
	}
}
