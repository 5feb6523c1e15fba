package bench

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/search"
)

func TestLedgerErrors(t *testing.T) {
	dir := raw(t, map[string]string{
		"suite.jsonl": strings.Replace(ledgerLines, `"index":0`, `"index":0,"suite":"feynman"`, 1),
		"class.jsonl": strings.Replace(ledgerLines, "unitless", "free", 1),
		"other.jsonl": "[1]\n",
	})
	table := filepath.Join(dir, "table.csv")
	for want, c := range map[string]LedgerCmd{
		"laws may not be negative": {Laws: -1, Rows: 200, Time: time.Second},
		"rows are at least 20":     {Rows: 19, Time: time.Second},
		"time above zero":          {Rows: 200},
		"--suite --table":          {Suite: "feynman", Table: table, Rows: 200, Time: time.Second},
		"no-such":                  {Suite: "no-such", Rows: 200, Time: time.Second},
		"leave out --suite":        {Files: []string{"a.jsonl"}, Out: "b.jsonl", Rows: 200, Time: time.Second},
		"law a of feynman":         {Files: []string{filepath.Join(dir, "suite.jsonl")}, Table: table, Rows: 200, Time: time.Second},
		`no class "free"`:          {Files: []string{filepath.Join(dir, "class.jsonl")}, Table: table, Rows: 200, Time: time.Second},
		"line 1 is no result":      {Files: []string{filepath.Join(dir, "other.jsonl")}, Rows: 200, Time: time.Second},
	} {
		c.stdout, c.stderr = &bytes.Buffer{}, &bytes.Buffer{}
		if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := os.Stat(table); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a table is written in spite of an error: %v", err)
	}
}

// The laws of several files give one summary and one table of seconds.
func TestLedgerFiles(t *testing.T) {
	dir := raw(t, map[string]string{"one.jsonl": ledgerLines, "two.jsonl": strings.ReplaceAll(ledgerLines, `"seed":1`, `"seed":2`)})
	c, err := parse(t, "ledger", filepath.Join(dir, "one.jsonl"), filepath.Join(dir, "two.jsonl"), "--table", filepath.Join(dir, "clock.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c.Ledger.stdout, c.Ledger.stderr = &out, &out
	if err := c.Ledger.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "2 of 4 laws found\n") {
		t.Errorf("summary:\n%s", out.String())
	}
	b, err := os.ReadFile(filepath.Join(dir, "clock.csv"))
	if err != nil {
		t.Fatal(err)
	}
	laws, err := search.ReadLedger(string(b))
	if err != nil || len(laws) != 4 {
		t.Fatalf("%d laws, %v", len(laws), err)
	}
	sums, _ := search.ParsePart("variables sums 0")
	if got := laws[3].Tried[sums]; got != (search.Trial{Seconds: 3.25, Truncated: true}) || !laws[2].Tried[sums].Found {
		t.Errorf("%+v", laws[2:])
	}
}

// Without files the laws are measured, except those that the results file already holds.
func TestLedgerRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ledger.jsonl")
	for range 2 {
		var table, lines bytes.Buffer
		c := LedgerCmd{Laws: 1, Rows: 30, Time: 10 * time.Millisecond, Out: out, stdout: &table, stderr: &lines}
		if err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(table.String(), "of 1 laws found") {
			t.Errorf("%s%s", table.String(), lines.String())
		}
	}
	if records, err := bench.ReadLedgerResults(out); err != nil || len(records) != 1 {
		t.Errorf("%d records, %v", len(records), err)
	}
}
