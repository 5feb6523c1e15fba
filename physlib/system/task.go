package system

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/encoder/features"
)

// Task trains a system on its corpus. It implements train.Task.
type Task struct {
	net    *network
	seed   uint64
	stream *stream.Stream

	mu     sync.Mutex
	blocks map[int64]*block // the last two blocks

	judge     *validator // created at the first call of Validate
	recovered int        // number of laws for JudgeRecovery
}

// NewTask returns a task that trains the system c on the part of its corpus determined by seed.
func NewTask(c *Config, seed int64) (*Task, error) {
	net, err := newNetwork(c)
	if err != nil {
		return nil, err
	}
	st, err := c.stream(false)
	if err != nil {
		return nil, err
	}
	return &Task{net: net, seed: uint64(seed), stream: st, blocks: map[int64]*block{}}, nil
}

// Name returns the name of the preset.
func (t *Task) Name() string { return t.net.Name }

// Config returns the configuration and the seed. A training run can only be resumed if both are the
// same. Settings of decoding and of the length of the training are left out.
func (t *Task) Config() any {
	c := t.net.Config
	c.About, c.Refine, c.Train = "", RefineConfig{}, TrainConfig{DimLoss: c.Train.DimLoss, Length: c.Train.Length}
	return struct {
		Config
		Seed uint64 `json:"seed"`
	}{c, t.seed}
}

// Metrics returns the names of the parts of the loss.
func (t *Task) Metrics() []string { return t.net.metrics() }

// Loss returns the masked-diffusion loss (PhysDiffuse §2) of a batch plus the losses of the
// preset's other heads. It also returns each of these losses.
func (t *Task) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) { return t.net.loss(s, batch) }

// LossAndLogits returns the loss of a batch and the logits of its tokens in float32, [sequences,
// seq, vocab].
func (t *Task) LossAndLogits(s *model.Scope, batch []*Node) (loss, logits *Node) {
	loss, _, logits = t.net.lossOf(s, batch)
	return loss, ConvertDType(logits, dtypes.Float32)
}

// MuonWeights reports whether a weight is a matrix between layers. Embeddings, and matrices that
// read features or produce logits, do not count.
func (t *Task) MuonWeights(path string, shape shapes.Shape) bool {
	return shape.Rank() == 2 && strings.HasSuffix(path, "/w") && !slices.ContainsFunc([]string{"/rows_in/", "/cols_in/", "/head/", "/length/", "/feedback/r2/", "/verify/out/"},
		func(s string) bool { return strings.Contains(path, s) })
}

// Tokens returns the mean number of target tokens of a batch, including padding.
func (t *Task) Tokens() int {
	sum, batches := 0, 0
	for _, b := range t.net.Corpus.Buckets {
		sum += b.Batches * b.Tables * b.Seq * t.net.Corpus.Masks
		batches += b.Batches
	}
	return sum / batches
}

// block is a part of the stream, divided into batches by length.
type block struct {
	batches []batchPlan
}

// batchPlan holds the problems of a batch and the tokens of their laws.
type batchPlan struct {
	bucket   int
	problems []stream.Problem
	ids      [][]int32
}

// Batch returns the tensors of a step, in the following order:
//
//	rows, row mask, columns, column mask
//	with an encoder of numbers, their tokens and values
//	masked ids, ids, weights, lengths
//	with tree positions, the positions
//	with feedback, the earlier candidates and their R²
//	with a dimensional loss, the children, powers, units and known units
func (t *Task) Batch(step int64) ([]*tensors.Tensor, error) {
	per := int64(0)
	for _, b := range t.net.Corpus.Buckets {
		per += int64(b.Batches)
	}
	b, err := t.block(step / per)
	if err != nil {
		return nil, err
	}
	plan := &b.batches[step%per]
	return t.net.batch(plan.problems, plan.ids, t.net.Corpus.Buckets[plan.bucket].Seq, rand.New(rand.NewPCG(t.seed, uint64(step)))), nil
}

// block returns block number n. It makes the block unless it is one of the last two that it made.
func (t *Task) block(n int64) (*block, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.blocks[n]; b != nil {
		return b, nil
	}
	b, err := t.makeBlock(n)
	if err != nil {
		return nil, err
	}
	for old := range t.blocks {
		if old < n-1 {
			delete(t.blocks, old)
		}
	}
	t.blocks[n] = b
	return b, nil
}

