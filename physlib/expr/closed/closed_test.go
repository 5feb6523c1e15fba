package closed_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

func TestNearest(t *testing.T) {
	tests := []struct {
		value, tolerance float64
		text             string // "": no form is expected
	}{
		{4 * math.Pi * math.Pi, 1e-12, "4*pi**2"},
		{0.5, 1e-12, "1/2"},
		{-0.5, 1e-12, "-1/2"},
		{3 / (8 * math.Pi), 1e-12, "3/(8*pi)"},
		{1 / (16 * math.Pi * math.Pi), 1e-12, "1/(16*pi**2)"},
		{math.Sqrt2 / 2, 1e-12, "sqrt(2)/2"},
		{6.4, 1e-12, "32/5"},
		{math.Sqrt(math.Pi), 1e-12, "sqrt(pi)"},
		{2 * math.Pow(math.Pi, -1.5), 1e-12, "2/pi**(3/2)"},
		{math.E, 1e-12, "e"},
		{1, 1e-12, "1"},
		{1e-7, 1e-12, "1e-07"},
		{-3e5, 1e-12, "-300000"},
		// the form with the fewest bits in the interval, not the closest form
		{3.14, 0.01, "pi"},
		{0.33, 0.02, "1/3"},
		{9.87, 0.05, "pi**2"},
		// the value differs from the form only by rounding
		{1 / 3.0, 0, "1/3"},
		{math.Nextafter(math.Pi, 4), 0, "pi"},
		// values without a short form
		{2.7465519, 1e-9, ""},
		{6.67430e-11, 1e-12, ""},
		{1e300, 1e-12, ""},
		{5e-324, 1e-12, ""},
		{math.MaxFloat64, 1e-12, ""},
		{math.NaN(), 1e-12, ""},
		{math.Inf(1), 1e-12, ""},
		{math.Inf(-1), math.Inf(1), ""},
		{1, math.NaN(), ""},
		{1, -1, ""},
		// zero is the form of zero only
		{0, 0, "0"},
		{math.Copysign(0, -1), 1, "0"},
		{0, -1, ""},
		// intervals that contain zero
		{1e-3, 1, "1"},
		{-0.3, 0.5, "-1/2"},
	}
	for _, test := range tests {
		f, ok := closed.Nearest(test.value, test.tolerance*math.Max(1e-300, math.Min(1, math.Abs(test.value))))
		if test.tolerance < 0 || math.IsNaN(test.tolerance) || test.tolerance >= 0.5 {
			f, ok = closed.Nearest(test.value, test.tolerance)
		}
		if got := f.String(); ok != (test.text != "") || ok && got != test.text {
			t.Errorf("Nearest(%v ± %v) = %q, %v; want %q", test.value, test.tolerance, got, ok, test.text)
		}
	}
}

// forms returns random forms of all kinds.
func forms(n int) []closed.Number {
	rng := rand.New(rand.NewPCG(7, 7))
	fs := make([]closed.Number, n)
	for i := range fs {
		f := closed.Number{Num: rng.Int64N(100) + 1, Den: rng.Int64N(100) + 1, HalfPi: rng.IntN(17) - 8}
		switch rng.IntN(4) {
		case 0:
			f.Root = []int64{2, 3, 5}[rng.IntN(3)]
		case 1:
			f.E = 1
		case 2:
			f.Ten, f.HalfPi, f.Den = rng.IntN(20)-10, 0, 1
		}
		if rng.IntN(2) == 0 {
			f.Num = -f.Num
		}
		fs[i] = f
	}
	return fs
}

func TestFormParsesBack(t *testing.T) {
	for _, f := range forms(2000) {
		p, err := expr.Parse(f.String(), nil)
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if p.Hash() != f.Tree().Hash() {
			t.Errorf("%+v prints as %s but is %s", f, f, f.Tree())
		}
		v := []float64{0}
		expr.Compile(p).Eval(v, nil, nil)
		if math.Abs(v[0]-f.Value()) > 1e-14*math.Abs(v[0]) {
			t.Errorf("%s = %v, Value %v", f, v[0], f.Value())
		}
	}
}

// Nearest recovers a form from its value with the error of a fit to exact data, or finds a simpler
// form.
func TestNearestFindsForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range forms(2000) {
		if f.HalfPi%2 != 0 && (f.HalfPi > 3 || f.HalfPi < -3 || f.Root > 2) || f.E != 0 && f.HalfPi != 0 || f.Ten*f.Ten < 9 && f.Ten != 0 {
			continue // Nearest does not search for such forms
		}
		v := f.Value() * (1 + 1e-12*rng.NormFloat64())
		got, ok := closed.Nearest(v, 1e-11*math.Abs(v))
		if !ok {
			t.Errorf("%s not found", f)
		}
		if ok && got.Bits() > f.Bits()+1e-9 {
			t.Errorf("%s (%.1f bits) found as %s (%.1f)", f, f.Bits(), got, got.Bits())
		}
		if ok && math.Abs(got.Value()-v) > 1.001e-11*math.Abs(v) {
			t.Errorf("%s found as %s, too far off", f, got)
		}
	}
}

func TestAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		v := math.Exp(4 * rng.NormFloat64())
		if rng.IntN(2) == 0 {
			v = -v
		}
		tol := math.Abs(v) * math.Pow(10, -8*rng.Float64())
		all := closed.All(v, tol, 8)
		near, ok := closed.Nearest(v, tol)
		if ok != (len(all) > 0) {
			t.Fatalf("All(%v ± %v) = %v, Nearest %v", v, tol, all, ok)
		}
		for i, f := range all {
			if i == 0 && f.Bits() > near.Bits() {
				t.Errorf("All(%v ± %v) begins with %s, Nearest is %s", v, tol, f, near)
			}
			if i > 0 && (f.Bits() < all[i-1].Bits() || f.Value() == all[i-1].Value()) {
				t.Errorf("All(%v ± %v): %s after %s", v, tol, f, all[i-1])
			}
			if math.Abs(f.Value()-v) > tol*(1+1e-9) {
				t.Errorf("All(%v ± %v) has %s = %v", v, tol, f, f.Value())
			}
		}
	}
	// invalid arguments: Nearest finds no form and returns
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := closed.All(v, 1, 3); got != nil {
			t.Errorf("All(%v) = %v", v, got)
		}
	}
	for _, got := range [][]closed.Number{closed.All(1, 1, 0), closed.All(1, -1, 3), closed.All(1, math.NaN(), 3)} {
		if got != nil {
			t.Errorf("%v, want none", got)
		}
	}
	if got := closed.All(1, math.Inf(1), 1000); len(got) != 1000 {
		t.Errorf("%d of 1000 forms", len(got))
	}
	if got := closed.All(0, 1, 3); len(got) != 1 || got[0].String() != "0" {
		t.Errorf("All(0) = %v", got)
	}
}

// Rational gives the same fraction as a search of all fractions.
func TestRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		lo := math.Exp(2 * rng.NormFloat64())
		hi := lo * (1 + math.Pow(10, -3*rng.Float64()))
		p, q, ok := closed.Rational(lo, hi, 60)
		var wantP, wantQ int64
	search:
		for b := int64(1); b <= 60; b++ {
			a := int64(math.Ceil(lo * float64(b)))
			if a <= 60 && float64(a) <= hi*float64(b) {
				wantP, wantQ = a, b
				break search
			}
		}
		if ok != (wantQ > 0) || ok && (p != wantP || q != wantQ) {
			t.Errorf("Rational(%v, %v) = %d/%d %v, want %d/%d", lo, hi, p, q, ok, wantP, wantQ)
		}
	}
	for _, c := range [][2]float64{{-2, -1}, {0, 0}, {2, 1}, {math.NaN(), 1}, {1, math.NaN()}, {math.Inf(1), math.Inf(1)}, {1e300, 1e301}} {
		if p, q, ok := closed.Rational(c[0], c[1], 1000); ok {
			t.Errorf("Rational(%v) = %d/%d", c, p, q)
		}
	}
}

func ExampleNearest() {
	kepler, _ := closed.Nearest(39.478417604357, 1e-10)
	sine, _ := closed.Nearest(-0.7071067811865, 1e-10)
	fmt.Println(kepler, kepler.Bits(), "bits")
	fmt.Printf("%v %.1f bits\n", sine, sine.Bits())
	// Output:
	// 4*pi**2 8 bits
	// -sqrt(2)/2 6.5 bits
}

func ExampleAll() {
	for _, f := range closed.All(1.57, 0.01, 3) {
		fmt.Printf("%-16v %.3f %.1f bits\n", f, f.Value(), f.Bits())
	}
	// Output:
	// pi/2             1.571 5.0 bits
	// 11/7             1.571 12.5 bits
	// 7*sqrt(2)/(2*pi) 1.576 15.1 bits
}

var numbers = []float64{4 * math.Pi * math.Pi, 0.5, 2.7465519, 3 / (8 * math.Pi), 123.4567, 6.674e-11}

func BenchmarkNearest(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		v := numbers[i%len(numbers)]
		closed.Nearest(v, 1e-12*v)
	}
}

func BenchmarkAll(b *testing.B) {
	for _, tol := range []float64{1e-11, 1e-3, 0.2} {
		b.Run(fmt.Sprint("tolerance=", tol), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				v := numbers[i%len(numbers)]
				closed.All(v, tol*v, 3)
			}
		})
	}
}
