// Package law has fitted laws: their description length, their fit to the data, the choice of the
// best of many, and printing with constants.
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
// Complexity and the hash are computed on [expr.Tree.Canonical], so that neither depends on the
// form in which a law was proposed. Errors below 1e-12 of RMS(y) are rounding errors: among laws
// that are as exact as that, only complexity counts.
package law
