package fit

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
	"gonum.org/v1/gonum/floats"
)

// blockRows is the number of rows that are evaluated and factored at once.
const blockRows = 4096

// model is a tree and a table. It holds the values of the tree for given constants, its Jacobian,
// and the orthogonal factor of the Jacobian and the residual.
type model struct {
	nodes   []expr.Node
	program *expr.Program
	linear  []int // slots of the linear constants, which are solved for exactly
	curved  []int // slots of the other, nonlinear constants

	cols  [][]float64
	y, w  []float64
	root  []float64 // √w
	rows  int       // rows with a weight above 0
	yy    float64   // Σ w·y²
	block [][]float64
	value []float64
	grad  [][]float64 // derivative of the law with respect to each constant
	// One buffer for each slot, and a last one for the residual. Each buffer holds a block of rows.
	// Before the block, it has space for the factor of the previous rows.
	buffers [][]float64
	columns [][]float64 // columns to factor: linear, curved, residual

	done        <-chan struct{} // Settings.Done
	params      []float64
	tri         qr.Triangle
	rss         float64
	fresh       bool // tri and rss were calculated by linearize for the present params
	evaluations int
	converged   bool
	scratch     []float64
}

func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// load sets m to the tree t with a table.
func (m *model) load(t expr.Tree, cols [][]float64, y, w []float64) {
	nodes := t.Nodes()
	if m.program == nil || len(m.nodes) != len(nodes) || &m.nodes[0] != &nodes[0] {
		m.nodes, m.program = nodes, expr.Compile(t)
		m.split(t)
	}
	m.cols, m.y, m.w = cols, y, w
	m.rows, m.yy, m.evaluations, m.converged = len(y), 0, 0, false
	if w != nil {
		m.root = grow(m.root, len(w))
		m.rows = 0
		for i, v := range w {
			m.root[i] = math.Sqrt(v)
			if v > 0 {
				m.rows++
				m.yy += v * y[i] * y[i]
			}
		}
	} else {
		m.yy = floats.Dot(y, y)
	}
	m.allocate(min(len(y), blockRows))
}

// split divides the slots into linear and nonlinear ones.
func (m *model) split(t expr.Tree) {
	set := linearSlots(t)
	m.linear, m.curved = m.linear[:0], m.curved[:0]
	for k := range t.NumParams() {
		if k < maxSplit && set&(1<<k) != 0 {
			m.linear = append(m.linear, k)
		} else {
			m.curved = append(m.curved, k)
		}
	}
}

// slot returns the slot of the constant that belongs to column i of the factor.
func (m *model) slot(i int) int {
	if i < len(m.linear) {
		return m.linear[i]
	}
	return m.curved[i-len(m.linear)]
}

// allocate makes buffers for blocks of the given number of rows.
func (m *model) allocate(rows int) {
	k := len(m.linear) + len(m.curved)
	m.params = grow(m.params, k)
	m.value = grow(m.value, rows)
	for len(m.buffers) < k+1 {
		m.buffers = append(m.buffers, nil)
		m.grad = append(m.grad, nil)
	}
	for i := range k + 1 {
		m.buffers[i] = grow(m.buffers[i], rows+k+1)
	}
	if cap(m.block) < len(m.cols) {
		m.block = make([][]float64, len(m.cols))
	}
	m.block = m.block[:len(m.cols)]
}

// ended reports whether Settings.Done is closed.
func (m *model) ended() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// eachBlock calculates value and grad with the present constants for each block of rows [lo, lo+n),
// and calls do. It stops if do returns false, and once Settings.Done is closed.
func (m *model) eachBlock(do func(lo, n int) bool) {
	m.evaluations++
	k := len(m.params)
	for lo := 0; lo < len(m.y) && !m.ended(); lo += blockRows {
		n := min(blockRows, len(m.y)-lo)
		for i, c := range m.cols {
			m.block[i] = nil
			if len(c) >= lo+n {
				m.block[i] = c[lo : lo+n]
			}
		}
		for i := range k {
			m.grad[i] = m.buffers[i][k+1 : k+1+n]
		}
		m.program.Grad(m.value[:n], m.grad[:k], m.block, m.params)
		if !do(lo, n) {
			return
		}
	}
}

