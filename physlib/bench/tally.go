package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Tally compares several runs: for every kind of task, it has the number of laws that each run
// recovered.
type Tally struct {
	Kinds []Kind     // sorted by suite, noise, digits, outliers and units
	Runs  []TallyRun // counts of each run, in the given order
}

// Kind is a kind of task: a suite with or without units, and the noise, rounding and wrong values
// of its data.
type Kind struct {
	Suite    string
	Units    bool
	Noise    float64
	Digits   int     // significant digits of the data; 0: all
	Outliers float64 // share of rows with an error
	Fault    Fault   // kind of the errors in these rows
}

// TallyRun has the counts of laws that one run recovered.
type TallyRun struct {
	Name  string
	Kinds []Summary // one for each of Tally.Kinds; zero if the run has no law of that kind
	All   Summary
}

// NewTally compares runs with the given names. If a run has several records of a law with equal
// settings, the last one counts.
func NewTally(names []string, runs [][]Record) Tally {
	var t Tally
	for _, run := range runs {
		for _, r := range run {
			if !slices.Contains(t.Kinds, r.kind()) {
				t.Kinds = append(t.Kinds, r.kind())
			}
		}
	}
	slices.SortFunc(t.Kinds, func(a, b Kind) int {
		unitsFirst := func(k Kind) int {
			if k.Units {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Noise, b.Noise), cmp.Compare(a.Digits, b.Digits), cmp.Compare(a.Outliers, b.Outliers), cmp.Compare(a.Fault, b.Fault),
			cmp.Compare(unitsFirst(a), unitsFirst(b)))
	})
	for i, run := range runs {
		run = latest(run)
		r := TallyRun{Name: names[i], All: Summarize(run)}
		for _, k := range t.Kinds {
			var some []Record
			for _, record := range run {
				if record.kind() == k {
					some = append(some, record)
				}
			}
			r.Kinds = append(r.Kinds, Summarize(some))
		}
		t.Runs = append(t.Runs, r)
	}
	return t
}

// latest returns records without those that a later record of the same law with the same settings
// replaces.
func latest(records []Record) []Record {
	var last []Record
	for i, r := range records {
		if !slices.ContainsFunc(records[i+1:], r.sameRun) {
			last = append(last, r)
		}
	}
	return last
}

// String returns text such as "feynman, units, noise 0.01".
func (k Kind) String() string {
	s := k.Suite
	if k.Units {
		s += ", units"
	} else {
		s += ", no units"
	}
	if k.Noise > 0 {
		s += fmt.Sprintf(", noise %v", k.Noise)
	}
	if k.Digits > 0 {
		s += fmt.Sprintf(", %d digits", k.Digits)
	}
	if k.Outliers > 0 {
		s += fmt.Sprintf(", %s %v", cmp.Or(k.Fault, "outliers"), k.Outliers)
	}
	return s
}

// String returns the tally as a table, with a line for each kind of task and a column
// "recovered/laws" for each run. Lines for all tasks follow: recovered laws, laws with R² > 0.999,
// median seconds, and candidates scored per second.
func (t Tally) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(label string, cell func(TallyRun) string) {
		fmt.Fprintf(w, "%s\t", label)
		for _, r := range t.Runs {
			fmt.Fprintf(w, "%s\t", cell(r))
		}
		fmt.Fprintln(w)
	}
	count := func(k int, s Summary) string {
		if s.Laws == 0 {
			return "-"
		}
		return fmt.Sprintf("%d/%d", k, s.Laws)
	}
	line("recovered", func(r TallyRun) string { return r.Name })
	for i, k := range t.Kinds {
		line(k.String(), func(r TallyRun) string { return count(r.Kinds[i].Recovered, r.Kinds[i]) })
	}
	line("all", func(r TallyRun) string { return count(r.All.Recovered, r.All) })
	line("R² > 0.999", func(r TallyRun) string { return count(r.All.Fitted, r.All) })
	line("seconds, median", func(r TallyRun) string { return fmt.Sprintf("%.2g", r.All.Median) })
	line("candidates scored a second", func(r TallyRun) string { return fmt.Sprintf("%.0f", r.All.Rate) })
	w.Flush()
	return b.String()
}
