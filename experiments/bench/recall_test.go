package bench

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecall trains two networks briefly. It expects a row for each length, the gates of the first
// network, and the same rows from a second call, which reads them from the folder.
func TestRecall(t *testing.T) {
	dir := t.TempDir()
	args := []string{"recall", "--tasks", "copy", "--variants", "full,fixed+keep=0.9", "--seeds", "3", "--steps", "2", "--seq", "16", "--items", "2", "--lengths", "12,8",
		"--dim", "8", "--rank", "2", "--hidden", "8", "--backend", "go", "--out", filepath.Join(dir, "runs"), "--csv", filepath.Join(dir, "r.csv"), "--lenses", filepath.Join(dir, "l.csv")}
	run := func() string {
		c, err := parse(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		c.Recall.stdout = &out
		if err := c.Recall.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := run()
	for _, want := range []string{"\ncopy,full,3,", ",2,0.0000,8,0.", "\ncopy,fixed+keep=0.9,3,"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
	if again := run(); again != first {
		t.Errorf("from its folder:\n%s\nwas\n%s", again, first)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "r.csv")); err != nil || string(text) != first {
		t.Errorf("the file: %v\n%s", err, text)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "l.csv")); err != nil || strings.Count(string(text), "\n") != 3+2*16*8 {
		t.Errorf("gates: %v\n%.300s", err, text)
	}
}

// TestTrajectories checks that time and memory of each encoder and length are measured without
// training.
func TestTrajectories(t *testing.T) {
	c, err := parse(t, "trajectories", "--cost", "--lengths", "40,8", "--dim", "8", "--backend", "go", "--encoders", "pdr,set,set-32,attention")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c.Trajectories.stdout = &out
	if err := c.Trajectories.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 3+4*2 || !strings.Contains(out.String(), "\nset-32,1,0,0.0000,40,,") {
		t.Error(out.String())
	}
}

// Impossible settings give an error before anything is trained.
func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"use recall or copy":        {"recall", "--tasks", "sort"},
		"unknown part \"wide\"":     {"recall", "--variants", "wide"},
		"it takes 24":               {"recall", "--lengths", "20"},
		"use pdr, set, set-32":      {"trajectories", "--encoders", "lstm"},
		"multiple of 8":             {"trajectories", "--dim", "12"},
		"must be above zero":        {"trajectories", "--lengths", "0"},
		"--dim 4: must be a multip": {"pdr", "--dim", "4"},
	} {
		c, err := parse(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		run := map[string]func(context.Context) error{"recall": c.Recall.Run, "trajectories": c.Trajectories.Run, "pdr": c.PDR.Run}[args[0]]
		if err := run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}

// TestPDRStreams checks that --stream and --drift write their tables to files.
func TestPDRStreams(t *testing.T) {
	for what, want := range map[string]string{"--stream": "\n2048,", "--drift": "\n8192,1000,0.9999999,"} {
		path := filepath.Join(t.TempDir(), "t.csv")
		c, err := parse(t, "pdr", what, "2048", "--dim", "16", "--rank", "2", "--backend", "go", "--csv", path)
		if err != nil {
			t.Fatal(err)
		}
		c.PDR.stdout = &bytes.Buffer{}
		if err := c.PDR.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", what, err, text)
		}
	}
}
