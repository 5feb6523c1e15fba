package search

import (
	"context"
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
)

// Laws of many terms, beside features or under a factor or a ratio that varies.
func TestManyTerms(t *testing.T) {
	for _, f := range []struct{ form, law, columns string }{
		{"a rich term beside cheap ones", "s - 0.37*t*log(q)/n", "s:1:3 t:2:4 q:0.1:9 n:1:4"},
		{"a root beside cheap ones", "a + b + 2*sqrt(a*b)*cos(d)", "a:1:5 b:1:5 d:0:6"},
		{"two rich terms beside cheap ones", "p*t*log(x) + w*exp(-z) + w*x + u", "p:1:3:J/K t:1:4:K x:0.05:0.95:1 z:0.1:0.9:1 w:1:5:J u:1:2:J"},
		{"a diode beside a shunt", "a - b*(exp(v/(n*u)) - 1) - v/r", "a:1:9:A b:0.1:0.4:A v:0.5:2:V n:1:2:1 u:0.6:0.9:V r:1:5:ohm"},
		{"five terms under a root", "sqrt(m**2 + n**2 + 2*a*b - 2*p*q*cos(t))", "m:1:2:J n:1:2:J a:4:9:J b:4:9:J p:1:3:J q:1:3:J t:0.2:3:1"},
		{"six terms under a root", "sqrt((m**2-(a+b)**2)*(m**2-(a-b)**2))/(2*m)", "m:2:9:J a:0.1:0.9:J b:0.1:0.9:J"},
		{"a thick lens", "1/((n-1)*(1/a - 1/b + (n-1)*d/(n*a*b)))", "n:1.3:2:1 a:1:3:m b:-5:-1:m d:0.1:1:m"},
		{"a banked curve", "sqrt(g*r*(tan(a)+m)/(1-m*tan(a)))", "g:5:15:m/s^2 r:10:100:m a:0.1:0.8:1 m:0.1:0.8:1"},
		{"a line", "z*sqrt((y**2+z**2*tan(b)**2)/(z**2+y**2*tan(b)**2))", "z:1:3:ohm y:1:9:ohm b:0.1:1.4:1"},
		{"an exchanger", "(1-exp(-n*(1-c)))/(1-c*exp(-n*(1-c)))", "n:0.2:5:1 c:0.1:0.9:1"},
		{"a membrane", "a*u*(b-c*exp(-u))/(1-exp(-u))", "a:1:3:m/s b:1:9:mol/m^3 c:1:9:mol/m^3 u:0.3:4:1"},
	} {
		t.Run(f.form, func(t *testing.T) {
			p := searchtest.Sampled(t, f.law, f.columns, 300)
			best, left := expr.Tree{}, math.Inf(1)
			view := Variables
			if p.Units {
				view = Groups
			}
			w := newSession(context.Background(), &Search{}, p, func(tree expr.Tree) bool {
				if e := searchtest.Misfit(tree, p); e < left {
					best, left = tree, e
				}
				return true
			}).work(Part{View: view, Method: ManyTerms})
			found := w.wideLaws(context.Background())
			if !found || left > 1e-8 {
				t.Errorf("found: %v; the best law for %s leaves %.1e: %s", found, f.law, left, best)
			}
		})
	}
}
