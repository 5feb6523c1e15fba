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
	Seconds     float64   `json:"seconds"`
	Evaluations int64     `json:"evaluations"`
	Seed        int64     `json:"seed"`
	Version     string    `json:"version"`
}

func (f finding) object() object {
	o := object{
		Front: f.result.Front, Target: f.table.Target.Name, Rows: f.table.Rows(), Outliers: f.outliers(), Seconds: f.result.Elapsed.Seconds(),
		Evaluations: f.result.Evaluations, Seed: f.settings.Seed, Version: Version(),
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
