package mdl

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// precision returns the number of bits needed for the values of a law's constants,
//
//	½ log₂ det(1 + F),   F = Jᵀ·J,   J = ∂f/∂ln θ / σ,
//
// where F is the Fisher information of the logarithms of the constants θ. For one constant this is
// log₂(|θ|/stderr). If constants compensate for one another, only the combinations that the data
// determine cost bits. Constants that the data do not determine at all cost nothing. For any other
// constant, the root mean square of J counts as at least 1. So a law near a limit, such as exp(k·x)
// with a tiny k, costs no less than the simpler law that it approaches.
//
// scale is σ of each row. The result is at most 40 bits times the number of constants.
func (s *Scorer) precision(t expr.Tree, params, scale []float64) float64 {
	k, n := len(params), s.Rows()
	if k == 0 {
		return 0
	}
	for len(s.grad) < k {
		s.grad = append(s.grad, make([]float64, n))
	}
	grad := s.grad[:k]
	expr.Compile(t).Grad(s.scratch, grad, s.Cols, params)
	f := make([]float64, k*k)
	for a := range k {
		for i := range n {
			v := grad[a][i] * params[a] / scale[i]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				v = 0
			}
			grad[a][i] = v
		}
		if own := floats.Dot(grad[a], grad[a]); own > 0 && own < float64(n) {
			floats.Scale(math.Sqrt(float64(n)/own), grad[a])
		}
		for b := range a + 1 {
			sum := 0.0
			for i, v := range grad[a] {
				sum += v * grad[b][i]
			}
			f[a*k+b], f[b*k+a] = sum, sum
		}
		f[a*k+a]++
	}
	// Pivots are at least 1, since the matrix is the identity plus a positive semidefinite matrix.
	return min(LogDet(f, k, 1), 40*float64(k))
}

// LogDet returns ½ log₂ det a of a symmetric, positive definite n × n matrix, by a Cholesky
// decomposition in place. Pivots below least are rounding errors and are replaced by least.
func LogDet(a []float64, n int, least float64) float64 {
	bits := 0.0
	for j := range n {
		for k := range j {
			a[j*n+j] -= a[j*n+k] * a[j*n+k]
		}
		d := math.Sqrt(max(a[j*n+j], least))
		bits += math.Log2(d)
		for i := j + 1; i < n; i++ {
			for k := range j {
				a[i*n+j] -= a[i*n+k] * a[j*n+k]
			}
			a[i*n+j] /= d
		}
	}
	return bits
}

// prices returns the prices of a law's constants, in addition to the bits of their values.
//
//   - A factor or a rate has the price factorBits.
//   - A summand, such as an offset, is expected to have the size of the rest of its sum (see
//     shift). A factor of a term to which a number is added has the same price, since 1 + c·x is
//     another form of c' + x. The scale of a power also has this price, as in 1 + (x/c)².
//   - The prior of a phase is uniform over a turn.
//   - An exponent is expected to have the size of those in known laws (see exponent).
func (s *Scorer) prices(t expr.Tree, params []float64) float64 {
	nodes := t.Nodes()
	b := bill{priced: make([]bool, len(params))}
	inner := make([]bool, len(nodes)) // sums that are operands of a sum
	for i := len(nodes) - 1; i >= 0; i-- {
		switch nodes[i].Op {
		case expr.Pow:
			if e := nodes[i-1]; e.Op == expr.Param && b.open(e.Index) {
				b.pay(e.Index, exponentBits(params[e.Index]))
			}
		case expr.Add, expr.Sub:
			if !inner[i] {
				s.paySum(t, i, params, inner, &b)
			}
		}
	}
	for _, done := range b.priced {
		if !done {
			b.bits += factorBits
		}
	}
	return b.bits + s.smallOperandBits(t, params)
}

// bill is the total price of constants. It records which constants already have a price.
type bill struct {
	priced []bool  // whether the constant of a slot is priced
	bits   float64 // sum of the prices
}

