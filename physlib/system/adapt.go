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
	"strings"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/nn"
)

// Tunable is a system with a copy of the weights and low-rank adapters (nn.Linear, LoRA), which
// package adapt trains (PhysDiffuse §8, PhysMDT §6, PARR §4.1, ARChitects §4). The original system
// is not affected. A Tunable proposes laws like any System.
type Tunable struct{ *System }

// Tunable copies s and adds the adapters described by a. They have no effect until they are
// trained.
func (s *System) Tunable(a AdaptConfig) (t Tunable, err error) {
	if a.Rank <= 0 {
		return t, fmt.Errorf("%s: adapters of rank %d; give adapt.rank, 8 for instance", s.net.Name, a.Rank)
	}
	if err := a.Check(); err != nil {
		return t, err
	}
	s.mu.Lock()
	store, err := s.store.Clone()
	s.mu.Unlock()
	if err != nil {
		return t, fmt.Errorf("%s: copying the weights: %w", s.net.Name, err)
	}
	scope := store.RootScope()
	if a.Part != "" {
		scope = store.Scope("/" + a.Part)
	}
	scope.SetParam(nn.ParamLoRARank, a.Rank)
	scope.SetParam(nn.ParamLoRAAlpha, a.Alpha)
	scope.SetParam(nn.ParamLoRATargets, strings.Join(a.Targets, ","))

	c := s.net.Config
	c.Adapt = a
	// Each example is one law with all rows and units, masked once. The dimensional loss is not
	// used.
	c.Corpus.Masks, c.Corpus.FewRows, c.Corpus.HideUnits, c.Train.DimLoss = 1, 0, 0, 0
	sys, err := open(s.backend, &c, store)
	if err != nil {
		return t, err
	}
	sys.net.corruption = diffusion.Corruption{Min: a.MaskMin, Max: cmp.Or(a.MaskMax, 1)}
	t = Tunable{sys}
	if err := sys.makeVariables(); err != nil {
		return t, err
	}
	if len(t.Adapters()) == 0 {
		return t, fmt.Errorf("%s: no layer is called %s in %s; leave adapt.targets out to adapt every linear layer", s.net.Name,
			strings.Join(a.Targets, " or "), cmp.Or(a.Part, "the network"))
	}
	return t, nil
}

// makeVariables creates all variables, including adapters, by building the graph without compiling
// it.
func (s *System) makeVariables() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", s.net.Name, r)
		}
	}()
	g := NewGraph(s.backend, "variables")
	defer g.Finalize()
	var in []*Node
	for i, x := range s.net.newInputs(1).tensors(s.net.shape()) {
		in = append(in, Parameter(g, fmt.Sprint("in", i), x.Shape()))
		x.FinalizeAll()
	}
	s.net.variables(s.store.RootScope(), in)
	return nil
}

// Adapters returns the variables of the adapters, sorted by path. Paths end in /lora/a and /lora/b.
func (t Tunable) Adapters() []*model.Variable {
	all := map[string]*model.Variable{}
	for v := range t.store.IterVariables() {
		if strings.HasSuffix(v.Path(), "/lora/a") || strings.HasSuffix(v.Path(), "/lora/b") {
			all[v.Path()] = v
		}
	}
	var list []*model.Variable
	for _, path := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[path])
	}
	return list
}

// Store returns the store of the weights and adapters.
func (t Tunable) Store() *model.Store { return t.store }

// Backend returns the backend of t.
func (t Tunable) Backend() compute.Backend { return t.backend }

// Table returns the network's input for p, and the indices in p.Vars of its columns. It is an error
// if there are more columns than the network can read. It is also an error if there is no column,
// since there is nothing to adapt to.
func (t Tunable) Table(p *dataset.Problem) (table *features.Table, columns []int, err error) {
	table, columns = observed(p)
	if n := len(columns); n > t.net.Encoder.Cols {
		return nil, nil, fmt.Errorf("%s takes tables of at most %d variables, this one has %d: left to the other proposers", t.net.Name, t.net.Encoder.Cols, n)
	}
	table.Units = table.Units && !t.net.Encoder.NoUnits
	return table, columns, nil
}

// Law decodes the tokens of a candidate. The result is a law in the given columns, with a free
// factor.
func (t Tunable) Law(ids []int32, columns []int) (law expr.Tree, ok bool) {
	law, err := t.net.vocab.Decode(ids)
	if err != nil {
		return law, false
	}
	return scaled(law, columns)
}

// Tokens returns the tokens of a law in the form of stream.Skeleton. ok is false if there are more
// tokens than the network can read.
func (t Tunable) Tokens(law expr.Tree) (ids []int32, ok bool) {
	ids, err := t.net.encodeTarget(law)
	return ids, err == nil
}

// Bucket returns the padded length for a sequence of n tokens. There is one compiled step per
// length.
func (t Tunable) Bucket(n int) int {
	for _, b := range t.net.Corpus.Buckets {
		if n <= b.Seq {
			return b.Seq
		}
	}
	return t.net.Seq
}

