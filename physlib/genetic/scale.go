package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
	"github.com/physlib/lab/physlib/vec"
	"gonum.org/v1/gonum/floats"
)

// scaler calculates the fitness: the weighted sum of squared residuals of y ≈ a + Σ b_j t_j,
// divided by the weighted sum of squares of y about its mean. The constants a and b_j are found in
// closed form (linear scaling of every term; Keijzer, 2003). scaler also keeps intermediate
// results, such as the values of all nodes.
type scaler struct {
	*machine
	s      *sample
	limit  int    // largest number of terms
	offset bool   // whether the law has an additive offset a
	list   []span // terms of the last evaluated tree
	// First a, or 0 without an offset. Then the b_j, which are 0 for terms that depend linearly on
	// earlier terms.
	coef    []float64
	buffers [][]float64 // memory for the weighted terms
	columns [][]float64 // columns for the factorization: the weighted terms and the target
	basis   [][]float64 // orthonormal basis of the weighted terms
	rest    []float64   // weighted residual
	factor  qr.Triangle // QR factorization of columns
	calls   int64       // number of evaluations
}

const (
	maxTerms = 10 // largest number of terms of a law
	// A term counts as linearly dependent on earlier terms if its component outside their span has
	// a norm below this, relative to the norm of the term.
	dependent = 1e-9
)

func newScaler(s *sample, limit int, offset bool) *scaler {
	n := len(s.y)
	c := &scaler{machine: newMachine(n), s: s, limit: limit, offset: offset, rest: make([]float64, n), factor: qr.Triangle{Least: dependent}}
	for range maxTerms + 1 {
		c.buffers = append(c.buffers, make([]float64, n))
	}
	return c
}

// nmse returns the fitness of nodes, or +Inf if they are undefined in a row.
func (c *scaler) nmse(nodes []expr.Node) float64 {
	c.calls++
	c.eval(nodes, c.s.cols)
	c.list = terms(nodes, c.limit)
	return c.solve()
}

// solve fits the linear constants of the last evaluated tree by least squares, and returns the
// fitness.
func (c *scaler) solve() float64 {
	c.coef = append(c.coef[:0], make([]float64, len(c.list)+1)...)
	multiply := c.set.Binary[vec.Mul]
	coef := c.coef[1:]
	c.columns = c.columns[:0]
	if c.offset {
		coef = c.coef
		copy(c.buffers[0], c.s.root)
		c.columns = append(c.columns, c.buffers[0])
	}
	for _, t := range c.list {
		dst := c.buffers[len(c.columns)]
		multiply(dst, c.s.root, c.val[t.to-1])
		if norm := floats.Dot(dst, dst); !(norm < 1e200) {
			return math.Inf(1)
		}
		c.columns = append(c.columns, dst)
	}
	multiply(c.rest, c.s.root, c.s.y)
	c.columns = append(c.columns, c.rest)
	k := len(coef)
	c.factor.Factor(c.columns)
	c.factor.Solve(coef, k, k)
	c.basis = c.basis[:0]
	for i, q := range c.columns[:k] {
		if c.factor.R[i*c.factor.N+i] != 0 {
			c.basis = append(c.basis, q)
		}
	}
	left := floats.Dot(c.rest, c.rest) / c.s.total
	if math.IsNaN(left) {
		return math.Inf(1)
	}
	return left
}
