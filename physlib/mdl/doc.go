// Package mdl scores a law on a table by its minimum description length, in bits:
//
//	L(law) = 1.6 form + units + constants + errors + data
//
// The terms are:
//
//   - form is −log₂ of the prior probability of the expression (package prior). Its weight is 1.6,
//     since the likelihood of small tables is overconfident.
//   - units is the price of a law whose dimensions do not balance. It also contains small prices
//     for constants with complicated units, and for units that are guessed from names.
//   - constants are the bits needed for the values of the fitted constants: log₂(|value|/stderr)
//     each, or for correlated constants ½ log₂ of the determinant of the Fisher information
//     (Wallace and Freeman 1987; Bartlett, Desmond and Ferreira 2022).
//   - errors is the price of naming the error model: equal errors, errors proportional to the
//     value, counting errors, given errors, or heavy tails. The model with the smallest total is
//     chosen.
//   - data is −log₂ of the likelihood of the target. The size of the errors is integrated out,
//     since a few rows hardly determine it. This size is at least that of the rounding of the
//     table's digits. If the residuals are only this rounding, its size is known in each row, and
//     the fit is weighted accordingly.
//
// All columns are in their own units, and only the term units depends on them. So a law has the
// same score in metres and in millimetres. In addition, columns in °C are also available as
// temperatures above absolute zero, and columns in degrees as angles in radians. So T + 273.15 and
// π·x/180 cost no more than T and x.
package mdl
