package law_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/physlib/lab/physlib/law"
)

func TestFormatUncertain(t *testing.T) {
	for _, test := range []struct {
		value, stderr float64
		text          string
	}{
		{365.0341, 0.012, "365.034(12)"},
		{365.0341, 0.047, "365.034(47)"},
		{-1.5004, 0.0003, "-1.50040(30)"},
		{429.2, 3, "429.2(3.0)"},
		{429.2, 30, "429(30)"},
		{429.2, 12, "429(12)"},
		{6.6743e-11, 1.5e-15, "6.67430(15)e-11"},
		{299792458, 1000, "2.997925(10)e8"},
		{12.34, 1.2, "12.3(1.2)"},
		// values that are rounded up to the next power of ten
		{9.996, 0.3, "10.00(30)"},
		{99.996e7, 3e7, "1.000(30)e9"},
		{5, 0.0996, "5.00(10)"},
		{5, 0.0299, "5.000(30)"},
		// values that are smaller than their errors
		{0, 0.3, "0.00(30)"},
		{-1e-20, 3, "0.0(3.0)"},
		{3, 100, "0(10)e1"},
		{1e-300, 1e300, "0(10)e299"},
		// errors that cannot be used
		{2.5, 0, "2.5"},
		{math.Pi, math.NaN(), "3.14159"},
		{math.Pi, math.Inf(1), "3.14159"},
		{math.Pi, -1, "3.14159"},
		{math.NaN(), 1, "NaN"},
		{math.Inf(-1), 1, "-Inf"},
		{5e-324, 5e-324, "5.0(50)e-324"},
		{1e308, 2e300, "1.000000000(20)e308"},
	} {
		if got := law.FormatUncertain(test.value, test.stderr); got != test.text {
			t.Errorf("FormatUncertain(%v, %v) = %s, want %s", test.value, test.stderr, got, test.text)
		}
	}
}

func TestFormatPlusMinus(t *testing.T) {
	for _, c := range []struct {
		value, stderr float64
		want          string
	}{
		{365.25594, 0.00213, "365.2559 ± 0.0021"},
		{365.25594, 21.3, "365 ± 21"},
		{94031, 310, "94030 ± 310"},
		{1234567.8, 4500, "1234600 ± 4500"},
		{-0.5, 0.0996, "-0.50 ± 0.10"},
		{6.62607e-34, 3e-38, "(6.62607 ± 0.00030)e-34"},
		{2.9979e8, 12, "(2.99790000 ± 0.00000012)e8"},
		{2, 0, "2"},
		{2, math.Inf(1), "2"},
		{0, 0.5, "0.00 ± 0.50"},
		{3.14159265358979, 0, "3.1415927"},
		{-0.001, 0.5, "0.00 ± 0.50"},
		{999.6, 3000, "1000 ± 3000"},
		{1e-300, 1e300, "(0.0 ± 1.0)e300"},
		{math.NaN(), 1, "NaN"},
		{0.5, 1.4e-17, "0.5 ± 1.4e-17"},
	} {
		if got := law.FormatPlusMinus(c.value, c.stderr); got != c.want {
			t.Errorf("%g ± %g: %s, want %s", c.value, c.stderr, got, c.want)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, test := range []struct {
		value, stderr, level float64
		dof                  int
		low, high            float64
	}{
		{10, 1, 0.95, 0, 10 - 1.959964, 10 + 1.959964},
		{10, 1, 0.95, 12, 10 - 2.178813, 10 + 2.178813},
		{10, 2, 0.99, 1, 10 - 2*63.656741, 10 + 2*63.656741},
		{10, 1, 0.95, 1 << 30, 10 - 1.959964, 10 + 1.959964},
		{10, 0, 0.95, 3, 10, 10},
		{10, 1, 0, 3, 10, 10},
		{10, math.NaN(), 0.95, 3, math.Inf(-1), math.Inf(1)},
		{10, math.Inf(1), 0.95, 3, math.Inf(-1), math.Inf(1)},
		{10, 1, 1, 3, math.Inf(-1), math.Inf(1)},
	} {
		low, high := law.Interval(test.value, test.stderr, test.level, test.dof)
		if low != test.low && math.Abs(low-test.low) > 1e-5 || high != test.high && math.Abs(high-test.high) > 1e-5 {
			t.Errorf("Interval(%v, %v, %v, %v) = %v, %v", test.value, test.stderr, test.level, test.dof, low, high)
		}
	}
}

func ExampleFormatUncertain() {
	fmt.Println(law.FormatUncertain(365.0341, 0.012))
	fmt.Println(law.FormatUncertain(6.6743e-11, 1.5e-15))
	// Output:
	// 365.034(12)
	// 6.67430(15)e-11
}
