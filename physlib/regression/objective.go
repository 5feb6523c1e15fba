package regression

import (
	"cmp"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// objective is the function of the constants that a fit minimizes: the sum of squared residuals, or
// of losses. Residuals are in units of standard errors.
type objective struct {
	p        *problem
	program  *expr.Program
	value    []float64
	grad     [][]float64 // derivative of the law with respect to each constant
	slopes   []slope     // the slopes for the columns with errors
	variance []float64   // σ_y² + Σ (∂f/∂x)²·σ_x² of each row; set by evaluate
	moved    [][]float64 // the columns, shifted by OrthogonalDistance
	orth     bool
	loss     Loss
	scale    float64 // scale of a robust loss, in standard errors
}

// slope is ∂f/∂x for a column x with errors.
type slope struct {
	column  int
	sigma   []float64
	program *expr.Program
	value   []float64
	grad    [][]float64 // derivative of the slope with respect to each constant
	shift   []float64
}

// objective returns the objective of p. Only the length of params matters, not the values.
func (p *problem) objective(params []float64) *objective {
	k, n := len(params), len(p.y)
	o := &objective{p: p, program: expr.Compile(p.law.Tree), value: make([]float64, n), grad: matrix(k, n), variance: make([]float64, n), moved: p.cols,
		loss: p.loss, scale: cmp.Or(p.scale, 1)}
	for v, sigma := range p.xsigma {
		if sigma == nil {
			continue
		}
		tree := p.law.Tree.Diff(v)
		o.slopes = append(o.slopes, slope{v, sigma, expr.Compile(tree), make([]float64, n), matrix(tree.NumParams(), n), make([]float64, n)})
	}
	if o.orth = p.s.Method == OrthogonalDistance && o.slopes != nil; o.orth {
		o.moved = append([][]float64(nil), p.cols...)
		for _, s := range o.slopes {
			o.moved[s.column] = append([]float64(nil), p.cols[s.column]...)
		}
	}
	return o
}

func matrix(rows, cols int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, cols)
	}
	return m
}

// residual sets r to the residuals with the given constants. It returns the sum of their squares or
// losses.
func (o *objective) residual(params, r []float64) float64 {
	if o.orth {
		o.project(params)
	}
	o.evaluate(params)
	for i, y := range o.p.y {
		e := y - o.value[i]
		if o.orth {
			sy := o.p.sigma[i]
			r[i] = e * math.Sqrt(o.variance[i]) / (sy * sy)
		} else {
			r[i] = e / math.Sqrt(o.variance[i])
		}
	}
	return o.sum(r)
}

// evaluate sets value, slopes and variance at the present values of the columns, with the shifts
// included.
func (o *objective) evaluate(params []float64) {
	o.program.Eval(o.value, o.moved, params)
	for i, s := range o.p.sigma {
		o.variance[i] = s * s
	}
	for _, s := range o.slopes {
		s.program.Eval(s.value, o.moved, params)
		for i, f := range s.value {
			o.variance[i] += f * f * s.sigma[i] * s.sigma[i]
		}
	}
}

// jacobian sets j[k][i] to ∂r_i/∂c_k. It must be called after residual, with the same constants.
func (o *objective) jacobian(params []float64, j [][]float64) {
	o.program.Grad(o.value, o.grad, o.moved, params)
	for _, s := range o.slopes {
		if len(s.grad) > 0 {
			s.program.Grad(s.value, s.grad, o.moved, params)
		}
	}
	for i, y := range o.p.y {
		sd := math.Sqrt(o.variance[i])
		for k := range j {
			d := -o.grad[k][i] / sd
			// The effective variance depends on the constants, too, which adds a term to the
			// derivative. With orthogonal distances this term is not needed, since the residual is
			// stationary with respect to the shifts.
			if !o.orth {
				for _, s := range o.slopes {
					if k < len(s.grad) {
						d -= (y - o.value[i]) / (sd * o.variance[i]) * s.value[i] * s.sigma[i] * s.sigma[i] * s.grad[k][i]
					}
				}
			}
			if math.IsNaN(d) || math.IsInf(d, 0) {
				d = 0 // an undefined derivative, such as that of x**c at x = 0, counts as 0
			}
			j[k][i] = d
		}
	}
}

// Limits of project.
const (
	projections  = 60    // largest number of steps
	projectedTol = 1e-13 // step, in units of the errors of the columns, below which project ends
)

// project changes the columns in each row so that the row becomes the nearest point of the law. It
// uses Gauss–Newton steps, which are halved if the distance grows.
func (o *objective) project(params []float64) {
	n := len(o.p.y)
	distance := func(out []float64) {
		o.evaluate(params)
		for i, y := range o.p.y {
			e := (y - o.value[i]) / o.p.sigma[i]
			out[i] = e * e
			for _, s := range o.slopes {
				out[i] += math.Pow((o.moved[s.column][i]-o.p.cols[s.column][i])/s.sigma[i], 2)
			}
		}
	}
	now, next, part := make([]float64, n), make([]float64, n), make([]float64, n)
	step := matrix(len(o.slopes), n)
	for _, s := range o.slopes {
		copy(o.moved[s.column], o.p.cols[s.column])
	}
	distance(now)
	for i := range part {
		part[i] = 1
	}
	for range projections {
		largest := o.towards(step, part)
		if largest < projectedTol {
			break
		}
		distance(next)
		for i := range next {
			if !(next[i] <= now[i]*(1+1e-12)) { // Undo the step, and try half of it next.
				for a, s := range o.slopes {
					o.moved[s.column][i] -= step[a][i]
				}
				part[i] /= 2
				continue
			}
			now[i], part[i] = next[i], min(1, 2*part[i])
		}
		o.evaluate(params)
	}
}

// towards moves row i by the fraction part[i] of its Gauss–Newton step. It stores the moves in
// step. It returns the largest move, in units of the errors of the columns.
func (o *objective) towards(step [][]float64, part []float64) (largest float64) {
	for i, y := range o.p.y {
		g := y - o.value[i]
		for _, s := range o.slopes {
			g += s.value[i] * (o.moved[s.column][i] - o.p.cols[s.column][i])
		}
		for a, s := range o.slopes {
			delta := s.sigma[i] * s.sigma[i] * s.value[i] * g / o.variance[i]
			d := part[i] * (o.p.cols[s.column][i] + delta - o.moved[s.column][i])
			if math.IsNaN(d) || math.IsInf(d, 0) {
				d = 0
			}
			step[a][i] = d
			o.moved[s.column][i] += d
			largest = max(largest, math.Abs(d)/s.sigma[i])
		}
	}
	return largest
}

// shifts returns, for each column with errors, by how much its values were moved. The key is the
// name of the column.
func (o *objective) shifts() map[string][]float64 {
	if !o.orth {
		return nil
	}
	out := map[string][]float64{}
	for _, s := range o.slopes {
		for i, x := range o.moved[s.column] {
			s.shift[i] = x - o.p.cols[s.column][i]
		}
		out[o.p.law.Vars[s.column]] = s.shift
	}
	return out
}
