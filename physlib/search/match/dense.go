package match

import (
	"math"
	"slices"
	"sort"

	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/search/column"
)

// dense is the Gram matrix of a join's cheapest features in double precision. The pair kernel works
// in single precision and drops nearly collinear terms, such as 1 and 1/√(1 - v²/c²) at small v.
// Laws of such terms are found here.
type dense struct {
	n    int
	gram []float64   // n × n
	rows [][]float64 // the features, projected and normalised
	r    []float64   // their products with the target
}

// Among how many features all pairs and all triples are looked at in double precision.
const (
	DensePairs   = 250
	DenseTriples = 90
	denseFew     = 30   // features joined with
	denseMany    = 9000 // so many others
	leastDen     = 1e-9 // least squared norm of a normalised feature once the others are projected out
)

// double makes the matrix for the first n features, or takes the one at hand.
func (j *Join) double(n int) *dense {
	n = min(n, len(j.Features))
	if j.dense != nil && j.dense.n >= n {
		return j.dense
	}
	d := &dense{n: n, gram: make([]float64, n*n), r: make([]float64, n)}
	d.rows = make([][]float64, n)
	for i := range d.rows {
		v := make([]float64, j.s.Points())
		j.Row(v, j.Features[i])
		j.Project(v)
		norm := math.Sqrt(column.Dot(v, v))
		for k := range v {
			v[k] /= norm
		}
		d.rows[i], d.r[i] = v, column.Dot(v, j.tq)
		for k := range i + 1 {
			c := column.Dot(d.rows[k], v)
			d.gram[i*n+k], d.gram[k*n+i] = c, c
		}
	}
	j.dense = d
	return d
}

// leaders keeps the sets that explain most.
type leaders struct {
	keep int
	list []leader
	cut  float64
}

type leader struct {
	gain    float64
	i, j, k int32
}

func (l *leaders) offer(gain float64, i, j, k int) {
	if !(gain > l.cut) {
		return
	}
	l.list = append(l.list, leader{gain, int32(i), int32(j), int32(k)})
	if len(l.list) >= 4*l.keep {
		l.trim()
	}
}

func (l *leaders) trim() {
	sort.SliceStable(l.list, func(a, b int) bool { return l.list[a].gain > l.list[b].gain })
	if len(l.list) >= l.keep {
		l.list = l.list[:l.keep]
		l.cut = l.list[l.keep-1].gain
	}
}

// sets returns the kept ones as indices, -1 left out.
func (l *leaders) sets() [][]int32 {
	l.trim()
	out := make([][]int32, len(l.list))
	for n, p := range l.list {
		out[n] = slices.DeleteFunc([]int32{p.i, p.j, p.k}, func(i int32) bool { return i < 0 })
	}
	return out
}

// PairsInDouble returns the best pairs among the first n features, in double precision.
func (j *Join) PairsInDouble(n, keep int) []Combo {
	n = min(n, len(j.Features))
	if n < 2 {
		return nil
	}
	d := j.double(n)
	best := leaders{keep: keep + 100, cut: j.Floor}
	for b := range n {
		g := d.gram[b*d.n:]
		for a := range b {
			c := g[a]
			if den := 1 - c*c; den > leastDen {
				x := d.r[b] - c*d.r[a]
				best.offer(d.r[a]*d.r[a]+x*x/den, a, b, -1)
			}
		}
	}
	return j.rescore(best.sets(), keep)
}

// Triples returns the best triples among the first n features, in double precision.
func (j *Join) Triples(n, keep int) []Combo {
	n = min(n, len(j.Features))
	if n < 3 {
		return nil
	}
	d := j.double(n)
	best := leaders{keep: keep + 100, cut: j.Floor}
	left, r, den := make([]float64, n), make([]float64, n), make([]float64, n) // with a projected out
	for a := range n {
		ga := d.gram[a*d.n:]
		for b := a + 1; b < n; b++ {
			r[b], den[b] = d.r[b]-ga[b]*d.r[a], 1-ga[b]*ga[b]
		}
		for b := a + 1; b < n; b++ {
			if den[b] <= leastDen {
				continue
			}
			gb := d.gram[b*d.n:]
			pair := d.r[a]*d.r[a] + r[b]*r[b]/den[b]
			for c := b + 1; c < n; c++ {
				left[c] = gb[c] - ga[b]*ga[c]
				f := left[c] / den[b]
				rest := den[c] - left[c]*f
				if rest > leastDen {
					x := r[c] - f*r[b]
					best.offer(pair+x*x/rest, a, b, c)
				}
			}
		}
	}
	return j.rescore(best.sets(), keep)
}

// Rect returns the best pairs of one of the few cheapest features with one of many more, in
// double precision.
func (j *Join) Rect(keep int) []Combo {
	few, many := min(denseFew, len(j.Features)), min(denseMany, len(j.Features))
	from := min(DensePairs, len(j.Features))
	if from == many {
		return nil
	}
	d := j.double(DensePairs)
	lists := make([]leaders, many-from)
	each.Do(many-from, func(n int) {
		b := from + n
		v := make([]float64, j.s.Points())
		j.Row(v, j.Features[b])
		j.Project(v)
		norm := 1 / math.Sqrt(column.Dot(v, v))
		rb := column.Dot(v, j.tq) * norm
		lists[n] = leaders{keep: 4, cut: j.Floor}
		for a := range few {
			c := column.Dot(d.rows[a], v) * norm
			if den := 1 - c*c; den > leastDen {
				x := rb - c*d.r[a]
				lists[n].offer(d.r[a]*d.r[a]+x*x/den, a, b, -1)
			}
		}
		lists[n].trim()
	})
	return j.rescore(merged(lists, keep+100).sets(), keep)
}

// merged returns the best pairs of all lists.
func merged(lists []leaders, keep int) *leaders {
	best := &leaders{keep: keep}
	for _, l := range lists {
		for _, p := range l.list {
			best.offer(p.gain, int(p.i), int(p.j), -1)
		}
	}
	return best
}

// Of sums that are found at once.
const (
	spare     = 10 // points left when the cheapest features are fitted together
	mostTerms = 10
	FewTerms  = 4
)

// Sparse fits all of the simplest features together, as many as the points allow. If the fit is
// exact with a few of them, it returns these. A sum of simple terms has one exact fit, however many
// terms it has.
func (j *Join) Sparse() []Combo {
	base := len(j.Base)
	n := min(len(j.Features), j.s.Points()-base-spare)
	if j.Factors || n < 2 {
		return nil
	}
	cols := slices.Clip(j.Base)
	for _, f := range j.Features[:n] {
		v := make([]float64, j.s.Points())
		j.Row(v, f)
		cols = append(cols, v)
	}
	kept, _ := column.Sift(cols, j.Target, mostTerms+base, Exact)
	var set []int32
	for _, k := range kept {
		if k >= base {
			set = append(set, int32(k-base))
		}
	}
	if len(set) == 0 {
		return nil
	}
	if cs := j.rescore([][]int32{set}, 1); j.Exact(cs[0], Exact) {
		return cs
	}
	return nil
}
