package expr

// Grad sets dst[i] to the value of the tree in row i, and grad[k][i] to its derivative with respect
// to constant k. All derivatives are calculated in one pass, by a forward and a reverse sweep over
// each chunk of rows. cols and params are as in Eval. grad must have at least as many columns as
// the tree has constants. Further columns are set to zero.
//
// Where the derivative does not exist, the result is what the chain rule gives, such as NaN for |a|
// at 0.
func (p *Program) Grad(dst []float64, grad [][]float64, cols [][]float64, params []float64) {
	if p.mg == nil {
		if p.grad == nil {
			p.grad = compileGrad(p.tree)
		}
		p.mg = newMachine(p.grad, kernels64)
	}
	m := p.mg
	m.scalars(params)
	n := len(dst)
	m.outs[0] = dst
	for k := range grad {
		if k+1 < len(m.outs) {
			m.outs[k+1] = grad[k][:n]
		} else {
			clear(grad[k][:n])
		}
	}
	m.run(n, cols)
}

// compileGrad compiles the tree's value and its derivatives. Output 0 is the value. Output 1+k is
// the derivative with respect to constant k.
func compileGrad(t Tree) *tape {
	if len(t.nodes) == 0 {
		return compileTape(t)
	}
	g := &graph{values: make([]value, 0, 6*len(t.nodes))}
	root := g.addTree(t)
	s := newSweep(g, t.NumParams())
	s.back(root, signed{unity, false})
	outputs := make([]ref, 1+len(s.sums))
	outputs[0] = root
	for k, d := range s.sums {
		switch {
		case d.r == none:
			outputs[1+k] = g.number(0)
		default:
			outputs[1+k] = s.plain(d)
		}
	}
	return newTape(g, outputs)
}

// signed is a value of the graph, or the negative of such a value. The ref unity stands for the
// number 1. This number is not in the graph, since products with it need no instruction.
type signed struct {
	r     ref
	minus bool
}

const unity ref = -2

// sweep builds the reverse sweep. The adjoint of a value is the derivative of the root with respect
// to this value. Each node of a tree has one parent, so an adjoint is a product of factors along
// the path from the root. Sums occur only for constants that are used more than once.
type sweep struct {
	g      *graph
	active []bool // the value depends on a constant
	sums   []signed
}

func newSweep(g *graph, params int) *sweep {
	s := &sweep{g: g, active: make([]bool, len(g.values)), sums: make([]signed, params)}
	for k := range s.sums {
		s.sums[k].r = none
	}
	for i, v := range g.values {
		s.active[i] = v.op == Param || v.a >= 0 && s.active[v.a] || v.b >= 0 && s.active[v.b]
	}
	return s
}

// back adds the contributions of value r, whose adjoint is z, to the derivatives with respect to
// the constants in the subtree of r.
func (s *sweep) back(r ref, z signed) {
	if !s.active[r] {
		return
	}
	v := s.g.values[r]
	if v.op == Param {
		s.sums[v.index] = s.sum(s.sums[v.index], z)
		return
	}
	if !v.varies && z.r != unity && (z.r < 0 || s.g.values[z.r].varies) {
		s.backScalar(r, z)
		return
	}
	if v.b == none {
		s.back(v.a, s.chain(v, r, z))
		return
	}
	s.back2(v, r, z)
}

// backScalar differentiates the subtree r, which has no columns, in plain numbers. It multiplies
// the results by the adjoint z, which varies from row to row.
func (s *sweep) backScalar(r ref, z signed) {
	part := &sweep{g: s.g, active: s.active, sums: make([]signed, len(s.sums))}
	for k := range part.sums {
		part.sums[k].r = none
	}
	part.back(r, signed{unity, false})
	for k, d := range part.sums {
		if d.r != none {
			s.sums[k] = s.sum(s.sums[k], s.mul(z, d))
		}
	}
}

