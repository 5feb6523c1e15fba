package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/bench"
)

func parse(t *testing.T, args ...string) (Cmd, error) {
	t.Helper()
	var c Cmd
	k, err := kong.New(&c, kong.Name("bench"), kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Parse(args)
	return c, err
}

func TestFlags(t *testing.T) {
	c, err := parse(t, "recovery", "--suite", "laws.csv", "--noise", "0.01", "--units=false", "--time", "2s", "--ids", "I.6.2,b 2",
		"--rows", "50", "--jobs", "2", "--seed", "7", "--out", "r.jsonl", "--sympy")
	if err != nil {
		t.Fatal(err)
	}
	r := c.Recovery
	if r.Suite != "laws.csv" || r.Noise != 0.01 || r.Units || r.Time != 2*time.Second || !cmp.Equal(r.IDs, []string{"I.6.2", "b 2"}) ||
		r.Rows != 50 || r.Jobs != 2 || r.Seed != 7 || r.Out != "r.jsonl" || !r.SymPy {
		t.Errorf("%+v", r)
	}
	if c, err = parse(t, "recovery", "--suite", "feynman"); err != nil {
		t.Fatal(err)
	}
	if r := c.Recovery; !r.Units || r.Time != time.Minute || r.Rows != 1000 || r.Jobs != 1 || r.SymPy {
		t.Errorf("defaults: %+v", r)
	}
	if c, err = parse(t, "recovery", "--suite", "feynman", "--proposers", "search,physdiffuse", "--backend", "xla:cpu"); err != nil {
		t.Fatal(err)
	}
	if r := c.Recovery; !cmp.Equal(r.Proposers, []string{"search", "physdiffuse"}) || r.Backend != "xla:cpu" {
		t.Errorf("proposers: %+v", r)
	}
	if c, err = parse(t, "candidates", "--weights", "w.safetensors", "--steps", "8"); err != nil {
		t.Fatal(err)
	}
	if r := c.Candidates; r.Preset != "physdiffuse-small" || r.Weights != "w.safetensors" || r.Suite != "heldout" || r.Steps != 8 || r.Samples != 128 || r.Rows != 64 || !r.Units {
		t.Errorf("candidates: %+v", r)
	}
	if c, err = parse(t, "tables", "--set", "all", "--only", "tea,cars", "--class", "biology", "--units", "none", "--evals", "100"); err != nil {
		t.Fatal(err)
	}
	if r := c.Tables; r.Set != "all" || !cmp.Equal(r.Only, []string{"tea", "cars"}) || r.Class != "biology" || r.Units != "none" || r.Time != 0 || r.Evals != 100 || r.Jobs != 1 {
		t.Errorf("tables: %+v", r)
	}
	if _, err = parse(t, "recovery"); err == nil || !strings.Contains(err.Error(), "--suite") {
		t.Errorf("without a suite: %v", err)
	}
}

func TestRecoveryErrors(t *testing.T) {
	for want, c := range map[string]RecoveryCmd{
		"no-such.csv":      {Suite: "no-such.csv", Time: time.Second, Rows: 10, Jobs: 1},
		"must be above":    {Suite: "feynman", Time: -time.Second, Rows: 10, Jobs: 1},
		"no law \"I.6\"":   {Suite: "feynman", IDs: []string{"I.6"}, Time: time.Second, Rows: 10, Jobs: 1},
		"not for --ode":    {Suite: "strogatz", ODE: true, Digits: 3, Time: time.Second, Rows: 10, Jobs: 1},
		"noise -0.1: give": {Suite: "feynman", Noise: -0.1, Time: time.Second, Rows: 10, Jobs: 1},
	} {
		if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestCandidatesErrors(t *testing.T) {
	for want, c := range map[string]CandidatesCmd{
		"rows are at least 4":      {Preset: "physdiffuse-small", Rows: 3, Samples: 1},
		"did you mean physdiffuse": {Preset: "physdifuse", Rows: 64, Samples: 128},
		"open no-such":             {Preset: "physdiffuse-small", Rows: 64, Samples: 128, Weights: "no-such", Backend: "go"},
		"unknown backend":          {Preset: "physdiffuse-small", Rows: 64, Samples: 128, Weights: "no-such", Backend: "cuda"},
	} {
		c.stderr = io.Discard
		if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestRecoveryInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, progress bytes.Buffer
	c := RecoveryCmd{
		Suite: "nguyen", Time: time.Second, Rows: 10, Jobs: 1, Out: filepath.Join(t.TempDir(), "r.jsonl"),
		stdout: &out, stderr: &progress,
	}
	err := c.Run(ctx)
	var e exit
	if !errors.As(err, &e) || e.ExitCode() != 130 || !strings.Contains(err.Error(), "continues from there") {
		t.Errorf("error %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("a summary of no laws: %s", out.String())
	}
}

func TestTablesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, progress bytes.Buffer
	c := TablesCmd{Set: "developed", Only: []string{"tea"}, Jobs: 1, Out: filepath.Join(t.TempDir(), "r.jsonl"), stdout: &out, stderr: &progress}
	err := c.Run(ctx)
	var e exit
	if !errors.As(err, &e) || e.ExitCode() != 130 || !strings.Contains(err.Error(), "continues from there") {
		t.Errorf("error %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("counts of no tables: %s", out.String())
	}
	c.Jobs = 0
	if err := c.Run(t.Context()); !errors.As(err, &e) || e.ExitCode() != 2 {
		t.Errorf("no jobs: error %v", err)
	}
}

func TestProgressLine(t *testing.T) {
	r2 := 0.25
	for want, r := range map[string]bench.Record{
		"  3/14 exact  ": {ID: "a", Exact: true, FrontExact: true, Found: "x", R2: &r2},
		"  3/14 front  ": {ID: "a", FrontExact: true, Found: "x", R2: &r2},
		"  3/14 MISSED ": {ID: "a"},
		"  3/14 ERROR  ": {ID: "a", Error: "boom\nstack"},
	} {
		line := progressLine(bench.Report{Record: r, Done: 3, Total: 14})
		if !strings.HasPrefix(line, want) || strings.Contains(line, "\n") {
			t.Errorf("%q, want %q …", line, want)
		}
	}
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	os.WriteFile(a, []byte(`{"id":"1","exact":true,"true":"x*y","seconds":1}`+"\n"), 0o644)
	os.WriteFile(b, []byte(`{"id":"1","exact":false,"found":"x+y","seconds":0.5}`+"\n"), 0o644)
	var out bytes.Buffer
	if err := (&CompareCmd{A: a, B: b, stdout: &out}).Run(); err != nil {
		t.Fatal(err)
	}
	want := "laws in both 1: A recovers 1, B 0; B is 2.00 times as fast\nby one alone: A 1, B 0; p = 1 (exact sign test)\nonly A: 1\n  true  x*y\n  B has x+y\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if err := (&CompareCmd{A: a, B: filepath.Join(dir, "c.jsonl")}).Run(); err == nil {
		t.Error("a missing file is not an error")
	}
}

func TestTally(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "search.jsonl"), filepath.Join(dir, "genetic.jsonl")
	os.WriteFile(a, []byte(`{"id":"1","suite":"nguyen","exact":true,"seconds":1}`+"\n"), 0o644)
	os.WriteFile(b, []byte(`{"id":"1","suite":"nguyen","seconds":0.5}`+"\n"), 0o644)
	var out bytes.Buffer
	if err := (&TallyCmd{Files: []string{a, b}, stdout: &out}).Run(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"search", "genetic", "nguyen, no units", "1/1", "0/1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if err := (&TallyCmd{Files: []string{a, filepath.Join(dir, "c.jsonl")}}).Run(); err == nil {
		t.Error("a missing file is not an error")
	}
}

func TestTablesCommand(t *testing.T) {
	for want, r := range map[string]bench.TableRecord{
		"physlib bench tables --set held-out --time 6s --clock cpu --proposers forms,search": {
			Set: "held-out", Units: true, Time: 6, Clock: "cpu", Proposers: []string{"forms", "search"}},
		"physlib bench tables --set held-out --units none --evals 500 --seed 3 --leave-out --proposers ": {Set: "held-out", Limit: 500, Seed: 3, LeftOut: true},
	} {
		if got := tablesCommand(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
