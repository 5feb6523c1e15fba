package diffusion

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Beam finds the likeliest expressions of a given length under a denoiser, each once. A Sampler
// would draw the likeliest again and again. Beam appends token after token in prefix order. After
// each token it keeps the Width likeliest prefixes by
//
//	log p(x) = Σ_i log p(x_i | x_1 … x_{i-1}, the rest masked)
//
// Here p is the network's softmax over the tokens with which an expression remains possible. A
// network that learned to restore tokens masked at random knows the conditionals for every order of
// the tokens, also for this one.
//
// With a Random source Beam instead draws expressions without replacement, different ones each
// time. This is the stochastic beam search of Kool, van Hoof and Welling 2019 (arXiv:1903.06059).
// It keeps the prefixes with the Width largest values of log p plus a Gumbel variate.
type Beam struct {
	Vocab int
	Mask  int32
	// Arity returns the number of operands of a token. It is negative for tokens that occur in no
	// expression.
	Arity       func(id int32) int
	Allowed     []bool     // which tokens are allowed; nil: all tokens of expressions
	Width       int        // number of prefixes that are kept; presets: the key refine.beams
	Temperature float64    // divisor of the logits; 0: 1
	Random      *rand.Rand // source for drawing; nil: find the likeliest expressions
}

// beginning is a sequence in which the first tokens are chosen and the others are masked.
type beginning struct {
	ids     []int32
	open    int     // number of operands still missing
	logp    float64 // log-probability of the tokens so far
	rank    float64 // key for keeping a beginning: logp, plus Gumbel noise if drawn at random
	parent  int     // index of the beginning that this one extends
	next    int32   // token that follows the beginning
	pending float64 // log-probability including next
}

// Search returns the expressions of seq tokens that it found, likeliest first. If there are none,
// the error is ErrNoExpression.
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

// Length describes one of several searches. It looks for expressions of Seq tokens and has its own
// Width and Random.
type Length struct {
	Seq, Width int
	Random     *rand.Rand
}

// SearchLengths runs Search for several lengths together, with one call of the network per token.
// It returns the results for each length, which are empty if no expression has that length.
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
			outputs := logits[n*seq*b.Vocab:]
			n += len(beams[i])
			var err error
			if beams[i], err = b.grow(beams[i], l, at, outputs, seq*b.Vocab); err != nil {
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
// outputs holds the logits of each beginning in turn, row numbers for each.
func (b Beam) grow(beams []beginning, l Length, at int, outputs []float32, row int) ([]beginning, error) {
	var next []beginning
	for i := range beams {
		var err error
		if next, err = b.extend(next, &beams[i], i, outputs[i*row+at*b.Vocab:][:b.Vocab], l.Seq-at-1, l.Random); err != nil {
			return nil, err
		}
	}
	// A stable sort breaks ties by the order of the beginnings, so equal logits give equal
	// searches.
	slices.SortStableFunc(next, func(x, y beginning) int { return cmp.Compare(y.rank, x.rank) })
	next = next[:min(len(next), l.Width)]
	for k := range next {
		ids := slices.Clone(beams[next[k].parent].ids)
		ids[at] = next[k].next
		next[k].ids, next[k].logp = ids, next[k].pending
	}
	return next, nil
}

// extend appends to next the continuations of s, whose index is parent. logits [vocab] are those of
// the position at which s is continued. left is the number of positions after this one.
func (b Beam) extend(next []beginning, s *beginning, parent int, logits []float32, left int, random *rand.Rand) ([]beginning, error) {
	tau, top := cmp.Or(b.Temperature, 1), math.Inf(-1)
	first := len(next)
	for id, l := range logits {
		if b.Allowed != nil && !b.Allowed[id] {
			continue
		}
		arity := b.Arity(int32(id))
		open := s.open - 1 + arity
		// Operators with one operand can fill surplus positions. So an expression remains possible
		// if at least as many positions are left as operands are open.
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

// perturb adds Gumbel noise to the children's log-probabilities, such that the largest sum equals
// the parent's rank (Kool et al., eq. 13 and appendix B.3).
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
