// Package polynomial finds polynomial relations between a target y and some coordinates x,
//
//	P(x) + Q(x)·y = 0    or    P(x) + Q(x)·y + R(x)·y² = 0,
//
// in data without errors. Examples are y = x⁹ + x⁸ + …, a ratio of polynomials, and the lens
// equation solved for any of its distances. With units, all terms of a relation have the same
// dimension.
//
// # Method
//
// The columns m(x)·yᵏ of all monomials m are examined by rising degree. The first one that depends
// linearly on the earlier ones gives the relation of lowest degree. This is the algorithm of H. M.
// Möller and B. Buchberger, LNCS 144 (1982) 24, for points known up to rounding errors. The
// relation is then reduced to the terms that matter. There are always more rows than columns, so a
// relation is no coincidence. A polynomial that only approximates a smooth function is recognized
// by its terms: it is nearly as exact without the smallest of them.
package polynomial

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

const (
	Rows        = 380  // the largest number of rows that are used
	spareShare  = 8    // rows exceed columns by at least rows/spareShare
	leastSpare  = 20   // rows exceed columns by at least this number
	MostDegree  = 10   // largest degree of a monomial
	mostTerms   = 16   // largest number of terms of a relation
	mostOfOne   = 300  // largest number of monomials if there are no units
	mostOfUnits = 4500 // largest number of monomials if there are units

	// A monomial counts as a linear combination of simpler monomials if its component outside their
	// span has a relative norm of at most this.
	dependent = 1e-6
	// There is a relation if the component of a column outside the span of earlier columns has a
	// relative norm of at most this.
	exact = 1e-11
	// A relation is accepted only if it needs all of its terms: without any one of them, each of
	// the other columns must have a component of at least this relative norm outside the span of
	// the columns before it.
	essential = 1e-6
)

// mostFailed is the largest number of columns of one class that may depend linearly on others
// without giving a relation of few terms. If there are more, the search in the class ends.
const mostFailed = 2

// mostProducts limits the number of scalar products in one call of Monomials.Find.
const mostProducts = 60_000

// Term is a term Coef·∏ xᵢ^Exponents[i]·y^Power of a relation.
type Term struct {
	Exponents []int
	Power     int
	Coef      float64
}

// Monomials are the monomials of some coordinates by rising degree.
type Monomials struct {
	rows []int // the rows that are used
	all  []monomial
	of   map[unit.Dim][]int // for each dimension, its monomials as indices into all
	// Like the field of, but without monomials that depend linearly on other monomials. For
	// example, sin²x depends on 1 and cos²x.
	free map[unit.Dim][]int
}

type monomial struct {
	exponents []int
	last      int // the last coordinate whose exponent is not 0
	degree    int
	dim       unit.Dim
	values    []float64 // values in the rows used, divided by size
	size      float64   // approximate root mean square of the values
}

// New returns the monomials of some coordinates up to a degree. x holds the values of the
// coordinates and dims their dimensions. Nil dims mean that there are no units.
func New(x [][]float64, dims []unit.Dim, degree int) *Monomials {
	if len(x) == 0 {
		return &Monomials{}
	}
	s := &Monomials{rows: dataset.Evenly(len(x[0]), min(len(x[0]), Rows))}
	var coordinates []monomial
	for i, c := range x {
		m := monomial{exponents: make([]int, len(x)), last: i, degree: 1, values: dataset.Pick(c, s.rows)}
		m.exponents[i] = 1
		if dims != nil {
			m.dim = dims[i]
		}
		if m.size = dataset.RMS(m.values); !(m.size > 0) || math.IsInf(m.size, 0) {
			return &Monomials{}
		}
		floats.Scale(1/m.size, m.values)
		coordinates = append(coordinates, m)
	}
	most := mostOfOne
	if dims != nil {
		most = mostOfUnits
	}
	s.grow(coordinates, degree, most)
	return s
}

// grow adds the monomials of degrees 1, 2, … up to degree. It stops earlier if there would be too
// many monomials; the parameter most is the largest number.
func (s *Monomials) grow(coordinates []monomial, degree, most int) {
	s.all = []monomial{{exponents: make([]int, len(coordinates)), values: column.Ones(len(s.rows)), size: 1}}
	for level := s.all; len(level) > 0 && level[0].degree < degree; {
		var next []monomial
		for _, m := range level {
			for _, c := range coordinates[m.last:] {
				if next = append(next, m.times(c)); len(s.all)+len(next) > most {
					return
				}
			}
		}
		s.all, level = append(s.all, next...), next
	}
}

// independent returns the monomials of a dimension that do not depend linearly on simpler ones.
func (s *Monomials) independent(dim unit.Dim) []int {
	if s.of == nil {
		s.of, s.free = map[unit.Dim][]int{}, map[unit.Dim][]int{}
		for i, m := range s.all {
			s.of[m.dim] = append(s.of[m.dim], i)
		}
	}
	list, known := s.free[dim]
	if known {
		return list
	}
	var basis [][]float64
	for _, i := range s.of[dim] {
		if u, share := outside(basis, s.all[i].values); share > dependent && len(basis) < columns(len(s.rows)) {
			basis, list = append(basis, u), append(list, i)
		}
	}
	s.free[dim] = list
	return list
}

// columns returns the largest number of monomials, the columns of the least-squares matrix, in
// which a relation may be sought, for the given number of rows.
func columns(rows int) int { return rows - max(leastSpare, rows/spareShare) }

// times returns m times the coordinate c.
func (m monomial) times(c monomial) monomial {
	p := monomial{exponents: slices.Clone(m.exponents), last: c.last, degree: m.degree + 1,
		dim: m.dim.Mul(c.dim), values: column.Product(m.values, c.values), size: m.size * c.size}
	p.exponents[c.last]++
	return p
}

// outside returns the part of v that is orthogonal to the orthonormal rows, scaled to unit norm.
// share is the norm of that part before scaling, relative to the norm of v.
func outside(rows [][]float64, v []float64) (u []float64, share float64) {
	u, norm := column.Outside(rows, v)
	return u, norm / floats.Norm(v, 2)
}
