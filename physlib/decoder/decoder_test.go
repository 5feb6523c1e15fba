package decoder

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/token"
)

const (
	batch, samples, slots, dim = 2, 4, 3, 16
	columns                    = 2
)

// variants returns decoders with different parts.
func variants() map[string]Config {
	v := token.Small()
	base := Config{Vocab: v.Size(), Seq: 12, Dim: dim, Heads: 2, Hidden: 16, Layers: 2, Mask: v.Mask(), FirstVar: v.Var(0), Positions: Sinusoidal}
	with := func(change func(c *Config)) Config {
		c := base
		change(&c)
		return c
	}
	return map[string]Config{
		"sinusoidal":  base,
		"both ends":   with(func(c *Config) { c.Positions = BothEnds }),
		"sequence":    with(func(c *Config) { c.Positions, c.Axes = None, []Axis{AxisSequence} }),
		"tree":        with(func(c *Config) { c.Axes = []Axis{AxisDepth, AxisSibling} }),
		"directions":  with(func(c *Config) { c.Axes = []Axis{AxisDepth, AxisAcross, AxisDiagonal, AxisAntidiagonal} }),
		"dimensional": with(func(c *Config) { c.Dimensional = true }),
		"shared": with(func(c *Config) {
			c.Kind, c.Loops, c.BlockLayers, c.Feed, c.Positions, c.Axes = Shared, 3, 2, ConvSwiGLU, None, []Axis{AxisSequence}
			c.Dimensional = true
		}),
	}
}

// expressions returns four expressions of six tokens, padded to seq. Each expression has other
// masked tokens. In the second all tokens are masked.
func expressions(v *token.Vocabulary, seq int) (ids, lengths []int32) {
	id := func(name string) int32 {
		i, ok := v.ID(name)
		if !ok {
			panic(name)
		}
		return i
	}
	m := v.Mask()
	for _, e := range [][]int32{
		{id("add"), id("mul"), id("x_0"), m, m, id("x_0")}, {m, m, m, m, m, m},
		{id("sqrt"), id("add"), id("x_1"), m, m, m}, {id("div"), m, id("x_0"), id("cos"), id("x_1"), m},
	} {
		lengths = append(lengths, int32(len(e)))
		ids = append(ids, e...)
		for range seq - len(e) {
			ids = append(ids, v.Pad())
		}
	}
	return ids, lengths
}

// shown returns the decoder's inputs for these expressions and two arbitrary tables.
func shown(g *Graph, v *token.Vocabulary, ids, lengths []int32, seq int) Shown {
	places := make([]int32, len(ids)*NumPlaces)
	for i := range lengths {
		Places(v, ids[i*seq:][:lengths[i]], places[i*seq*NumPlaces:])
	}
	units := make([]float32, batch*(columns+1)*NumUnits)
	for i := range units {
		// Column 1 has other units than column 0 and the target.
		units[i] = float32(i / NumUnits % 2)
		if i%NumUnits == NumUnits-1 {
			units[i] = 1
		}
	}
	shape := func(x *Node, dims ...int) *Node { return Reshape(x, dims...) }
	n, ofColumns := len(lengths), shape(Const(g, units), batch, columns+1, NumUnits)
	return Shown{
		IDs: shape(Const(g, ids), n, seq), Lengths: Const(g, lengths), Places: shape(Const(g, places), n, seq, NumPlaces),
		Memory:  Sin(Iota(g, shapes.Make(dtypes.Float32, batch, slots, dim), 2)),
		Present: Const(g, [][]bool{{true, true, true}, {true, false, true}}),
		Units:   Concatenate([]*Node{ofColumns, ofColumns}, 1), // slot i describes column i
	}
}

// answer runs f once on the weights of a store.
func answer(t *testing.T, b compute.Backend, store *model.Store, f func(s *model.Scope, g *Graph) []*Node) (all [][]float32) {
	t.Helper()
	exec, err := model.NewExec(b, store, f)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Call()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		all = append(all, tensors.MustCopyFlatData[float32](o))
	}
	return all
}

