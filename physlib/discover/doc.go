// Package discover searches a table for laws and returns the archive of laws found.
//
// # Design
//
// Proposers run concurrently, each in its own goroutine. A judge consumes their expressions in
// batches of up to 128. It fits them on all cores, equal ones once, and keeps the best. The search
// begins at once. The genetic search begins when the search has few expressions left. Those of
// Settings.Extra, such as a slow neural system, begin if the search has found no exact law in its
// first seconds. With a budget of evaluations, all starts are decided by counts, so that equal runs
// are equal. Expressions of Settings.Extra whose dimensions do not balance are dropped before they
// are fitted. Rows that look like gross errors (package outlier) are excluded at first, and for
// good if the law of the others contradicts them. If a Proposer fails, the result has a warning,
// and the others continue.
//
// # Reading order
//
// In each file callers stand above callees. The files of a search, from [Discover] down:
//
//	settings.go, proposers.go, result.go   what goes in and what comes out
//	discover.go      Discover: checks the settings and chooses one of the next three
//	blurred.go       columns with errors: two searches under the effective variance
//	outliers.go      gross errors: searches without outliers; view.go, slips.go, leftout.go
//	ways.go          all rows: with and without units, equal and proportional errors
//	dependent.go     columns that follow from another one
//	budget.go        parts of the time and of the evaluations
//	forms.go         the likeliest forms, fitted alongside the searches
//	run.go           one search: batches from Proposers to the judge; prepare.go: its problem
//	sources.go       Proposers at work; laws.go: their queries
//	ending.go        when a search ends
//	judge.go         keeps the best candidates; sample.go, whiteness.go: their residuals
//	price.go         fits and scores one; precision.go, rounding.go: parts of the score
//	finalists.go     the last fits; snap.go: constants in closed form
//	frame.go         laws in the table's units; refit.go, unitnames.go: their constants
//	rank.go          chooses among the laws of all searches; prescribed.go: what they must keep
//	simpler.go, limits.go, phase.go, respell.go   near and shorter forms
//	chosen.go        the chosen laws; si.go: with constants of nature; uncertain.go: their errors
//	verdict.go, probability.go, evidence.go       how likely the law is
//
// Others may call: candidates.go, compare.go, newlaw.go, constantunits.go, predict.go. A result
// goes on from an earlier one by resume.go.
package discover
