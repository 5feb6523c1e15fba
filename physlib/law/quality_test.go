package law

import (
	"math"
	"testing"
)

// R² is never rounded to 1.
func TestFormatR2(t *testing.T) {
	for _, c := range []struct {
		r2          float64
		column, say string
	}{
		{1, "1", "1"},
		{0.5, "0.500000", "0.5"},
		{-3, "-3.000000", "-3"},
		{0.98765432, "0.987654", "0.9877"},
		{0.99996, "0.999960", "0.99996"},
		{0.999994, "0.999994", "0.99999"},
		{0.999996, "0.999996", "0.999996"},
		{0.999998, "0.999998", "0.999998"},
		{1 - 3e-7, "1 − 3e-07", "1 − 3e-07"},
		{1 - 1e-8, "1 − 1e-08", "1 − 1e-08"},
		{math.NaN(), "–", "–"},
	} {
		if got := FormatR2(c.r2); got != c.column {
			t.Errorf("FormatR2(%v) = %q, want %q", c.r2, got, c.column)
		}
		if got := ShortR2(c.r2, 4); got != c.say {
			t.Errorf("ShortR2(%v, 4) = %q, want %q", c.r2, got, c.say)
		}
	}
}
