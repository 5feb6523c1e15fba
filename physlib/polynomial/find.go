package polynomial

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/fit/qr"
	"github.com/physlib/lab/physlib/unit"
)

// class holds columns m(x)·yᵏ of one dimension. A relation consists of columns of one class.
type class struct {
	rows    [][]float64 // orthonormal basis of the columns
	dim     unit.Dim
	terms   []Term       // term of each column; the column holds the term's values divided by Coef
	columns [][]float64  // independent columns, scaled
	powers  map[int]bool // powers of the target that occur
	size    int          // number of columns, independent or not
	// Number of columns that depend linearly on others, but gave no relation of few terms.
	failed int
}

// entry is a monomial, as an index into Monomials.all, times a power of the target.
type entry struct{ monomial, power int }

// Find returns the terms of the relation Σ terms = 0 of lowest degree between the target y and the
// monomials. dim is the dimension of y. power is the highest power of y in the relation; 0 means
// that y is a polynomial of the coordinates. The relation is scaled so that the smallest
// coefficient of the highest power of y is 1. Find returns nil if there is no relation.
func (s *Monomials) Find(ctx context.Context, y []float64, dim unit.Dim, power int) []Term {
	if len(s.all) < 2 {
		return nil
	}
	t := dataset.Pick(y, s.rows)
	size := dataset.RMS(t)
	if !(size > 0) || !column.Finite(t) {
		return nil
	}
	floats.Scale(1/size, t)
	powers, sizes, dims := [][]float64{column.Ones(len(t))}, []float64{1}, []unit.Dim{{}}
	for k := range max(power, 1) {
		powers, sizes, dims = append(powers, column.Product(powers[k], t)), append(sizes, sizes[k]*size), append(dims, dims[k].Mul(dim))
	}
	left := mostProducts
	for _, c := range s.classes(dims) {
		if power == 0 && c.dim != dim {
			continue
		}
		for _, e := range s.entries(c.dim, dims) {
			if power == 0 && e.power > 0 && e.monomial > 0 {
				continue
			}
			if left -= len(c.rows); left < 0 || ctx.Err() != nil {
				return nil
			}
			m := s.all[e.monomial]
			v, term := column.Product(m.values, powers[e.power]), Term{m.exponents, e.power, m.size * sizes[e.power]}
			if u, share := outside(c.rows, v); share > exact {
				c.rows, c.columns, c.terms = append(c.rows, u), append(c.columns, v), append(c.terms, term)
			} else if found := c.relation(v, term); found != nil {
				return found
			} else {
				c.failed++
			}
			// With more columns, a relation would only be an approximation.
			if c.failed > mostFailed || len(c.rows) == columns(len(s.rows)) {
				break
			}
		}
	}
	return nil
}

// classes returns the classes that contain the highest power of the target and a lower one. Classes
// with few terms come first. dims are the dimensions of the powers of the target, from power 0 on.
func (s *Monomials) classes(dims []unit.Dim) (all []*class) {
	known := map[unit.Dim]*class{}
	for _, m := range s.all {
		for k, d := range dims {
			key := m.dim.Mul(d)
			c := known[key]
			if c == nil {
				c = &class{dim: key, powers: map[int]bool{}}
				known[key], all = c, append(all, c)
			}
			c.powers[k] = true
			c.size++
		}
	}
	all = slices.DeleteFunc(all, func(c *class) bool { return !c.powers[len(dims)-1] || len(c.powers) < 2 })
	slices.SortStableFunc(all, func(a, b *class) int { return cmp.Compare(a.size, b.size) })
	return all
}

// entries returns the products with dimension dim of an independent monomial and a power of the
// target, by rising degree. dims are the dimensions of the powers, from power 0 on.
func (s *Monomials) entries(dim unit.Dim, dims []unit.Dim) (all []entry) {
	for k, d := range dims {
		for _, i := range s.independent(dim.Div(d)) {
			all = append(all, entry{i, k})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(s.all[a.monomial].degree, s.all[b.monomial].degree) })
	return all
}

