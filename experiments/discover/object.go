package discover

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/physlib/lab/physlib/law"
)

// object is what --json prints.
type object struct {
	Best        *law.Law  `json:"best"` // null when nothing is better than a constant
	Front       []law.Law `json:"front"`
	Target      string    `json:"target"`
	Rows        int       `json:"rows"`
	Outliers    []int     `json:"outliers,omitempty"` // rows of the file that contradict the others and were left out
	Verdict     string    `json:"verdict"`            // how sure the law is, in words, and why
	Probability *float64  `json:"probability"`        // that best has the right form; null: not known
	Errors      string    `json:"errors,omitempty"`   // the error model of best
	Known       []known   `json:"known_laws"`         // laws with a name that fit the table, the best first
	Stopped     string    `json:"stopped"`            // why the search ended
	Seconds     float64   `json:"seconds"`
	Evaluations int64     `json:"evaluations"`
	Seed        int64     `json:"seed"`
	Version     string    `json:"version"`
}

// known is a law with a name that fits the table.
type known struct {
	Names  []string `json:"names"`
	Law    string   `json:"law"`
	Beyond float64  `json:"bits_beyond_best"` // by how many bits its description is longer than that of best
}

func (f finding) object() object {
	o := object{
		Front: f.result.Front, Target: f.table.Target.Name, Rows: f.table.Rows(), Outliers: f.outliers(), Seconds: f.result.Elapsed.Seconds(),
		Evaluations: f.result.Evaluations, Seed: f.settings.Seed, Version: Version(),
	}
	o.Verdict, o.Probability, o.Stopped, o.Errors = f.result.Verdict, finite(f.result.Probability), f.result.Stopped, f.result.Errors
	o.Known = []known{}
	for _, l := range f.result.Known {
		o.Known = append(o.Known, known{l.Names, l.Law.Infix(), l.Beyond})
	}
	if o.Front == nil {
		o.Front = []law.Law{}
	}
	if !f.none() {
		o.Best = &f.result.Best
	}
	return o
}

func (f finding) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(f.object())
}

// shortDuration prints a time with two or three digits.
func shortDuration(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
