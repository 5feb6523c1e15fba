package dataset

import "math"

// ShareErrors returns standard errors that are a share of the values of a law. They are not a share
// of the measured values, since rows that are too low by chance would then count more than rows
// that are too high. Fitted laws would be too low: by 8 % if the share is 20 %.
//
// In rows that contradict the share, the error is the share of the measured value instead. In such
// a row, the law has another sign than the measured value, or less than a tenth of it. A share of
// the law's value would then be far too small an error.
func ShareErrors(share float64, values, measured []float64) []float64 {
	sigma := make([]float64, len(values))
	for i, v := range values {
		if !(v/measured[i] >= leastRatio) || math.IsInf(v, 0) {
			v = measured[i]
		}
		sigma[i] = share * math.Abs(v)
	}
	return sigma
}

// leastRatio is the least ratio of a law's value to the measured one at which the error may be a
// share of the law's value.
const leastRatio = 0.1

// WithShare returns t with standard errors of the target that are a share of its values.
func (t *Table) WithShare(share float64) *Table {
	u := *t
	u.Share, u.Sigma = share, Shares(share, t.Target.Values)
	return &u
}

// Shares returns the given share of the absolute value of each element of values.
func Shares(share float64, values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = share * math.Abs(v)
	}
	return out
}
