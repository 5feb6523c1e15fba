package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/unit"
)

func pendulum(n int) *Table {
	rng := rand.New(rand.NewPCG(1, 2))
	t := &Table{X: [][]float64{make([]float64, n), make([]float64, n)}, Y: make([]float64, n), Units: true,
		Dims: []unit.Dim{unit.Powers(0, 1), unit.Powers(0, 1, -2)}, Target: unit.Powers(0, 0, 1)}
	for i := range n {
		t.X[0][i], t.X[1][i] = 0.1+rng.Float64(), 1+10*rng.Float64()
		t.Y[i] = 2 * math.Pi * math.Sqrt(t.X[0][i]/t.X[1][i])
	}
	return t
}

// The exponents of a monomial appear in the vectors of its columns.
func ExampleShape_Extract() {
	s := Shape{}
	v := s.New()
	s.Extract(pendulum(64), v)
	for c := range 2 {
		fmt.Printf("%.3f\n", 2*v.Cols[(c+1)*s.ColDim()-2])
	}
	// Output:
	// 0.500
	// -0.500
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	for _, n := range []int{1, 5, 32, 64, 200} {
		s := Shape{}
		a, b := s.New(), s.New()
		table := pendulum(n)
		s.Extract(table, a)
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		rng.Shuffle(n, func(i, j int) {
			for _, x := range append(table.X, table.Y) {
				x[i], x[j] = x[j], x[i]
			}
		})
		s.Extract(table, b)
		for i := range a.Rows {
			if math.Abs(float64(a.Rows[i]-b.Rows[i])) > 1e-5 {
				t.Fatalf("n=%d: row number %d is %v, then %v", n, i, a.Rows[i], b.Rows[i])
			}
		}
		for i := range a.Cols {
			if math.Abs(float64(a.Cols[i]-b.Cols[i])) > 1e-5 {
				t.Fatalf("n=%d: column number %d is %v, then %v", n, i, a.Cols[i], b.Cols[i])
			}
		}
	}
}

// One row, a constant column, NaN, zero and huge values give finite vectors.
func TestAwkwardTables(t *testing.T) {
	inf := math.Inf(1)
	for name, table := range map[string]*Table{
		"one row":  {X: [][]float64{{1}}, Y: []float64{2}},
		"constant": {X: [][]float64{{1, 1, 1}, {1, 2, 3}}, Y: []float64{4, 4, 4}},
		"zero":     {X: [][]float64{{0, 0, 0}}, Y: []float64{0, 0, 0}},
		"NaN":      {X: [][]float64{{1, math.NaN(), 3}}, Y: []float64{inf, 2, 3}},
		"none":     {X: [][]float64{{math.NaN()}}, Y: []float64{2}},
		"huge":     {X: [][]float64{{1e300, 1e-300, 5}}, Y: []float64{1e200, -1e200, 3}},
	} {
		s := Shape{}
		v := s.New()
		s.Extract(table, v)
		for _, x := range append(v.Rows, v.Cols...) {
			if math.IsNaN(float64(x)) || math.Abs(float64(x)) > clip {
				t.Errorf("%s: a number is %v", name, x)
				break
			}
		}
	}
}

// The mixed curvature in the values is zero for a sum of functions of single columns. The mixed
// curvature in the logarithms is zero for a product.
func TestCurvatureTellsSumsFromProducts(t *testing.T) {
	sum, product := pendulum(64), pendulum(64)
	for i := range sum.Y {
		sum.Y[i] = sum.X[0][i]*sum.X[0][i] + sum.X[1][i]
	}
	mixed := func(table *Table, space int) float64 {
		rows := finiteRows(table, false)
		cols := []column{newColumn(table.X[0], rows), newColumn(table.X[1], rows), newColumn(table.Y, rows)}
		return math.Abs(regress(cols).curvature[space][1][0])
	}
	if m := mixed(sum, 0); m > 1e-3 {
		t.Errorf("sum: mixed curvature %g in values", m)
	}
	if m := mixed(product, 3); m > 1e-3 {
		t.Errorf("product: mixed curvature %g in logarithms", m)
	}
	if m := mixed(sum, 3); m < 1e-2 {
		t.Errorf("sum: no mixed curvature in logarithms: %g", m)
	}
}

func TestUnitsAreHiddenOnDemand(t *testing.T) {
	s := Shape{}
	a, b := s.New(), s.New()
	table := pendulum(40)
	s.Extract(table, a)
	table.Units = false
	s.Extract(table, b)
	differ := 0
	for i := range a.Cols {
		if a.Cols[i] != b.Cols[i] {
			differ++
		}
	}
	if differ != 4 { // the exponents of m in two columns, of s^-2 and of s
		t.Errorf("%d numbers differ when units are hidden, want 4", differ)
	}
}

func BenchmarkExtract(b *testing.B) {
	s := Shape{}
	v := s.New()
	table := pendulum(64)
	for range 3 {
		table.X = append(table.X, table.X[0])
		table.Dims = append(table.Dims, table.Dims[0])
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Extract(table, v)
	}
}
