// Package outlier finds rows of a table that contradict the others, because of typing errors, codes
// for missing values such as -999, or failed sensors.
//
// # Design
//
// Suspects needs no law. It fits polynomials by least absolute deviations, which a few rows hardly
// influence (Koenker and Bassett, Econometrica 46, 33, 1978). The polynomials are fitted to the
// target and to its logarithm, as functions of the columns, of their logarithms and of their ranks.
// The fit with the smallest residuals is used. Only rows with gross errors are reported, and only
// if they are isolated. The rows of a narrow peak, for example, are not errors.
//
// Rows that are far out in a column can influence even such a fit, so they are suspects without a
// fit. If many rows share the largest or the smallest value of the target, as with a saturated
// instrument, these rows are also suspects.
//
// LargeResiduals is used if a law is known. It returns rows whose residuals are too large to be
// errors of the same kind as those of the other rows.
package outlier

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
)

const (
	// leastRows is the least number of rows in a table for which outliers are searched for.
	leastRows = 12
	// rowsPerOutlier is the least ratio of rows to outliers: at most one row in 8 may be an
	// outlier.
	rowsPerOutlier = 8
	// stuck is used to decide whether y is cut off at its largest or smallest value. The number of
	// rows that share this value must be at least stuck times the number of rows that share the
	// most frequent other value.
	stuck = 4
	// wide is the largest residual from a smooth function that counts as a normal error, in
	// standard deviations estimated from the median.
	wide = 8
	// wideOfLaw is the same for residuals from a law (LargeResiduals). It is smaller, since a law
	// describes features that a smooth function may miss.
	wideOfLaw = 7
	// strongest is the largest evidence that one outlier can give. The evidence of an outlier is
	// the ratio of its residual to the limit set by wide. The sum of all evidence is compared with
	// the number of other rows whose residual is at least half the limit.
	strongest = 20
	// gross is the least residual of an outlier, in units of the target's spread.
	gross = 0.1
	// mostFitted is the largest number of rows to which the polynomials are fitted.
	mostFitted = 300
	// mostExamined is the largest number of outliers for which the neighbours are examined.
	mostExamined = 200
	// mostRows is the largest number of rows of a table in which outliers are searched for.
	mostRows = 100_000
	// mostTerms is the largest number of terms of a polynomial.
	mostTerms = 40
	// iterations is the number of iterations of reweighted least squares. After these, the sum of
	// absolute deviations is close to its minimum.
	iterations = 15
)

// Most returns the largest number of outliers allowed among n rows.
func Most(n int) int {
	if n < leastRows {
		return 0
	}
	return max(1, n/rowsPerOutlier)
}

// Suspects returns the indices of rows that may be errors, in rising order:
//
//   - rows whose y is the largest or the smallest and is shared by many rows,
//   - rows that are far out in a column,
//   - rows that are far from a smooth function of the other rows.
//
// A group that is too large to consist of exceptions is left out. Suspects returns nil if no rows
// remain, or if the table has fewer than 12 or more than 100 000 rows.
func Suspects(cols [][]float64, y []float64) []int {
	if len(y) < leastRows || len(y) > mostRows {
		return nil
	}
	out := Union(Saturated(y), far(cols))
	rows := Complement(len(y), out)
	part, target := make([][]float64, len(cols)), dataset.Pick(y, rows)
	for k, c := range cols {
		part[k] = dataset.Pick(c, rows)
	}
	var odd []int
	for _, i := range strange(part, target) {
		odd = append(odd, rows[i])
	}
	return Union(out, odd)
}

// Saturated returns the rows with the largest or the smallest y, in rising order, if y seems to be
// cut off there: many rows share that value, and few rows share any other. It returns nil if there
// are no such rows, or if they are more than a third of all rows.
func Saturated(y []float64) (out []int) {
	count := make(map[float64]int, len(y))
	for _, v := range y {
		count[v]++
	}
	lo, hi, common := slices.Min(y), slices.Max(y), 1
	for v, n := range count {
		if v != lo && v != hi {
			common = max(common, n)
		}
	}
	for i, v := range y {
		if (v == lo || v == hi) && count[v] >= stuck*common {
			out = append(out, i)
		}
	}
	if len(out) > len(y)/3 {
		return nil
	}
	return out
}

// far returns the rows that have a value far out in a column, in rising order. If the logarithm of
// the column is more symmetric, the value must be far out in the logarithm as well. It returns nil
// if there are too many such rows to be exceptions.
func far(cols [][]float64) (out []int) {
	for _, c := range cols {
		rows, skew := outside(c)
		if l := logs(c); l != nil && len(rows) > 0 {
			if there, less := outside(l); less < skew {
				rows = Intersect(rows, there)
			}
		}
		out = Union(out, rows)
	}
	if len(out) > 0 && len(out) > Most(len(cols[0])) {
		return nil
	}
	return out
}

