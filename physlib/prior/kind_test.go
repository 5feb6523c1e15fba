package prior

import (
	"math"
	"testing"
)

// numberShare agrees with the fraction of numbers among the quantities of the catalogue's laws.
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
	most := math.Log2(numberShare / leastNumber)
	for name, want := range map[string]float64{"time": most, "speed": most, "angle": 0, "qqq": 0} {
		if bits := Default().NumberBits(name); math.Abs(bits-want) > 1e-9 {
			t.Errorf("that %s is a number costs %.3f bits, not %.3f", name, bits, want)
		}
	}
}
