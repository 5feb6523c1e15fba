package search

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// space is a problem seen at a sample of its rows: what enumeration and joins work on.
type space struct {
	prob  *dataset.Problem
	rows  []int          // the sampled rows
	x     [][]float64    // variables × points
	logx  [][]float64    // log|x|
	roots [][3][]float64 // x^(1/6), x^(1/3) and x^(1/2)
	y     []float64      // target at the points
	sw    []float64      // √weight of each point, of mean square one
	dims  []unit.Dim     // of the variables
	keep  []int          // the problem's variables behind x
	lat   *lattice
	cols  [][]float64 // all of the problem's variables at the points; nil: not needed yet
	tdim  unit.Dim
	units bool
}

// newSpace samples up to points rows on which everything is finite and, where there are enough such
// rows, non-zero. Without units, constant variables are left out: nothing tells them from numbers.
// So are those of drop.
func newSpace(p *dataset.Problem, points int, units bool, drop map[int]bool) *space {
	s := &space{prob: p, units: units, tdim: p.Target.Dim}
	for i, v := range p.Vars {
		if drop[i] || constant(v.Values) && !(units && v.Const) {
			continue
		}
		s.keep = append(s.keep, i)
		s.dims = append(s.dims, v.Dim)
	}
	s.rows = sampleRows(p, s.keep, points)
	for _, i := range s.keep {
		x := make([]float64, len(s.rows))
		lx := make([]float64, len(s.rows))
		for j, r := range s.rows {
			x[j] = p.Vars[i].Values[r]
			lx[j] = math.Log(math.Abs(x[j]))
		}
		s.x = append(s.x, x)
		s.logx = append(s.logx, lx)
		s.roots = append(s.roots, roots(x))
	}
	s.y = make([]float64, len(s.rows))
	s.sw = make([]float64, len(s.rows))
	mean := 0.0
	for j, r := range s.rows {
		s.y[j] = p.Target.Values[r]
		s.sw[j] = 1
		if p.Weights != nil {
			s.sw[j] = math.Sqrt(p.Weights[r])
		}
		mean += s.sw[j] * s.sw[j]
	}
	if mean > 0 {
		f := math.Sqrt(float64(len(s.rows)) / mean)
		for j := range s.sw {
			s.sw[j] *= f
		}
	}
	s.lat = newLattice(s.dims, units)
	return s
}

// sampleRows draws up to points distinct rows, in rising order.
func sampleRows(p *dataset.Problem, keep []int, points int) []int {
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
		sort.Ints(rows)
	}
	return rows
}

// points is the number of sampled rows.
func (s *space) points() int { return len(s.rows) }

// value writes the monomial's values at the points to dst.
func (s *space) value(dst []float64, m mono) {
	for j := range dst {
		dst[j] = 1
	}
	s.raise(dst, m)
}

// roots of x that exponents in sixths need: the sixth, the cube and the square root.
func roots(x []float64) (r [3][]float64) {
	for i, e := range [...]float64{1. / 6, 1. / 3, 0.5} {
		r[i] = make([]float64, len(x))
		for j, v := range x {
			r[i][j] = math.Pow(v, e)
		}
	}
	return r
}

// raise multiplies dst by the monomial m.
func (s *space) raise(dst []float64, m mono) {
	for i, e := range m {
		switch {
		case e == 0:
		case e%6 == 0:
			multiply(dst, s.x[i], int(e)/6)
		case e%3 == 0:
			multiply(dst, s.roots[i][2], int(e)/3)
		case e%2 == 0:
			multiply(dst, s.roots[i][1], int(e)/2)
		default:
			multiply(dst, s.roots[i][0], int(e))
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
	case n == -1:
		for j, v := range x {
			dst[j] /= v
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

// logValue writes log|m| to dst.
func (s *space) logValue(dst []float64, m mono) {
	for j := range dst {
		dst[j] = 0
	}
	for i, e := range m {
		if e != 0 {
			for j, v := range s.logx[i] {
				dst[j] += float64(e) / sixth * v
			}
		}
	}
}

// mixed are the variables with values of both signs.
func (s *space) mixed() (out []int) {
	for i, x := range s.x {
		if !oneSign(x) && len(out) < maxSigned {
			out = append(out, i)
		}
	}
	return out
}

// maxSigned is how many variables with values of both signs are asked.
const maxSigned = 6

// columns returns the problem's variables at the points, those left out among them.
func (s *space) columns() [][]float64 {
	if s.cols == nil {
		s.cols = make([][]float64, len(s.prob.Vars))
		for i, v := range s.prob.Vars {
			s.cols[i] = make([]float64, len(s.rows))
			for j, r := range s.rows {
				s.cols[i][j] = v.Values[r]
			}
		}
	}
	return s.cols
}
