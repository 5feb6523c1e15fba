package discover_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// measured returns the table of a law that holds in SI units. A column is written "v:36:90:km/h",
// with the range of the values in the column's own unit. The range is loguniform if it spans more
// than two decades. Without the last part the unit is unknown. Equal ends make a known constant.
// The target is written "F:lbf" or "F".
func measured(t testing.TB, law, target, columns string, rows int) *dataset.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	table := &dataset.Table{Name: law}
	var names []string
	var si [][]float64
	for _, c := range strings.Fields(columns) {
		parts := strings.SplitN(c, ":", 4)
		lo, hi := value(t, parts[1]), value(t, parts[2])
		col := dataset.Column{Name: parts[0]}
		if len(parts) == 4 {
			col.Unit, col.HasUnit = unitOf(t, parts[3]), true
		}
		for range rows {
			x := lo + (hi-lo)*rng.Float64()
			if lo > 0 && hi > 100*lo {
				x = lo * math.Pow(hi/lo, rng.Float64())
			}
			col.Values = append(col.Values, x)
		}
		if lo == hi {
			table.Consts = append(table.Consts, dataset.Constant{Name: col.Name, Value: lo, Unit: col.Unit, HasUnit: col.HasUnit})
		} else if table.Vars = append(table.Vars, col); len(table.Consts) > 0 {
			t.Fatal("constants come last")
		}
		names, si = append(names, col.Name), append(si, col.SI())
	}
	tree, err := expr.Parse(law, names)
	if err != nil {
		t.Fatal(err)
	}
	name, u, known := strings.Cut(target, ":")
	table.Target = dataset.Column{Name: name, HasUnit: known, Values: make([]float64, rows)}
	expr.Compile(tree).Eval(table.Target.Values, si, nil)
	if known {
		table.Target.Unit = unitOf(t, u)
		f := table.Target.Unit.Factor()
		for i, y := range table.Target.Values {
			table.Target.Values[i] = (y - table.Target.Unit.Offset) / f
		}
	}
	return table
}

func unitOf(t testing.TB, name string) unit.Unit {
	t.Helper()
	u, err := unit.Parse(strings.ReplaceAll(name, "_", " "))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func value(t testing.TB, text string) float64 {
	t.Helper()
	tree, err := expr.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := []float64{0}
	expr.Compile(tree).Eval(v, nil, nil)
	return v[0]
}

// columns returns the values of a law's variables: the table's columns unchanged, then its named
// constants.
func columns(t *dataset.Table) (cols [][]float64) {
	for _, v := range t.Vars {
		cols = append(cols, v.Values)
	}
	for _, c := range t.Consts {
		v := make([]float64, t.Rows())
		for i := range v {
			v[i] = c.Value
		}
		cols = append(cols, v)
	}
	return cols
}

// misfit returns the largest error of a law with its constants inserted, over the table's own
// numbers, relative to the target's root mean square.
func misfit(l law.Law, t *dataset.Table) float64 {
	if l.Tree.Len() == 0 {
		return math.Inf(1)
	}
	v := make([]float64, t.Rows())
	expr.Compile(l.Bound()).Eval(v, columns(t), nil)
	worst, sq := 0.0, 0.0
	for i, y := range t.Target.Values {
		d := math.Abs(v[i] - y)
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		worst, sq = max(worst, d), sq+y*y/float64(len(v))
	}
	return worst / math.Sqrt(sq)
}

// found runs Discover with a budget of evaluations, so the result is the same on every machine.
func found(t testing.TB, table *dataset.Table, s discover.Settings) *discover.Result {
	t.Helper()
	if s.Time == 0 {
		s.Time = -1
	}
	if s.Evaluations == 0 {
		s.Evaluations = 500
	}
	r, err := discover.Discover(context.Background(), table, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same reports whether a law has the structure of text. Constants in closed form are inserted, the
// others are c0, c1, …. Laws without free constants need only agree at positive points, since √l/√g
// is not √(l/g) everywhere.
func same(t testing.TB, l law.Law, text string) bool {
	t.Helper()
	want, err := expr.Parse(text, l.Vars)
	if err != nil {
		t.Fatal(err)
	}
	got := l.Exacted()
	if got.Len() == 0 || got.NumParams()+want.NumParams() > 0 {
		return expr.Equal(got.AbsorbParams(), want.AbsorbParams())
	}
	rng := rand.New(rand.NewPCG(8, 8))
	cols := make([][]float64, len(l.Vars))
	for i := range cols {
		for range 20 {
			cols[i] = append(cols[i], 0.5+rng.Float64())
		}
	}
	v, w := make([]float64, 20), make([]float64, 20)
	expr.Compile(got).Eval(v, cols, nil)
	expr.Compile(want).Eval(w, cols, nil)
	for i := range v {
		if !(math.Abs(v[i]-w[i]) <= 1e-9*math.Abs(w[i])) {
			return false
		}
	}
	return true
}

// disturb adds Gaussian noise of sigma times the target's root mean square, and returns its
// standard deviation.
func disturb(t *dataset.Table, sigma float64) float64 {
	sq := 0.0
	for _, y := range t.Target.Values {
		sq += y * y / float64(t.Rows())
	}
	dataset.AddNoise(t, sigma, rand.New(rand.NewPCG(3, 4)))
	return sigma * math.Sqrt(sq)
}
