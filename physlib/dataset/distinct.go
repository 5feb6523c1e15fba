package dataset

import (
	"encoding/binary"
	"math"
)

// Distinct returns the number of different rows of columns. Equal rows are repeated measurements:
// they show the size of the errors, but nothing more about the law. If there are more than
// manyDistinct different rows, all rows count as different.
func Distinct(cols [][]float64, rows int) int { return distinct(cols, rows, manyDistinct) }

// distinct returns the number of different rows, or rows if there are more than most.
func distinct(cols [][]float64, rows, most int) int {
	seen := make(map[string]struct{}, min(rows, most))
	key := make([]byte, 0, 8*len(cols))
	for i := range rows {
		key = key[:0]
		for _, c := range cols {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(c[i]+0)) // -0 equals 0
		}
		seen[string(key)] = struct{}{}
		if len(seen) > most {
			return rows
		}
	}
	return len(seen)
}

// manyDistinct is the largest number of different rows that are counted.
const manyDistinct = 5000
