package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
)

// sum is a law that is a sum of terms with free coefficients.
type sum struct {
	terms []expr.Tree // may have free constants of their own
	coefs []float64
}

// with returns s with one more term.
func (s sum) with(a addition) sum {
	return sum{append(slices.Clone(s.terms), a.term), append(slices.Clone(s.coefs), a.coef)}
}

// without returns s without term i.
func (s sum) without(i int) sum {
	return sum{slices.Delete(slices.Clone(s.terms), i, i+1), slices.Delete(slices.Clone(s.coefs), i, i+1)}
}

// asSum expands t into a sum of terms with free coefficients. ok reports whether the sum equals t
// in all rows of cols.
func asSum(t expr.Tree, cols [][]float64) (s sum, ok bool) {
	params := t.Params()
	rows := len(cols[0])
	value, plain := make([]float64, rows), make([]float64, rows)
	for _, term := range terms(t.Bind(params)) {
		b := bare(term)
		expr.Compile(term).Eval(value, cols, nil)
		expr.Compile(b).Eval(plain, cols, nil)
		if len(b.Vars()) == 0 {
			b = expr.Num(1)
			for i := range plain {
				plain[i] = 1
			}
		}
		size := dot(plain, plain)
		if !(size > 0) || math.IsInf(size, 0) {
			return s, false
		}
		c := dot(plain, value) / size
		for i, v := range value {
			if math.Abs(v-c*plain[i]) > 1e-6*(math.Abs(v)+math.Sqrt(size/float64(rows))*math.Abs(c)) {
				return s, false
			}
		}
		hash := b.Hash()
		if k := slices.IndexFunc(s.terms, func(o expr.Tree) bool { return o.Hash() == hash }); k >= 0 {
			s.coefs[k] += c
			continue
		}
		s.terms, s.coefs = append(s.terms, freedInside(b)), append(s.coefs, c)
	}
	// Fit the coefficients to all rows. This fails if the terms are linearly dependent.
	expr.Compile(t).Eval(value, cols, params)
	var base [][]float64
	for _, a := range s.terms {
		v := a.Values(rows, cols, a.Params())
		base = append(base, v)
	}
	s.coefs = leastSquares(base, value)
	if s.coefs == nil {
		return s, false
	}
	off := slices.Clone(value)
	for i, v := range base {
		subtract(off, v, s.coefs[i])
	}
	return s, dot(off, off) <= 1e-10*dot(value, value)
}

// freedInside returns t with its numbers replaced by free constants (see freed), unless t is
// constant.
func freedInside(t expr.Tree) expr.Tree {
	if len(t.Vars()) == 0 {
		return t
	}
	return withNumbersFreed(t)
}

// leastSquares returns the coefficients of columns that best fit y, or nil if the columns are
// linearly dependent.
func leastSquares(columns [][]float64, y []float64) []float64 {
	n := len(columns)
	var a [][]float64
	for _, c := range append(columns[:n:n], y) {
		a = append(a, slices.Clone(c))
	}
	f := qr.Triangle{Least: 1e-9}
	f.Factor(a)
	if f.Rank < n {
		return nil
	}
	out := make([]float64, n)
	f.Solve(out, n, n)
	return out
}

// tree returns c0·a + c1·b + …, with the coefficients first. Free constants inside terms follow.
func (s sum) tree() expr.Tree {
	if len(s.terms) == 0 {
		return expr.Num(0)
	}
	var t expr.Tree
	next := int32(len(s.terms))
	for i, a := range s.terms {
		nodes := slices.Clone(a.Nodes())
		slots := map[int32]int32{}
		for k, n := range nodes {
			if n.Op != expr.Param {
				continue
			}
			if _, ok := slots[n.Index]; !ok {
				slots[n.Index] = next
				next++
			}
			nodes[k].Index = slots[n.Index]
		}
		term, _ := expr.FromNodes(nodes)
		if term.Root() == expr.Number && term.Nodes()[0].Value == 1 {
			term = expr.C(i, s.coefs[i])
		} else {
			term = expr.Apply(expr.Mul, expr.C(i, s.coefs[i]), term)
		}
		if i == 0 {
			t = term
		} else {
			t = expr.Apply(expr.Add, t, term)
		}
	}
	return t
}
