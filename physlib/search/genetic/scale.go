package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/vec"
	"gonum.org/v1/gonum/floats"
)

// scaler computes the fitness: the weighted sum of squared residuals of y ≈ a + Σ b_j t_j, over the
// variance. a and b_j are in closed form (linear scaling of every term; Keijzer, 2003). It holds
// the values that come with the fitness.
type scaler struct {
	*machine
	s      *sample
	limit  int         // most terms
	offset bool        // whether there is an a
	list   []span      // terms of the last tree
	coef   []float64   // a (0 without offset), then b_j; 0 for a term that depends on the ones before
	basis  [][]float64 // the first rank are orthonormal and span the weighted terms
	rank   int
	calls  int64     // evaluations
	rest   []float64 // weighted residual
	upper  [maxTerms + 1][maxTerms + 1]float64
	proj   [maxTerms + 1]float64
	used   [maxTerms + 1]int // coefficient of each basis vector
}

const maxTerms = 10

func newScaler(s *sample, limit int, offset bool) *scaler {
	n := len(s.y)
	c := &scaler{machine: newMachine(n), s: s, limit: limit, offset: offset, rest: make([]float64, n)}
	for range maxTerms + 2 {
		c.basis = append(c.basis, make([]float64, n))
	}
	return c
}

// nmse returns the fitness of nodes, or +Inf if they have no value.
func (c *scaler) nmse(nodes []expr.Node) float64 {
	c.calls++
	c.eval(nodes, c.s.cols)
	c.list = terms(nodes, c.limit)
	return c.solve()
}

// solve fits the terms of the last tree by modified Gram-Schmidt, repeated where digits were lost.
func (c *scaler) solve() float64 {
	c.coef = append(c.coef[:0], make([]float64, len(c.list)+1)...)
	multiply := c.set.Binary[vec.Mul]
	multiply(c.rest, c.s.root, c.s.y)
	c.rank = 0
	if c.offset {
		copy(c.basis[0], c.s.root)
		c.orthogonalise(0)
	}
	for j, t := range c.list {
		dst := c.basis[c.rank]
		multiply(dst, c.s.root, c.val[t.to-1])
		if norm := floats.Dot(dst, dst); !(norm < 1e200) {
			return math.Inf(1)
		}
		c.orthogonalise(j + 1)
	}
	for i := c.rank - 1; i >= 0; i-- {
		b := c.proj[i]
		for j := i + 1; j < c.rank; j++ {
			b -= c.upper[i][j] * c.coef[c.used[j]]
		}
		c.coef[c.used[i]] = b / c.upper[i][i]
	}
	left := floats.Dot(c.rest, c.rest) / c.s.total
	if math.IsNaN(left) {
		return math.Inf(1)
	}
	return left
}

// orthogonalise makes basis[rank] the next basis vector, unless it depends on the previous ones,
// and subtracts its component from the residual. Its coefficient is coef[of].
func (c *scaler) orthogonalise(of int) {
	v, n := c.basis[c.rank], c.rank
	before := floats.Dot(v, v)
	for i := range n {
		c.upper[i][n] = 0
	}
	left := before
	for pass := 0; pass < 2 && n > 0; pass++ {
		for i, q := range c.basis[:n] {
			r := floats.Dot(q, v)
			c.upper[i][n] += r
			floats.AddScaled(v, -r, q)
		}
		if left = floats.Dot(v, v); left > 0.25*before { // nothing was cancelled
			break
		}
	}
	if !(left > 1e-18*before) || left < 1e-300 {
		return
	}
	norm := math.Sqrt(left)
	floats.Scale(1/norm, v)
	p := floats.Dot(v, c.rest)
	floats.AddScaled(c.rest, -p, v)
	c.upper[n][n], c.proj[n], c.used[n] = norm, p, of
	c.rank++
}
