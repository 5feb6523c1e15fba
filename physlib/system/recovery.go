package system

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/corpus/stream"
)

// judgedCandidates is the number of candidates per law in JudgeRecovery.
const judgedCandidates = 32

// JudgeRecovery makes Validate decode the given number of held-out laws, no two of which have the
// same form. The metric recovery is the share of laws whose true form is among 32 candidates, from
// one pass of the preset's own strategy. If the preset is for short laws, there may be fewer
// held-out forms. If laws is 0, the default, Validate does not decode.
//
// Each law takes as long as some dozens of refinements. At full size without a GPU this takes
// longer than the training.
func (t *Task) JudgeRecovery(laws int) { t.recovered = laws }

// recovery holds a system and the laws that Validate decodes.
type recovery struct {
	system *System
	laws   []stream.Problem
}

func (t *Task) newRecovery(backend compute.Backend, store *model.Store) (*recovery, error) {
	c := t.net.Config
	c.Decoder.Oracle = false
	c.Refine.Samples, c.Refine.Beams, c.Refine.Passes = judgedCandidates, judgedCandidates, 1
	s, err := open(backend, &c, store)
	if err != nil {
		return nil, err
	}
	held, err := t.net.stream(true)
	if err != nil {
		return nil, err
	}
	r := &recovery{system: s}
	seen := map[string]bool{}
	// Largest number of problems of the stream that are tried. It is large, since few of the
	// shortest forms are held out.
	const most = 1 << 14
	for i := uint64(0); len(r.laws) < t.recovered && i < most; i++ {
		p := held.Problem(1, i)
		if ids, err := t.net.encodeTarget(p.Law); err != nil || len(ids) > t.net.Seq {
			continue
		}
		if form := stream.Form(p.Law); !seen[form] {
			seen[form] = true
			r.laws = append(r.laws, p)
		}
	}
	if len(r.laws) == 0 {
		return nil, fmt.Errorf("preset %s: the stream has no held-out law that it can write, so recovery cannot be measured", t.net.Name)
	}
	return r, nil
}

// share returns the fraction of the laws whose form is among the candidates.
func (r *recovery) share(ctx context.Context) (float64, error) {
	found := 0
	for i, p := range r.laws {
		problem := p.Posed()
		problem.Seed = int64(i)
		truth, n := stream.Form(p.Law), 0
		for law, err := range r.system.Propose(ctx, problem) {
			if err != nil {
				return 0, err
			}
			skel, _, ok := stream.Skeleton(law)
			if ok && stream.Form(skel) == truth {
				found++
				break
			}
			if n++; n == judgedCandidates {
				break
			}
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return float64(found) / float64(len(r.laws)), nil
}

// free frees the programs but not the weights, which belong to the trainer.
func (r *recovery) free() {
	for _, e := range r.system.execs() {
		e.Finalize()
	}
}
