package diffusion

// SoftEmbed feeds the probabilities back (PhysMDT §5, ARChitects §2). The weights of a masked
// position become softmax(Logits). Those of a visible position are 1 for its token and 0 for the
// others:
//
//	e_soft = Σ_v softmax(logits)_v·E(v)
func SoftEmbed() Strategy {
	return Blend(1, 1)
}

// HardEmbed feeds back the proposed tokens instead of their probabilities. PhysMDT §5 advises
// against this argmax between steps. Masked positions still count as masked.
func HardEmbed() Strategy {
	return func(s *State) {
		for i := range s.Seq {
			s.oneHot(i)
			if s.Masked(i) {
				w := s.Weights[i*s.Vocab : (i+1)*s.Vocab]
				w[s.Mask], w[s.Proposal[i]] = 0, 1
			}
		}
	}
}

// Blend is SoftEmbed with a moving average, PARR's token algebra (§2.2) on token weights:
//
//	w ← (1 - α)·w + α·softmax(logits)
//
// where α goes linearly from the argument from, at the first step, to the argument to, at the last.
// PARR blends from 0.3 to 1. PARR's decoder keeps the embeddings of masked tokens between calls,
// and blends these instead of token weights. BlendShare returns the α for it.
func Blend(from, to float64) Strategy {
	return func(s *State) {
		a := float32(BlendShare(from, to, s.Step, s.Steps))
		probs := s.Probs()
		for i := range s.Seq {
			if !s.Masked(i) {
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

// AddMask adds α·E(mask), the mask embedding, to the soft tokens of masked positions, which marks
// them as undecided. The schedule takes α from the first argument to the second. AddMask(1, 1,
// Linear) is PhysMDT's; AddMask(1, 0, Cosine) decays (ARChitects §2). In a Chain it follows
// SoftEmbed or Blend.
func AddMask(from, to float64, schedule Schedule) Strategy {
	return func(s *State) {
		a := float32(from + (to-from)*schedule(s.Done()))
		for i := range s.Seq {
			if s.Masked(i) {
				s.MaskAmount[i] = a
			}
		}
	}
}
