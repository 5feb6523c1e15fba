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

// TableRecord is the outcome of one table: a line of the results file.
type TableRecord struct {
	File       string       `json:"file"`
	Class      string       `json:"class"`
	Set        string       `json:"set"`
	Code       int          `json:"rc"`                    // of physlib discover: 0, 1 error, 3 no law
	Wall       float64      `json:"wall"`                  // seconds
	CPUSeconds float64      `json:"cpu_seconds,omitempty"` // of this process in that time, on all cores; of several jobs together
	Load       float64      `json:"load,omitempty"`        // processes that wanted a core at its end, the mean of a minute; 0: unknown
	Verdict    string       `json:"verdict"`               // as discover.Result
	Messages   string       `json:"stderr"`                // warnings, a line each
	Result     *TableResult `json:"result"`                // null after an error
	Judged     TableVerdict `json:"judged"`

	Variant string `json:"variant,omitempty"` // how the table was changed; "": it was not
	Holds   *bool  `json:"holds,omitempty"`   // of a variant: see Invariance
	Before  string `json:"before,omitempty"`  // of a variant: the law of the table itself

	Fingerprint string   `json:"fingerprint"` // of the table
	Units       bool     `json:"units"`
	LeftOut     bool     `json:"left_out,omitempty"` // the accepted forms, of the prior
	Time        float64  `json:"time"`               // budget in seconds; 0: none
	Clock       string   `json:"clock,omitempty"`    // "cpu": of processor time
	Limit       int64    `json:"limit,omitempty"`    // of evaluations; 0: none
	Seed        int64    `json:"seed"`
	Proposers   []string `json:"proposers"`
	Version     string   `json:"version"` // commit of this program
	Error       string   `json:"error,omitempty"`
}

// TableResult is what a search found, in the form of physlib discover --json.
type TableResult struct {
	Best        *TableLaw  `json:"best"` // null when nothing is better than a constant
	Front       []TableLaw `json:"front"`
	Outliers    []int      `json:"outliers,omitempty"` // rows of the file that were left out
	Evaluations int64      `json:"evaluations"`
	Stopped     string     `json:"stopped,omitempty"`
}

// TableLaw is a law as law.Law is written to JSON.
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
		Infix string   `json:"infix"` // with free constants
		Vars  []string `json:"vars"`
	} `json:"tree,omitempty"`
}

// report returns l in its form for results files.
func report(l law.Law) (r TableLaw, err error) {
	data, err := json.Marshal(law.Saved(l))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	return r, err
}

// reported returns l over the columns of the table itself, to be compared.
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

// sameRun reports whether r and o are of the same table, searched in the same way.
func (r TableRecord) sameRun(o TableRecord) bool {
	return r.File == o.File && r.Variant == o.Variant && r.Fingerprint == o.Fingerprint &&
		r.Units == o.Units && r.LeftOut == o.LeftOut && r.Time == o.Time && r.Clock == o.Clock &&
		r.Limit == o.Limit && r.Seed == o.Seed && slices.Equal(r.Proposers, o.Proposers)
}

// ReadTableResults reads a results file of Tables. A last line without its end, which a killed run
// may write, is ignored.
func ReadTableResults(name string) ([]TableRecord, error) {
	return readResults[TableRecord](name, "tables")
}

// WriteTableResults writes records as a results file.
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
	Law    string `json:"law,omitempty"` // that was chosen

	// NoneRight is set for a table in which nothing is to be found: no law was chosen.
	NoneRight *bool `json:"none_right,omitempty"`

	// RowsNamed is set for a table with rows known to be wrong: they are named or left out.
	RowsNamed *bool `json:"rows_named,omitempty"`

	accept.Verdict
}

// sure are the words of a verdict that call a law sure.
var sure = regexp.MustCompile(`^(likely|very likely|as good as certain)`)

// judge judges a record of the table.
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

// names reports whether the search names a row of the file in a message, or omits it.
func (r TableRecord) names(row int) bool {
	if r.Result != nil && slices.Contains(r.Result.Outliers, row) {
		return true
	}
	named := regexp.MustCompile(fmt.Sprintf(`\brows?\b[^;:]*\b%d\b`, row))
	return named.MatchString(r.Messages) || named.MatchString(r.Verdict)
}
