// Package format reads tables that are not plain text: workbooks of spreadsheets (xlsx, ods), NumPy
// arrays (npy, npz), Parquet, JSON, web pages, and files in zip archives. It converts all of them
// to text with tabs between cells, so that one reader can recognize headers, units and missing
// cells in all formats.
//
// A merged cell of a workbook or a page counts for all rows that it covers. Truth values of Excel
// count as 1 and 0, but not in a column that also holds numbers. Rows of JSON and of pages are
// counted from the header, which is row 1.
//
// # Design
//
// Workbooks and arrays are read with the standard library: both formats are small, and there is no
// maintained Go package for ods. Parquet is read by parquet-go. Numbers are written with the fewest
// digits that give the same float64, and dates in ISO 8601. The number of unpacked bytes is
// limited, and a damaged file gives an error.
package format