// open reports whether the constant in a slot has no price yet. A negative slot means no constant.
func (b *bill) open(slot int32) bool { return slot >= 0 && !b.priced[slot] }

// pay adds the price of the constant in a slot, but at most mostPrice. If the price is NaN, the
// constant stays without a price.
func (b *bill) pay(slot int32, price float64) {
	if !math.IsNaN(price) {
		b.priced[slot] = true
		b.bits += min(price, mostPrice)
	}
}

// paySum adds the prices of two kinds of constants in the sum that ends at node i of t. These are
// constants that are terms, and constants that are factors of terms to which a number is added. It
// marks the sums that are part of this one as inner.
func (s *Scorer) paySum(t expr.Tree, i int, params []float64, inner []bool, b *bill) {
	nodes := t.Nodes()
	terms := summands(nodes, i, inner)
	for _, c := range terms {
		switch n := nodes[c.end]; {
		case n.Op == expr.Param && !b.open(n.Index):
		case n.Op == expr.Param && periodic(nodes, i):
			b.pay(n.Index, math.Log2(2*math.Pi/math.Abs(params[n.Index]))-gaussianBits)
		case n.Op == expr.Param:
			v := params[n.Index]
			b.pay(n.Index, s.summandBits(v, t.Subtree(i), params, c.sign*v))
		case n.Op == expr.Number:
			for _, o := range terms {
				slot, power := scaleOf(nodes, o.end, params)
				if nodes[o.end].Op != expr.Param && b.open(slot) {
					b.pay(slot, s.summandBits(n.Value, t.Subtree(o.end), params, 0)-math.Log2(power))
				}
			}
		}
	}
}

// summand is a term of a sum: the index of its last node, and sign 1 if it is added or −1 if it is
// subtracted.
type summand struct {
	end  int
	sign float64
}

// summands returns the terms of the sum that ends at node i. There may be more than two terms. It
// marks the sums that are part of this one as inner.
func summands(nodes []expr.Node, i int, inner []bool) (terms []summand) {
	var collect func(i int, sign float64)
	collect = func(i int, sign float64) {
		op := nodes[i].Op
		if op != expr.Add && op != expr.Sub {
			terms = append(terms, summand{i, sign})
			return
		}
		inner[i] = true
		collect(expr.SubtreeStart(nodes, i-1)-1, sign)
		if op == expr.Sub {
			sign = -sign
		}
		collect(i-1, sign)
	}
	collect(i, 1)
	return terms
}

// smallOperandBits returns the price of exponentials and oscillations with constants inside whose
// operand is small in all rows. Such a law imitates a polynomial: exp(k·x), for example, imitates 1
// + k·x. So a small k·x has the same price as a large offset.
func (s *Scorer) smallOperandBits(t expr.Tree, params []float64) (bits float64) {
	nodes := t.Nodes()
	for i, n := range nodes {
		switch n.Op {
		case expr.Exp, expr.Sin, expr.Cos, expr.Tan, expr.Sinh, expr.Cosh, expr.Tanh:
			operand := t.Subtree(i - 1)
			if operand.NumParams() == 0 {
				continue
			}
			if size := s.size(operand, params); size < 1 {
				bits += max(0, ratioBits(size)-factorBits)
			}
		}
	}
	return bits
}

// periodic reports whether node i is the operand of a sine, a cosine or a tangent.
func periodic(nodes []expr.Node, i int) bool {
	if i+1 >= len(nodes) {
		return false
	}
	op := nodes[i+1].Op
	return op == expr.Sin || op == expr.Cos || op == expr.Tan
}

