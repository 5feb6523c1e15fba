// Package unit provides physical units. Dimensions are powers of the seven SI base units. Unit
// strings are read in the forms that people use ("m/s^2", "J/(mol K)", "µm", "degC") and converted
// to SI. The package also finds the dimensionless groups of a set of quantities.
//
// # Design
//
// Exponents are fractions ([Ratio]), since many laws contain square roots of quantities with units.
// A [Dim] is a comparable array, so two dimensions can be compared with ==, and a Dim can be a map
// key. The zero Dim is dimensionless, and the zero [Unit] is the number one.
//
// Values of units are from the SI Brochure (9th edition, 2019), CODATA 2022 and NIST SP 811 (2008).
// The calorie is the thermochemical one, and the BTU that of the International Table. The year is
// the Julian year (365.25 d), and gallon and acre are those of the United States.
package unit
