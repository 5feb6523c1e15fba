package discover_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// The chosen law of every embedded table is the accepted law. For danwood, which has only six rows,
// the accepted law may be up to one bit longer than the chosen law. The first constant agrees with
// its known value within 2.5 standard errors.
func TestExampleTables(t *testing.T) {
	known := map[string]struct {
		constant float64 // from dataset/examples/index.csv; for kepler, the Earth's year
		unit     string
	}{
		"kepler":         {365.256, "d AU^(-3/2)"},
		"galilean_moons": {6.46035e-9, "d km^(-3/2)"},
		"galileo1608":    {47.0858, "punto^(1/2)"},
		"boyle1662":      {1406.9, "inHg"},
		"balmer":         {364.599, "nm"},       // the law may be 1/(1 - 4/n²) instead of n²/(n² - 4)
		"danwood":        {0.76886226176, ""},   // unit not checked: it has a fitted power of kK
		"mgh10":          {0.0056096364710, ""}, // the factor of the exponential
		"hubble1929":     {423.937, "km s^-1 Mpc^-1"},
	}
	for _, info := range dataset.Examples() {
		t.Run(info.Name, func(t *testing.T) {
			want, listed := known[info.Name]
			if !listed {
				t.Fatal("the test knows no constant of it")
			}
			evaluations := int64(700)
			if info.Name == "mgh10" { // three constants, two of them inside an exponential
				evaluations = 3000
			}
			table, _, err := dataset.Example(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			errors := discover.EqualErrors
			if info.Weights == "relative" {
				errors = discover.ProportionalErrors
			}
			r := found(t, table, discover.Settings{Evaluations: evaluations, Errors: errors})
			best := r.Best
			if info.Name == "danwood" { // an exponential of 1/T fits as well as the power of T
				best = powerWithin(r, 1)
			}
			if best.Tree.NumParams() != strings.Count(info.Fitted, "=") {
				t.Errorf("%s has other constants than %s", best.Infix(), info.Law)
			}
			accepted := acceptedValues(t, table, info)
			got := best.Tree.Values(table.Rows(), columnsOf(table), best.Params())
			for i, y := range accepted {
				if math.Abs(got[i]-y) > 1e-5*math.Abs(y) {
					t.Fatalf("%s gives %g in row %d, the accepted law %s %g", best.Infix(), got[i], i+1, info.Law, y)
				}
			}
			k := best.Constants[0]
			if math.Abs(k.Value-want.constant) > 2.5*k.StdErr {
				t.Errorf("the constant is %v ± %v, want %v", k.Value, k.StdErr, want.constant)
			}
			if !(k.StdErr > 0) || k.StdErr > 0.12*math.Abs(k.Value) {
				t.Errorf("the constant is %v ± %v", k.Value, k.StdErr)
			}
			if want.unit != "" && k.Unit != want.unit {
				t.Errorf("its unit is %q, want %q", k.Unit, want.unit)
			}
			if !best.UnitsOK || best.R2 < 0.6 {
				t.Errorf("units balance: %v, R² = %v", best.UnitsOK, best.R2)
			}
		})
	}
}

// powerWithin returns the first law of r that is a power and at most the given number of bits
// longer than the best law. If there is none, it returns the best law.
func powerWithin(r *discover.Result, bits float64) law.Law {
	for _, l := range r.Finalists {
		if strings.Contains(l.Infix(), "**") && l.Score <= r.Best.Score+bits {
			return l
		}
	}
	return r.Best
}

func columnsOf(table *dataset.Table) (cols [][]float64) {
	for _, v := range table.Vars {
		cols = append(cols, v.Values)
	}
	return cols
}

// acceptedValues returns the values of the accepted law, its constants fitted to the table.
func acceptedValues(t *testing.T, table *dataset.Table, info dataset.ExampleInfo) []float64 {
	t.Helper()
	_, right, _ := strings.Cut(info.Law, " = ")
	var starts []float64
	for i, k := range strings.Split(info.Fitted, ", ") {
		name, value, _ := strings.Cut(k, "=")
		right = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(right, fmt.Sprintf("c%d", i))
		var v float64
		fmt.Sscan(value, &v)
		starts = append(starts, v)
	}
	if table.Vars[0].Unit.Name == "deg" {
		right = strings.ReplaceAll(right, table.Vars[0].Name, "("+table.Vars[0].Name+"*pi/180)")
	}
	law, err := expr.Parse(right, []string{table.Vars[0].Name})
	if err != nil {
		t.Fatalf("the index has the law %s: %v", info.Law, err)
	}
	var w []float64
	if info.Weights == "relative" {
		for _, y := range table.Target.Values {
			w = append(w, 1/(y*y))
		}
	}
	r, err := fit.Fit(law.WithStarts(starts), columnsOf(table), table.Target.Values, w, fit.Settings{Starts: 1})
	if err != nil || slices.ContainsFunc(r.Params, math.IsNaN) {
		t.Fatal(info.Law, err)
	}
	return law.Values(table.Rows(), columnsOf(table), r.Params)
}
