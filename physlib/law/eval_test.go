package law_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/law"
)

func ExampleLaw_Eval() {
	l, err := law.Parse("T = 2*pi*sqrt(l/g)", []string{"l", "g"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l)
	fmt.Printf("%.4f\n", l.Eval(1, 9.81))
	// Output:
	// T = 2*pi*sqrt(l/g)
	// 2.0061
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		formula   string
		columns   []string
		target    string
		constants []string
		back      string
	}{
		{"T = c0*a**c1", []string{"a"}, "T", []string{"c0", "c1"}, "c0*a**c1"},
		{"Vmax*S/(Km + S)", []string{"S"}, "", []string{"Vmax", "Km"}, "Vmax*S/(Km + S)"},
		{"y = E*x + e + pi", []string{"x"}, "y", []string{"E"}, "E*x + e + pi"},
		{"y = E*e", []string{"e"}, "y", nil, "E*e"}, // e is a column, so E is the number e
		{"`wave length` = c/nu", []string{"nu"}, "wave length", []string{"c"}, "c/nu"},
		{"y = lambda*`my col`", []string{"my col"}, "y", []string{"lambda"}, "lambda*`my col`"},
		{"y = π*r**2", []string{"r"}, "y", nil, "pi*r**2"},
	} {
		l, err := law.Parse(c.formula, c.columns)
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		var names []string
		for _, k := range l.Constants {
			names = append(names, k.Name)
		}
		if l.Target != c.target || !slices.Equal(names, c.constants) || l.Formula() != c.back {
			t.Errorf("%s: target %q, constants %v, formula %s", c.formula, l.Target, names, l.Formula())
		}
	}
	for _, bad := range []string{"", "y =", "y = 2x", "y = a +", "y = f(x)", "y = x = 2"} {
		if l, err := law.Parse(bad, []string{"x"}); err == nil {
			t.Errorf("%q was read as %s", bad, l)
		}
	}
}

func TestFix(t *testing.T) {
	l, _ := law.Parse("y = a*x**n + b", []string{"x"})
	l, err := l.Fix("b", "2*a")
	if err != nil || l.Formula() != "a*x**n + 2*a" || len(l.Constants) != 2 {
		t.Errorf("%s, %v", l.Formula(), err)
	}
	if l, err = l.Fix("a", "3"); err != nil || l.Formula() != "3*x**n + 2*3" || len(l.Constants) != 1 || l.Constants[0].Name != "n" {
		t.Errorf("%s, %v", l.Formula(), err)
	}
	for name, by := range map[string]string{"m": "1", "n": "n + 1"} {
		if _, err := l.Fix(name, by); err == nil {
			t.Errorf("%s = %s was taken", name, by)
		}
	}
	for _, by := range []string{"c0", "c1", "2*c5", "zz"} { // a name such as c0 is not a free constant here
		if _, err := l.Fix("n", by); err == nil || !strings.Contains(err.Error(), "unknown name \""+strings.TrimPrefix(by, "2*")) {
			t.Errorf("n = %s: %v", by, err)
		}
	}
	if _, err := l.Fix("q", "1"); err == nil || !strings.Contains(err.Error(), "its constants are n") {
		t.Error(err)
	}
}

// The bands of a straight line agree with textbooks. The half-width of the confidence band is
// t·s·√(1/n + (x − x̄)²/Sxx). For the prediction band, 1 is added under the root.
func TestBands(t *testing.T) {
	l, _ := law.Parse("y = a + b*x", []string{"x"})
	const n, mean, sxx, s = 5, 3.0, 10.0, 0.7
	l.Cov = []float64{s * s * (1./n + mean*mean/sxx), -s * s * mean / sxx, -s * s * mean / sxx, s * s / sxx}
	l.Errors, l.Noise, l.Dof = law.EqualErrors, s, n-2
	const t95 = 3.182446305284263
	x := []float64{0, 3, 10}
	b, err := l.Bands([][]float64{x}, 3, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range x {
		near := 1./n + (v-mean)*(v-mean)/sxx
		if want := t95 * s * math.Sqrt(near); math.Abs(b.Confidence[i]-want) > 1e-9 {
			t.Errorf("confidence at %g: %g, want %g", v, b.Confidence[i], want)
		}
		if want := t95 * s * math.Sqrt(1+near); math.Abs(b.Prediction[i]-want) > 1e-9 {
			t.Errorf("prediction at %g: %g, want %g", v, b.Prediction[i], want)
		}
	}
	// Absolute errors: the quantile is that of the normal distribution.
	l.Errors, l.Dof = law.GivenErrors, 0
	if b, _ = l.Bands([][]float64{x}, 3, 0.95); math.Abs(b.Confidence[1]/(1.959963984540054*s*math.Sqrt(1./n))-1) > 1e-9 {
		t.Errorf("%v", b.Confidence)
	}
	if _, err := l.Bands([][]float64{x}, 3, 95); err == nil {
		t.Error("a level of 95 was taken")
	}
	l.Cov = nil
	if _, err := l.Bands([][]float64{x}, 3, 0.95); err == nil || !strings.Contains(err.Error(), "covariance") {
		t.Error(err)
	}
}

func TestEvalWrongCount(t *testing.T) {
	l, _ := law.Parse("y = a*x", []string{"x", "unused", "other"})
	if v := l.Eval(3); v != 3 {
		t.Error(v)
	}
	if v := l.Eval(3, 0, 0); v != 3 {
		t.Error(v)
	}
	defer func() {
		if recover() == nil {
			t.Error("two values for one or three variables were taken")
		}
	}()
	l.Eval(3, 4)
}
