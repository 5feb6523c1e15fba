package diffusion

import (
	"math/rand/v2"

	"github.com/physlib/lab/physlib/vec"
)

// State is one sample in the midst of its refinement: the network's input, its output, and the
// result of a Strategy's steps so far. A Strategy changes it in place.
type State struct {
	Sample     int // which of the batch
	Round      int // cold restarts so far
	Step       int // calls of the network in this round before the present one
	Steps      int // calls in a round
	Seq, Vocab int
	Mask       int32 // the mask token

	IDs   []int32 // [seq]: tokens shown to the network, Mask where hidden
	Given []bool  // [seq]: tokens that came with the problem and stay as they are

	Logits      []float32 // [seq, vocab]: the network's answer; steps may change it
	Temperature float64   // by which Logits have been divided so far, for Trace

	Proposal   []int32   // [seq]: a whole sequence drawn from Logits
	Confidence []float32 // [seq]: by which positions are shown, the largest first
	Shown      []float32 // [seq]: Confidence of a shown token when it was shown

	// What a network that takes soft tokens sees next, see Input.
	Weights    []float32 // [seq, vocab], nil for hard tokens
	MaskAmount []float32 // [seq]

	Rand *rand.Rand // this sample's own

	failed bool // no sequence can be completed
	fresh  bool // probs are those of Logits
	probs  []float32
	order  []int32
}

// Done returns the part of the round that is done with this step: 1 at the last.
func (s *State) Done() float64 { return float64(s.Step+1) / float64(s.Steps) }

// Hidden reports whether the token at i is hidden.
func (s *State) Hidden(i int) bool { return s.IDs[i] == s.Mask }

// Probs returns softmax(Logits) [seq, vocab]. They are valid until Logits change.
func (s *State) Probs() []float32 {
	if !s.fresh {
		softmax(s.probs, s.Logits, s.Vocab)
		s.fresh = true
	}
	return s.probs[:len(s.Logits)]
}

// changed is called by steps that change Logits.
func (s *State) changed() { s.fresh = false }

// show makes the proposed token at i part of what the network sees.
func (s *State) show(i int) {
	s.IDs[i], s.Shown[i] = s.Proposal[i], s.Confidence[i]
}

// candidate appends the sequence as it stands to ids: shown tokens, and the proposed ones where
// they are hidden.
func (s *State) candidate(ids []int32) []int32 {
	for i, id := range s.IDs {
		if id == s.Mask {
			id = s.Proposal[i]
		}
		ids = append(ids, id)
	}
	return ids
}

// confidence returns the confidence of each token: when it was shown, or now where it is hidden.
func (s *State) confidence() []float32 {
	all := make([]float32, s.Seq)
	for i := range all {
		switch {
		case s.Given[i]:
			all[i] = 1
		case s.Hidden(i):
			all[i] = s.Confidence[i]
		default:
			all[i] = s.Shown[i]
		}
	}
	return all
}

// oneHot makes the weights of a shown token, or of the mask, certain.
func (s *State) oneHot(i int) {
	row := s.Weights[i*s.Vocab : (i+1)*s.Vocab]
	clear(row)
	row[s.IDs[i]] = 1
	s.MaskAmount[i] = 0
}

// cold hides all tokens that are not given and forgets the rest.
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

// softmax sets probs to the softmax of each row of logits [seq, vocab]; probs has room for whole
// blocks of package vec. What is e⁸⁰ times less likely than the likeliest token gets 0: subnormal
// numbers would take most of the time.
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
		var even, odd float32 // two sums at a time
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