func (s *sweep) back2(v value, r ref, z signed) {
	g := s.g
	a, b := signed{v.a, false}, signed{v.b, false}
	switch v.op {
	case Add:
		s.back(v.a, z)
		s.back(v.b, z)
	case Sub:
		s.back(v.a, z)
		s.back(v.b, signed{z.r, !z.minus})
	case Mul:
		if s.active[v.a] {
			s.back(v.a, s.mul(z, b))
		}
		if s.active[v.b] {
			s.back(v.b, s.mul(z, a))
		}
	case Div: // d(a/b) = da/b - (a/b) db/b
		q := s.div(z, v.b)
		s.back(v.a, q)
		if s.active[v.b] {
			d := s.mul(q, signed{r, false})
			s.back(v.b, signed{d.r, !d.minus})
		}
	case Pow:
		if s.active[v.a] { // b a^(b-1) da
			lower := g.binary(Pow, v.a, g.binary(Sub, v.b, g.number(1)))
			s.back(v.a, s.mul(z, signed{g.binary(Mul, v.b, lower), false}))
		}
		// The contribution of the exponent is aᵇ·ln(a)·db, which would be NaN at a = 0. With the
		// least positive float64 added to a, it is 0 there. The addition changes no other
		// logarithm.
		if s.active[v.b] {
			log := g.unary(Log, g.binary(Add, v.a, g.number(5e-324)))
			s.back(v.b, s.mul(z, signed{g.binary(Mul, r, log), false}))
		}
	default:
		if s.active[v.a] {
			s.back(v.a, s.more(z, g.add(value{op: v.op, a: v.a, b: v.b, part: slopeBy})))
		}
		if s.active[v.b] {
			s.back(v.b, s.more(z, g.add(value{op: v.op, a: v.a, b: v.b, part: slopeBy2})))
		}
	}
}

// chain returns the adjoint of the operand of v. The value v has the index r in the graph and the
// adjoint z.
func (s *sweep) chain(v value, r ref, z signed) signed {
	if chain := operators[v.op].chain; chain != nil {
		return chain(s, v.a, r, z)
	}
	return s.more(z, s.g.add(value{op: v.op, a: v.a, b: none, part: slopeBy}))
}

// more returns z times f, and less returns -z times f.
func (s *sweep) more(z signed, f ref) signed { return s.mul(z, signed{f, false}) }
func (s *sweep) less(z signed, f ref) signed { return s.mul(z, signed{f, true}) }

// arc returns z/√((1-a)(1+a)), the adjoint of the operand a of asin.
func (s *sweep) arc(a ref, z signed) signed {
	one := s.g.number(1)
	return s.div(z, s.g.unary(Sqrt, s.g.binary(Mul, s.g.binary(Sub, one, a), s.g.binary(Add, one, a))))
}

func (s *sweep) mul(x, y signed) signed {
	minus := x.minus != y.minus
	switch {
	case x.r == unity:
		return signed{y.r, minus}
	case y.r == unity:
		return signed{x.r, minus}
	}
	return signed{s.g.binary(Mul, x.r, y.r), minus}
}

func (s *sweep) div(x signed, by ref) signed {
	if x.r == unity {
		return signed{s.g.unary(Inv, by), x.minus}
	}
	return signed{s.g.binary(Div, x.r, by), x.minus}
}

func (s *sweep) sum(x, y signed) signed {
	switch {
	case x.r == none:
		return y
	case x.minus == y.minus:
		return signed{s.g.binary(Add, s.number(x), s.number(y)), x.minus}
	case x.minus:
		x, y = y, x
	}
	return signed{s.g.binary(Sub, s.number(x), s.number(y)), false}
}

// number returns the value of x without its sign.
func (s *sweep) number(x signed) ref {
	if x.r == unity {
		return s.g.number(1)
	}
	return x.r
}

// plain returns x, including its sign, as a value of the graph.
func (s *sweep) plain(x signed) ref {
	if x.minus {
		return s.g.unary(Neg, s.number(x))
	}
	return s.number(x)
}
