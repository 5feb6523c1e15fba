package bench

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

func column(t testing.TB, name, unitText string, values ...float64) dataset.Column {
	t.Helper()
	c := dataset.Column{Name: name, Values: values}
	if unitText != "" {
		u, err := unit.Parse(unitText)
		if err != nil {
			t.Fatal(err)
		}
		c.Unit, c.HasUnit = u, true
	}
	return c
}

// gas returns a table with several kinds of units: the pressure of a gas, its volume and its
// temperature.
func gas(t testing.TB) *dataset.Table {
	g := &dataset.Table{
		Name:   "gas.csv",
		Vars:   []dataset.Column{column(t, "V", "L"), column(t, "T", "degC")},
		Target: column(t, "p", "Pa"),
	}
	for i := range 12 {
		v, degrees := 1+0.25*float64(i%5), 20.5+3.5*float64(i)
		g.Vars[0].Values = append(g.Vars[0].Values, v)
		g.Vars[1].Values = append(g.Vars[1].Values, degrees)
		g.Target.Values = append(g.Target.Values, math.Round(8.314e3*(degrees+273.15)/v))
		g.FileRows = append(g.FileRows, i+2)
	}
	return g
}

// undo converts a law of a variant to one that has the same values in the original table.
func TestVariantsUndo(t *testing.T) {
	g := gas(t)
	all, data := variants(g, false)
	var kinds []string
	for i, v := range all {
		kinds = append(kinds, v.kind)
		// the law in the columns of the variant: the pressure as a function of volume and
		// temperature, in the variant's units and names
		d := data[i]
		names := make([]string, len(d.Vars))
		for k, c := range d.Vars {
			names[k] = c.Name
		}
		vol, temp := slices.Index(names, "V"), slices.Index(names, "T")
		if v.kind == OtherNames {
			vol, temp = 0, 1
		}
		quantity := func(k int) expr.Tree {
			u := d.Vars[k].Unit
			return expr.Apply(expr.Add, expr.Apply(expr.Mul, expr.Num(u.Factor()), expr.X(k)), expr.Num(u.Offset))
		}
		tree := expr.Apply(expr.Div, expr.Apply(expr.Mul, expr.C(0, 8.314/d.Target.Unit.Factor()), quantity(temp)), quantity(vol))
		reported, err := report(law.Law{Tree: tree, Vars: names, Constants: law.NewConstants(tree.Params(), nil)})
		if err != nil {
			t.Fatal(err)
		}
		undone, columns, err := v.undo(reported)
		if err != nil || !cmp.Equal(columns, []string{"V", "T"}) {
			t.Fatalf("%s: %v, columns %v", v.kind, err, columns)
		}
		got := undone.Values(g.Rows(), [][]float64{g.Vars[0].Values, g.Vars[1].Values}, undone.Params())
		if !cmp.Equal(got, g.Target.Values, cmpopts.EquateApprox(1e-5, 0)) {
			t.Errorf("%s: %v, want %v", v.kind, got, g.Target.Values)
		}
	}
	want := []string{WithoutUnits, OtherUnits, OtherNames, OtherOrder, OtherRows, HalfTheRows, ExtraColumn, FewerDigits, OtherSeed}
	if !cmp.Equal(kinds, want) {
		t.Errorf("kinds %v", kinds)
	}
	if u := data[1]; u.Vars[0].Label() != "V [m^3]" || u.Vars[1].Label() != "T [K]" || u.Target.Label() != "p [mPa]" ||
		u.Vars[1].Values[0] != 293.65 || u.Vars[0].Values[1] != 0.00125 {
		t.Errorf("other units: %s %v, %s %v, %s", u.Vars[0].Label(), u.Vars[0].Values, u.Vars[1].Label(), u.Vars[1].Values, u.Target.Label())
	}
	if u := data[5]; u.Rows() != 6 || u.FileRows[1] != 4 {
		t.Errorf("half: %d rows", u.Rows())
	}
	if g.Vars[0].Name != "V" || g.Rows() != 12 || len(g.Vars) != 2 || g.Vars[1].Values[0] != 20.5 {
		t.Error("the table itself was changed")
	}
}

