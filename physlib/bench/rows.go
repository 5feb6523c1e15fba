package bench

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Row is a record of [Recovery] as a row of a CSV table.
type Row struct {
	Run     string // name of the record's results file
	Command string // command that repeats the search of this law
	Record
}

// rowColumns are the columns of the CSV table. Other fields of a [Record] are only in the results
// file.
var rowColumns = []csvColumn[Row]{
	textColumn("run", func(r *Row) *string { return &r.Run }),
	textColumn("suite", func(r *Row) *string { return &r.Suite }),
	textColumn("law", func(r *Row) *string { return &r.ID }),
	boolColumn("units", func(r *Row) *bool { return &r.Units }),
	floatColumn("noise", func(r *Row) *float64 { return &r.Noise }),
	intColumn("digits", func(r *Row) *int { return &r.Digits }),
	floatColumn("outliers", func(r *Row) *float64 { return &r.Outliers }),
	textColumn("fault", func(r *Row) *string { return (*string)(&r.Fault) }),
	intColumn("rows", func(r *Row) *int { return &r.Rows }),
	int64Column("seed", func(r *Row) *int64 { return &r.Seed }),
	floatColumn("time", func(r *Row) *float64 { return &r.Time }),
	textColumn("clock", func(r *Row) *string { return &r.Clock }),
	columnOf("proposers", func(r *Row) *[]string { return &r.Proposers },
		func(names []string) string { return strings.Join(names, " ") },
		func(cell string) ([]string, error) { return strings.Fields(cell), nil }),
	boolColumn("exact", func(r *Row) *bool { return &r.Exact }),
	boolColumn("front_exact", func(r *Row) *bool { return &r.FrontExact }),
	optional("sympy_exact", func(r *Row) **bool { return &r.SymPyExact }, boolColumn[bool]),
	optional("r2", func(r *Row) **float64 { return &r.R2 }, floatColumn[float64]),
	floatColumn("seconds", func(r *Row) *float64 { return &r.Seconds }),
	knownColumn("cpu_seconds", func(r *Row) *float64 { return &r.CPUSeconds }),
	int64Column("evaluations", func(r *Row) *int64 { return &r.Evals }),
	textColumn("proposer", func(r *Row) *string { return &r.Proposer }),
	textColumn("found", func(r *Row) *string { return &r.Found }),
	knownColumn("probability", func(r *Row) *float64 { return &r.Probability }),
	textColumn("verdict", func(r *Row) *string { return &r.Verdict }),
	textColumn("error", func(r *Row) *string { return &r.Error }),
	textColumn("version", func(r *Row) *string { return &r.Version }),
	textColumn("machine", func(r *Row) *string { return &r.Machine }),
	textColumn("command", func(r *Row) *string { return &r.Command }),
}

// errNoVersion is the error for a record that does not state the commit of the program.
var errNoVersion = errors.New("names no version")

// WriteRows writes rows as CSV with a header, sorted by run, conditions and law. A record without a
// version is an error. If an Error has several lines, only the first is written.
func WriteRows(w io.Writer, rows []Row) error {
	rows = slices.Clone(rows)
	for i := range rows {
		r := &rows[i]
		if r.Version == "" {
			return fmt.Errorf("%s: law %s %w", r.Run, r.ID, errNoVersion)
		}
		r.Proposers = r.proposers()
		// The stack of a panic is only in the results file.
		r.Error, _, _ = strings.Cut(r.Error, "\n")
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return slices.Compare([]string{a.Run, a.condition(), a.ID}, []string{b.Run, b.condition(), b.ID})
	})
	return writeTable(w, rowColumns, rows)
}

// condition returns a sort key for the settings of a search.
func (r Row) condition() string {
	return fmt.Sprint(r.kind(), r.Rows, r.Seed, r.Time, r.Clock, r.Proposers)
}

// ReadRows reads the output of [WriteRows]. Errors start with name.
func ReadRows(r io.Reader, name string) ([]Row, error) { return readTable(r, name, rowColumns) }

// CandidateRow is a record of [Candidates] as a row of a CSV table.
type CandidateRow struct {
	Run     string // name of the record's results file
	Command string // command that repeats the run
	CandidateRecord
}

// candidateColumns are the columns of the CSV table of candidates.
var candidateColumns = []csvColumn[CandidateRow]{
	textColumn("run", func(r *CandidateRow) *string { return &r.Run }),
	textColumn("suite", func(r *CandidateRow) *string { return &r.Suite }),
	textColumn("law", func(r *CandidateRow) *string { return &r.ID }),
	textColumn("form", func(r *CandidateRow) *string { return &r.True }),
	intColumn("tokens", func(r *CandidateRow) *int { return &r.Tokens }),
	intColumn("variables", func(r *CandidateRow) *int { return &r.Variables }),
	boolColumn("monomial", func(r *CandidateRow) *bool { return &r.Monomial }),
	boolColumn("units", func(r *CandidateRow) *bool { return &r.Units }),
	intColumn("rows", func(r *CandidateRow) *int { return &r.Rows }),
	int64Column("seed", func(r *CandidateRow) *int64 { return &r.Seed }),
	intColumn("samples", func(r *CandidateRow) *int { return &r.Samples }),
	intColumn("distinct", func(r *CandidateRow) *int { return &r.Distinct }),
	intColumn("rank", func(r *CandidateRow) *int { return &r.Rank }),
	intColumn("fit", func(r *CandidateRow) *int { return &r.Fit }),
	textColumn("first", func(r *CandidateRow) *string { return &r.First }),
	textColumn("fit_law", func(r *CandidateRow) *string { return &r.FitLaw }),
	floatColumn("seconds", func(r *CandidateRow) *float64 { return &r.Seconds }),
	floatColumn("rank_seconds", func(r *CandidateRow) *float64 { return &r.RankSeconds }),
	textColumn("error", func(r *CandidateRow) *string { return &r.Error }),
	textColumn("version", func(r *CandidateRow) *string { return &r.Version }),
	textColumn("machine", func(r *CandidateRow) *string { return &r.Machine }),
	textColumn("command", func(r *CandidateRow) *string { return &r.Command }),
}

// WriteCandidateRows writes rows as CSV with a header, sorted by run. The laws of a run keep their
// order. A record without a version is an error.
func WriteCandidateRows(w io.Writer, rows []CandidateRow) error {
	rows = slices.Clone(rows)
	for i := range rows {
		r := &rows[i]
		if r.Version == "" {
			return fmt.Errorf("%s: law %s %w", r.Run, r.ID, errNoVersion)
		}
		r.Error, _, _ = strings.Cut(r.Error, "\n")
	}
	slices.SortStableFunc(rows, func(a, b CandidateRow) int { return strings.Compare(a.Run, b.Run) })
	return writeTable(w, candidateColumns, rows)
}

// ReadCandidateRows reads the output of [WriteCandidateRows]. Errors start with name.
func ReadCandidateRows(r io.Reader, name string) ([]CandidateRow, error) {
	return readTable(r, name, candidateColumns)
}

// ReadCandidateResults reads the results file of [Candidates] called name, which may be compressed
// by gzip.
func ReadCandidateResults(name string) ([]CandidateRecord, error) {
	return readResults[CandidateRecord](name, "candidates")
}
