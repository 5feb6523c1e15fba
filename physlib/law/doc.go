// Package law has fitted laws. It computes their description length and their fit to the data,
// chooses the best of many, and prints laws with constants.
//
// # Description length
//
// A law is chosen by the minimum description length principle (J. Rissanen, Modeling by shortest
// data description, Automatica 14 (1978) 465). The best law encodes law and data together in the
// fewest bits. The law has the bits of its [Complexity], a sum of the prices in prices.go over its
// canonical form. The data given the law have, for n rows with a known standard error σ each,
//
//	χ²/(2 ln 2),   χ² = Σ (y - f)²/σ².
//
// If σ is unknown, its most likely value gives, up to terms that are equal for all laws,
//
//	(n/2) log₂( (Σ (y - f)²/n) / RMS(y)² ).
//
// Each fitted constant has half log₂ n more: its value needs only the precision that n rows give.
// See [Score].
//
// # Design
//
// Complexity and the hash are computed on [expr.Tree.Canonical], so both are the same for all forms
// of one law. Errors below 1e-12 of RMS(y) are rounding errors: among laws that are as exact as
// that, only complexity counts.
package law
