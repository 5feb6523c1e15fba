package corpus

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// All laws of the suite can be measured, with variables within their ranges up to a percent.
func TestMeasure(t *testing.T) {
	problems, err := Suite("lsr-synth")
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) != 66 {
		t.Errorf("%d laws", len(problems))
	}
	for _, p := range problems {
		table, err := p.Measure(500, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Error(err)
			continue
		}
		for i, v := range p.Vars {
			margin := 0.02*(v.High-v.Low) + 0.011
			for _, x := range table.Vars[i].Values {
				if x < v.Low-margin || x > v.High+margin {
					t.Errorf("%s: %s = %g is outside %g to %g", p.ID, v.Name, x, v.Low, v.High)
					break
				}
			}
		}
		for _, y := range table.Target.Values {
			if math.IsNaN(y) || float64(float32(y)) != y {
				t.Errorf("%s: target %g", p.ID, y)
				break
			}
		}
	}
}

// The path of dx/dt = -x is an exponential.
func TestMeasureDecay(t *testing.T) {
	p := Problem{ID: "decay", Law: "-x", Output: "dx_dt", Path: "t=0..3; x=2", Vars: []Var{{Name: "t", High: 3}, {Name: "x", High: 2}}}
	table, err := p.Measure(50, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range table.Vars[0].Values {
		if want := 2 * math.Exp(-at); math.Abs(table.Vars[1].Values[i]-want) > 1e-3 || math.Abs(table.Target.Values[i]+want) > 2e-3 {
			t.Errorf("x(%g) = %g, not %g", at, table.Vars[1].Values[i], want)
		}
	}
}

func TestPathErrors(t *testing.T) {
	const header = "id,law,path,v1_name,v1_low,v1_high\n"
	for row, want := range map[string]string{
		"a,2*x,x=1,x,0,1":           "line 2, column path: \"x=1\": one variable must run",
		"a,2*x,t=0..1,x,0,1":        "says nothing of x",
		"a,2*x,t=0..1; x=one,x,0,1": "is neither name=start",
		"a,2*x,t=0..b; x=1,x,0,1":   "is not a name=from..to",
	} {
		_, err := Read(strings.NewReader(header+row), "f.csv")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", row, err, want)
		}
	}
}
