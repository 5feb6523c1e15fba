package unit

import "strings"

// Dimension returns the dimension of u as text. For units of angle this is "angle", which
// distinguishes phases from counts. For other dimensionless units it is "1".
func (u Unit) Dimension() string {
	if !u.Dim.IsZero() {
		return u.Dim.String()
	}
	if u.IsAngle() {
		return "angle"
	}
	return "1"
}

// Concentration is the Dimension of an amount of substance per volume.
const Concentration = "m^-3 mol"

// quantities maps words to dimensions. Tables often use such words as names of quantities, while
// formulas use symbols.
var quantities = map[string]string{
	"time": "s", "year": "s", "years": "s", "age": "s", "day": "s", "days": "s", "date": "s", "hour": "s", "hours": "s",
	"month": "s", "week": "s", "weeks": "s", "minute": "s", "minutes": "s", "seconds": "s", "duration": "s", "period": "s",
	"temp": "K", "temperature": "K",
	"mass": "kg", "weight": "kg",
	"length": "m", "distance": "m", "dist": "m", "height": "m", "depth": "m", "diameter": "m", "radius": "m", "width": "m",
	"position": "m", "wavelength": "m", "thickness": "m", "climb": "m",
	"area": "m^2", "volume": "m^3",
	"speed": "m s^-1", "velocity": "m s^-1",
	"angle": "angle", "theta": "angle", "phase": "angle", "deg": "angle", "degree": "angle", "degrees": "angle",
	"inclination": "angle", "latitude": "angle", "longitude": "angle", "azimuth": "angle", "elevation_angle": "angle",
	"pressure": "kg m^-1 s^-2", "energy": "kg m^2 s^-2", "power": "kg m^2 s^-3", "force": "kg m s^-2",
	"voltage": "kg m^2 s^-3 A^-1", "current": "A", "resistance": "kg m^2 s^-3 A^-2",
	"frequency": "s^-1", "freq": "s^-1", "rate": "s^-1",
	"conc": Concentration, "concentration": Concentration, "dose": Concentration, "substrate": Concentration,
	"density": "kg m^-3", "population": "1", "pop": "1", "number": "1", "count": "1", "counts": "1",
}

// DimensionByName returns the dimension of the quantity that a word usually stands for, such as K
// for temperature. ok is false for other words. Upper and lower case are the same.
func DimensionByName(word string) (dimension string, ok bool) {
	dimension, ok = quantities[strings.ToLower(word)]
	return dimension, ok
}
