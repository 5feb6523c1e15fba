package vec
import ("testing";"math";"math/rand/v2")
func ulps64(got, want float64) float64 {
	switch {
	case math.IsNaN(want): if got!=got {return 0}; return math.Inf(1)
	case got==want: return 0
	case math.IsInf(got,0)||math.IsInf(want,0): return math.Inf(1)
	}
	_,e:=math.Frexp(math.Abs(want))
	return math.Abs(got-want)/math.Ldexp(1,max(e-53,-1074))
}
func TestProbe64(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, set := range Sets64()[1:] {
		for op := range NumUnary {
			a, dst := make([]float64, 4096), make([]float64, 4096)
			worst, at, gotAt := 0.0, 0., 0.
			for round := range 200 {
				for i := range a {
					switch round % 4 {
					case 0: a[i] = math.Float64frombits(rng.Uint64())
					case 1: a[i] = rng.Float64()*4 - 2
					case 2: a[i] = rng.Float64()*200 - 100
					case 3: a[i] = float64(rng.NormFloat64()) * 1e4
					}
				}
				set.Unary[op](dst, a)
				for i := range a {
					if u := ulps64(dst[i], unaryMath[op](a[i])); !(u <= worst) { worst, at, gotAt = u, a[i], dst[i] }
				}
			}
			t.Logf("%s %s %.3f ulp at %v: %v want %v", set.Name, unaryNames[op], worst, at, gotAt, unaryMath[op](at))
		}
			worst, ax,bx, gotAt := 0.0, 0., 0., 0.
			a, b, dst := make([]float64, 4096), make([]float64,4096), make([]float64, 4096)
			for round := range 200 {
				for i := range a {
					switch round % 4 {
					case 0: a[i], b[i] = math.Float64frombits(rng.Uint64()),math.Float64frombits(rng.Uint64())
					case 1: a[i],b[i] = rng.Float64()*4 - 2, rng.Float64()*4-2
					case 2: a[i],b[i] = rng.Float64()*200, rng.Float64()*200-100
					case 3: a[i],b[i] = float64(rng.NormFloat64()) * 1e4, math.Round(rng.Float64()*20-10)
					}
				}
				set.Binary[Pow](dst, a,b)
				for i := range a {
					if u := ulps64(dst[i], math.Pow(a[i],b[i])); !(u <= worst) { worst, ax,bx, gotAt = u, a[i],b[i], dst[i] }
				}
			}
			t.Logf("%s pow %.3f ulp at %v %v: %v want %v", set.Name, worst, ax,bx, gotAt, math.Pow(ax,bx))
	}
}
func BenchmarkUnary64(b *testing.B) {
	a, dst := make([]float64, 512), make([]float64, 512)
	for i := range a { a[i] = 0.5 + 0.49*float64(i)/512 }
	for _, set := range Sets64() {
		for op := range NumUnary {
			b.Run(set.Name+"/"+unaryNames[op], func(b *testing.B) {
				for range b.N { set.Unary[op](dst, a) }
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512, "ns/row")
			})
		}
		b.Run(set.Name+"/pow", func(b *testing.B) {
				for range b.N { set.Binary[Pow](dst, a, a) }
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512, "ns/row")
		})
	}
}