// relation returns the terms of the relation between v, which is the column of term last, and the
// columns of c. It returns nil if the relation has too many terms, or only one power of the target.
func (c *class) relation(v []float64, last Term) (found []Term) {
	kept, coef := c.sparse(v)
	if len(kept) == 0 {
		return nil
	}
	coef = append(coef, -1)
	powers, lead := map[int]bool{}, Term{Power: -1}
	for i, t := range append(dataset.Pick(c.terms, kept), last) {
		t.Coef = coef[i] / t.Coef
		if t.Power > lead.Power || t.Power == lead.Power && math.Abs(t.Coef) < math.Abs(lead.Coef) {
			lead = t
		}
		powers[t.Power] = true
		found = append(found, t)
	}
	for i := range found {
		found[i].Coef /= lead.Coef
	}
	if len(powers) < 2 {
		return nil
	}
	return found
}

// Sum writes t as a linear combination of a few columns. It returns the indices of these columns
// and their coefficients. column(i) returns column i, or nil after the last one. Sum adds one
// column after the other until they give t, so it uses no later column than needed. It returns nil
// if no columns give t.
func Sum(ctx context.Context, t []float64, column func(i int) []float64) (kept []int, coef []float64) {
	var c class
	rest, whole := slices.Clone(t), floats.Norm(t, 2)
	for i := 0; len(c.rows) < columns(len(t)) && ctx.Err() == nil; i++ {
		v := column(i)
		if v == nil {
			return nil, nil
		}
		u, share := outside(c.rows, v)
		c.columns = append(c.columns, v)
		if !(share > dependent) {
			continue
		}
		c.rows = append(c.rows, u)
		floats.AddScaled(rest, -floats.Dot(u, rest), u)
		if floats.Norm(rest, 2) < exact*whole {
			return c.sparse(t)
		}
	}
	return nil, nil
}

// sparse writes t as a linear combination of columns of c. It returns the indices of these columns
// and their coefficients. It returns nil if more than mostTerms - 1 columns are needed, or if a
// term hardly matters (see matter).
func (c *class) sparse(t []float64) (kept []int, coef []float64) {
	for i := range c.columns {
		kept = append(kept, i)
	}
	whole := floats.Norm(t, 2)
	for _, least := range negligible {
		for fewer := true; fewer; {
			some := dataset.Pick(c.columns, kept)
			k, _, ok := qr.LeastSquares(some, t)
			rest := slices.Clone(t)
			var next []int
			coef = nil
			for i, v := range some {
				floats.AddScaled(rest, -k[i], v)
				if math.Abs(k[i])*floats.Norm(v, 2) > least*whole {
					next, coef = append(next, kept[i]), append(coef, k[i])
				}
			}
			if !ok || !(floats.Norm(rest, 2) <= 10*exact*whole) {
				return nil, nil
			}
			fewer = len(next) < len(kept)
			kept = next
		}
		if len(kept) < mostTerms {
			break
		}
	}
	if len(kept) == 0 || len(kept) >= mostTerms || !matter(append(dataset.Pick(c.columns, kept), t)) {
		return nil, nil
	}
	return kept, coef
}

// negligible lists the thresholds that sparse tries one after the other. A column does not matter
// if the norm of its term, relative to the norm of the target, is at most the threshold. No single
// threshold suffices, since a column that matters may contribute as little as the rounding errors
// of a column that does not.
var negligible = [...]float64{1e-11, 1e-9, 1e-7, 1e-6}

// matter reports whether a linear dependence needs all of the columns: without any one of them, the
// others are linearly independent. This is false for a polynomial that only approximates another
// function, since such a polynomial is nearly as good without its smallest term.
func matter(columns [][]float64) bool {
	for i := range columns {
		rest := slices.Delete(slices.Clone(columns), i, i+1)
		var basis [][]float64
		for _, v := range rest {
			u, share := outside(basis, v)
			if share < essential {
				return false
			}
			basis = append(basis, u)
		}
	}
	return true
}
