// Package dataset provides tables of measurements with units, reads them from files, and describes
// the problem that they pose to a search.
//
// # Files
//
// A table is text: a header of names, each with its unit in brackets if it is known, and rows of
// numbers below.
//
//	a [AU],T [d]
//	0.38710,87.969
//	0.72333,224.701
//
// Cells are separated by commas, tabs, semicolons, bars or spaces; [Read] detects which. Files may
// be compressed by gzip or bzip2, and have any line ends. The encoding is detected unless [Options]
// name it: UTF-8, UTF-16 or UTF-32 with a byte-order mark, or another one. Names may be quoted and
// in any script. Empty lines, and lines that start with #, %, ! or //, are skipped.
//
// Tables in LaTeX and Markdown, and tables drawn with lines, are read as well, and so is the output
// of some programs, such as OpenFOAM, SPICE and LAMMPS. If columns have fixed positions, blanks in
// place of a number are an empty cell. Package format describes how workbooks (xlsx, ods), NumPy
// arrays (npy, npz), Parquet, JSON, tables in web pages and files in zip archives are read.
//
// A table without a header gets the names x1, x2, …, y, with a warning. If the last comment above
// the rows contains as many names as there are columns, as with numpy.savetxt, these names are
// used. The last two comments may give names and units.
//
// The target is the last column of numbers that does not count the rows, unless [Options] name
// another. Names become identifiers, since laws contain them: "wave length" becomes wave_length. A
// column without a name is left out, and a column of text becomes a [Category], both with a
// warning.
//
// Columns of standard errors are not variables. They are recognized by size and by name: x_err,
// sigma_x, u(x), x_std next to x_mean, or dx next to dy. The standard errors of the target are
// used. A header may have two rows, such as quantities above the mean and std of each; the two rows
// are joined. Limits of errors, called lower and upper, are left out. A table with the errors in
// every second row is rejected.
//
// # Cells
//
// A cell may contain
//
//   - a number in any national form: 1,234.5, 1.234,5, 1 234,5, 1'234.5, 12,34,567. The decimal
//     sign is determined for each column
//   - a standard error: 15.2±0.1, 2.03(5). It is used if the column is the target
//   - a unit after the number: 97.1%
//   - printed powers of ten: 3×10^8, 3·10⁸; in pages and workbooks also with a raised exponent
//   - angles in degrees, minutes and seconds, and durations in words: 1 min 20 s, or PT1M20S
//   - the mark of a footnote after a number, as in 2.5[1], which is left out
//   - fractions and mixed numbers, such as 3 1/2, if most cells of the column are fractions
//   - dates and times, which become days or seconds. Months may be in English, German, Romance
//     languages or Dutch
//
// Rows are left out with a warning if a cell is empty, contains -, n/a or a spreadsheet error, or
// shows the overflow of a meter (OL, 9.9E37). NaN and infinite values are errors unless
// Options.Drop is set. Columns of truth values, as yes and no, are text.
//
// # Layout
//
// The reader recognizes titles, instrument settings and comments around the header, and a row of
// units. It also recognizes repeated headers, rules between rows, row names of R, footers, and
// summaries such as means. It warns of everything that it ignores. Lines of text that part the rows
// into runs, such as those of LTspice, become a [Category] called run. For a file with several
// tables, Read returns an error that lists them; Options.Table selects one. Results next to a
// table, such as a slope, are left out. A table of statistics, as count, mean and std in its rows,
// is an error. Columns that are empty, empty in more than half of the rows, or count the rows are
// left out.
//
// # Errors
//
// Bad input gives an [*Error] of one line: file, row, column, what is wrong, and what to try. Rows
// are counted as in a text editor or spreadsheet: by lines from 1, including header and comments.
package dataset
