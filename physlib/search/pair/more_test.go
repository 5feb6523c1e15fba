package pair

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/fit/qr"
)

// basisOf orthonormalises rows and the target after them, in float64.
func basisOf(t []float32, rows ...[]float32) Basis {
	var q [][]float64
	take := func(v []float32) []float64 {
		x := make([]float64, len(v))
		for k := range v {
			x[k] = float64(v[k])
		}
		for range 2 {
			for _, u := range q {
				var c float64
				for k := range u {
					c += u[k] * x[k]
				}
				for k := range u {
					x[k] -= c * u[k]
				}
			}
		}
		return x
	}
	single := func(v []float64) []float32 {
		x := make([]float32, len(v))
		for k := range v {
			x[k] = float32(v[k])
		}
		return x
	}
	var b Basis
	for _, row := range rows {
		x := take(row)
		norm := qr.Norm(x)
		for k := range x {
			x[k] /= norm
		}
		q = append(q, x)
		b.Q = append(b.Q, single(x))
	}
	b.Resid = single(take(t))
	return b
}

// pairBases returns the bases of pairs, with a random target.
func pairBases(f Rows, pairs []Pair, points int, seed uint64) []Basis {
	t := target(rand.New(rand.NewPCG(seed, 3)), points)
	bases := make([]Basis, len(pairs))
	for n, p := range pairs {
		bases[n] = basisOf(t, f.Row(int(p.I)), f.Row(int(p.J)))
	}
	return bases
}

// shareOf returns the share of the target t in the span of rows, by Gram-Schmidt.
func shareOf(t []float32, rows ...[]float32) float64 {
	b := basisOf(t, rows...)
	return 1 - dot64(b.Resid, b.Resid)/dot64(t, t)
}

func TestTriplesAgainstNaive(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		for _, n := range []int{0, 1, 2, 3, 4, 9, 40} {
			f, _ := random(n, 21, uint64(n))
			y := target(rand.New(rand.NewPCG(uint64(n), 4)), 21)
			var want []Triple
			for i := range n {
				for j := i + 1; j < n; j++ {
					for k := j + 1; k < n; k++ {
						want = append(want, Triple{int32(i), int32(j), int32(k), float32(shareOf(y, f.Row(i), f.Row(j), f.Row(k)))})
					}
				}
			}
			slices.SortFunc(want, func(p, q Triple) int { return cmp.Compare(q.R2, p.R2) })
			for _, keep := range []int{10, 1_000_000} {
				got := triples(t.Context(), l, f, f.Dot(y), Options{K: keep})
				if len(got) != min(keep, len(want)) {
					t.Fatalf("n=%d: %d triples, want %d", n, len(got), min(keep, len(want)))
				}
				for m, x := range got {
					if exact := shareOf(y, f.Row(int(x.I)), f.Row(int(x.J)), f.Row(int(x.K))); !(x.I < x.J && x.J < x.K) || math.Abs(exact-float64(x.R2)) > 1e-5 {
						t.Fatalf("n=%d: %v has R² %v", n, x, exact)
					}
					if math.Abs(float64(x.R2-want[m].R2)) > 1e-5 {
						t.Fatalf("n=%d: triple %d is %v, want %v", n, m, x, want[m])
					}
				}
			}
		}
	})
}

func TestPlantedTripleIsFirst(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		for seed := range uint64(5) {
			want := []int{int(seed), 40 + int(seed), 99 - int(seed)}
			f, r := planted(128, 64, seed, want...)
			copy(f.Row(50), f.Row(want[1])) // a copy must not make a triple of two
			r[50] = r[want[1]]
			got := triples(t.Context(), l, f, r, Options{K: 3})
			if int(got[0].I) != want[0] || int(got[0].J) != want[1] || int(got[0].K) != want[2] || got[0].R2 < 0.9999 {
				t.Errorf("seed %d: best is %v, want %v", seed, got, want)
			}
		}
	})
}

