// Package mdl scores a law on a table by its minimum description length, in bits:
//
//		L(law) = 1.6 form + units + constants + errors + data
//
//	  - form is −log₂ of the prior probability of the expression (package prior). It counts 1.6
//	    times, since the likelihood of small tables is overconfident.
//	  - units is a price for a law whose dimensions do not balance, and a small one for constants
//	    whose units are complicated.
//	  - constants are the bits that the values of the fitted constants take: log₂ |value|/stderr
//	    each, for correlated ones ½ log₂ of the determinant of the Fisher information (Wallace and
//	    Freeman 1987; Bartlett, Desmond and Ferreira 2022).
//	  - errors names the error model: equal errors, errors proportional to the value, counting
//	    errors, given errors, or heavy tails. The model with the least total is chosen.
//	  - data is −log₂ of the likelihood of the target. The size of the errors is integrated out,
//	    since few rows hardly determine it. The rounding of the table's digits is a floor for it.
//	    If all that is left is this rounding, its size is known in each row, and the fit is weighted
//	    by it.
//
// All columns are in their own units, and only the term units depends on them. So a law has the
// same score in metres and in millimetres. A table also offers temperatures above the absolute zero
// for columns in °C and angles in radians for columns in degrees. So T + 273.15 and π·x/180 cost no
// more than T and x.
package mdl
