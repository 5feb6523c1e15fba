package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// mostPrecise is the largest number of bits that the precision of one constant costs.
const mostPrecise = 40

// ridge is added to the diagonal of a Fisher matrix, scaled to a diagonal of ones, before it is
// inverted. Then a combination of constants that the data do not determine has a large but finite
// error.
const ridge = 1e-13

// precisionBits returns the description length of constants, in bits, at the precision with which
// they are known. A single constant known to one part in n takes log₂ n bits. If constants
// compensate for one another, each combination that the data determine is priced in this way, the
// most precise combination first. Every other combination costs `least` bits. information is the
// Fisher matrix of the constants, with each row and column multiplied by its constant; it is
// overwritten.
func precisionBits(information *mat.SymDense, n int, least float64) (bits float64) {
	var open []int
	for i := range n {
		open = append(open, i)
	}
	for len(open) > 0 {
		at := 0
		for i, c := range open {
			if information.At(c, c) > information.At(open[at], open[at]) {
				at = i
			}
		}
		c := open[at]
		open = slices.Delete(open, at, at+1)
		pivot := max(information.At(c, c), 0)
		if !(pivot < math.Inf(1)) {
			bits += mostPrecise
			continue
		}
		bits += min(max(math.Log2(1+math.Sqrt(pivot)), least), mostPrecise)
		if pivot == 0 {
			continue
		}
		for i, a := range open {
			for _, b := range open[i:] {
				information.SetSym(a, b, information.At(a, b)-information.At(a, c)*information.At(c, b)/pivot)
			}
		}
	}
	return bits
}

// inverse returns the inverse of a Fisher matrix, or nil if it is not positive definite. Constants
// without effect get an infinite variance.
func inverse(c *mat.SymDense, n int) *mat.SymDense {
	size := make([]float64, n)
	unit := mat.NewSymDense(n, nil)
	for i := range n {
		size[i] = math.Sqrt(max(c.At(i, i), 0))
		unit.SetSym(i, i, 1+ridge)
		for j := range i {
			if size[i] > 0 && size[j] > 0 {
				unit.SetSym(i, j, c.At(i, j)/size[i]/size[j])
			}
		}
	}
	var ch mat.Cholesky
	if !ch.Factorize(unit) {
		return nil
	}
	out := mat.NewSymDense(n, nil)
	if err := ch.InverseTo(out); err != nil && out.IsEmpty() {
		return nil
	}
	for i := range n {
		for j := range i + 1 {
			v := out.At(i, j) / size[i] / size[j]
			if i != j && (size[i] == 0 || size[j] == 0) {
				v = 0
			}
			out.SetSym(i, j, v)
		}
	}
	return out
}
