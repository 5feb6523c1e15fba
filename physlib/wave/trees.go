package wave

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
)

// form is the way a wave is written: one cosine with a phase, a product of such cosines, or a sum
// of two. Each row stands for a cosine. Its operand is the sum of the angles of the axes with the
// signs in the row. A sign of 0 omits an angle. Two cosines that both contain all axes are added,
// for waves that run in both directions. Other cosines are multiplied.
type form [][]int8

// forms are the forms of waves along one, two and three axes.
var forms = [...][]form{
	1: {{{1}}},
	2: {{{1, -1}}, {{1, 1}}, {{1, 0}, {0, 1}}, {{1, 1}, {1, -1}}},
	3: {
		{{1, 1, 1}}, {{1, 1, -1}}, {{1, -1, 1}}, {{1, -1, -1}}, // plane waves
		{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		// Guided waves.
		{{1, 0, 0}, {0, 1, 1}}, {{1, 0, 0}, {0, 1, -1}}, {{0, 1, 0}, {1, 0, 1}}, {{0, 1, 0}, {1, 0, -1}}, {{0, 0, 1}, {1, 1, 0}}, {{0, 0, 1}, {1, -1, 0}},
	},
}

// added reports whether h is a sum of two cosines. Otherwise it is one cosine or a product.
func (h form) added() bool { return len(h) == 2 && !slices.Contains(h[0], 0) }

// phases returns the phases of the cosines of w in form h. size is the amplitude of their product,
// or holds the amplitude of each cosine if they are added.
func (w component) phases(h form) (phases, size []float64) {
	if h.added() || len(h) == 1 {
		for _, signs := range h {
			a, p := w.runs(signs)
			phases, size = append(phases, p), append(size, a)
		}
		return phases, size
	}
	// A product of cosines of α, β, … is a sum of cosines of α ± β ± …. The phases in the product
	// are calculated from the phases in the sum.
	together := make([]int8, len(w.axes))
	for _, signs := range h {
		for i, sign := range signs {
			together[i] += sign
		}
	}
	amplitude, all := w.runs(together)
	phases = make([]float64, len(h))
	phases[0] = all
	for g := 1; g < len(h); g++ {
		other := slices.Clone(together)
		for i, sign := range h[g] {
			if sign != 0 {
				other[i] = -sign
			}
		}
		_, p := w.runs(other)
		phases[g] = (all - p) / 2
		phases[0] -= phases[g]
	}
	return phases, []float64{amplitude * float64(int(1)<<(len(h)-1))}
}

// runs returns size and phase of the part of w that is size·cos(Σ signsᵢ·θᵢ + phase), where θᵢ are
// the angles of the axes.
func (w component) runs(signs []int8) (size, phase float64) {
	sum := complex(0, 0)
	for k, c := range w.coef {
		part := complex(c, 0)
		for i, sign := range signs { // cos θ = (e^iθ + e^-iθ)/2 and sin θ = (e^iθ - e^-iθ)/2i
			if k>>(len(signs)-1-i)&1 == 1 {
				part *= complex(0, -float64(sign))
			}
		}
		sum += part
	}
	return cmplx.Abs(sum) / float64(int(1)<<(len(signs)-1)), cmplx.Phase(sum)
}

// law returns the sum of the waves, a constant, and a linear term for each of the given
// variables. If envelope is not nil, it multiplies each amplitude.
func (s *finder) law(waves []component, linear []int, envelope func(b *build.Constants) expr.Tree) expr.Tree {
	b := &build.Constants{}
	t := b.Free(stat.Mean(s.Y, nil))
	for _, v := range linear {
		t = expr.Apply(expr.Add, t, build.Mul(b.Free(0), expr.X(v)))
	}
	for _, w := range waves {
		t = expr.Apply(expr.Add, t, s.write(b, w, func(k float64) expr.Tree {
			if envelope == nil {
				return b.Free(k)
			}
			return expr.Apply(expr.Mul, b.Free(k), envelope(b))
		}))
	}
	return t
}

// write returns w as a tree. amplitude makes a tree from the value of each amplitude.
func (s *finder) write(b *build.Constants, w component, amplitude func(k float64) expr.Tree) expr.Tree {
	phases, size := w.phases(w.how)
	var angles []expr.Tree
	for i, a := range w.axes {
		angles = append(angles, expr.Apply(expr.Mul, b.Free(w.omega[i]), s.axes[a].tree))
	}
	var all expr.Tree
	sign := 1.0
	for g, signs := range w.how {
		var theta expr.Tree
		for i, k := range signs {
			switch {
			case k == 0:
			case theta.Len() == 0: // in all forms, the first sign that is not 0 is positive
				theta = angles[i]
			case k > 0:
				theta = expr.Apply(expr.Add, theta, angles[i])
			default:
				theta = expr.Apply(expr.Sub, theta, angles[i])
			}
		}
		t, flip := s.circular(b, theta, phases[g])
		switch {
		case w.how.added():
			t = expr.Apply(expr.Mul, amplitude(flip*size[g]), t)
			if g > 0 {
				t = expr.Apply(expr.Add, all, t)
			}
		case g > 0:
			t = expr.Apply(expr.Mul, all, t)
		}
		all = t
		sign *= flip
	}
	if w.how.added() {
		return all
	}
	return expr.Apply(expr.Mul, amplitude(sign*size[0]), all)
}

// circular returns a tree t and a sign such that sign·t is cos(θ + phase). t is a cosine or a sine,
// whichever is allowed and has the smaller phase.
func (s *finder) circular(b *build.Constants, theta expr.Tree, phase float64) (t expr.Tree, sign float64) {
	op := expr.Cos
	phase = math.Remainder(phase, 2*math.Pi)
	if !s.Allowed(expr.Cos) || s.Allowed(expr.Sin) && math.Abs(math.Sin(phase)) > math.Sqrt2/2 {
		op, phase = expr.Sin, math.Remainder(phase+math.Pi/2, 2*math.Pi) // cos x = sin(x + π/2)
	}
	sign = 1
	if math.Abs(phase) > math.Pi/2 {
		sign, phase = -1, math.Remainder(phase+math.Pi, 2*math.Pi)
	}
	return expr.Apply(op, expr.Apply(expr.Add, theta, b.Free(phase))), sign
}
