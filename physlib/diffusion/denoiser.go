package diffusion

import "context"

// Denoiser is a network bound to its observations: it predicts the tokens of a batch of sequences
// from the shown tokens. It need not be safe for concurrent use.
type Denoiser interface {
	// Denoise sets logits [n, seq, vocab] for the sequences of in. It must not keep in's slices.
	Denoise(ctx context.Context, in Input, logits []float32) error
}

// DenoiserFunc is a function that is a Denoiser.
type DenoiserFunc func(ctx context.Context, in Input, logits []float32) error

// Denoise calls f.
func (f DenoiserFunc) Denoise(ctx context.Context, in Input, logits []float32) error {
	return f(ctx, in, logits)
}

// Input is the input of a Denoiser, n sequences. The embedding of position i is, without Weights,
// that of the token IDs[i], and with them
//
//	e_i = Σ_v Weights[i, v]·E(v) + MaskAmount[i]·E(mask)
//
// (ARChitects transfer §2, PhysMDT §5). A shown position has the weight 1 on its token and no mask,
// an unknown one the weight 1 on the mask token. A shape (n, seq) is one compiled executable.
type Input struct {
	N, Seq int
	IDs    []int32 // [n, seq]: the tokens shown, the mask token where hidden

	Lengths []int32 // [n]: how many positions belong to each sequence, further ones are ignored; nil: Seq. A Beam sets it

	Weights    []float32 // [n, seq, vocab]; nil: hard tokens, the fast path
	MaskAmount []float32 // [n, seq]; nil with Weights

	Round, Step, Steps int // of Steps calls in round Round this is call Step, from 0
}

// Soft reports whether the tokens are weights.
func (in Input) Soft() bool { return in.Weights != nil }

// Progress returns the part of the round that is done: 0 at its first call, below 1 at its last.
func (in Input) Progress() float64 { return float64(in.Step) / float64(in.Steps) }
