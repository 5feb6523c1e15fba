// Package law provides fitted laws. It calculates their description length and their fit to the
// data, chooses the best of many, and prints laws with their constants.
//
// # Description length
//
// A law is chosen by the minimum description length principle (J. Rissanen, Modeling by shortest
// data description, Automatica 14 (1978) 465): the best law encodes law and data together in the
// fewest bits. The bits of the law are its [Complexity], a sum over its canonical form of the
// prices in prices.go. For n rows with a known standard error σ each, the bits of the data given
// the law are
//
//	χ²/(2 ln 2),   χ² = Σ (y - f)²/σ².
//
// If σ is unknown, its most likely value is used. Up to terms that are equal for all laws, the bits
// are then
//
//	(n/2) log₂( (Σ (y - f)²/n) / RMS(y)² ).
//
// Each fitted constant costs another ½ log₂ n bits, since n rows determine its value only with a
// limited precision. See [Score].
//
// # Design
//
// Complexity and the hash are calculated from [expr.Tree.Canonical], so they are the same for all
// forms of a law. Errors below 1e-12 of RMS(y) are rounding errors. Among laws that are this exact,
// only complexity counts.
package law
