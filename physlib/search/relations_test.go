package search

import (
	"context"
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
)

func TestRelations(t *testing.T) {
	for _, c := range []struct {
		form, law, columns string
		depth              int
	}{
		{"a polynomial of one variable", "x**7 - 2*x**4 + 0.3*x + 1", "x:-1:1", 0},
		{"a ratio of polynomials", "(x**3 - 2*x*y + 5)/(y**4 + x**2 + 3)", "x:-2:2 y:-2:2", 0},
		{"a reciprocal of eleven terms", "8/(5 + (a-3)**2 + (b-3)**2 + (c-2)**2 + (d-1)**2 + (f-3)**2)", "a:0:6 b:0:6 c:0:6 d:0:6 f:0:6", 0},
		{"dispersion", "sqrt(1 + b*l**2/(l**2 - c) + d)", "b:0.5:2:1 l:2:5:m c:0.1:1:m^2 d:0.5:2:1", 0},
		{"angles", "k*p*q/r**3*(cos(a-b) - 3*cos(a)*cos(b))", "k:1:3:N/A^2 p:1:5:A*m^2 q:1:5:A*m^2 r:1:3:m a:0:6:1 b:0:6:1", 0},
		{"the root of a quadratic equation", "(I*s - sqrt(I**2*s**2 - 4*J*w*cos(a)))/(2*J*cos(a))", "I:1:3:kg*m^2 s:10:20:1/s J:1:3:kg*m^2 w:1:9:J a:0.2:1.2:1", 0},
		{"a root within a root", "sqrt((a**2 + b**2 - sqrt((a**2 + b**2)**2 - 4*a**2*b**2*cos(t)**2))/2)", "a:1:5:m/s b:1:5:m/s t:0.2:1.4:1", 0},
		{"powers below the line", "h**2/(8*m)*(p**2/a**2 + q**2/b**2 + n**2/c**2)", "h:1:3:J*s m:1:3:kg p:1:5:1 a:1:3:m q:1:5:1 b:1:3:m n:1:5:1 c:1:3:m", 0},
		{"six terms under a root", "sqrt((m**2-(a+b)**2)*(m**2-(a-b)**2))/(2*m)", "m:2:9:J a:0.1:0.9:J b:0.1:0.9:J", 0},
		{"a thick lens", "1/((n-1)*(1/a - 1/b + (n-1)*d/(n*a*b)))", "n:1.3:2:1 a:1:3:m b:-5:-1:m d:0.1:1:m", 0},
		{"a banked curve", "sqrt(g*r*(tan(a)+m)/(1-m*tan(a)))", "g:5:15:m/s^2 r:10:100:m a:0.1:0.8:1 m:0.1:0.8:1", 0},
		{"a transmission line", "z*sqrt((y**2+z**2*tan(b)**2)/(z**2+y**2*tan(b)**2))", "z:1:3:ohm y:1:9:ohm b:0.1:1.4:1", 0},
		{"two decays", "n*k*(exp(-k*t) - exp(-l*t))/(l - k)", "n:1:9:mol k:0.5:1:1/s l:1.2:2:1/s t:1:4:s", 1},
		{"an exchanger", "(1-exp(-n*(1-c)))/(1-c*exp(-n*(1-c)))", "n:0.2:5:1 c:0.1:0.9:1", 1},
		{"hyperbolic functions", "a + (b-a)*cosh(m*(l-x))/cosh(m*l)", "a:1:3:K b:4:9:K m:0.5:3:1/m l:1:2:m x:0.1:1:m", 1},
		{"mixing", "r*t*(n*log(p) + m*log(1-p) + c*n*(1-p))", "r:8:9:J/mol/K t:200:400:K n:1:3:mol p:0.1:0.9:1 m:1:3:mol c:0.1:2:1", 1},
		{"a power whose exponent varies", "sqrt(a*(p + q)*((1 + p/q)**(1/g) - 1))", "a:1:3:m/s^2 p:1:3:m q:1:3:m g:1.2:1.6:1", 2},
		{"an expression in place of its variable", "a**3 + a - 2*a**2*tan(t)", "a:0.3:1 t:0.1:1", 2},
		{"roots of the other variables", "a + b + 2*sqrt(a*b)*cos(d)", "a:1:5 b:1:5 d:0:6", 2},
		{"a function of a sum", "c*(a + b*exp(-(a + b)*t))/(a + b)", "c:1:9:mol a:0.5:1:1/s b:0.5:1:1/s t:0.5:3:s", 2},
		{"a diode beside a shunt", "a - b*(exp(v/(n*u)) - 1) - v/r", "a:1:9:A b:0.1:0.4:A v:0.5:2:V n:1:2:1 u:0.6:0.9:V r:1:5:ohm", 2},
	} {
		t.Run(c.form, func(t *testing.T) {
			p := searchtest.Sampled(t, c.law, c.columns, 1000)
			view := Variables
			if p.Units {
				view = Groups
			}
			var laws []expr.Tree
			s := newSession(context.Background(), &Search{}, p, func(tree expr.Tree) bool {
				laws = append(laws, tree)
				return true
			})
			if part := (Part{view, Relations, c.depth}); !s.apply(s.work(part), part) {
				t.Fatalf("%s: not found", c.law)
			}
			if e := searchtest.Misfit(laws[len(laws)-1], p); !(e < 1e-8) {
				t.Errorf("%s: %s has an error of %.1e", c.law, laws[len(laws)-1], e)
			}
		})
	}
}

// Data with small errors satisfy no relation. Operators that are not allowed occur in no law.
func TestRelationsOfNoise(t *testing.T) {
	p := searchtest.Sampled(t, "(x**3 - 2*x*y + 5)/(y**4 + x**2 + 3)", "x:-2:2 y:-2:2", 500)
	searchtest.Disturb(p, 1e-6)
	angles := searchtest.Sampled(t, "x*cos(y) + sin(y)", "x:-2:2 y:-2:2", 500)
	angles.Ops = []string{"add", "sub", "mul", "div"}
	for name, p := range map[string]*dataset.Problem{"noise": p, "no cosine": angles} {
		s := newSession(context.Background(), &Search{}, p, func(tree expr.Tree) bool {
			t.Errorf("%s: %v", name, tree)
			return true
		})
		for depth := range depthsOfRelations {
			if part := (Part{Variables, Relations, depth}); s.apply(s.work(part), part) {
				t.Errorf("%s: found at depth %d", name, depth)
			}
		}
	}
}

// If a relation gives the square of the target, the law found can still change its sign outside the
// range of the data.
func TestRelationsSquareRoot(t *testing.T) {
	p := searchtest.Sampled(t, "(t - u*x)/sqrt(1 - u**2)", "t:3:5 u:0.1:0.6 x:1:4", 500)
	var law expr.Tree
	w := newSession(context.Background(), &Search{}, p, func(tree expr.Tree) bool {
		law = tree
		return true
	}).work(Part{View: Variables, Method: Relations})
	if !w.relations(context.Background(), 0) {
		t.Fatal("not found")
	}
	var y [1]float64
	expr.Compile(law).Eval(y[:], [][]float64{{1}, {0.5}, {4}}, law.Params())
	if want := -1 / math.Sqrt(0.75); math.Abs(y[0]-want) > 1e-6 {
		t.Errorf("%s is %g at t = 1, u = 0.5, x = 4; want %g", law, y[0], want)
	}
}
