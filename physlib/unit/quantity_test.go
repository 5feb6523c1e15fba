package unit

import "testing"

func TestDimension(t *testing.T) {
	for name, want := range map[string]string{"rad": "angle", "radians": "angle", "gon": "angle", "mas": "angle", "″": "angle", "%": "1", "m": "m"} {
		u, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Dimension(); got != want {
			t.Errorf("the dimension of %s is %q, want %q", name, got, want)
		}
	}
}
