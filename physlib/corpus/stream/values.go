package stream

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// A span is a range from which the values of a column are drawn, uniformly or uniformly in the
// logarithm.
type span struct {
	low, high float64
	log       bool
}

func (s span) draw(m *maker) float64 {
	u := m.rng.Float64()
	if s.log {
		return s.low * math.Exp(u*math.Log(s.high/s.low))
	}
	return s.low + u*(s.high-s.low)
}

// span draws a range for a variable: often [1, 5] as in the benchmarks, otherwise another one.
// angle is true if the variable is the argument of a trigonometric function.
func (m *maker) span(angle bool) span {
	if angle && m.chance(0.75) {
		return [...]span{{0, 2 * math.Pi, false}, {0.1, 3, false}, {1, 5, false}, {-3, 3, false}, {0.1, 1.5, false}}[m.rng.IntN(5)]
	}
	switch m.pick(40, 20, 12, 18, 5, 5) {
	case 0:
		return span{1, 5, false}
	case 1: // a shifted interval
		low := 0.1 + 5*m.rng.Float64()
		return span{low, low + 0.5 + 5*m.rng.Float64(), false}
	case 2:
		return span{1, 2 + 8*m.rng.Float64(), false}
	case 3: // up to two decades
		low := math.Exp(math.Log(10) * (3*m.rng.Float64() - 2))
		return span{low, low * math.Exp(math.Log(10)*(0.5+1.5*m.rng.Float64())), true}
	case 4:
		return span{-3, 3, false}
	}
	return span{0.05, 1, false}
}

// Limits for acceptable tables.
const (
	tinyTerm = 2e-3 // least ratio of the two terms of a sum
	tinySpan = 1e-2 // least variation of the law, relative to its size
	largest  = 1e12
	leastOK  = 0.3 // least share of the drawn points at which the law is finite
)

// A tape evaluates a law on the columns of one problem.
type tape struct {
	nodes []expr.Node
	stack [][]float64
}

// eval sets y to the values of the law in the rows of cols. If check is true, ok reports whether no
// term of a sum is negligible and no function is nearly constant.
func (t *tape) eval(cols [][]float64, rows int, y []float64, check bool) (ok bool) {
	k := 0
	for _, n := range t.nodes {
		if n.Op.Arity() == 0 {
			if k == len(t.stack) {
				t.stack = append(t.stack, make([]float64, rows))
			}
			v := t.stack[k][:rows]
			switch n.Op {
			case expr.Var:
				copy(v, cols[n.Index])
			default:
				for i := range v {
					v[i] = n.Value
				}
			}
			k++
			continue
		}
		if n.Op.Arity() == 1 {
			v := t.stack[k-1][:rows]
			unary(n.Op, v)
			if check && n.Op >= expr.Exp && flat(v) {
				return false
			}
			continue
		}
		k--
		a, b := t.stack[k-1][:rows], t.stack[k][:rows]
		if check && (n.Op == expr.Add || n.Op == expr.Sub) && !balanced(n.Op, a, b) {
			return false
		}
		switch n.Op {
		case expr.Add:
			for i := range a {
				a[i] += b[i]
			}
		case expr.Sub:
			for i := range a {
				a[i] -= b[i]
			}
		case expr.Mul:
			for i := range a {
				a[i] *= b[i]
			}
		case expr.Div:
			for i := range a {
				a[i] /= b[i]
			}
		}
	}
	copy(y, t.stack[0][:rows])
	return true
}

// balanced reports whether both terms contribute to their sum and do not cancel.
func balanced(op expr.Op, a, b []float64) bool {
	var sa, sb, s float64
	for i := range a {
		if c := a[i] + b[i]; math.IsNaN(c) || math.IsInf(c, 0) {
			continue
		}
		sa += a[i] * a[i]
		sb += b[i] * b[i]
		d := a[i] + b[i]
		if op == expr.Sub {
			d = a[i] - b[i]
		}
		s += d * d
	}
	return sa >= tinyTerm*tinyTerm*sb && sb >= tinyTerm*tinyTerm*sa && s >= 1e-4*max(sa, sb)
}

