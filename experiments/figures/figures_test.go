package figures

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/figure"
)

// results holds small files of every kind of result, as the commands write them, by name.
var results = map[string]string{
	"peers.csv": "# about\nmethod,units,noise,recovered,source\nPhySO,yes,0,58.4,x\nPhySO,yes,0.1,53.4,x\nuDSR,no,0,69,x\n",
	"recovery-feynman.csv": recoveryTable(
		bench.Row{Run: "recovery-a", Record: recovered("1", 0, true)},
		bench.Row{Run: "recovery-a", Record: recovered("2", 0, false)},
		bench.Row{Run: "recovery-b", Record: recovered("1", 0, true, "search", "physdiffuse")},
		bench.Row{Run: "recovery-b", Record: recovered("2", 0, true, "search", "physdiffuse")},
		bench.Row{Run: "recovery-rerun", Record: recovered("2", 0.5, true)},
		bench.Row{Run: "other", Record: recovered("1", 0, false)},
	),
	"recovery-many.csv": recoveryTable(many("many", "recovery-many", fewestLaws)...),
	"ledger.csv": "run,suite,seed,laws,time,part,ran,found,alone,cpu_seconds,version,machine,command\n" +
		"ledger-seed-1,,1,9,3,groups joins 0,9,5,2,3.5,abc,m,c\nledger-seed-1,,1,9,3,variables simplest,9,1,0,0.1,abc,m,c\n" +
		"ledger-seed-2,,2,9,3,groups joins 0,8,4,0,1.5,def,m,c\nfeynman,feynman,2,9,3,groups joins 0,8,4,0,1.5,other,m,c\n",
	"candidates-feynman.csv": candidatesTable(
		bench.CandidateRecord{ID: "1", Tokens: 5, Rank: 3, Samples: 16, Version: "abc"},
		bench.CandidateRecord{ID: "2", Tokens: 12, Samples: 16, Version: "abc"},
	),
	"train-tiny.csv":            "step,loss,tokens_loss\n1,3,3\n10,2,1.9\n100,1,NaN\n",
	"train-tiny.json":           `{"task":"tiny","settings":{"time":"1h37m0s","clock":"cpu"}}`,
	"train-tiny-validation.csv": "step,loss,tokens_loss\n10,2,2.1\n100,1.5,1.6\n",
	"refinement-steps.csv":      "preset,steps,samples,recovered,laws,seconds\ntiny,1,32,3,40,0.5\ntiny,16,32,20,40,3\n",
	"ablations.csv":             "ablation,cell,value,run\ninfer,steps,1,steps-1\n",
	"ablations-summary.csv":     "ablation,kind,cell,value,baseline,metric,runs,mean,spread,difference,standard_error,unit,verdict\ninfer,infer,steps,1,16,among,2,0.3,0.1,-0.1,0.04,share of laws,worse\ninfer,infer,steps,16,16,among,2,0.4,0.1,NaN,NaN,share of laws,baseline\ninfer,train,rope,tree,none,tokens_loss,1,1.2,NaN,0.1,NaN,nats,\n",
	"params.csv":                "preset,parameters,claimed\nsmall,900000,\nparr,35000000,80000000\n",
	"tta.csv":                   "ablation,preset,cell,value,seed,rank,steps,laws,before,twice,after\ntta,tiny,rank,8,1,8,24,10,5,6,6\n",
	"systems.csv":               "ablation,kind,preset,cell,value,baseline,seed,metric,score,unit,budget,run,command\nsystems,infer,tiny,heldout,tiny,tiny,1,among,0.5,share of laws,\"60 heldout laws, 64 rows\",r,c\nsystems,infer,tiny,heldout,tiny,tiny,2,among,0.4,share of laws,\"60 heldout laws, 64 rows\",r2,c\n",
	"eval.csv":                  "set,rows,engine,rate\narith,1000,physlib,5.2\narith,1000,numpy,0.3\n",
	"pdr-lenses.csv":            "# about\nlayer,place,token,channel,gate\n0,0,k,0,0.9\n0,1,~,0,0.8\n0,0,k,1,0.5\n0,1,~,1,0.4\n",
	"pdr-renorm.csv":            "# about\nrenorm,tokens,keep,state_norm,relative_error\n0,1000,0.9,9,1e-7\n0,10000,0.9,9,2e-7\n8192,1000,0.9,9,1e-7\n",
	"pdr-speed.csv":             "form,seq,batch,dim,rank,forward_cpu_s,both_cpu_s,left_out\nstep,1024,1,8,4,0.01,0.03,\nscan,1024,1,8,4,,,memory\n",
	"pdr-recall.csv":            "# about\ntask,variant,seed,parameters,steps,loss,length,accuracy\nrecall,full,1,9,9,1,64,0.9\nrecall,full,2,9,9,1,64,0.8\nrecall,full,1,9,9,1,128,0.5\n",
	"calibration.csv":           "kind,name,low,high,laws,right,stated,share_low,share_high,run,command\nbin,,0,0.5,10,3,0.3,0.1,0.6,abc,c\nbin,,0.5,0.7,0,0,0,0,1,abc,c\nbin,,0.99,1,20,20,0.99,0.84,1,abc,c\nword,likely,,,9,8,0.93,0.5,1,abc,c\n",
	"film-line.json":            `{"law":"y = x","frames":[{"sample":0,"cells":[{"token":"x","shown":false,"top":[{"token":"x","p":0.6}]}]},{"sample":0,"cells":[{"token":"x","shown":true,"top":[{"token":"x","p":0.9}]}]}]}`,
}

