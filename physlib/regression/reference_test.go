package regression_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// reference holds the results of scipy and lmfit for one fit, as testdata/reference.py returns
// them.
type reference struct {
	Name  string `json:"name"`
	Error string `json:"error"`
	SciPy struct {
		Params, Cov []float64
		Chi2        float64
	} `json:"scipy"`
	LMFit *struct {
		Params, StdErr         []float64
		RedChi                 float64
		Confidence, Prediction []float64
	} `json:"lmfit"`
}

// question describes a fit. It is the input of testdata/reference.py.
type question struct {
	Name      string      `json:"name"`
	Kind      string      `json:"kind"`
	Formula   string      `json:"formula"`
	Columns   []string    `json:"columns"`
	Constants []string    `json:"constants"`
	X         [][]float64 `json:"x"`
	Y         []float64   `json:"y"`
	Sigma     []float64   `json:"sigma"`
	XSigma    [][]float64 `json:"xsigma,omitempty"`
	Absolute  bool        `json:"absolute"`
	Start     []float64   `json:"start"`
	Low       []string    `json:"low,omitempty"` // numbers or "inf"
	High      []string    `json:"high,omitempty"`
	Loss      string      `json:"loss,omitempty"`
	FScale    float64     `json:"f_scale,omitempty"`

	law   law.Law
	table *dataset.Table
	set   regression.Settings
}

// newQuestion returns the fit of a table in the index of test tables. It uses the table's first
// accepted form, and the constants in the index as starting values.
func newQuestion(t *testing.T, e tables.Table) question {
	t.Helper()
	table, _, err := e.Read()
	if err != nil {
		t.Fatal(err)
	}
	l, err := law.Parse(e.Accepted[0], table.InputNames())
	if err != nil {
		t.Fatal(err)
	}
	q := question{Name: e.Name, Kind: "plain", Y: table.Target.Values, Sigma: table.Sigma, Absolute: table.Sigma != nil, law: l, table: table}
	q.set.Start = map[string]float64{}
	for _, c := range l.Constants {
		var slot int
		fmt.Sscanf(c.Name, "c%d", &slot)
		q.set.Start[c.Name] = e.Truth[slot]
		q.Start = append(q.Start, e.Truth[slot])
	}
	// The programs weight rows by measured values, whereas law.ProportionalErrors weights them by
	// those of the law.
	relative := e.Errors.Kind == tables.Relative && !q.Absolute
	for _, y := range q.Y {
		if relative {
			q.Sigma = append(q.Sigma, math.Abs(y))
		} else if table.Sigma == nil {
			q.Sigma = append(q.Sigma, 1)
		}
	}
	if relative {
		q.set.Sigma, q.set.Scale = q.Sigma, true
	}
	var names []string
	for i, v := range l.Inputs() {
		q.Columns = append(q.Columns, fmt.Sprintf("x%d", i))
		q.X = append(q.X, table.ValuesOf(l.Vars[v]))
	}
	for i := range l.Vars { // names of the variables in the script
		names = append(names, "unused"+fmt.Sprint(i))
	}
	for i, v := range l.Inputs() {
		names[v] = q.Columns[i]
	}
	for i := range l.Constants {
		q.Constants = append(q.Constants, fmt.Sprintf("c%d", i))
	}
	q.Formula = l.Tree.SymPy(names)
	return q
}

// questions returns a fit of each table for which the index states constants. Some fits are
// repeated with bounds, with errors of the columns, or with robust losses.
func questions(t *testing.T) (all []question) {
	t.Helper()
	list, err := tables.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if len(e.Truth) == 0 || e.Errors.Kind == tables.LogNormal || len(e.BadRows) > 0 {
			continue
		}
		q := newQuestion(t, e)
		all = append(all, q)
		switch e.Name {
		case "puromycin", "rc_discharge", "uspop", "van_deemter", "monod", "power_transfer":
			all = append(all, bounded(q))
		case "pendulum_offset", "lens", "langmuir", "sound", "stormer", "beam", "colonies", "free_fall", "lorentz", "tea":
			all = append(all, blurred(q, regression.EffectiveVariance), blurred(q, regression.OrthogonalDistance))
		}
		switch e.Name {
		case "puromycin", "van_deemter", "monod", "langmuir", "uspop", "rc_discharge", "stormer", "free_fall", "tea", "hall":
			for _, loss := range regression.Losses()[1:] {
				all = append(all, robust(t, q, loss))
			}
		}
	}
	return all
}

