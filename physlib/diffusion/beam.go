package diffusion

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Beam finds the likeliest expressions of a length under a denoiser, each once. A Sampler would
// draw the likeliest again and again. Beam appends token after token from the root, and after each
// token keeps the Width likeliest beginnings,
//
//	log p(x) = Σ_i log p(x_i | x_1 … x_{i-1}, hidden behind)
//
// where p is the network's answer among the tokens that leave an expression possible. A network
// that learned to restore tokens hidden at random knows these conditionals as well as those of any
// other order. Tokens are in prefix order.
//
// With a Random source it draws without replacement instead, other expressions each time. This is
// the stochastic beam search of Kool, van Hoof and Welling 2019 (arXiv:1903.06059). It keeps the
// Width largest of log p plus a Gumbel number.
type Beam struct {
	Vocab       int
	Mask        int32
	Arity       func(id int32) int // operands of a token, below 0 for what stands in no expression
	Allowed     []bool             // by token; nil: all that have an arity
	Width       int
	Temperature float64 // by which logits are divided; 0: 1
	Random      *rand.Rand
}

// beginning is a sequence of which the first tokens are written.
type beginning struct {
	ids     []int32
	open    int     // operands still to be written
	logp    float64 // of the tokens so far
	rank    float64 // by which beginnings are kept: logp, perturbed where drawn
	parent  int
	next    int32
	pending float64 // logp with next
}

// Search returns the expressions of seq tokens that were found, the likeliest first.
func (b Beam) Search(ctx context.Context, d Denoiser, seq int) ([]Candidate, error) {
	found, err := b.SearchLengths(ctx, d, []Length{{Seq: seq, Width: b.Width, Random: b.Random}})
	if err != nil {
		return nil, err
	}
	if len(found[0]) == 0 {
		return nil, ErrNoExpression
	}
	return found[0], nil
}

// Length is one of several searches: for expressions of Seq tokens, with the Width and the Random
// of its own.
type Length struct {
	Seq, Width int
	Random     *rand.Rand
}

// SearchLengths returns Search for several lengths side by side: their beginnings are asked about
// in one call of the network for each token. It returns the results for each, none where no
// expression has the length.
func (b Beam) SearchLengths(ctx context.Context, d Denoiser, lengths []Length) ([][]Candidate, error) {
	beams, rows, seq := make([][]beginning, len(lengths)), 0, 0
	for i, l := range lengths {
		beams[i] = []beginning{{ids: slices.Repeat([]int32{b.Mask}, l.Seq), open: 1}}
		rows, seq = rows+l.Width, max(seq, l.Seq)
	}
	logits, ids, ends := make([]float32, rows*seq*b.Vocab), make([]int32, rows*seq), make([]int32, rows)
	for at := range seq {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := 0
		for _, group := range beams {
			for _, s := range group {
				if at < len(s.ids) {
					row := ids[n*seq:][:seq]
					for k := copy(row, s.ids); k < seq; k++ {
						row[k] = b.Mask
					}
					ends[n] = int32(len(s.ids))
					n++
				}
			}
		}
		if n == 0 {
			break
		}
		if err := d.Denoise(ctx, Input{N: n, Seq: seq, IDs: ids[:n*seq], Lengths: ends[:n], Step: at, Steps: seq}, logits[:n*seq*b.Vocab]); err != nil {
			return nil, err
		}
		n = 0
		for i, l := range lengths {
			if at >= l.Seq {
				continue
			}
			answers := logits[n*seq*b.Vocab:]
			n += len(beams[i])
			var err error
			if beams[i], err = b.grow(beams[i], l, at, answers, seq*b.Vocab); err != nil {
				return nil, err
			}
		}
	}
	found := make([][]Candidate, len(lengths))
	for i, group := range beams {
		slices.SortStableFunc(group, func(x, y beginning) int { return cmp.Compare(y.logp, x.logp) })
		for k, s := range group {
			found[i] = append(found[i], Candidate{IDs: s.ids, Sample: k, Step: lengths[i].Seq, Last: true, LogProb: s.logp})
		}
	}
	return found, nil
}

// grow extends the beginnings of one length by the token at position at, and keeps the best.
// answers are the logits, a row for each beginning.
func (b Beam) grow(beams []beginning, l Length, at int, answers []float32, row int) ([]beginning, error) {
	var next []beginning
	for i := range beams {
		var err error
		if next, err = b.extend(next, &beams[i], i, answers[i*row+at*b.Vocab:][:b.Vocab], l.Seq-at-1, l.Random); err != nil {
			return nil, err
		}
	}
	// Ties are broken by the order of the beginnings, so that equal answers give equal searches.
	slices.SortStableFunc(next, func(x, y beginning) int { return cmp.Compare(y.rank, x.rank) })
	next = next[:min(len(next), l.Width)]
	for k := range next {
		ids := slices.Clone(beams[next[k].parent].ids)
		ids[at] = next[k].next
		next[k].ids, next[k].logp = ids, next[k].pending
	}
	return next, nil
}

// extend appends to next the continuations of a beginning, number parent. left positions follow the
// one whose logits are given.
func (b Beam) extend(next []beginning, s *beginning, parent int, logits []float32, left int, random *rand.Rand) ([]beginning, error) {
	tau, top := cmp.Or(b.Temperature, 1), math.Inf(-1)
	first := len(next)
	for id, l := range logits {
		if b.Allowed != nil && !b.Allowed[id] {
			continue
		}
		arity := b.Arity(int32(id))
		open := s.open - 1 + arity
		// An operator of one operand fills any gap, so open operands fit if there are as many
		// positions as they.
		if arity < 0 || open > left || open == 0 && left > 0 {
			continue
		}
		v := float64(l) / tau
		if math.IsNaN(v) {
			return nil, fmt.Errorf("diffusion: the network's answer for token %d is not a number", id)
		}
		next = append(next, beginning{open: open, parent: parent, next: int32(id), pending: v})
		top = math.Max(top, v)
	}
	sum := 0.0
	for _, c := range next[first:] {
		sum += math.Exp(c.pending - top)
	}
	norm := top + math.Log(sum)
	for i := first; i < len(next); i++ {
		next[i].pending += s.logp - norm
		next[i].rank = next[i].pending
	}
	if random != nil {
		perturb(next[first:], s, random)
	}
	return next, nil
}

// perturb gives the children Gumbel numbers about their log-probabilities whose largest is the
// parent's (Kool et al., eq. 13 and appendix B.3).
func perturb(children []beginning, parent *beginning, random *rand.Rand) {
	if len(children) == 0 {
		return
	}
	top := math.Inf(-1)
	for i := range children {
		children[i].rank = children[i].pending - math.Log(-math.Log(1-random.Float64()))
		top = math.Max(top, children[i].rank)
	}
	limit := parent.rank
	for i := range children {
		// -log(exp(-limit) - exp(-top) + exp(-rank)), without overflow
		v := limit - children[i].rank + math.Log1p(-math.Exp(children[i].rank-top))
		if children[i].rank == top {
			children[i].rank = limit
			continue
		}
		children[i].rank = limit - math.Max(0, v) - math.Log1p(math.Exp(-math.Abs(v)))
	}
}
