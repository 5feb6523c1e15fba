package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
)

// columns returns the values of the table's columns and known constants, in their own units.
func columns(t *dataset.Table) [][]float64 {
	cols := make([][]float64, 0, len(t.Vars)+len(t.Consts))
	for _, c := range t.Vars {
		cols = append(cols, c.Values)
	}
	for _, k := range t.Consts {
		cols = append(cols, slices.Repeat([]float64{k.Value}, t.Rows()))
	}
	return cols
}

// weights returns 1/σ² of each row, or nil if the errors are not given.
func weights(t *dataset.Table) []float64 {
	if t.Sigma == nil {
		return nil
	}
	w := make([]float64, len(t.Sigma))
	for i, s := range t.Sigma {
		w[i] = 1 / (s * s)
	}
	return w
}

// magnitude returns the median of |v| over the finite values other than 0, or 1 if there are none.
func magnitude(v []float64) float64 {
	var a []float64
	for _, x := range v {
		if x = math.Abs(x); x > 0 && !math.IsInf(x, 0) {
			a = append(a, x)
		}
	}
	if len(a) == 0 {
		return 1
	}
	return dataset.Kth(a, len(a)/2)
}

// magnitudes returns the absolute values of v.
func magnitudes(v []float64) []float64 {
	sizes := make([]float64, len(v))
	for i, x := range v {
		sizes[i] = math.Abs(x)
	}
	return sizes
}

// unitVariance returns the columns that are not constant, scaled to mean zero and mean square one.
func unitVariance(cols [][]float64) [][]float64 {
	var z [][]float64
	for _, c := range cols {
		mean, sq := 0.0, 0.0
		for _, v := range c {
			mean += v / float64(len(c))
		}
		for _, v := range c {
			sq += (v - mean) * (v - mean) / float64(len(c))
		}
		if !(sq > 0) || math.IsInf(sq, 0) || math.IsInf(mean, 0) {
			continue
		}
		u := make([]float64, len(c))
		for i, v := range c {
			u[i] = (v - mean) / math.Sqrt(sq)
		}
		z = append(z, u)
	}
	return z
}

// dot returns the scalar product of a and b.
func dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// comparedRows is the largest number of rows in which the values of two spellings of a law are
// compared.
const comparedRows = 1000

// firstRows returns the columns of t, as columns does, up to the row comparedRows, and their number
// of rows.
func firstRows(t *dataset.Table) (cols [][]float64, rows int) {
	cols, rows = columns(t), min(t.Rows(), comparedRows)
	for i := range cols {
		cols[i] = cols[i][:rows]
	}
	return cols, rows
}
