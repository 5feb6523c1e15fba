package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

func TestEvidence(t *testing.T) {
	scored := func(bits ...float64) *Result {
		r := &Result{constantBits: 30, Stopped: "settled"}
		for _, b := range bits {
			r.Finalists = append(r.Finalists, law.Law{Tree: expr.X(0), Score: b})
		}
		r.Best = r.Finalists[0]
		return r
	}
	e, ok := scored(10, 13, 11).Evidence()
	want := 1 / (1 + math.Exp2(-1) + math.Exp2(-3) + math.Exp2(-20))
	if !ok || math.Abs(e.Posterior-want) > 1e-12 || len(e.Beyond) != 2 || e.Beyond[0] != 1 || e.Beyond[1] != 3 || e.Constant != 20 {
		t.Errorf("%+v, %v; want a posterior of %g", e, ok, want)
	}
	if _, ok := (&Result{}).Evidence(); ok {
		t.Error("no law has evidence")
	}
	if r := scored(10); !r.Finished() {
		t.Error("a search that settled is not finished")
	} else if r.Stopped = "time"; r.Finished() {
		t.Error("a search whose time was over is finished")
	}
}
