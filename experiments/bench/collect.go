package bench

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus"
)

// CollectCmd is the command line of `physlib bench collect`.
type CollectCmd struct {
	Files  []string `arg:"" help:"Results files of recovery, candidates or ledger, .jsonl or .jsonl.gz."`
	Out    string   `required:"" placeholder:"DIR" help:"Folder for the tables, such as experiments/results."`
	Runs   string   `placeholder:"FILE.csv" help:"What is known about old files: their version, machine and weights (default: runs.csv next to the first file, if it exists)."`
	Suites string   `default:"experiments/suites" placeholder:"DIR" help:"Folder of suites that are files, for the commands (default: experiments/suites)."`

	stdout io.Writer // nil: the standard output of the process
}

// Help returns the text that --help shows below the flags.
func (*CollectCmd) Help() string {
	return `Writes recovery-SUITE.csv for each suite, a row for each law of each file, and candidates-SUITE.csv.
Files called ledger-NAME become ledger.csv, a row for each part of the search in each file. Each row
names the commit of the program, the machine, and a command that repeats it. A record without a
commit, or from a program with uncommitted changes, is refused. For old files --runs may state the
commit. Columns of --runs: run (the file's name without endings), version, machine, weights, note.

  physlib bench collect experiments/results/raw/*.jsonl.gz --out experiments/results`
}

// runNote is a row of --runs. It holds information about a results file that the records in it
// lack.
type runNote struct {
	version string   // commit, for records without one
	machine string   // machine, for records without one
	weights []string // NAME=FILE.safetensors for proposers, or one file for candidates
}

// Run writes the tables.
func (c *CollectCmd) Run() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	recovery, candidates := map[string][]bench.Row{}, map[string][]bench.CandidateRow{}
	var ledger []bench.LedgerRow
	seen := map[string]string{}
	for _, file := range c.Files {
		run := runName(file)
		if other, ok := seen[run]; ok {
			return exit{2, fmt.Errorf("%s and %s are both called %s; rename one", other, file, run)}
		}
		seen[run] = file
		switch {
		case strings.HasPrefix(run, "candidates-"):
			err = collectCandidates(candidates, file, notes[run])
		case strings.HasPrefix(run, "ledger-"):
			ledger, err = collectLedger(ledger, file, notes[run])
		default:
			err = c.collectRecovery(recovery, file, notes[run])
		}
		if err != nil {
			return err
		}
	}
	for _, suite := range slices.Sorted(maps.Keys(recovery)) {
		write := func(w io.Writer) error { return bench.WriteRows(w, recovery[suite]) }
		if err := c.write("recovery-"+suite+".csv", len(recovery[suite]), write); err != nil {
			return err
		}
	}
	for _, suite := range slices.Sorted(maps.Keys(candidates)) {
		write := func(w io.Writer) error { return bench.WriteCandidateRows(w, candidates[suite]) }
		if err := c.write("candidates-"+suite+".csv", len(candidates[suite]), write); err != nil {
			return err
		}
	}
	if len(ledger) > 0 {
		return c.write("ledger.csv", len(ledger), func(w io.Writer) error { return bench.WriteLedgerRows(w, ledger) })
	}
	return nil
}

// write writes a table and prints a line about it. rows is the number of its rows.
func (c *CollectCmd) write(name string, rows int, content func(io.Writer) error) error {
	path := filepath.Join(c.Out, name)
	if err := outfile.Replace(path, content); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmp.Or(c.stdout, screen.Out), "%s: %d rows\n", path, rows)
	return err
}

// runName returns the name of a results file without its folder and endings.
func runName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".jsonl")
}

// noteColumns are the columns of --runs.
var noteColumns = []string{"run", "version", "machine", "weights", "note"}

// notes reads --runs. The default file need not exist.
func (c *CollectCmd) notes() (map[string]runNote, error) {
	path := cmp.Or(c.Runs, filepath.Join(filepath.Dir(c.Files[0]), "runs.csv"))
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && c.Runs == "" {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("--runs: %w", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], noteColumns) {
		return nil, fmt.Errorf("%s: its first line must be %s", path, strings.Join(noteColumns, ","))
	}
	notes := map[string]runNote{}
	for _, r := range rows[1:] {
		notes[r[0]] = runNote{version: r[1], machine: r[2], weights: strings.Fields(r[3])}
	}
	return notes, nil
}

// stated returns the version of a record: own, or that of the note if own is unknown. It returns an
// error if the version is not a commit, or if the commit had uncommitted changes.
func (n runNote) stated(own, file, law string) (string, error) {
	version := own
	if version == "" || version == bench.UnknownVersion {
		version = n.version
	}
	if version == "" || version == bench.UnknownVersion || strings.HasSuffix(version, "-dirty") {
		return "", fmt.Errorf("%s: law %s names the version %q, which is not a clean commit; run it again with a committed program",
			file, law, cmp.Or(version, own))
	}
	return version, nil
}

// collectRecovery adds the records of a results file of `physlib bench recovery` to suites, which
// holds the rows of each suite.
func (c *CollectCmd) collectRecovery(suites map[string][]bench.Row, file string, note runNote) error {
	records, err := bench.ReadResults(file)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.ID == "" || r.Suite == "" {
			return fmt.Errorf("%s: a record names no law or no suite; name results files of physlib bench recovery", file)
		}
		if r.Version, err = note.stated(r.Version, file, r.ID); err != nil {
			return err
		}
		r.Machine = cmp.Or(r.Machine, note.machine)
		suites[r.Suite] = append(suites[r.Suite], bench.Row{Run: runName(file), Command: c.command(r, note), Record: r})
	}
	return nil
}

