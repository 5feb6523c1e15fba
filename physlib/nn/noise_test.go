package nn_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// mix returns the finalizer of MurmurHash3 in plain Go.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85EBCA6B
	h ^= h >> 13
	h *= 0xC2B2AE35
	return h ^ h>>16
}

// noise returns nn.Noise in plain Go.
func noise(key uint64, n int, std float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		h1 := mix(mix(uint32(i)+uint32(key)) ^ uint32(key>>32))
		h2 := mix(h1 + 0x9E3779B9)
		sum := int(h1&0xFFFF) + int(h1>>16) + int(h2&0xFFFF) + int(h2>>16) - 2*0xFFFF
		x[i] = float64(float32(sum) * float32(std*math.Sqrt(3)/65536))
	}
	return x
}

func TestNoise(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		const key, n, std = 0x0123456789ABCDEF, 40000, 0.7
		got := run(t, b, model.NewStore(), func(s *model.Scope, in []*Node) []*Node {
			return []*Node{nn.Noise(in[0].Graph(), key, shapes.Make(dtypes.Float32, 200, 200), std)}
		}, float32(0))[0]
		if d := maxDiff(got, noise(key, n, std)); d != 0 {
			t.Errorf("differs from the loop by %g", d)
		}
		// Sums for the moments and the correlation of neighbours. Each must be within 4 standard
		// errors.
		var m1, m2, m4, c1, c200 float64
		for i, x := range got {
			m1, m2, m4 = m1+x, m2+x*x, m4+x*x*x*x
			if i > 0 {
				c1 += x * got[i-1]
			}
			if i >= 200 {
				c200 += x * got[i-200]
			}
		}
		v := m2 / n
		for _, c := range []struct {
			what            string
			got, want, sure float64
		}{
			{"mean", m1 / n, 0, std / math.Sqrt(n)},
			{"variance", v, std * std, std * std * math.Sqrt(1.7/n)},
			{"excess kurtosis", m4/n/(v*v) - 3, -0.3, math.Sqrt(24.0 / n)},
			{"correlation in a row", c1 / n / v, 0, 1 / math.Sqrt(n)},
			{"correlation in a column", c200 / n / v, 0, 1 / math.Sqrt(n)},
		} {
			if math.Abs(c.got-c.want) > 4*c.sure {
				t.Errorf("%s %g, want %g ± %g", c.what, c.got, c.want, c.sure)
			}
		}
	})
}

// TestInitialWeights: other seeds and other paths give other weights, and equal ones give equal
// weights. Their standard deviation is 1/√in.
func TestInitialWeights(t *testing.T) {
	weights := func(seed int64, name string) []float64 {
		store := seeded(seed)
		run(t, backendtest.Go(t), store, func(s *model.Scope, in []*Node) []*Node {
			return []*Node{nn.Linear(s.In("%s", name), in[0], 50)}
		}, normal(1, 1, 400))
		return floats(store.GetVariable("/" + name + "/w").MustValue())
	}
	a := weights(1, "a")
	if maxDiff(a, weights(1, "a")) != 0 {
		t.Error("equal seeds give different weights")
	}
	if maxDiff(a, weights(2, "a")) == 0 || maxDiff(a, weights(1, "b")) == 0 {
		t.Error("another seed or path gives the same weights")
	}
	var sum float64
	for _, x := range a {
		sum += x * x
	}
	if std := math.Sqrt(sum / float64(len(a))); math.Abs(std-0.05) > 0.001 {
		t.Errorf("standard deviation %g, want 1/√400", std)
	}
}

func TestDropout(t *testing.T) {
	const n, rate = 20000, 0.3
	drop := func(b compute.Backend, store *model.Store, training, stepped bool) func(step int32) [][]float64 {
		f := compile(t, b, store, func(s *model.Scope, in []*Node) []*Node {
			s.SetTraining(in[0].Graph(), training)
			if stepped {
				nn.SetStep(in[0])
			}
			x := Ones(in[0].Graph(), shapes.Make(dtypes.Float32, n))
			return []*Node{nn.Dropout(s.At("shared"), x, rate), nn.Dropout(s.At("shared"), x, rate), nn.Dropout(s.In("b"), x, rate)}
		})
		return func(step int32) [][]float64 { return f(step) }
	}
	zeros := func(x []float64) (n int) {
		for _, v := range x {
			if v == 0 {
				n++
			} else if math.Abs(v-1/(1-rate)) > 1e-6 {
				t.Fatalf("what is kept is %g, want 1/(1-rate)", v)
			}
		}
		return n
	}
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		store := seeded(1)
		stepped, free, still := drop(b, store, true, true), drop(b, store, true, false), drop(b, store, false, true)
		a, c, d, e := stepped(5), stepped(6), free(5), free(5)
		for i, x := range a {
			if z := zeros(x); math.Abs(float64(z)-n*rate) > 4*math.Sqrt(n*rate*(1-rate)) {
				t.Errorf("layer %d: %d of %d dropped", i, z, n)
			}
		}
		if maxDiff(a[0], a[1]) == 0 || maxDiff(a[0], a[2]) == 0 {
			t.Error("two calls in a graph drop the same")
		}
		if maxDiff(a[0], c[0]) == 0 {
			t.Error("two steps drop the same")
		}
		if maxDiff(a[0], stepped(5)[0]) != 0 || maxDiff(a[0], drop(backendtest.Go(t), seeded(1), true, true)(5)[0]) != 0 {
			t.Error("the same step drops otherwise, or than go")
		}
		if maxDiff(d[0], e[0]) == 0 { // the store's random state changes with each call
			t.Error("two calls without a step drop the same")
		}
		for _, v := range still(5)[0] {
			if v != 1 {
				t.Fatal("drops without training")
			}
		}
	})
}
