package law

import "math"

// Residuals sums up the residuals of a law.
type Residuals struct {
	Rows  int
	RSS   float64 // Σ w·(y - f)², with the weights of the fit
	RMS   float64 // √(Σ w·y²/Rows): the size of the target under the same weights
	Sigma float64 // standard deviation of one row under the same weights, so 1 for w = 1/σ²; 0: unknown
	Free  int     // fitted constants

	// Precision is the number of bits that the fitted constants' values take, log₂ |value|/stderr
	// for one, as Wallace and Freeman (J. R. Stat. Soc. B 49, 240, 1987) count them. 0: (Free/2)
	// log₂ Rows, which it tends to for many rows.
	Precision float64
}

// Floor is the error relative to RMS(y) below which a law counts as exact: the residuals are
// rounding.
const Floor = 1e-12

// UnitsPenalty is the number of bits that a law which breaks the units is charged in its Score.
const UnitsPenalty = 30

// Score returns the description length in bits of a law of the given complexity together with its
// residuals: less is better. With Sigma known it is
//
//	complexity + χ²/(2 ln 2) + (Free/2) log₂ Rows,   χ² = RSS/Sigma²
//
// and otherwise
//
//	complexity + (Rows/2) log₂(max(RSS/Rows, (Floor·RMS)²)/RMS²) + (Free/2) log₂ Rows.
//
// where (Free/2) log₂ Rows stands for Precision if that is not given. Scores with and without Sigma
// are not comparable. A law with as many free constants as rows, or with a residual that is not
// finite, scores +Inf.
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