// scaleOf returns the slot of the constant that scales the term ending at node i, and the power of
// that constant in the term. slot is -1 if there is none.
func scaleOf(nodes []expr.Node, i int, params []float64) (slot int32, power float64) {
	n := nodes[i]
	power = 1
	switch n.Op {
	case expr.Param:
		return n.Index, 1
	case expr.Mul, expr.Div:
		if slot, power = scaleOf(nodes, i-1, params); slot >= 0 {
			return slot, power
		}
		return scaleOf(nodes, expr.SubtreeStart(nodes, i-1)-1, params)
	case expr.Inv, expr.Neg:
	case expr.Square:
		power = 2
	case expr.Cube:
		power = 3
	case expr.Sqrt:
		power = 0.5
	case expr.Pow:
		switch e := nodes[i-1]; e.Op {
		case expr.Number:
			power = math.Abs(e.Value)
		case expr.Param:
			power = math.Abs(params[e.Index])
		default:
			return -1, 1
		}
		i--
	default:
		return -1, 1
	}
	slot, inner := scaleOf(nodes, i-1, params)
	return slot, power * inner
}

// factorBits is the price of a factor or a rate, in addition to the bits of its value. Its prior is
// uniform in the logarithm, over a decade and a half on either side of the scale of the table. The
// price is log₂(2 ln 10^1.5) − ½ log₂ 2π: the width of the prior, less gaussianBits. The prior is
// narrow, since people choose measurements in which the constants have an effect.
const factorBits = 1.5

// gaussianBits is ½ log₂ 2π, the logarithm of the volume of a Gaussian in units of its standard
// deviation.
const gaussianBits = 1.33

// mostPrice is the largest price of one constant, in bits.
const mostPrice = 12

// exponentSize is the typical size of an exponent. Of all values, this one gives the lowest total
// price to the exponents in the laws of the catalogue. These exponents are fitted constants or
// fixed numbers.
const exponentSize = 1.4

// exponentBits returns the price of a fitted exponent c by Cauchy's distribution. With the scale e
// = exponentSize it is
//
//	log₂ √(π/2) + log₂(e/|c| + |c|/e).
//
// A small exponent costs more, since its power is nearly a logarithm. An exponent above steep costs
// another 2·log₂(|c|/steep), since it imitates an exponential.
func exponentBits(c float64) float64 {
	c = math.Abs(c)
	return ratioBits(c/exponentSize) + 2*math.Log2(max(c/steep, 1))
}

// steep is the absolute value above which an exponent costs more, since such a power imitates an
// exponential.
const steep = 8

// ratioBits returns the price of a quantity of size r by Cauchy's distribution, if its expected
// size is 1.
func ratioBits(r float64) float64 { return min(shiftBits+math.Log2(r+1/r), mostPrice) }

// shiftBits is log₂ √(π/2).
const shiftBits = 0.33

// summandBits returns the price of a summand c. t is the sum, and part is the contribution of c to
// it. So r = t - part is the rest of the sum, to which c is added. The size of c is expected to be
// near that of r in some row. By Cauchy's distribution about that size, the price is
//
//	log₂ √(π/2) - log₂ mean 1/(|r|/|c| + |c|/|r|).
//
// A summand that is about as large as r in most rows costs 1.3 bits. A summand that is much smaller
// or larger than r in all rows costs more, since many other sizes would have fitted as well.
func (s *Scorer) summandBits(c float64, t expr.Tree, params []float64, part float64) float64 {
	expr.Compile(t).Eval(s.scratch, s.Cols, params)
	likely := 0.0
	for _, v := range s.scratch {
		if r := math.Abs(c / (v - part)); r > 0 && !math.IsInf(r, 0) {
			likely += 1 / (r + 1/r)
		}
	}
	return shiftBits - math.Log2(likely/float64(len(s.scratch)))
}

// size returns the root mean square of t over the rows.
func (s *Scorer) size(t expr.Tree, params []float64) float64 {
	expr.Compile(t).Eval(s.scratch, s.Cols, params)
	return floats.Norm(s.scratch, 2) / math.Sqrt(float64(s.Rows()))
}
