package search

import (
	"context"
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/search/searchtest"
)

// forms lists a law for each form that a join can find, with and without units. One of the proposed
// trees must equal the target on all rows, with its constants at their start values.
var forms = []struct{ form, law, columns string }{
	// products
	{"monomial with units", "2*pi*sqrt(l/g)", "l:0.1:2:m g:1:20:m/s^2 m:1:2:kg"},
	{"monomial without units", "3.7*a**2/sqrt(b)", "a:1:3 b:0.5:2 c:1:2"},
	{"free exponents", "0.3*a**1.37*b**-0.81", "a:1:3 b:0.5:2"},
	{"product with factors", "m*v**2/2/sqrt(1-v**2/c**2)", "m:1:3:kg v:0.5:2:m/s c:3:6:m/s"},
	{"product of two binomials", "k*a*(1+b)**2/(1+c)**3", "k:1:2 a:1:3 b:0.5:2 c:0.3:2"},
	{"negative target", "-4.2*a*b**3", "a:1:3 b:0.5:2"},
	{"target of both signs", "2.5*a*b", "a:-2:2 b:-1:3"},
	{"a field in the plane", "-k*x/(x**2 + y**2)**(3/2)", "k:1:3 x:-3:3 y:-3:3"},
	{"a field in the plane with units", "-k*x/(x**2 + y**2)**(3/2)", "k:1:3:N*m^2 x:-3:3:m y:-3:3:m"},
	{"a field in space with units", "k*q*z/(x**2 + y**2 + z**2)**(3/2)", "k:1:3:N*m^2/C q:-1:1:C x:-3:3:m y:-3:3:m z:-3:3:m"},
	{"a distance", "q/sqrt((x - d)**2 + y**2)", "q:-2:2 x:-3:3 d:0.5:1.5 y:-3:3"},
	{"a size", "2.5*a*abs(x)", "a:1:3 x:-2:2"},
	{"rate", "3*a*exp(-0.37*b)", "a:1:3 b:0.5:4"},
	{"rate with units", "N*exp(-t/tau)", "N:1:5:1 t:0.5:4:s tau:1:3:s"},
	{"trigonometric factor", "a*b*sin(theta)", "a:1:3:m b:1:5:N theta:0.1:3:1"},
	{"three factors", "I*(sin(a/2)*sin(n*d/2)/(a*sin(d/2)))**2", "I:1:3:W a:1:3:1 n:1:3:1 d:1:3:1"},
	// sums
	{"sum with units", "x + v*t + a*t**2/2", "x:1:3:m v:1:5:m/s a:0.5:3:m/s^2 t:1:4:s"},
	{"sum without units", "1.5*a*b + 0.7*c**2", "a:1:3 b:0.5:2 c:1:3"},
	{"sum with an addend", "2 + 3*a - 0.5*b**2", "a:1:3 b:0.5:2"},
	{"difference of powers", "G*(1/r - 1/s)", "G:1:3:m^3/s^2 r:1:3:m s:3:6:m"},
	{"four terms", "a**2 + b**2 - 2*a*b*cos(theta)", "a:1:3:m b:1:5:m theta:0.1:3:1"},
	{"seven terms", "k*(a + 3*b - 2*c + a*b/2 - b*c + 4*a**2 - c**2/3)", "k:1:3:kg a:0.5:3:1 b:1:5:1 c:1:4:1"},
	{"interference", "a + b + 2*sqrt(a*b)*cos(d)", "a:1:5:W b:1:5:W d:0:6:1"},
	// sums under an outer function
	{"sum of reciprocals", "1/(1/a + 1/b)", "a:1:5:ohm b:1:5:ohm"},
	{"lens", "1/(1/a + n/b)", "a:1:5:m b:1:5:m n:1.2:2:1"},
	{"root of squares", "sqrt(a**2 + b**2)", "a:1:5:m b:1:5:m"},
	{"root of three squares", "sqrt(a**2 + b**2 + c**2)", "a:1:5 b:1:5 c:1:5"},
	{"inverse root", "1/sqrt(a**2 + b)", "a:1:5 b:1:5"},
	{"logarithm", "k*log(a/b)", "k:1:3:J a:3:9:m b:1:2:m"},
	{"exponential of a sum", "exp(0.5*a - b/3)", "a:1:3 b:0.5:2"},
	{"logarithm of a sum", "log(a**2 + b)", "a:1:3 b:0.5:2"},
	{"arcsine", "asin(sin(theta)/n)", "theta:0.1:1.4:1 n:1.2:2:1"},
	{"arccosine", "acos(a*b)", "a:0.1:0.9 b:0.1:0.9"},
	// ratios
	{"ratio of sums with units", "(u+v)/(1+u*v/c**2)", "u:0.5:2:m/s v:0.5:2:m/s c:3:6:m/s"},
	{"ratio of sums without units", "(a + b)/(1 + a*b)", "a:0.1:3 b:0.5:2"},
	{"weighted mean", "(a*x + b*y)/(a + b)", "a:1:3:kg b:1:5:kg x:0.5:3:m y:1:4:m"},
	{"exponential of a ratio", "5*exp(-3/(a + 1.5))", "a:1:8"},
	{"exponential of a ratio of sums", "6*exp(17*a/(9 + a))", "a:0.2:5"},
	{"root of a quadratic", "a + sqrt(a**2 + b)", "a:0.5:3 b:1:5"},
	// products with an additive offset
	{"a difference that decays", "s + (q - s)*k**2*exp(-k*t)", "q:5:9:K s:1:3:K t:0.2:3:1 k:0.5:2:1"},
	{"saturation", "1/(1 + (a/b)**n)", "a:0.5:5:Pa b:0.5:5:Pa n:1:4:1"},
	{"a voltage", "k*T/e*log((a*b + c*d)/(a*f + c*g))", "k:1:3:J/K T:1:3:K e:1:3:C a:1:5:m/s b:1:9:Pa c:1:5:m/s d:1:9:Pa f:1:9:Pa g:1:9:Pa"},
	{"root of a difference", "m*c**2*(1/sqrt(1-v**2/c**2)-1)", "m:1:5:kg c:3:9:m/s v:0.5:2.8:m/s"},
	{"a power that varies", "p*(1 + t/c)**n", "p:1:5:Pa t:1:9:s c:1:9:s n:-1.5:-0.7:1"},
	{"a temperature", "E/(k*log(1 + g*n/d))", "E:1:5:J k:1:3:J/K g:1:4:1 n:1:9:mol d:1:9:mol"},
	{"a temperature with half of a quantity", "E/(2*k*log(1 + g*n/d))", "E:1:5:J k:1:3:J/K g:1:4:1 n:1:9:mol d:1:9:mol"},
	{"an area function", "v*log(q/s + sqrt(q**2/s**2 + 1))", "v:1:5:V q:0.5:9:A s:1:5:A"},
	{"the inverse of a hyperbolic cosine", "l/log(h/d + sqrt(h**2/d**2 - 1))", "l:1:5:F h:5:9:m d:1:4:m"},
	{"growth whose rate decays", "K*exp(-b*exp(-a))", "K:50:100:kg b:1:3:1 a:0.2:4:1"},
	// known constants
	{"a known constant", "m*c**2", "m:1:5:kg c:2.99792458:2.99792458:m/s t:1:2:s"},
	{"a known constant inside", "m/sqrt(1 - v**2/c**2)", "m:1:5:kg v:1:2:m/s c:2.99792458:2.99792458:m/s"},
}

