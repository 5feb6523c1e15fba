package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/bench/accept"
	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/discover"
)

// CalibrationRecord is the outcome of one random table: a line of the results file.
type CalibrationRecord struct {
	Index     uint64 `json:"index"`
	TableSeed uint64 `json:"table_seed"`
	NoiseOnly bool   `json:"noise_only,omitempty"`
	Known     bool   `json:"known,omitempty"` // whether the law of the table was left in the catalogue

	// Properties of the table.
	Law         string  `json:"law"`
	Field       string  `json:"field"` // field of the catalogue, "random law" or "noise"
	Truth       string  `json:"truth,omitempty"`
	Form        string  `json:"form,omitempty"` // the true form with free constants
	Rows        int     `json:"rows"`
	Columns     int     `json:"columns"` // number of inputs
	Units       bool    `json:"units"`
	Errors      string  `json:"errors,omitempty"`
	Level       float64 `json:"level,omitempty"` // size of the errors, see synthetic.Table
	Design      string  `json:"design"`
	Offset      bool    `json:"offset,omitempty"`
	Extra       bool    `json:"extra,omitempty"` // whether one column has no effect on the target
	SigmaKnown  bool    `json:"sigma_known,omitempty"`
	Fingerprint string  `json:"fingerprint"`

	// Results of the search.
	Chosen  string `json:"chosen"`
	Verdict string `json:"verdict"`
	// First words of the verdict, such as "likely"; or "no law".
	Word        string   `json:"word"`
	Probability *float64 `json:"probability"` // probability that the verdict states; null: none
	Right       bool     `json:"right"`
	Front       bool     `json:"front"` // whether some law of the front is right
	// Whether the chosen law is wrong, but has the truth as a special case.
	Wider    bool            `json:"wider,omitempty"`
	Accept   *accept.Verdict `json:"accept,omitempty"`
	Features *Features       `json:"features,omitempty"`
	Result   *TableResult    `json:"result"`
	Seconds  float64         `json:"seconds"`
	// CPUSeconds is the processor time of this process during the search. If several jobs run, it
	// includes theirs.
	CPUSeconds float64 `json:"cpu_seconds,omitempty"`
	// Number of runnable processes at the end, averaged over a minute; 0: unknown.
	Load float64 `json:"load,omitempty"`

	// Settings of the run.
	Time      float64  `json:"time"`            // limit of a search in seconds; 0: none
	Clock     string   `json:"clock,omitempty"` // "cpu": Time is processor time
	Limit     int64    `json:"limit,omitempty"` // limit of evaluations; 0: none
	Seed      int64    `json:"seed"`            // seed of the search
	Proposers []string `json:"proposers"`
	Version   string   `json:"version"` // commit of this program
	Error     string   `json:"error,omitempty"`
}

// Features describe the chosen law: the evidence from which its probability is computed, and more.
type Features struct {
	discover.Evidence
	Finished bool    `json:"finished"` // whether the search ended before its limit
	Exact    bool    `json:"exact"`    // whether the verdict calls the residuals rounding errors
	R2       float64 `json:"r2"`
	Balanced bool    `json:"balanced"` // whether the units of the law balance
	Model    string  `json:"model"`    // assumed kind of errors
}

// sameRun reports whether r and o are results for the same table, searched with the same settings.
func (r CalibrationRecord) sameRun(o CalibrationRecord) bool {
	return r.Index == o.Index && r.SameSettings(o)
}

// SameSettings reports whether r and o come from runs with the same settings. Runs may differ in
// the number of tables.
func (r CalibrationRecord) SameSettings(o CalibrationRecord) bool {
	return r.TableSeed == o.TableSeed && r.NoiseOnly == o.NoiseOnly && r.Known == o.Known && r.Time == o.Time && r.Clock == o.Clock &&
		r.Limit == o.Limit && r.Seed == o.Seed && slices.Equal(r.Proposers, o.Proposers)
}

// ReadCalibration reads a results file of Calibration. It ignores a last line without a line end.
func ReadCalibration(name string) ([]CalibrationRecord, error) {
	return readResults[CalibrationRecord](name, "calibration")
}

// describe sets the fields that describe the table.
func (r *CalibrationRecord) describe(t synthetic.Table) {
	r.Law, r.Field, r.Truth, r.Form = t.Law, t.Field, t.Truth, t.Form
	r.Rows, r.Columns, r.Units = t.Data.Rows(), len(t.Data.Vars), t.Data.Target.HasUnit
	r.Errors, r.Level, r.Design = t.Errors, t.Level, t.Design
	r.Offset, r.Extra, r.SigmaKnown = t.Offset, t.Extra, t.Data.Sigma != nil
	r.Fingerprint = fingerprint(t.Data)
}

// fill sets the fields that describe the result of the search.
func (r *CalibrationRecord) fill(found *discover.Result) error {
	r.Verdict = found.Verdict
	r.Word, _, _ = strings.Cut(found.Verdict, ":")
	r.Word, _, _ = strings.Cut(r.Word, ",")
	result, err := tableResult(found)
	if err != nil {
		return err
	}
	result.Outliers = found.Outliers
	r.Result = result
	if result.Best == nil {
		return nil
	}
	r.Chosen = result.Best.Law
	r.Probability, r.Features = stated(found), features(found)
	return nil
}

// stated returns the probability that the verdict states, or nil if it states none.
func stated(found *discover.Result) *float64 {
	if p := found.Probability; p > 0 && p <= 1 {
		return &p
	}
	return nil
}

// features returns the features of the chosen law, or nil if no law was scored in bits.
func features(found *discover.Result) *Features {
	e, ok := found.Evidence()
	if !ok {
		return nil
	}
	f := &Features{
		Evidence: e, Finished: found.Finished(), Exact: strings.HasPrefix(found.Verdict, discover.Certain),
		Balanced: found.Best.UnitsOK, Model: found.ErrorModel,
	}
	if r2 := found.Best.R2; !math.IsNaN(r2) && !math.IsInf(r2, 0) {
		f.R2 = r2
	}
	return f
}

// String returns the record as a line: whether the law is right, the verdict with its probability,
// the truth and the law.
func (r CalibrationRecord) String() string {
	say := "wrong"
	switch {
	case r.Error != "":
		text, _, _ := strings.Cut(r.Error, "\n")
		return fmt.Sprintf("%4d failed %s", r.Index, text)
	case r.Right:
		say = "right"
	case r.Chosen == "":
		say = "none"
	case r.Wider:
		say = "wider"
	case r.Front:
		say = "front"
	}
	p := "-"
	if r.Probability != nil {
		p = fmt.Sprintf("%.2f", *r.Probability)
	}
	return fmt.Sprintf("%4d %-5s %-18s %4s %3d rows  %s  =>  %s", r.Index, say, r.Word, p, r.Rows, shorten(r.truth(), 60), shorten(r.Chosen, 70))
}

// truth returns the true law with its constants, or "noise" if there is none.
func (r CalibrationRecord) truth() string {
	if r.Truth == "" {
		return r.Law
	}
	return r.Truth
}