// recovered returns a record of the Feynman suite.
func recovered(id string, noise float64, exact bool, proposers ...string) bench.Record {
	return bench.Record{ID: id, Suite: "feynman", Noise: noise, Exact: exact, Seconds: 0.2, Units: true, Time: 20, Proposers: proposers, Version: "abc"}
}

// many returns the rows of one run that found many laws of a suite, where the n-th took n seconds.
func many(suite, run string, laws int, proposers ...string) (rows []bench.Row) {
	for i := range laws {
		r := bench.Row{Run: run, Record: recovered(fmt.Sprintf("%03d", i), 0, true, proposers...)}
		r.Suite, r.Seconds = suite, float64(i+1)
		rows = append(rows, r)
	}
	return rows
}

func recoveryTable(rows ...bench.Row) string {
	var b strings.Builder
	if err := bench.WriteRows(&b, rows); err != nil {
		panic(err)
	}
	return b.String()
}

func candidatesTable(records ...bench.CandidateRecord) string {
	var rows []bench.CandidateRow
	for _, r := range records {
		rows = append(rows, bench.CandidateRow{Run: "candidates-feynman", CandidateRecord: r})
	}
	var b strings.Builder
	if err := bench.WriteCandidateRows(&b, rows); err != nil {
		panic(err)
	}
	return b.String()
}

