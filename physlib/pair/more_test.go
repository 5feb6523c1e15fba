package pair

import (
	"math"
	"testing"
)

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
	})
}

func TestMisfitsPanicWithASentence(t *testing.T) {
	f, r := random(4, 8, 1)
	for name, call := range map[string]func(){
		"short r": func() { Default().Square(t.Context(), f, r[:3], Options{}) },
		"odd P":   func() { Default().Square(t.Context(), Rows{N: 1, P: 3, Data: make([]float32, 3)}, r[:1], Options{}) },
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
