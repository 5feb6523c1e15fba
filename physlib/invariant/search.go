package invariant

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/mdl"
)

// Sizes of the search.
const (
	beam    = 250 // number of sums that are extended by another term
	longest = 5   // largest number of terms in a sum
)

// problem is a table in which invariants are sought.
type problem struct {
	set     Settings
	columns []dataset.Column
	runs    [][]int // rows of each run, in which an invariant is constant
	// For each column and row, the standard error; if unknown, the standard deviation of the
	// column.
	sigma [][]float64
	known bool // sigma holds given standard errors
	terms []*term
	rows  int
	tried int64 // number of sums for which solve was called
	cut   bool  // Settings.Evaluations ended the search before all sums were tried

	moment *mat.SymDense // Σ φ_a·φ_b over rows, with the mean of each run subtracted
	free   *mat.SymDense // like moment, for shuffled rows, in which the columns are unrelated
	// Σ_i Σ_j r_j²·∂φ_a·∂φ_b, where r_j is the rounding error of column j and ∂ the derivative with
	// respect to column j in row i.
	floor *mat.SymDense

	apart    [][]float64 // columns shuffled within runs
	shuffled [][]float64 // values of each term in the rows of apart
}

// prepare calculates the matrices for all pairs of terms. ok is false if ctx ended before they were
// complete.
func (p *problem) prepare(ctx context.Context) (ok bool) {
	k := len(p.terms)
	rounding := p.rounding()
	p.shuffled = p.shuffle()
	here, apart := make([][]float64, k), make([][]float64, k)
	for a, t := range p.terms {
		here[a], apart[a] = p.demeaned(t.value), p.demeaned(p.shuffled[a])
	}
	p.moment, p.free, p.floor = mat.NewSymDense(k, nil), mat.NewSymDense(k, nil), mat.NewSymDense(k, nil)
	for a := range k {
		if ctx.Err() != nil {
			return false
		}
		for b := range a + 1 {
			m, n, f := 0.0, 0.0, 0.0
			for i := range p.rows {
				m += here[a][i] * here[b][i]
				n += apart[a][i] * apart[b][i]
			}
			for j := range p.columns {
				ga, gb := p.terms[a].gradient[j], p.terms[b].gradient[j]
				if ga == nil || gb == nil {
					continue
				}
				for i := range p.rows {
					f += rounding[j] * rounding[j] * ga[i] * gb[i]
				}
			}
			p.moment.SetSym(a, b, m)
			p.free.SetSym(a, b, n)
			p.floor.SetSym(a, b, f)
		}
	}
	return true
}

// demeaned returns values minus their mean in each run.
func (p *problem) demeaned(v []float64) []float64 {
	c := slices.Clone(v)
	for _, run := range p.runs {
		mean := 0.0
		for _, i := range run {
			mean += c[i] / float64(len(run))
		}
		for _, i := range run {
			c[i] -= mean
		}
	}
	return c
}

// shuffle shuffles each column separately within the runs. It returns the values of the terms in
// the shuffled rows. If a term is not finite in some shuffled row, its values in the original rows
// are returned.
func (p *problem) shuffle() (out [][]float64) {
	rng := rand.New(rand.NewPCG(7+uint64(p.set.Seed), 11))
	cols := make([][]float64, len(p.columns))
	for j, c := range p.columns {
		cols[j] = slices.Clone(c.Values)
		for _, run := range p.runs {
			for i := len(run) - 1; i > 0; i-- {
				o := rng.IntN(i + 1)
				cols[j][run[i]], cols[j][run[o]] = cols[j][run[o]], cols[j][run[i]]
			}
		}
	}
	p.apart = cols
	for _, t := range p.terms {
		v := t.tree.Values(p.rows, cols, nil)
		if !finite(v) {
			copy(v, t.value)
		}
		out = append(out, v)
	}
	return out
}

// calculation is the relative error that is assumed for columns whose values were not rounded to
// few digits.
const calculation = 1e-10

// rounding returns the standard deviation of the rounding error of each column.
func (p *problem) rounding() (out []float64) {
	for _, c := range p.columns {
		deepest, longest := math.MinInt, 0
		for _, v := range c.Values {
			if v != 0 {
				digits, exponent := dataset.Places(v)
				deepest, longest = max(deepest, digits-1-exponent), max(longest, digits)
			}
		}
		step := calculation * size(c.Values)
		if longest > 0 && longest <= 12 {
			step = max(step, math.Pow10(-deepest)/math.Sqrt(12))
		}
		out = append(out, step)
	}
	return out
}

// sum is a set of terms with their coefficients.
type sum struct {
	terms []int // indices in p.terms, ascending
	coef  []float64
	eps   float64 // size of the deviations, relative to those of shuffled columns
	bits  float64
}

