package system

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
)

// View is a system's view of one problem, for package evolve. It encodes laws as tokens, returns
// the network's probability of each token, and refills laws with masked tokens. A View holds memory
// on the device until it is closed. Its methods take turns with other work of the system.
type View struct {
	s       *System
	m       *memory
	tokens  diffusion.Tokens
	table   *features.Table
	columns []int // index of each of the table's columns in the problem's Vars
}

// View returns the view of p. It is nil if no column varies. It is an error if there are more
// columns than the network can read.
func (s *System) View(p *dataset.Problem) (*View, error) {
	table, columns := observed(p)
	switch n := len(columns); {
	case n > s.net.Encoder.Cols:
		return nil, fmt.Errorf("%s takes tables of at most %d variables, this one has %d: left to the other proposers", s.net.Name, s.net.Encoder.Cols, n)
	case n == 0:
		return nil, nil
	}
	table.Units = table.Units && !s.net.Encoder.NoUnits
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.net.newInputs(1)
	in.put(s.net, 0, table)
	m, err := s.remember(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.net.Name, err)
	}
	return &View{s, m, s.tokens(len(columns)), table, columns}, nil
}

// Close frees the device memory of v.
func (v *View) Close() {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	v.m.free()
}

// Vocabulary returns the vocabulary of the system.
func (v *View) Vocabulary() *token.Vocabulary { return v.s.net.vocab }

// Longest returns the largest number of tokens of a law.
func (v *View) Longest() int {
	if v.s.net.Lengths == "pad" {
		return v.s.net.Seq - 2 // without a start and an end token
	}
	return v.s.net.Seq
}

// Samples returns the number of laws in a pass of Propose.
func (v *View) Samples() int { return max(v.s.net.Refine.Samples, v.s.net.Refine.Beams) }

// Lengths returns the log-probabilities of laws with 1, 2, … tokens. It returns nil if the network
// does not predict them.
func (v *View) Lengths() []float64 {
	if v.m.length == nil {
		return nil
	}
	top, sum := float64(slices.Max(v.m.length)), 0.0
	for _, l := range v.m.length {
		sum += math.Exp(float64(l) - top)
	}
	logp := make([]float64, len(v.m.length))
	for i, l := range v.m.length {
		logp[i] = float64(l) - top - math.Log(sum)
	}
	return logp
}

// Tokens returns the tokens of a law, given in the problem's variables, in the form of
// stream.Skeleton. constants are the values of its free constants in order. ok is false if the law
// has no such form, or more tokens than the network can read.
func (v *View) Tokens(law expr.Tree) (ids []int32, constants []float64, ok bool) {
	law, ok = law.MapVars(func(column int) (int, bool) {
		k := slices.Index(v.columns, column)
		return k, k >= 0
	})
	if !ok || law.Len() == 0 {
		return nil, nil, false
	}
	skel, _, ok := stream.Skeleton(law)
	if !ok {
		return nil, nil, false
	}
	ids, err := v.s.net.vocab.Encode(skel)
	if err != nil || len(ids) > v.Longest() {
		return nil, nil, false
	}
	for _, n := range skel.Nodes() {
		if n.Op == expr.Param {
			constants = append(constants, n.Value)
		}
	}
	return ids, constants, true
}

// Law decodes ids as a law in the problem's variables, with a free factor.
func (v *View) Law(ids []int32) (law expr.Tree, ok bool) {
	law, err := v.s.net.vocab.Decode(ids)
	if err != nil {
		return law, false
	}
	return scaled(law, v.columns)
}

// Prior is an earlier candidate and its R², for systems with PARR's feedback. Other systems ignore
// it.
type Prior struct {
	IDs []int32
	R2  float64
}

// Refill completes laws of seq tokens, given as rows [n, seq], in which the mask token marks masked
// tokens. It returns several laws for each row, [n, draws]. A law is nil if none was found.
//
// With one step all masked tokens of a law are drawn jointly, such that the law is an expression.
// However many laws are drawn from a row, they need only one row of one network call. With more
// steps the most confident tokens are fixed first. 0 steps mean one step for each masked token. If
// priors is not nil, it holds the law from which each row was made.
func (v *View) Refill(ctx context.Context, given []int32, seq, steps, draws int, priors []Prior, seed uint64) ([][]int32, error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	window, from := seq, 0
	if v.s.net.Lengths == "pad" {
		given, window, from = v.frame(given, seq), v.s.net.Seq, 1
	}
	refine := v.refine
	if steps == 1 && v.s.net.Decoder.Kind != decoder.Shared {
		refine = v.drawAtOnce
	}
	laws, err := refine(ctx, given, window, steps, draws, priors, seed)
	for i, ids := range laws {
		if ids != nil {
			laws[i] = ids[from : from+seq]
		}
	}
	return laws, err
}

