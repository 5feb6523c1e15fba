// Package outlier finds rows of a table that contradict the others: slips of the pen, sentinels
// such as -999 for missing values, sensors that failed.
//
// # Design
//
// Suspects knows no law. It fits polynomials by least absolute deviations, which a few rows cannot
// bend (Koenker and Bassett, Econometrica 46, 33, 1978). They are fitted to the target and to its
// logarithm, over the columns, their logarithms and their ranks. The fit with the smallest
// residuals decides. It accepts gross errors only, and only rows that stand alone, since the rows
// of a narrow peak are not errors. Rows that are far out in a column have leverage and can bend
// even such a fit, so they are suspected before. So are many rows that share the largest or the
// least value, as an instrument at its limit gives. Beyond reports which residuals of a law that is
// known are too large to be errors of the same kind as the others.
package outlier

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
)

const (
	// leastRows is how many rows a table needs for any to be distinguished from the others.
	leastRows = 12
	// share is one in how many rows may be an outlier.
	share = 8
	// stuck is how many rows have the value at which y seems to be cut off, as a multiple of those
	// with any other value.
	stuck = 4
	// wide is how many standard deviations of normal errors, found from the median, a residual of a
	// smooth function may be.
	wide = 8
	// strongest is for how many rows an outlier counts at most, by its distance in wide, against
	// rows that are half as far.
	strongest = 20
	// gross is how much of the target's spread an outlier is off at least.
	gross = 0.1
	// fitted is how many rows the polynomials are fitted to at most.
	fitted = 300
	// crowd is how many outliers are asked for their neighbours at most.
	crowd = 200
	// longest is how many rows a table may have.
	longest = 100_000
	// most terms of a polynomial.
	most = 40
	// rounds of reweighting, after which absolute deviations are near their least.
	rounds = 15
)

// Most returns how many of n rows may be outliers.
func Most(n int) int {
	if n < leastRows {
		return 0
	}
	return max(1, n/share)
}

// Suspects returns the rows that may be errors, in order. They share the largest or the least y,
// are far out in a column, or are far from a smooth function of the others. It returns nil if there
// are none or too many to be exceptions, and for tables of under 12 or over 100 000 rows.
func Suspects(cols [][]float64, y []float64) []int {
	if len(y) < leastRows || len(y) > longest {
		return nil
	}
	out := Union(Stuck(y), far(cols))
	rows := Others(len(y), out)
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

// Stuck returns the rows with the largest or the least y, in order, where y seems to be cut off.
// Then many rows share that value, and few share another. It is nil where there are none, or more
// than a third of all.
func Stuck(y []float64) (out []int) {
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

// far returns the rows, in order, that have a value far out in a column. Where the logarithm is
// more symmetric, they must be far out in it as well. It is nil where they are too many to be
// exceptions.
func far(cols [][]float64) (out []int) {
	for _, c := range cols {
		rows, skew := outside(c)
		if l := logs(c); l != nil && len(rows) > 0 {
			if there, less := outside(l); less < skew {
				rows = Both(rows, there)
			}
		}
		out = Union(out, rows)
	}
	if len(out) > 0 && len(out) > Most(len(cols[0])) {
		return nil
	}
	return out
}

// outside returns the rows of c without a value, or further from the middle three quarters than 3/2
// of their width. It also returns the asymmetry of these quarters, from 0 to 1. It returns no rows
// where most of c is one value.
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

// strange returns the rows, in order, whose y is far from what a smooth function of the columns
// gives for the others.
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

// apart returns the rows that are far from the function. tail reports that others come near to them
// in number and distance. Then all are residuals of a law that the function does not follow.
func (f fitOf) apart(y []float64) (out []int, tail bool) {
	off := f.res
	if f.log { // what is far off as a ratio may be as near as the others as a difference, where y is small
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

// Beyond returns the rows whose residual is more than seven standard deviations, found from the
// median, and more than floor.
func Beyond(res []float64, floor float64) (rows []int) {
	limit := max(7*Scale(res), floor)
	for i, r := range res {
		if !(math.Abs(r) <= limit) {
			rows = append(rows, i)
		}
	}
	return rows
}

// Scale returns the standard deviation of normal errors that have the median of |v|.
func Scale(v []float64) float64 {
	size := make([]float64, len(v))
	for i, x := range v {
		size[i] = math.Abs(x)
	}
	return 1.4826 * median(size)
}

// Spread returns Scale of v about its median.
func Spread(v []float64) float64 {
	m := median(slices.Clone(v))
	off := make([]float64, len(v))
	for i, x := range v {
		off[i] = x - m
	}
	return Scale(off)
}

// median changes the order of v; NaN comes first.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return dataset.Kth(v, len(v)/2)
}

// leastStretch is how many rows in a row are no slips if the target is smooth over them.
const leastStretch = 5

// Alone returns the rows, which are in order, without stretches of five and more consecutive ones
// over which y is smooth. There a measurement changes fast, as at the start of a relaxation, and
// the law must follow.
func Alone(rows []int, y []float64) []int {
	var alone []int
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n] == rows[n-1]+1 {
			n++
		}
		if n < leastStretch || !gradual(y[rows[0]:rows[n-1]+1]) {
			alone = append(alone, rows[:n]...)
		}
		rows = rows[n:]
	}
	return alone
}

// gradual reports whether y bends less than it rises or falls.
func gradual(y []float64) bool {
	rise, bend := 0.0, 0.0
	for i := 2; i < len(y); i++ {
		rise += math.Abs(y[i] - y[i-1])
		bend += math.Abs(y[i] - 2*y[i-1] + y[i-2])
	}
	return bend < rise/2
}
