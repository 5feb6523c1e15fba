package discover

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// heated returns a table of y over e and T = 273 + 500·e. T is rounded to multiples of 1/places.
func heated(law func(e, T float64) float64, places float64) *dataset.Table {
	e, T, y := dataset.Column{Name: "e"}, dataset.Column{Name: "T"}, dataset.Column{Name: "y"}
	for i := range 60 {
		x := float64(20_003+9_007*i) / 1e6
		e.Values, T.Values = append(e.Values, x), append(T.Values, math.Round((273+500*x)*places)/places)
		y.Values = append(y.Values, law(x, 273+500*x))
	}
	return &dataset.Table{Target: y, Vars: []dataset.Column{e, T}}
}

// If a law is shorter with a column that the search omitted, it is rewritten with this column. The
// law then also holds if the columns no longer depend on each other.
func TestDependentColumns(t *testing.T) {
	for name, law := range map[string]func(e, T float64) float64{
		"both":       func(e, T float64) float64 { return 5 * (T - 310) * e * e },
		"one column": func(e, _ float64) float64 { return 3*e*e + 2 },
	} {
		res, err := Discover(t.Context(), heated(law, 1e6), Settings{NoUnits: true, Evaluations: 20_000, Proposers: []string{Search}})
		if err != nil {
			t.Fatal(err)
		}
		got, want := make([]float64, 1), law(0.3, 400)
		expr.Compile(res.Best.Tree).Eval(got, [][]float64{{0.3}, {400}}, res.Best.Params())
		if math.Abs(got[0]-want) > 1e-3*want || !slices.Equal(res.Best.Vars, []string{"e", "T"}) {
			t.Errorf("%s: %s over %v is %g away from the line, want %g", name, res.Best, res.Best.Vars, got[0], want)
		}
	}
}

// Columns are omitted only if their digits show that they depend on one another.
func TestIndependent(t *testing.T) {
	law := func(e, _ float64) float64 { return e }
	units := heated(law, 1e6)
	units.Vars[1].HasUnit = true
	noisy := heated(law, 1e6)
	noisy.Vars[1].Values[7] += 0.01
	for name, c := range map[string]struct {
		table *dataset.Table
		left  int
	}{
		"a line":        {heated(law, 1e6), 1},
		"few digits":    {heated(law, 1), 2},
		"a unit":        {units, 2},
		"one row aside": {noisy, 2},
	} {
		part := withoutDependent(c.table, Settings{})
		if n := len(part.Vars); n != c.left {
			t.Errorf("%s: %d columns, want %d", name, n, c.left)
		}
		if c.left == 1 && (part.Vars[0].Name != "e" || part.relations[0].Y != 1 || math.Abs(part.relations[0].B-500) > 1e-3) {
			t.Errorf("%s: %s is kept, %+v", name, part.Vars[0].Name, part.relations)
		}
	}
}

// Of ten thousand columns, only the pairs of the first mostRelated ones are compared. This takes
// one second, or up to ten seconds on a busy machine.
func TestIndependentOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	table := heated(func(e, _ float64) float64 { return e }, 1e6)
	for len(table.Vars) < 10_000 {
		v := make([]float64, table.Rows())
		for i := range v {
			v[i] = math.Round(rng.Float64()*1e4) / 1e4
		}
		table.Vars = append(table.Vars, dataset.Column{Values: v})
	}
	start := time.Now()
	if part := withoutDependent(table, Settings{}); len(part.Vars) != len(table.Vars)-1 {
		t.Errorf("%d columns of %d", len(part.Vars), len(table.Vars))
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
