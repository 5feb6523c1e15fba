package view

import (
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/search/searchtest"
)

func TestSmooth(t *testing.T) {
	for _, c := range []struct {
		name, law, columns string
		spoil              func(v, x float64) float64
		want               bool
	}{
		{"a curve", "t*exp(-t)", "t:0:10", nil, true},
		{"a curve in single precision", "t*exp(-t)", "t:0:10", func(v, _ float64) float64 { return float64(float32(v)) }, true},
		{"a curve with noise", "t*exp(-t)", "t:0:10", func(v, _ float64) float64 { return v + 1e-4*rand.NormFloat64() }, false},
		{"a surface", "a*b", "a:1:2 b:1:2", nil, false},
		{"a constant", "3", "t:0:1", nil, false},
	} {
		p := searchtest.Sampled(t, c.law, c.columns, 2000)
		for i, v := range p.Target.Values {
			if c.spoil != nil {
				p.Target.Values[i] = c.spoil(v, p.Vars[0].Values[i])
			}
		}
		if got := Smooth(p); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSmoothAlongTime(t *testing.T) {
	p := searchtest.Sampled(t, "t**2", "t:0:1 x:0:1 c:2:2", 1000)
	for i, t := range p.Vars[0].Values { // x follows from t, not in its order
		x := t * (1 - t)
		p.Vars[1].Values[i], p.Target.Values[i] = x, x*t
	}
	if !Smooth(p) {
		t.Error("the target is smooth in t")
	}
	p.Weights = make([]float64, 1000)
	if Smooth(p) {
		t.Error("with errors that the user gave")
	}
	p.Weights, p.Vars, p.Target.Values = nil, p.Vars[:1], p.Target.Values[:4]
	p.Vars[0].Values = p.Vars[0].Values[:4]
	if Smooth(p) {
		t.Error("of four rows nothing is known")
	}
}
