// Package dataset holds measurements: tables with units, how to read them from files, and the
// problem they pose.
//
// # Files
//
// A table is text: a header of names, each with its unit in brackets where it is known, and rows of
// numbers below.
//
//	a [AU],T [d]
//	0.38710,87.969
//	0.72333,224.701
//
// Cells are separated by commas, tabs, semicolons, bars or spaces; [Read] finds out which. Files
// may be compressed by gzip or bzip2, and have any line ends. Their encoding is UTF-8, UTF-16 or
// UTF-32 with a byte-order mark, or another one. The reader detects it unless [Options] name it.
// Names may be quoted and of any script. Empty lines, and lines that start with #, %, ! or //, are
// skipped. Tables of LaTeX, Markdown, and those that are drawn with lines are read, too. Workbooks
// (xlsx, ods), NumPy arrays (npy, npz), Parquet, JSON, tables of web pages and files in zip
// archives are read as package format describes. A table without a header gets the names x1, x2, …,
// y and a warning. The last comment above it, as numpy.savetxt writes it, gives the names if it has
// as many. The last two comments may give names and units.
//
// The target is the last column of numbers unless [Options] name another. Names become identifiers,
// since laws are written with them: "wave length" is called wave_length. A column without a name is
// left out, and one of text becomes a [Category], both with a warning.
//
// Columns of standard errors are not variables. They are recognized by size and by name: x_err,
// sigma_x, u(x), x_std next to x_mean, or dx next to dy. Those of the target are used. A header may
// have two rows, such as the quantities above mean and std of each; both are joined.
//
// # Cells
//
// A cell holds a number in any national form (1,234.5, 1.234,5, 1 234,5, 1'234.5, 12,34,567); the
// decimal sign is found for each column. It may include a standard error (15.2±0.1, 2.03(5)), which
// is used if the column is the target. A unit may follow (97.1%). Powers of ten may be printed
// (3×10^8, 3·10⁸). Angles may be in degrees, minutes and seconds, and durations in words (1 min 20
// s). Fractions and mixed numbers (3 1/2) are read if most cells of the column are such. Dates and
// times become days or seconds; months may be in English, German, Romance languages or Dutch. Rows
// with an empty cell, -, n/a, an error of a spreadsheet, or the overflow of a meter (OL, 9.9E37)
// are left out with a warning. NaN and infinite values are errors unless Options.Drop is set.
//
// # Layout
//
// The reader recognizes titles, settings of instruments and comments around the header, a row of
// units, and repeated headers. It also recognizes rules between rows, row names of R, footers, and
// summaries such as means. Warnings name everything that is ignored. A file of several tables is an
// error that lists them; Options.Table chooses one. Columns that are empty, empty in more than half
// of the rows, or count the rows are left out.
//
// # Errors
//
// Bad input gives an [*Error] of one line: file, row, column, what is wrong and what to try. A row
// is counted as a text editor or spreadsheet does: by lines from 1, header and comments included.
package dataset
