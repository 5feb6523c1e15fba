// Package export writes a law as source code of other languages. It is a function of its variables
// with its constants declared, or a formula of a spreadsheet.
//
// # Design
//
// Names become identifiers of the language; one that the language uses itself, such as lambda in
// Python or gamma in C, gets an underscore. Variables and constants are always declared, so that I,
// E, N, S, Q or beta are theirs whatever the language means by them. Numbers are written with all
// digits; powers and signs stand in parentheses wherever languages differ on them.
package export
