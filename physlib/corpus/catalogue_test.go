package corpus_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
)

func TestCatalogue(t *testing.T) {
	laws := corpus.Catalogue()
	if len(laws) < 800 {
		t.Errorf("%d laws", len(laws))
	}
	for _, e := range laws {
		if err := e.Check(); err != nil {
			t.Errorf("%s.csv:%d %s: %v", e.Field, e.Line, e.Name, err)
		}
	}
	if err := corpus.CheckNames(laws); err != nil {
		t.Error(err)
	}
}

// Each error is one line with the file, the row and a remedy.
func TestEntryFaults(t *testing.T) {
	for _, test := range []struct{ row, want string }{
		{`A,v = V*S/(K + S),v [m/s]; V [m/s] fixed 1..2; S [m] 1..2; K [1] fixed 1..2,x`, "dimensions"},
		{`A,k = exp(-E/(R*T)),k [1]; E [kJ/mol] fixed 2..9; R [J/(mol K)] = 8.3; T [K] 250..600,x`, "use SI"},
		{`A,y = log(x),y [1]; x [1] -1..1,x`, "narrow the ranges"},
		{`A,y = log(x)*z,y [1]; x [1] 1..3,x`, "unknown name"},
		{`A,y = c3*x,y [1]; x [1] 1..3,x`, "c3 is not among the quantities"},
		{`A,y = sin(a),y [1]; a [deg] 1..3,x`, "use SI"},
		{`A,y = a*q,y [K]; a [1] 1..3; q [degC] 1..3,x`, "write K"},
		{`A,y = a*q,y [K]; a [1] 1..3; q [foo] 1..3,x`, "unknown unit"},
		{`A,y = a,y [K]; a [K] 1..3; q [K] 1..3,x`, "q is not in the law"},
		{`A,y = a,y [K]; a [K] fixed 1..3,x`, "no variable"},
		{`A,y = e*x,y [K]; e [K] fixed 1..3; x [1] 1..2,x`, "choose another"},
		{`A,y = a*a,y [K]; a [K] 1..3; a [K] 1..2,x`, "stands for two"},
		{`A,z = a,y [K]; a [K] 1..3,x`, "write y = expression"},
		{`A,y = a,y [K]; a [K] 3..1,x`, "not below"},
		{`A,y = a,y [K]; a [K] 3,x`, "is not a range"},
		{`A,y = a,y [K]; a [K] one..2,x`, "is not a number"},
		{`A,y = a,y [K] 1..2; a [K] 1..2,x`, "unit only"},
		{`A,y = a,y [K]; a K 1..2,x`, "write name [unit]"},
		{`A,y = a,y [K]; a [K] 1..2`, "3 cells"},
		{`A,y = a,y [K]; a [K] 1..2,`, "empty cell"},
	} {
		entries, err := corpus.ReadEntries(
			strings.NewReader("name,law,quantities,source\n"+test.row+"\n"), "laws/test.csv")
		if err == nil {
			err = entries[0].Check()
		} else if !strings.HasPrefix(err.Error(), "laws/test.csv:2 A: ") {
			t.Errorf("%s: %v", test.row, err)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", test.row, err, test.want)
		}
	}
	if _, err := corpus.ReadEntries(strings.NewReader("law\n"), "x.csv"); err == nil {
		t.Error("a wrong header was read")
	}
	twice := []corpus.Entry{{Name: "A", Field: "x", Line: 2}, {Name: "a", Field: "y", Line: 5}}
	if err := corpus.CheckNames(twice); err == nil || !strings.Contains(err.Error(), "y.csv:5") {
		t.Error(err)
	}
}

func ExampleEntry_Forms() {
	entries, _ := corpus.ReadEntries(strings.NewReader(`name,law,quantities,source
Ideal gas law,p = n*R*T/V,p [Pa]; n [mol] fixed 1..2; R [J/(mol K)] = 8.314; T [K] 250..400; V [m^3] 1..2,x
`), "gases.csv")
	forms, _ := entries[0].Forms()
	for _, f := range forms {
		var names []string
		for _, q := range f.Vars {
			names = append(names, q.Name)
		}
		fmt.Printf("%-10s of %v, share %.2f\n", f.Tree, names, f.Share)
	}
	// Output:
	// c0*x0/x1   of [T V], share 0.50
	// c0*x0      of [T], share 0.25
	// c0/x0      of [V], share 0.25
}

// With its constants at their starting values, a form has the values of its law.
func TestFormsValues(t *testing.T) {
	for _, e := range corpus.Catalogue() {
		law, err := e.Tree()
		if err != nil {
			t.Fatal(err)
		}
		forms, err := e.Forms()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms {
			at, cols := make([][]float64, len(e.Quantities)), make([][]float64, len(f.Vars))
			for i, q := range e.Quantities {
				at[i] = []float64{q.Typical(), q.Typical()}
				for k, v := range f.Vars {
					if v.Name == q.Name {
						at[i] = []float64{0.7*q.Low + 0.3*q.High, 0.2*q.Low + 0.8*q.High}
						cols[k] = at[i]
					}
				}
			}
			want, got := make([]float64, 2), make([]float64, 2)
			expr.Compile(law).Eval(want, at, nil)
			expr.Compile(f.Tree).Eval(got, cols, nil)
			for k := range want {
				if d := math.Abs(got[k] - want[k]); !(d <= 1e-6*math.Abs(want[k])+1e-12) {
					t.Errorf("%s: %s is %g, its form %s %g", e.Name, e.Law, want[k], f.Tree, got[k])
				}
			}
		}
	}
}

// The shares of the forms of a law add up to one, and Whole has all quantities.
func TestForms(t *testing.T) {
	for _, e := range corpus.Catalogue() {
		forms, err := e.Forms()
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, f := range forms {
			sum += f.Share
			if n := len(f.Tree.Vars()); n > len(f.Vars) {
				t.Errorf("%s: %s has %d columns of %d", e.Name, f.Tree, n, len(f.Vars))
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares add up to %g", e.Name, sum)
		}
		whole, err := e.Whole()
		if err != nil || whole.Tree.NumParams() > 0 {
			t.Errorf("%s: whole %s: %v", e.Name, whole.Tree, err)
		}
	}
}
