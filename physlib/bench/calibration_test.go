package bench

import (
	"context"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/survey"
)

// finds returns a discoverer that finds the law text(t) in every table t, with probability p.
func finds(p float64, text func(t *dataset.Table) string) discoverer {
	return func(_ context.Context, t *dataset.Table, _ discover.Settings) (*discover.Result, error) {
		written := text(t)
		if written == "" {
			return &discover.Result{Stopped: "exhausted", Verdict: "no law: nothing explains it"}, nil
		}
		var names []string
		for _, v := range t.Vars {
			names = append(names, v.Name)
		}
		tree, err := expr.Parse(written, names)
		if err != nil {
			return nil, err
		}
		l := law.Law{Tree: tree, Vars: names, Target: t.Target.Name, UnitsOK: true}
		return &discover.Result{
			Best: l, Front: []law.Law{l}, Finalists: []law.Law{l}, Stopped: "settled", Probability: p,
			Verdict: "likely, about 95 %: the next different law is 8.0 bits worse",
		}, nil
	}
}

// A search that finds the true law is right on every table, including noise. A search that finds a
// constant times one column is wrong, though its laws are called likely.
func TestCalibration(t *testing.T) {
	truth := map[string]string{}
	o := CalibrationOptions{Tables: 30, Seed: 5, Jobs: 2, Out: filepath.Join(t.TempDir(), "results.jsonl")}
	for i := range uint64(o.Tables) {
		d, err := synthetic.Draw(o.Seed, i)
		if err != nil {
			t.Fatal(err)
		}
		if d.Form != "" {
			form, err := expr.Parse(d.Form, names(d.Data))
			if err != nil {
				t.Fatal(err)
			}
			truth[d.Data.Name] = form.Bind(d.Start).Infix(names(d.Data))
		}
	}
	o.discover = finds(0.95, func(t *dataset.Table) string { return truth[t.Name] })
	records, err := Calibration(t.Context(), o)
	if err != nil || len(records) != o.Tables {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		if !r.Right || r.Error != "" {
			t.Errorf("the truth is not right: %v %+v", r, r.Accept)
		}
	}
	s := SummarizeCalibration(records)
	if s.Tables != len(truth) || s.Right != s.Tables || s.NoiseRight != s.Noise || s.Noise == 0 || len(s.Sure) != 0 || s.Brier > 0.0026 {
		t.Errorf("%v", s)
	}

	resumed := 0
	o.Done = func(r CalibrationReport) {
		if r.Resumed {
			resumed++
		}
	}
	if _, err := Calibration(t.Context(), o); err != nil || resumed != o.Tables {
		t.Errorf("%d of %d tables are resumed, %v", resumed, o.Tables, err)
	}
	if again, err := ReadCalibration(o.Out); err != nil || len(again) != o.Tables {
		t.Errorf("%d tables are kept, %v", len(again), err)
	} else if _, err := RejudgeCalibration(again); err != nil {
		t.Error(err)
	}

	o.Out, o.Tables = "", 12
	o.discover = finds(0.95, func(t *dataset.Table) string { return "exp(-sin(3.3*" + t.Vars[0].Name + "))" })
	records, err = Calibration(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if s := SummarizeCalibration(records); s.Right != 0 || s.NoiseRight != 0 || len(s.Sure) != o.Tables || s.Brier < 0.9 {
		t.Errorf("%v", s)
	}
}

func names(t *dataset.Table) (all []string) {
	for _, v := range t.Vars {
		all = append(all, v.Name)
	}
	return all
}

// A law is wider if the truth is a special case of it. It then counts as wrong.
func TestWider(t *testing.T) {
	o := CalibrationOptions{Tables: 40, Seed: 9}
	found := 0
	for i := range uint64(o.Tables) {
		d, err := synthetic.Draw(o.Seed, i)
		if err != nil {
			t.Fatal(err)
		}
		if d.Form == "" || d.Data.Rows() < len(d.Start)+4 {
			continue
		}
		form, _ := expr.Parse(d.Form, names(d.Data))
		text := form.Bind(d.Start).Infix(names(d.Data))
		x := d.Data.Vars[0].Name
		l := TableLaw{Law: "(" + text + ") + 0*" + x}
		r := CalibrationRecord{Index: i, TableSeed: o.Seed, Result: &TableResult{Best: &l}, Chosen: l.Law}
		l.Tree = &struct {
			Infix string   `json:"infix"`
			Vars  []string `json:"vars"`
		}{d.Form + " + c" + string(rune('0'+len(d.Start))) + "*sin(7*" + x + ")", names(d.Data)}
		for _, v := range append(append([]float64(nil), d.Start...), 0) {
			l.Constants = append(l.Constants, struct {
				Name   string   `json:"name"`
				Value  *float64 `json:"value"`
				StdErr *float64 `json:"stderr"`
				Exact  string   `json:"exact"`
				Unit   string   `json:"unit,omitempty"`
			}{Value: &v})
		}
		_, ref, err := reference(d)
		if err != nil {
			t.Fatal(err)
		}
		table, _, _ := reference(d)
		if wider(l, ref, table) {
			found++
		} else {
			t.Logf("%v: not wider: %s", r, l.Tree.Infix)
		}
		l.Tree.Infix = "exp(-sin(3.3*" + x + "))"
		l.Constants = nil
		if wider(l, ref, table) {
			t.Errorf("%s: another law is called wider", d.Form)
		}
	}
	if found < 20 {
		t.Errorf("%d wider laws are known as such", found)
	}
}

// invented returns outcomes of laws. The log-odds of a law being right are half those of its
// posterior.
func invented(n int, seed uint64) (outcomes []Outcome) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		z := 6 * rng.NormFloat64()
		q := 1 / (1 + math.Exp(-z))
		right := rng.Float64() < 1/(1+math.Exp(-0.5*z-0.4))
		outcomes = append(outcomes, Outcome{
			Right: right, Stated: &q, Features: &Features{Evidence: discover.Evidence{Posterior: q, Constants: 1}},
		})
	}
	return outcomes
}