func TestForms(t *testing.T) {
	for _, f := range forms {
		t.Run(f.form, func(t *testing.T) {
			p := searchtest.Sampled(t, f.law, f.columns, 300)
			best, left := closest(&Search{Depth: 1}, p)
			if left > 1e-8 {
				t.Errorf("the best law for %s leaves %.1e: %s", f.law, left, best)
			}
		})
	}
}

// With 1 % noise, the true law is among the proposed ones. If that law is fitted to the target
// without noise, it is exact.
func TestFormsWithNoise(t *testing.T) {
	for _, f := range []struct{ form, law, columns string }{
		{"monomial", "2*pi*sqrt(l/g)", "l:0.1:2:m g:1:20:m/s^2 m:1:2:kg"},
		{"free exponents", "0.3*a**1.37*b**-0.81", "a:1:3 b:0.5:2"},
		{"factors", "m*v**2/2/sqrt(1-v**2/c**2)", "m:1:3:kg v:0.5:2:m/s c:3:6:m/s"},
		{"sum", "x + v*t + a*t**2/2", "x:1:3:m v:1:5:m/s a:0.5:3:m/s^2 t:1:4:s"},
		{"sum without units", "1.5*a*b + 0.7*c**2", "a:1:3 b:0.5:2 c:1:3"},
		{"sum of reciprocals", "1/(1/a + 1/b)", "a:1:5:ohm b:1:5:ohm"},
		{"ratio of sums", "(u+v)/(1+u*v/c**2)", "u:0.5:2:m/s v:0.5:2:m/s c:3:6:m/s"},
		{"rate", "N*exp(-t/tau)", "N:1:5:1 t:0.5:4:s tau:1:3:s"},
	} {
		t.Run(f.form, func(t *testing.T) {
			clean, p := searchtest.Sampled(t, f.law, f.columns, 300), searchtest.Sampled(t, f.law, f.columns, 300)
			searchtest.Disturb(p, 0.01)
			n, least := 0, math.Inf(1)
			for tree := range (&Search{Depth: 1}).Propose(context.Background(), p) {
				n++
				if searchtest.Misfit(tree, p) > 0.02 {
					continue
				}
				r, err := fit.Fit(tree, p.Cols(), clean.Target.Values, nil, fit.Settings{Starts: 1})
				if err != nil {
					continue
				}
				if least = min(least, searchtest.Misfit(tree.WithStarts(r.Params), clean)); least < 1e-8 {
					return
				}
			}
			t.Errorf("%s is not among %d trees: the nearest leaves %.1e", f.law, n, least)
		})
	}
}

