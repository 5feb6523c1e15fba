package diffusion

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/each"
)

// Sampler refines a batch of sequences from masked tokens to finished ones. Presets such as
// PhysDiffuse return Samplers.
type Sampler struct {
	Vocab int   // number of tokens in the vocabulary
	Mask  int32 // the mask token

	// Steps is the number of network calls in all rounds together. If 0, each round has one call
	// for each masked token.
	Steps int
	// Number of rounds, each of which starts from masked tokens (cold restarts); 0: 1.
	Rounds int
	Step   Strategy // Strategy that changes each sample after each call

	Soft      bool    // whether the network takes soft tokens, which Step sets
	FirstMask float64 // with Soft: weight of the mask embedding at the first call of a round

	// EachStep yields the proposed sequence after every step, not only at the end of a round. Each
	// such sequence counts as a visit for the Tally.
	EachStep bool

	// AtMostOneEach limits the steps of a round to the number of masked tokens. More are not needed
	// if the chain fixes a token in each step.
	AtMostOneEach bool

	Trace *Trace // records steps; nil: nothing is recorded
}

// Batch is a request to a Sampler.
type Batch struct {
	N, Seq int // number of sequences and their length in tokens
	Seed   uint64

	// Given [seq] or [n, seq] holds known tokens, and the mask token elsewhere. If nil, no token is
	// known.
	Given []int32
}

// Candidate is a finished sequence.
type Candidate struct {
	IDs                 []int32 // [seq], owned by the receiver
	Sample, Round, Step int     // indices of the sample, round and step that finished it
	Last                bool    // whether it is the result of the last step of its round
	// LogProb is the sum of the log-probabilities of the tokens that were not given, under the
	// network's last output.
	LogProb float64

	// Confidence [seq] is the confidence that the Strategy had in each token when it was shown
	// (ARChitects §2: the law's uncertainty). It is 1 for given tokens. A Beam leaves it nil.
	Confidence []float32
}

// ErrNoExpression is the error if no well-formed expression has the length of the batch and its
// given tokens.
var ErrNoExpression = errors.New("diffusion: no well-formed expression has this length and these given tokens")

// Refine yields the sequences of a batch as they are finished. It yields an error and ends in four
// cases: ctx ends, the Denoiser fails, logits are not finite, or no well-formed expression exists
// (ErrNoExpression).
func (r Sampler) Refine(ctx context.Context, d Denoiser, b Batch) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		run, err := r.start(b)
		if err != nil {
			yield(Candidate{}, err)
			return
		}
		for round := range max(r.Rounds, 1) {
			run.cold(round)
			for step := range run.steps {
				if err := run.step(ctx, d, step); err != nil {
					yield(Candidate{}, err)
					return
				}
				if (r.EachStep || step == run.steps-1) && !run.yield(yield) {
					return
				}
			}
		}
	}
}

// run is the state of one call of Refine.
type run struct {
	Sampler
	Batch
	steps  int // number of steps in a round
	states []State
	bad    []bool // by sample: whether logits are NaN or +Inf, or all logits of a position are -Inf
	in     Input
	logits []float32
}

func (r Sampler) start(b Batch) (*run, error) {
	if b.N <= 0 || b.Seq <= 0 {
		return nil, fmt.Errorf("diffusion: a batch of %d sequences of %d tokens; both numbers must be positive", b.N, b.Seq)
	}
	if r.Step == nil || r.Vocab <= 0 || r.Mask < 0 || int(r.Mask) >= r.Vocab {
		return nil, fmt.Errorf("diffusion: the Sampler lacks its Step, or mask token %d is not among %d tokens", r.Mask, r.Vocab)
	}
	switch len(b.Given) {
	case 0, b.Seq, b.N * b.Seq:
	default:
		return nil, fmt.Errorf("diffusion: %d given tokens for %d sequences of %d", len(b.Given), b.N, b.Seq)
	}
	for i, id := range b.Given {
		if id < 0 || int(id) >= r.Vocab {
			return nil, fmt.Errorf("diffusion: given token %d at %d is not among %d tokens", id, i, r.Vocab)
		}
	}
	n, seq, row := b.N, b.Seq, b.Seq*r.Vocab
	u := &run{Sampler: r, Batch: b, states: make([]State, n), bad: make([]bool, n)}
	u.logits = make([]float32, n*row)
	u.in = Input{N: n, Seq: seq, IDs: make([]int32, n*seq)}
	if r.Soft {
		u.in.Weights, u.in.MaskAmount = make([]float32, n*row), make([]float32, n*seq)
	}
	width := blocks(row)
	probs, floats, given := make([]float32, n*width), make([]float32, 2*n*seq), make([]bool, n*seq)
	proposals := make([]int32, n*seq)
	for i := range u.states {
		s := &u.states[i]
		lo, hi := i*seq, (i+1)*seq
		*s = State{
			Sample: i, Seq: seq, Vocab: r.Vocab, Mask: r.Mask,
			IDs: u.in.IDs[lo:hi], Given: given[lo:hi], Proposal: proposals[lo:hi],
			Confidence: floats[2*lo : 2*lo+seq], Shown: floats[2*lo+seq : 2*hi],
			Logits: u.logits[i*row : (i+1)*row], probs: probs[i*width : (i+1)*width],
			Rand: rand.New(rand.NewPCG(b.Seed, uint64(i))),
		}
		if r.Soft {
			s.Weights, s.MaskAmount = u.in.Weights[i*row:(i+1)*row], u.in.MaskAmount[lo:hi]
		}
		u.give(s)
	}
	u.steps = max(1, r.Steps/max(r.Rounds, 1))
	if masked := u.masked(); r.Steps <= 0 || r.AtMostOneEach && u.steps > masked {
		u.steps = max(1, masked)
	}
	return u, nil
}

