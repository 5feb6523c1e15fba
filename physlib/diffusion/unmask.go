package diffusion

import (
	"math"
	"slices"
)

// byConfidence returns the positions that are not given, by decreasing confidence. Positions of
// equal confidence are in increasing order.
func (s *State) byConfidence() []int32 {
	s.order = s.order[:0]
	for i := range s.Seq {
		if s.Given[i] {
			continue
		}
		at := len(s.order)
		s.order = append(s.order, 0)
		for ; at > 0 && s.Confidence[i] > s.Confidence[s.order[at-1]]; at-- {
			s.order[at] = s.order[at-1]
		}
		s.order[at] = int32(i)
	}
	return s.order
}

// UnmaskTop makes the proposed tokens at the most confident positions visible, as many as the
// schedule says (PhysDiffuse §2). Positions that are already visible compete with the masked ones,
// so their tokens may be replaced. The other positions do not change.
func UnmaskTop(schedule Schedule) Strategy {
	return func(s *State) {
		order := s.byConfidence()
		for _, i := range order[:schedule.share(s.Done(), len(order))] {
			s.show(int(i))
		}
	}
}

// Commit makes the proposed tokens at the most confident masked positions visible, until as many
// are visible as the schedule says. Visible tokens are final. The network was trained to predict
// masked tokens only, so confidences of visible tokens mean nothing.
func Commit(schedule Schedule) Strategy {
	return func(s *State) {
		order := s.byConfidence()
		shown := 0
		for _, i := range order {
			if !s.Masked(int(i)) {
				shown++
			}
		}
		more := schedule.share(s.Done(), len(order)) - shown
		for _, i := range order {
			if more > 0 && s.Masked(int(i)) {
				s.show(int(i))
				more--
			}
		}
	}
}

// UnmaskQuantile makes the proposed tokens visible at positions whose confidence reaches the
// (1-p)-quantile of the confidences at the positions that are not given. p is schedule(step/steps),
// with step from 0 (PARR §2.2). So the first step shows only the most confident position, and even
// the last step does not show all. The quantile is interpolated linearly.
func UnmaskQuantile(schedule Schedule) Strategy {
	return func(s *State) {
		order := s.byConfidence()
		if len(order) == 0 {
			return
		}
		p := schedule(float64(s.Step) / float64(s.Steps))
		at := p * float64(len(order)-1) // fractional index, counted from the largest confidence
		lo := int(math.Floor(at))
		hi := min(lo+1, len(order)-1)
		x := float32(at - float64(lo))
		threshold := s.Confidence[order[lo]] + x*(s.Confidence[order[hi]]-s.Confidence[order[lo]])
		for _, i := range order {
			if s.Confidence[i] >= threshold {
				s.show(int(i))
			}
		}
	}
}

// Remask masks the given share of the visible tokens, rounded down. It masks those that became
// visible with the least confidence. It does nothing at the last step. If it comes before Commit in
// a Chain, early mistakes can be corrected, since Commit then shows other tokens instead.
func Remask(share float64) Strategy {
	return func(s *State) {
		if s.Step+1 == s.Steps {
			return
		}
		s.order = s.order[:0]
		for i := range s.Seq {
			if !s.Given[i] && !s.Masked(i) {
				s.order = append(s.order, int32(i))
			}
		}
		slices.SortStableFunc(s.order, func(a, b int32) int {
			switch {
			case s.Shown[a] < s.Shown[b]:
				return -1
			case s.Shown[a] > s.Shown[b]:
				return 1
			}
			return 0
		})
		for _, i := range s.order[:int(share*float64(len(s.order)))] {
			s.IDs[i] = s.Mask
		}
	}
}
