package outlier

import "slices"

// Slip is a value that was entered in another unit or with a misplaced decimal point.
type Slip struct {
	Row    int
	Column int     // index of the column, or Target
	Factor float64 // the value times this power of ten is the intended value
}

// Target is the Slip.Column of the target.
const Target = -1

// Factors are the powers of ten by which a value may be wrong. The cause may be a misplaced decimal
// point, mm instead of m, or g instead of kg.
var Factors = []float64{1e-1, 1e1, 1e-2, 1e2, 1e-3, 1e3}

// leastSorted is the least number of rows for which it is no coincidence that a column is in order.
const leastSorted = 8

// Slips returns values that break the order of otherwise strictly monotone columns, at most one for
// each column and each row. Such a value is outside the range of the other values. If it is
// multiplied by one of Factors, it lies between its neighbours.
func Slips(cols [][]float64) (out []Slip) {
	for k, c := range cols {
		if len(c) < leastSorted {
			continue
		}
		s, ok := slipOf(c)
		if ok && !slices.ContainsFunc(out, func(o Slip) bool { return o.Row == s.Row }) {
			s.Column = k
			out = append(out, s)
		}
	}
	return out
}

// slipOf returns the slip in column c. ok is false if there is none.
func slipOf(c []float64) (Slip, bool) {
	for _, i := range disorder(c) {
		rest := slices.Delete(slices.Clone(c), i, i+1)
		if !monotone(rest) || c[i] >= slices.Min(rest) && c[i] <= slices.Max(rest) {
			continue
		}
		repaired := slices.Clone(c)
		for _, f := range Factors {
			repaired[i] = c[i] * f
			if monotone(repaired) {
				return Slip{Row: i, Factor: f}, true
			}
		}
	}
	return Slip{}, false
}

// disorder returns the rows at which c changes in the less frequent direction, together with the
// rows before them. It returns none if there are more than two such changes.
func disorder(c []float64) (rows []int) {
	var up, down []int
	for i := 1; i < len(c); i++ {
		if c[i] > c[i-1] {
			up = append(up, i)
		} else {
			down = append(down, i)
		}
	}
	fewer := up
	if len(down) < len(up) {
		fewer = down
	}
	if len(fewer) > 2 {
		return nil
	}
	for _, i := range fewer {
		rows = append(rows, i-1, i)
	}
	return rows
}

// monotone reports whether v is strictly monotone.
func monotone(v []float64) bool {
	up, down := true, true
	for i := 1; i < len(v); i++ {
		up, down = up && v[i] > v[i-1], down && v[i] < v[i-1]
	}
	return up || down
}
