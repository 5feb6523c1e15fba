package vec

//go:generate go run ./internal/gen

import "math"

// scalar64 returns the float64 functions of the vector sets, applied to vectors of one number. So
// it gives the same bits as the vector sets.
func scalar64() *Set[float64] {
	s := newSet[float64]("scalar")
	s.Unary[Exp], s.Unary[Log], s.Unary[Sin], s.Unary[Cos], s.Unary[Tan] = exp64x1, log64x1, sin64x1, cos64x1, tan64x1
	s.Unary[Asin], s.Unary[Acos], s.Unary[Atan] = asin64x1, acos64x1, atan64x1
	s.Unary[Sinh], s.Unary[Cosh], s.Unary[Tanh] = sinh64x1, cosh64x1, tanh64x1
	s.Binary[Pow] = func(dst, a, b []float64) { power64(dst, a, b, s, pow64x1) }
	return s
}

// scalar32 calculates with package math in float64, which has more digits than float32 needs.
func scalar32() *Set[float32] {
	s := newSet[float32]("scalar")
	for op, f := range map[Unary]func(float64) float64{Exp: math.Exp, Log: math.Log, Sin: math.Sin, Cos: math.Cos,
		Tan: math.Tan, Asin: math.Asin, Acos: math.Acos, Atan: math.Atan, Sinh: math.Sinh, Cosh: math.Cosh, Tanh: math.Tanh} {
		s.Unary[op] = func(dst, a []float32) {
			sa := step(len(dst), len(a)) / Block
			for i, j := 0, 0; i < len(dst); i, j = i+1, j+sa {
				dst[i] = float32(f(float64(a[j])))
			}
		}
	}
	general := func(dst, a, b []float32) {
		sa, sb := step(len(dst), len(a))/Block, step(len(dst), len(b))/Block
		for i, ja, jb := 0, 0, 0; i < len(dst); i, ja, jb = i+1, ja+sa, jb+sb {
			dst[i] = float32(math.Pow(float64(a[ja]), float64(b[jb])))
		}
	}
	s.Binary[Pow] = func(dst, a, b []float32) { power32(dst, a, b, s, general) }
	return s
}

// newSet returns a set with scalar arithmetic kernels.
func newSet[T Float](name string) *Set[T] {
	s := &Set[T]{Name: name}
	for i := range s.ones {
		s.ones[i] = 1
	}
	arithScalar(s)
	return s
}
