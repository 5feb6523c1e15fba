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
// GoNB compiles each cell into a program of its own. It sees the declarations of the cells above
// but not the values of their variables. [Keep] stores a value for later cells, [Kept] reads it.
// What should outlive the kernel is a file: a checkpoint of train, a run file of `physlib discover
// --save`.
//
// # Without a browser
//
// Everything works headless too, as in tests and under nbconvert, and in a plain Go program. Panels
// then draw once with their initial values, and live areas show their last state. Outside of any
// kernel [Show] prints text.
//
// # Design
//
// This is the only package that knows of GoNB; what is shown is made by package figure. An error in
// a cell is one line, not a stack: [Check] prints it and ends the cell.
package notebook
