package diffusion

import (
	"math"
	"math/rand/v2"
)

// Grammar knows which sequences are expressions; *token.Grammar implements it. It is of this
// project, not in the papers, whose sequences may be malformed (ARChitects §1, Risks). Its methods
// must be safe for concurrent use.
type Grammar interface {
	// Sample draws a well-formed sequence of exactly seq tokens. Its probability is proportional to
	// Π softmax(logits_i/temperature)(id_i). fixed [seq] holds the tokens to keep, and the mask at
	// all other positions. ok is false if there is no such sequence.
	Sample(rng *rand.Rand, logits []float32, seq int, fixed []int32, temperature float64) (ids []int32, ok bool)
	// Best returns the most probable sequence that contains the fixed tokens, and its
	// log-probability.
	Best(logits []float32, seq int, fixed []int32) (ids []int32, score float64, ok bool)
}

// SampleTokens proposes a token for each position, drawn from softmax(Logits) independently of the
// others.
func SampleTokens() Strategy {
	return func(s *State) {
		probs := s.Probs()
		for i := range s.Seq {
			s.Proposal[i] = draw(s.Rand.Float32(), probs[i*s.Vocab:(i+1)*s.Vocab])
		}
	}
}

// draw returns the token at which the cumulative probability exceeds u. Even with rounding errors
// it never returns a token of probability 0.
func draw(u float32, probs []float32) int32 {
	last := int32(0)
	for id, p := range probs {
		if p > 0 {
			last = int32(id)
			if u -= p; u < 0 {
				return last
			}
		}
	}
	return last
}

// MostLikely proposes the likeliest token at each position, or the first of several equally likely
// ones.
func MostLikely() Strategy {
	return func(s *State) {
		for i := range s.Seq {
			row := s.Logits[i*s.Vocab : (i+1)*s.Vocab]
			best := 0
			for id, l := range row {
				if l > row[best] {
					best = id
				}
			}
			s.Proposal[i] = int32(best)
		}
	}
}

// WellFormed proposes a well-formed expression. It draws the masked positions jointly, by exact
// dynamic programming over the open operands, and keeps the visible tokens. Any visible part of a
// well-formed expression can be completed. So if every step uses WellFormed, every finished
// sequence is an expression.
func WellFormed(g Grammar) Strategy {
	return func(s *State) {
		ids, ok := g.Sample(s.Rand, s.Logits, s.Seq, s.IDs, 1)
		s.propose(ids, ok)
	}
}

// BestFormed proposes the most probable well-formed expression.
func BestFormed(g Grammar) Strategy {
	return func(s *State) {
		ids, _, ok := g.Best(s.Logits, s.Seq, s.IDs)
		s.propose(ids, ok)
	}
}

func (s *State) propose(ids []int32, ok bool) {
	if !ok {
		s.failed = true
		return
	}
	copy(s.Proposal, ids)
}

// ConfidenceMax sets the confidence to the probability of the likeliest token, max softmax(Logits)
// (PhysDiffuse §2).
func ConfidenceMax() Strategy {
	return func(s *State) {
		probs := s.Probs()
		for i := range s.Seq {
			top := float32(0)
			for _, p := range probs[i*s.Vocab : (i+1)*s.Vocab] {
				if p > top {
					top = p
				}
			}
			s.Confidence[i] = top
		}
	}
}

// ConfidenceSigmoid sets the confidence to 1/(1 + exp(-max Logits)) (PARR §2.2).
func ConfidenceSigmoid() Strategy {
	return func(s *State) {
		for i := range s.Seq {
			top := float32(math.Inf(-1))
			for _, l := range s.Logits[i*s.Vocab : (i+1)*s.Vocab] {
				if l > top {
					top = l
				}
			}
			s.Confidence[i] = float32(1 / (1 + math.Exp(-float64(top))))
		}
	}
}

// ConfidenceProposed sets the confidence to the log-probability of the proposed token (MaskGIT).
// Unlike ConfidenceMax, it favours positions at which a likely token was drawn.
func ConfidenceProposed() Strategy {
	return func(s *State) {
		probs := s.Probs()
		for i, id := range s.Proposal {
			s.Confidence[i] = float32(math.Log(float64(probs[i*s.Vocab+int(id)]) + 1e-30))
		}
	}
}

// ConfidenceRandom sets random confidences. So tokens become visible in random order, as they were
// masked in training. With one token per step, samples have the distribution that the network
// learned.
func ConfidenceRandom() Strategy {
	return func(s *State) {
		for i := range s.Confidence {
			s.Confidence[i] = s.Rand.Float32()
		}
	}
}

// ConfidenceNoise adds scale·(1 - step/steps) times a standard Gumbel variate to the confidence,
// after ConfidenceProposed. So the order in which tokens become visible varies between samples,
// most of all in early steps (MaskGIT).
func ConfidenceNoise(scale float64) Strategy {
	return func(s *State) {
		a := scale * (1 - float64(s.Step)/float64(s.Steps))
		for i := range s.Confidence {
			s.Confidence[i] += float32(a * gumbel(s.Rand))
		}
	}
}

// gumbel returns a standard Gumbel variate.
func gumbel(rng *rand.Rand) float64 {
	return -math.Log(rng.ExpFloat64())
}