// A column that does not vary is not used, unless it is a known constant and units are used.
func TestConstantColumns(t *testing.T) {
	p := searchtest.Sampled(t, "2*a*b", "a:1:3 b:0.5:2 c:4:4", 200)
	for tree := range (&Search{Depth: 1}).Propose(context.Background(), p) {
		for _, v := range tree.Vars() {
			if v == 2 {
				t.Fatalf("%s uses a constant column", tree)
			}
		}
	}
	p = searchtest.Sampled(t, "m*g*h", "m:1:3:kg g:9.80665:9.80665:m/s^2 h:1:5:m", 200)
	best, left := closest(&Search{Depth: 1}, p)
	if left > 1e-8 || !uses(best, 1) {
		t.Errorf("%s leaves %.1e; want g in it", best, left)
	}
	p.Vars[1].Const = false // a column that happens to have the same value in every row
	if best, left = closest(&Search{Depth: 1}, p); left > 1e-8 || uses(best, 1) {
		t.Errorf("%s leaves %.1e; want no column that does not vary in it", best, left)
	}
}

func uses(t expr.Tree, v int) bool {
	for _, i := range t.Vars() {
		if i == v {
			return true
		}
	}
	return false
}

// If no product of powers of the variables has the target's unit, the law is found without units. A
// constant factor carries the unit.
func TestUnitsOutOfReach(t *testing.T) {
	p := searchtest.Sampled(t, "3*l**2/t", "l:1:3:m t:1:2:s", 200)
	p.Target.Dim = searchtest.Dims(t, "kg")[0]
	if best, left := closest(&Search{Depth: 1}, p); left > 1e-8 {
		t.Errorf("%s leaves %.1e", best, left)
	}
}

func TestIrrelevantColumns(t *testing.T) {
	columns := "a:1:3 b:0.5:2"
	for i := range 30 {
		columns += " " + string(rune('c'+i%20)) + string(rune('0'+i/20)) + ":1:2"
	}
	p := searchtest.Sampled(t, "2.5*a/b**2", columns, 300)
	best, left := closest(&Search{Depth: 1}, p)
	if left > 1e-8 || len(best.Vars()) != 2 {
		t.Errorf("%s leaves %.1e", best, left)
	}
}
