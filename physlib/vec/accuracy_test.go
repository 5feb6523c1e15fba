package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

var unaryNames = [NumUnary]string{"neg", "inv", "abs", "sqrt", "square", "cube", "exp", "log", "sin", "cos", "tan", "asin",
	"acos", "atan", "sinh", "cosh", "tanh"}

var unaryMath = [NumUnary]func(float64) float64{func(x float64) float64 { return -x }, func(x float64) float64 { return 1 / x },
	math.Abs, math.Sqrt, func(x float64) float64 { return x * x }, func(x float64) float64 { return x * x * x }, math.Exp,
	math.Log, math.Sin, math.Cos, math.Tan, math.Asin, math.Acos, math.Atan, math.Sinh, math.Cosh, math.Tanh}

// ulps32 is |got - want| in units of the last place of want in float32.
func ulps32(got float32, want float64) float64 {
	w := float32(want)
	switch {
	case math.IsNaN(want):
		if got != got {
			return 0
		}
		return math.Inf(1)
	case got == w && math.IsInf(float64(got), 0):
		return 0
	case got == w:
		return math.Abs(float64(got)-want) / ulp32(w)
	case math.IsInf(float64(got), 0) || math.IsInf(float64(w), 0):
		return math.Inf(1)
	}
	return math.Abs(float64(got)-want) / ulp32(w)
}

func ulp32(w float32) float64 {
	if math.IsInf(float64(w), 0) {
		return math.Inf(1)
	}
	_, e := math.Frexp(math.Abs(float64(w)))
	return math.Ldexp(1, max(e-24, -149))
}

func TestProbe32(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, set := range Sets32() {
		for op := range NumUnary {
			a, dst := make([]float32, 4096), make([]float32, 4096)
			worst, at, gotAt := 0.0, float32(0), float32(0)
			for round := range 100 {
				for i := range a {
					switch round % 4 {
					case 0:
						a[i] = math.Float32frombits(rng.Uint32())
					case 1:
						a[i] = rng.Float32()*4 - 2
					case 2:
						a[i] = rng.Float32()*200 - 100
					case 3:
						a[i] = float32(rng.NormFloat64()) * 1e4
					}
				}
				set.Unary[op](dst, a)
				for i := range a {
					if u := ulps32(dst[i], unaryMath[op](float64(a[i]))); !(u <= worst) {
						worst, at, gotAt = u, a[i], dst[i]
					}
				}
			}
			t.Logf("%s %s %.3f ulp at %v: %v want %v", set.Name, unaryNames[op], worst, at, gotAt, unaryMath[op](float64(at)))
		}
	}
}

func BenchmarkUnary32(b *testing.B) {
	a, dst := make([]float32, 512), make([]float32, 512)
	for i := range a {
		a[i] = 0.5 + 1.5*float32(i)/512
	}
	for _, set := range Sets32()[1:] {
		for op := range NumUnary {
			b.Run(set.Name+"/"+unaryNames[op], func(b *testing.B) {
				for range b.N {
					set.Unary[op](dst, a)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512*16, "ns/16")
			})
		}
	}
}

func BenchmarkNegativeLog32(b *testing.B) {
	a, dst := make([]float32, 512), make([]float32, 512)
	for i := range a {
		a[i] = float32(i%7) - 2.5
	}
	for _, set := range Sets32()[1:] {
		b.Run(set.Name, func(b *testing.B) {
			for range b.N {
				set.Unary[Log](dst, a)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512*16, "ns/16")
		})
	}
}
