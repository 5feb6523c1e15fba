package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
)

// chunk is the number of sequences of one length that are refined together. With a fixed number,
// each bucket of lengths has one compiled shape.
const chunk = 8

// Name returns the name of the preset.
func (s *System) Name() string { return s.net.Name }

// Propose yields the laws that the network predicts for p. Each has a free factor, since the
// network predicts laws up to scale and sign. There are Refine.Passes passes. The first pass yields
// up to Refine.Samples laws, the likeliest lengths first. It is an error if the table has more
// columns than the network can read.
func (s *System) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		for proposal, err := range s.Proposals(ctx, p) {
			if !yield(proposal.Law, err) {
				return
			}
		}
	}
}

// Proposals yields the laws of Propose, each with its tokens and their confidence.
func (s *System) Proposals(ctx context.Context, p *dataset.Problem) iter.Seq2[Proposal, error] {
	return func(yield func(Proposal, error) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		table, columns := observed(p)
		if s.net.Encoder.NoUnits {
			table.Units = false
		}
		switch n := len(columns); {
		case n > s.net.Encoder.Cols:
			yield(Proposal{}, fmt.Errorf("%s takes tables of at most %d variables, this one has %d: left to the other proposers", s.net.Name, s.net.Encoder.Cols, n))
			return
		case n == 0:
			return // no column varies
		}
		balanced := s.balanced(p)
		drawn := int64(0)
		for candidate, err := range s.candidates(ctx, table, uint64(p.Seed)) {
			if err != nil {
				if !errors.Is(err, ctx.Err()) {
					yield(Proposal{}, err)
				}
				return
			}
			if drawn++; p.MaxCandidates > 0 && drawn > p.MaxCandidates {
				return
			}
			t, err := s.net.vocab.Decode(candidate.IDs)
			if err != nil {
				continue // sequences of the papers' strategies need not be expressions
			}
			t, ok := scaled(t, columns)
			if ok && p.Allows(t) && balanced(t) && !yield(Proposal{t, candidate.Last, candidate.IDs, candidate.Confidence}, nil) {
				return
			}
		}
	}
}

// balanced returns a function that reports whether the units of a law with a free factor can
// balance. If the preset does not filter by units, the function always returns true.
func (s *System) balanced(p *dataset.Problem) func(expr.Tree) bool {
	if !s.net.Refine.Filter || !p.Units {
		return func(expr.Tree) bool { return true }
	}
	var u diffusion.Units
	for _, v := range p.Vars {
		u.Vars, u.Known = append(u.Vars, v.Dim), append(u.Known, v.Known)
	}
	return func(t expr.Tree) bool { return u.Score(t) == 1 }
}

// passes is the default number of passes of Propose. Each pass has other random numbers. Late
// passes find few new laws.
const passes = 4

// Proposal is a law with details of its candidate.
type Proposal struct {
	Law expr.Tree
	// Last reports that the law is the result of a round of refinement. Strategies that count
	// visits also propose laws at earlier steps.
	Last bool

	Tokens []int32 // tokens of the law as proposed, see Config.Vocabulary
	// Confidence of each token, see diffusion.Candidate; nil from a beam search.
	Confidence []float32
}

// observed returns the part of p that the network may see, and the indices of its columns in
// p.Vars. Columns that do not vary are left out.
func observed(p *dataset.Problem) (t *features.Table, columns []int) {
	t = &features.Table{Y: p.Target.Values, Target: p.Target.Dim, Units: p.Units}
	for i, v := range p.Vars {
		if v.Const || len(v.Values) == 0 || slices.Min(v.Values) == slices.Max(v.Values) {
			continue
		}
		columns = append(columns, i)
		t.X, t.Dims = append(t.X, v.Values), append(t.Dims, v.Dim)
	}
	return t, columns
}

// scaled returns c·t with a free constant c. Variable i of t becomes columns[i]. ok is false if t
// has more variables than there are columns.
func scaled(t expr.Tree, columns []int) (expr.Tree, bool) {
	t, ok := t.MapVars(func(v int) (int, bool) {
		if v >= len(columns) {
			return 0, false
		}
		return columns[v], true
	})
	if !ok || t.Len() == 0 {
		return t, false
	}
	return expr.Apply(expr.Mul, expr.C(t.NumParams(), 1), t), true
}

