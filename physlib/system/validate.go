package system

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/diffusion"
)

// heldOutTables is the approximate number of held-out laws in Validate.
const heldOutTables = 512

// validator holds what Validate keeps between calls.
type validator struct {
	store *model.Store
	exec  *model.Exec
	alone []heldOut // batches without earlier candidates, as at the beginning of refinement
	// guided are batches of the same laws, each with an earlier candidate. There are none if the
	// decoder takes no earlier candidates.
	guided []heldOut

	recovery *recovery // nil unless JudgeRecovery requests it
}

// heldOut is a batch of held-out laws.
type heldOut struct {
	data  []*tensors.Tensor
	share float64 // share of this batch in the tokens of all batches
}

// Validate returns the losses on laws that are held out from training, with the same corruption
// each time. They are the mean cross-entropy of a masked token in nats, and the other parts of the
// loss.
//
// The losses are comparable between systems. They count masked tokens only. The share of masked
// tokens is drawn from U(0, 1) for each law, whatever it is in training. Earlier candidates (PARR)
// are not given, since they may be nearly the law. guided_loss is the loss with candidates made as
// in training. It measures how much the candidates reveal, not recovery.
//
// Systems with different vocabularies express the same laws in different tokens. So their losses
// are only roughly comparable. Recovery is comparable, see JudgeRecovery.
func (t *Task) Validate(ctx context.Context, backend compute.Backend, store *model.Store) (map[string]float64, error) {
	if t.judge == nil || t.judge.store != store {
		v, err := t.newValidator(backend, store)
		if err != nil {
			return nil, err
		}
		t.judge = v
	}
	names := t.Metrics()
	alone, err := t.judge.mean(ctx, t.judge.alone, len(names))
	if err != nil {
		return nil, err
	}
	result := map[string]float64{"loss": alone[0]}
	for k, name := range names {
		result[name] = alone[k]
	}
	if t.judge.recovery != nil {
		if result["recovery"], err = t.judge.recovery.share(ctx); err != nil {
			return nil, err
		}
	}
	if len(t.judge.guided) == 0 {
		return result, nil
	}
	guided, err := t.judge.mean(ctx, t.judge.guided, len(names))
	if err != nil {
		return nil, err
	}
	result["guided_loss"] = guided[0]
	// Without earlier candidates there is no verification loss.
	if k := slices.Index(names, "verify_loss"); k >= 0 {
		result["verify_loss"] = guided[k]
	}
	return result, nil
}

// mean returns the means of the n parts of the loss.
func (v *validator) mean(ctx context.Context, batches []heldOut, n int) ([]float64, error) {
	sums := make([]float64, n)
	for _, batch := range batches {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, err := v.exec.Call(anys(batch.data)...)
		if err != nil {
			return nil, err
		}
		for k, o := range out {
			sums[k] += batch.share * float64(tensors.ToScalar[float32](o))
			o.FinalizeAll()
		}
	}
	return sums, nil
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
	v := &validator{store: store, alone: t.net.forValidation(0).heldOut(block)}
	if t.net.Decoder.Feedback > 0 {
		v.guided = t.net.forValidation(1).heldOut(block)
	}
	v.exec, err = model.NewExec(backend, store, func(s *model.Scope, batch []*Node) []*Node {
		_, parts := t.net.loss(s, batch)
		return parts
	})
	if err == nil && t.recovered > 0 {
		v.recovery, err = t.newRecovery(backend, store)
	}
	return v, err
}

// forValidation returns n for validation batches. feedback is the share of examples with an earlier
// candidate. The result does not use the oracle's tree positions, and draws the share of masked
// tokens from U(0, 1).
func (n *network) forValidation(feedback float64) *network {
	j := *n
	j.Decoder.Oracle, j.corruption, j.feedback = false, diffusion.Corruption{}, feedback
	return &j
}

// heldOut returns the first batches of a block, with about heldOutTables laws in total.
func (n *network) heldOut(b *block) (all []heldOut) {
	rng := rand.New(rand.NewPCG(1, 2))
	tables, total := 0, 0.0
	for _, plan := range b.batches {
		if tables >= heldOutTables {
			break
		}
		h := heldOut{data: n.batch(plan.problems, plan.ids, n.Corpus.Buckets[plan.bucket].Seq, rng)}
		for _, ids := range plan.ids {
			h.share += float64(len(ids))
		}
		tables += len(plan.problems)
		total += h.share
		all = append(all, h)
	}
	for i := range all {
		all[i].share /= total
	}
	return all
}

// HeldOut validates the weights of s as Task.Validate does.
func (s *System) HeldOut(ctx context.Context) (map[string]float64, error) {
	t, err := NewTask(&s.net.Config, 1)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if t.judge != nil {
			t.judge.free()
		}
	}()
	return t.Validate(ctx, s.backend, s.store)
}

func (v *validator) free() {
	for _, batch := range slices.Concat(v.alone, v.guided) {
		free(anys(batch.data)...)
	}
	v.exec.Finalize()
	if v.recovery != nil {
		v.recovery.free()
	}
}
