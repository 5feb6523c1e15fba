package expr

import (
	"math"
	"math/rand/v2"
)

// rank returns the rank of the Jacobian of m.parts with respect to the constants in slots. It is
// the highest rank at several points near the starting values, since one point may be outside the
// domain of a root.
func (m *merger) rank(slots []int32) int {
	starts := make(map[int32]float64, len(slots))
	for _, p := range m.parts {
		p.starts(starts)
	}
	rng, best := rand.New(rand.NewPCG(1, 1)), 0
	for range 3 {
		for slot, v := range starts {
			if v == 0 {
				starts[slot] = 1
			}
		}
		at := make(map[int32]float64, len(slots))
		for _, slot := range slots {
			at[slot] = starts[slot] * (1 + 0.5*rng.Float64())
		}
		best = max(best, m.rankAt(slots, at))
	}
	return best
}

func (m *merger) rankAt(slots []int32, at map[int32]float64) int {
	const h = 1e-5
	moved := func(slot int32, by float64) []float64 {
		start := at[slot]
		at[slot] *= 1 + by
		values := make([]float64, len(m.parts))
		for i, p := range m.parts {
			values[i] = p.withStarts(at).initial()
		}
		at[slot] = start
		return values
	}
	// For each constant, the derivatives of all parts with respect to it.
	rows := make([][]float64, len(slots))
	for k, slot := range slots {
		plus, minus := moved(slot, h), moved(slot, -h)
		for i := range plus {
			plus[i] = (plus[i] - minus[i]) / (2 * h)
			if math.IsNaN(plus[i]) || math.IsInf(plus[i], 0) {
				return 0
			}
		}
		rows[k] = plus
	}
	for col := range m.parts { // scale each column, since the parts may differ in size
		size := 0.0
		for _, row := range rows {
			size = max(size, math.Abs(row[col]))
		}
		if size > 0 {
			for _, row := range rows {
				row[col] /= size
			}
		}
	}
	return rank(rows, 1e-6)
}

// rank returns the number of independent columns of a matrix, which it overwrites. Values that
// remain after elimination count as rounding errors if they are at most tolerance.
func rank(rows [][]float64, tolerance float64) int {
	rank := 0
	for col := range rows[0] {
		best := rank
		for k := rank; k < len(rows); k++ {
			if math.Abs(rows[k][col]) > math.Abs(rows[best][col]) {
				best = k
			}
		}
		if rank == len(rows) {
			break
		}
		if math.Abs(rows[best][col]) < tolerance {
			continue
		}
		rows[rank], rows[best] = rows[best], rows[rank]
		for k := rank + 1; k < len(rows); k++ {
			by := rows[k][col] / rows[rank][col]
			for c := col; c < len(rows[k]); c++ {
				rows[k][c] -= by * rows[rank][c]
			}
		}
		rank++
	}
	return rank
}

// starts adds the starting values of the free constants of t to the map `at`, by slot.
func (t *term) starts(at map[int32]float64) {
	if t.isParam() {
		at[t.index] = t.start
	}
	for _, a := range t.args {
		a.starts(at)
	}
}

// withStarts returns t with the starting values at[slot].
func (t *term) withStarts(at map[int32]float64) *term {
	if t.isParam() {
		c := *t
		c.start = at[t.index]
		return &c
	}
	if len(t.args) == 0 {
		return t
	}
	c := *t
	c.args = make([]*term, len(t.args))
	for i, a := range t.args {
		c.args[i] = a.withStarts(at)
	}
	return &c
}
