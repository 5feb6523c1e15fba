package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/bench/accept"
	"github.com/physlib/lab/physlib/law"
)

// TableRecord is the result for one table: a line of the results file.
type TableRecord struct {
	File  string  `json:"file"`
	Class string  `json:"class"`
	Set   string  `json:"set"`
	Code  int     `json:"rc"`   // exit code of physlib discover; 0: a law, 1: an error, 3: no law
	Wall  float64 `json:"wall"` // wall time of the search in seconds
	// CPUSeconds is the processor time of this process during the search. If several jobs run, it
	// includes theirs.
	CPUSeconds float64 `json:"cpu_seconds,omitempty"`
	// Number of runnable processes at the end, averaged over a minute; 0: unknown.
	Load     float64      `json:"load,omitempty"`
	Verdict  string       `json:"verdict"` // see discover.Result
	Messages string       `json:"stderr"`  // warnings, one on each line
	Result   *TableResult `json:"result"`  // null after an error
	Judged   TableVerdict `json:"judged"`
	// Probability that the verdict states, and its evidence; nil: none.
	Probability *float64  `json:"probability"`
	Features    *Features `json:"features,omitempty"`

	Variant string `json:"variant,omitempty"` // kind of variant; "": the table itself
	// For a variant: whether the form of the law is that of the unchanged table, see Invariance.
	Holds  *bool  `json:"holds,omitempty"`
	Before string `json:"before,omitempty"` // for a variant: the law of the unchanged table

	Fingerprint string   `json:"fingerprint"` // hash of the table
	Units       bool     `json:"units"`
	LeftOut     bool     `json:"left_out,omitempty"` // whether the prior lacked the accepted forms
	Time        float64  `json:"time"`               // limit in seconds; 0: none
	Clock       string   `json:"clock,omitempty"`    // "cpu": Time is processor time
	Limit       int64    `json:"limit,omitempty"`    // limit of evaluations; 0: none
	Seed        int64    `json:"seed"`
	Proposers   []string `json:"proposers"`
	Version     string   `json:"version"` // commit of this program
	Error       string   `json:"error,omitempty"`
}

// TableResult is the result of a search, in the form of physlib discover --json.
type TableResult struct {
	Best        *TableLaw  `json:"best"` // null if no law is better than a constant
	Front       []TableLaw `json:"front"`
	Outliers    []int      `json:"outliers,omitempty"` // rows of the file that the search excluded
	Evaluations int64      `json:"evaluations"`
	Stopped     string     `json:"stopped,omitempty"`
}

// TableLaw is a law in the JSON form of law.Law.
type TableLaw struct {
	Law        string   `json:"law"`
	Complexity *float64 `json:"complexity"`
	R2         *float64 `json:"r2"`
	RMSE       *float64 `json:"rmse"`
	Score      *float64 `json:"score"`
	UnitsOK    bool     `json:"units_ok"`
	Constants  []struct {
		Name   string   `json:"name"`
		Value  *float64 `json:"value"`
		StdErr *float64 `json:"stderr"`
		Exact  string   `json:"exact"`
		Unit   string   `json:"unit,omitempty"`
	} `json:"constants"`
	Proposer string `json:"proposer,omitempty"`
	Tree     *struct {
		Infix string   `json:"infix"` // the law with free constants
		Vars  []string `json:"vars"`
	} `json:"tree,omitempty"`
}

// report returns l in the form of results files.
func report(l law.Law) (r TableLaw, err error) {
	data, err := json.Marshal(law.Saved(l))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	return r, err
}

// reported returns l in the columns of the original table. If v is not nil, l is a law of the
// variant v.
func (l TableLaw) reported(v *variant) accept.Reported {
	r := accept.Reported{Law: l.Law}
	if v != nil {
		if t, names, err := v.undo(l); err == nil {
			r.Law = t.Bind(t.Params()).Infix(names)
		}
	}
	for _, c := range l.Constants {
		if c.Value != nil {
			r.Constants = append(r.Constants, accept.Constant{Value: *c.Value, Exact: c.Exact != ""})
		}
	}
	return r
}

// sameRun reports whether r and o are results for the same table, searched with the same settings.
func (r TableRecord) sameRun(o TableRecord) bool {
	return r.File == o.File && r.Variant == o.Variant && r.Fingerprint == o.Fingerprint &&
		r.Units == o.Units && r.LeftOut == o.LeftOut && r.Time == o.Time && r.Clock == o.Clock &&
		r.Limit == o.Limit && r.Seed == o.Seed && slices.Equal(r.Proposers, o.Proposers)
}

// ReadTableResults reads a results file of Tables. It ignores a last line without a line end, which
// a killed run may leave.
func ReadTableResults(name string) ([]TableRecord, error) {
	return readResults[TableRecord](name, "tables")
}

// WriteTableResults writes records in the form of a results file.
func WriteTableResults(w io.Writer, records []TableRecord) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// TableVerdict reports whether the laws found in a table are right.
type TableVerdict struct {
	Failed bool   `json:"failed"` // the search ended with an error
	Words  string `json:"verdict"`
	Law    string `json:"law,omitempty"` // the chosen law

	// NoneRight is set only for a table without a law. It states whether no law was chosen.
	NoneRight *bool `json:"none_right,omitempty"`

	// RowsNamed is set only for a table with rows known to be wrong. It states whether each of them
	// is excluded or named in a message.
	RowsNamed *bool `json:"rows_named,omitempty"`

	accept.Verdict
}

// sure matches verdicts that call a law likely or better.
var sure = regexp.MustCompile(`^(likely|very likely|as good as certain)`)

// judge returns the verdict on a record of p.
func (p *tableProblem) judge(r TableRecord) TableVerdict {
	words, _, _ := strings.Cut(r.Verdict, ":")
	v := TableVerdict{Words: words, Failed: r.Code != 0 && r.Code != 3}
	var chosen *accept.Reported
	var front []accept.Reported
	if r.Result != nil {
		for _, l := range r.Result.Front {
			front = append(front, l.reported(p.variant))
		}
		if best := r.Result.Best; best != nil {
			l := best.reported(p.variant)
			chosen, v.Law = &l, l.Law
		}
	}
	isSure := sure.MatchString(r.Verdict)
	if p.Accepted == nil {
		right := chosen == nil && !v.Failed
		v.NoneRight, v.Over = &right, chosen != nil && isSure
		return v
	}
	v.Verdict = accept.Judge(p.measured, p.refs, chosen, front, isSure)
	if len(p.bad) > 0 {
		named := !slices.ContainsFunc(p.bad, func(row int) bool { return !r.names(row) })
		v.RowsNamed = &named
	}
	return v
}

// names reports whether the search excluded the row of the file, or named it in a message or in the
// verdict.
func (r TableRecord) names(row int) bool {
	if r.Result != nil && slices.Contains(r.Result.Outliers, row) {
		return true
	}
	named := regexp.MustCompile(fmt.Sprintf(`\brows?\b[^;:]*\b%d\b`, row))
	return named.MatchString(r.Messages) || named.MatchString(r.Verdict)
}
