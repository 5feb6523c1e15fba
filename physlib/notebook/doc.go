// Package notebook helps to use physlib in Jupyter notebooks, under the Go kernel GoNB. It shows
// laws, tables, fronts and pictures in the richest form that the page supports, and draws progress
// while a search runs. The interrupt button ends a search with the best law so far. Panels of
// sliders draw again when they are moved.
//
//	planets := notebook.Read("planets.csv")
//	found := notebook.Discover(planets, discover.Settings{})
//	notebook.Show(found)
//
// # Cells are programs
//
// GoNB compiles each cell into a separate program. A cell sees the declarations of the cells above
// but not the values of their variables. [Keep] stores a value for later cells, and [Kept] reads
// it. Results that should outlive the kernel belong in files: a checkpoint of train, or a run file
// of `physlib discover --save`.
//
// # Without a browser
//
// Everything also works without a browser: in tests, under nbconvert, and in a plain Go program.
// Panels then draw once with their initial values, and areas show their last state. Outside of any
// kernel [Show] prints text.
//
// # Design
//
// Only this package depends on GoNB. Package figure makes what is shown. An error in a cell is one
// line without a stack trace: [Check] prints it and ends the cell.
package notebook
