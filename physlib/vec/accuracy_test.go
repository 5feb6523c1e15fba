package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// awkward are special arguments: limits of domains, limits of the ranges of the algorithms, and
// limits of float32 and float64.
var awkward = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, -3, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324,
	-5e-324, 1e-310, 0x1p-1022, 0x1p-149, -0x1p-149, 0x1p-126, 1e-40, 0x1p-28, math.MaxFloat64, -math.MaxFloat64,
	math.MaxFloat32, math.Pi, math.Pi / 2, -math.Pi / 4, 355, 1e9, 1e10, 1e15, 1e22, 1e300, 48000, 48001, 709.78, 709.79, 710.4,
	710.5, -708.4, -745.1, -745.2, 88.72, 88.73, -87.3, -103.9, -104.1, 1 / math.Pi, 2.0 / 3, 4.0 / 3, math.Sqrt2, math.Sqrt2 - 1,
	math.Sqrt2 + 1, math.Nextafter(1, 0), math.Nextafter(1, 2), math.Nextafter(0.5, 1), 1 + 1e-7, 1 - 1e-7, 1e-8, 20, 22, 44, 1.5, -1.5}

// arguments draws n numbers: random bit patterns, wide and narrow ranges, and the awkward ones.
func arguments(rng *rand.Rand, n int, single bool) []float64 {
	a := make([]float64, n)
	for i := range a {
		switch rng.IntN(6) {
		case 0:
			if a[i] = math.Float64frombits(rng.Uint64()); single {
				a[i] = float64(math.Float32frombits(rng.Uint32()))
			}
		case 1:
			a[i] = 2*rng.Float64() - 1
		case 2:
			a[i] = 20*rng.Float64() - 10
		case 3:
			a[i] = 1500*rng.Float64() - 750
			if single {
				a[i] = 210*rng.Float64() - 105
			}
		case 4:
			a[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(12)))
		case 5:
			a[i] = awkward[rng.IntN(len(awkward))]
		}
	}
	return a
}

func convert[T Float](a []float64) []T {
	out := make([]T, len(a))
	for i := range a {
		out[i] = T(a[i])
	}
	return out
}

func TestUnary(t *testing.T) {
	rows := 4096
	if testing.Short() {
		rows = 1024
	}
	for f := range NumUnary {
		bound32, bound64 := f.Bound()
		t.Run(f.String(), func(t *testing.T) {
			t.Run("float32", func(t *testing.T) { testUnary(t, Sets32(), f, rows, bound32, true) })
			t.Run("float64", func(t *testing.T) { testUnary(t, Sets64(), f, rows, bound64, false) })
		})
	}
}

func testUnary[T Float](t *testing.T, sets []*Set[T], f Unary, rows int, bound float64, single bool) {
	a := convert[T](arguments(rand.New(rand.NewPCG(1, uint64(f))), rows, single))
	values := make([][]T, len(sets))
	for k, s := range sets {
		values[k] = make([]T, rows)
		s.Unary[f](values[k], a)
	}
	worst, at := make([]float64, len(sets)), make([]T, len(sets))
	for i, x := range a {
		want, ok := exact(f, float64(x))
		for k, s := range sets {
			y := values[k][i]
			if !ok {
				checkLimit(t, s.Name, fmt.Sprintf("%v(%v)", f, x), float64(y), limits[f](float64(x)))
				continue
			}
			if u := ulps(float64(y), want, single); u > worst[k] {
				worst[k], at[k] = u, x
			}
		}
	}
	for k, s := range sets {
		t.Logf("%s: %.3f ulp, at %v", s.Name, worst[k], at[k])
		if worst[k] > bound {
			t.Errorf("%s: %.3f ulp at %v, bound %v", s.Name, worst[k], at[k], bound)
		}
	}
}

