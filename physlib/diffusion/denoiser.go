package diffusion

import "context"

// Denoiser is a network with the data of one table. It predicts the tokens of a batch of sequences
// from the visible tokens (PhysDiffuse §4, PhysMDT §5). It need not be safe for concurrent use.
type Denoiser interface {
	// Denoise sets logits [n, seq, vocab] for the sequences of in. It must not keep the slices of
	// in.
	Denoise(ctx context.Context, in Input, logits []float32) error
}

// DenoiserFunc is a function that is a Denoiser.
type DenoiserFunc func(ctx context.Context, in Input, logits []float32) error

// Denoise calls f.
func (f DenoiserFunc) Denoise(ctx context.Context, in Input, logits []float32) error {
	return f(ctx, in, logits)
}

// Input is the input of a Denoiser: n sequences. If Weights is nil, the embedding of position i is
// that of the token IDs[i]. Otherwise it is
//
//	e_i = Σ_v Weights[i, v]·E(v) + MaskAmount[i]·E(mask)
//
// (ARChitects §2, PhysMDT §5). A visible position has weight 1 on its token and a MaskAmount of 0.
// A position about which nothing is known yet has weight 1 on the mask token. Each shape (n, seq)
// needs a compiled executable of its own.
type Input struct {
	N, Seq int
	IDs    []int32 // [n, seq]: the visible tokens, and the mask token elsewhere

	// Lengths [n] are the numbers of tokens of each sequence. Positions from Lengths[i] on are
	// ignored in sequence i. If nil, all lengths are Seq. Only a Beam sets them.
	Lengths []int32

	Weights    []float32 // [n, seq, vocab]; nil: hard tokens, the fast path
	MaskAmount []float32 // [n, seq]; nil if Weights is nil

	Round, Step, Steps int // this call is number Step, from 0, of the Steps calls in round Round
}

// Soft reports whether the input has Weights instead of tokens.
func (in Input) Soft() bool { return in.Weights != nil }

// Progress returns the fraction of the round's calls that are done: 0 at the first call, below 1 at
// the last.
func (in Input) Progress() float64 { return float64(in.Step) / float64(in.Steps) }
