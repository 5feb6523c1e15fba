package system

import (
	"context"
	"errors"

	"github.com/physlib/lab/physlib/diffusion"
)

// Film refines n sequences of seq tokens by the preset's strategy. It records every step of each
// sequence, with the names of tokens, for figures and notebooks. laws holds the tokens of each
// sequence, or nil if the sequence is not an expression.
//
// A beam search has no steps of single sequences. So for the strategy beam, Film uses
// diffusion.Small. If the network does not predict lengths, seq must be the length of its window.
func (v *View) Film(ctx context.Context, seq, n int, seed uint64) (trace *diffusion.Trace, laws [][]int32, err error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	if v.s.net.Lengths == "pad" {
		seq = v.s.net.Seq
	}
	sampler := v.s.sampler(v.tokens)
	trace = &diffusion.Trace{Samples: n, Name: v.s.net.vocab.Token}
	sampler.Trace = trace
	laws = make([][]int32, n)
	for c, err := range sampler.Refine(ctx, v.m, diffusion.Batch{N: n, Seq: seq, Seed: seed}) {
		if errors.Is(err, diffusion.ErrNoExpression) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if _, err := v.s.net.vocab.Decode(c.IDs); err == nil {
			laws[c.Sample] = c.IDs
		} else {
			laws[c.Sample] = nil // a later round may end with no expression
		}
	}
	return trace, laws, nil
}
