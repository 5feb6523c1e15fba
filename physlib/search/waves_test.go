package search

import (
	"context"
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
)

// nearestWave returns the tree with the least misfit among the waves offered for p, its misfit, and
// the number of trees offered.
func nearestWave(t testing.TB, p *dataset.Problem) (best expr.Tree, least float64, n int) {
	t.Helper()
	least = math.Inf(1)
	w := newSession(context.Background(), &Search{}, p, func(tree expr.Tree) bool {
		n++
		if e := searchtest.Misfit(tree, p); e < least {
			best, least = tree, e
		}
		return true
	}).work(Part{View: Variables, Method: Waves})
	if exact := w.waves(context.Background(), false) || w.waves(context.Background(), true); exact != (least < 1e-8) {
		t.Errorf("exact: %v, but the best leaves %.1e", exact, least)
	}
	return best, least, n
}

// Laws that oscillate many times over the range of the data are found, also with noise of 10 %.
func TestWaves(t *testing.T) {
	for _, f := range []struct{ form, law, columns string }{
		{"oscillation", "5 + 1.2*sin(9.1*t + 0.3)", "t:0:60"},
		{"oscillation beside a line", "5 + 0.03*t + 1.2*sin(9.1*t + 0.3)", "t:0:60"},
		{"beats", "1.5*cos(7.3*t) + 0.8*cos(8.9*t + 1)", "t:0:30"},
		{"damped", "2.2*exp(-t/8)*cos(17.3*t + 0.6)", "t:0:30"},
		{"rising frequency", "2.2*cos(1.3*t + 0.9*t**2)", "t:0:10"},
		{"running wave", "0.3*cos(2.1*x - 5.3*t + 0.4)", "x:0:10 t:0:10"},
		{"wave the other way", "0.3*sin(2.1*x + 5.3*t)", "x:0:10 t:0:10"},
		{"standing wave", "1.7*sin(2.1*x)*cos(5.3*t)", "x:0:10 t:0:10"},
		{"spherical wave", "2.4/r*cos(3.1*r - 4.7*t)", "r:1:10 t:0:10"},
		{"amplitude in a column", "A*sin(3.1*x - 4.7*t)", "A:1:3 x:0:10 t:0:10"},
		{"waves that overlap", "sin(3.1*x - 4.7*t) + 0.4*sin(1.3*x + 2.9*t)", "x:0:10 t:0:10"},
		{"membrane", "0.4*sin(3*x)*sin(4*y)*cos(7*t)", "x:0:3.1416 y:0:3.1416 t:0:6"},
		{"plane wave", "1 + 0.4*sin(3*x - 4*y - 7*t)", "x:0:3 y:0:3 t:0:6"},
		{"guided wave", "0.4*sin(3*x)*cos(4*z - 7*t + 1)", "x:0:3.1416 z:0:3 t:0:6"},
		{"decay in 1/B", "0.3*cos(95/B)*exp(-3/B)", "B:1:9"},
		{"fringes", "1 + 0.5*cos(40*sin(theta))", "theta:-1:1:1"},
	} {
		t.Run(f.form, func(t *testing.T) {
			p := searchtest.Sampled(t, f.law, f.columns, 1000)
			if best, left, n := nearestWave(t, p); left > 1e-8 {
				t.Errorf("the best of %d laws for %s leaves %.1e: %s", n, f.law, left, best)
			}
			clean := p.Target.Values
			p.Target.Values = append([]float64(nil), clean...)
			searchtest.Disturb(p, 0.1)
			best, _, _ := nearestWave(t, p)
			p.Target.Values = clean
			if left := searchtest.Misfit(best, p); !(left < 0.05) {
				t.Errorf("under noise of a tenth the best law for %s misses it by %.1e: %s", f.law, left, best)
			}
		})
	}
}

// With units, the frequencies are constants that carry units.
func TestWavesWithUnits(t *testing.T) {
	p := searchtest.Sampled(t, "0.3*cos(2.1*x - 5.3*t + 0.4)", "x:0:10 t:0:10", 400)
	p.Units = true
	for i, d := range searchtest.Dims(t, "m s") {
		p.Vars[i].Dim, p.Vars[i].Known = d, true
	}
	p.Target.Dim, p.Target.Known = searchtest.Dims(t, "m")[0], true
	if best, left := closest(&Search{Depth: 1}, p); left > 1e-8 {
		t.Errorf("the residual of the best law is %.1e: %s", left, best)
	}
}

// No wave is offered if the target is noise or constant, or if there are few rows.
func TestNoWaves(t *testing.T) {
	noise := searchtest.Sampled(t, "0*x*u + 1", "x:0:10 u:0:1", 300)
	searchtest.Disturb(noise, 1)
	for name, p := range map[string]*dataset.Problem{"noise": noise, "constant": searchtest.Sampled(t, "0*x + 1", "x:0:10", 100), "few rows": searchtest.Sampled(t, "sin(9*x)", "x:0:10", 15)} {
		if best, _, n := nearestWave(t, p); n > 0 {
			t.Errorf("%s: %d laws such as %s", name, n, best)
		}
	}
}

// A slow cosine of a large amplitude fits data as well as a polynomial does. Such a cosine does not
// count as a wave, so the search finds the polynomial.
func TestWavesOfPolynomials(t *testing.T) {
	for _, law := range []string{"2500*x**3 - 185*x**2", "3 + 2*x - 7*x**2", "x**4 - 2*x**3 + 0.5"} {
		p := searchtest.Sampled(t, law, "x:0.02:0.55", 60)
		nearestWave(t, p)
		best, left := closest(&Search{}, p)
		for _, n := range best.Nodes() {
			if n.Op == expr.Cos || n.Op == expr.Sin {
				t.Errorf("%s is read as %s", law, best)
			}
		}
		if left > 1e-9 {
			t.Errorf("the best law for %s leaves %.1e: %s", law, left, best)
		}
	}
}

func BenchmarkWaves(b *testing.B) {
	for _, f := range []struct{ name, law, columns string }{
		{"one", "3*exp(a)", "a:1:3"},
		{"two", "3*a/b**2", "a:1:3 b:1:3"},
		{"four", "3*a/b**2*c+d", "a:1:3 b:1:3 c:1:3 d:1:3"},
		{"eight", "3*a/b**2*c+d", "a:1:3 b:1:3 c:1:3 d:1:3 e:1:3 f:1:3 g:1:3 h:1:3"},
		{"running", "3*sin(9*a-8*b)", "a:1:3 b:1:3"},
	} {
		b.Run(f.name, func(b *testing.B) {
			p := searchtest.Sampled(b, f.law, f.columns, 1000)
			for b.Loop() {
				nearestWave(b, p)
			}
		})
	}
}