// flat reports whether the values of a function are nearly constant, as those of tanh for large
// arguments.
func flat(v []float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		low, high = min(low, x), max(high, x) // NaN stays NaN
	}
	return high-low < tinyTerm*max(high, -low)
}

func unary(op expr.Op, v []float64) {
	switch op {
	case expr.Neg:
		for i := range v {
			v[i] = -v[i]
		}
	case expr.Inv:
		for i := range v {
			v[i] = 1 / v[i]
		}
	case expr.Sqrt:
		for i := range v {
			v[i] = math.Sqrt(v[i])
		}
	case expr.Square:
		for i := range v {
			v[i] *= v[i]
		}
	case expr.Cube:
		for i := range v {
			v[i] *= v[i] * v[i]
		}
	case expr.Exp:
		for i := range v {
			if v[i] > 20 || v[i] < -20 {
				v[i] = math.NaN()
				continue
			}
			v[i] = math.Exp(v[i])
		}
	default:
		for i := range v {
			v[i] = applyOp(op, v[i])
		}
	}
}

// table draws cols and y for the law. ok is false if the law is not acceptable on these ranges.
func (m *maker) table(t *tape, spans []span, rows int) (cols [][]float64, y []float64, ok bool) {
	data := make([]float64, rows*(len(spans)+1))
	y = data[:rows:rows]
	cols = make([][]float64, len(spans))
	for c, s := range spans {
		cols[c] = data[(c+1)*rows : (c+2)*rows : (c+2)*rows]
		for i := range cols[c] {
			cols[c][i] = s.draw(m)
		}
	}
	if !t.eval(cols, rows, y, true) {
		return nil, nil, false
	}
	bad := 0
	for i := range y {
		if !usable(y[i]) {
			bad++
		}
	}
	if float64(bad) > (1-leastOK)*float64(rows) {
		return nil, nil, false
	}
	row := make([]float64, 1)
	point := make([][]float64, len(cols))
	for i := range y { // draw the points at which the law has no value again
		for tries := 0; !usable(y[i]); tries++ {
			if tries == 40 {
				return nil, nil, false
			}
			for c, s := range spans {
				cols[c][i] = s.draw(m)
				point[c] = cols[c][i : i+1]
			}
			t.eval(point, 1, row, false)
			y[i] = row[0]
		}
	}
	var sum, sq, most float64
	for _, v := range y {
		sum += v
		sq += v * v
		most = max(most, math.Abs(v))
	}
	mean := sum / float64(rows)
	rms := math.Sqrt(sq / float64(rows))
	if sd := math.Sqrt(max(sq/float64(rows)-mean*mean, 0)); sd < tinySpan*rms || rms < 1/largest {
		return nil, nil, false
	}
	return cols, y, most < largest
}

func usable(v float64) bool { return v == v && math.Abs(v) < largest }

// bare reports, for each variable, whether it occurs as the argument of a trigonometric function,
// alone or in a sum of variables.
func bare(nodes []expr.Node, vars int) []bool {
	out := make([]bool, vars)
	starts := make([]int, 0, 16) // start of each operand on the stack
	for i, n := range nodes {
		k := len(starts)
		switch n.Op.Arity() {
		case 0:
			starts = append(starts, i)
		case 1:
			if n.Op == expr.Sin || n.Op == expr.Cos || n.Op == expr.Tan {
				sum := true
				for _, x := range nodes[starts[k-1]:i] {
					sum = sum && (x.Op == expr.Var || x.Op == expr.Add || x.Op == expr.Sub)
				}
				if sum {
					for _, x := range nodes[starts[k-1]:i] {
						if x.Op == expr.Var {
							out[x.Index] = true
						}
					}
				}
			}
		case 2:
			starts = starts[:k-1]
		}
	}
	return out
}