// limits holds functions of package math. They give the expected result of each function if this
// result is not finite. Since they calculate in float64, they do not overflow where a float32
// would.
var limits = [NumUnary]func(float64) float64{func(x float64) float64 { return -x }, func(x float64) float64 { return 1 / x },
	math.Abs, math.Sqrt, func(x float64) float64 { return x * x }, func(x float64) float64 { return x * x * x }, math.Exp,
	math.Log, math.Sin, math.Cos, math.Tan, math.Asin, math.Acos, math.Atan, math.Sinh, math.Cosh, math.Tanh}

// checkLimit checks that got and want are the same number with the same sign, or both NaN.
func checkLimit(t *testing.T, set, what string, got, want float64) {
	t.Helper()
	near := math.Abs(got-want) <= 1e-6*math.Abs(want) // for results such as ±π/2
	if got != want && !near && !(math.IsNaN(got) && math.IsNaN(want)) || !math.IsNaN(want) && math.Signbit(got) != math.Signbit(want) {
		t.Errorf("%s: %s = %v, want %v", set, what, got, want)
	}
}

func TestPow(t *testing.T) {
	rows := 4096
	if testing.Short() {
		rows = 1024
	}
	bound32, bound64 := Pow.Bound()
	t.Run("float32", func(t *testing.T) { testPow(t, Sets32(), rows, bound32, true) })
	t.Run("float64", func(t *testing.T) { testPow(t, Sets64(), rows, bound64, false) })
}

func testPow[T Float](t *testing.T, sets []*Set[T], rows int, bound float64, single bool) {
	rng := rand.New(rand.NewPCG(2, 2))
	a := convert[T](arguments(rng, rows, single))
	b := arguments(rng, rows, single)
	for i := range b {
		if i%2 == 0 {
			b[i] = math.Round(rng.NormFloat64() * 8)
		}
		if i%3 == 0 {
			b[i] /= 4
		}
	}
	check := func(a, b []T) {
		for _, s := range sets {
			dst := make([]T, len(a))
			s.Binary[Pow](dst, a, b)
			worst, at := 0.0, 0
			for i, y := range dst {
				x, power := float64(a[i]), float64(b[i%len(b)])
				want, ok := exactPow(math.Abs(x), power)
				whole := power == math.Trunc(power)
				if !ok || x < 0 && !whole {
					checkLimit(t, s.Name, fmt.Sprintf("%v ** %v", x, power), float64(y), float64(T(math.Pow(x, power))))
					continue
				}
				if x < 0 && math.Mod(power, 2) != 0 {
					want.Neg(want)
				}
				if u := ulps(float64(y), want, single); u > worst {
					worst, at = u, i
				}
			}
			if t.Logf("%s: %.3f ulp, at %v ** %v", s.Name, worst, a[at], b[at%len(b)]); worst > bound {
				t.Errorf("%s: %.3f ulp at %v ** %v, bound %v", s.Name, worst, a[at], b[at%len(b)], bound)
			}
		}
	}
	check(a, convert[T](b))
	for _, power := range []T{0, 1, 2, 3, 4, 5, -1, -2, 0.5, -0.5, 1.5, 7, 0.3333} { // constant exponents
		block := make([]T, Block)
		fill(block, power)
		check(a[:1024], block)
	}
}

// All sets agree to the last bit in arithmetic. In float64 they agree in all functions, except for
// subnormal results.
func TestSetsAgree(t *testing.T) {
	agree(t, Sets32(), Square, true)
	agree(t, Sets64(), NumUnary-1, false)
}