// candidates yields decoded sequences for a table, pass by pass.
func (s *System) candidates(ctx context.Context, table *features.Table, seed uint64) iter.Seq2[diffusion.Candidate, error] {
	return func(yield func(diffusion.Candidate, error) bool) {
		in := s.net.newInputs(1)
		in.put(s.net, 0, table)
		m, err := s.remember(in)
		if err != nil {
			yield(diffusion.Candidate{}, fmt.Errorf("%s: %w", s.net.Name, err))
			return
		}
		m.table = table
		defer m.free()
		decode := m.refine
		if s.net.Refine.Strategy == "beam" {
			decode = m.beam
		}
		tokens := s.tokens(len(table.X))
		for pass := range cmp.Or(s.net.Refine.Passes, passes) {
			for c, err := range decode(ctx, tokens, pass, seed) {
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// refine yields the candidates of a pass of the preset's refinement, chunk by chunk.
func (m *memory) refine(ctx context.Context, t diffusion.Tokens, pass int, seed uint64) iter.Seq2[diffusion.Candidate, error] {
	return func(yield func(diffusion.Candidate, error) bool) {
		sampler := m.s.sampler(t)
		for i, seq := range m.s.plan(m.length, pass) {
			b := diffusion.Batch{N: chunk, Seq: seq, Seed: seed + uint64(pass)<<32 + uint64(i)<<16}
			found := sampler.Refine(ctx, m, b)
			if m.s.net.Decoder.Feedback > 0 && m.table != nil && !m.s.net.Refine.NoFeedback {
				found = m.refineAgain(ctx, sampler, b, m.table)
			}
			for c, err := range found {
				if errors.Is(err, diffusion.ErrNoExpression) {
					break
				}
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// beam yields the candidates of a pass of beam searches. There is one search for each length in the
// plan, as wide as all chunks of this length together. The first pass finds the likeliest
// expressions; later passes draw others at random. Candidates are sorted by log p(length) + log
// p(tokens).
func (m *memory) beam(ctx context.Context, t diffusion.Tokens, pass int, seed uint64) iter.Seq2[diffusion.Candidate, error] {
	return func(yield func(diffusion.Candidate, error) bool) {
		v := m.s.net.vocab
		b := diffusion.Beam{Vocab: v.Size(), Mask: v.Mask(), Arity: v.Arity, Allowed: t.Allowed, Temperature: 1}
		if pass > 0 {
			b.Temperature = m.s.net.Refine.Tau0
		}
		widths := map[int]int{}
		for _, seq := range m.s.plan(m.length, pass) {
			widths[seq] += chunk
		}
		var lengths []diffusion.Length
		for _, seq := range slices.Sorted(maps.Keys(widths)) {
			l := diffusion.Length{Seq: seq, Width: widths[seq]}
			if pass > 0 {
				l.Random = rand.New(rand.NewPCG(seed, uint64(pass)<<32+uint64(seq)))
			}
			lengths = append(lengths, l)
		}
		found, err := b.SearchLengths(ctx, m, lengths)
		if err != nil {
			yield(diffusion.Candidate{}, err)
			return
		}
		var all []diffusion.Candidate
		for i, candidates := range found {
			for _, c := range candidates {
				if m.length != nil {
					c.LogProb += float64(m.length[lengths[i].Seq-1])
				}
				all = append(all, c)
			}
		}
		slices.SortStableFunc(all, func(a, b diffusion.Candidate) int { return cmp.Compare(b.LogProb, a.LogProb) })
		for _, c := range all {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// shortBeams is the largest length that is preferred in the first pass of beam searches. Lengths
// from 3 to shortBeams that are below the likeliest length get two chunks, since short beams cost
// little. A short law is often a special case of a longer one that the network saw more often. For
// example x + y is x + c·y with c = 1. On held-out laws of at most 5 tokens this raises recovery
// from 76 to 86 %, with no loss for longer laws (`physlib bench candidates`).
const shortBeams = 6

// plan returns the lengths of the chunks of a pass, likeliest first. Chunks are distributed by the
// probabilities to the power 0.7, so that improbable lengths are tried too. The power decreases
// from pass to pass.
func (s *System) plan(logits []float32, pass int) []int {
	samples := s.net.Refine.Samples
	if s.net.Refine.Strategy == "beam" {
		samples = max(samples, s.net.Refine.Beams)
	}
	chunks := max(1, samples/chunk)
	if logits == nil {
		return slices.Repeat([]int{s.net.Seq}, chunks)
	}
	sharp := 0.7 / float64(1+pass)
	share := make([]float64, len(logits))
	top, sum := float64(slices.Max(logits)), 0.0
	for i, l := range logits {
		share[i] = math.Exp(sharp * (float64(l) - top))
		sum += share[i]
	}
	var lengths []int
	take := func(i int) {
		share[i] -= sum / float64(chunks)
		lengths = append(lengths, i+1)
	}
	if s.net.Refine.Strategy == "beam" && pass == 0 {
		likeliest := slices.Index(logits, slices.Max(logits))
		for i := 2; i < min(likeliest, shortBeams) && len(lengths)+2 < chunks; i++ {
			take(i)
			take(i)
		}
	}
	// The next chunk goes to the length with the largest remaining share.
	for len(lengths) < chunks {
		best := 0
		for i := range share {
			if share[i] > share[best] {
				best = i
			}
		}
		take(best)
	}
	slices.SortStableFunc(lengths, func(a, b int) int { return cmp.Compare(logits[b-1], logits[a-1]) })
	return lengths
}

// tokens returns the tokens that may occur in an expression in the given number of columns.
func (s *System) tokens(columns int) diffusion.Tokens {
	v := s.net.vocab
	t := diffusion.NewTokens(v, v.Columns(columns))
	if s.net.Lengths == "pad" {
		t.Allowed[v.SOS()], t.Allowed[v.EOS()], t.Allowed[v.Pad()] = true, true, true
		t.Grammar = v.Framed(v.Columns(columns))
	}
	return t
}

// Denoise implements diffusion.Denoiser for a Sampler or a Beam. It pads sequences to the length of
// their bucket, and batches to fixed sizes. So only few shapes are compiled.
func (m *memory) Denoise(ctx context.Context, in diffusion.Input, logits []float32) error {
	if in.Lengths != nil {
		return m.denoiseLengths(ctx, in, logits)
	}
	for first := 0; first < in.N; {
		size := m.s.net.batchSize(in.N - first)
		n := min(size, in.N-first)
		part := in
		part.N, part.IDs = n, in.IDs[first*in.Seq:(first+n)*in.Seq]
		perRow := in.Seq * m.s.net.vocab.Size()
		if in.Soft() {
			part.Weights, part.MaskAmount = in.Weights[first*perRow:(first+n)*perRow], in.MaskAmount[first*in.Seq:(first+n)*in.Seq]
		}
		if err := m.denoise(part, size, logits[first*perRow:(first+n)*perRow]); err != nil {
			return err
		}
		first += n
	}
	return nil
}

// denoiseLengths implements Denoise for sequences of several lengths, without Weights. Sequences of
// the same bucket are computed together.
func (m *memory) denoiseLengths(ctx context.Context, in diffusion.Input, logits []float32) error {
	rows := map[int][]int{} // indices of the sequences of each bucket
	for i, length := range in.Lengths {
		seq := m.s.net.padded(int(length))
		rows[seq] = append(rows[seq], i)
	}
	vocab := m.s.net.vocab.Size()
	for _, seq := range slices.Sorted(maps.Keys(rows)) {
		for all := rows[seq]; len(all) > 0; {
			if err := ctx.Err(); err != nil {
				return err
			}
			size := m.s.net.batchSize(len(all))
			some := all[:min(size, len(all))]
			all = all[len(some):]
			ids, lengths := slices.Repeat([]int32{m.s.net.vocab.Pad()}, size*seq), slices.Repeat([]int32{1}, size)
			for k, i := range some {
				lengths[k] = in.Lengths[i]
				copy(ids[k*seq:], in.IDs[i*in.Seq:][:lengths[k]])
			}
			answers := make([]float32, size*seq*vocab)
			if err := m.call(m.s.denoise, ids, size, seq, lengths, answers); err != nil {
				return err
			}
			for k, i := range some {
				copy(logits[i*in.Seq*vocab:][:int(lengths[k])*vocab], answers[k*seq*vocab:])
			}
		}
	}
	return nil
}

// batchSize returns the compiled batch size for the given number of sequences. If it is smaller
// than that number, the sequences are computed in several calls. A refinement computes whole
// chunks. A beam search has beamBatch sequences per call, since their number varies.
func (n *network) batchSize(rows int) int {
	if n.Refine.Strategy == "beam" {
		return beamBatch
	}
	return (rows + chunk - 1) / chunk * chunk
}

// beamBatch is the number of sequences per call in a beam search.
const beamBatch = 32

// denoise computes the logits of at most n sequences, padded to n.
func (m *memory) denoise(in diffusion.Input, n int, logits []float32) error {
	net := m.s.net
	vocab := net.vocab.Size()
	seq := net.padded(in.Seq)
	lengths := slices.Repeat([]int32{int32(in.Seq)}, n)
	all := make([]float32, n*seq*vocab)
	var err error
	ids := slices.Repeat([]int32{net.vocab.Pad()}, n*seq)
	for i := range in.N {
		copy(ids[i*seq:], in.IDs[i*in.Seq:(i+1)*in.Seq])
	}
	switch {
	case net.Decoder.Kind == decoder.Shared && net.Refine.Strategy == "parr":
		err = m.hold(in.Step, in.Steps, ids, n, seq, lengths, all)
	case in.Soft():
		weights := make([]float32, n*seq*vocab)
		for i := range in.N {
			for j := range in.Seq {
				to := weights[(i*seq+j)*vocab:][:vocab]
				copy(to, in.Weights[(i*in.Seq+j)*vocab:][:vocab])
				to[net.vocab.Mask()] += in.MaskAmount[i*in.Seq+j]
			}
		}
		err = m.call(m.s.soft, weights, n, seq, lengths, all)
	default:
		err = m.call(m.s.denoise, ids, n, seq, lengths, all)
	}
	for i := range in.N {
		copy(logits[i*in.Seq*vocab:(i+1)*in.Seq*vocab], all[i*seq*vocab:])
	}
	return err
}