// folder writes results and returns a command that reads them.
func folder(t *testing.T, results map[string]string) (*Cmd, *bytes.Buffer) {
	dir := t.TempDir()
	c := &Cmd{Results: filepath.Join(dir, "results"), Out: filepath.Join(dir, "figures"), stdout: &bytes.Buffer{}}
	if err := os.Mkdir(c.Results, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range results {
		if err := os.WriteFile(filepath.Join(c.Results, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c, c.stdout.(*bytes.Buffer)
}

func run(t *testing.T, c Cmd) error {
	t.Helper()
	return c.Run(context.Background())
}

// Every figure is drawn from files as the commands write them, and the drawn files pass the check.
func TestEvery(t *testing.T) {
	c, out := folder(t, results)
	if err := run(t, *c); err != nil {
		t.Fatal(err)
	}
	all, err := plan(c.Results)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		for _, ending := range []string{".svg", ".pdf", ".json"} {
			if _, err := os.Stat(filepath.Join(c.Out, d.name+ending)); err != nil {
				t.Error(err)
			}
		}
	}
	check := *c
	check.Check = true
	if err := run(t, check); err != nil {
		t.Fatal(err)
	}
	if want := "; 0 have no results yet"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in %q", want, out)
	}
	page, _ := os.ReadFile(filepath.Join(c.Out, "README.md"))
	if s := string(page); strings.Contains(s, "not run yet") || !strings.Contains(s, "![film-line](film-line.svg)") {
		t.Errorf("gallery:\n%s", s)
	}
	b, _ := os.ReadFile(filepath.Join(c.Out, "recovery-noise.json"))
	var n note
	if err := json.Unmarshal(b, &n); err != nil || len(n.Inputs) != 2 || len(n.Runs) != 1 || n.Runs[0] != "abc" {
		t.Errorf("%v in %s", err, b)
	}
}

// The check reports by name each figure that does not agree with its data.
func TestCheckFinds(t *testing.T) {
	part := map[string]string{}
	for _, name := range []string{"eval.csv", "params.csv", "pdr-recall.csv", "tta.csv"} {
		part[name] = results[name]
	}
	c, _ := folder(t, part)
	if err := run(t, *c); err != nil {
		t.Fatal(err)
	}
	check := *c
	check.Check = true
	for _, change := range []struct {
		what, file, text, want string
	}{
		{"other data", "results/eval.csv", "set,rows,engine,rate\narith,1000,physlib,6\n", "throughput: "},
		{"a picture by hand", "figures/parameters.svg", "<svg/>", "parameters: parameters.svg is not"},
		{"another PDF", "figures/parameters.pdf", "%PDF", "parameters: parameters.pdf is not"},
		{"another gallery", "figures/README.md", "# Figures\n", "README.md"},
		{"a figure of nothing", "figures/drawn-by-hand.svg", "<svg/>", "drawn-by-hand.svg"},
		{"another command", "figures/pdr-recall.json", `{"inputs":[]}`, "pdr-recall: "},
	} {
		path := filepath.Join(filepath.Dir(c.Out), change.file)
		was, old := os.ReadFile(path)
		os.WriteFile(path, []byte(change.text), 0o644)
		if err := run(t, check); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%s: %v, want %q", change.what, err, change.want)
		}
		os.WriteFile(path, was, 0o644)
		if old != nil {
			os.Remove(path)
		}
	}
	if err := run(t, check); err != nil {
		t.Errorf("all as it was: %v", err)
	}
	os.Remove(filepath.Join(c.Results, "tta.csv"))
	if err := run(t, check); err == nil || !strings.Contains(err.Error(), "adaptation: ") {
		t.Errorf("without results: %v", err)
	}
}

// The command of a learning curve is that of the run's record.
func TestTrained(t *testing.T) {
	c, _ := folder(t, results)
	for name, want := range map[string]string{
		"tiny": "physlib train --preset tiny --time 97m --clock cpu --out runs/tiny",
		"none": "physlib train --preset none --time TIME --out runs/none",
	} {
		if got := trained(c.Results, name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A file left by a killed process is not a figure, and the next drawing removes it.
func TestKilled(t *testing.T) {
	c, _ := folder(t, results)
	if err := run(t, *c); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(c.Out, ".README.md8273645")
	if err := os.WriteFile(left, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	check := *c
	check.Check = true
	if err := run(t, check); err != nil {
		t.Errorf("with a file that is not whole: %v", err)
	}
	if err := run(t, *c); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("it is not removed: %v", err)
	}
}

// If there are no results, the gallery lists commands and no figure.
func TestNothing(t *testing.T) {
	c, out := folder(t, nil)
	if err := run(t, *c); err != nil {
		t.Fatal(err)
	}
	page, _ := os.ReadFile(filepath.Join(c.Out, "README.md"))
	if n := strings.Count(string(page), "not run yet: `physlib "); n < 10 {
		t.Errorf("%d figures wait:\n%s", n, page)
	}
	c.List = true
	if err := run(t, *c); err != nil || !strings.Contains(out.String(), "not run yet: physlib bench eval") {
		t.Errorf("%v, %s", err, out)
	}
	check := *c
	check.List, check.Check = false, true
	if err := run(t, check); err != nil {
		t.Error(err)
	}
}

// Mistakes are reported in one line that names the file and the cause.
func TestMistakes(t *testing.T) {
	for _, m := range []struct{ file, text, want string }{
		{"eval.csv", "set,rows\na,1\n", "eval.csv has no column engine"},
		{"eval.csv", "set,rows,engine,rate\na,1,p,fast\n", `eval.csv, row 1, column rate: "fast"`},
		{"eval.csv", "", "eval.csv is empty"},
		{"recovery-x.csv", "run,law\n", "recovery-x.csv has the columns run, law"},
		{"recovery-x.csv", strings.Replace(results["recovery-feynman.csv"], "true", "perhaps", 1), "recovery-x.csv, row 1, column units"},
		{"film-x.json", `{"frames":[]}`, "film-x.json"},
		{"film-x.json", `{"frames":[{"cells":[{}]},{"cells":[]}]}`, "frame 1"},
		{"train-x.csv", "step,loss\n1,a,b\n", "train-x.csv"},
	} {
		c, _ := folder(t, map[string]string{m.file: m.text, "peers.csv": results["peers.csv"]})
		err := run(t, *c)
		if err == nil || !strings.Contains(err.Error(), m.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %q: %v, want %q", m.file, m.text, err, m.want)
		}
	}
	c, _ := folder(t, nil)
	c.Only = []string{"recovery"}
	if err := run(t, *c); err == nil || !strings.Contains(err.Error(), "recovery-noise") {
		t.Errorf("--only of none: %v", err)
	}
	c.Results += "x"
	if err := run(t, *c); err == nil || !strings.Contains(err.Error(), "--results") {
		t.Errorf("no folder: %v", err)
	}
}

// A run of only a part of a suite, and a run whose name lacks the usual prefix, count as reruns and
// are not drawn. Seeds of one condition are counted together.
func TestOutcomes(t *testing.T) {
	var rows []bench.Row
	for seed := range int64(2) {
		for id, exact := range map[string]bool{"1": true, "2": false} {
			r := bench.Row{Run: fmt.Sprint("recovery-seed", seed), Record: recovered(id, 0, exact)}
			r.Seed = seed
			rows = append(rows, r)
		}
	}
	rows = append(rows, bench.Row{Run: "recovery-rerun", Record: recovered("2", 0.5, true)}, bench.Row{Run: "alone", Record: recovered("1", 0.5, true)})
	c, _ := folder(t, map[string]string{"recovery-feynman.csv": recoveryTable(rows...)})
	s := &source{dir: c.Results}
	all, err := s.outcomes(func(condition) bool { return true })
	if err != nil || len(all) != 1 || len(all[0].records) != 4 || all[0].exact() != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := strings.Join(s.names(), " "); got != "recovery-feynman.csv" {
		t.Errorf("drawn from %s", got)
	}
}

// If there is no table of refinement steps, the steps are read from the table of ablations.
func TestRefined(t *testing.T) {
	c, _ := folder(t, map[string]string{"ablations.csv": "ablation,kind,preset,cell,value,baseline,seed,metric,score,unit,budget,run,command\n" +
		"infer,infer,tiny,steps,16,16,1,among,0.5,share of laws,\"60 heldout laws, 64 rows\",a,c\n" +
		"infer,infer,tiny,steps,1,16,1,among,0.25,share of laws,\"60 heldout laws, 64 rows\",b,c\n" +
		"infer,infer,tiny,strategy,beam,small,1,among,0.9,share of laws,\"60 heldout laws, 64 rows\",d,c\n"})
	by, timed, err := (&source{dir: c.Results}).refined()
	if p := by["tiny"]; err != nil || timed || len(p) != 2 || p[0].steps != 1 || p[0].share.Note != "15 of 60" || p[1].share.Value != 50 {
		t.Errorf("%+v, %v, %v", by, timed, err)
	}
}

func BenchmarkEvery(b *testing.B) {
	dir := b.TempDir()
	for name, text := range results {
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	all, err := plan(dir)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, d := range all {
			p, err := d.draw(&source{dir: dir})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Draw(figure.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// Each kind of ablations is drawn by itself; a missing kind is reported.
func TestAblationsOfAKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sum.csv")
	if err := os.WriteFile(path, []byte(results["ablations-summary.csv"]), 0o644); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{"infer": {"steps, instead of 16", "percentage points"}, "train": {"rope, instead of none", "less is better"}, "": {"steps", "rope"}} {
		p, err := Ablations(path, kind)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := p.SVG(figure.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(svg), w) {
				t.Errorf("%s ablations lack %q", kind, w)
			}
		}
		if kind == "train" && strings.Contains(string(svg), "steps") {
			t.Error("training is drawn with the rest")
		}
	}
	if _, err := Ablations(path, "adapt"); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("ablations of no row: %v", err)
	}
}