func apart(a, b []float32) (d float64) {
	for i := range a {
		d = math.Max(d, math.Abs(float64(a[i]-b[i])))
	}
	return d
}

// Neither padding after an expression nor an absent slot of the memory changes its logits.
func TestPaddingChangesNothing(t *testing.T) {
	b, v := backendtest.Go(t), token.Small()
	for name, c := range variants() {
		store := model.NewStore()
		logits := func(seq int) []float32 {
			ids, lengths := expressions(v, seq)
			return answer(t, b, store, func(s *model.Scope, g *Graph) []*Node {
				in := shown(g, v, ids, lengths, seq)
				l := c.Denoise(s, c.Tokens(s, in.IDs), in)
				return []*Node{Slice(l, AxisRange(), AxisRange(0, 6))}
			})[0]
		}
		if d := apart(logits(6), logits(11)); d > 1e-4 {
			t.Errorf("%s: padding changes logits by %g", name, d)
		}
	}
}

// Masked tokens that differ only in their position get different logits, except in decoders without
// positions.
func TestPositionsMatter(t *testing.T) {
	b, v := backendtest.Go(t), token.Small()
	for name, c := range variants() {
		ids, lengths := expressions(v, 6)
		l := answer(t, b, model.NewStore(), func(s *model.Scope, g *Graph) []*Node {
			in := shown(g, v, ids, lengths, 6)
			return []*Node{c.Denoise(s, c.Tokens(s, in.IDs), in)}
		})[0]
		row := func(sample, i int) []float32 { return l[(sample*6+i)*c.Vocab:][:c.Vocab] }
		if apart(row(1, 2), row(1, 3)) < 1e-4 && name != "sequence" && name != "shared" { // positions do not affect attention among equal tokens
			t.Errorf("%s: positions 2 and 3 of a masked expression have equal logits", name)
		}
		if apart(row(0, 3), row(0, 4)) < 1e-5 {
			t.Errorf("%s: places 3 and 4 beside visible tokens look alike", name)
		}
	}
}

// Positions depend only on visible tokens. Tokens below a masked one have no known position; all
// others have their position in the tree.
func TestPlaces(t *testing.T) {
	v := token.Small()
	ids, _ := expressions(v, 6)
	places := make([]int32, 6*NumPlaces)
	Places(v, ids[:6], places)
	want := []int32{0, 0, 0, 1 /**/, 1, 0, 0, 1 /**/, 2, 0, 0, 1 /**/, 2, 1, 1, 1}
	if !slices.Equal(places[:len(want)], want) {
		t.Errorf("places %v, want %v", places, want)
	}
	Places(v, ids[6:12], places)
	if places[NumPlaces-1] != 1 || places[2*NumPlaces+NumPlaces-1] != 0 {
		t.Errorf("in a masked expression only the first token has a known position: %v", places)
	}
}

// Units determine the bias of attention: 1 between tokens of equal units, -1 between tokens of
// different units, and 0 if units are unknown.
func TestCompatible(t *testing.T) {
	v := token.Small()
	ids := []int32{v.Var(0), v.Var(1), v.Var(0), v.Mask()}
	got := answer(t, backendtest.Go(t), model.NewStore(), func(s *model.Scope, g *Graph) []*Node {
		in := shown(g, v, ids, []int32{4}, 4)
		u := UnitsOf(Sub(in.IDs, Scalar(g, dtypes.Int32, v.Var(0))), Slice(in.Units, AxisRange(0, 1)), columns)
		return []*Node{compatible(u, u)}
	})[0]
	want := []float32{1, -1, 1, 0, -1, 1, -1, 0, 1, -1, 1, 0, 0, 0, 0, 0}
	if !slices.Equal(got, want) {
		t.Errorf("compatibility %v, want %v", got, want)
	}
}
