package accept

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/vec"
)

// Tolerances for the comparison of a form with a law.
const (
	closeValue = 1e-6 // largest difference, relative to the value
	closeNoise = 0.02 // largest difference, in standard deviations of the noise
	// Largest difference on the wider ranges, in standard deviations of the noise.
	closeWide = 0.1
	allowed   = 10 // largest excess of the BIC of a special case over that of the form
)

// Match returns the form with the fewest constants that can equal the law, and the values of the
// constants for which form and law are equal. Both are nil if there is no such form.
func Match(l *Law, refs []*Reference) (*Reference, []float64) {
	if len(refs) == 0 {
		return nil, nil
	}
	t := refs[0].table
	bic, _ := t.lawBIC(l)
	refs = slices.Clone(refs)
	slices.SortStableFunc(refs, func(a, b *Reference) int {
		return cmp.Compare(a.Form.NumParams(), b.Form.NumParams())
	})
	for _, r := range refs {
		worse := bic > r.BIC+allowed
		if worse && !r.allowedByOtherErrors(l) {
			continue
		}
		if c := r.constantsFor(l); c != nil && !(worse && r.vanishes(c)) {
			return r, c
		}
	}
	return nil, nil
}

// allowedByOtherErrors reports whether the BIC of the law is low enough, compared with that of the
// form, if the other kind of errors is assumed: relative instead of equal, or equal instead of
// relative.
func (r *Reference) allowedByOtherErrors(l *Law) bool {
	if r.table.kind == tables.StandardErrors {
		return false
	}
	t := r.table.otherErrors()
	bic, _ := t.lawBIC(l)
	ref, ok := NewReference(r.Form, t, r.Constants)
	return !ok || bic <= ref.BIC+allowed
}

// constantsFor returns the constants for which the form equals the law, or nil if there are none.
func (r *Reference) constantsFor(l *Law) []float64 {
	rng := source(2)
	p, ok := r.sample(l, rng)
	if !ok {
		return nil
	}
	var extra []float64
	for _, v := range l.numbers {
		extra = append(extra, v, 1/v, math.Sqrt(v), 1/math.Sqrt(v))
	}
	near := p.pick(func(i int) bool { return i < p.inside })
	c, _ := r.Form.fit(near.cols, near.y, near.tol, search{
		starts: [][]float64{r.Constants}, extra: extra, enough: 1e-3, rng: rng,
	})
	if c == nil {
		return nil
	}
	f := r.Form.at(c, p.cols, len(p.y))
	if p.agree(f) {
		return c
	}
	finite := p.pick(func(i int) bool { return vec.Finite(f[i]) })
	c, _ = r.Form.fit(finite.cols, finite.y, finite.tol, search{
		starts: [][]float64{c}, enough: math.Inf(1), rng: rng,
	})
	if c == nil || !p.agree(r.Form.at(c, p.cols, len(p.y))) {
		return nil
	}
	return c
}

// vanishes reports whether one of the constants c of the form is superfluous: the form keeps its
// values when that constant is set to 0.
func (r *Reference) vanishes(c []float64) bool {
	for i := range c {
		less := slices.Clone(c)
		less[i] = 0
		if r.alike(c, less) {
			return true
		}
	}
	return false
}

// sample holds the values of a law at some points, and their tolerances.
type sample struct {
	cols   [][]float64
	y, tol []float64
	inside int // number of points at and between the rows; they are the first points
}

// sample evaluates the law at the rows, between them and on wider ranges. It drops values on the
// wider ranges that far exceed the other values. ok is false if the law has no value at a row, or
// at more than a tenth of the points within the table's ranges.
func (r *Reference) sample(l *Law, rng *rand.Rand) (p sample, ok bool) {
	t := r.table
	rows := len(t.y)
	inside, wide := t.points(rng)
	n := rows + between
	in, out := l.at(inside, n), l.at(wide, beyond)
	missing, top, squares := 0, 0.0, 0.0
	for i, v := range in {
		switch {
		case vec.Finite(v):
			top = max(top, math.Abs(v))
			squares += v * v
		case i < rows:
			return p, false
		default:
			missing++
		}
	}
	if 10*missing > n {
		return p, false
	}
	p.cols = make([][]float64, len(t.cols))
	add := func(from [][]float64, i int, y float64) {
		for k := range p.cols {
			p.cols[k] = append(p.cols[k], from[k][i])
		}
		p.y = append(p.y, y)
	}
	for i, v := range in {
		if vec.Finite(v) {
			add(inside, i, v)
		}
	}
	p.inside = len(p.y)
	for i, v := range out {
		if math.Abs(v) < 100*top {
			add(wide, i, v)
		}
	}
	floor := 1e-2 * math.Sqrt(squares/float64(p.inside))
	p.tol = r.sigma(p.y)
	for i, y := range p.y {
		noise := closeNoise
		if i >= p.inside {
			noise = closeWide
		}
		p.tol[i] = max(noise*p.tol[i], closeValue*max(math.Abs(y), floor))
	}
	return p, true
}

// pick returns the points of p for which want reports true.
func (p sample) pick(want func(i int) bool) sample {
	s := sample{cols: make([][]float64, len(p.cols))}
	for i, y := range p.y {
		if !want(i) {
			continue
		}
		for k, c := range p.cols {
			s.cols[k] = append(s.cols[k], c[i])
		}
		s.y, s.tol = append(s.y, y), append(s.tol, p.tol[i])
	}
	return s
}

// agree reports whether f is within the tolerance wherever it has a value. f must have a value at
// all points at and between the rows, and at nearly all points on the wider ranges.
func (p sample) agree(f []float64) bool {
	missing := 0
	for i, v := range f {
		switch {
		case !vec.Finite(v):
			missing++
			if i < p.inside {
				return false
			}
		case math.Abs(v-p.y[i]) > p.tol[i]:
			return false
		}
	}
	return float64(missing) < 0.03*float64(len(f))
}
