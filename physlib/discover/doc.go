// Package discover searches a table for laws and returns the laws found.
//
// [Discover] takes a table, as package dataset reads it, and returns a [Result]. Its Best is the
// chosen law, and Best.Tree.Len() is 0 if no law is better than a constant. Verdict says how likely
// Best is and why. Warnings are for the user. The other laws are in Front.
//
// # Design
//
// A run is a call of Discover. It may search the table several times, in several ways (type way):
// each of these searches is a waySearch. Then it ranks the laws of all searches together.
//
// In a search, Proposers yield expressions. They run concurrently, each in its own goroutine. A
// judge receives the expressions in batches of up to 128, fits them on all cores and keeps the
// best. If an expression was proposed before, it is fitted again only if its starting constants are
// far better than the best law (judge.startsBetter). Proposers begin at different times:
//
//   - Package search begins at once.
//   - The genetic search begins after two fifths of the time, but after 10 s at the latest, or when
//     package search has ended.
//   - Proposers of Settings.Extra, such as a slow neural system, begin if no exact law was found in
//     the first seconds. A Proposer that needs more than a tenth of the processor time waits until
//     package search has ended.
//
// With a budget of evaluations, all of this depends on the number of evaluations, not on time, so
// that equal runs are equal. Expressions of Settings.Extra whose dimensions do not balance are
// dropped before they are fitted. Rows that look like gross errors (package outlier) are excluded
// at first. They stay excluded if the law of the other rows contradicts them. If a Proposer fails,
// the result has a warning, and the others continue.
//
// # Variables of an expression
//
// Expressions are over one of three sets of variables:
//
//	the table's columns       Law; waySearch.toLaw makes a Law from a candidate, and
//	                          waySearch.fromLaw converts back
//	the problem's quantities  candidate, dataset.Problem; made by prepare, with units in which
//	                          the numbers are near one
//	the ranking's variables   ranked, mdl.Data; for example, temperatures count from absolute
//	                          zero. mdl.Data.FromColumns converts from columns, ToColumns
//	                          converts back. The columns come first among them with the same
//	                          indices, so a law over the columns can be scored as it is
//
// # Exact laws
//
// A law is exact if its residuals are only rounding errors. There are five tests. They differ in
// the rounding that counts: that of the table's digits, or only that of floating-point
// calculations.
//
//	judge.exact                Rounding of digits, for up to two constants, or of calculations. The
//	                           law must be no interpolation. It ends the search for other than
//	                           simpler laws; Result.Stopped is then Exact.
//	waySearch.onlyCalculation  Rounding of calculations, in all rows of the search. Such a law needs
//	                           no ranking, except in the cases of ranking.competes.
//	ranking.fitsRounding       An exception to onlyCalculation: the law may have fitted the rounding
//	                           of digits.
//	mdl.Data.Exact             Rounding of digits, if these are fine enough, or of calculations, for
//	                           laws of the ranking. Their numbers may then have any form, constants
//	                           near zero are no reason to prefer another law, and no verdict calls
//	                           residuals correlated.
//	mdl.Data.Calculated        Rounding of calculations, for laws of the ranking. If the law is no
//	                           interpolation, its probability is then 0.99.
//
// # Reading order
//
// In each file, callers come before the functions they call. The files of a search, from [Discover]
// down:
//
//	settings.go, result.go       what goes in and what comes out
//	discover.go      Discover checks the settings, and calls errorsinx.go, outliers.go or ways.go
//	task.go          a table to search, and the tasks derived from it; budget.go: their budgets
//	ranking.go       the laws proposed by all searches of one table, among which rank.go chooses
//	proposers.go     which Proposers take part
//	errorsinx.go     columns with errors: searches under the effective variance
//	outliers.go      gross errors: searches without outliers, each with a part of the budget
//	errortable.go    which rows contradict a law; slips.go, leftout.go: warnings about them
//	ways.go          searches of all rows: with and without units, equal or proportional errors.
//	                 They and survey.go propose laws to the ranking
//	survey.go        the likeliest forms, fitted during the searches
//	dependent.go     columns that can be calculated from another one are left out
//	exactlaw.go      when an exact law needs no ranking
//	waysearch.go     one search in one way: batches from Proposers to the judge
//	prepare.go       the problem that Proposers get; resume.go: laws of an earlier run
//	sources.go       Proposers at work; source.go: messages from one; queries.go: replies to it
//	stop.go          when a search ends; tally.go: counts of evaluations and their budget
//	judge.go, leaders.go       keep the best candidates; sample.go: the rows they are fitted to
//	evaluate.go      fits and scores a candidate; price.go, precision.go, rounding.go: its bits
//	whiteness.go     whether the residuals of a candidate are noise
//	searchresult.go  its result, after the last fits; snap.go: constants in closed form
//	tolaw.go         laws in the table's units; readable.go: laws in their usual form
//	refit.go         constants of a law; temperatureconstants.go, unitnames.go: their units
//	rank.go          chooses among the laws of all searches; requirements.go: requirements on laws
//	exchange.go      replaces parts of the best laws by similar forms
//	simpler.go, limitforms.go  forms near a law; phase.go: phases within one period
//	parsimony.go     prefers a special case; respell.go, othercolumns.go: shorter forms
//	chosen.go        the chosen laws; newlaw.go, constantunits.go: their constants with units
//	si.go            the chosen law in SI units, with constants of nature
//	verdict.go, probability.go, evidence.go       how likely the law is
//	thresholds.go    thresholds that several files use
//	columns.go, baseunits.go       helpers: columns of numbers, coherent systems of units
//
// Functions for other packages are in candidates.go (laws without a choice), scoring.go (a table
// prepared for scoring laws, and deadlines of a comparison), compare.go (the description length of
// a given law), newlaw.go (a law from a scored form), knownform.go (a law in the form of a known
// law) and predict.go.
package discover
