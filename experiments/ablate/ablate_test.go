package ablate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ablation.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestErrorsNameWhatWasMeant(t *testing.T) {
	const head = "kind: infer\npreset: physdiffuse-small\n"
	const cell = head + "cells:\n  - name: a\n"
	for _, test := range []struct{ text, want string }{
		{"kind: infr\n", `kind: no "infr"; did you mean infer?`},
		{head + "seed: [1]\n", "did you mean seeds?"},
		{head, "cells: there are none"},
		{"kind: train\npreset: physdiffuse-small\n", "say how much processor time"},
		{cell + "    key: refine.stepz\n    values: [1]\n", `cell a: value 1: preset a=1: `},
		{cell + "    key: refine.stepz\n    values: [1]\n", `did you mean steps?`},
		{cell + "    key: refine.strategy\n    values: [smal]\n", `did you mean small?`},
		{cell + "    key: score.chose\n    values: [last]\n", `did you mean choose?`},
		{cell + "    key: score.choose\n    values: [lst]\n", `did you mean last?`},
		{cell + "    key: refine.steps\n    baseline: 3\n    values: [1, 2]\n", `baseline: "3" is not one of its values`},
		{cell + "    metric: amongst\n    key: refine.steps\n    values: [1]\n", `did you mean among?`},
		{cell + "    values: [1]\n", "1 is not a name with its changes"},
		{cell + "    values: []\n", "is not one of its values"},
		{cell + "    key: preset\n    values: [physdifuse]\n", "did you mean physdiffuse?"},
		{head + "score: {laws: -1}\ncells: [{name: a, key: refine.steps, values: [1]}]\n", "laws -1"},
		{head + "cells: [{name: a, key: refine.steps, values: [1]}, {name: a}]\n", `the name "a" is missing, in use`},
	} {
		_, _, err := Load(written(t, test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngives %v, want %s", test.text, err, test.want)
		}
	}
}

// Each ablation file in the repository is valid, and each of its cells has at least two values.
func TestConfigs(t *testing.T) {
	files, err := filepath.Glob("../configs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, path := range files {
		f, runs, err := Load(path)
		if err != nil {
			t.Error(err)
			continue
		}
		values := map[string][]string{}
		for _, r := range runs {
			if !slices.Contains(values[r.Cell], r.Value) {
				values[r.Cell] = append(values[r.Cell], r.Value)
			}
		}
		for cell, names := range values {
			if len(names) < 2 {
				t.Errorf("%s: %s has one value", f.Name, cell)
			}
		}
		if want := len(pending(runs, nil)); want == 0 || want > len(runs) {
			t.Errorf("%s: %d runs of %d", f.Name, want, len(runs))
		}
	}
}

// The hash of a run identifies what it computes. It does not depend on the run's cell, or on
// settings that only choose among its candidates.
func TestHash(t *testing.T) {
	_, runs, err := Load(written(t, `
kind: infer
preset: physdiffuse-small
seeds: [1]
cells:
  - {name: steps, key: refine.steps, values: [16, 8]}
  - {name: choice, key: score.choose, values: [best-fit, last]}
  - {name: samples, key: refine.samples, values: [128, 64]}
  - {name: laws, key: score.laws, values: [40, 41]}
`))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, r := range pending(runs, nil) {
		left = append(left, r.Name())
	}
	if got, want := strings.Join(left, " "), "steps=16-s1 steps=8-s1 samples=64-s1 laws=41-s1"; got != want {
		t.Errorf("to be run: %s, want %s", got, want)
	}
	done := map[string]*Result{runs[0].Hash(): {}}
	if n := len(pending(runs, done)); n != 3 {
		t.Errorf("%d left of 4 when one is done", n)
	}
}

func TestMerged(t *testing.T) {
	a := map[string]any{"refine": map[string]any{"steps": 1, "rounds": 2}, "seq": 9}
	b := merged(a, nested("refine.steps", 8))
	if got := b["refine"].(map[string]any); got["steps"] != 8 || got["rounds"] != 2 || b["seq"] != 9 {
		t.Errorf("%v", b)
	}
	if a["refine"].(map[string]any)["steps"] != 1 {
		t.Error("what is merged has changed")
	}
}

// With 20 laws per run, a value that loses one law in ten is not significantly worse than the
// baseline. A value that loses half of the laws is worse, although recovery also differs between
// seeds.
func TestSummary(t *testing.T) {
	f, runs, err := Load(written(t, `
kind: infer
preset: physdiffuse-small
seeds: [1, 2]
cells: [{name: a, key: refine.steps, values: [1, 2, 3]}]
`))
	if err != nil {
		t.Fatal(err)
	}
	done := map[*Run]*Result{}
	for _, r := range runs {
		result := &Result{}
		for i := range 20 {
			found := i < 10+int(r.Seed)*3
			switch r.Value {
			case "2":
				found = found && i > 0
			case "3":
				found = found && i%2 == 0
			}
			result.Laws = append(result.Laws, Outcome{ID: string(rune('a' + i)), Among: found})
		}
		done[r] = result
	}
	lines := f.summary(runs, findings{results: done})
	want := []string{"baseline", "no difference seen", "worse"}
	for i, l := range lines {
		if l.verdict != want[i] {
			t.Errorf("%s: %s, want %s: %+v", l.value, l.verdict, want[i], l)
		}
	}
	if l := lines[0]; math.Abs(l.mean-14.5/20) > 1e-9 || math.Abs(l.spread-3./20/math.Sqrt2) > 1e-9 {
		t.Errorf("mean %v, spread %v", l.mean, l.spread)
	}
	if l := lines[1]; math.Abs(l.difference+0.05) > 1e-9 {
		t.Errorf("difference %v", l.difference)
	}
}

// Losses are better if they are lower. Their standard errors come from a variance between seeds
// that is common to most values. A value whose runs differ much more has its own variance.
func TestSummaryOfLosses(t *testing.T) {
	f, runs, err := Load(written(t, `
kind: train
preset: physdiffuse-small
time: 1m
seeds: [1, 2]
cells: [{name: a, key: train.dim_loss, values: [0, 0.1, 0.2, 0.3, 0.4]}]
`))
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]float64{"0": 2, "0.1": 2.01, "0.2": 1.5, "0.4": 3}
	done := map[*Run]*Result{}
	for _, r := range runs {
		if x, ok := of[r.Value]; ok {
			if r.Value == "0.4" {
				x += float64(r.Seed)
			}
			done[r] = &Result{Metrics: map[string]float64{"tokens_loss": x + 0.02*float64(r.Seed)}}
		}
	}
	var got []string
	for _, l := range f.summary(runs, findings{results: done}) {
		got = append(got, l.value+" "+l.verdict)
	}
	if got, want := strings.Join(got, ", "), "0 baseline, 0.1 no difference seen, 0.2 better, 0.4 worse"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	delete(done, runs[0])
	delete(done, runs[5])
	if l := f.summary(runs, findings{results: done})[0]; l.verdict != "the baseline is not done" {
		t.Errorf("%+v", l)
	}
}

