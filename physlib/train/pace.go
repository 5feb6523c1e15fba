package train

import (
	"slices"
	"time"
)

// pace measures the steps per second of the recent past, for estimates of the remaining time. It
// ignores intervals in which a program was compiled.
type pace struct {
	horizon   time.Duration // length of the recent past
	began     time.Time     // start of the current interval
	steps     int64         // number of steps in the current interval
	stretches []stretch
}

type stretch struct {
	end   time.Time
	took  time.Duration
	steps int64
}

// newPace returns a pace whose recent past is as long as the decay of the learning rate, but at
// least a minute.
func newPace(s Settings) *pace {
	return &pace{horizon: max(time.Minute, time.Duration(s.Decay*float64(s.Time)))}
}

// step counts a step that ended at the time now. If last is true, the step also ends an interval.
// The first step only starts the clock, since its time includes compilation.
func (p *pace) step(now time.Time, last bool) {
	if p.began.IsZero() {
		p.began = now
		return
	}
	p.steps++
	if !last {
		return
	}
	p.stretches = append(p.stretches, stretch{now, now.Sub(p.began), p.steps})
	p.began, p.steps = now, 0
	p.stretches = slices.DeleteFunc(p.stretches, func(s stretch) bool { return now.Sub(s.end) > p.horizon })
}

// perSecond returns the number of steps per second, or 0 if it is not known yet.
func (p *pace) perSecond(now time.Time) float64 {
	if len(p.stretches) == 0 {
		if p.steps == 0 {
			return 0
		}
		return float64(p.steps) / max(now.Sub(p.began).Seconds(), 1e-9)
	}
	each := func(s stretch) float64 { return s.took.Seconds() / float64(s.steps) }
	var all []float64
	for _, s := range p.stretches {
		all = append(all, each(s))
	}
	slices.Sort(all)
	const compiled = 5 // an interval this many times as long as the median includes a compilation
	limit := compiled * all[(len(all)-1)/2]
	var took float64
	var steps int64
	for _, s := range p.stretches {
		if each(s) <= limit {
			took, steps = took+s.took.Seconds(), steps+s.steps
		}
	}
	return float64(steps) / max(took, 1e-9)
}

// waits measures the share of time in which the device waits for batches.
type waits struct {
	since  time.Time     // time at which the last row of metrics was written
	waited time.Duration // time waited since then
	share  float64       // share of the time between the last two rows
}

// row computes the share at a new row of metrics, and starts to measure that of the next one.
func (w *waits) row(now time.Time) {
	w.share = w.waited.Seconds() / max(now.Sub(w.since).Seconds(), 1e-9)
	w.since, w.waited = now, 0
}
