package column

import (
	"strconv"
	"strings"
)

// Exponent returns the decimal exponent of v: 2 for 365, -3 for 0.001, and 0 for 0. It is exact,
// while math.Log10(1000) is slightly less than 3.
func Exponent(v float64) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}
