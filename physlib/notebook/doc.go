// Package notebook is what the cells of a Jupyter notebook need alongside the rest of physlib,
// under the Go kernel GoNB: it shows laws, tables, fronts and pictures in the richest form that the
// page knows, draws progress while a search runs, ends it with the best so far when the interrupt
// button is pressed, and makes panels of sliders that draw again when they are moved.
//
//	planets := notebook.Read("planets.csv")
//	found := notebook.Discover(planets, discover.Settings{})
//	notebook.Show(found)
//
// # Cells are programs
//
// GoNB compiles each cell into a program of its own, which sees the declarations of the cells above
// but not what their variables held. [Keep] writes a value down for later cells of the same kernel,
// [Kept] reads it. What should outlive the kernel is a file: a checkpoint of train, a run file of
// `physlib discover --save`.
//
// # Without a browser
//
// Everything works headless too, as in tests and under nbconvert, and in a plain Go program: panels
// draw once with the values they start with, live areas show their last state, and outside of any
// kernel [Show] prints text.
//
// # Design
//
// This is the only package that knows of GoNB; what is shown is made by package figure. An error in
// a cell is one line, not a stack: [Check] prints it and ends the cell.
package notebook