// bounded returns q with an upper bound on its first constant. The bound is below the value that a
// fit without bounds gives.
func bounded(q question) question {
	q.Name, q.Kind = q.Name+" bounded", "bounded"
	low, high := 0.5*q.Start[0], 0.9*q.Start[0]
	q.set.Bounds = map[string]regression.Bound{q.law.Constants[0].Name: {Low: low, High: high}}
	q.Start = append([]float64{0.7 * q.Start[0]}, q.Start[1:]...)
	for range q.Start {
		q.Low, q.High = append(q.Low, "-inf"), append(q.High, "inf")
	}
	q.Low[0], q.High[0] = fmt.Sprint(low), fmt.Sprint(high)
	return q
}

// blurred returns q with an error of 1.5 % in each column and of 2 % in the target.
func blurred(q question, m regression.Method) question {
	q.Kind = map[regression.Method]string{regression.EffectiveVariance: "effective", regression.OrthogonalDistance: "orthogonal"}[m]
	q.Name, q.Absolute = q.Name+" "+q.Kind, true
	share := func(v []float64, by float64) (out []float64) {
		for _, x := range v {
			out = append(out, by*(math.Abs(x)+0.1))
		}
		return out
	}
	q.Sigma = share(q.Y, 0.02)
	q.set.Method, q.set.Sigma, q.set.Scale, q.set.XSigma = m, q.Sigma, false, map[string][]float64{}
	for i, v := range q.law.Inputs() {
		q.XSigma = append(q.XSigma, share(q.X[i], 0.015))
		q.set.XSigma[q.law.Vars[v]] = q.XSigma[i]
	}
	return q
}

// robust returns q with another loss. The scale of the loss is half the standard error that least
// squares estimates.
func robust(t *testing.T, q question, loss regression.Loss) question {
	t.Helper()
	r, err := regression.Fit(q.law, q.table, q.set)
	if err != nil {
		t.Fatal(err)
	}
	q.Name, q.Kind, q.Loss = q.Name+" "+string(loss), "robust", string(loss)
	q.FScale = 0.5
	if !q.Absolute {
		q.FScale *= math.Sqrt(r.Chi2 / float64(r.Nu))
	}
	q.set.Loss, q.set.LossScale = loss, q.FScale
	return q
}

// python runs testdata/reference.py. ok is false if no Python with scipy and lmfit is installed.
func python(t *testing.T, all []question) (answers []byte, ok bool) {
	t.Helper()
	program := "python3"
	if local, err := filepath.Abs("../../.venv/bin/python3"); err == nil {
		if _, err := os.Stat(local); err == nil {
			program = local
		}
	}
	if testing.Short() || exec.Command(program, "-c", "import scipy, lmfit, sympy").Run() != nil {
		return nil, false
	}
	in, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "testdata/reference.py")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return out, true
}