// collectCandidates adds the records of a results file of `physlib bench candidates` to suites,
// which holds the rows of each suite.
func collectCandidates(suites map[string][]bench.CandidateRow, file string, note runNote) error {
	records, err := bench.ReadCandidateResults(file)
	if err != nil {
		return err
	}
	samples := 0 // number of samples requested; some laws may have fewer
	for _, r := range records {
		samples = max(samples, r.Samples)
	}
	for _, r := range records {
		if r.Version, err = note.stated(r.Version, file, r.ID); err != nil {
			return err
		}
		r.Machine = cmp.Or(r.Machine, note.machine)
		command := candidatesCommand(r, len(records), samples, note)
		row := bench.CandidateRow{Run: runName(file), Command: command, CandidateRecord: r}
		suites[r.Suite] = append(suites[r.Suite], row)
	}
	return nil
}

// collectLedger appends a row for each part of the search in a results file of ledger.
func collectLedger(rows []bench.LedgerRow, file string, note runNote) ([]bench.LedgerRow, error) {
	records, err := bench.ReadLedgerResults(file)
	if err != nil || len(records) == 0 {
		return rows, err
	}
	first := records[0]
	version := ""
	for _, r := range records {
		own, err := note.stated(r.Version, file, r.Law)
		if err != nil {
			return rows, err
		}
		version = cmp.Or(version, own)
		if r.Seed != first.Seed || r.Suite != first.Suite || r.Rows != first.Rows || r.Time != first.Time {
			return rows, fmt.Errorf("%s: laws %s and %s are from different runs; write one file per seed, suite, number of rows and time", file, r.Law, first.Law)
		}
	}
	summary := bench.SummarizeLedger(records)
	row := bench.LedgerRow{Run: runName(file), Suite: first.Suite, Seed: first.Seed, Laws: summary.Laws, Time: first.Time,
		Version: version, Machine: cmp.Or(first.Machine, note.machine), Command: ledgerCommand(first, len(records))}
	for _, row.PartSummary = range summary.Parts {
		row.Seconds = math.Round(row.Seconds*1000) / 1000
		row.Version = cmp.Or(row.PartSummary.Version, version)
		rows = append(rows, row)
	}
	return rows, nil
}

// ledgerCommand returns the command that repeats a run of the given number of laws.
func ledgerCommand(r bench.LedgerRecord, laws int) string {
	args := []string{"physlib", "bench", "ledger"}
	if r.Suite != "" {
		args = append(args, "--suite", r.Suite)
	}
	args = append(args, "--laws", strconv.Itoa(laws))
	if r.Rows != 200 {
		args = append(args, "--rows", strconv.Itoa(r.Rows))
	}
	args = append(args, "--time", strconv.FormatFloat(r.Time, 'g', -1, 64)+"s", "--seed", strconv.FormatUint(r.Seed, 10))
	return strings.Join(args, " ")
}

// command returns the command that repeats the search of one law.
func (c *CollectCmd) command(r bench.Record, note runNote) string {
	args := []string{"physlib", "bench", "recovery", "--suite"}
	suite, ode := strings.CutSuffix(r.Suite, "-ode")
	if !ode && !slices.Contains(corpus.Suites(), suite) {
		suite = filepath.ToSlash(filepath.Join(c.Suites, suite+".csv"))
	}
	args = append(args, suite)
	if ode {
		args = append(args, "--ode")
	}
	if !r.Units && !ode {
		args = append(args, "--units=false")
	}
	number := func(flag string, v float64) {
		if v != 0 {
			args = append(args, flag, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	number("--noise", r.Noise)
	number("--digits", float64(r.Digits))
	number("--outliers", r.Outliers)
	if r.Fault != "" {
		args = append(args, "--fault", string(r.Fault))
	}
	if !ode && r.Rows != 1000 {
		number("--rows", float64(r.Rows))
	}
	number("--seed", float64(r.Seed))
	args = append(args, "--time", strconv.FormatFloat(r.Time, 'g', -1, 64)+"s")
	if r.Clock != "" {
		args = append(args, "--clock", r.Clock)
	}
	args = append(args, "--ids", r.ID)
	return strings.Join(append(args, "--proposers", proposersFlag(r, note)), " ")
}

// proposersFlag returns the value of --proposers, with the weights in the note.
func proposersFlag(r bench.Record, note runNote) string {
	names := slices.Clone(r.Proposers)
	if names == nil {
		names = []string{"genetic", "search"}
	}
	for i, name := range names {
		for _, w := range note.weights {
			if strings.HasPrefix(w, name+"=") {
				names[i] = w
			}
		}
	}
	return strings.Join(names, ",")
}

// candidatesCommand returns the command that repeats the run of r, with the given numbers of laws
// and of samples per law.
func candidatesCommand(r bench.CandidateRecord, laws, samples int, note runNote) string {
	args := []string{"physlib", "bench", "candidates", "--suite", r.Suite}
	if r.Suite == bench.HeldOut {
		args = append(args, "--laws", strconv.Itoa(laws))
	}
	if !r.Units {
		args = append(args, "--units=false")
	}
	if r.Rows != 64 {
		args = append(args, "--rows", strconv.Itoa(r.Rows))
	}
	if samples != 128 {
		args = append(args, "--samples", strconv.Itoa(samples))
	}
	if r.Seed != 0 {
		args = append(args, "--seed", strconv.FormatInt(r.Seed, 10))
	}
	for _, w := range note.weights {
		args = append(args, "--weights", w)
	}
	return strings.Join(args, " ")
}
