package diffusion

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
)

// Dimensions describes, for each token of a vocabulary, its effect on physical dimensions. It is
// used by the loss of PhysDiffuse §5.
type Dimensions struct {
	// Tokens has the node that each token stands for in a Tree, or nil for tokens that occur in no
	// expression.
	Tokens  []*expr.Node
	Postfix bool // whether operands precede their operator

	// Height is the largest height of the trees that are checked, counted in operators above the
	// leaves. Higher trees count as consistent. The loss makes Height passes of small matrix
	// products. 0 means 12.
	Height int
}

// NewDimensions returns the effects of a vocabulary's tokens. Digits and other parts of numbers
// have no node, so laws that contain them are not checked.
func NewDimensions(v *token.Vocabulary) *Dimensions {
	d := &Dimensions{Tokens: make([]*expr.Node, v.Size()), Postfix: v.Postfix()}
	for id := range d.Tokens {
		ids := []int32{int32(id)}
		for range v.Arity(int32(id)) {
			if d.Postfix {
				ids = append([]int32{v.Var(0)}, ids...)
			} else {
				ids = append(ids, v.Var(0))
			}
		}
		if t, err := v.Decode(ids); err == nil && t.Len() == len(ids) {
			d.Tokens[id] = &t.Nodes()[t.Len()-1]
		}
	}
	return d
}

func (d *Dimensions) height() int {
	if d.Height == 0 {
		return 12
	}
	return d.Height
}

// Layout computes the tree of a sequence. It sets children [seq, 2] to the positions of each
// token's operands, or -1 if there is none. It sets power [seq] to the value of each token's right
// operand, which is the exponent of pow. power is 0 if that operand is not a constant.
//
// If the sequence is not an expression, or its tree is too high, ok is false and no token has
// children. All elements of children and power are set.
func (d *Dimensions) Layout(ids []int32, children []int32, power []float32) (ok bool) {
	for i := range children {
		children[i] = -1
	}
	clear(power)
	type subtree struct {
		root   int32
		height int
		value  float64 // value of the subtree; NaN if it is not a constant
	}
	stack := make([]subtree, 0, len(ids))
	n := 0 // number of tokens before the padding
	for n < len(ids) && d.node(ids[n]) != nil {
		n++
	}
	for k := range n {
		i := k
		if !d.Postfix {
			i = n - 1 - k
		}
		node := d.node(ids[i])
		arity := node.Op.Arity()
		if len(stack) < arity {
			return d.unchecked(children, power)
		}
		args := stack[len(stack)-arity:]
		if !d.Postfix && arity == 2 {
			args[0], args[1] = args[1], args[0]
		}
		here := subtree{root: int32(i), value: number(node, 0, 0)}
		for c, a := range args {
			children[2*i+c] = a.root
			here.height = max(here.height, a.height+1)
		}
		switch arity {
		case 1:
			here.value = number(node, args[0].value, 0)
		case 2:
			here.value = number(node, args[0].value, args[1].value)
			if v := args[1].value; !math.IsNaN(v) {
				power[i] = float32(v)
			}
		}
		if here.height > d.height() {
			return d.unchecked(children, power)
		}
		stack = append(stack[:len(stack)-arity], here)
	}
	if len(stack) != 1 {
		return d.unchecked(children, power)
	}
	return true
}

func (d *Dimensions) node(id int32) *expr.Node {
	if id < 0 || int(id) >= len(d.Tokens) {
		return nil
	}
	return d.Tokens[id]
}

func (d *Dimensions) unchecked(children []int32, power []float32) bool {
	for i := range children {
		children[i] = -1
	}
	clear(power)
	return false
}

// number returns the value of a node whose operands have values x and y. It supports the operations
// of constant exponents such as 3/2. For other nodes it is NaN.
func number(n *expr.Node, x, y float64) float64 {
	switch n.Op {
	case expr.Number:
		return n.Value
	case expr.Pi:
		return math.Pi
	case expr.Euler:
		return math.E
	case expr.Neg:
		return -x
	case expr.Inv:
		return 1 / x
	case expr.Add:
		return x + y
	case expr.Sub:
		return x - y
	case expr.Mul:
		return x * y
	case expr.Div:
		return x / y
	}
	return math.NaN()
}

// effect is the index of a column of the matrix of effects [vocab, effects], which describes each
// token.
type effect int

const (
	leaf       effect = iota // 1 for tokens without operands
	unary                    // 1 for tokens with one operand
	binary                   // 1 for tokens with two operands
	numeric                  // a leaf without dimension
	raise                    // exponent to which a unary token raises the dimension of its operand
	raise2                   // the square of that exponent
	raises                   // 1 for unary tokens that raise the dimension of their operand
	function                 // a unary token whose operand and result have no dimension
	sum                      // add and sub
	product                  // mul
	quotient                 // div
	powered                  // pow
	numEffects               // number of the effects above; one effect for each data column follows
)

