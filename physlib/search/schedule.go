package search

import (
	"math"
	"slices"
)

// The schedule decides which part of the search runs next: the part expected to find the most laws
// per second. The expectation comes from the ledger, a table of earlier trials on random laws. For
// each law and each part, it states how long the part ran and whether it found the law. Some laws
// are known ones with random values, some come from the stream that networks are trained on
// (package corpus/stream), and some are sums. None belongs to a benchmark. `physlib bench ledger`
// makes the ledger again.
//
// The laws of the ledger have weights. A law has a high weight if it resembles the law sought: if
// its Class is the same and the number of variables is similar. If the data of the law sought are
// known to be noisy, only laws with noisy data count. If they are known to be exact, only laws with
// exact data count. If this is only a guess, the laws that contradict the guess get lower weights.
// Once a part has run, the laws of the ledger that it found have the weight 0.
//
// Whatever the ledger says, some parts wait for others that find simpler laws (see due).

// schedule chooses the next part in one session.
type schedule struct {
	left []Part // not run yet
	// The caller chose the parts (Search.Only). They run in the order of left, without the ledger.
	given bool
	laws  []Experience
	// tried[p][i] is the trial of part p on laws[i]. The zero Trial means that p was not tried on
	// the law.
	tried map[Part][]Trial
	// like[i] is the weight of laws[i]. The weight is high for a law similar to the law sought.
	like []float64
	// foundFirst[p] is the weighted fraction of the ledger's laws that part p finds if it runs
	// before all other parts.
	foundFirst map[Part]float64
	clean      bool // the data have no significant noise
	// The data have noise. If clean and knownNoisy are both false, it is unknown whether the data
	// have noise.
	knownNoisy bool

	guessed    bool // applyNoiseGuess has been called
	seemsNoisy bool // the last call of applyNoiseGuess said that the data seem to have noise
}

// newSchedule returns a schedule for the parts of the search that can find anything in the problem.
func (s *session) newSchedule() *schedule {
	parts := s.Only
	if parts == nil {
		parts = Parts()
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return !s.applies(p) })
	if s.Only != nil {
		return &schedule{left: parts, given: true}
	}
	c := &schedule{left: parts, laws: ledger(), tried: map[Part][]Trial{},
		clean: s.p.Noise == 0, knownNoisy: s.p.Noise > 0}
	class, vars := ClassOf(s.p), len(s.p.Vars)-len(s.dropped)
	c.like = make([]float64, len(c.laws))
	for i, l := range c.laws {
		c.like[i] = 1 / (1 + math.Abs(float64(l.Variables-vars)))
		if l.Class != class {
			c.like[i] *= otherClass
		}
	}
	for _, p := range parts {
		c.tried[p] = make([]Trial, len(c.laws))
		for i, l := range c.laws {
			c.tried[p][i] = l.Tried[p]
		}
	}
	c.foundFirst = map[Part]float64{}
	for _, p := range parts {
		c.foundFirst[p], _ = c.experience(p)
	}
	return c
}

const (
	otherClass = 0.02 // factor for the weight of laws whose Class differs from that of the problem
	chance     = 0.5  // number of laws of the ledger that a part may have found by chance
	// Added to the fraction of the ledger's laws that a part finds, since the law sought may differ
	// from all laws of the ledger.
	hope = 0.01
	// This fraction of schedule.foundFirst is added to the fraction of the ledger's laws that a
	// part finds. A part that finds many laws alone may find the law sought, even if earlier parts
	// found the same laws of the ledger.
	alike     = 0.05
	longer    = 4     // factor for the seconds of a trial that the time limit ended
	leastTime = 0.002 // seconds added to the mean time of a part, so that rate stays finite
)

// applyNoiseGuess lowers the weights of the laws of the ledger that contradict the guess about
// noise: noisy is true if the data seem to have noise. ok is false if the data permit no guess; all
// weights then stay the same.
func (c *schedule) applyNoiseGuess(noisy, ok bool) {
	c.guessed, c.seemsNoisy = true, noisy && ok
	if !ok {
		return
	}
	for i, l := range c.laws {
		if l.Noise != noisy {
			c.like[i] *= unlikely
		}
	}
}

// unlikely is the factor for the weights of laws that contradict the guess. It is the probability
// that the guess is wrong, divided by the probability that it is right. On 150 random laws with 1 %
// noise, the guess was noise for 127. On the same laws without noise, it was noise for 24.
const unlikely = 0.19