func TestFewerDigits(t *testing.T) {
	for _, c := range []struct{ before, after []float64 }{
		// Whole numbers do not change.
		{[]float64{1, 2, 10}, []float64{1, 2, 10}},
		// Numbers of at most two digits do not change.
		{[]float64{0.5, 1.5}, []float64{0.5, 1.5}},
		// Others lose a decimal or a significant digit.
		{[]float64{2.28, 11.57, 3.1}, []float64{2.3, 11.6, 3.1}},
		{[]float64{1.234e-5, 4.567e-3, 8.912}, []float64{1.23e-5, 4.57e-3, 8.91}},
	} {
		if got := fewerDigits(c.before); !cmp.Equal(got, c.after) {
			t.Errorf("%v: %v, want %v", c.before, got, c.after)
		}
	}
}

// lines is a discoverer that fits a straight line to the first column. With seed 1 it returns a
// wrong law.
func lines(_ context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
	x := t.Vars[0]
	a, b := stat.LinearRegression(x.Values, t.Target.Values, nil, false)
	tree := expr.Apply(expr.Add, expr.C(0, a), expr.Apply(expr.Mul, expr.C(1, b), expr.X(0)))
	if s.Seed == 1 {
		tree = expr.Apply(expr.Mul, expr.C(0, 5), expr.Apply(expr.Log, expr.X(0)))
	}
	l := law.Law{Tree: tree, Target: t.Target.Name, Constants: law.NewConstants(tree.Params(), nil)}
	for _, c := range t.Vars {
		l.Vars = append(l.Vars, c.Name)
	}
	return &discover.Result{Best: l, Front: []law.Law{l}, Verdict: "likely"}, nil
}

func TestInvariance(t *testing.T) {
	searches := 0
	o := TablesOptions{Tables: fewTables(t)[:1], Out: filepath.Join(t.TempDir(), "results.jsonl")}
	o.discover = func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		searches++
		return lines(ctx, t, s)
	}
	if _, err := Tables(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	records, err := Invariance(t.Context(), o)
	if err != nil || len(records) != 9 || searches != 9 {
		t.Fatalf("%d records of %d searches, %v", len(records), searches, err)
	}
	for _, r := range records[1:] {
		if holds := r.Variant != OtherSeed; r.Holds == nil || *r.Holds != holds {
			t.Errorf("%v", r)
		}
		if r.Variant != OtherSeed && !r.Judged.Chosen || r.Before != records[0].chosen() {
			t.Errorf("%s: %+v", r.Variant, r.Judged)
		}
	}
	s := SummarizeInvariance(records)
	if text := s.String(); len(s.Fail) != 1 || !strings.Contains(text, "spring, other seed\n  before  1.4") ||
		!strings.Contains(text, "all                   7     8") {
		t.Errorf("%s", text)
	}
	if all := SummarizeTables(records).All; all.Tables != 1 {
		t.Errorf("%d tables, variants counted", all.Tables)
	}
	again, err := Rejudge(o.Tables, mustTableResults(t, o.Out))
	if err != nil || !cmp.Equal(SummarizeInvariance(again).Kinds, s.Kinds) {
		t.Errorf("judged again: %v, %v", SummarizeInvariance(again).Kinds, err)
	}
	if _, err := Invariance(t.Context(), o); err != nil || searches != 9 {
		t.Errorf("resumed: %d searches, %v", searches, err)
	}
}

// TestInvarianceRules tests the rules for variants with half the rows and with fewer digits, if
// the laws differ.
func TestInvarianceRules(t *testing.T) {
	small, many := 10.0, 20.0
	good, bad := TableVerdict{}, TableVerdict{}
	good.Chosen = true
	simple, long := &TableLaw{Law: "x", Complexity: &small}, &TableLaw{Law: "x + 1", Complexity: &many}
	for _, c := range []struct {
		kind          string
		before, after TableVerdict
		from, to      *TableLaw
		holds         bool
	}{
		{HalfTheRows, good, bad, simple, simple, true},
		{HalfTheRows, bad, good, simple, simple, false},
		{HalfTheRows, bad, bad, simple, nil, true},
		{FewerDigits, good, bad, long, simple, true},
		{FewerDigits, good, bad, simple, nil, true},
		{FewerDigits, good, bad, nil, simple, false},
		{OtherSeed, bad, bad, nil, nil, true},
		{OtherSeed, bad, bad, simple, nil, false},
	} {
		p := &tableProblem{variant: &variant{kind: c.kind}, before: &TableRecord{Judged: c.before, Result: &TableResult{Best: c.from}}}
		if got := p.holds(TableRecord{Judged: c.after, Result: &TableResult{Best: c.to}}); got != c.holds {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
