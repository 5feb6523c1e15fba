package law

import "math"

// Residuals summarizes the residuals of a law.
type Residuals struct {
	Rows int
	RSS  float64 // Σ w·(y - f)² with the weights of the fit
	RMS  float64 // √(Σ w·y²/Rows), the root mean square of the target with the same weights
	// Standard deviation of the error of a row, multiplied by the square root of the row's weight:
	// 1 if w = 1/σ²; 0: unknown.
	Sigma float64
	Free  int // number of fitted constants

	// Precision is the number of bits for the values of the fitted constants. A constant takes
	// log₂(|value|/stderr) bits, as in Wallace and Freeman (J. R. Stat. Soc. B 49, 240, 1987). If
	// Precision is 0, (Free/2) log₂ Rows is used instead. The two are about the same if there are
	// many rows.
	Precision float64
}

// Floor is the error relative to RMS(y) below which a law counts as exact, since such residuals are
// rounding errors.
const Floor = 1e-12

// UnitsPenalty is the number of bits that are added to the Score of a law that violates the units.
const UnitsPenalty = 30

// Score returns the description length, in bits, of a law with the given complexity and residuals.
// The lowest score is best. If r.Sigma is known, the score is
//
//	complexity + χ²/(2 ln 2) + (Free/2) log₂ Rows,   χ² = RSS/Sigma²
//
// and otherwise
//
//	complexity + (Rows/2) log₂(max(RSS/Rows, (Floor·RMS)²)/RMS²) + (Free/2) log₂ Rows.
//
// If r.Precision is given, it replaces (Free/2) log₂ Rows. Scores with and without Sigma cannot be
// compared. The score is +Inf if there are at least as many free constants as rows, or if RSS is
// not finite.
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
