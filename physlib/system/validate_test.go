package system

import (
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/expr"
)

// The held-out loss masks the same tokens in all systems with the same vocabulary. The share of
// tokens that is masked in training has no influence on it. The network gets no earlier candidate,
// except for guided_loss, where it gets one for each law.
func TestHeldOutCountsTheSame(t *testing.T) {
	batches := func(name string) ([]heldOut, *Task) {
		c := shrunk(t, name)
		if name == "parr-small" {
			c.Corpus.MaskMin = 0.5
		}
		task := must(NewTask(c, 1))
		return task.net.forValidation(0).heldOut(must(task.makeBlock(0))), task
	}
	plain, _ := batches("physdiffuse-small")
	parr, task := batches("parr-small")
	hidden := func(batch heldOut, first int) []int32 { return tensors.MustCopyFlatData[int32](batch.data[first]) }
	if !slices.Equal(hidden(plain[0], 4), hidden(parr[0], 6)) {
		t.Error("parr-small is judged with other tokens hidden than physdiffuse-small")
	}
	r2 := func(batch heldOut) []float32 { return tensors.MustCopyFlatData[float32](batch.data[len(batch.data)-1]) }
	if slices.Max(r2(parr[0])) != -1 {
		t.Error("an earlier candidate is given")
	}
	if guided := task.net.forValidation(1).heldOut(must(task.makeBlock(0))); slices.Min(r2(guided[0])) < 0 {
		t.Error("a candidate is missing")
	}
}

// A system in training and a system opened from its weights have the same held-out losses.
func TestHeldOut(t *testing.T) {
	s := untrained(t, shrunk(t, "parr-small"))
	opened := must(s.HeldOut(t.Context()))
	learned := must(must(NewTask(&s.net.Config, 1)).Validate(t.Context(), s.backend, s.store))
	for _, name := range []string{"loss", "tokens_loss", "loops_loss", "guided_loss", "verify_loss"} {
		if !(opened[name] > 0) || opened[name] != learned[name] {
			t.Errorf("%s is %v of the opened system, %v of the learned one", name, opened[name], learned[name])
		}
	}
}

// The trained system finds some of the held-out laws, the same share each time. A law that it never
// proposes counts as not found.
func TestJudgeRecovery(t *testing.T) {
	b := goBackend(t)
	s := must(Embedded(b, "physdiffuse-small", nil))
	defer s.Close()
	task := must(NewTask(&s.net.Config, 1))
	task.JudgeRecovery(4)
	r := must(task.newRecovery(b, s.store))
	defer r.free()
	first := must(r.share(t.Context()))
	if again := must(r.share(t.Context())); again != first || first == 0 {
		t.Errorf("the trained network finds %v of the laws, and %v the next time", first, again)
	}
	for i := range r.laws {
		r.laws[i].Law = must(expr.Parse("exp(exp(x0))", []string{"x0"}))
	}
	if share := must(r.share(t.Context())); share != 0 {
		t.Errorf("%v of laws found that nobody writes", share)
	}
}
