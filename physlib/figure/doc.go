// Package figure draws results of searches and of systems: Pareto fronts, predictions and
// residuals, learning curves, recovery, ablations, refinement step by step. It also typesets laws,
// as MathML for a page and as lines of text for a terminal. [Display] shows a law, a front or a
// table in a notebook.
//
//	front := figure.Front(archive.Front(), best, "T [d]")
//	svg, err := front.SVG(figure.Options{Width: figure.Column})
//
// # Design
//
// Functions that draw numbers return a [Picture]. It is drawn as SVG, PNG or PDF, light or dark,
// or becomes an interactive Vega-Lite specification. Equal numbers give equal bytes, so pictures
// can be compared in tests and kept in git.
//
// All pictures share one house style. The palette of Okabe and Ito (Color Universal Design, 2008)
// is readable with any colour vision, and series also differ in the shapes of their points. There
// is no frame, but a light grid, and a legend above the data, where it hides nothing. Axis labels
// have units, in 8 points at the width of a journal's column. An [Auto] SVG is dark for readers
// who prefer that. [Themed] uses CSS variables of the surrounding page as colours.
package figure
