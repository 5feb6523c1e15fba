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

// free returns a table of a falling body, s = g·t²/2 at some times, with one invalid row.
func free() *features.Table {
	t := &features.Table{Dims: []unit.Dim{unit.Powers(0, 1, -2), unit.Powers(0, 0, 1)}, Target: unit.Powers(0, 1), Units: true, X: make([][]float64, 2)}
	for i := range 6 {
		g, s := 9.81+float64(i%2), 1+float64(i*i%5)
		t.X[0], t.X[1], t.Y = append(t.X[0], g), append(t.X[1], s), append(t.Y, g*s*s/2)
	}
	t.X[0][3] = math.NaN()
	return t
}

// memory returns the memory of a table encoded by c. It has the present slots only, and reports
// which slots are present.
func memory(t *testing.T, c Config, store *model.Store, table *features.Table) (m []float32, present []bool) {
	t.Helper()
	v := c.Shape.New()
	c.Shape.Extract(table, v)
	ids, values := make([]int32, c.Numbers.Len()), make([]float32, c.Numbers.Len())
	c.Numbers.Write(table, ids, values)
	exec, err := model.NewExec(backendtest.Go(t), store, func(s *model.Scope, in []*Node) []*Node {
		tables := Inputs{Rows: in[0], RowMask: in[1], Cols: in[2], ColMask: in[3], Numbers: in[4], Values: in[5]}
		m, p := c.Encode(s, tables)
		return []*Node{m, p, c.Columns(tables, m.Shape().Dim(1))}
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
	if n := out[2].Shape().Size(); n != len(present) {
		t.Errorf("columns of %d slots, there are %d", n, len(present))
	}
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

// The memory is finite. It does not depend on the order of the rows, except for a series. Other
// numbers in the table change it.
func TestMemory(t *testing.T) {
	for name, c := range kinds() {
		store, table := model.NewStore(), free()
		first, _ := memory(t, c, store, table)
		if len(first) == 0 || slices.ContainsFunc(first, func(x float32) bool { return x-x != 0 }) {
			t.Fatalf("%s: memory %v", name, first)
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

// Write writes the numbers of a table row by row and pads the rest. If a table has fewer columns,
// more of its rows fit.
func TestNumbers(t *testing.T) {
	n := Numbers{Code: token.Observations{Digits: 2}, Cols: 3, Points: 2}
	ids, values := make([]int32, n.Len()), make([]float32, n.Len())
	per := n.Code.PerNumber()
	text := func(number int) (s string) {
		for _, id := range ids[number*per:][:per] {
			s += n.Code.Token(id) + " "
		}
		return s
	}
	none := "<PAD> <PAD> <PAD> <PAD> "
	for _, test := range []struct {
		table features.Table
		want  []string // the tokens of each number
	}{
		// Rows are sorted by the target.
		{features.Table{X: [][]float64{{2, 1e40}, {-30, 5}}, Y: []float64{4, 3}},
			[]string{"+ 99 E32 <VAR> ", "+ 50 E0 <VAR> ", "+ 85 E-1 <OBS> ", "+ 20 E0 <VAR> ", "- 30 E1 <VAR> ", "+ 11 E0 <OBS> ", none, none}},
		{features.Table{X: [][]float64{{4, 3, 2, 1, 0}}, Y: []float64{2, 2, 2, 2, 2}}, // room for 4 of 5 rows
			[]string{"+ 00 E0 <VAR> ", "+ 10 E0 <OBS> ", "+ 10 E0 <VAR> ", "+ 10 E0 <OBS> ", "+ 30 E0 <VAR> ", "+ 10 E0 <OBS> ", "+ 40 E0 <VAR> ", "+ 10 E0 <OBS> "}},
		{features.Table{X: [][]float64{{1}, {2}, {3}}, Y: []float64{-4}},
			[]string{"+ 10 E0 <VAR> ", "+ 20 E0 <VAR> ", "+ 30 E0 <VAR> ", "- 10 E0 <OBS> ", none, none, none, none}},
		{features.Table{X: [][]float64{{}}}, slices.Repeat([]string{none}, 8)},
	} {
		n.Write(&test.table, ids, values)
		for i, want := range test.want {
			if got := text(i); got != want {
				t.Errorf("%v, number %d: %q, want %q", test.table.X, i, got, want)
			}
		}
	}
	n.Write(&features.Table{X: [][]float64{{-30, 1e40}}, Y: []float64{1, 2}}, ids, values)
	if values[0] != -30 || values[2*per] != 1e30 || values[5*per] != 0 {
		t.Errorf("values %v", values)
	}

	exec, err := NewExec(backendtest.Go(t), func(columns *Node) (rows, cols *Node) { return n.places(columns) })
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Call([][]bool{{true, true, false, true}, {true, false, false, true}, {true, true, true, true}})
	if err != nil {
		t.Fatal(err)
	}
	rows, cols := out[0].Value().([][]int32), out[1].Value().([][]int32)
	for i, want := range []struct{ rows, cols []int32 }{
		{[]int32{0, 0, 0, 1, 1, 1}, []int32{0, 1, 3, 0, 1, 3}},
		{[]int32{0, 0, 1, 1, 2, 2, 3, 3}, []int32{0, 3, 0, 3, 0, 3, 0, 3}},
		{[]int32{0, 0, 0, 0, 1, 1, 1, 1}, []int32{0, 1, 2, 3, 0, 1, 2, 3}},
	} {
		for number := range want.rows {
			if r, c := rows[i][number*per], cols[i][number*per+per-1]; r != want.rows[number] || c != want.cols[number] {
				t.Errorf("table %d, number %d: row %d, column %d, want %d, %d", i, number, r, c, want.rows[number], want.cols[number])
			}
		}
	}
}

// The memory of the parts of a series does not depend on masked rows. The memory of a part is the
// network's output at the last row of the part.
func TestSeriesParts(t *testing.T) {
	c := kinds()["parts"]
	table := free() // 6 rows, one of which is invalid
	short, _ := memory(t, c, model.NewStore(), table)
	c.Shape.Points = 20
	long, present := memory(t, c, model.NewStore(), table)
	if !near(short, long) || len(present) != 4+2 {
		t.Errorf("with room for more rows: %v, want %v; %d slots", long, short, len(present))
	}
	c.Summary = 0
	rows, _ := memory(t, c, model.NewStore(), table)
	dim := c.Dim
	columns := 3 // two columns and the target are present
	if got, want := long[(columns+1)*dim:], rows[(columns+4)*dim:(columns+5)*dim]; !near(got, want) {
		t.Errorf("the whole: %v, the last row: %v", got, want)
	}
}

func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-4 })
}