func TestFitProbability(t *testing.T) {
	m, err := FitProbability(invented(4000, 1), 1, 1)
	if err != nil || math.Abs(m.Weights[0]-0.5) > 0.05 || math.Abs(m.Intercept-0.4) > 0.15 {
		t.Errorf("%+v, %v", m, err)
	}
	text, err := CompareProbabilities(invented(1000, 1), invented(1000, 2), 1)
	if err != nil || !strings.Contains(text, "map with all predictors") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := FitProbability(invented(5, 1), 1, 1); err == nil {
		t.Error("a fit to five laws is not an error")
	}
	failed := invented(500, 2)
	for i := range failed {
		failed[i].Error = "boom"
	}
	if n := len(fittable(append(failed, invented(30, 1)...))); n != 30 {
		t.Errorf("a fit uses %d laws, want 30 without those of failed searches", n)
	}
	backwards := invented(500, 3)
	for i := range backwards {
		backwards[i].Right = !backwards[i].Right
	}
	if m, err := FitProbability(backwards, 1, 1); err != nil || m.Weights[0] != 0 {
		t.Errorf("a posterior that misleads has weight: %+v, %v", m, err)
	}
	all := invented(60, 4)
	for i := range all {
		all[i].Right = true
	}
	if m, err := FitProbability(all, 8, 1); err != nil || math.IsNaN(m.Intercept) || !(m.Probability(all[0]) > 0.8) {
		t.Errorf("laws that are all right: %+v, %v", m, err)
	}
}

func TestCalibrationSummary(t *testing.T) {
	p := func(v float64) *float64 { return &v }
	records := []CalibrationRecord{
		{Form: "c0*x", Chosen: "x", Right: true, Verdict: "very likely, about 98 %: so", Word: "very likely", Probability: p(0.98)},
		{Form: "c0*x", Chosen: "x**2", Verdict: "likely, about 95 %: so", Word: "likely", Probability: p(0.95)},
		{Form: "c0*x", Chosen: "x", Right: true, Verdict: "as good as certain: so", Word: discover.Certain, Probability: p(0.99)},
		{Form: "c0*x", Verdict: "no law: so", Word: "no law"},
		{Chosen: "x", Verdict: "uncertain, about 50 %: so", Word: "uncertain", Probability: p(0.5)},
		{Right: true, Verdict: "no law: so", Word: "no law"},
		{Error: "boom"},
	}
	s := SummarizeCalibration(records)
	if s.Tables != 4 || s.Right != 2 || s.None != 1 || s.Noise != 2 || s.NoiseRight != 1 || s.Failed != 1 || s.Scored != 4 || len(s.Sure) != 1 {
		t.Errorf("%+v", s)
	}
	for i, want := range []int{0, 1, 0, 1, 1, 1} { // 0.5 is in the second bin, 0.99 in the last
		if s.Bins[i].Laws != want {
			t.Errorf("bin from %g: %d laws, want %d", s.Bins[i].Low, s.Bins[i].Laws, want)
		}
	}
	want := (0.02*0.02 + 0.95*0.95 + 0.01*0.01 + 0.5*0.5) / 4
	if math.Abs(s.Brier-want) > 1e-12 || math.Abs(s.BaseBrier-0.25) > 1e-12 || math.Abs(s.BaseLog-math.Ln2) > 1e-12 {
		t.Errorf("Brier %g, want %g; base %g, %g", s.Brier, want, s.BaseBrier, s.BaseLog)
	}
	var b strings.Builder
	if err := s.WriteCSV(&b, "abc", "physlib bench calibration"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 1+6+4+1 || strings.Join(rows[0], ",") != strings.Join(CalibrationHeader, ",") {
		t.Errorf("%v, %v", rows, err)
	}
	if text := SummarizeCalibration(nil).String(); !strings.Contains(text, "0 tables") {
		t.Error(text)
	}
}

// The prior has no law of a table of its own, except with Known. A table that was searched with one
// of the two priors is searched again with the other.
func TestCalibrationKnown(t *testing.T) {
	o := CalibrationOptions{Tables: 20, Seed: 5, Out: filepath.Join(t.TempDir(), "results.jsonl")}
	var examples []int
	o.discover = func(_ context.Context, _ *dataset.Table, s discover.Settings) (*discover.Result, error) {
		examples = append(examples, len(s.Prior.(*survey.Laws).Examples()))
		return &discover.Result{Stopped: "exhausted", Verdict: "no law: nothing explains it"}, nil
	}
	whole := len(prior.Default().Examples())
	for i, want := range []int{o.Tables, o.Tables, 0} { // the third run finds the results of the second
		o.Known = i > 0
		examples = nil
		if _, err := Calibration(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if len(examples) != want {
			t.Fatalf("run %d searches %d tables, not %d", i+1, len(examples), want)
		}
		if want > 0 && (slices.Min(examples) == whole) != o.Known {
			t.Errorf("known %v: the smallest prior has %d examples of %d", o.Known, slices.Min(examples), whole)
		}
	}
}
