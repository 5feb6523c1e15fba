package diffusion

import (
	"math/rand/v2"

	"github.com/physlib/lab/physlib/vec"
)

// State is one sample during its refinement: the network's input and output, and the results of the
// Strategy's steps so far. A Strategy changes it in place. The papers write it as the local
// variables of their refinement loops, see Strategy.
type State struct {
	Sample     int // index in the batch
	Round      int // number of cold restarts so far
	Step       int // number of earlier calls of the network in this round
	Steps      int // number of calls in a round
	Seq, Vocab int
	Mask       int32 // the mask token

	IDs   []int32 // [seq]: visible tokens, and Mask elsewhere
	Given []bool  // [seq]: whether the token was given, which keeps it fixed

	Logits      []float32 // [seq, vocab]: the network's output; steps may change it
	Temperature float64   // product of the divisors of Logits so far, for Trace

	Proposal   []int32   // [seq]: the proposed sequence
	Confidence []float32 // [seq]: positions with the largest values become visible first
	Shown      []float32 // [seq]: Confidence of a token at the time it became visible

	// The next input of a network that takes soft tokens, see Input.
	Weights    []float32 // [seq, vocab], nil for hard tokens
	MaskAmount []float32 // [seq]

	Rand *rand.Rand // random source of this sample

	failed bool      // whether the sequence cannot be completed to an expression
	fresh  bool      // whether probs are the softmax of the current Logits
	probs  []float32 // [seq, vocab], padded to whole blocks; use Probs to read them
	order  []int32   // positions, a buffer
}

// Done returns the fraction of the round's steps that are done, including this one. It is 1 at the
// last step.
func (s *State) Done() float64 { return float64(s.Step+1) / float64(s.Steps) }

// Masked reports whether the token at i is masked.
func (s *State) Masked(i int) bool { return s.IDs[i] == s.Mask }

// Probs returns softmax(Logits) [seq, vocab], valid until Logits change.
func (s *State) Probs() []float32 {
	if !s.fresh {
		softmax(s.probs, s.Logits, s.Vocab)
		s.fresh = true
	}
	return s.probs[:len(s.Logits)]
}

// changed invalidates Probs; steps that change Logits call it.
func (s *State) changed() { s.fresh = false }

// show makes the proposed token at i visible to the network.
func (s *State) show(i int) {
	s.IDs[i], s.Shown[i] = s.Proposal[i], s.Confidence[i]
}

// candidate appends the current sequence to ids: visible tokens, and at masked positions the
// proposed tokens.
func (s *State) candidate(ids []int32) []int32 {
	for i, id := range s.IDs {
		if id == s.Mask {
			id = s.Proposal[i]
		}
		ids = append(ids, id)
	}
	return ids
}

// confidence returns the confidence of each token. It is 1 for a given token. For a shown token it
// is the confidence when it was shown, and for a masked one the current confidence.
func (s *State) confidence() []float32 {
	all := make([]float32, s.Seq)
	for i := range all {
		switch {
		case s.Given[i]:
			all[i] = 1
		case s.Masked(i):
			all[i] = s.Confidence[i]
		default:
			all[i] = s.Shown[i]
		}
	}
	return all
}

// oneHot sets the weight of the token at position i, visible or mask, to 1, and the other weights
// to 0.
func (s *State) oneHot(i int) {
	row := s.Weights[i*s.Vocab : (i+1)*s.Vocab]
	clear(row)
	row[s.IDs[i]] = 1
	s.MaskAmount[i] = 0
}

// cold starts a round: it masks all tokens that are not given, and resets the step, the confidences
// and the weights.
func (s *State) cold(firstMask float64) {
	s.Step = 0
	for i := range s.IDs {
		s.Confidence[i], s.Shown[i] = 0, 0
		if !s.Given[i] {
			s.IDs[i] = s.Mask
		}
		s.Proposal[i] = s.IDs[i]
		if s.Weights == nil {
			continue
		}
		s.oneHot(i)
		if !s.Given[i] {
			s.MaskAmount[i] = float32(firstMask)
		}
	}
}

// softmax sets probs to the softmax of each row of logits [seq, vocab]. probs has room for whole
// blocks of package vec. Tokens that are e⁸⁰ times less likely than the likeliest get probability
// 0, as computing with subnormal numbers would take most of the time.
func softmax(probs, logits []float32, vocab int) {
	const least = -80
	for r := 0; r < len(logits); r += vocab {
		row, p := logits[r:r+vocab], probs[r:r+vocab]
		top := row[0]
		for _, l := range row {
			if l > top {
				top = l
			}
		}
		for i, l := range row {
			p[i] = max(l-top, least)
		}
	}
	clear(probs[len(logits):])
	vec.Best32().Unary[vec.Exp](probs, probs)
	for r := 0; r < len(logits); r += vocab {
		p := probs[r : r+vocab]
		var even, odd float32 // two sums, to add in parallel
		for i := 0; i+1 < len(p); i += 2 {
			even += p[i]
			odd += p[i+1]
		}
		if len(p)%2 == 1 {
			even += p[len(p)-1]
		}
		scale := 1 / (even + odd)
		for i, x := range p {
			if x < 2e-35 {
				p[i] = 0
				continue
			}
			p[i] = x * scale
		}
	}
}

// blocks returns n rounded up to whole blocks of package vec.
func blocks(n int) int { return (n + vec.Block - 1) / vec.Block * vec.Block }
