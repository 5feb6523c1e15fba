package encoder

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/token"
	"github.com/physlib/lab/physlib/unit"
)

// free is a body's fall, s = g·t²/2 at some times, with a row that is none.
func free() *features.Table {
	t := &features.Table{Dims: []unit.Dim{unit.Powers(0, 1, -2), unit.Powers(0, 0, 1)}, Target: unit.Powers(0, 1), Units: true, X: make([][]float64, 2)}
	for i := range 6 {
		g, s := 9.81+float64(i%2), 1+float64(i*i%5)
		t.X[0], t.X[1], t.Y = append(t.X[0], g), append(t.X[1], s), append(t.Y, g*s*s/2)
	}
	t.X[0][3] = math.NaN()
	return t
}

// memory of a table by c, with the present slots only.
func memory(t *testing.T, c Config, store *model.Store, table *features.Table) (m []float32, present []bool) {
	t.Helper()
	v := c.Shape.New()
	c.Shape.Extract(table, v)
	ids, values := make([]int32, c.Numbers.Len()), make([]float32, c.Numbers.Len())
	c.Numbers.Write(table, ids, values)
	exec, err := model.NewExec(backendtest.Go(t), store, func(s *model.Scope, in []*Node) []*Node {
		m, p := c.Encode(s, Inputs{Rows: in[0], RowMask: in[1], Cols: in[2], ColMask: in[3], Numbers: in[4], Values: in[5]})
		return []*Node{m, p}
	})
	if err != nil {
		t.Fatal(err)
	}
	f := tensors.FromFlatDataAndDimensions[float32]
	out, err := exec.Call(f(v.Rows, 1, len(v.RowMask), c.Shape.RowDim()), [][]bool{v.RowMask}, f(v.Cols, 1, len(v.ColMask), c.Shape.ColDim()), [][]bool{v.ColMask},
		[][]int32{ids}, [][]float32{values})
	if err != nil {
		t.Fatal(err)
	}
	all := tensors.MustCopyFlatData[float32](out[0])
	present = tensors.MustCopyFlatData[bool](out[1])
	for i, p := range present {
		if p {
			m = append(m, all[i*c.Dim:(i+1)*c.Dim]...)
		}
	}
	return m, present
}

func kinds() map[string]Config {
	shape := features.Shape{Cols: 3, Points: 4}
	raw := shape
	raw.Raw = true
	numbers := Numbers{Code: token.Observations{Digits: 2}, Cols: 3, Points: 4}
	return map[string]Config{
		"set":           {Shape: shape, Numbers: numbers, Dim: 16, Heads: 2, Layers: 1},
		"induced":       {Shape: raw, Numbers: numbers, Dim: 16, Heads: 2, Layers: 1, Inducing: 2, Summary: 2},
		"deep sets":     {Kind: DeepSets, Shape: shape, Numbers: numbers, Dim: 16, Heads: 2, Layers: 1},
		"one deep set":  {Kind: DeepSets, Shape: raw, Numbers: numbers, Dim: 16, Heads: 2, Layers: 1, Summary: 1},
		"series":        {Kind: PDR, Shape: features.Shape{Cols: 3, Points: 8, Series: true}, Numbers: numbers, Dim: 16, Heads: 2, Layers: 2, Series: Series{Every: 2, Rank: 4, Window: 4}},
		"parts":         {Kind: PDR, Shape: features.Shape{Cols: 3, Points: 8, Series: true}, Numbers: numbers, Dim: 16, Heads: 2, Layers: 2, Summary: 2, Series: Series{Every: 2, Rank: 4, Window: 4}},
		"number tokens": {Kind: Digits, Shape: raw, Numbers: numbers, Dim: 16, Heads: 2, Layers: 1},
	}
}

