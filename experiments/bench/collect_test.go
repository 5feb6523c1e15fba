package bench

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/bench"
)

// raw creates a folder of results files and returns its path.
func raw(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const record = `{"id":"I.6.2","cpu_seconds":1.5,"suite":"feynman","units":false,"noise":0.01,"rows":200,"time":2.5,"proposers":["net"],"version":"abc"}` + "\n"

// ledgerLines are two records of a ledger, and ledgerTable is the table made of them.
const (
	ledgerLines = `{"index":0,"seed":1,"law":"a","class":"unitless","variables":2,"rows":200,"time":3,"parts":[{"part":"variables sums 0","found":true,"seconds":0.5}],"version":"abc","machine":"m"}` + "\n" +
		`{"index":1,"seed":1,"law":"b","class":"unitless","variables":1,"rows":200,"time":3,"parts":[{"part":"variables sums 0","seconds":3.25}],"version":"abc","machine":"m"}` + "\n"
	ledgerTable = "run,suite,seed,laws,time,part,ran,found,alone,cpu_seconds,version,machine,command\n" +
		"ledger-seed-1,,1,2,3,variables sums 0,2,1,1,3.75,abc,m,physlib bench ledger --laws 2 --time 3s --seed 1\n"
)

func TestCollect(t *testing.T) {
	dir := raw(t, map[string]string{
		"one.jsonl":             record + strings.ReplaceAll(record, "abc", ""),
		"two.jsonl":             strings.ReplaceAll(record, "feynman", "own"),
		"ode.jsonl":             strings.ReplaceAll(record, `"suite":"feynman"`, `"suite":"motion-ode","clock":"cpu"`),
		"candidates-some.jsonl": `{"id":"7","suite":"heldout","units":true,"rows":64,"samples":128,"version":"abc"}` + "\n",
		"ledger-seed-1.jsonl":   ledgerLines,
		"runs.csv":              "run,version,machine,weights,note\none,def,here,net=w.safetensors,\n",
	})
	c := CollectCmd{Out: t.TempDir(), Suites: "suites", stdout: &bytes.Buffer{}}
	for _, name := range []string{"one.jsonl", "two.jsonl", "ode.jsonl", "candidates-some.jsonl", "ledger-seed-1.jsonl"} {
		c.Files = append(c.Files, filepath.Join(dir, name))
	}
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	const rest = "--noise 0.01 --rows 200 --time 2.5s --ids I.6.2 --proposers net"
	for suite, want := range map[string]string{
		"feynman":    "physlib bench recovery --suite feynman --units=false " + rest + "=w.safetensors",
		"own":        "physlib bench recovery --suite suites/own.csv --units=false " + rest,
		"motion-ode": "physlib bench recovery --suite motion --ode --noise 0.01 --time 2.5s --clock cpu --ids I.6.2 --proposers net",
	} {
		rows := readRows(t, filepath.Join(c.Out, "recovery-"+suite+".csv"))
		if rows[0].Command != want {
			t.Errorf("%s:\n%s\nwant\n%s", suite, rows[0].Command, want)
		}
		if suite == "feynman" && (rows[0].Version != "abc" || rows[0].CPUSeconds != 1.5 || rows[1].Version != "def" || rows[1].Machine != "here") {
			t.Errorf("%+v", rows)
		}
	}
	if b, err := os.ReadFile(filepath.Join(c.Out, "ledger.csv")); err != nil || string(b) != ledgerTable {
		t.Errorf("%s, %v", b, err)
	}
	if b, err := os.ReadFile(filepath.Join(c.Out, "candidates-heldout.csv")); err != nil || !strings.Contains(string(b), "physlib bench candidates --suite heldout --laws 1") {
		t.Errorf("%s, %v", b, err)
	}
}

func TestCollectRefuses(t *testing.T) {
	for version, want := range map[string]string{"": `version ""`, "unknown": `version "unknown"`, "abc-dirty": `version "abc-dirty"`} {
		dir := raw(t, map[string]string{"one.jsonl": strings.ReplaceAll(record, "abc", version)})
		c := CollectCmd{Files: []string{filepath.Join(dir, "one.jsonl")}, Out: dir}
		if err := c.Run(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "one.jsonl: law I.6.2") {
			t.Errorf("%q: %v", version, err)
		}
	}
	for own, stated := range map[string]string{"": "unknown", "unknown": "abc-dirty", "abc-dirty": "abc"} {
		dir := raw(t, map[string]string{"one.jsonl": strings.ReplaceAll(record, "abc", own), "runs.csv": "run,version,machine,weights,note\none," + stated + ",,,\n"})
		c := CollectCmd{Files: []string{filepath.Join(dir, "one.jsonl")}, Out: dir}
		if err := c.Run(); err == nil || !strings.Contains(err.Error(), "is not a clean commit") {
			t.Errorf("%q, stated as %q: %v", own, stated, err)
		}
	}
	dir := raw(t, map[string]string{"ledger-two.jsonl": ledgerLines + strings.Replace(ledgerLines, `"seed":1`, `"seed":2`, 1)})
	c := CollectCmd{Files: []string{filepath.Join(dir, "ledger-two.jsonl")}, Out: dir}
	if err := c.Run(); err == nil || !strings.Contains(err.Error(), "laws a and a are from different runs") {
		t.Errorf("two seeds in one file: %v", err)
	}
	dir = raw(t, map[string]string{"one.jsonl": `{"a":1}` + "\n", "runs.csv": "file,commit\n"})
	c = CollectCmd{Files: []string{filepath.Join(dir, "one.jsonl")}, Out: dir}
	if err := c.Run(); err == nil || !strings.Contains(err.Error(), "its first line must be") {
		t.Errorf("other columns: %v", err)
	}
	os.Remove(filepath.Join(dir, "runs.csv"))
	if err := c.Run(); err == nil || !strings.Contains(err.Error(), "names no law") {
		t.Errorf("no results: %v", err)
	}
	c.Files = append(c.Files, filepath.Join(dir, "one.jsonl.gz"))
	os.WriteFile(c.Files[0], []byte(record), 0o644)
	if err := c.Run(); err == nil || !strings.Contains(err.Error(), "both called one") {
		t.Errorf("one name twice: %v", err)
	}
}

// statedRuns lists old runs whose records do not name their commit. For these runs, runs.csv
// states the commit. No run may be added to the list, because new records name their commit.
var statedRuns = strings.Fields(`
alone-search alone-genetic alone-physdiffuse alone-physdiffuse+evolve alone-architects-small
alone-parr-small alone-physmdt-small-97m faults-feynman-after glitches-motion-after
signed-laws-before signed-laws-after recovery-bonus-n0 recovery-feynman-n0.001
recovery-feynman-n0.01 recovery-feynman-n0.1 recovery-feynman-units-n0-search
recovery-feynman-units-n0-neural recovery-feynman-units-n0-both
recovery-feynman-nounits-n0-search recovery-feynman-nounits-n0-neural
recovery-feynman-nounits-n0-both recovery-feynman-units-n0.01-neural
recovery-feynman-units-n0.01-both recovery-feynman-nounits-n0.01-search
recovery-feynman-nounits-n0.01-neural recovery-feynman-nounits-n0.01-both
`)

// Every record in the repository names a commit without uncommitted changes. For old runs only,
// runs.csv states the commit.
func TestProvenance(t *testing.T) {
	notes, err := (&CollectCmd{Files: []string{"../results/raw/x.jsonl.gz"}}).notes()
	if err != nil {
		t.Fatal(err)
	}
	for run, n := range notes {
		if n.version != "" && !slices.Contains(statedRuns, run) {
			t.Errorf("runs.csv states the version of %s; a new run names its own commit", run)
		}
		if _, err := os.Stat("../results/raw/" + run + ".jsonl.gz"); err != nil {
			t.Errorf("runs.csv: %v", err)
		}
	}
	files, _ := filepath.Glob("../results/*.csv")
	commit := regexp.MustCompile("^[0-9a-f]{7,40}$")
	for _, file := range files {
		for _, version := range column(t, file, "version") {
			if !commit.MatchString(version) {
				t.Fatalf("%s: the version %q is not a clean commit; run it again with a committed program", file, version)
			}
		}
	}
}

// column returns the values of a column of a table. It returns nil if the table has no such column.
func column(t *testing.T, file, name string) (values []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", file, len(rows), err)
	}
	k := slices.Index(rows[0], name)
	for _, row := range rows[1:] {
		if k >= 0 {
			values = append(values, row[k])
		}
	}
	return values
}

