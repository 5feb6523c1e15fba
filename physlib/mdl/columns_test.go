package mdl_test

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
	"github.com/physlib/lab/physlib/unit"
)

// Constants that multiply an angle in degrees keep their slots when the angle is converted to
// radians. This also holds for the constants of other parts of the law.
func TestFromColumnsKeepsConstants(t *testing.T) {
	degree, err := unit.Parse("deg")
	if err != nil {
		t.Fatal(err)
	}
	table := &dataset.Table{Name: "angles",
		Vars:   []dataset.Column{{Name: "theta", Unit: degree, HasUnit: true, Values: []float64{10, 20, 30, 45, 60, 70, 80, 90}}},
		Target: dataset.Column{Name: "y", Values: []float64{1, 2, 3, 4, 5, 6, 7, 8.5}}}
	m := mdl.New(table, survey.Catalogue(), true)
	for _, text := range []string{"c0*sin(c1*x0)", "c0 + c1*cos(x0*c2)", "c0*sin(c2*x0)*cos(c1*x0 + c2)", "c0*sin(x0)"} {
		tree, err := expr.Parse(text, []string{"x0"})
		if err != nil {
			t.Fatal(err)
		}
		values := []float64{2, 0.7, 0.3}[:tree.NumParams()]
		up := m.FromColumns(tree.WithStarts(values))
		if up.NumParams() != tree.NumParams() {
			t.Errorf("%s becomes %s with %d constants", text, up.Infix(nil), up.NumParams())
			continue
		}
		want, got := make([]float64, table.Rows()), make([]float64, table.Rows())
		expr.Compile(tree).Eval(want, m.Cols, values)
		expr.Compile(up).Eval(got, m.Cols, values)
		for i := range want {
			if d := got[i] - want[i]; d > 1e-12 || d < -1e-12 {
				t.Errorf("%s becomes %s: %g in row %d, want %g", text, up.Infix(nil), got[i], i, want[i])
				break
			}
		}
		for k, v := range up.Params() {
			if v != values[k] {
				t.Errorf("%s becomes %s, whose constant %d begins at %g, not %g", text, up.Infix(nil), k, v, values[k])
			}
		}
	}
}

// TestFromColumnsDecimals checks that T + 273.15 is also recognized in its canonical form with
// whole numbers, 20*T + 5463.
func TestFromColumnsDecimals(t *testing.T) {
	celsius, err := unit.Parse("degC")
	if err != nil {
		t.Fatal(err)
	}
	table := &dataset.Table{Name: "t.csv",
		Vars:   []dataset.Column{{Name: "T", Unit: celsius, HasUnit: true, Values: []float64{10, 20, 30, 45}}},
		Target: dataset.Column{Name: "y", Values: []float64{1, 2, 3, 4}}}
	m := mdl.New(table, survey.Catalogue(), true)
	for text, want := range map[string]string{
		"c0*(20*x0 + 5463)": "c0*(20*x1)",
		"c0*(x0 + 273.15)":  "c0*x1",
		"c0*(20*x0 + 5462)": "c0*(20*x0 + 5462)",
		"c0*(2*x0 - 546.3)": "c0*(2*x0 - 546.3)",
	} {
		tree, err := expr.Parse(text, []string{"x0"})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.FromColumns(tree).Infix(nil); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// An angle in degrees may have a zero error. The conversion factor 180/π costs no bits in this
// case, too.
func TestZeroOfAngle(t *testing.T) {
	degree, err := unit.Parse("deg")
	if err != nil {
		t.Fatal(err)
	}
	sines, angles := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, []float64{6.3, 12, 18.1, 24.1, 30.5, 37.4, 44.9}
	table := &dataset.Table{Name: "angles", Vars: []dataset.Column{{Name: "s", Values: sines}},
		Target: dataset.Column{Name: "theta", Unit: degree, HasUnit: true, Values: angles}}
	m := mdl.New(table, survey.Catalogue(), true)
	tree, err := expr.Parse("180*asin(c0*s)/pi + c1", []string{"s"})
	if err != nil {
		t.Fatal(err)
	}
	up := m.FromColumns(tree)
	if down := m.ToColumns(up); down.Infix([]string{"s"}) != tree.Infix([]string{"s"}) {
		t.Errorf("%s becomes %s", tree.Infix([]string{"s"}), down.Infix([]string{"s"}))
	}
	score, ok := m.Scorer().Score(up, mdl.Effort{Starts: 4, Final: true})
	if !ok || score.FormBits > 20 {
		t.Errorf("%v, form %.1f bits", score.Params, score.FormBits)
	}
}