func agree[T Float](t *testing.T, sets []*Set[T], last Unary, single bool) {
	rng := rand.New(rand.NewPCG(3, 3))
	const rows = 2048
	a, b, c := convert[T](arguments(rng, rows, single)), convert[T](arguments(rng, rows, single)), convert[T](arguments(rng, rows, single))
	want, got := make([]T, rows), make([]T, rows)
	same := func(set, what string) {
		t.Helper()
		for i := range want {
			if want[i] != got[i] && (want[i] == want[i] || got[i] == got[i]) && math.Abs(float64(want[i])) > 1e-300 {
				t.Fatalf("%s: %s of %v %v %v is %v, and %v in the scalar set", set, what, a[i], b[i], c[i], got[i], want[i])
			}
		}
	}
	for _, s := range sets[1:] {
		for f := Neg; f <= last; f++ {
			sets[0].Unary[f](want, a)
			s.Unary[f](got, a)
			same(s.Name, f.String())
		}
		for f := Add; f <= Div; f++ {
			for _, x := range [][]T{a, a[:Block]} {
				fill(a[:Block], 1.25) // a block of equal numbers
				sets[0].Binary[f](want, x, b)
				s.Binary[f](got, x, b)
				same(s.Name, f.String())
				for g := range NumOuter {
					sets[0].Fused[f][g](want, x, b, c)
					s.Fused[f][g](got, x, b, c)
					same(s.Name, fmt.Sprint(f, " fused ", g))
					// Fused gives the same results as two passes, also if dst is an operand.
					for i := range want {
						want[i] = second(g, arithmetic(f, a[i], b[i]), c[i])
						if len(x) == Block {
							want[i] = second(g, arithmetic(f, a[0], b[i]), c[i])
						}
					}
					same(s.Name, fmt.Sprint(f, " and ", g))
				}
			}
		}
	}
}

// Quotients and roots in float32 are correctly rounded, although the AVX-512 set calculates half of
// them without the division unit of the processor.
func TestCorrectRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const rows = 1 << 12
	a, b, dst := make([]float32, rows), make([]float32, rows), make([]float32, rows)
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for round := range rounds {
		for i := range a {
			x, y := rng.Uint32(), rng.Uint32()
			if round%3 > 0 { // near 1; otherwise all bit patterns
				x, y = x&(1<<23-1)|127<<23, y&(1<<23-1)|127<<23
			}
			if round%3 == 2 { // near the limits of the numbers for which no division unit is needed
				x, y = x+uint32(rng.IntN(3)-1)*86<<23, y+uint32(rng.IntN(3)-1)*43<<23
			}
			a[i], b[i] = math.Float32frombits(x), math.Float32frombits(y)
		}
		for _, s := range Sets32()[1:] {
			s.Binary[Div](dst, a, b)
			for i := range dst {
				if want := a[i] / b[i]; dst[i] != want && want == want {
					t.Fatalf("%s: %v/%v = %v, want %v", s.Name, a[i], b[i], dst[i], want)
				}
			}
			s.Unary[Sqrt](dst, a)
			for i := range dst {
				if want := float32(math.Sqrt(float64(a[i]))); dst[i] != want && want == want {
					t.Fatalf("%s: √%v = %v, want %v", s.Name, a[i], dst[i], want)
				}
			}
		}
	}
	if testing.Short() {
		return
	}
	for m := uint32(127 << 23); m < 129<<23; m += rows / 2 { // all mantissas, at even and odd exponents
		for i := range a {
			a[i] = math.Float32frombits(m + uint32(i)/32*16 + uint32(i)%16)
		}
		Best32().Unary[Sqrt](dst, a)
		for i := range dst {
			if want := float32(math.Sqrt(float64(a[i]))); dst[i] != want {
				t.Fatalf("√%v = %v, want %v", a[i], dst[i], want)
			}
		}
	}
}

