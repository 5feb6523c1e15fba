package train

import "math"

// position is the state of a run that is needed to resume it, in addition to its tensors. It is
// stored in the checkpoint as JSON, which preserves every bit of a float64.
type position struct {
	// Step is the number of updates. Step times Accumulate is the number of the next batch.
	Step    int64   `json:"step"`
	Seconds float64 `json:"seconds"` // seconds of training in all sessions

	// DecayStart is the step at which the decay of WSD began. DecaySteps is its number of steps, or
	// 0 before it begins.
	DecayStart   int64   `json:"decay_start"`
	DecaySteps   int64   `json:"decay_steps"`
	DecaySeconds float64 `json:"decay_seconds"` // value of Seconds when the decay began

	Window window             `json:"window"`          // sums for the next row of metrics.csv
	Best   *float64           `json:"best,omitempty"`  // best validation result; nil: none
	Valid  map[string]float64 `json:"valid,omitempty"` // results of the last validation
}

// rate returns the learning rate of step t (the first is 0) at position p:
//
//	warm-up   LR·(t+1)/Warmup
//	cosine    LR·(Floor + (1-Floor)·(1 + cos πp)/2)     p = (t-Warmup)/(Steps-Warmup)
//	wsd       LR, then LR·(Floor + (1-Floor)·(1 - √p))  p = (t-DecayStart)/DecaySteps
//
// For cosine see Loshchilov and Hutter, arXiv:1608.03983, for the decay by 1-√p Hägele et al.,
// arXiv:2405.18392.
func (s Settings) rate(t int64, p position) float64 {
	warm := max(s.Warmup, 0)
	if t < warm {
		return s.LR * float64(t+1) / float64(warm)
	}
	switch {
	case s.Schedule == Cosine && s.Steps > warm:
		done := min(1, float64(t-warm)/float64(s.Steps-warm))
		return s.LR * (s.Floor + (1-s.Floor)*(1+math.Cos(math.Pi*done))/2)
	case s.Schedule == WSD && p.DecaySteps > 0:
		done := max(0, min(1, float64(t-p.DecayStart)/float64(p.DecaySteps)))
		return s.LR * (s.Floor + (1-s.Floor)*(1-math.Sqrt(done)))
	}
	return s.LR
}

// startDecay starts the decay of WSD if it is due. If Steps is set, the decay takes the last part
// of the steps. If Time is set, it takes the last part of the time. speed, the measured number of
// steps per second, converts this part to steps; it is 0 if unknown.
func (s Settings) startDecay(p *position, speed float64) (started bool) {
	if s.Schedule != WSD || p.DecaySteps > 0 || s.Decay == 0 {
		return false
	}
	begin := func(steps int64) bool {
		p.DecayStart, p.DecaySteps, p.DecaySeconds = p.Step, steps, p.Seconds
		return true
	}
	if s.Steps > 0 {
		if left := s.Steps - p.Step; left <= s.decaySteps() && left > 0 {
			return begin(left)
		}
	}
	if limit := s.Time.Seconds(); limit > 0 && speed > 0 && p.Seconds >= limit*(1-s.Decay) {
		return begin(max(1, int64(speed*max(limit-p.Seconds, 0.5*s.Decay*limit))))
	}
	return false
}

// decaySteps returns the length of the decay in a run with a given number of steps.
func (s Settings) decaySteps() int64 { return int64(math.Ceil(s.Decay * float64(s.Steps))) }

// over reports whether the run has reached its end.
func (s Settings) over(p position) bool {
	switch {
	case s.Steps > 0 && p.Step >= s.Steps:
		return true
	case p.DecaySteps > 0:
		return p.Step >= p.DecayStart+p.DecaySteps
	}
	return s.Time > 0 && p.Seconds >= s.Time.Seconds() && (s.Schedule != WSD || s.Decay == 0)
}

// longer reports whether a decay began too early, because the run is to last longer than was
// planned at that time.
func (s Settings) longer(p position) bool {
	if s.Schedule != WSD || p.DecaySteps == 0 {
		return false
	}
	if s.Steps > 0 && p.DecayStart < s.Steps-s.decaySteps() && (s.Time == 0 || p.DecaySeconds < 0.99*s.Time.Seconds()*(1-s.Decay)) {
		return true
	}
	return s.Steps == 0 && s.Time > 0 && p.DecaySeconds < 0.99*s.Time.Seconds()*(1-s.Decay)
}
