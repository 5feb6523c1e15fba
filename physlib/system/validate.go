package system

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// heldOutTables is about how many held-out laws Validate judges weights by.
const heldOutTables = 512

// validator is what Validate keeps between calls.
type validator struct {
	store *model.Store
	exec  *model.Exec
	data  [][]*tensors.Tensor
	share []float64 // of the tokens, by batch
}

// Validate is the loss on laws that are held out from training, with the same corruption each time: the mean cross-entropy
// of a hidden token in nats, and that of the length.
func (t *Task) Validate(ctx context.Context, backend compute.Backend, store *model.Store) (map[string]float64, error) {
	if t.judge == nil || t.judge.store != store {
		v, err := t.newValidator(backend, store)
		if err != nil {
			return nil, err
		}
		t.judge = v
	}
	names := t.Metrics()
	sums := make([]float64, len(names))
	for i, batch := range t.judge.data {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		args := make([]any, len(batch))
		for j, b := range batch {
			args[j] = b
		}
		out, err := t.judge.exec.Call(args...)
		if err != nil {
			return nil, err
		}
		for k, o := range out {
			sums[k] += t.judge.share[i] * float64(tensors.ToScalar[float32](o))
			o.FinalizeAll()
		}
	}
	result := map[string]float64{"loss": sums[0]}
	for k, name := range names {
		result[name] = sums[k]
	}
	return result, nil
}

func (t *Task) newValidator(backend compute.Backend, store *model.Store) (*validator, error) {
	held, err := NewTask(&t.net.Config, 1)
	if err != nil {
		return nil, err
	}
	if held.stream, err = t.net.stream(true); err != nil {
		return nil, err
	}
	block, err := held.makeBlock(0)
	if err != nil {
		return nil, err
	}
	v := &validator{store: store}
	honest := *t.net // what an oracle learned from, nobody has who is judged
	honest.Decoder.Oracle = false
	rng := rand.New(rand.NewPCG(1, 2))
	tables, total := 0, 0.0
	for _, plan := range block.batches {
		if tables >= heldOutTables {
			break
		}
		seq := t.net.Corpus.Buckets[plan.bucket].Seq
		v.data = append(v.data, honest.batch(plan.problems, plan.ids, seq, rng))
		tokens := 0.0
		for _, ids := range plan.ids {
			tokens += float64(len(ids))
		}
		v.share = append(v.share, tokens)
		tables += len(plan.problems)
		total += tokens
	}
	for i := range v.share {
		v.share[i] /= total
	}
	v.exec, err = model.NewExec(backend, store, func(s *model.Scope, batch []*Node) []*Node {
		_, parts := t.net.loss(s, batch)
		return parts
	})
	return v, err
}
