package vec

import "math"

// constant returns the value of a block b of equal values. ok is false if b is longer than a block
// or its values differ.
func constant[T Float](b []T) (value float64, ok bool) {
	if len(b) != Block {
		return 0, false
	}
	for _, x := range b[1:] {
		if x != b[0] {
			return 0, false
		}
	}
	return float64(b[0]), true
}

// power64 sets dst to a ** b. If b is a constant exponent that needs no logarithm, it calls
// simplePower. Otherwise it calls general.
func power64(dst, a, b []float64, s *Set[float64], general func(dst, a, b []float64)) {
	if exponent, ok := constant(b); !ok || !simplePower(dst, a, exponent, s) {
		general(dst, a, b)
	}
}

// simplePower sets dst to a ** exponent and returns true if exponent is a small whole number or
// ±1/2, which need no logarithm. It returns false for other exponents.
func simplePower[T Float](dst, a []T, exponent float64, s *Set[T]) bool {
	switch exponent {
	case 0:
		fill(dst, 1)
	case 1:
		s.Binary[Mul](dst, a, s.ones[:])
	case 2:
		s.Unary[Square](dst, a)
	case 3:
		s.Unary[Cube](dst, a)
	case 4:
		s.Unary[Square](dst, a)
		s.Unary[Square](dst, dst)
	case -1:
		s.Unary[Inv](dst, a)
	case 0.5, -0.5:
		if hasNegativeInf(a) {
			return false
		}
		s.Binary[Add](dst, a, s.zeros[:]) // -0 ** 0.5 is 0
		s.Unary[Sqrt](dst, dst)
		if exponent < 0 {
			s.Unary[Inv](dst, dst)
		}
	default:
		return false
	}
	return true
}

// power32 is like power64 in float32. For the exponent 4, it calls general, which calculates in
// float64.
func power32(dst, a, b []float32, s *Set[float32], general func(dst, a, b []float32)) {
	if exponent, ok := constant(b); !ok || exponent == 4 || !simplePower(dst, a, exponent, s) {
		general(dst, a, b)
	}
}

func hasNegativeInf[T Float](a []T) bool {
	for _, x := range a {
		if x < -math.MaxFloat32 && math.IsInf(float64(x), -1) {
			return true
		}
	}
	return false
}

func fill[T Float](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}