// outside returns the rows of c that are NaN or far out. A value is far out
// if its distance from the middle three quarters of the values exceeds 1.5
// times their range. outside also returns the asymmetry of these three
// quarters, from 0 to 1. It returns no rows if most values of c are the same.
func outside(c []float64) (out []int, skew float64) {
	sorted := slices.DeleteFunc(slices.Clone(c), math.IsNaN)
	slices.Sort(sorted)
	n := len(sorted)
	lo, mid, hi := sorted[n/8], sorted[n/2], sorted[n-1-n/8]
	if !(hi > lo) || sorted[n/4] == sorted[n-1-n/4] {
		return nil, 1
	}
	for i, v := range c {
		if !(v >= lo-1.5*(hi-lo) && v <= hi+1.5*(hi-lo)) {
			out = append(out, i)
		}
	}
	return out, math.Abs((hi-mid)-(mid-lo)) / (hi - lo)
}

// strange returns the rows whose y is far from a smooth function of the columns. The function is
// fitted so that outliers hardly influence it. The rows are in rising order.
func strange(cols [][]float64, y []float64) []int {
	f, ok := smoothest(cols, y)
	if !ok {
		return nil
	}
	out, tail := f.apart(y)
	if len(out) == 0 || len(out) > Most(len(y)) || tail || crowded(cols, f.res, out) {
		return nil
	}
	return out
}

// apart returns the rows whose y is far from the function f. tail reports whether many other rows
// are nearly as far away. In this case, the true law simply differs from f.
func (f fitOf) apart(y []float64) (out []int, tail bool) {
	off := f.res
	// Where y is small, a large difference of logarithms may be a small difference of y. A row with
	// a small difference of y is not an outlier.
	if f.log {
		off = make([]float64, len(y))
		sign := math.Copysign(1, median(slices.Clone(y)))
		for i, v := range f.value {
			off[i] = y[i] - sign*math.Exp(v)
		}
	}
	limit, plain := max(wide*f.scale, gross), wide*Scale(off)
	near, evidence := 0.0, 0.0
	for i, r := range f.res {
		switch r, d := math.Abs(r)/limit, math.Abs(off[i])/plain; {
		case !(r < 1) && !(d < 1):
			out = append(out, i)
			evidence += min(r, strongest)
		case r >= 0.5 && d >= 0.5:
			near++
		}
	}
	return out, near > 2*evidence
}

// LargeResiduals returns the rows whose residual from a law exceeds both floor and seven standard
// deviations, estimated from the median residual.
func LargeResiduals(res []float64, floor float64) (rows []int) {
	limit := max(wideOfLaw*Scale(res), floor)
	for i, r := range res {
		if !(math.Abs(r) <= limit) {
			rows = append(rows, i)
		}
	}
	return rows
}

// Scale returns the standard deviation of normal errors that have the same median absolute value as
// v.
func Scale(v []float64) float64 {
	size := make([]float64, len(v))
	for i, x := range v {
		size[i] = math.Abs(x)
	}
	return 1.4826 * median(size)
}

// Spread returns the Scale of the deviations of v from its median.
func Spread(v []float64) float64 {
	m := median(slices.Clone(v))
	off := make([]float64, len(v))
	for i, x := range v {
		off[i] = x - m
	}
	return Scale(off)
}

// median returns the median of v. It reorders v. NaN counts as smaller than all numbers.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return dataset.Kth(v, len(v)/2)
}

// leastStretch is the least length of a sequence of consecutive rows that DropSmoothRuns removes
// because the target is smooth in it.
const leastStretch = 5

// DropSmoothRuns returns rows without those in stretches of five or more consecutive rows over
// which y is smooth. In such a stretch, y changes fast, as at the start of a relaxation. A law must
// describe this change, so these rows are not errors. rows must be in rising order.
func DropSmoothRuns(rows []int, y []float64) []int {
	var kept []int
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n] == rows[n-1]+1 {
			n++
		}
		if n < leastStretch || !gradual(y[rows[0]:rows[n-1]+1]) {
			kept = append(kept, rows[:n]...)
		}
		rows = rows[n:]
	}
	return kept
}

// gradual reports whether y is smooth: its second differences are small compared with its first
// differences.
func gradual(y []float64) bool {
	rise, bend := 0.0, 0.0
	for i := 2; i < len(y); i++ {
		rise += math.Abs(y[i] - y[i-1])
		bend += math.Abs(y[i] - 2*y[i-1] + y[i-2])
	}
	return bend < rise/2
}
