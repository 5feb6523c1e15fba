package dataset

import (
	"encoding/binary"
	"math"
)

// Distinct returns the number of different rows of columns. A repeated measurement shows how large
// the errors are, but nothing about the law. With more than 5000 rows, all count as different.
func Distinct(cols [][]float64, rows int) int {
	if rows > 5000 {
		return rows
	}
	seen := make(map[string]struct{}, rows)
	key := make([]byte, 0, 8*len(cols))
	for i := range rows {
		key = key[:0]
		for _, c := range cols {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(c[i]))
		}
		seen[string(key)] = struct{}{}
	}
	return len(seen)
}
