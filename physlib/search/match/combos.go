package match

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/fit/qr"
	"github.com/physlib/lab/physlib/pair"
	"github.com/physlib/lab/physlib/search/dictionary"
)

// Combo is a combination of features, given as indices into Join.Features. Miss is the squared norm
// of the residual after a fit of the features, relative to the squared norm of the target. For both
// norms, the base is projected out.
type Combo struct {
	Features []int32
	Miss     float64
}

// Exact reports whether the residual of the combination is below eps, relative to the norm of the
// whole target.
func (j *Join) Exact(c Combo, eps float64) bool {
	return math.Sqrt(c.Miss)*j.Residual() < eps
}

// score returns the combination of feats, with its Miss calculated in double precision. row returns
// the column of a feature, with the base projected out.
func (j *Join) score(feats []int32, row func(int32) []float64) Combo {
	_, res, ok := j.without(feats, row)
	if miss := column.Dot(res, res); ok && !math.IsNaN(miss) {
		return Combo{feats, miss}
	}
	return Combo{feats, 1}
}

// without returns an orthonormal basis of the features, and the residual of the target after a fit
// of the features. ok is false if the features are linearly dependent.
func (j *Join) without(feats []int32, row func(int32) []float64) (basis [][]float64, res []float64, ok bool) {
	res = slices.Clone(j.tq)
	for _, f := range feats {
		u, ok := column.Independent(basis, row(f))
		if !ok {
			return nil, nil, false
		}
		basis = append(basis, u)
		floats.AddScaled(res, -column.Dot(u, res), u)
	}
	return basis, res, true
}

// projected calculates the columns of all features in sets, with the base projected out. It returns
// a function that gives the column of a feature.
func (j *Join) projected(sets [][]int32) func(int32) []float64 {
	at := map[int32]int{}
	var ids []int32
	for _, s := range sets {
		for _, f := range s {
			if _, known := at[f]; !known {
				at[f] = len(ids)
				ids = append(ids, f)
			}
		}
	}
	rows := make([][]float64, len(ids))
	each.Do(len(ids), func(i int) {
		rows[i] = make([]float64, j.s.Points())
		j.Row(rows[i], j.Features[ids[i]])
		j.Project(rows[i])
	})
	return func(f int32) []float64 { return rows[at[f]] }
}

// explicit returns the Miss of a ratio, calculated from the residuals of the target. By contrast,
// score multiplies the equation by the denominator and uses the residuals of the result.
func (j *Join) explicit(c Combo) float64 {
	coef, _, ok := j.Solve(c.Features)
	if !ok {
		return c.Miss
	}
	res, below := append([]float64(nil), j.Target...), column.Ones(len(j.Target))
	v := make([]float64, len(j.Target))
	for i, k := range coef {
		if i < len(j.Base) {
			floats.AddScaled(res, -k, j.Base[i])
			continue
		}
		f := j.Features[c.Features[i-len(j.Base)]]
		j.Row(v, f)
		floats.AddScaled(res, -k, v)
		if f.Role == dictionary.Share {
			for r, t := range j.Target {
				if t != 0 {
					below[r] -= k * v[r] / t
				}
			}
		}
	}
	floats.Div(res, below)
	miss := column.Dot(res, res) / (j.Norm * j.Norm)
	if !(miss < 1) {
		return 1
	}
	return miss
}

// rescore scores each set of features in double precision. It returns the best combinations, at
// most keep, the best first.
func (j *Join) rescore(sets [][]int32, keep int) []Combo {
	cs := make([]Combo, len(sets))
	row := j.projected(sets)
	each.Do(len(sets), func(i int) {
		cs[i] = j.score(sets[i], row)
		if j.Ratio && cs[i].Miss < 0.1 {
			cs[i].Miss = j.explicit(cs[i])
		}
	})
	slices.SortStableFunc(cs, func(a, b Combo) int { return cmp.Compare(a.Miss, b.Miss) })
	return cs[:min(len(cs), keep)]
}

// Singles returns the best single features, at most keep.
func (j *Join) Singles(keep int) []Combo {
	size := func(i int) float64 { return math.Abs(float64(j.r[i])) }
	order := column.Order(len(j.Features), func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	var sets [][]int32
	for _, f := range order[:min(len(order), 2*keep)] {
		sets = append(sets, []int32{int32(f)})
	}
	return j.rescore(sets, keep)
}

// Pairs returns the best pairs among the first n features, at most keep.
func (j *Join) Pairs(ctx context.Context, n, keep int) []Combo {
	n = min(n, len(j.Features))
	if n < 2 {
		return nil
	}
	found := j.Kernel.Square(ctx, j.rows.Slice(0, n), j.r[:n], pair.Options{K: 3*keep + 500, Floor: j.singleFloor()})
	sets := make([][]int32, len(found))
	for i, f := range found {
		sets[i] = []int32{f.I, f.J}
	}
	return j.rescore(sets, keep)
}

// extensions is the number of features with which Extend tries each combination.
const extensions = 12

// Extend adds a feature to each combination in from. It returns the best of the results, at most
// keep. A combination is tried with the features that reduce its residual most.
func (j *Join) Extend(from []Combo, keep int) []Combo {
	row := j.projected(sets(from))
	longer := make([][][]int32, len(from))
	each.Do(len(from), func(n int) {
		basis, res, ok := j.without(from[n].Features, row)
		if !ok {
			return
		}
		along := j.rows.Along(res)
		gain := make([]float64, len(along)) // the share that the feature takes from the residual
		for i, a := range along {
			gain[i] = float64(a) * float64(a)
		}
		left := column.Ones(len(along)) // the squared norm of the feature outside the basis
		for _, b := range basis {
			for i, c := range j.rows.Along(b) {
				left[i] -= float64(c) * float64(c)
			}
		}
		for i := range gain {
			gain[i] /= left[i]
			if !(left[i] > 1e-5) {
				gain[i] = 0 // dependent on the combination, within single precision
			}
		}
		for range min(extensions, len(gain)) {
			f := floats.MaxIdx(gain)
			gain[f] = 0
			set := append(slices.Clone(from[n].Features), int32(f))
			slices.Sort(set)
			longer[n] = append(longer[n], set)
		}
	})
	all := slices.Concat(longer...)
	slices.SortFunc(all, slices.Compare)
	return j.rescore(slices.CompactFunc(all, slices.Equal), keep)
}

// sets returns the features of each combination.
func sets(of []Combo) (sets [][]int32) {
	for _, c := range of {
		sets = append(sets, c.Features)
	}
	return sets
}

// singleFloor returns a bound slightly below Floor, for the kernel, which works in single
// precision.
func (j *Join) singleFloor() float32 { return float32(max(0, j.Floor-1e-3)) }

// Solve fits the base and the features to the target by least squares. It returns the coefficients
// and their standard errors, estimated from the residuals.
func (j *Join) Solve(feats []int32) (coef, stderr []float64, ok bool) {
	cols := append([][]float64(nil), j.Base...)
	for _, f := range feats {
		v := make([]float64, j.s.Points())
		j.Row(v, j.Features[f])
		cols = append(cols, v)
	}
	return qr.LeastSquares(cols, j.Target)
}

// Bare returns the combination without features, which consists only of the base.
func Bare() Combo { return Combo{Miss: 1} }
