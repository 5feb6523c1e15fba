package diffusion_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	. "github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/token"
)

func TestTrace(t *testing.T) {
	v := token.Small()
	d := hopeful(v, "mul x_0 sq x_1", "div x_0 sq x_1")
	r := Small(NewTokens(v, v.Columns(2)), 4)
	plain := collect(t, r, d, Batch{N: 6, Seq: 4, Seed: 3})
	r.Trace = &Trace{Samples: 2, Top: 3, Name: v.Token}
	traced := collect(t, r, d, Batch{N: 6, Seq: 4, Seed: 3})
	if !reflect.DeepEqual(plain, traced) {
		t.Error("a trace changes what it watches")
	}
	f := r.Trace.Frames
	if len(f) != 8 {
		t.Fatalf("%d frames of 2 samples in 4 steps", len(f))
	}
	for i, x := range f {
		if x.Sample != i%2 || x.Step != i/2 || x.Steps != 4 || len(x.Cells) != 4 {
			t.Errorf("frame %d is of sample %d, step %d of %d", i, x.Sample, x.Step, x.Steps)
		}
		shown := 0
		for _, c := range x.Cells {
			if c.Shown {
				shown++
			}
			if len(c.Top) != 3 || c.Token != v.Token(c.ID) {
				t.Errorf("cell %+v", c)
			}
		}
		if shown != x.Step+1 {
			t.Errorf("frame %d shows %d tokens", i, shown)
		}
	}
	first := f[0].Cells
	near(t, "entropy of an even choice", first[0].Entropy, math.Ln2)
	near(t, "entropy of a sure token", first[1].Entropy, 0)
	if first[1].Top[0].Token != "x_0" || math.Abs(first[1].Top[0].P-1) > 1e-6 {
		t.Errorf("a sure token is %+v", first[1].Top[0])
	}
	last := f[6]
	if ids := plain[0].IDs; !slices.EqualFunc(last.Cells, ids, func(c Cell, id int32) bool { return c.ID == id && c.Shown }) {
		t.Errorf("the last frame is not the candidate %v", ids)
	}
	text, err := json.Marshal(r.Trace)
	if err != nil {
		t.Fatal(err)
	}
	var back Trace
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Frames, f) {
		t.Errorf("a trace is not read back from JSON: %v", err)
	}
}
