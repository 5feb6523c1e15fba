package dataset

import (
	"encoding/binary"
	"math"
)

// Distinct returns the number of different rows of columns. A repeated measurement shows how large
// the errors are, but nothing about the law. Beyond manyDistinct different rows, all count as
// different.
func Distinct(cols [][]float64, rows int) int {
	seen := make(map[string]struct{}, min(rows, manyDistinct))
	key := make([]byte, 0, 8*len(cols))
	for i := range rows {
		key = key[:0]
		for _, c := range cols {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(c[i]))
		}
		if seen[string(key)] = struct{}{}; len(seen) > manyDistinct {
			return rows
		}
	}
	return len(seen)
}

// manyDistinct bounds the different rows that are counted.
const manyDistinct = 5000
