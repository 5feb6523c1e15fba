package law

import "math"

// Residuals summarizes the residuals of a law.
type Residuals struct {
	Rows  int
	RSS   float64 // Σ w·(y - f)², with the weights of the fit
	RMS   float64 // √(Σ w·y²/Rows): the root mean square of the target with the same weights
	Sigma float64 // standard deviation of a row with the same weights, so 1 for w = 1/σ²; 0: unknown
	Free  int     // number of fitted constants

	// Precision is the number of bits for the values of the fitted constants. A constant has
	// log₂(|value|/stderr), as in Wallace and Freeman (J. R. Stat. Soc. B 49, 240, 1987). If
	// Precision is 0, (Free/2) log₂ Rows takes its place, which it approaches for many rows.
	Precision float64
}

// Floor is the error relative to RMS(y) below which a law counts as exact, since its residuals are
// rounding errors.
const Floor = 1e-12

// UnitsPenalty is the number of bits that the Score of a law which breaks the units is increased
// by.
const UnitsPenalty = 30

// Score returns the description length in bits of a law of the given complexity and of its
// residuals. The least is best. With Sigma known it is
//
//	complexity + χ²/(2 ln 2) + (Free/2) log₂ Rows,   χ² = RSS/Sigma²
//
// and otherwise
//
//	complexity + (Rows/2) log₂(max(RSS/Rows, (Floor·RMS)²)/RMS²) + (Free/2) log₂ Rows.
//
// Precision replaces (Free/2) log₂ Rows if it is given. Scores with and without Sigma are not
// comparable. The score is +Inf if there are as many free constants as rows, or if RSS is not
// finite.
func Score(complexity float64, r Residuals) float64 {
	if r.Rows <= r.Free || math.IsNaN(r.RSS) || math.IsInf(r.RSS, 0) || math.IsNaN(complexity) {
		return math.Inf(1)
	}
	n := float64(r.Rows)
	precision := r.Precision
	if precision == 0 {
		precision = float64(r.Free) / 2 * math.Log2(n)
	}
	if r.Sigma > 0 {
		return complexity + precision + r.RSS/(r.Sigma*r.Sigma)/(2*math.Ln2)
	}
	scale := r.RMS
	if !(scale > 0) {
		scale = 1
	}
	error := max(math.Sqrt(r.RSS/n)/scale, Floor)
	return complexity + precision + n*math.Log2(error)
}
