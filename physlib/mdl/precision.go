package mdl

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// precision returns the number of bits that the values of a law's constants take,
//
//	½ log₂ det(1 + F),   F = Jᵀ·J,   J = ∂f/∂ln θ / σ,
//
// where F is the Fisher information of the logarithms of the constants. For one constant that is
// log₂ |θ|/stderr. Constants that compensate for one another pay for the combinations that the data
// determine. Constants that the data do not determine at all pay nothing, so that a law in a limit
// costs no less than the law that it tends to.
//
// scale is σ of each row. At most 40 bits count for each constant.
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
	return min(LogDet(f, k, 1), 40*float64(k)) // 1: the matrix is no less than the unit one
}

// LogDet returns ½ log₂ det a of a symmetric, positive n × n matrix, by Cholesky's decomposition in
// place. Pivots below least are rounding and count as least.
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

// prices returns the prices of a law's constants in addition to the bits that their values take.
//
// The logarithm of a factor or a rate is uniform over a decade and a half: constantBits. A summand,
// such as an offset, has the size s of what it is added to, by Cauchy's distribution. A summand of
// size s costs 1.3 bits, and a smaller one more, since a range of sizes about zero would have done
// as well,
//
//	log₂ √(π/2) + log₂(s/|c| + |c|/s).
//
// A factor of a term that a number is added to has the same price, since 1 + c·x is another form of
// c' + x.
func (s *Scorer) prices(t expr.Tree, params []float64) float64 {
	nodes := t.Nodes()
	priced := make([]bool, len(params))
	bits := 0.0
	for i, n := range nodes {
		if n.Op != expr.Add && n.Op != expr.Sub {
			continue
		}
		b := i - 1
		a := expr.SubtreeStart(nodes, b) - 1
		for _, side := range [2][2]int{{a, b}, {b, a}} {
			slot, summand := s.summand(nodes, params, side[0], side[1])
			if slot < 0 || priced[slot] {
				continue
			}
			size := s.size(t.Subtree(side[1]), params)
			if p := ratioBits(math.Abs(summand) / size); !math.IsNaN(p) {
				priced[slot] = true
				bits += p
			}
		}
	}
	for _, done := range priced {
		if !done {
			bits += constantBits
		}
	}
	return bits + s.limits(t, params)
}

// summand returns the constant of a sum whose operands end at nodes c and rest: the first operand
// itself, or a factor of the other one if the first is a number. slot is -1 if there is none.
func (s *Scorer) summand(nodes []expr.Node, params []float64, c, rest int) (slot int32, value float64) {
	if nodes[rest].Op == expr.Param {
		return -1, 0
	}
	switch n := nodes[c]; n.Op {
	case expr.Param:
		return n.Index, params[n.Index]
	case expr.Number:
		return factor(nodes, rest), n.Value
	}
	return -1, 0
}

// limits returns the price of fitted exponents that are small, and of exponentials and oscillations
// with constants inside whose operand is small in all rows. They are the limits of logarithms and
// polynomials, as exp(k·x) is of 1 + k·x, in which a small k·x has the price of a large offset.
func (s *Scorer) limits(t expr.Tree, params []float64) (bits float64) {
	nodes := t.Nodes()
	for i, n := range nodes {
		size := 1.0
		switch n.Op {
		case expr.Pow:
			if e := nodes[i-1]; e.Op == expr.Param {
				size = math.Abs(params[e.Index])
			}
		case expr.Exp, expr.Sin, expr.Cos, expr.Tan, expr.Sinh, expr.Cosh, expr.Tanh:
			if operand := t.Subtree(i - 1); operand.NumParams() > 0 {
				size = s.size(operand, params)
			}
		}
		if size < 1 {
			bits += max(0, ratioBits(size)-constantBits)
		}
	}
	return bits
}

// ratioBits returns the price of a quantity of size r that is expected to have the size 1 by
// Cauchy's distribution.
func ratioBits(r float64) float64 { return min(shiftBits+math.Log2(r+1/r), mostShift) }

// factor returns the slot of a constant factor of the term that ends at node i, or -1 if it has
// none.
func factor(nodes []expr.Node, i int) int32 {
	switch n := nodes[i]; n.Op {
	case expr.Param:
		return n.Index
	case expr.Mul, expr.Div:
		if slot := factor(nodes, i-1); slot >= 0 {
			return slot
		}
		return factor(nodes, expr.SubtreeStart(nodes, i-1)-1)
	}
	return -1
}

// shiftBits is log₂ √(π/2).
const shiftBits = 0.33

// mostShift bounds ratioBits.
const mostShift = 12

// size returns the root mean square of t over the rows.
func (s *Scorer) size(t expr.Tree, params []float64) float64 {
	expr.Compile(t).Eval(s.scratch, s.Cols, params)
	return floats.Norm(s.scratch, 2) / math.Sqrt(float64(s.Rows()))
}