// factor calculates the orthogonal factor tri of these columns: the columns of the Jacobian for the
// slots in first and second, and the residual. It also sets rss. It returns false if the law is not
// finite in some row, or if Settings.Done is closed.
func (m *model) factor(first, second []int) bool {
	n := len(first) + len(second) + 1
	k := len(m.params)
	m.rss, m.fresh = 0, false
	ok := true
	m.eachBlock(func(lo, rows int) bool {
		ok = m.residual(lo, rows)
		if !ok {
			return false
		}
		m.columns = m.columns[:0]
		top := k + 1
		if lo > 0 {
			top -= n // R of the QR factorization of the previous rows is placed before the block
		}
		for _, slot := range first {
			m.columns = append(m.columns, m.column(slot, lo, rows)[top:])
		}
		for _, slot := range second {
			m.columns = append(m.columns, m.column(slot, lo, rows)[top:])
		}
		m.columns = append(m.columns, m.buffers[k][top:k+1+rows])
		if lo > 0 {
			for j, c := range m.columns {
				copy(c[:n], m.tri.R[j*n:j*n+n])
			}
		}
		m.tri.Factor(m.columns)
		return true
	})
	return ok && !m.ended() && !math.IsNaN(m.rss) && !math.IsInf(m.rss, 0)
}

// residual sets the last buffer to √w·(y - value) and adds the sum of its squares to rss. It
// returns false if this sum is not finite.
func (m *model) residual(lo, rows int) bool {
	k := len(m.params)
	r, value, y := m.buffers[k][k+1:k+1+rows], m.value[:rows], m.y[lo:lo+rows]
	if m.w == nil {
		for i := range r {
			r[i] = y[i] - value[i]
		}
	} else {
		root := m.root[lo : lo+rows]
		for i := range r {
			r[i] = 0
			if root[i] != 0 {
				r[i] = root[i] * (y[i] - value[i])
			}
		}
	}
	s := floats.Dot(r, r)
	m.rss += s
	return !math.IsNaN(s) && !math.IsInf(s, 0)
}

// column returns the buffer of a slot, which holds the derivatives multiplied by √w. If the law has
// a value but no derivative in a row, as x**c at x = 0, the derivative counts as 0.
func (m *model) column(slot, lo, rows int) []float64 {
	k := len(m.params)
	b := m.buffers[slot][:k+1+rows]
	g := b[k+1:]
	if m.w != nil {
		for i, r := range m.root[lo : lo+rows] {
			g[i] *= r
		}
	}
	if s := floats.Dot(g, g); math.IsNaN(s) || math.IsInf(s, 0) {
		for i, v := range g {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				g[i] = 0
			}
		}
	}
	return b
}

// project solves for the linear constants while the nonlinear ones are fixed, and sets rss. It
// returns false if the law is not finite in some row.
func (m *model) project() bool {
	n := len(m.linear)
	if n == 0 {
		return true
	}
	for _, slot := range m.linear {
		m.params[slot] = 0
	}
	if !m.factor(m.linear, nil) {
		return false
	}
	m.scratch = grow(m.scratch, n)
	c := m.scratch[:n]
	m.tri.Solve(c, n, n)
	for i, slot := range m.linear {
		if math.IsNaN(c[i]) || math.IsInf(c[i], 0) {
			return false
		}
		m.params[slot] = c[i]
	}
	rho := m.tri.R[n*(n+1)+n]
	m.rss = rho * rho
	return true
}

// linearize factors the whole Jacobian at the present constants. It returns false if the law is not
// finite.
func (m *model) linearize() bool {
	m.fresh = m.factor(m.linear, m.curved)
	return m.fresh
}

// polish makes one Gauss–Newton step in all constants, which reduces the rounding errors of the
// linear solution. It keeps the step unless the residual grows.
func (m *model) polish() {
	k := len(m.params)
	if k == 0 || !m.converged || !m.fresh {
		return
	}
	if n := k + 1; qr.Norm(m.tri.R[k*n:k*n+k]) <= 1e-13*math.Sqrt(m.rss) {
		return // the step would be much smaller than the standard errors
	}
	m.scratch = grow(m.scratch, 2*k)
	delta, before, rss, moved := m.scratch[:k], m.scratch[k:2*k], m.rss, false
	m.tri.Solve(delta, k, k)
	copy(before, m.params)
	for i, d := range delta {
		p := &m.params[m.slot(i)]
		moved = moved || math.Abs(d) > 4e-16*math.Abs(*p)
		*p += d
	}
	if !moved || !m.linearize() || m.rss > rss {
		m.fresh = !moved
		copy(m.params, before)
		m.rss = rss
	}
}
