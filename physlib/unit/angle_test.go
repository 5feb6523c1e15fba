package unit

import "testing"

func TestIsAngle(t *testing.T) {
	for name, want := range map[string]bool{
		"rad": true, "radian": true, "radians": true, "mrad": true, "µrad": true, "Radians": true,
		"deg": true, "°": true, "º": true, "degree": true, "degrees": true, "Degrees": true,
		"arcmin": true, "arcminutes": true, "′": true, "arcsec": true, "″": true, "mas": true, "µas": true,
		"rev": true, "turns": true, "gon": true, "0.001 rad": true, "rad^2": true,
		"1": false, "%": false, "sr": false, "dB": false, "m/m": false, "m": false, "°C": false, "rad/s": false, "m rad": false,
		"counts": false, "ppm": false,
	} {
		u, err := Parse(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := u.IsAngle(); got != want {
			t.Errorf("IsAngle of %q is %v, want %v", name, got, want)
		}
	}
	if (Unit{}).IsAngle() {
		t.Error("the number one is an angle")
	}
}

// A symbol in the list of angles must be a dimensionless unit.
func TestAngles(t *testing.T) {
	for _, name := range angles {
		if e, ok := lookup(name); !ok || !e.dim.IsZero() || e.mant == 0 {
			t.Errorf("%s is not a dimensionless unit", name)
		}
	}
	for name, want := range map[string]bool{"rad": true, "radians": true, "mrad": false, "deg": false, "1": false} {
		if u, err := Parse(name); err != nil || u.IsRadian() != want {
			t.Errorf("IsRadian of %s is not %v (%v)", name, want, err)
		}
	}
}
