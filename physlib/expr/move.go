package expr

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// start holds the values that a tree has at random rows if its constants have their starting
// values.
type start struct {
	program *Program
	cols    [][]float64
	want    []float64
	value   []float64
	grad    [][]float64
}

// newStart draws random rows and keeps those in which the values of t are finite, not 0, and
// affected by a constant. The columns vary over several powers of ten, so that a constant of any
// size affects t in some rows.
func newStart(t Tree) *start {
	const rows = 96
	rng := rand.New(rand.NewPCG(6, 7))
	s := &start{program: Compile(t), cols: matrix(len(randomColumns(t)), rows)}
	for _, col := range s.cols {
		for i := range col {
			col[i] = math.Pow(10, 5*rng.NormFloat64()*rng.Float64())
		}
	}
	value, grad := make([]float64, rows), matrix(t.NumParams(), rows)
	s.program.Grad(value, grad, s.cols, t.Params())
	for i, v := range value {
		// In rows that no constant affects, such as those where erf is 1, the values stay the same
		// whatever the constants are.
		affected := slices.ContainsFunc(grad, func(d []float64) bool { return math.Abs(d[i]) > 1e-9*math.Abs(v) })
		if a := math.Abs(v); a > 1e-100 && a < 1e100 && affected {
			for _, col := range s.cols {
				col[len(s.want)] = col[i]
			}
			s.want = append(s.want, v)
		}
	}
	for v := range s.cols {
		s.cols[v] = s.cols[v][:len(s.want)]
	}
	s.value, s.grad = make([]float64, len(s.want)), matrix(t.NumParams(), len(s.want))
	return s
}

// correct changes the constants c, except the one in slot, by one Gauss–Newton step, so that the
// values of the tree come closer to s.want. It changes the logarithms of the constants if
// logarithmic is true. It returns false if the step fails.
func (s *start) correct(c []float64, slot int, logarithmic bool) bool {
	s.program.Grad(s.value, s.grad, s.cols, c)
	j, r := mat.NewDense(len(s.want), len(c)-1, nil), mat.NewVecDense(len(s.want), nil)
	var others []int
	for o := range c {
		if o != slot {
			others = append(others, o)
		}
	}
	for i, w := range s.want {
		r.SetVec(i, (w-s.value[i])/w)
		for k, o := range others {
			d := s.grad[o][i] / w
			if logarithmic {
				d *= c[o]
			}
			j.Set(i, k, d)
		}
	}
	var step mat.VecDense
	if err := step.SolveVec(j, r); err != nil {
		if _, near := err.(mat.Condition); !near {
			return false
		}
	}
	for k, o := range others {
		by := step.AtVec(k)
		if logarithmic {
			by = c[o] * math.Expm1(min(by, 50))
		}
		if c[o] += by; math.IsNaN(c[o]) || math.IsInf(c[o], 0) {
			return false
		}
	}
	return true
}

// deviation returns the largest relative deviation between s.want and the values of the tree with
// the constants c.
func (s *start) deviation(c []float64) float64 {
	s.program.Eval(s.value, s.cols, c)
	most := 0.0
	for i, w := range s.want {
		most = max(most, math.Abs(s.value[i]/w-1))
	}
	return most
}

// move changes the constant in slot to value in several steps. After each step, it corrects the
// other constants by the Gauss–Newton method, so that the values of the tree stay the same. It
// corrects the logarithms of the constants if logarithmic is true. ok is false if the values cannot
// be kept. move overwrites c.
func (s *start) move(c []float64, slot int, value float64, logarithmic bool) (constants []float64, ok bool) {
	const steps, corrections, exact = 16, 2, 1e-12
	from := c[slot]
	if logarithmic && slices.Contains(c, 0) || from == 0 && value != 0 {
		return nil, false
	}
	for step := 1; step <= steps; step++ {
		part := float64(step) / steps
		c[slot] = from + part*(value-from)
		if value != 0 {
			c[slot] = from * math.Pow(value/from, part)
		}
		for range corrections {
			if !s.correct(c, slot, logarithmic) {
				return nil, false
			}
		}
	}
	for range 4 * corrections {
		if s.deviation(c) < exact {
			break
		}
		s.correct(c, slot, logarithmic)
	}
	return c, s.deviation(c) < 1e3*exact
}
