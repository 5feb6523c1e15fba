package unit

import (
	"fmt"
	"math"
)

// Unit says how a number is to be read: the SI value is Scale*number + Offset. The zero Unit is the
// number one.
type Unit struct {
	Dim    Dim
	Scale  float64 // SI value of one; 0 is treated as 1
	Offset float64 // SI value of zero: 273.15 for degC, 0 for nearly all others
	Name   string  // as the user wrote it
}

// Factor returns the SI value of a difference of one: Scale, or 1 when that is 0.
func (u Unit) Factor() float64 {
	if u.Scale == 0 {
		return 1
	}
	return u.Scale
}

// Zero returns how far the zero of u is from that of SI, in u: 273.15 for degC, 459.67 for degF.
func (u Unit) Zero() float64 { return math.Round(u.Offset/u.Factor()*1e9) / 1e9 }

// ToSI converts a number in u to SI.
func (u Unit) ToSI(v float64) float64 { return u.Factor()*v + u.Offset }

// FromSI converts an SI value to a number in u.
func (u Unit) FromSI(v float64) float64 { return (v - u.Offset) / u.Factor() }

// Convert returns v, a number in u, in the unit to. The error reports that the two measure
// different quantities.
func (u Unit) Convert(v float64, to Unit) (float64, error) {
	if u.Dim != to.Dim {
		return 0, fmt.Errorf("cannot convert %s (%s) to %s (%s)", u, u.Dim, to, to.Dim)
	}
	return to.FromSI(u.ToSI(v)), nil
}

// SI returns the coherent SI unit of d.
func SI(d Dim) Unit { return Unit{Dim: d, Scale: 1, Name: d.String()} }

// String returns u as the user wrote it, or in SI base units with its scale when it has no name.
func (u Unit) String() string {
	switch {
	case u.Name != "":
		return u.Name
	case u.Factor() == 1:
		return u.Dim.String()
	}
	return fmt.Sprintf("%g %s", u.Factor(), u.Dim)
}
