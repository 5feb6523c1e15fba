package train

import (
	"slices"
	"time"
)

// pace measures steps per second over the recent past. Stretches in which something was compiled
// are left out, so that it reports how far the time left will carry.
type pace struct {
	horizon   time.Duration // of the recent past
	began     time.Time     // of the stretch that is not over
	steps     int64         // in it
	stretches []stretch
}

type stretch struct {
	end   time.Time
	took  time.Duration
	steps int64
}

// newPace looks back over the part of the time of a run in which the learning rate falls, but at
// least a minute.
func newPace(s Settings) *pace {
	return &pace{horizon: max(time.Minute, time.Duration(s.Decay*float64(s.Time)))}
}

// step counts a step that ended now, and ends a stretch if last is set. The very first step only
// starts the clock: with it the program was compiled.
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

// perSecond returns the number of steps per second; 0: not known yet.
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
	const compiled = 5 // times the median: something was compiled
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

// waits measures which share of the time the device waits for the goroutines that make batches.
type waits struct {
	since  time.Time     // the last row of metrics
	waited time.Duration // since then
	share  float64       // before it
}

// row ends a stretch.
func (w *waits) row(now time.Time) {
	w.share = w.waited.Seconds() / max(now.Sub(w.since).Seconds(), 1e-9)
	w.since, w.waited = now, 0
}