func TestExtendAgainstNaive(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		const points = 37
		f, _ := random(75, points, 11)
		y := target(rand.New(rand.NewPCG(11, 4)), points)
		var bases []Basis
		var sets [][][]float32
		for n := range 50 { // 0 to 4 features each, cut to the points that are no padding
			var rows [][]float32
			for q := range n % 5 {
				rows = append(rows, f.Row((n + q) % f.N)[:points])
			}
			bases = append(bases, basisOf(y[:points], rows...))
			sets = append(sets, rows)
		}
		var want []float32
		for n := range bases {
			for i := range f.N {
				if skip := (i - n + f.N) % f.N; skip >= n%5 {
					want = append(want, float32(shareOf(y[:points], append(sets[n], f.Row(i)[:points])...)-shareOf(y[:points], sets[n]...)))
				}
			}
		}
		slices.SortFunc(want, func(a, b float32) int { return cmp.Compare(b, a) })
		for _, keep := range []int{1, 40, 1_000_000} {
			got := extend(t.Context(), l, f, bases, Options{K: keep, MinDen: 1e-3})
			if len(got) != min(keep, len(want)) {
				t.Fatalf("%d extensions, want %d", len(got), min(keep, len(want)))
			}
			for m, x := range got {
				n, i := int(x.Base), int(x.I)
				exact := shareOf(y[:points], append(sets[n], f.Row(i)[:points])...) - shareOf(y[:points], sets[n]...)
				if math.Abs(exact-float64(x.R2gain)) > 1e-5 || math.Abs(float64(want[m]-x.R2gain)) > 1e-5 {
					t.Fatalf("extension %d is %v, exact %v, want %v", m, x, exact, want[m])
				}
			}
		}
	})
}

func TestExtendOfNothing(t *testing.T) {
	f, _ := random(3, 8, 1)
	if got := Extend(t.Context(), f, nil, Options{}); len(got) != 0 {
		t.Error(got)
	}
	if got := Extend(t.Context(), NewRows(0, 8), []Basis{{Resid: f.Row(0)}}, Options{}); len(got) != 0 {
		t.Error(got)
	}
}

func TestRows(t *testing.T) {
	f := NewRows(3, 17)
	if f.P != 32 || len(f.Data) != 96 {
		t.Fatalf("P = %d, %d numbers", f.P, len(f.Data))
	}
	for i, c := range []struct {
		v    []float64
		norm float64
	}{
		{[]float64{3, -4}, 5},
		{[]float64{3e200, 4e200, 0}, 5e200}, // the squares overflow
		{[]float64{3e-200, -4e-200}, 5e-200},
	} {
		if norm := f.Set(i, c.v); math.Abs(norm/c.norm-1) > 1e-15 {
			t.Errorf("norm %v, want %v", norm, c.norm)
		}
		if x := f.Row(i); x[0] != 0.6 || math.Abs(float64(x[1])) != float64(float32(0.8)) || x[2] != 0 {
			t.Errorf("row %v", x[:3])
		}
	}
	for _, v := range [][]float64{{0, 0}, {1, math.NaN()}, {math.Inf(1), 1}, {math.Inf(1), math.Inf(-1)}} {
		f.Set(0, v)
		if x := f.Row(0)[0]; x == x {
			t.Errorf("%v became %v, want NaN", v, x)
		}
	}
	f.Set(1, []float64{0, -2})
	if r := f.Slice(1, 2).Dot([]float32{0, 1}); len(r) != 1 || r[0] != -1 {
		t.Errorf("r = %v, want -1", r)
	}
}

func TestNoPoints(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		f := NewRows(3, 0)
		for _, p := range (tiled{l}).Square(t.Context(), f, f.Dot(nil), Options{}) {
			if p.R2 != 0 {
				t.Errorf("%v of a target without points", p)
			}
		}
		if got := (tiled{l}).Square(t.Context(), Rows{}, nil, Options{}); len(got) != 0 {
			t.Errorf("%v of no rows", got)
		}
		if got := triples(t.Context(), l, Rows{}, nil, Options{}); len(got) != 0 {
			t.Errorf("%v of no rows", got)
		}
		for _, x := range extend(t.Context(), l, f, []Basis{{}}, Options{}) {
			if x.R2gain != 0 {
				t.Errorf("%v of a target without points", x)
			}
		}
	})
}

func TestMisfitsPanicWithASentence(t *testing.T) {
	f, r := random(4, 8, 1)
	for name, call := range map[string]func(){
		"short r":    func() { Default().Square(t.Context(), f, r[:3], Options{}) },
		"odd P":      func() { Default().Square(t.Context(), Rows{N: 1, P: 3, Data: make([]float32, 3)}, r[:1], Options{}) },
		"points":     func() { Default().Rect(t.Context(), f, r, NewRows(4, 20), r, Options{}) },
		"long basis": func() { Extend(t.Context(), f, []Basis{{Resid: make([]float32, 17)}}, Options{}) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(error); !ok {
					t.Errorf("%s: no panic with an error", name)
				}
			}()
			call()
		}()
	}
}
