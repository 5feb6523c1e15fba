// Package law has fitted laws: their description length, their fit to the data, the choice of the
// best of many, and printing with constants.
//
// # Description length
//
// A law is chosen by the minimum description length principle (J. Rissanen, Modeling by shortest
// data description, Automatica 14 (1978) 465). The best law encodes law and data together in the
// fewest bits. The law costs [Complexity], a sum of the prices in prices.go over its canonical
// form. The data given the law costs, for n rows with a known standard error σ each,
//
//	χ²/(2 ln 2),   χ² = Σ (y - f)²/σ²
//
// and, when σ is unknown, the same at its most likely value (up to what is equal for all laws),
//
//	(n/2) log₂( (Σ (y - f)²/n) / RMS(y)² ).
//
// Each fitted constant costs half log₂ n more: it is worth writing down only to the precision that
// n rows give it. See [Score].
//
// # Design
//
// Complexity and the hash are computed on [expr.Tree.Canonical], so that neither depends on how a
// proposer happened to write a law. Errors below 1e-12 of RMS(y) are rounding, not physics: between
// laws that are as exact as that, only complexity counts.
package law
