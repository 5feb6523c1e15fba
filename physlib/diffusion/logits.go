package diffusion

import "math"

// NormalizeLogits scales the logits of each position to the norm √dim (PhysDiffuse §2), which
// prevents overconfidence in early steps:
//
//	logits ← logits / (‖logits‖₂/√dim + 1e-6)
//
// dim is the width of the network, 512 in the paper. Excluded tokens (-Inf) remain excluded and do
// not count in the norm.
func NormalizeLogits(dim int) Strategy {
	root := math.Sqrt(float64(dim))
	return func(s *State) {
		for i := range s.Seq {
			row := s.Logits[i*s.Vocab : (i+1)*s.Vocab]
			var sum float64
			for _, l := range row {
				if l >= -math.MaxFloat32 {
					sum += float64(l) * float64(l)
				}
			}
			scale := float32(1 / (math.Sqrt(sum)/root + 1e-6))
			for k := range row {
				row[k] *= scale
			}
		}
		s.changed()
	}
}

// Temperature divides the logits by tau.
func Temperature(tau float64) Strategy {
	return func(s *State) { s.divide(tau) }
}

// Anneal divides the logits by a temperature that falls geometrically, τ = from·(to/from)^(t/T) at
// step t = 1 … T (PhysDiffuse §2).
func Anneal(from, to float64) Strategy {
	return func(s *State) { s.divide(from * math.Pow(to/from, s.Done())) }
}

// MixTemperature divides the logits of each sample by a temperature of its own. The temperatures of
// all samples are evenly spaced on a logarithmic scale between from and to. Samples at low
// temperatures find likely laws, samples at high temperatures less likely ones.
func MixTemperature(from, to float64) Strategy {
	return func(s *State) {
		// The golden-ratio sequence is nearly even for any number of samples.
		_, x := math.Modf(float64(s.Sample) * (math.Phi - 1))
		s.divide(from * math.Pow(to/from, x))
	}
}

func (s *State) divide(tau float64) {
	s.Temperature *= tau
	if tau == 1 {
		return
	}
	scale := float32(1 / tau)
	for i := range s.Logits {
		s.Logits[i] *= scale
	}
	s.changed()
}

// Noise adds N(0, scale²)·(1 - step/steps) to the logits. So refinement explores at first and
// converges later (PhysMDT §5).
func Noise(scale float64) Strategy {
	return func(s *State) {
		if scale == 0 {
			return
		}
		a := scale * (1 - float64(s.Step)/float64(s.Steps))
		for i := range s.Logits {
			s.Logits[i] += float32(a * s.Rand.NormFloat64())
		}
		s.changed()
	}
}

// Restrict excludes the mask token and tokens that are not allowed, such as columns that the table
// lacks. If allowed is nil, only the mask is excluded. If NormalizeLogits comes before Restrict,
// the excluded tokens count in the norm, as in the paper.
func Restrict(allowed []bool) Strategy {
	never := float32(math.Inf(-1))
	var not []int
	for id, ok := range allowed {
		if !ok {
			not = append(not, id)
		}
	}
	return func(s *State) {
		for i := range s.Seq {
			row := s.Logits[i*s.Vocab : (i+1)*s.Vocab]
			row[s.Mask] = never
			for _, id := range not {
				row[id] = never
			}
		}
		s.changed()
	}
}