func TestWholeAngles(t *testing.T) {
	zero, dst32, dst := make([]float32, Block), make([]float32, Block), make([]float64, Block)
	for _, s := range Sets32() {
		if s.Unary[Cos](dst32, zero); dst32[0] != 1 {
			t.Errorf("float32 %s: cos 0 = %v", s.Name, dst32[0])
		}
		if s.Unary[Exp](dst32, zero); dst32[0] != 1 {
			t.Errorf("float32 %s: exp 0 = %v", s.Name, dst32[0])
		}
	}
	for _, s := range Sets64() {
		for f, want := range map[Unary]float64{Cos: 1, Exp: 1, Cosh: 1, Acos: math.Pi / 2, Log: math.Inf(-1), Sin: 0, Tan: 0, Tanh: 0} {
			if s.Unary[f](dst, make([]float64, Block)); dst[0] != want {
				t.Errorf("float64 %s: %v 0 = %v, want %v", s.Name, f, dst[0], want)
			}
		}
	}
	// No sine exceeds 1.
	rng := rand.New(rand.NewPCG(5, 5))
	a, b := make([]float32, 1<<14), make([]float32, 1<<14)
	for i := range a {
		a[i] = float32(math.Pi/2+math.Pi*float64(rng.IntN(2000)-1000)) + float32(rng.NormFloat64())*1e-3
	}
	for _, s := range Sets32() {
		s.Unary[Sin](b, a)
		for i, y := range b {
			if y > 1 || y < -1 {
				t.Fatalf("%s: sin %v = %v", s.Name, a[i], y)
			}
		}
	}
}

func arithmetic[T Float](f Binary, x, y T) T {
	return [...]T{x + y, x - y, x * y, x / y}[f]
}

func second[T Float](g Outer, t, z T) T {
	return [...]T{t + z, t - z, z - t, t * z, t / z, z / t}[g]
}

func TestLengths(t *testing.T) {
	for _, s := range Sets32() {
		for _, bad := range [][2]int{{16, 15}, {17, 17}, {32, 31}, {32, 0}, {8, 8}} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %d rows with an operand of %d do not panic", s.Name, bad[0], bad[1])
					}
				}()
				s.Unary[Neg](make([]float32, bad[0]), make([]float32, bad[1]))
			}()
		}
		s.Unary[Sin](nil, nil) // no rows
		s.Binary[Pow](nil, nil, make([]float32, Block))
		s.Unary[Tan](nil, nil)
	}
}

func TestAllocates(t *testing.T) {
	a, b, dst := make([]float32, 1024), make([]float32, 1024), make([]float32, 1024)
	a64, b64, dst64 := make([]float64, 1024), make([]float64, 1024), make([]float64, 1024)
	s, s64 := Best32(), Best64()
	if n := testing.AllocsPerRun(10, func() {
		for f := range NumUnary {
			s.Unary[f](dst, a)
			s64.Unary[f](dst64, a64)
		}
		for f := range NumBinary {
			s.Binary[f](dst, a, b)
			s64.Binary[f](dst64, a64, b64)
			s.Binary[f](dst, a, b[:Block])
			s64.Binary[f](dst64, a64, b64[:Block])
		}
	}); n != 0 {
		t.Errorf("the kernels allocate %v times", n)
	}
}

func Example() {
	s := Best64()
	t := make([]float64, Block)
	for i := range t {
		t[i] = float64(i)
	}
	half := make([]float64, Block)
	fill(half, 0.5)
	s.Binary[Mul](t, t, half) // a block of equal numbers is a constant
	s.Unary[Square](t, t)
	fmt.Println(t[:5])
	// Output: [0 0.25 1 2.25 4]
}

func BenchmarkFloat32(b *testing.B) { benchmark(b, Sets32()) }
func BenchmarkFloat64(b *testing.B) { benchmark(b, Sets64()) }

func benchmark[T Float](b *testing.B, sets []*Set[T]) {
	const rows = 512
	x, dst := make([]T, rows), make([]T, rows)
	for i := range x {
		x[i] = 0.5 + 0.49*T(i)/rows
	}
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
	for _, s := range sets {
		for f := range NumUnary {
			run(s.Name+"/"+f.String(), func() { s.Unary[f](dst, x) })
		}
		for f := range NumBinary {
			run(s.Name+"/"+f.String(), func() { s.Binary[f](dst, x, x) })
		}
		run(s.Name+"/mul-add", func() { s.Fused[Mul][AddTo](dst, x, x, x) })
	}
}