// give sets the given tokens of a sample.
func (u *run) give(s *State) {
	given := u.Given
	if len(given) > s.Seq {
		given = given[s.Sample*s.Seq : (s.Sample+1)*s.Seq]
	}
	for i, id := range given {
		if s.Given[i] = id != s.Mask; s.Given[i] {
			s.IDs[i] = id
		}
	}
}

// masked returns the largest number of masked tokens in any sample.
func (u *run) masked() (most int) {
	for i := range u.states {
		masked := 0
		for _, given := range u.states[i].Given {
			if !given {
				masked++
			}
		}
		most = max(most, masked)
	}
	return most
}

// cold starts a round, in which all tokens that are not given are masked.
func (u *run) cold(round int) {
	for i := range u.states {
		s := &u.states[i]
		s.Round, s.Steps = round, u.steps
		s.cold(u.FirstMask)
	}
}

// step calls the network and applies the strategy to every sample.
func (u *run) step(ctx context.Context, d Denoiser, step int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.in.Round, u.in.Step, u.in.Steps = u.states[0].Round, step, u.steps
	if err := d.Denoise(ctx, u.in, u.logits); err != nil {
		return fmt.Errorf("diffusion: round %d, step %d: %w", u.in.Round, step, err)
	}
	each.Do(len(u.states), func(i int) {
		s := &u.states[i]
		s.Step, s.Temperature = step, 1
		s.changed()
		u.bad[i] = !numbers(s.Logits, s.Vocab)
	})
	if i := slices.Index(u.bad, true); i >= 0 {
		return fmt.Errorf("diffusion: round %d, step %d: the logits of sample %d are not finite", u.in.Round, step, i)
	}
	u.Trace.before(u.states)
	each.Do(len(u.states), func(i int) {
		if s := &u.states[i]; !s.failed {
			u.Step(s)
		}
	})
	u.Trace.after(u.states)
	if u.alive() == 0 {
		return fmt.Errorf("%w: %d tokens", ErrNoExpression, u.Seq)
	}
	return nil
}

// alive returns the number of samples that can still become expressions.
func (u *run) alive() (n int) {
	for i := range u.states {
		if !u.states[i].failed {
			n++
		}
	}
	return n
}

// numbers reports whether the logits [seq, vocab] have no NaN and no +Inf, and a finite value in
// each row.
func numbers(logits []float32, vocab int) bool {
	const exponent, minusInf = 0xff << 23, 0x1ff << 23
	for r := 0; r < len(logits); r += vocab {
		excluded := 0
		for _, l := range logits[r : r+vocab] {
			b := math.Float32bits(l)
			if b&exponent != exponent {
				continue
			}
			if b != minusInf {
				return false
			}
			excluded++
		}
		if excluded == vocab {
			return false
		}
	}
	return true
}

// yield yields the current sequences of all samples. It reports whether the refinement should go
// on.
func (u *run) yield(yield func(Candidate, error) bool) bool {
	for i := range u.states {
		s := &u.states[i]
		if s.failed {
			continue
		}
		c := Candidate{IDs: s.candidate(make([]int32, 0, s.Seq)), Sample: i, Round: s.Round, Step: s.Step, Last: s.Step == u.steps-1}
		c.Confidence = s.confidence()
		probs := s.Probs()
		for k, id := range c.IDs {
			if !s.Given[k] {
				c.LogProb += math.Log(float64(probs[k*s.Vocab+int(id)]) + 1e-30)
			}
		}
		if !yield(c, nil) {
			return false
		}
	}
	return true
}