// Batch returns the tensors of a step for tables and the tokens of their laws. Tokens are masked at
// random, and sequences are padded to length seq.
func (t Tunable) Batch(tables []stream.Problem, ids [][]int32, seq int, rng *rand.Rand) []*tensors.Tensor {
	return t.net.batch(tables, ids, seq, rng)
}

// Loss returns the loss of a batch, as in training but without the dimensional loss.
func (t Tunable) Loss(s *model.Scope, batch []*Node) *Node {
	l, _ := t.net.loss(s, batch)
	return l
}

// Samples returns the number of candidates in a pass of Propose.
func (t Tunable) Samples() int { return t.net.Refine.Samples }

// Corpus returns the stream of laws on which the system was trained, or of laws held out from it.
func (t Tunable) Corpus(heldOut bool) (*stream.Stream, error) { return t.net.stream(heldOut) }

// Draw is a candidate law, drawn for the table with index Table.
type Draw struct {
	Table int
	IDs   []int32
}

// Draw makes one pass, and yields about n candidates for one table. If there are several tables
// with equally many columns, it yields one candidate for each. All tables of a call must have the
// same law, since the lengths of the candidates are chosen for all of them together.
//
// steps is the number of refinement steps for each candidate. If it is 0, decoding follows the
// preset, with one exception: only a single table is decoded by a beam search.
//
// pass is the number of the pass, counted from 0 (see Propose). Later passes try more of the less
// probable lengths.
func (t Tunable) Draw(ctx context.Context, tables []*features.Table, n, steps, pass int, seed uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		t.mu.Lock()
		defer t.mu.Unlock()
		width := 1
		if len(tables) > 1 {
			width, n = chunk, chunk
		}
		defer func(n int) { t.net.Refine.Samples = n }(t.net.Refine.Samples)
		t.net.Refine.Samples = n
		for first := 0; first < len(tables); first += width {
			for d, err := range t.draw(ctx, tables[first:min(first+width, len(tables))], width, steps, pass, seed+uint64(first)<<40) {
				d.Table += first
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

// draw implements Draw for at most width tables.
func (t Tunable) draw(ctx context.Context, tables []*features.Table, width, steps, pass int, seed uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		in := t.net.newInputs(width)
		for i := range width { // the rest of the batch repeats tables
			in.put(t.net, i, tables[i%len(tables)])
		}
		m, err := t.remember(in)
		if err != nil {
			yield(Draw{}, fmt.Errorf("%s: %w", t.net.Name, err))
			return
		}
		defer m.free()
		m.length = meanLogits(m.length, width)
		tokens := t.tokens(len(tables[0].X))
		found := m.refine(ctx, tokens, pass, seed)
		switch {
		case width > 1 || steps > 0:
			found = t.refineEach(ctx, m, tokens, steps, pass, seed)
		case t.net.Refine.Strategy == "beam":
			found = m.beam(ctx, tokens, pass, seed)
		default:
			m.table = tables[0]
		}
		for c, err := range found {
			table := c.Sample * width / chunk
			if width == 1 {
				table = 0
			}
			if err == nil && table >= len(tables) {
				continue
			}
			if !yield(Draw{table, c.IDs}, err) || err != nil {
				return
			}
		}
	}
}

// refineEach samples candidates in one round with the given number of steps. If steps is 0, rounds
// and steps follow the preset. Each sample may have a table of its own.
func (t Tunable) refineEach(ctx context.Context, m *memory, tokens diffusion.Tokens, steps, pass int, seed uint64) iter.Seq2[diffusion.Candidate, error] {
	return func(yield func(diffusion.Candidate, error) bool) {
		sampler := t.sampler(tokens)
		if steps > 0 {
			sampler.Steps, sampler.Rounds = steps, 1
		}
		for i, seq := range t.plan(m.length, pass) {
			for c, err := range sampler.Refine(ctx, m, diffusion.Batch{N: chunk, Seq: seq, Seed: seed + uint64(i)<<16}) {
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

// meanLogits returns the logarithm of the mean of n distributions, whose logits are concatenated in
// logits.
func meanLogits(logits []float32, n int) []float32 {
	if n <= 1 || logits == nil {
		return logits
	}
	mean := make([]float64, len(logits)/n)
	for i := range n {
		l := part(logits, i, n)
		top, sum := slices.Max(l), 0.0
		for _, x := range l {
			sum += math.Exp(float64(x - top))
		}
		for k, x := range l {
			mean[k] += math.Exp(float64(x-top)) / sum / float64(n)
		}
	}
	out := make([]float32, len(mean))
	for k, p := range mean {
		out[k] = float32(math.Log(p + 1e-30))
	}
	return out
}

// Untrained returns the system c with its initial weights, for tests and as a baseline.
func Untrained(b compute.Backend, c *Config, seed int64) (*System, error) {
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, seed)
	s, err := open(b, c, store)
	if err != nil {
		return nil, err
	}
	if err := s.makeVariables(); err != nil {
		return nil, err
	}
	return s, store.InitializeVariables(b, nil)
}
