package diffusion_test

import (
	"context"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// The loss of predictions for two masked tokens of three. One prediction is certain and right, the
// other is uniform over four tokens.
func ExampleLoss() {
	b, _, err := backend.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	loss, err := ExecOnce(b, diffusion.Loss,
		[][][]float32{{{99, 0, 0, 0}, {0, 0, 0, 0}, {5, 6, 7, 8}}}, // logits [batch, seq, vocab]
		[][]int32{{0, 2, 1}},   // the true tokens
		[][]float32{{1, 1, 0}}) // weights: the last token was visible
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f = log(4)/2\n", loss.Value())
	// Output: 0.6931 = log(4)/2
}

// A Strategy can be any function of the State. Here it prints the visible tokens.
func ExampleChain() {
	laws := dependent() // a network trained on six sequences of four tokens
	watch := func(s *diffusion.State) { fmt.Println(s.IDs) }
	sampler := diffusion.Sampler{
		Vocab: laws.vocab, Mask: laws.mask, Steps: 2,
		Step: diffusion.Chain(diffusion.MostLikely(), diffusion.ConfidenceMax(), diffusion.Commit(diffusion.Linear), watch),
	}
	for c, err := range sampler.Refine(context.Background(), laws, diffusion.Batch{N: 1, Seq: 4}) {
		fmt.Println(c.IDs, err)
	}
	// Output:
	// [1 2 0 0]
	// [1 2 1 2]
	// [1 2 1 2] <nil>
}

func ExampleUnits_Score() {
	length, time := unit.Powers(0, 1), unit.Powers(0, 0, 1)
	// The law gives T in terms of l and g.
	u := diffusion.Units{Vars: []unit.Dim{length, length.Div(time).Div(time)}, Target: time, TargetKnown: true}
	for _, law := range []string{"sqrt(x0/x1)", "c0*sqrt(x0/x1)", "x0/x1", "sqrt(x0) + x1"} {
		t, _ := expr.Parse(law, nil)
		fmt.Printf("%-16s %.3f\n", law, u.Score(t))
	}
	// Output:
	// sqrt(x0/x1)      1.000
	// c0*sqrt(x0/x1)   1.000
	// x0/x1            0.368
	// sqrt(x0) + x1    0.004
}
