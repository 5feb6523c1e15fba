package diffusion

// SoftEmbed feeds the probabilities back: the weights of hidden positions become softmax(Logits),
// those of shown ones certain (PhysMDT §5, ARChitects transfer §2):
//
//	e_soft = Σ_v softmax(logits)_v·E(v)
func SoftEmbed() Strategy {
	return Blend(1, 1)
}

// HardEmbed feeds the proposed tokens back where SoftEmbed feeds probabilities: the argmax between
// steps that PhysMDT §5 advises against. Hidden positions stay hidden.
func HardEmbed() Strategy {
	return func(s *State) {
		for i := range s.Seq {
			s.oneHot(i)
			if s.Hidden(i) {
				w := s.Weights[i*s.Vocab : (i+1)*s.Vocab]
				w[s.Mask], w[s.Proposal[i]] = 0, 1
			}
		}
	}
}

// Blend returns SoftEmbed with a memory, PARR's token algebra (§2.2) on token weights:
//
//	w ← (1 - α)·w + α·softmax(logits),   α from from at the first step to to at the last, linearly
//
// PARR blends from 0.3 to 1. Its own network blends in its hidden space, where it holds them
// between the calls; BlendShare is the α for that.
func Blend(from, to float64) Strategy {
	return func(s *State) {
		a := float32(BlendShare(from, to, s.Step, s.Steps))
		probs := s.Probs()
		for i := range s.Seq {
			if !s.Hidden(i) {
				s.oneHot(i)
				continue
			}
			w, p := s.Weights[i*s.Vocab:(i+1)*s.Vocab], probs[i*s.Vocab:(i+1)*s.Vocab]
			for k := range w {
				w[k] = (1-a)*w[k] + a*p[k]
			}
			s.MaskAmount[i] = 0
		}
	}
}

// BlendShare returns α = from + (to - from)·step/(steps - 1).
func BlendShare(from, to float64, step, steps int) float64 {
	if steps <= 1 {
		return to
	}
	return from + (to-from)*float64(step)/float64(steps-1)
}

// AddMask adds the mask embedding to the soft tokens of hidden positions, α·E(mask), which marks
// them as undecided. α goes from from at the start to to at the end by the schedule. AddMask(1, 1,
// Linear) is PhysMDT's, AddMask(1, 0, Cosine) one that decays (ARChitects transfer §2). It stands
// behind SoftEmbed or Blend.
func AddMask(from, to float64, schedule Schedule) Strategy {
	return func(s *State) {
		a := float32(from + (to-from)*schedule(s.Done()))
		for i := range s.Seq {
			if s.Hidden(i) {
				s.MaskAmount[i] = a
			}
		}
	}
}