func TestChoose(t *testing.T) {
	law := func(text string) expr.Tree {
		tree, err := expr.Parse(text, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	all := []*candidate{
		{skeleton: law("x"), visits: 2, last: 1, r2: 0.5},
		{skeleton: law("x + sin(x)"), visits: 1, last: 1, r2: 1},
		{skeleton: law("x**2"), visits: 1, last: 2, r2: 1 - 1e-12},
		{skeleton: law("exp(x)"), visits: 3, r2: math.Inf(-1)},
	}
	for how, want := range map[string]int{"first": 0, "most-visited": 3, "last": 2, "best-fit": 2} {
		if got := choose(how, all); got != all[want] {
			t.Errorf("%s: %v, want %v", how, got.skeleton, all[want].skeleton)
		}
	}
	for _, how := range chooses {
		if choose(how, nil) != nil {
			t.Errorf("%s of nothing", how)
		}
	}
	if choose("last", all[3:]) != nil {
		t.Error("nothing was last")
	}
}

// A table keeps the rows of other ablations. A file with another kind of table is refused.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	columns := []string{"ablation", "x"}
	for _, name := range []string{"one", "two", "one"} {
		old, err := read(path, columns)
		if err != nil {
			t.Fatal(err)
		}
		if err := (&File{Name: name}).replace(path, columns, old, [][]string{{name, "1"}}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if want := "ablation,x\ntwo,1\none,1\n"; err != nil || string(data) != want {
		t.Errorf("%q, want %q (%v)", data, want, err)
	}
	if _, err := read(path, []string{"other"}); err == nil || !strings.Contains(err.Error(), "is another table") {
		t.Errorf("%v", err)
	}
}

// A clone of the repository has the tables but no runs. A new run there keeps all other rows,
// except rows with another budget.
func TestSaveInClone(t *testing.T) {
	const text = `
seeds: [1, 2]
preset: physdiffuse-small
score: {laws: 20}
cells:
  - {name: a, %s, values: [1, 2, 3]}
  - {name: b, %s, values: [1, 2]}
`
	for kind, key := range map[string]string{"infer": "key: refine.steps", "train": "key: train.dim_loss", "adapt": "key: adapt.steps"} {
		t.Run(kind, func(t *testing.T) {
			head := "kind: " + kind + "\n"
			if kind == "train" {
				head += "time: 1m\n"
			}
			config := written(t, head+fmt.Sprintf(text, key, key))
			f, runs, err := Load(config)
			if err != nil {
				t.Fatal(err)
			}
			all := map[string]*Result{}
			for i, r := range runs {
				result := &Result{Hash: r.Hash(), Name: r.Name(), Budget: r.budget(), Metrics: map[string]float64{"laws": 20, "rank": 4, "seconds": 0.1, "steps": 3}}
				if kind != "infer" {
					result.Metrics["tokens_loss"], result.Metrics["found"] = 1+float64(i%5)/10, float64(i%3)/20
				}
				for k := range 20 {
					if kind != "adapt" {
						result.Laws = append(result.Laws, Outcome{ID: fmt.Sprint(k), Among: (i+k)%4 > 0, R2: 1})
					}
				}
				all[r.Hash()] = result
			}
			path := filepath.Join(t.TempDir(), "a.csv")
			texts := func() string {
				one, _ := os.ReadFile(path)
				two, _ := os.ReadFile(strings.TrimSuffix(path, ".csv") + "-summary.csv")
				return string(one) + string(two)
			}
			if _, err := f.save(path, runs, all); err != nil {
				t.Fatal(err)
			}
			want := texts()
			last := runs[len(runs)-1]
			for name, done := range map[string]map[string]*Result{"none": {}, "one": {last.Hash(): all[last.Hash()]}} {
				if _, err := f.save(path, runs, done); err != nil {
					t.Fatal(err)
				}
				if got := texts(); got != want {
					t.Errorf("with %s of the runs at hand the tables are\n%s\nwant\n%s", name, got, want)
				}
			}
			if kind == "adapt" {
				return
			}
			for _, r := range runs {
				r.Score.Rows++
			}
			found, err := f.save(path, runs, nil)
			if err != nil || len(found.results) > 0 {
				t.Errorf("results of another budget are read as these: %v (%v)", found.results, err)
			}
		})
	}
}

// The gains of adaptation are written as one row per run. A run that several cells share has one
// row.
func TestAdaptRows(t *testing.T) {
	f, runs, err := Load("../configs/tta.yaml")
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]*Result{runs[1].Hash(): {Name: runs[1].Name(), Metrics: map[string]float64{"laws": 12, "rank": 8, "found": 0.25, "adapted_found": 0.5}}}
	path := filepath.Join(t.TempDir(), "tta.csv")
	if _, err := f.save(path, runs, done); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if want := strings.Join(adaptHeader, ",") + "\ntta,physdiffuse-small,rank,8,1,8,0,12,3,0,6,0,0,0,0,rank=8-s1,\n"; err != nil || string(data) != want {
		t.Errorf("%q, want %q (%v)", data, want, err)
	}
}
