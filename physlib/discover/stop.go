package discover

// Stop is why a search ended.
type Stop string

// Reasons why a search ended.
const (
	Exact       Stop = "exact"       // a law leaves nothing but rounding
	Settled     Stop = "settled"     // what is left is noise, and nothing better came for long
	Exhausted   Stop = "exhausted"   // all Proposers had come to their end
	TimeUp      Stop = "time"        // Settings.Time was over
	Evaluations Stop = "evaluations" // Settings.Evaluations were done
	Interrupted Stop = "interrupted" // the context ended
)

// Cut reports whether the search was ended from outside, so that more time may find a better law.
func (s Stop) Cut() bool { return s == TimeUp || s == Evaluations || s == Interrupted }
