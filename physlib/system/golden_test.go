package system

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

var update = flag.Bool("update", false, "write the golden files")

// A checkpoint of physdiffuse-small depends on three things: the configuration that Task.Config
// returns, the paths and shapes of the variables, and the network's outputs. If one of them
// changes, no run can be resumed and no weights can be opened.
func TestPhysDiffuseSmallStaysTheSame(t *testing.T) {
	c := must(Preset("physdiffuse-small"))
	c.About = ""
	var b strings.Builder
	b.Write(must(json.MarshalIndent(must(NewTask(c, 1)).Config(), "", " ")))
	b.WriteString("\n\n")

	net, store := must(newNetwork(c)), model.NewStore()
	exec := must(model.NewExec(goBackend(t), store, func(s *model.Scope, in []*Node) []*Node {
		l, parts := net.loss(s, in)
		return append([]*Node{l}, parts...)
	}))
	out := must(exec.Call(madeUp(net, 2, 2, 9)...))
	var paths []string
	for v := range store.IterVariables() {
		paths = append(paths, fmt.Sprintln(v.Path(), v.Shape()))
	}
	slices.Sort(paths)
	b.WriteString(strings.Join(paths, ""))
	for _, o := range out {
		fmt.Fprintf(&b, "\n%.4f", tensors.ToScalar[float32](o))
	}
	const file = "testdata/physdiffuse-small.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(must(os.ReadFile(file))); b.String() != want {
		t.Errorf("differs from %s:\n%s", file, b.String())
	}
}

// madeUp returns a batch of random numbers and arbitrary tokens, which does not depend on the
// corpus.
func madeUp(n *network, tables, masks, seq int) []any {
	rng := rand.New(rand.NewPCG(1, 2))
	in := n.newInputs(tables)
	for _, x := range [][]float32{in.all.Rows, in.all.Cols} {
		for i := range x {
			x[i] = float32(rng.NormFloat64())
		}
	}
	for i := range in.all.RowMask {
		in.all.RowMask[i] = i%5 > 0
	}
	for i := range in.all.ColMask {
		in.all.ColMask[i] = i%3 > 0
	}
	rows := tables * masks
	hidden, ids, weights, lengths := make([]int32, rows*seq), make([]int32, rows*seq), make([]float32, rows*seq), make([]int32, rows)
	for i := range ids {
		ids[i] = int32(rng.IntN(30))
		hidden[i] = ids[i]
		if rng.IntN(2) == 0 {
			hidden[i], weights[i] = n.vocab.Mask(), 1
		}
		lengths[i/seq] = int32(seq - i/seq)
	}
	var args []any
	for _, x := range append(in.tensors(n.shape()), tensors.FromFlatDataAndDimensions(hidden, rows, seq), tensors.FromFlatDataAndDimensions(ids, rows, seq),
		tensors.FromFlatDataAndDimensions(weights, rows, seq), tensors.FromFlatDataAndDimensions(lengths, rows)) {
		args = append(args, x)
	}
	return args
}
