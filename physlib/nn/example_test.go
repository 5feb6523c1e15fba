package nn_test

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/nn"
)

// A network is a function of a scope and of nodes. Its variables are created at the first call,
// under the names of the scopes.
func Example() {
	b, _, err := backend.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, int64(1))
	network, err := model.NewExec1(b, store, func(s *model.Scope, table *Node) *Node {
		x := nn.Linear(s.In("embed"), table, 8)       // [batch, points, dim]
		x = nn.ISAB(s.In("set"), x, 4, 2, 16, nil)    // 4 inducing points, 2 heads
		x = nn.PMA(s.In("summary"), x, 1, 2, 16, nil) // [batch, 1, dim]
		return nn.Linear(s.In("head"), Squeeze(x), 3) // [batch, 3]
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	forward, err := network.Call([][][]float32{{{1, 2}, {3, 4}, {5, 6}}, {{1, 1}, {2, 2}, {3, 3}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	backward, err := network.Call([][][]float32{{{5, 6}, {3, 4}, {1, 2}}, {{3, 3}, {2, 2}, {1, 1}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(forward.Shape(), "the order of the points does not matter:", forward.InDelta(backward, 1e-5))

	var paths []string
	for v := range store.IterVariables() {
		paths = append(paths, v.Path())
	}
	slices.Sort(paths)
	fmt.Println(len(paths), "variables:", paths[0], paths[1], paths[2], "…", store.NumParameters(), "numbers")
	// Output:
	// (Float32)[2, 3] the order of the points does not matter: true
	// 60 variables: /embed/b /embed/w /head/b … 1939 numbers
}

// The adapters of a layer have no effect until they are trained, since B starts at zero. Their
// paths begin with the path of the layer.
func ExampleLinear() {
	b, _, err := backend.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := model.NewStore()
	store.Scope("/query").SetParam(nn.ParamLoRARank, 2)
	_, err = model.CallOnce(b, store, func(s *model.Scope, x *Node) *Node {
		return nn.Linear(s.In("key"), nn.Linear(s.In("query"), x, 4), 4)
	}, [][]float32{{1, 2, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var lines []string
	for v := range store.IterVariables() {
		lines = append(lines, fmt.Sprint(v.Path(), " ", v.Shape().Dimensions))
	}
	slices.Sort(lines)
	for _, l := range lines {
		fmt.Println(l)
	}
	// Output:
	// /key/b [4]
	// /key/w [4 4]
	// /query/b [4]
	// /query/lora/a [3 2]
	// /query/lora/b [2 4]
	// /query/w [3 4]
}
