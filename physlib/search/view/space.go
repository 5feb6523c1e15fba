package view

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// Space is a problem at a sample of its rows. These rows are called its points.
type Space struct {
	Problem     *dataset.Problem
	rows        []int          // the sampled rows
	X           [][]float64    // variables × points
	logx        [][]float64    // log|x|
	roots       [][4][]float64 // x^(1/6), x^(1/3), x^(1/2) and x
	Y           []float64      // target at the points
	RootWeights []float64      // √weight of each point, scaled to a mean square of one
	Dims        []unit.Dim     // dimensions of the variables in X
	Vars        []int          // index of each variable in X among those of the problem
	Lattice     *Lattice
	Origin      Monomial // a monomial with the target's dimension; nil: there is none
	// Values of all variables of the problem at the points; nil: not needed yet.
	cols      [][]float64
	TargetDim unit.Dim
	Units     bool
}

// NewSpace samples up to points rows in which all values are finite. If there are enough such rows,
// the values are also non-zero. Columns with a single value are left out, except known constants if
// units are used. The variables in drop are left out, too.
func NewSpace(p *dataset.Problem, points int, units bool, drop map[int]bool) *Space {
	s := &Space{Problem: p, Units: units, TargetDim: p.Target.Dim}
	for i, v := range p.Vars {
		if drop[i] || column.Constant(v.Values) && !(units && v.Const) {
			continue
		}
		s.Vars = append(s.Vars, i)
		s.Dims = append(s.Dims, v.Dim)
	}
	s.sample(points)
	s.Lattice = newLattice(s.Dims, units)
	s.Origin = make(Monomial, len(s.Dims))
	if units {
		s.Origin = s.Lattice.origin(s.Dims, s.TargetDim)
	}
	return s
}

// Resampled returns s at another sample, of up to points rows.
func (s *Space) Resampled(points int) *Space {
	o := *s
	o.X, o.logx, o.roots, o.cols = nil, nil, nil, nil
	o.sample(points)
	return &o
}

// sample chooses up to points rows and sets the values there.
func (s *Space) sample(points int) {
	p := s.Problem
	s.rows = SampleRows(p, s.Vars, points)
	for _, i := range s.Vars {
		x := dataset.Pick(p.Vars[i].Values, s.rows)
		s.X = append(s.X, x)
		s.logx = append(s.logx, column.Map(x, column.LogAbs))
		var roots [4][]float64
		for k, sixths := range rootSixths {
			roots[k] = column.Map(x, func(v float64) float64 { return math.Pow(v, float64(sixths)/SixthsInOne) })
		}
		s.roots = append(s.roots, roots)
	}
	s.Y = dataset.Pick(p.Target.Values, s.rows)
	s.RootWeights = column.Ones(len(s.rows))
	if p.Weights != nil {
		s.RootWeights = column.Map(dataset.Pick(p.Weights, s.rows), math.Sqrt)
		if norm := floats.Norm(s.RootWeights, 2); norm > 0 {
			floats.Scale(math.Sqrt(float64(len(s.rows)))/norm, s.RootWeights)
		}
	}
}

// SampleRows returns distinct rows in rising order. Their number is at most the argument points. In
// these rows the target and the variables in keep are finite and, if enough such rows exist, not
// zero.
func SampleRows(p *dataset.Problem, keep []int, points int) []int {
	var whole, nonzero []int
	for r, y := range p.Target.Values {
		ok, nz := !math.IsNaN(y) && !math.IsInf(y, 0), y != 0
		for _, i := range keep {
			x := p.Vars[i].Values[r]
			ok = ok && !math.IsNaN(x) && !math.IsInf(x, 0)
			nz = nz && x != 0
		}
		if ok {
			whole = append(whole, r)
			if nz {
				nonzero = append(nonzero, r)
			}
		}
	}
	rows := nonzero
	if len(nonzero) < points && 2*len(nonzero) < len(whole) {
		rows = whole
	}
	if len(rows) > points {
		rng := rand.New(rand.NewPCG(uint64(p.Seed), 0x9e3779b97f4a7c15))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = rows[:points]
		slices.Sort(rows)
	}
	return rows
}

// Points returns the number of sampled rows.
func (s *Space) Points() int { return len(s.rows) }

// Value sets dst to the values of m at the points.
func (s *Space) Value(dst []float64, m Monomial) {
	for j := range dst {
		dst[j] = 1
	}
	s.Raise(dst, m)
}

// rootSixths are the exponents of Space.roots in sixths.
var rootSixths = [...]int{1, 2, 3, SixthsInOne}

// Raise multiplies dst by the monomial m.
func (s *Space) Raise(dst []float64, m Monomial) {
	for i, e := range m {
		for k, sixths := range slices.Backward(rootSixths[:]) {
			if e != 0 && int(e)%sixths == 0 {
				multiply(dst, s.roots[i][k], int(e)/sixths)
				break
			}
		}
	}
}

// multiply multiplies dst by x^n.
func multiply(dst, x []float64, n int) {
	switch {
	case n > 12 || n < -12:
		for j, v := range x {
			dst[j] *= math.Pow(v, float64(n))
		}
	case n < 0:
		for j, v := range x {
			p := v
			for range -n - 1 {
				p *= v
			}
			dst[j] /= p
		}
	default:
		for range n {
			for j, v := range x {
				dst[j] *= v
			}
		}
	}
}

// LogValue sets dst to log|m| at the points.
func (s *Space) LogValue(dst []float64, m Monomial) {
	clear(dst)
	for i, e := range m {
		if e != 0 {
			floats.AddScaled(dst, float64(e)/SixthsInOne, s.logx[i])
		}
	}
}

// Mixed returns the variables that have values of both signs, as indices into X. It returns at most
// maxSigned.
func (s *Space) Mixed() (out []int) {
	for i, x := range s.X {
		if !column.OneSign(x) && len(out) < maxSigned {
			out = append(out, i)
		}
	}
	return out
}

// maxSigned is the largest number of variables that Mixed returns.
const maxSigned = 6

// Columns returns all variables of the problem at the points, including those left out of X.
func (s *Space) Columns() [][]float64 {
	if s.cols == nil {
		s.cols = make([][]float64, len(s.Problem.Vars))
		for i, v := range s.Problem.Vars {
			s.cols[i] = dataset.Pick(v.Values, s.rows)
		}
	}
	return s.cols
}