// The memory does not depend on the order of the rows, but for a series, its numbers are finite, and it has as many slots as columns are named for.
func TestMemory(t *testing.T) {
	for name, c := range kinds() {
		store, table := model.NewStore(), free()
		first, present := memory(t, c, store, table)
		if len(first) == 0 || slices.ContainsFunc(first, func(x float32) bool { return x-x != 0 }) {
			t.Fatalf("%s: memory %v", name, first)
		}
		if n := len(c.Columns(len(present))); n != len(present) {
			t.Errorf("%s: columns of %d slots, there are %d", name, n, len(present))
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(table.Y), func(i, j int) {
			for _, x := range append(slices.Clone(table.X), table.Y) {
				x[i], x[j] = x[j], x[i]
			}
		})
		again, _ := memory(t, c, store, table)
		other := free()
		other.Y[0] *= 3
		third, _ := memory(t, c, store, other)
		same, differs := true, false
		for i := range first {
			same = same && math.Abs(float64(first[i]-again[i])) < 1e-4
			differs = differs || math.Abs(float64(first[i]-third[i])) > 1e-3
		}
		if same == (c.Kind == PDR) || !differs {
			t.Errorf("%s: memory is the same in another order %v, differs for other numbers %v", name, same, differs)
		}
	}
}

// The tokens of a table are those of its numbers, where they belong; columns and rows that it has not are padding.
func TestNumbers(t *testing.T) {
	n := Numbers{Code: token.Observations{Digits: 2}, Cols: 3, Points: 4}
	ids, values := make([]int32, n.Len()), make([]float32, n.Len())
	table := &features.Table{X: [][]float64{{2, 1e40}, {-30, 5}}, Y: []float64{4, 3}}
	n.Write(table, ids, values)
	per := n.Code.PerNumber()
	text := func(row, col int) (s string) {
		for _, id := range ids[(row*4+col)*per:][:per] {
			s += n.Code.Token(id) + " "
		}
		return s
	}
	for _, test := range []struct {
		row, col int
		want     string
	}{
		{0, 0, "+ 99 E32 <VAR> "}, {0, 1, "+ 50 E0 <VAR> "}, {0, 2, "<PAD> <PAD> <PAD> <PAD> "}, {0, 3, "+ 85 E-1 <OBS> "},
		{1, 0, "+ 20 E0 <VAR> "}, {1, 1, "- 30 E1 <VAR> "}, {1, 3, "+ 11 E0 <OBS> "}, {2, 0, "<PAD> <PAD> <PAD> <PAD> "},
	} {
		if got := text(test.row, test.col); got != test.want {
			t.Errorf("row %d, column %d: %q, want %q", test.row, test.col, got, test.want)
		}
	}
	if values[5*per] != -30 || values[0] != 1e30 || values[2*per] != 0 {
		t.Errorf("values %v", values)
	}
	if c := n.Columns(); c[0] != 0 || c[per] != 1 || c[4*per-1] != 3 || c[4*per] != 0 {
		t.Errorf("columns %v", c)
	}
	n.Write(&features.Table{X: [][]float64{{}}, Y: nil}, ids, values) // no rows
	if slices.ContainsFunc(ids, func(id int32) bool { return id != n.Code.Pad() }) {
		t.Error("a table without rows has tokens")
	}
}

// What a series says of its parts does not depend on rows that are not there, and a part's answer is that of its last row.
func TestSeriesParts(t *testing.T) {
	c := kinds()["parts"]
	table := free() // 6 rows, one of which is none: 5
	short, _ := memory(t, c, model.NewStore(), table)
	c.Shape.Points = 20
	long, present := memory(t, c, model.NewStore(), table)
	if !near(short, long) || len(present) != 4+2 {
		t.Errorf("with room for more rows: %v, want %v; %d slots", long, short, len(present))
	}
	c.Summary = 0
	rows, _ := memory(t, c, model.NewStore(), table)
	dim := c.Dim
	columns := 3 // two and the target are present
	if got, want := long[(columns+1)*dim:], rows[(columns+4)*dim:(columns+5)*dim]; !near(got, want) {
		t.Errorf("the whole: %v, the last row: %v", got, want)
	}
}

func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-4 })
}