// unsure reports whether it is time to guess whether the data have errors. That is so once Joins of
// depth 0 have run on all unreduced views without finding an exact law.
func (c *schedule) unsure() bool {
	return !c.given && !c.guessed && !c.clean && !c.knownNoisy &&
		!slices.ContainsFunc(c.left, func(p Part) bool { return p.Method == Joins && !p.View.reduced() && p.Depth == 0 })
}

// next returns the part that runs next. ok is false when all parts have run.
func (c *schedule) next() (p Part, ok bool) {
	if len(c.left) == 0 {
		return p, false
	}
	best := 0 // due never makes all parts wait
	if !c.given {
		rate := math.Inf(-1)
		for i, q := range c.left {
			if r := c.rate(q); r > rate && c.due(q) {
				best, rate = i, r
			}
		}
	}
	p = c.left[best]
	c.left = slices.Delete(slices.Clone(c.left), best, best+1)
	return p, true
}

// ran sets the weights of the ledger's laws that p found to 0. If later parts are needed, p has not
// found the law sought, which is therefore unlike these laws.
func (c *schedule) ran(p Part) {
	for i, t := range c.tried[p] {
		if t.Found {
			c.like[i] = 0
		}
	}
}

// due reports whether p may run: no part is left that must run before it. These come first:
//   - lower depths of the same method and view
//   - Joins of depth 0, before Relations of the same view, and before all parts of the reduced view
//   - with units, the same method and depth in Groups, before Variables: there are fewer groups
//     than variables
//   - Relations of the whole view (Groups with units, else Variables), since they are fast: before
//     all but Simplest, Waves, DetrendedWaves, and Joins of depth 0 of that view. This does not
//     hold if the data seem to have errors
//   - Relations of a reduced view, before its Offsets
//   - Joins of reduced views, before NoisyJoins: the symmetry search for these views fits a
//     surrogate, which may show that the data have no noise. If the data seem to have errors,
//     NoisyJoins of a reduced view come before those of the whole view instead, since their laws
//     have fewer variables
func (c *schedule) due(p Part) bool {
	// With units, all parts of Groups are among the tried ones.
	whole := Variables
	if c.tried[Part{View: Groups, Method: Relations}] != nil {
		whole = Groups
	}
	noisy := c.knownNoisy || c.seemsNoisy
	first := p.Method == Relations || p.Method == Simplest || p.Method.oscillates() || p == Part{whole, Joins, 0}
	return !slices.ContainsFunc(c.left, func(q Part) bool {
		switch {
		case q.View == whole && q.Method == Relations && !first && !noisy,
			q.View.reduced() && q.Method == Joins && p.Method == NoisyJoins && !noisy,
			q.View.whole() == p.View && q.View != p.View && q.Method == NoisyJoins && p.Method == NoisyJoins && noisy:
			return true
		case q.View != p.View:
			return q == Part{p.View.whole(), Joins, 0} || q == Part{Groups, p.Method, p.Depth} && p.View == Variables
		}
		return q.Method == p.Method && q.Depth < p.Depth ||
			p.Method == Relations && q == Part{p.View, Joins, 0} ||
			p.Method == Offsets && q.Method == Relations && p.View.reduced()
	})
}

// rate returns the number of laws that p is expected to find per second. It is 0 for NoisyJoins if
// the data have no significant noise: session.idle then skips them, so they are chosen last. If the
// data seem to have errors, the rate of an exact method is lower: it can find a law only if this
// guess is wrong.
func (c *schedule) rate(p Part) float64 {
	if c.clean && p.Method == NoisyJoins {
		return 0
	}
	found, seconds := c.experience(p)
	unknown := hope + alike*c.foundFirst[p]
	if c.seemsNoisy && p.Method.exact() {
		unknown *= unlikely
	}
	return (found + unknown) / (seconds + leastTime)
}

// experience returns two results of the ledger for p. share is the weighted fraction of laws that p
// finds; laws that earlier parts find have the weight 0. seconds is the mean time that p takes for
// one law.
func (c *schedule) experience(p Part) (share, seconds float64) {
	found, all := 0.0, 0.0
	for i, t := range c.tried[p] {
		if t == (Trial{}) || c.clean && c.laws[i].Noise || c.knownNoisy && !c.laws[i].Noise {
			continue
		}
		like := c.like[i]
		all += like
		if t.Found {
			found += like
		}
		if t.Truncated {
			t.Seconds *= longer
		}
		seconds += like * t.Seconds
	}
	if all == 0 {
		return 0, math.Inf(1)
	}
	// A single law may be found by chance, so a small value of found is reduced.
	return found * found / (found + chance) / all, seconds / all
}
