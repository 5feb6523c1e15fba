package expr

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/unit"
)

func dim(t testing.TB, s string) unit.Dim {
	t.Helper()
	u, err := unit.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u.Dim
}

func TestDim(t *testing.T) {
	names := []string{"m", "v", "t", "angle"}
	vars := []unit.Dim{dim(t, "kg"), dim(t, "m/s"), dim(t, "s"), {}}
	for _, test := range []struct {
		in, want string
		free     bool
		err      string
	}{
		{in: "1/2*m*v**2", want: "J"}, {in: "v*t", want: "m"}, {in: "sqrt(v/t)", want: "m^(1/2)/s"}, {in: "sin(angle)*v", want: "m/s"},
		{in: "abs(-v)", want: "m/s"}, {in: "inv(t)", want: "1/s"}, {in: "cube(t)*square(v)", want: "m^2 s"}, {in: "v**(3/2)", want: "m^(3/2)/s^(3/2)"},
		{in: "pi*e*2", want: "1"}, {in: "c0*v", want: "m/s", free: true}, {in: "v+c0", want: "m/s"}, {in: "c0", want: "1", free: true},
		{in: "sin(c0*t)*v", want: "m/s"}, {in: "c0*c1", want: "1", free: true}, {in: "v*exp(-t/c0)", want: "m/s"},
		{in: "v**(c0-c0)", err: "a power with an exponent that is not a number needs dimensionless operands"},
		{in: "v+t", err: "v + t: the terms of a sum differ in dimension by"}, {in: "sin(v)", err: "sin needs a dimensionless operand"},
		{in: "m+1", err: "the terms of a sum differ in dimension by kg"}, {in: "sin(c0*t)+cos(c0*v)", err: "cos needs a dimensionless operand"},
		{in: "2**t", err: "needs dimensionless operands"}, {in: "angle**angle", want: "1"},
	} {
		tree, err := Parse(test.in, names)
		if err != nil {
			t.Fatal(err)
		}
		d, free, err := tree.Dim(vars)
		switch {
		case test.err != "":
			if want := strings.NewReplacer("v + t", "x1 + x2").Replace(test.err); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", test.in, err, want)
			}
		case err != nil || d != dim(t, test.want) || free != test.free:
			t.Errorf("%s: got %v, free %v, %v; want %s, free %v", test.in, d, free, err, test.want, test.free)
		}
	}
}

func TestParamDims(t *testing.T) {
	names := []string{"m", "v", "t", "angle"}
	vars := []unit.Dim{dim(t, "kg"), dim(t, "m/s"), dim(t, "s"), {}}
	for _, test := range []struct {
		in, target string
		dims       []string
		violation  float64
	}{
		{"m*v", "kg m/s", nil, 0},
		{"c0*m*v**2", "J", []string{"1"}, 0},
		{"c0*t**(3/2)", "m", []string{"m/s^(3/2)"}, 0},
		{"c0*t**2 + c1*t + c2", "m", []string{"m/s^2", "m/s", "m"}, 0},
		{"v*t*exp(-t/c0) + c1", "m", []string{"s", "m"}, 0},
		{"sqrt(c0*t)", "m", []string{"m^2/s"}, 0},
		{"c0*(t - c1)", "m", []string{"m/s", "s"}, 0},
		// The rules leave one of the two constants open, which is then dimensionless.
		{"c0*c1*t", "m", []string{"m/s", "1"}, 0},
		{"c0/(c1 + t)*t", "m", []string{"m", "s"}, 0},
		{"c0*log(t/c1)", "m", []string{"m", "s"}, 0},
		// dimensions that do not balance
		{"m*v", "kg m", nil, 1},
		{"v + t", "m/s", nil, 1 + 4},
		{"sin(t)*v", "m/s", nil, 1},
		{"c0*sin(t)", "m", []string{"m"}, 1},
		{"sin(t*v)+m", "1", nil, 1 + 1},
	} {
		tree, err := Parse(test.in, names)
		if err != nil {
			t.Fatal(err)
		}
		dims, violation := tree.ParamDims(vars, dim(t, test.target))
		want := make([]unit.Dim, len(test.dims))
		for i, s := range test.dims {
			want[i] = dim(t, s)
		}
		if len(dims) != len(want) || violation != test.violation {
			t.Errorf("%s: got %v, violation %v; want %v, violation %v", test.in, dims, violation, want, test.violation)
			continue
		}
		product := unit.Dim{}
		for i := range dims {
			product = product.Mul(dims[i]).Div(want[i])
			if dims[i] != want[i] && test.in != "c0*c1*t" {
				t.Errorf("%s: c%d has %v, want %v", test.in, i, dims[i], want[i])
			}
		}
		if !product.IsZero() {
			t.Errorf("%s: got %v", test.in, dims)
		}
	}
	dims, violation := (Tree{}).ParamDims(vars, unit.Dim{})
	if len(dims) != 0 || violation != 0 {
		t.Errorf("empty tree: %v, %v", dims, violation)
	}
}

func TestParamDimsKnown(t *testing.T) {
	names := []string{"m", "v", "t", "q"}
	vars := []unit.Dim{dim(t, "kg"), dim(t, "m/s"), dim(t, "s"), {}}
	known := []bool{true, true, true, false}
	for _, test := range []struct {
		in        string
		target    string // "": unknown
		violation float64
	}{
		{"v*q", "m", 0}, {"v*q + q", "m", 1}, {"v + q", "", 0}, {"sin(q)*v*t", "m", 0}, {"v*t*q", "", 0}, {"v + t", "", 5}, {"c0*q + v", "m/s", 0},
	} {
		tree, err := Parse(test.in, names)
		if err != nil {
			t.Fatal(err)
		}
		var target unit.Dim
		if test.target != "" {
			target = dim(t, test.target)
		}
		if _, got := tree.ParamDimsKnown(vars, known, target, test.target != ""); (got == 0) != (test.violation == 0) || test.violation == 5 && got != 5 {
			t.Errorf("%s: violation %v, want %v", test.in, got, test.violation)
		}
	}
	if r := ratioOf(1.2345); math.Abs(r.Float64()-1.2345) > 1e-3 {
		t.Errorf("1.2345 as a fraction: %v", r)
	}
	if got := ratioOf(math.Inf(1)); !cmp.Equal(got.Float64(), 0.0) {
		t.Errorf("Inf as a fraction: %v", got)
	}
}

func BenchmarkParamDims(b *testing.B) {
	tree := parse(b, "c0*exp(-x/(c1*y))+z*sqrt(1-x**2/y**2)")
	vars := []unit.Dim{dim(b, "m"), dim(b, "m"), dim(b, "kg")}
	for b.Loop() {
		tree.ParamDims(vars, dim(b, "kg"))
	}
}
