package diffusion

import (
	"cmp"
	"math"
	"slices"
)

// Trace records the refinement of the first samples of each batch, step by step, for films and
// figures. Its JSON form is {"frames": [...]}. The zero Trace records one sample with the five
// likeliest tokens of each position. It is not safe for concurrent use, so concurrent batches need
// one Trace each.
type Trace struct {
	Samples int                   `json:"-"` // number of samples; 0: 1
	Top     int                   `json:"-"` // number of likeliest tokens per position; 0: 5
	Name    func(id int32) string `json:"-"` // name of a token; nil: tokens have no names

	Frames []Frame `json:"frames"`
}

// Frame is one sample after one step.
type Frame struct {
	Sample      int     `json:"sample"`
	Round       int     `json:"round"`
	Step        int     `json:"step"`
	Steps       int     `json:"steps"`
	Temperature float64 `json:"temperature"`
	Cells       []Cell  `json:"cells"`
}

// Cell is one position of a Frame.
type Cell struct {
	ID    int32  `json:"id"`              // the visible or proposed token
	Token string `json:"token,omitempty"` // name of that token
	Shown bool   `json:"shown"`           // visible to the network from the next call on
	Given bool   `json:"given,omitempty"`
	// Entropy of the network's output at temperature 1, in nats.
	Entropy    float64 `json:"entropy"`
	Top        []Guess `json:"top"`        // the likeliest tokens
	Confidence float64 `json:"confidence"` // confidence of the position, see State
}

// Guess is a token with its probability.
type Guess struct {
	ID    int32   `json:"id"`
	Token string  `json:"token,omitempty"`
	P     float64 `json:"p"`
}

// of returns the states that are recorded, which are the first ones.
func (t *Trace) of(states []State) []State {
	if t == nil {
		return nil
	}
	return states[:min(max(t.Samples, 1), len(states))]
}

// before appends a frame with the network's output for each recorded state.
func (t *Trace) before(states []State) {
	for i := range t.of(states) {
		s := &states[i]
		f := Frame{Sample: s.Sample, Round: s.Round, Step: s.Step, Steps: s.Steps, Cells: make([]Cell, s.Seq)}
		probs := s.Probs()
		for k := range f.Cells {
			row := probs[k*s.Vocab : (k+1)*s.Vocab]
			f.Cells[k].Entropy = entropy(row)
			f.Cells[k].Top = t.top(row)
		}
		t.Frames = append(t.Frames, f)
	}
}

// after completes the last frames with the tokens that the strategy chose.
func (t *Trace) after(states []State) {
	states = t.of(states)
	for i := range states {
		s := &states[i]
		f := &t.Frames[len(t.Frames)-len(states)+i]
		f.Temperature = s.Temperature
		for k, id := range s.candidate(nil) {
			c := &f.Cells[k]
			c.ID, c.Token = id, t.name(id)
			c.Shown, c.Given, c.Confidence = !s.Masked(k), s.Given[k], float64(s.Confidence[k])
		}
	}
}

func (t *Trace) name(id int32) string {
	if t.Name == nil {
		return ""
	}
	return t.Name(id)
}

// top returns the likeliest tokens with their probabilities, likeliest first.
func (t *Trace) top(probs []float32) []Guess {
	ids := make([]int32, len(probs))
	for i := range ids {
		ids[i] = int32(i)
	}
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(probs[b], probs[a]) })
	k := t.Top
	if k == 0 {
		k = 5
	}
	var top []Guess
	for _, id := range ids[:min(k, len(ids))] {
		top = append(top, Guess{ID: id, Token: t.name(id), P: float64(probs[id])})
	}
	return top
}

// entropy returns -Σ p·log p in nats.
func entropy(probs []float32) (h float64) {
	for _, p := range probs {
		if p > 0 {
			h -= float64(p) * math.Log(float64(p))
		}
	}
	return h
}
