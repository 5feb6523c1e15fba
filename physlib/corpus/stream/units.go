package stream

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// balance holds constraints on the dimensions of a law: terms of a sum have equal dimensions, and
// arguments of functions have none. Dimensions that satisfy them are drawn separately for each base
// unit, as small random combinations of the solutions.
type balance struct {
	unknowns int         // number of variables and of free constants with a dimension
	rows     [][]float64 // constraints: coefficients of a sum of unknown exponents that must be 0
	out      []float64   // the law's exponent as a sum of unknowns
}

// constrain returns the constraints of the law. If pure is true, its constants are dimensionless.
func constrain(nodes []expr.Node, vars int, pure bool) balance {
	n := vars
	for _, x := range nodes {
		if x.Op == expr.Param && !pure {
			n++
		}
	}
	b := balance{unknowns: n}
	stack := make([][]float64, 0, 16)
	next := vars
	for _, x := range nodes {
		k := len(stack)
		switch {
		case x.Op.Arity() == 0:
			v := make([]float64, n)
			if x.Op == expr.Var {
				v[x.Index] = 1
			} else if x.Op == expr.Param && !pure {
				v[next] = 1
				next++
			}
			stack = append(stack, v)
		case x.Op == expr.Neg:
		case x.Op == expr.Inv:
			scale(stack[k-1], -1)
		case x.Op == expr.Sqrt:
			scale(stack[k-1], 0.5)
		case x.Op == expr.Square:
			scale(stack[k-1], 2)
		case x.Op == expr.Cube:
			scale(stack[k-1], 3)
		case x.Op.Arity() == 1:
			b.rows = append(b.rows, stack[k-1])
			stack[k-1] = make([]float64, n)
		default:
			l, r := stack[k-2], stack[k-1]
			stack = stack[:k-1]
			switch x.Op {
			case expr.Mul:
				for i := range l {
					l[i] += r[i]
				}
			case expr.Div:
				for i := range l {
					l[i] -= r[i]
				}
			default:
				row := make([]float64, n)
				for i := range row {
					row[i] = l[i] - r[i]
				}
				b.rows = append(b.rows, row)
			}
		}
	}
	b.out = stack[0]
	return b
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

// reduce brings the rows to reduced row echelon form. pivot holds the row of each unknown, or -1
// for free unknowns.
func (b *balance) reduce() (pivot []int) {
	pivot = make([]int, b.unknowns)
	r := 0
	for c := range pivot {
		pivot[c] = -1
		best := -1
		for i := r; i < len(b.rows); i++ {
			if math.Abs(b.rows[i][c]) > 1e-9 {
				best = i
				break
			}
		}
		if best < 0 {
			continue
		}
		b.rows[r], b.rows[best] = b.rows[best], b.rows[r]
		scale(b.rows[r], 1/b.rows[r][c])
		for i, row := range b.rows {
			if i != r && math.Abs(row[c]) > 1e-9 {
				f := row[c]
				for j := range row {
					row[j] -= f * b.rows[r][j]
				}
			}
		}
		pivot[c] = r
		r++
	}
	return pivot
}

// maxDim is the largest exponent of a base unit in a variable.
const maxDim = 6

// draw draws the dimensions of the variables and of the law.
func (b *balance) draw(m *maker, vars int) (dims []unit.Dim, target unit.Dim) {
	pivot := b.reduce()
	dims = make([]unit.Dim, vars)
	x := make([]float64, b.unknowns)
	for base, empty := range [...]float64{0.35, 0.35, 0.35, 0.75, 0.85} {
		if m.chance(empty) {
			continue
		}
	try:
		for range 3 {
			for c := range x {
				if pivot[c] < 0 {
					x[c] = [...]float64{0, 1, -1, 2, -2, 3}[m.pick(45, 25, 15, 9, 5, 1)]
				}
			}
			for c := range x {
				if row := pivot[c]; row >= 0 {
					x[c] = 0
					for j := range x {
						if pivot[j] < 0 {
							x[c] -= b.rows[row][j] * x[j]
						}
					}
				}
			}
			out := 0.0
			for c := range x {
				out += b.out[c] * x[c]
				if v := 2 * x[c]; math.Abs(v-math.Round(v)) > 1e-6 || math.Abs(v) > 2*maxDim {
					continue try
				}
			}
			if v := 4 * out; math.Abs(v-math.Round(v)) > 1e-6 || math.Abs(out) > 4*maxDim {
				continue try
			}
			for c := range dims {
				dims[c][base] = unit.Rat(int(math.Round(2*x[c])), 2)
			}
			target[base] = unit.Rat(int(math.Round(4*out)), 4)
			break
		}
	}
	return dims, target
}
