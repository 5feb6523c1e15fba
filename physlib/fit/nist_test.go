package fit_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// certified lists data sets of the NIST Statistical Reference Datasets (StRD) for nonlinear
// regression (public domain). For each data set, it states the first of the two published sets of
// starting values, the certified constants and their standard errors. The observations are in
// testdata.
var certified = []struct {
	file, law     string
	start         []float64
	value, stderr []float64
}{
	{"nist_misra1a_adsorption.csv", "c0*(1 - exp(-c1*x))", []float64{500, 0.0001},
		[]float64{2.3894212918e+02, 5.5015643181e-04}, []float64{2.7070075241e+00, 7.2668688436e-06}},
	{"nist_danwood_lamp.csv", "c0*x**c1", []float64{1, 5},
		[]float64{7.6886226176e-01, 3.8604055871e+00}, []float64{1.8281973860e-02, 5.1726610913e-02}},
	{"nist_eckerle4_transmittance.csv", "c0/c1*exp(-1/2*((x - c2)/c1)**2)", []float64{1, 10, 500},
		[]float64{1.5543827178e+00, 4.0888321754e+00, 4.5154121844e+02}, []float64{1.5408051163e-02, 4.6803020753e-02, 4.6800518816e-02}},
	{"nist_chwirut2_ultrasonic.csv", "exp(-c0*x)/(c1 + c2*x)", []float64{0.1, 0.01, 0.02},
		[]float64{1.6657666537e-01, 5.1653291286e-03, 1.2150007096e-02}, []float64{3.8303286810e-02, 6.6621605126e-04, 1.5304234767e-03}},
}

func read(t testing.TB, file string) (cols [][]float64, y []float64) {
	t.Helper()
	r, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cols = make([][]float64, 1)
	for _, row := range rows[1:] {
		x, _ := strconv.ParseFloat(row[0], 64)
		v, _ := strconv.ParseFloat(row[1], 64)
		cols[0], y = append(cols[0], x), append(y, v)
	}
	return cols, y
}

func parse(t testing.TB, law string, start []float64, vars ...string) expr.Tree {
	t.Helper()
	if vars == nil {
		vars = []string{"x"}
	}
	tree, err := expr.Parse(law, vars)
	if err != nil {
		t.Fatal(err)
	}
	return tree.WithStarts(start)
}

// digits returns the number of correct digits of got, which the StRD call the log relative error.
func digits(got, want float64) float64 {
	if got == want {
		return 16
	}
	return -math.Log10(math.Abs(got-want) / math.Abs(want))
}

func TestNIST(t *testing.T) {
	for _, c := range certified {
		cols, y := read(t, c.file)
		for _, starts := range []int{1, 0} {
			r, err := fit.Fit(parse(t, c.law, c.start), cols, y, nil, fit.Settings{Starts: starts})
			if err != nil {
				t.Fatal(err)
			}
			least := 16.0
			for i := range c.value {
				least = min(least, digits(r.Params[i], c.value[i]), digits(r.StdErr[i], c.stderr[i]))
			}
			t.Logf("%s starts %d: %.1f digits, %d evaluations, converged %v", c.file, starts, least, r.Evaluations, r.Converged)
			if least < 9 || !r.Converged {
				t.Errorf("%s starts %d: %.1f digits: %v ± %v", c.file, starts, least, r.Params, r.StdErr)
			}
		}
	}
}
