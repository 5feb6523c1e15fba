package corpus

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The laws solved for a variable agree with the original laws.
func TestInverted(t *testing.T) {
	problems, err := Suite("feynman-inverted")
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) < 120 {
		t.Errorf("%d laws", len(problems))
	}
	for _, p := range problems {
		table, err := p.Sample(200, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Error(err)
			continue
		}
		var cols [][]float64
		var given []float64
		for i, v := range p.Vars {
			cols = append(cols, table.Vars[i].Values)
			if v.Name == p.Given.Name {
				given, cols[i] = table.Vars[i].Values, table.Target.Values
			}
		}
		law, err := p.givenTree()
		if err != nil {
			t.Fatal(err)
		}
		got := law.Values(len(given), cols, nil)
		for i, want := range given {
			if math.Abs(got[i]-want) > 1e-6*math.Abs(want)+1e-9 {
				t.Errorf("%s: row %d: %s = %v, of the result %v", p.ID, i, p.Given.Law, want, got[i])
				break
			}
		}
	}
}

func TestGivenErrors(t *testing.T) {
	const header = "id,law,output,output_low,output_high,given,v1_name,v1_low,v1_high,v2_name,v2_low,v2_high\n"
	for _, c := range []struct{ row, want string }{
		{"a,F/m,a,1,2,G = m*a,m,1,2,F,1,2", `"G" is not a variable of a`},
		{"a,F/m,a,,2,F = m*a,m,1,2,F,,", `output_low: "" is not a finite number`},
		{"a,F/m,a,3,2,F = m*a,m,1,2,F,,", "3 is above 2"},
		{"a,F/m,a,1,2,F = m*q,m,1,2,F,,", "q"},
	} {
		if _, err := Read(strings.NewReader(header+c.row), "laws.csv"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.row, err, c.want)
		}
	}
	p, err := Read(strings.NewReader(header+"a,F/m,a,1,2,F = m*a,m,1,2,F,,"), "laws.csv")
	if err != nil || p[0].Given.Law != "m*a" {
		t.Errorf("%+v, %v", p, err)
	}
}
