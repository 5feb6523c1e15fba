package decoder_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/token"
)

// In this product the second factor has three tokens, and only the last of them is visible. x_1 may
// be the operand of a function of a function or the second operand of a sum, so its depth is
// unknown.
func ExamplePlaces() {
	v := token.Small()
	var ids []int32
	for _, name := range []string{"mul", "x_0", "<MASK>", "<MASK>", "x_1"} {
		id, _ := v.ID(name)
		ids = append(ids, id)
	}
	places := make([]int32, len(ids)*decoder.NumPlaces)
	decoder.Places(v, ids, places)
	for i, id := range ids {
		p := places[i*decoder.NumPlaces:]
		fmt.Printf("%-6s depth %d, operand %d, %d across, known %d\n", v.Token(id), p[0], p[1], p[2], p[3])
	}
	// Output:
	// mul    depth 0, operand 0, 0 across, known 1
	// x_0    depth 1, operand 0, 0 across, known 1
	// <MASK> depth 1, operand 1, 1 across, known 1
	// <MASK> depth 2, operand 0, 0 across, known 1
	// x_1    depth 0, operand 0, 0 across, known 0
}

// The weight α of a loop's result in PARR's blend of embeddings, for 8 loops.
func ExampleConfig_Alpha() {
	for k := range 8 {
		fmt.Printf("%.1f ", decoder.Config{}.Alpha(k, 8))
	}
	// Output: 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0
}
