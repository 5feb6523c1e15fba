package vec

import "math"

func scalar32() *Set[float32] { return scalarSet[float32]() }
func scalar64() *Set[float64] { return scalarSet[float64]() }

// scalarSet works through package math in float64 and rounds once to T.
func scalarSet[T Float]() *Set[T] {
	s := &Set[T]{Name: "scalar"}
	for i := range s.ones {
		s.ones[i] = 1
	}
	s.Unary = [NumUnary]func(dst, a []T){
		Neg:    func(dst, a []T) { each(dst, a, func(x T) T { return -x }) },
		Inv:    func(dst, a []T) { each(dst, a, func(x T) T { return 1 / x }) },
		Abs:    func(dst, a []T) { each(dst, a, func(x T) T { return T(math.Abs(float64(x))) }) },
		Square: func(dst, a []T) { each(dst, a, func(x T) T { return x * x }) },
		Cube:   func(dst, a []T) { each(dst, a, func(x T) T { return T(x*x) * x }) },
	}
	for op, f := range map[Unary]func(float64) float64{Sqrt: math.Sqrt, Exp: math.Exp, Log: math.Log, Sin: math.Sin,
		Cos: math.Cos, Tan: math.Tan, Asin: math.Asin, Acos: math.Acos, Atan: math.Atan, Sinh: math.Sinh, Cosh: math.Cosh,
		Tanh: math.Tanh} {
		s.Unary[op] = func(dst, a []T) { each(dst, a, func(x T) T { return T(f(float64(x))) }) }
	}
	arith := [Div + 1]func(x, y T) T{
		func(x, y T) T { return x + y }, func(x, y T) T { return x - y },
		func(x, y T) T { return x * y }, func(x, y T) T { return x / y }}
	s.Binary = [NumBinary]func(dst, a, b []T){
		Add: func(dst, a, b []T) { pairs(dst, a, b, func(x, y T) T { return x + y }) },
		Sub: func(dst, a, b []T) { pairs(dst, a, b, func(x, y T) T { return x - y }) },
		Mul: func(dst, a, b []T) { pairs(dst, a, b, func(x, y T) T { return x * y }) },
		Div: func(dst, a, b []T) { pairs(dst, a, b, func(x, y T) T { return x / y }) },
		Pow: func(dst, a, b []T) { pairs(dst, a, b, func(x, y T) T { return T(math.Pow(float64(x), float64(y))) }) },
	}
	for f := range arith {
		first := arith[f]
		s.Fused[f] = [NumOuter]func(dst, a, b, c []T){
			AddTo:   func(dst, a, b, c []T) { triples(dst, a, b, c, first, arith[Add]) },
			SubBy:   func(dst, a, b, c []T) { triples(dst, a, b, c, first, arith[Sub]) },
			SubFrom: func(dst, a, b, c []T) { triples(dst, a, b, c, first, func(t, z T) T { return z - t }) },
			MulBy:   func(dst, a, b, c []T) { triples(dst, a, b, c, first, arith[Mul]) },
			DivBy:   func(dst, a, b, c []T) { triples(dst, a, b, c, first, arith[Div]) },
			DivInto: func(dst, a, b, c []T) { triples(dst, a, b, c, first, func(t, z T) T { return z / t }) },
		}
	}
	return s
}

func each[T Float](dst, a []T, f func(T) T) {
	sa := step(len(dst), len(a))
	for ia := 0; len(dst) > 0; ia += sa {
		x := a[ia : ia+Block]
		for i := range x {
			dst[i] = f(x[i])
		}
		dst = dst[Block:]
	}
}

func pairs[T Float](dst, a, b []T, f func(x, y T) T) {
	sa, sb := step(len(dst), len(a)), step(len(dst), len(b))
	for ia, ib := 0, 0; len(dst) > 0; ia, ib = ia+sa, ib+sb {
		x, y := a[ia:ia+Block], b[ib:ib+Block]
		for i := range x {
			dst[i] = f(x[i], y[i])
		}
		dst = dst[Block:]
	}
}

func triples[T Float](dst, a, b, c []T, f, g func(x, y T) T) {
	sa, sb, sc := step(len(dst), len(a)), step(len(dst), len(b)), step(len(dst), len(c))
	for ia, ib, ic := 0, 0, 0; len(dst) > 0; ia, ib, ic = ia+sa, ib+sb, ic+sc {
		x, y, z := a[ia:ia+Block], b[ib:ib+Block], c[ic:ic+Block]
		for i := range x {
			dst[i] = g(f(x[i], y[i]), z[i])
		}
		dst = dst[Block:]
	}
}
