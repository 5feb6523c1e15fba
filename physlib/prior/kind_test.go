package prior

import (
	"math"
	"testing"
)

// The share of numbers among the quantities of laws is that of the catalogue.
func TestNumberShare(t *testing.T) {
	numbers, all := 0.0, 0.0
	for _, e := range Default().Examples() {
		for _, k := range e.Kinds {
			all += e.Weight
			if k.Dimension == "1" || k.Dimension == "angle" {
				numbers += e.Weight
			}
		}
	}
	if math.Abs(numbers/all-numberShare) > 0.01 {
		t.Errorf("%.3f of the quantities are numbers, not %.3f", numbers/all, numberShare)
	}
	for name, want := range map[string][2]float64{"time": {leastNumber, leastNumber}, "n": {0.5, 1}, "qqq": {numberShare, numberShare}} {
		if p := Default().Number(name); p < want[0] || p > want[1] {
			t.Errorf("%s is a number with probability %.3f, not %v", name, p, want)
		}
	}
}
