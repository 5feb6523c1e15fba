package mdl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
)

// showsPoles reports whether the rows show each pole of t that lies between them. Where a
// denominator changes sign, the law tends to opposite infinities on the two sides. So its values in
// the neighbouring rows must differ by at least the interquartile range of all values. Otherwise
// the pole is an artefact of the fit.
func (s *Scorer) showsPoles(t expr.Tree) bool {
	var values []float64 // values of t in each row
	least := 0.0
	for _, d := range t.Denominators() {
		of := d.Vars()
		if len(of) != 1 {
			continue
		}
		for _, pair := range s.changesOfSign(d, of[0], t.Params()) {
			if values == nil {
				values = s.Values(t, t.Params())
				sorted := slices.Sorted(slices.Values(values))
				least = stat.Quantile(0.75, stat.LinInterp, sorted, nil) - stat.Quantile(0.25, stat.LinInterp, sorted, nil)
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			for i, x := range s.Cols[of[0]] {
				if x == pair[0] || x == pair[1] {
					lo, hi = min(lo, values[i]), max(hi, values[i])
				}
			}
			if hi-lo < least {
				return false
			}
		}
	}
	return true
}

// changesOfSign returns the pairs of neighbouring values of variable v between which t changes
// sign. t is a function of v alone.
func (s *Scorer) changesOfSign(t expr.Tree, v int, params []float64) (pairs [][2]float64) {
	x := slices.Compact(slices.Sorted(slices.Values(s.Cols[v])))
	cols := make([][]float64, len(s.Cols))
	cols[v] = x
	f := t.Values(len(x), cols, params)
	for i := range len(x) - 1 {
		if f[i]*f[i+1] < 0 {
			pairs = append(pairs, [2]float64{x[i], x[i+1]})
		}
	}
	return pairs
}
