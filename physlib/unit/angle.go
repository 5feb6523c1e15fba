package unit

import (
	"math"
	"slices"
	"strings"
)

// angles are the first symbols of the units of angle. The steradian is left out, since no sine or
// cosine is taken of a solid angle.
var angles = []string{"rad", "deg", "arcmin", "arcsec", "mas", "µas", "rev", "gon"}

// IsAngle reports whether u is a unit of angle, such as rad, mrad, degrees or ′. Units of angle are
// dimensionless like plain numbers, so IsAngle looks at the name of u.
func (u Unit) IsAngle() bool {
	if !u.Dim.IsZero() {
		return false
	}
	for name := range strings.FieldsFuncSeq(normalize(u.Name), func(r rune) bool { return !isName(r) }) {
		if e, ok := lookup(name); ok && e.names != "" && slices.Contains(angles, strings.Fields(e.names)[0]) {
			return true
		}
	}
	return false
}

// IsRadian reports whether u is the radian, whatever its name.
func (u Unit) IsRadian() bool { return u.IsAngle() && u.Factor() == 1 }

// IsDegree reports whether u is the degree of angle, whatever its name.
func (u Unit) IsDegree() bool {
	const degree = math.Pi / 180
	return u.Dim.IsZero() && math.Abs(u.Factor()-degree) < 1e-9*degree
}
