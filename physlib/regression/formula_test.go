package regression_test

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/regression"
	"github.com/physlib/lab/physlib/unit"
)

func TestWarnings(t *testing.T) {
	table := &dataset.Table{Name: "t.csv", Target: dataset.Column{Name: "conc", Values: []float64{1, 2}}}
	for _, name := range []string{"time", "T", "c1"} {
		table.Vars = append(table.Vars, dataset.Column{Name: name, Values: []float64{1, 2}})
	}
	angle := dataset.Column{Name: "theta", Values: []float64{30, 60}, HasUnit: true}
	angle.Unit, _ = unit.Parse("deg")
	table.Vars = append(table.Vars, angle)
	const inDegrees = "theta is in degrees, and sin, cos and tan take radians; write pi*theta/180 for theta"
	for _, c := range []struct{ formula, want string }{
		{"a + b*tmie", "tmie is not a column of t.csv and is fitted as a constant; did you mean time?"},
		{"a*Time + b", "Time is not a column of t.csv and is fitted as a constant; did you mean time?"},
		{"a*t + b", "t is not a column of t.csv and is fitted as a constant; did you mean T?"},
		{"a*T*t", ""}, // t may be a constant, since T is used as well
		{"a*time_ms", "time_ms is not a column of t.csv and is fitted as a constant; did you mean time?"},
		{"T_m*time", ""}, // an index
		{"c0*z**b", "the formula has no column of t.csv, whose columns are time, T, c1, theta: its names are fitted as constants"},
		{"c0", ""},
		{"c0*time", ""},
		{"A*exp(-k*time)", ""},
		{"A*e**(-k*time) + e^time", ""},
		{"e*time + c0", "the e in the formula is Euler's number, 2.71828…, and is not fitted; for a constant write another name, such as e0"},
		{"e0*time + c0", ""},
		{"A/sin(theta/2)**4", inDegrees},
		{"A*cos(theta)*time", inDegrees},
		{"A*cos(pi*theta/180)*time", ""},
		{"A*sin(0.0174533*theta)", ""},
		{"A*sin(k*theta)", ""},
		{"A*theta*sin(time)", ""},
	} {
		l, err := regression.Parse(c.formula, table)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(regression.Warnings(l, table), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.formula, got, c.want)
		}
	}
}
