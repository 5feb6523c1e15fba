package match

import (
	"math"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/pair"
)

// dense is the Gram matrix of a join's cheapest features in double precision. It is needed for laws
// with nearly collinear terms, such as 1 and 1/√(1 - v²/c²) at small v. The pair kernel works in
// single precision and drops such pairs.
type dense struct {
	n    int
	gram []float64   // n × n
	rows [][]float64 // the features, projected and normalised
	r    []float64   // scalar products of the rows with the normalised target
}

// Bounds of the search in double precision.
const (
	DensePairs   = 250 // number of cheapest features of which all pairs are scored
	DenseTriples = 90  // number of cheapest features of which all triples are scored
	// Least squared norm of the component of a feature (scaled to unit norm) that is orthogonal to
	// the other features. Combinations with a smaller norm are dropped.
	leastDen = 1e-9
)

// double returns the dense matrix of the first n features, or an existing larger one.
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

// leader is a set of features and the fraction of the target's squared norm that they explain.
type leader struct {
	gain float64
	set  []int32
}

// leaders returns a collector of the sets that explain most of the target.
func (j *Join) leaders(keep int) *pair.Top[leader] {
	return &pair.Top[leader]{Keep: keep + 100, Cut: max(j.Floor, math.SmallestNonzeroFloat64), Score: func(l leader) float64 { return l.gain }}
}

// best returns the combinations of the best sets.
func (j *Join) best(of *pair.Top[leader], keep int) []Combo {
	var sets [][]int32
	for _, l := range of.Best() {
		sets = append(sets, l.set)
	}
	return j.rescore(sets, keep)
}

// PairsInDouble returns the best pairs among the first n features, in double precision.
func (j *Join) PairsInDouble(n, keep int) []Combo {
	n = min(n, len(j.Features))
	if n < 2 {
		return nil
	}
	d := j.double(n)
	best := j.leaders(keep)
	for b := range n {
		g := d.gram[b*d.n:]
		for a := range b {
			c := g[a]
			if den := 1 - c*c; den > leastDen {
				x := d.r[b] - c*d.r[a]
				if gain := d.r[a]*d.r[a] + x*x/den; gain >= best.Cut {
					best.Add(leader{gain, []int32{int32(a), int32(b)}})
				}
			}
		}
	}
	return j.best(best, keep)
}

// Triples returns the best triples among the first n features, in double precision.
func (j *Join) Triples(n, keep int) []Combo {
	n = min(n, len(j.Features))
	if n < 3 {
		return nil
	}
	d := j.double(n)
	best := j.leaders(keep)
	// In these three, feature a is projected out. left[c] is the scalar product of features b and
	// c, r[b] that of feature b and the target, and den[b] the squared norm of feature b.
	left, r, den := make([]float64, n), make([]float64, n), make([]float64, n)
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
			both := d.r[a]*d.r[a] + r[b]*r[b]/den[b]
			for c := b + 1; c < n; c++ {
				left[c] = gb[c] - ga[b]*ga[c]
				f := left[c] / den[b]
				rest := den[c] - left[c]*f
				if rest > leastDen {
					x := r[c] - f*r[b]
					if gain := both + x*x/rest; gain >= best.Cut {
						best.Add(leader{gain, []int32{int32(a), int32(b), int32(c)}})
					}
				}
			}
		}
	}
	return j.best(best, keep)
}
