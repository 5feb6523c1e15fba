package discover

import "github.com/physlib/lab/physlib/law"

// Thresholds that several files use.

// Differences between description lengths, in bits.
const (
	// A chosen law must be shorter than a constant law by more than marginBits. If no law is
	// chosen, the verdict names the best law, unless it is longer than the constant law by more
	// than this.
	marginBits = 1
	// A law up to tieBits longer than the best counts as about as likely.
	tieBits = 3
	// A law of a front that is more complex than the best law is at most frontMargin longer. This
	// holds for the front of a search and for that of the ranking.
	frontMargin = 25
	// Laws whose complexities are in the same step of this size compete for one place among the
	// candidates of a search and on the front.
	complexityStepBits = 4
)

// Sizes of residuals.
const (
	// Laws of a front with residuals below roundingFloor, 1e-9 of the target's RMS, count as
	// equally exact. It is also the limit of judge.exactResidual for laws with few constants, and
	// that of waySearch.onlyCalculation.
	roundingFloor = 1e3 * law.Floor
	// Largest error of an exact law, relative to the target's standard deviation. Without this
	// condition, the constant 1000 would count as an exact law of a target of 1000 ± 1e-7.
	maxExactError = 1e-4
	// R² below which a law is dropped, because it fits worse than the mean.
	worseThanMean = -0.1
)

// Numbers of rows and laws. There are three conditions on the number of rows for k constants, from
// the weakest to the strictest: mdl.Scorer.Enough to score a law, Testable for a verdict other than
// a guess, and enoughRows for an exact law.
const (
	largeRows        = 3000 // number of rows from which the ranking takes a considerable time
	slowFitRows      = 1000 // number of rows from which one fit takes long
	fitFirstOfSearch = 4    // laws of each search, and of the survey, that are fitted first
)
