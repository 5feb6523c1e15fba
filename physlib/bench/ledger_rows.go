package bench

import "io"

// LedgerRow is the result of one part in one run of [Ledger], as a row of a CSV table.
type LedgerRow struct {
	Run     string // name of the results file
	Suite   string // "": random laws
	Seed    uint64
	Laws    int     // number of laws in the run
	Time    float64 // limit in seconds of processor time for each part and law
	Version string
	Machine string
	Command string // command that repeats the run
	PartSummary
}

// ledgerColumns are the columns of the CSV table.
var ledgerColumns = []csvColumn[LedgerRow]{
	textColumn("run", func(r *LedgerRow) *string { return &r.Run }),
	textColumn("suite", func(r *LedgerRow) *string { return &r.Suite }),
	uint64Column("seed", func(r *LedgerRow) *uint64 { return &r.Seed }),
	intColumn("laws", func(r *LedgerRow) *int { return &r.Laws }),
	floatColumn("time", func(r *LedgerRow) *float64 { return &r.Time }),
	textColumn("part", func(r *LedgerRow) *string { return &r.Part }),
	intColumn("ran", func(r *LedgerRow) *int { return &r.Ran }),
	intColumn("found", func(r *LedgerRow) *int { return &r.Found }),
	intColumn("alone", func(r *LedgerRow) *int { return &r.Alone }),
	floatColumn("cpu_seconds", func(r *LedgerRow) *float64 { return &r.Seconds }),
	textColumn("version", func(r *LedgerRow) *string { return &r.Version }),
	textColumn("machine", func(r *LedgerRow) *string { return &r.Machine }),
	textColumn("command", func(r *LedgerRow) *string { return &r.Command }),
}

// WriteLedgerRows writes rows in the given order as CSV, with a header.
func WriteLedgerRows(w io.Writer, rows []LedgerRow) error { return writeTable(w, ledgerColumns, rows) }

// ReadLedgerRows reads the output of [WriteLedgerRows]. Errors start with name.
func ReadLedgerRows(r io.Reader, name string) ([]LedgerRow, error) {
	return readTable(r, name, ledgerColumns)
}

// ReadLedgerResults reads the results file of [Ledger] called name, which may be compressed by
// gzip.
func ReadLedgerResults(name string) ([]LedgerRecord, error) {
	return readResults[LedgerRecord](name, "ledger")
}
