package unit

import (
	"fmt"
	"math"
)

// Unit converts numbers to SI: the SI value is Scale*number + Offset. The zero Unit is the number
// one.
type Unit struct {
	Dim    Dim
	Scale  float64 // SI value of a difference of one in this unit; 0 counts as 1
	Offset float64 // SI value of the zero of this unit: 273.15 for degC, 0 for nearly all others
	Name   string  // the text that the user wrote
}

// Factor returns the SI value of a difference of one: Scale, or 1 if that is 0.
func (u Unit) Factor() float64 {
	if u.Scale == 0 {
		return 1
	}
	return u.Scale
}

// Zero returns the distance between the zero of u and the zero of SI, in u: 273.15 for degC, 459.67
// for degF.
func (u Unit) Zero() float64 { return math.Round(u.Offset/u.Factor()*1e9) / 1e9 }

// ToSI converts a number in u to SI.
func (u Unit) ToSI(v float64) float64 { return u.Factor()*v + u.Offset }

// FromSI converts an SI value to a number in u.
func (u Unit) FromSI(v float64) float64 { return (v - u.Offset) / u.Factor() }

// Convert converts v from unit u to another unit. It returns an error if the units have different
// dimensions.
func (u Unit) Convert(v float64, to Unit) (float64, error) {
	if u.Dim != to.Dim {
		return 0, fmt.Errorf("cannot convert %s (%s) to %s (%s)", u, u.Dim, to, to.Dim)
	}
	return to.FromSI(u.ToSI(v)), nil
}

// SI returns the coherent SI unit of d.
func SI(d Dim) Unit { return Unit{Dim: d, Scale: 1, Name: d.String()} }

// String returns the text that the user wrote. If there is none, it returns the scale and the SI
// base units.
func (u Unit) String() string {
	switch {
	case u.Name != "":
		return u.Name
	case u.Factor() == 1:
		return u.Dim.String()
	}
	return fmt.Sprintf("%g %s", u.Factor(), u.Dim)
}
