// Package corpus provides known laws, so that a search can be tested on data whose law is known. It
// contains benchmarks from the literature and the development sets of this project, and reads any
// other table of laws in the same form.
//
// A [Problem] is a law with its variables, their ranges and their units. [Problem.Sample] draws a
// table of measurements from it. [Suite] reads a whole set of problems. Package corpus/stream
// generates any number of laws, none of which is in a suite.
//
// # Table of laws
//
// A suite is a CSV file with a header line and these columns. Other columns are ignored:
//
//	id                  name of the law; if missing, the number of the row
//	set                 set of the law (feynman.csv has two sets); if missing, name of the file
//	law                 infix: + - * / ** ^, functions, pi, numbers
//	output, output_si   name and unit of the result
//	v1_name             name of the first variable; then v2_name …
//	v1_low, v1_high     range of the variable: numbers, or constant expressions such as 2*pi
//	v1_si               unit of the variable, such as m/s^2, kg m^2 s^-2 or 1; empty: unknown
//	v1_sampling         uniform (if empty), loguniform or integer
//	given               law that gives a variable without a range, such as F = m*a
//	output_low, output_high  range of the result, if given calculates a variable from it
//	path                curve along which the variables were measured, such as t=0..40; x=1; v=0
//
// A variable hides a constant with the same name: in a table with a variable e, the e in a law is
// that variable.
//
// # Sources
//
// README.md next to the tables states the source and the licence of each.
package corpus
