// Package figure draws what a search has found: the Pareto front of its laws, a law's predictions against the
// measurements, and what the law leaves unexplained. It also typesets laws, as MathML for a page and as lines of text
// for a terminal.
//
// # Design
//
// Every picture is a function from numbers to bytes, SVG or PNG, and the same numbers give the same bytes, so pictures
// can be compared in tests and kept in git. They share one house style: the palette of Okabe and Ito (Color Universal
// Design, 2008), which stays readable with any colour vision; no frame; a light grid; axis labels with units.
// [Themed] turns an SVG's colours into CSS variables, so that one picture serves a light and a dark page.
package figure
