// Package dataset holds measurements: tables with units, how to read them from files, and the problem they pose.
//
// # Files
//
// A table is text: a header of names, each with its unit in brackets where it is known, and rows of numbers below.
//
//	a [AU],T [d]
//	0.38710,87.969
//	0.72333,224.701
//
// Cells are separated by commas, tabs, semicolons, bars or spaces; [Read] finds out which. Where the separator is no
// comma, numbers may have decimal commas. Files may be compressed by gzip or bzip2, in UTF-8 or in UTF-16 with a
// byte-order mark, with any line ends; names may be quoted and of any script; empty lines, and lines that start with #,
// are skipped. A table without a header gets the names x1, x2, …, y and a warning, unless the last comment above it
// names as many columns, as numpy.savetxt writes them.
//
// The target is the last column unless [Options] name another. Names become identifiers, since laws are written with
// them: "wave length" is called wave_length. A column without a name is left out, with a warning.
//
// # Errors
//
// Bad input gives an [*Error] of one line: file, row, column, what is wrong and what to try. A row is counted as a text
// editor or spreadsheet does: by lines from 1, header and comments included.
package dataset
