// Package export writes a law as source code in other languages. The code is a function of the
// law's variables with its constants declared, or a formula of a spreadsheet.
//
// # Design
//
// Names become identifiers of the language. A name that the language reserves, such as lambda in
// Python or gamma in C, gets an underscore. Variables and constants are always declared, so I, E,
// N, S, Q or beta denote them even if the language defines these names. Numbers have all their
// digits. Powers and signs are in parentheses wherever languages give them different precedence.
package export
