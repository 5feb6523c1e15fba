package bench

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sampleRows() []Row {
	r2, sympy := 0.1+0.2, true
	return []Row{
		{Run: "a", Command: "physlib bench recovery", Record: Record{
			ID: "I.6.2", Suite: "feynman", Found: `exp(-x**2), "y"`, Seconds: 1e-3, R2: &r2, Exact: true, FrontExact: true,
			SymPyExact: &sympy, Evals: 1 << 40, Noise: 0.01, Digits: 6, Outliers: 0.05, Fault: CutOff, Units: true, Time: 20,
			Clock: "cpu", Probability: 0.75, Verdict: "uncertain", Seed: -1, Rows: 200, Version: "abc", Machine: "linux/amd64, 1 core", Proposer: "search", Proposers: []string{"genetic", "search"},
		}},
		{Run: "b", Record: Record{ID: "x", Version: "abc", Proposers: []string{"search"}, Error: "panic"}},
	}
}

// ReadRows reads what WriteRows wrote, except that only the first line of a panic is kept.
func TestRows(t *testing.T) {
	want := sampleRows()
	given := []Row{want[1], want[0]}
	given[0].Error += "\ngoroutine 1"
	var b bytes.Buffer
	if err := WriteRows(&b, given); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRows(&b, "t.csv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(given[0].Error, "goroutine") {
		t.Error("the rows given were changed")
	}
}

func TestCandidateRows(t *testing.T) {
	want := []CandidateRow{{Run: "a", Command: "c", CandidateRecord: CandidateRecord{
		ID: "7", Suite: "heldout", True: "c0*x", Tokens: 3, Variables: 1, Monomial: true, Units: true, Rank: 2, Fit: 1, FitLaw: "x",
		First: "x", Samples: 128, Distinct: 90, Seconds: 0.5, RankSeconds: 0.25, Seed: 3, Rows: 64, Version: "abc", Machine: "m",
	}}}
	var b bytes.Buffer
	if err := WriteCandidateRows(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCandidateRows(&b, "t.csv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	want[0].Version = ""
	if err := WriteCandidateRows(&b, want); err == nil || !strings.Contains(err.Error(), "a: law 7 names no version") {
		t.Errorf("no version: %v", err)
	}
}

func TestRowMistakes(t *testing.T) {
	rows := sampleRows()
	var b bytes.Buffer
	if err := WriteRows(&b, rows); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":        "t.csv is empty",
		"run,x\n": "t.csv has the columns run, x; expected run, suite, law",
		strings.Replace(b.String(), "0.01", "little", 1): "t.csv, row 1, column noise",
		strings.Replace(b.String(), "a,", "", 1):         "t.csv: record on line 2: wrong number of fields",
	} {
		if _, err := ReadRows(strings.NewReader(text), "t.csv"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	rows[1].Version = ""
	if err := WriteRows(&b, rows); err == nil || !strings.Contains(err.Error(), "b: law x names no version") {
		t.Errorf("no version: %v", err)
	}
}

// Compressed results can be read but not appended to.
func TestCompressedResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	z.Write([]byte(`{"id":"a"}` + "\n" + `{"id":"b"}` + "\n"))
	z.Close()
	f.Close()
	if got, err := ReadResults(name); err != nil || len(got) != 2 || got[1].ID != "b" {
		t.Errorf("%v, %v", got, err)
	}
	if _, _, err := openResults[Record](name, "recovery"); err == nil || !strings.Contains(err.Error(), "is compressed") {
		t.Errorf("opened to append: %v", err)
	}
	data, _ := os.ReadFile(name)
	os.WriteFile(name, data[:len(data)-6], 0o644)
	if _, err := ReadResults(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a cut file: %v", err)
	}
}
