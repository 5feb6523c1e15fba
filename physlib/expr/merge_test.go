package expr_test

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestMergeParams(t *testing.T) {
	for _, test := range []struct{ law, want string }{
		{"c0 + (c1 - c0)*exp(-c2*x0)", "c0 + c1*exp(c2*x0)"},
		{"c0*(c1 + c2*exp(-(c1 + c2)*x0))/(c1 + c2)", "c0 + c1*exp(c2*x0)"},
		{"c0/(c1*sqrt(2*pi))*exp(-(x0 - c2)**2/(2*c1**2))", "c0*exp(c1*(x0 + c2)**2)"},
		{"c0*c1/(c2 - c1)*(exp(-c1*x0) - exp(-c2*x0))", "c0*(exp(c1*x0) - exp(c2*x0))"},
		{"c0/(1 + c1*c0*x0)", "c0/(c1*x0 + 1)"},
		{"c0*x0**c2/(c1**c2 + x0**c2)", "c0*x0**c1/(x0**c1 + c2)"},
		{"c0*x0 + c0*x1", "c0*(x0 + x1)"},
		{"c0*x0 + c0**2*x1", "c0*x0 + c0**2*x1"},
		{"exp(-c0*x0)*cos(sqrt(c1**2 - c0**2)*x0)", "exp(c0*x0)*cos(c1*x0)"},
		{"c0*(c1*x0)**c2", "c0*x0**c1"},
		{"2*pi*sqrt(c0*x0)", "c0*sqrt(x0)"},
		{"c0*log(c1*x0)", "c0*log(x0) + c1"},
		{"log(x0/c0)", "log(x0) + c0"},
		{"c0*exp(c1*(1/x0 + c2))", "c0*exp(c1/x0)"},
		{"exp(c0 + c1*x0)", "c0*exp(c1*x0)"},
		{"c0*10**(c1*x0)", "c0*exp(c1*x0)"},
		{"c0*c1**x0", "c0*exp(c1*x0)"},
		{"c0*(x0 + c1)", "c0*x0 + c1"},
		{"c0*(4*log(c1*x0) + 1)", "c0*log(x0) + c1"},
		{"-x0*(c0*log(x1) + c1)", "x0*(c0*log(x1) + c1)"},
		{"c0*x0/(c1 + x0)", "c0*x0/(c1 + x0)"},
		{"c0*(x0/c1)**c2*(x1/c1)**c3", "c0*x0**c1*x1**c2"},
		{"c0*(1/x0)**c1", "c0*x0**c1"},
		{"sqrt(1 + 4*c0**2*x0**2/c1**2)/(1 - x0**2/c1**2)", "sqrt(1 + c0*x0**2)/(c1*x0**2 + 1)"},
		{"(x0/c1 + 1)/sqrt(x0**2/c1**2 + c2)", "(c0*x0 + 1)/sqrt(c0**2*x0**2 + c1)"},
		{"-(2*c0*x0/c1 + 1)/(c0*x0/c1 - 1)", "-(2*c0*x0 + 1)/(c0*x0 - 1)"},
		{"(c0*x0 + c1)/(c2*x0 + c3)", "(c0*x0 + c1)/(x0 + c2)"},
		{"c0*(x0 + c1)/(x0 + c2) + c3", "c0*x0/(x0 + c1) + c2"},
		{"c0*exp(c1*(c2*x0 + c3)**2)", "c0*exp(c1*(x0 + c2)**2)"},
		{"c0*2**(c1*x0 + c2)", "c0*exp(c1*x0)"},
		{"c0*log(c1*x0 + c2) + c3", "c0*log(x0 + c1) + c2"},
		{"c0*sqrt(c1*x0**2 + c2)", "c0*sqrt(x0**2 + c1)"},
		{"c0*(sqrt(x0 + c1*c2) - sqrt(c1*c2))", "c0*(sqrt(x0 + c1) - sqrt(c1))"},
		{"(c0*x0*x1 + c1*x2)/(c0*x0 + c1)", "(x0*x1 + c0*x2)/(x0 + c0)"},
		{"sqrt(c0*x0*(x0 + c1) + c2*x0 + c3)", "sqrt(c0*x0*(x0 + c1) + c2)"},
		{"10**(c0/(x0 - c1) + c2)", "10**(c0/(x0 + c1) + c2)"},
		{"c0*exp(c1*abs(x0 + c2))", "c0*exp(c1*abs(x0 + c2))"},
		{"x0", "x0"},
		{"c0", "c0"},
	} {
		law, err := expr.Parse(test.law, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := expr.Parse(test.want, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := law.MergeParams()
		if got.Hash() != want.AbsorbParams().Hash() {
			t.Errorf("%s merges to %s, want %s", test.law, got, want.AbsorbParams())
		}
		if again := got.MergeParams(); again.String() != got.String() {
			t.Errorf("%s merges again to %s", got, again)
		}
		start := []float64{1.3, 0.4, 2.2, 0.7}[:law.NumParams()]
		law = law.WithStarts(start)
		a, b := []float64{0}, []float64{0}
		x := [][]float64{{0.8}, {1.7}, {1.1}}
		expr.Compile(law).Eval(a, x, nil)
		expr.Compile(law.MergeParams()).Eval(b, x, nil)
		if math.Abs(a[0]-b[0]) > 1e-9*math.Abs(a[0]) {
			t.Errorf("%s = %g, merged %s = %g", law, a[0], law.MergeParams(), b[0])
		}
	}
}

// The error function is 1 in nearly all random rows, where any constants give the right values.
// MergeParams must not move the constants on the evidence of such rows.
func TestMergeParamsSaturated(t *testing.T) {
	law, err := expr.Parse("(1 + erf((log((x0 - c0)*c1) - c2)/(c3*sqrt(2))))/2", []string{"x0"})
	if err != nil {
		t.Fatal(err)
	}
	law = law.WithStarts([]float64{275.47, 5.477, 3.873, 0.2236})
	merged := law.MergeParams()
	x, want, got := [][]float64{{289, 297}}, make([]float64, 2), make([]float64, 2)
	expr.Compile(law).Eval(want, x, law.Params())
	expr.Compile(merged).Eval(got, x, merged.Params())
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Errorf("%s gives %g at %g, want %g", merged, got[i], x[0][i], want[i])
		}
	}
}