// powers has the exponents of the unary operators that raise the dimension of their operand.
var powers = map[expr.Op]float64{
	expr.Neg: 1, expr.Abs: 1, expr.Inv: -1, expr.Sqrt: 0.5, expr.Square: 2, expr.Cube: 3,
}

// effects returns the matrix [vocab, numEffects + columns] of the tokens' effects.
func (d *Dimensions) effects(columns int) [][]float32 {
	m := make([][]float32, len(d.Tokens))
	for id, n := range d.Tokens {
		m[id] = make([]float32, int(numEffects)+columns)
		if n == nil {
			continue
		}
		m[id][int(leaf)+n.Op.Arity()] = 1
		switch n.Op {
		case expr.Number, expr.Pi, expr.Euler:
			m[id][numeric] = 1
		case expr.Var:
			if int(n.Index) < columns {
				m[id][int(numEffects)+int(n.Index)] = 1
			}
		case expr.Param: // a free constant may have any dimension
		case expr.Add, expr.Sub:
			m[id][sum] = 1
		case expr.Mul:
			m[id][product] = 1
		case expr.Div:
			m[id][quotient] = 1
		case expr.Pow:
			m[id][powered] = 1
		default:
			e, ok := powers[n.Op]
			if !ok {
				m[id][function] = 1
				break
			}
			m[id][raise], m[id][raise2], m[id][raises] = float32(e), float32(e*e), 1
		}
	}
	return m
}

// Loss returns the expected violation of the dimensions, averaged over the batch (PhysDiffuse §5,
// where its weight is λ = 0.1):
//
//	L = E[ Σ_{add, sub} ‖u_left - u_right‖² + Σ_{functions} ‖u_child‖² ]
//
// where u are vectors of exponents of the base units. The expectation is over tokens drawn
// independently at masked positions, p_i ∝ exp(logits_i). Only tokens of the true arity can be
// drawn, so the tree is always that of the true law, which is known in training. Visible positions
// have their true token.
//
// Loss is exact. It passes three moments from the leaves to the root. For a subtree, b is 1 if its
// dimension is fixed, and u is then this dimension. b is 0 if a free constant in the subtree lets
// it take any dimension:
//
//	s = E[b],  m = E[b·u],  N = E[b·‖u‖²]
//
// Free constants and columns without a known unit have b = 0. Numbers have b = 1 and u = 0. A
// product has b = 1 if both factors have b = 1. A sum has b = 1 if at least one term has, and then
// the u of that term. Functions have no dimension. Tokens such as sqrt and inv, and pow with a
// constant true exponent, multiply u by the exponent. Any other pow needs operands without
// dimension. All moments are polynomials in the probabilities, so gradients exist everywhere. The
// true law, if consistent, has L = 0.
//
// The arguments are logits [batch, seq, vocab] and the true tokens ids [batch, seq], int32. masked
// [batch, seq] is positive at masked positions (the weights of Corruption). children [batch, seq,
// 2], int32, and power [batch, seq] come from Layout. units [batch, columns, base units] has the
// exponents of the columns, and known [batch, columns] is 1 if they are known, else 0.
func (d *Dimensions) Loss(logits, ids, masked, children, power, units, known *Node) *Node {
	g := logits.Graph()
	batch, seq, vocab := logits.Shape().Dim(0), logits.Shape().Dim(1), logits.Shape().Dim(2)
	columns, base := units.Shape().Dim(1), units.Shape().Dim(2)
	assertAlike(batch, seq, ids, masked, power)
	assertAlike(batch, columns, known)
	children.AssertDims(batch, seq, 2)
	units.AssertDims(batch, columns, base)
	dt := dtypes.Float32
	if logits.DType() == dtypes.Float64 {
		dt = dtypes.Float64
	}
	in := func(x *Node) *Node { return ConvertDType(x, dt) }
	effects := in(Const(g, d.effects(columns)))
	effects.AssertDims(vocab, -1)
	does := expectedEffects(in(logits), ids, masked, effects)
	// [batch, seq, 1]
	of := func(e effect) *Node { return Slice(does, AxisRange(), AxisRange(), AxisRange(int(e), int(e)+1)) }

	// Constant parts of the moments s, N, m: those of leaves, and of functions and other operators
	// that need operands without dimension. [batch, seq, 2 + base].
	named := Mul(Slice(does, AxisRange(), AxisRange(), AxisRangeToEnd(int(numEffects))), InsertAxes(in(known), 1)) // [batch, seq, columns]
	// [batch, seq, 1]
	pw := InsertAxes(in(power), -1)
	// Whether the exponent is constant.
	fixed := in(NotEqual(pw, ScalarZero(g, dt)))
	tight, loose := Mul(of(powered), fixed), Mul(of(powered), OneMinus(fixed))
	u := in(units)
	along := func(x *Node) *Node { return DotGeneral(named, []int{2}, []int{0}, x, []int{1}, []int{0}) }
	leaves := Concatenate([]*Node{
		Add(Add(of(numeric), ReduceAndKeep(named, ReduceSum, -1)), Add(of(function), loose)),
		along(ReduceAndKeep(Square(u), ReduceSum, -1)),
		along(u),
	}, -1)

	// The moments X of a node are polynomials in those of its operands, L and R:
	//
	//	X = leaf + a·L + sum·R + b·s_r·L + c·s_l·R + d·(m_l·m_r)
	//
	// with coefficients that differ between s, N and m.
	channels := func(s, n, m *Node) *Node { return Concatenate([]*Node{s, n, BroadcastToDims(m, batch, seq, base)}, -1) }
	zero := ZerosLike(pw)
	half := MulScalar(of(sum), 0.5)
	both, sign := Add(of(product), of(quotient)), Sub(of(product), of(quotient))
	a := channels(
		Add(of(raises), Add(of(sum), tight)),
		Add(of(raise2), Add(of(sum), Mul(tight, Square(pw)))),
		Add(of(raise), Add(of(sum), Mul(tight, pw))))
	b := Sub(both, half)
	c := channels(Neg(half), b, Sub(sign, half))
	d2 := channels(zero, MulScalar(sign, 2), zero)
	operands := momentsOfOperands(children, dt)
	x := leaves
	for range d.height() - 1 {
		l, r, sl, sr, mlmr := operands(x)
		x = Add(leaves, Add(Add(Mul(l, Add(a, Mul(b, sr))), Mul(r, Add(of(sum), Mul(c, sl)))), Mul(d2, mlmr)))
	}
	l, r, sl, sr, mlmr := operands(x)
	nl, nr := part(l, 2, 1, 2), part(r, 2, 1, 2)
	apart := Sub(Add(Mul(sr, nl), Mul(sl, nr)), MulScalar(mlmr, 2)) // E[b_l·b_r·‖u_l - u_r‖²]
	violation := Add(Mul(of(sum), apart), Add(Mul(of(function), nl), Mul(loose, Add(nl, nr))))
	return DivScalar(ReduceAllSum(violation), float64(batch))
}

