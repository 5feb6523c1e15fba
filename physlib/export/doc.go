// Package export writes a law as source code in other languages. The result is a function of the
// law's variables, in which the constants are declared, or a formula for a spreadsheet.
//
// # Design
//
// Names become identifiers of the language. A name that is reserved in the language, such as lambda
// in Python or gamma in C, gets an underscore. Variables and constants are always declared. So
// names such as I, E, N, S, Q or beta refer to them, even if the language defines these names.
// Numbers have all their digits. Powers and signs are in parentheses where languages give them
// different precedence.
package export