// The tables in the repository can be made from the results files there, and their commands can be
// parsed.
func TestResultsFolder(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob("experiments/results/raw/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results files: %v", err)
	}
	c := CollectCmd{Files: files, Out: t.TempDir(), Suites: "experiments/suites", stdout: &bytes.Buffer{}}
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	made, _ := filepath.Glob(filepath.Join(c.Out, "*.csv"))
	for _, path := range made {
		want, _ := os.ReadFile(path)
		kept := filepath.Join("experiments/results", filepath.Base(path))
		if got, err := os.ReadFile(kept); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of raw (%v): physlib bench collect experiments/results/raw/*.jsonl.gz --out experiments/results", kept, err)
		}
		if !strings.HasPrefix(filepath.Base(path), "recovery-") {
			continue
		}
		for _, r := range readRows(t, path)[:1] {
			if parsed, err := parse(t, strings.Fields(r.Command)[2:]...); err != nil || parsed.Recovery.Time <= 0 {
				t.Errorf("%s: %v", r.Command, err)
			} else if suite := parsed.Recovery.Suite; strings.HasSuffix(suite, ".csv") {
				if _, err := os.Stat(suite); err != nil {
					t.Error(err)
				}
			}
		}
	}
	kept, _ := filepath.Glob("experiments/results/recovery-*.csv")
	more, _ := filepath.Glob("experiments/results/candidates-*.csv")
	ledger, _ := filepath.Glob("experiments/results/ledger.csv")
	if n := len(kept) + len(more) + len(ledger); n != len(made) {
		t.Errorf("%d tables are kept, %d are those of raw", n, len(made))
	}
}

func readRows(t *testing.T, path string) []bench.Row {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := bench.ReadRows(f, path)
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows
}
