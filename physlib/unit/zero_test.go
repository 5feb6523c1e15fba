package unit

import "testing"

func TestZero(t *testing.T) {
	for name, want := range map[string]float64{"degC": 273.15, "degF": 459.67, "K": 0, "m": 0} {
		u, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Zero(); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