// assertAlike panics unless all of xs are [batch, n].
func assertAlike(batch, n int, xs ...*Node) {
	for _, x := range xs {
		x.AssertDims(batch, n)
	}
}

// expectedEffects returns the expected effects at each position, [batch, seq, effect]. At a visible
// position they are those of the true token. At a masked one they are the mean over tokens of the
// same arity, weighted by the softmax of the logits.
func expectedEffects(logits, ids, masked, effects *Node) *Node {
	g, dt := logits.Graph(), logits.DType()
	batch, seq, vocab := logits.Shape().Dim(0), logits.Shape().Dim(1), logits.Shape().Dim(2)
	truth := OneHot(ids, vocab, dt)
	arity := Dot(Reshape(truth, -1, vocab), Slice(effects, AxisRange(), AxisRange(0, 3))).Product()
	same := Dot(arity, Transpose(Slice(effects, AxisRange(), AxisRange(0, 3)), 0, 1)).Product()
	same = Reshape(same, batch, seq, vocab)
	guess := Softmax(Where(GreaterThan(same, ScalarZero(g, dt)), logits, Scalar(g, dt, -1e9)), -1)
	isMasked := BroadcastToShape(InsertAxes(GreaterThan(masked, ScalarZero(g, masked.DType())), -1), truth.Shape())
	tokens := Where(isMasked, guess, truth)
	return Reshape(Dot(Reshape(tokens, -1, vocab), effects).Product(), batch, seq, -1)
}

// momentsOfOperands returns a function that maps the moments of all nodes, [batch, seq, 2 + base],
// to those of their operands, l and r. sl and sr are the s of l and r, and mlmr is the scalar
// product m_l·m_r; these are [batch, seq, 1].
func momentsOfOperands(children *Node, dt dtypes.DType) func(x *Node) (l, r, sl, sr, mlmr *Node) {
	batch, seq := children.Shape().Dim(0), children.Shape().Dim(1)
	// [batch, 2·seq, seq]
	is := OneHot(Reshape(Concatenate([]*Node{part(children, 2, 0, 1), part(children, 2, 1, 2)}, 1), batch, 2*seq), seq, dt)
	return func(x *Node) (l, r, sl, sr, mlmr *Node) {
		x = DotGeneral(is, []int{2}, []int{0}, x, []int{1}, []int{0})
		l, r = part(x, 1, 0, seq), part(x, 1, seq, 2*seq)
		end := x.Shape().Dim(2)
		return l, r, part(l, 2, 0, 1), part(r, 2, 0, 1), ReduceAndKeep(Mul(part(l, 2, 2, end), part(r, 2, 2, end)), ReduceSum, -1)
	}
}

// part returns the range [from, to) of one axis of x, which has three axes.
func part(x *Node, axis, from, to int) *Node {
	r := []SliceAxisSpec{AxisRange(), AxisRange(), AxisRange()}
	r[axis] = AxisRange(from, to)
	return Slice(x, r...)
}