// makeBlock draws problems until each bucket of block n is full, and shuffles the batches.
func (t *Task) makeBlock(n int64) (*block, error) {
	buckets := t.net.Corpus.Buckets
	full := make([]*batchPlan, 0, 64)
	open := make([]batchPlan, len(buckets))
	left := make([]int, len(buckets))
	missing := 0
	for i, b := range buckets {
		left[i], open[i] = b.Batches, batchPlan{bucket: i}
		missing += b.Batches
	}
	const most = 1 << 20
	for i := uint64(0); missing > 0; i++ {
		if i == most {
			return nil, fmt.Errorf("preset %s: %d problems of the stream do not fill corpus.buckets; make those with seq %d smaller", t.net.Name, most, buckets[slices.IndexFunc(left, func(n int) bool { return n > 0 })].Seq)
		}
		p := t.stream.Problem(t.seed, uint64(n)*most+i)
		ids, err := t.net.encodeTarget(p.Law)
		if err != nil {
			continue // the vocabulary cannot express the law
		}
		k := slices.IndexFunc(buckets, func(b Bucket) bool { return len(ids) <= b.Seq })
		if k < 0 || left[k] == 0 {
			continue
		}
		open[k].problems, open[k].ids = append(open[k].problems, p), append(open[k].ids, ids)
		if len(open[k].ids) == buckets[k].Tables {
			done := open[k]
			full = append(full, &done)
			open[k] = batchPlan{bucket: k}
			left[k]--
			missing--
		}
	}
	b := &block{}
	rng := rand.New(rand.NewPCG(t.seed, ^uint64(n)))
	for _, i := range rng.Perm(len(full)) {
		b.batches = append(b.batches, *full[i])
	}
	return b, nil
}

// batch returns the tensors of a step for problems and their tokens.
func (n *network) batch(problems []stream.Problem, ids [][]int32, seq int, rng *rand.Rand) []*tensors.Tensor {
	shape, tables, masks := n.shape(), len(problems), n.Corpus.Masks
	in := n.newInputs(tables)
	dims, places := n.newDimensional(tables*masks, seq), n.newPlaces(tables*masks, seq)
	before := n.newPrior(tables*masks, seq)
	hidden, target := make([]int32, tables*masks*seq), make([]int32, tables*masks*seq)
	weights, lengths := make([]float32, tables*masks*seq), make([]int32, tables*masks)
	for i, p := range problems {
		seen := n.observe(p, rng)
		in.put(n, i, seen)
		for m := range masks {
			r := i*masks + m
			row := target[r*seq : (r+1)*seq]
			k := copy(row, ids[i])
			for j := k; j < seq; j++ {
				row[j] = n.vocab.Pad()
			}
			lengths[r] = int32(k)
			pad := n.vocab.Pad()
			if n.Lengths == "pad" {
				pad = -1 // padding tokens are targets too
				lengths[r] = int32(seq)
			}
			dims.set(n, r, row, &p)
			n.corruption.MaskTokens(rng, row, n.vocab.Mask(), pad, hidden[r*seq:(r+1)*seq], weights[r*seq:(r+1)*seq])
			visible := hidden
			if n.Decoder.Oracle {
				visible = target
			}
			before.draw(n, r, row[:k], &p, seen, rng)
			places.put(n, r, visible[r*seq:(r+1)*seq], int(lengths[r]))
		}
	}
	all := append(in.tensors(shape),
		tensors.FromFlatDataAndDimensions(hidden, tables*masks, seq), tensors.FromFlatDataAndDimensions(target, tables*masks, seq),
		tensors.FromFlatDataAndDimensions(weights, tables*masks, seq), tensors.FromFlatDataAndDimensions(lengths, tables*masks))
	all = append(append(all, places.tensors()...), before.tensors()...)
	if n.Train.DimLoss > 0 {
		all = append(all, dims.tensors()...)
	}
	return all
}

// observe returns the visible part of p, sometimes with few rows only or without units.
func (n *network) observe(p stream.Problem, rng *rand.Rand) *features.Table {
	fewRows, hide := rng.Float64() < n.Corpus.FewRows, rng.Float64() < n.Corpus.HideUnits
	t := &features.Table{X: p.X, Y: p.Y, Dims: p.Dims, Target: p.Target, Units: p.Units && !hide && !n.Encoder.NoUnits}
	if fewRows && len(p.Y) > 10 {
		keep := 10 + rng.IntN(len(p.Y)-10)
		t.Y = p.Y[:keep]
		t.X = make([][]float64, len(p.X))
		for i, x := range p.X {
			t.X[i] = x[:keep]
		}
	}
	return t
}