// Constants, standard errors, correlations, χ², and confidence and prediction bands agree with
// those of lmfit and of scipy's curve_fit, least_squares and odr. testdata/reference.json has the
// results of these programs. If a Python with scipy and lmfit is installed, the results are
// calculated again. If the environment variable UPDATE_REFERENCE is not empty, the file is
// replaced.
func TestReference(t *testing.T) {
	all := questions(t)
	stored := filepath.Join("testdata", "reference.json")
	answers, err := os.ReadFile(stored)
	fresh, ok := python(t, all)
	if ok {
		answers = fresh
	} else if err != nil {
		t.Fatal(err)
	} else {
		t.Log("no Python with scipy and lmfit here: compared with", stored)
	}
	if os.Getenv("UPDATE_REFERENCE") != "" && ok {
		if err := os.WriteFile(stored, answers, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var refs []reference
	if err := json.Unmarshal(answers, &refs); err != nil {
		t.Fatal(err)
	}
	by := map[string]reference{}
	for _, r := range refs {
		by[r.Name] = r
	}
	same := map[string]int{}
	for _, q := range all {
		if compare(t, q, by[q.Name]) {
			same[q.Kind]++
			if m := by[q.Name].LMFit; m != nil && len(m.Confidence) > 0 && len(m.Prediction) > 0 {
				same["bands"]++
			}
		}
	}
	t.Log("equal to six digits:", same)
	if same["plain"] < 100 || same["bands"] < 100 || same["bounded"] < 5 || same["effective"] < 8 || same["orthogonal"] < 8 || same["robust"] < 36 {
		t.Errorf("too few are equal: %v", same)
	}
}

// compare fits q and compares the result with that of Python. It returns false if Python's fit
// ended in a worse minimum.
func compare(t *testing.T, q question, want reference) bool {
	t.Helper()
	r, err := regression.Fit(q.law, q.table, q.set)
	if err != nil {
		t.Errorf("%s: %v", q.Name, err)
		return false
	}
	if want.Error != "" {
		t.Logf("%s: %s", q.Name, want.Error)
		return false
	}
	if r.Chi2 < want.SciPy.Chi2*(1-1e-7) {
		t.Logf("%s: χ² = %.9g, scipy ended at %.9g", q.Name, r.Chi2, want.SciPy.Chi2)
		return false
	}
	same := true
	equal := func(what string, got, expect, scale float64) {
		if !(math.Abs(got-expect) <= 1e-6*max(math.Abs(expect), scale)) {
			t.Errorf("%s, %s: %.10g, want %.10g", q.Name, what, got, expect)
			same = false
		}
	}
	k := len(q.Constants)
	equal("χ²", r.Chi2, want.SciPy.Chi2, 0)
	corr := r.Law.Correlation()
	for i, c := range r.Law.Constants {
		equal(c.Name, c.Value, want.SciPy.Params[i], 0)
		if cov := want.SciPy.Cov; cov != nil {
			equal("error of "+c.Name, c.StdErr, math.Sqrt(cov[i*k+i]), 0)
			for j := range i {
				equal("correlation", corr[i*k+j], cov[i*k+j]/math.Sqrt(cov[i*k+i]*cov[j*k+j]), 1)
			}
		}
	}
	// lmfit treats constants below about 1e-15 as 0. If its χ² therefore differs from that of
	// scipy, its other results are not compared.
	m := want.LMFit
	if m != nil && !(math.Abs(m.RedChi*float64(r.Nu)-want.SciPy.Chi2) <= 1e-6*want.SciPy.Chi2) {
		t.Logf("%s: lmfit's χ²/ν %g is not scipy's %g", q.Name, m.RedChi, want.SciPy.Chi2/float64(r.Nu))
		m = nil
	}
	if m != nil {
		for i, c := range r.Law.Constants {
			equal(c.Name+" of lmfit", c.Value, m.Params[i], 0)
			equal("lmfit's error of "+c.Name, c.StdErr, m.StdErr[i], 0)
		}
		equal("χ²/ν", r.Chi2/float64(r.Nu), m.RedChi, 0)
		bands, err := r.Law.Bands(columns(q), len(q.Y), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range m.Confidence {
			equal("confidence band", bands.Confidence[i], v, 1e-9*math.Abs(q.Y[i]))
		}
		for i, v := range m.Prediction {
			equal("prediction band", bands.Prediction[i], v, 0)
		}
	}
	return same
}

func columns(q question) [][]float64 {
	cols := make([][]float64, len(q.law.Vars))
	for i, v := range q.law.Inputs() {
		cols[v] = q.X[i]
	}
	return cols
}