// drawAtOnce implements Refill with one step. Its temperatures are those of diffusion.Small, from 1
// to 1.4.
func (v *View) drawAtOnce(ctx context.Context, given []int32, window, _, draws int, _ []Prior, seed uint64) ([][]int32, error) {
	n, vocab := len(given)/window, v.tokens.Size
	logits := make([]float32, len(given)*vocab)
	if err := v.m.Denoise(ctx, diffusion.Input{N: n, Seq: window, IDs: given, Steps: 1}, logits); err != nil {
		return nil, err
	}
	laws, rng := make([][]int32, n*draws), rand.New(rand.NewPCG(seed, 0))
	for i := range laws {
		row, fixed := logits[i/draws*window*vocab:][:window*vocab], given[i/draws*window:][:window]
		laws[i], _ = v.tokens.Grammar.Sample(rng, row, window, fixed, 1+0.4*rng.Float64())
	}
	return laws, nil
}

// refine implements Refill with several steps. For a shared block the steps are its loops.
func (v *View) refine(ctx context.Context, given []int32, window, steps, draws int, priors []Prior, seed uint64) ([][]int32, error) {
	var rows []int32
	var before []Prior
	n := len(given) / window
	for i := range n {
		rows = append(rows, slices.Repeat(given[i*window:(i+1)*window], draws)...)
		if priors != nil {
			before = append(before, slices.Repeat(priors[i:i+1], draws)...)
		}
	}
	sampler := diffusion.Small(v.tokens, steps)
	if v.s.net.Decoder.Kind == decoder.Shared {
		sampler = v.s.sampler(v.tokens)
		sampler.Rounds = 1
		v.m.before = v.priors(before, n*draws, window)
		defer func() { v.m.before = nil }()
	}
	laws := make([][]int32, n*draws)
	for c, err := range sampler.Refine(ctx, v.m, diffusion.Batch{N: n * draws, Seq: window, Given: rows, Seed: seed}) {
		if errors.Is(err, diffusion.ErrNoExpression) {
			break
		}
		if err != nil {
			return nil, err
		}
		laws[c.Sample] = c.IDs
	}
	return laws, nil
}

// frame puts each row of ids between a start and an end token into a padded window.
func (v *View) frame(ids []int32, seq int) []int32 {
	vocab, window := v.s.net.vocab, v.s.net.Seq
	framed := slices.Repeat([]int32{vocab.Pad()}, len(ids)/seq*window)
	for i := range len(ids) / seq {
		row := framed[i*window:]
		row[0] = vocab.SOS()
		copy(row[1:], ids[i*seq:(i+1)*seq])
		row[1+seq] = vocab.EOS()
	}
	return framed
}

// priors returns list as an input of the decoder for n sequences, or nil if the decoder takes no
// earlier candidates.
func (v *View) priors(list []Prior, n, seq int) *prior {
	seq = v.s.net.padded(seq)
	p := v.s.net.newPrior(v.s.net.batchSize(n), seq)
	if p == nil {
		return nil
	}
	for i, x := range list {
		if len(x.IDs) <= seq {
			copy(p.ids[i*seq:], x.IDs)
			p.r2[i] = float32(math.Max(0, x.R2))
		}
	}
	return p
}

// Confidence returns the network's log-probability of each token of a law, given all other tokens.
func (v *View) Confidence(ctx context.Context, ids []int32) ([]float64, error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	seq, vocab := len(ids), v.s.net.vocab
	rows := slices.Repeat(ids, seq)
	for i := range seq {
		rows[i*seq+i] = vocab.Mask()
	}
	window, from := seq, 0
	if v.s.net.Lengths == "pad" {
		rows, window, from = v.frame(rows, seq), v.s.net.Seq, 1
	}
	logits := make([]float32, seq*window*vocab.Size())
	if err := v.m.Denoise(ctx, diffusion.Input{N: seq, Seq: window, IDs: rows, Steps: 1}, logits); err != nil {
		return nil, err
	}
	logp := make([]float64, seq)
	for i, id := range ids {
		row := logits[(i*window+from+i)*vocab.Size():][:vocab.Size()]
		sum := 0.0
		for k, l := range row {
			if v.tokens.Allowed[k] {
				sum += math.Exp(float64(l - row[id]))
			}
		}
		logp[i] = -math.Log(sum)
	}
	return logp, nil
}
