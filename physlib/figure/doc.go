// Package figure draws what a search has found and how well systems do: Pareto fronts, predictions
// and residuals, learning curves, recovery, ablations, refinement step by step. It also typesets
// laws, as MathML for a page and as lines of text for a terminal, and says how a notebook shows a
// law, a front or a table ([Display]).
//
//	svg, err := figure.Front(archive.Front(), best, "T [d]").SVG(figure.Options{Width: figure.Column})
//
// # Design
//
// A function of numbers makes a [Picture], which is drawn as SVG, PNG or PDF, light or dark, or
// becomes an interactive Vega-Lite specification. The same numbers give the same bytes, so pictures
// can be compared in tests and kept in git.
//
// They share one house style: the palette of Okabe and Ito (Color Universal Design, 2008), which
// stays readable with any colour vision, and shapes besides colours; no frame; a light grid; a
// legend above the data, where it hides nothing; axis labels with units, in 8 points at the width
// of a journal's column. An [Auto] SVG shows itself in dark colours to readers who prefer them;
// [Themed] turns its colours into CSS variables of the page that it stands in.
package figure
