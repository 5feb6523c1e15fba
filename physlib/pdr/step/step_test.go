package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// token is one token's inputs.
type token struct{ gate, v, k, q []float32 }

func draw(rng *rand.Rand, dim, rank int) token {
	fill := func(n int, f func() float64) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(f())
		}
		return x
	}
	gate := func() float64 { return 1 / (1 + math.Exp(28*rng.Float64()-14)) } // from 10⁻⁶ to 1-10⁻⁶
	return token{fill(dim, gate), fill(dim, rng.NormFloat64), fill(rank, rng.NormFloat64), fill(rank, rng.NormFloat64)}
}

// TestKernels: each kernel gives the results of the plain loop in float64, for sizes that fill
// whole panels and sizes that do not.
func TestKernels(t *testing.T) {
	for _, k := range kernels {
		for _, size := range [][2]int{{64, 16}, {1, 1}, {130, 5}, {63, 3}} {
			dim, rank := size[0], size[1]
			rng := rand.New(rand.NewPCG(1, 6))
			x, want, o := New(dim, rank), make([]float64, dim*rank), make([]float32, dim)
			x.run = k.run
			for n := range 50 {
				in := draw(rng, dim, rank)
				x.Next(o, in.gate, in.v, in.k, in.q)
				for i := range dim {
					var sum, size float64
					for j := range rank {
						s := &want[i*rank+j]
						*s = float64(in.gate[i])**s + float64(in.v[i])*float64(in.k[j])
						sum += *s * float64(in.q[j])
						size += math.Abs(*s * float64(in.q[j]))
					}
					if math.Abs(sum-float64(o[i])) > 1e-5*(size+1) {
						t.Fatalf("%s %v: token %d, o[%d] = %g, want %g", k.name, size, n, i, o[i], sum)
					}
				}
			}
		}
	}
}

// TestKernelsAgree: all kernels give the same bits.
func TestKernelsAgree(t *testing.T) {
	var first []float32
	for _, k := range kernels {
		rng := rand.New(rand.NewPCG(2, 6))
		x, o := New(100, 7), make([]float32, 100)
		x.run = k.run
		var all []float32
		for range 20 {
			in := draw(rng, 100, 7)
			x.Next(o, in.gate, in.v, in.k, in.q)
			all = append(all, o...)
		}
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%s differs from %s", k.name, kernels[0].name)
		}
	}
}

// TestValues: a stream that takes over the state of another continues bit by bit. The norm of a
// renormalised state is √(dim·rank).
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	a, b := New(70, 3), New(70, 3)
	oa, ob := make([]float32, 70), make([]float32, 70)
	for range 5 {
		in := draw(rng, 70, 3)
		a.Next(oa, in.gate, in.v, in.k, in.q)
	}
	a.Renormalize()
	var sum float64
	for _, y := range a.Values() {
		sum += float64(y) * float64(y)
	}
	if math.Abs(sum/210-1) > 1e-6 {
		t.Errorf("‖S‖² = %g, want 210", sum)
	}
	b.SetValues(a.Values())
	in := draw(rng, 70, 3)
	a.Next(oa, in.gate, in.v, in.k, in.q)
	b.Next(ob, in.gate, in.v, in.k, in.q)
	if !slices.Equal(oa, ob) {
		t.Error("differs")
	}
	a.Reset()
	if !slices.Equal(a.Values(), make([]float32, 210)) {
		t.Error("reset leaves something")
	}
	empty := New(2, 2)
	empty.Renormalize()
	if !slices.Equal(empty.Values(), make([]float32, 4)) {
		t.Error(empty.Values())
	}
}

// TestNextAllocatesNothing: Next allocates no memory.
func TestNextAllocatesNothing(t *testing.T) {
	x, in, o := New(100, 8), draw(rand.New(rand.NewPCG(4, 6)), 100, 8), make([]float32, 100)
	if n := testing.AllocsPerRun(100, func() { x.Next(o, in.gate, in.v, in.k, in.q) }); n != 0 {
		t.Errorf("%g allocations a token", n)
	}
}

func ExampleState() {
	// gates of 0.9 and of 0
	s := New(2, 1)
	o := make([]float32, 2)
	for range 3 {
		s.Next(o, []float32{0.9, 0}, []float32{1, 1}, []float32{1}, []float32{1})
		fmt.Println(o)
	}
	// Output:
	// [1 1]
	// [1.9 1]
	// [2.71 1]
}

// BenchmarkNext times each kernel and two lower bounds of this machine. The memory bound multiplies
// the state by a number in place; the arithmetic bound runs as many vector operations in registers
// as the kernel has. best-ns is the fastest of all calls, the number to compare on a machine that
// others use too.
func BenchmarkNext(b *testing.B) {
	timed := func(b *testing.B, f func()) {
		best := time.Duration(math.MaxInt64)
		for b.Loop() {
			start := time.Now()
			f()
			best = min(best, time.Since(start))
		}
		b.ReportMetric(float64(best.Nanoseconds()), "best-ns")
	}
	for _, size := range [][2]int{{512, 64}, {1024, 128}, {4096, 256}} {
		dim, rank := size[0], size[1]
		in, o := draw(rand.New(rand.NewPCG(5, 6)), dim, rank), make([]float32, dim)
		for _, k := range kernels {
			x := New(dim, rank)
			x.run = k.run
			b.Run(fmt.Sprintf("%dx%d/%s", dim, rank, k.name), func(b *testing.B) {
				timed(b, func() { x.Next(o, in.gate, in.v, in.k, in.q) })
			})
		}
		for name, bound := range bounds {
			s := New(dim, rank).s
			b.Run(fmt.Sprintf("%dx%d/bound-%s", dim, rank, name), func(b *testing.B) { timed(b, func() { bound(s) }) })
		}
	}
}

// bounds holds the lower bounds of this machine, where they are known. Each is a function of a
// state that takes at least as long as any kernel needs for one token.
var bounds = map[string]func(s []float32){}
