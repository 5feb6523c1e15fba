package gpu

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/system"
)

// parity holds differences between bfloat16 and float32, for the first batch of seed 1 with equal
// weights and without dropout.
type parity struct {
	Loss float64 `json:"loss"` // |a/b - 1| for the losses a in bfloat16 and b in float32
	// Logits is the RMS of the differences of logits. It is relative to the RMS of the logits about
	// their mean at each position.
	Logits float64 `json:"logits"`
	Worst  float64 `json:"logits_most"` // largest difference of logits, relative to the same RMS
	// Same is the share of positions at which both precisions give the same token the highest
	// logit.
	Same float64 `json:"same_token"`
}

// precisions runs the task in both precisions and compares the results.
func precisions(b compute.Backend, task *system.Task) (p parity, err error) {
	batch, err := task.Batch(0)
	if err != nil {
		return p, err
	}
	store := model.NewStore()
	defer store.Finalize()
	store.SetParam(nn.ParamSeed, int64(1))
	var loss [2]float64
	var logits [2][]float32
	var vocab int
	for i, compute := range []string{"", "bfloat16"} {
		store.SetParam(nn.ParamCompute, compute)
		e, err := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node {
			if i > 0 {
				s = s.ResetVisited()
			}
			loss, logits := task.LossAndLogits(s, in)
			return []*Node{loss, logits}
		})
		if err != nil {
			return p, err
		}
		defer e.Finalize()
		var args []any
		for _, t := range batch {
			args = append(args, t)
		}
		out, err := e.Call(args...)
		if err != nil {
			return p, err
		}
		l, err := tensors.CopyFlatData[float32](out[0])
		if err == nil {
			logits[i], err = tensors.CopyFlatData[float32](out[1])
		}
		vocab = out[1].Shape().Dim(-1)
		drop(out, nil)
		if err != nil {
			return p, err
		}
		loss[i] = float64(l[0])
	}
	for _, t := range batch {
		t.FinalizeAll()
	}
	p.Logits, p.Worst, p.Same = apart(logits[0], logits[1], vocab)
	p.Loss = math.Abs(loss[1]/loss[0] - 1)
	if sum := p.Loss + p.Logits + p.Worst; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return p, fmt.Errorf("task %s: logits are not finite, losses %g in float32 and %g in bfloat16", task.Name(), loss[0], loss[1])
	}
	return p, nil
}

// apart compares the logits y with x, both [positions, vocab]. It returns the numbers Logits, Worst
// and Same of parity. It first subtracts the mean at each position, since the mean does not affect
// the probabilities.
func apart(x, y []float32, vocab int) (rms, most, same float64) {
	var spread, sum float64
	var equal, places int
	mean := func(v []float32) (m float64) {
		for _, a := range v {
			m += float64(a) / float64(len(v))
		}
		return m
	}
	for len(x) >= vocab && len(y) >= vocab && vocab > 0 {
		a, b := x[:vocab], y[:vocab]
		x, y = x[vocab:], y[vocab:]
		ma, mb := mean(a), mean(b)
		for i := range a {
			da, db := float64(a[i])-ma, float64(b[i])-mb
			spread += da * da
			sum += (da - db) * (da - db)
			most = max(most, math.Abs(da-db))
		}
		places++
		if slices.Index(a, slices.Max(a)) == slices.Index(b, slices.Max(b)) {
			equal++
		}
	}
	n := float64(places * vocab)
	scale := math.Sqrt(spread / n)
	return math.Sqrt(sum/n) / scale, most / scale, float64(equal) / float64(places)
}