// solve finds the best coefficients for a set of terms.
func (p *problem) solve(terms []int) (s sum, ok bool) {
	k := len(terms)
	m, n := mat.NewSymDense(k, nil), mat.NewSymDense(k, nil)
	scale := make([]float64, k)
	form := 0.0
	for a, t := range terms {
		scale[a] = math.Sqrt(p.free.At(t, t))
		if !(scale[a] > 0) {
			return s, false
		}
		form += p.terms[t].bits
	}
	for a, t := range terms {
		for b, u := range terms[:a+1] {
			m.SetSym(a, b, p.moment.At(t, u)/(scale[a]*scale[b]))
			n.SetSym(a, b, p.free.At(t, u)/(scale[a]*scale[b]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(n) || chol.Cond() > 1e12 {
		return s, false // the terms are linearly dependent
	}
	var l mat.TriDense
	chol.LTo(&l)
	var inverse mat.TriDense
	if inverse.InverseTri(&l) != nil {
		return s, false
	}
	var whitened mat.Dense
	whitened.Product(&inverse, m, inverse.T())
	sym := mat.NewSymDense(k, nil)
	for a := range k {
		for b := range a + 1 {
			sym.SetSym(a, b, (whitened.At(a, b)+whitened.At(b, a))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, true) {
		return s, false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	var c mat.VecDense
	c.MulVec(inverse.T(), vectors.ColView(0))
	s = sum{terms: slices.Clone(terms), coef: make([]float64, k)}
	largest := 0.0
	for a := range k {
		s.coef[a] = c.AtVec(a) / scale[a]
		largest = max(largest, math.Abs(c.AtVec(a)))
	}
	for a := range k { // if a coefficient is zero, its term is superfluous
		if math.Abs(c.AtVec(a)) < 1e-9*largest {
			return s, false
		}
	}
	lambda := max(eigen.Values(nil)[0], p.quadratic(p.floor, s)/p.quadratic(p.free, s), 1e-24)
	s.eps = math.Sqrt(lambda * float64(p.rows) / float64(max(1, p.rows-len(p.runs)-k+1)))
	s.bits = p.data(s.eps) + float64(k-1)/2*math.Log2(float64(p.rows)) + mdl.FormWeight*form
	return s, p.rows-len(p.runs) >= 2*k
}

// data returns the description length, in bits, of the deviations of a sum. eps is the size of the
// deviations, relative to that of unrelated columns.
func (p *problem) data(eps float64) float64 { return float64(p.rows-len(p.runs)) * math.Log2(eps) }

// quadratic returns cᵀ·a·c for the coefficients c of s.
func (p *problem) quadratic(a *mat.SymDense, s sum) (v float64) {
	for i, t := range s.terms {
		for j, u := range s.terms {
			v += s.coef[i] * s.coef[j] * a.At(t, u)
		}
	}
	return v
}

// search returns the best sums for each number of terms, sorted by bits.
func (p *problem) search(ctx context.Context) (all []sum) {
	var level []sum
	for a := range p.terms {
		level = append(level, sum{terms: []int{a}})
		if s, ok := p.attempt([]int{a}); ok {
			all = append(all, s) // even a single term, such as x*y, may be constant
		}
	}
	for k := 2; k <= longest; k++ {
		var next []sum
		seen := map[[longest]int]bool{}
		for _, s := range level {
			if ctx.Err() != nil {
				break
			}
			for b := range p.terms {
				if slices.Contains(s.terms, b) {
					continue
				}
				terms := append(slices.Clone(s.terms), b)
				slices.Sort(terms)
				var key [longest]int
				copy(key[:], terms)
				if seen[key] {
					continue
				}
				seen[key] = true
				if c, ok := p.attempt(terms); ok {
					next = append(next, c)
				}
			}
		}
		next = p.leading(next, beam, 30)
		all = append(all, next...)
		level = next
	}
	slices.SortStableFunc(all, byBits)
	return all
}

// attempt calls solve for a set of terms. ok is false if solve fails, or if the limits on
// complexity or evaluations exclude the set.
func (p *problem) attempt(terms []int) (s sum, ok bool) {
	if most := p.set.MaxComplexity; most > 0 && p.form(sum{terms: terms}) > most {
		return s, false
	}
	if p.set.Evaluations > 0 && p.tried == p.set.Evaluations {
		p.cut = true
		return s, false
	}
	p.tried++
	return p.solve(terms)
}

// leading sorts list by bits. It returns the best sums, as many as the argument first says, and
// also the best perStep sums of each complexity. Complexity is counted in steps of two bits.
func (p *problem) leading(list []sum, first, perStep int) (out []sum) {
	slices.SortStableFunc(list, byBits)
	count := map[int]int{}
	for i, s := range list {
		step := int(p.form(s) / 2)
		if count[step]++; i < first || count[step] <= perStep {
			out = append(out, s)
		}
	}
	return out
}

// form returns the bits of the terms of s.
func (p *problem) form(s sum) (bits float64) {
	for _, t := range s.terms {
		bits += p.terms[t].bits
	}
	return bits
}

func byBits(a, b sum) int { return cmp.Compare(a.bits, b.bits) }
