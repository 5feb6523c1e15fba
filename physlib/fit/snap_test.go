package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

func TestSnap(t *testing.T) {
	pi := math.Pi
	tests := []struct {
		value, stderr float64
		text          string // "": no form is expected
	}{
		// measured values
		{39.478, 0.003, "4*pi**2"},
		{0.503, 0.004, "1/2"},
		{-0.4998, 0.0005, "-1/2"},
		{6.2836, 0.0009, "2*pi"},
		{1.4995, 0.001, "3/2"},
		{2.002, 0.005, "2"},
		{0.1193662, 1e-7, "3/(8*pi)"},
		{0.70710, 0.00004, "sqrt(2)/2"},
		// values that are too far from the form
		{0.52, 0.004, ""},
		{39.5, 0.003, ""},
		// errors that are too large, or forms that are too long for the error
		{0.5, 0.3, ""},
		{9.81, 0.01, ""},
		{365.034, 0.012, ""},
		{72.3, 3.1, ""},
		{0.0123, 0.0004, ""},
		{3.14159292, 1e-9, ""}, // 355/113 takes 30 bits, and the precision of the value only 32
		{6.67430e-11, 1.5e-15, ""},
		// data without noise
		{6.4, 1e-14, "32/5"},
		{3 / (8 * pi) * (1 + 3e-10), 1e-15, "3/(8*pi)"},
		{1 / (16 * pi * pi) * (1 - 1e-12), 1e-17, "1/(16*pi**2)"},
		{math.Sqrt2 / 2, 0, "sqrt(2)/2"},
		{8 * math.Sqrt(pi) / 3, 1e-15, "8*sqrt(pi)/3"},
		{97. / 89, 1e-14, "97/89"},
		{97. / 89 * (1 + 1e-10), 1e-14, ""},
		{1 + 1e-7, 1e-15, ""},
		{2.7465519238471, 1e-15, ""},
		{299792458, 1e-6, ""},
		// special cases
		{0, 0, "0"},
		{0, 1, "0"},
		{1e-5, 1, ""},
		{math.NaN(), 1, ""},
		{1, math.NaN(), ""},
		{1, math.Inf(1), ""},
		{math.Inf(1), 1, ""},
		{math.Inf(-1), 0, ""},
		{1, -1, ""},
		{1e300, 1e290, ""},
		{5e-324, 0, ""},
		{-1e308, 1e308, ""},
	}
	for _, test := range tests {
		exact, text, bits, ok := fit.Snap(test.value, test.stderr)
		if text != test.text || ok != (test.text != "") {
			t.Errorf("Snap(%v, %v) = %q, %.1f bits, %v; want %q", test.value, test.stderr, text, bits, ok, test.text)
			continue
		}
		if p, err := expr.Parse(text, nil); ok && (err != nil || p.Hash() != exact.Hash()) {
			t.Errorf("Snap(%v, %v) is %s and prints as %s", test.value, test.stderr, exact, text)
		}
	}
}

// Random numbers rarely have a closed form.
func TestSnapFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, relative := range []float64{0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-8, 1e-12, 0} {
		const n = 5000
		alarms := 0
		examples := map[string]int{}
		for range n {
			v := math.Exp(1.5 * rng.NormFloat64())
			if _, text, _, ok := fit.Snap(v, relative*v); ok {
				alarms++
				examples[text]++
			}
		}
		t.Logf("%6g: %.4f of values taken for closed forms, %d of them", relative, float64(alarms)/n, len(examples))
		if limit := 0.05; float64(alarms)/n > limit {
			t.Errorf("stderr %v: %d of %d numbers taken for closed forms", relative, alarms, n)
		}
	}
}

// Closed forms measured with an error are mostly recognized if the error is small enough.
func TestSnapPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		text     string
		relative float64
		least    float64
	}{
		{"1/2", 0.01, 0.8}, {"1/2", 0.003, 0.95}, {"2", 0.01, 0.8}, {"4*pi**2", 1e-4, 0.9}, {"2*pi", 0.001, 0.85},
		{"3/2", 0.001, 0.85}, {"3/(8*pi)", 1e-6, 0.95}, {"32/5", 1e-7, 0.95}, {"sqrt(2)/2", 1e-4, 0.95},
	} {
		tree, err := expr.Parse(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := []float64{0}
		expr.Compile(tree).Eval(v, nil, nil)
		hits := 0
		const n = 1000
		for range n {
			_, text, _, _ := fit.Snap(v[0]*(1+c.relative*rng.NormFloat64()), v[0]*c.relative)
			if text == c.text {
				hits++
			}
		}
		t.Logf("%s with relative error %g: recognized %.3f", c.text, c.relative, float64(hits)/n)
		if float64(hits)/n < c.least {
			t.Errorf("%s with relative error %g: recognized %d of %d", c.text, c.relative, hits, n)
		}
	}
}

func TestClosed(t *testing.T) {
	got := fit.Closed(-1.5708, 1e-2, 3)
	if len(got) == 0 || got[0].Text != "-pi/2" || math.Abs(got[0].Value+math.Pi/2) > 1e-15 || got[0].Bits != 5 {
		t.Errorf("Closed(-1.5708) = %+v", got)
	}
	for i, c := range got {
		v := []float64{0}
		expr.Compile(c.Tree).Eval(v, nil, nil)
		if math.Abs(v[0]-c.Value) > 1e-14 || math.Abs(c.Value+1.5708) > 1e-2 || i > 0 && c.Bits < got[i-1].Bits {
			t.Errorf("form %d: %+v", i, c)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), 1e300} {
		if got := fit.Closed(v, 1e-9, 3); len(got) > 0 {
			t.Errorf("Closed(%v) = %+v", v, got)
		}
	}
}

func ExampleClosed() {
	value, stderr := 0.6368, 0.0004
	for _, c := range fit.Closed(value, 2*stderr, 3) {
		fmt.Printf("%-11s %.4f %4.1f bits, odds %.1f\n", c.Text, c.Value, c.Bits, c.Odds(value, stderr))
	}
	// Output:
	// 2/pi        0.6366  5.0 bits, odds 5.5
	// 7/11        0.6364 12.5 bits, odds -2.8
	// 2*pi**2/31  0.6367 15.9 bits, odds -5.3
}

func ExampleSnap() {
	_, text, _, ok := fit.Snap(39.475, 0.006)
	fmt.Println(text, ok)
	_, text, _, ok = fit.Snap(365.034, 0.012)
	fmt.Println(text, ok)
	// Output:
	// 4*pi**2 true
	//  false
}

func BenchmarkSnap(b *testing.B) {
	for _, relative := range []float64{1e-2, 1e-6, 1e-14} {
		b.Run(fmt.Sprint("stderr=", relative), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				v := []float64{4 * math.Pi * math.Pi, 0.5, 2.7465519, 123.4567}[i%4]
				fit.Snap(v, relative*v)
			}
		})
	}
}
