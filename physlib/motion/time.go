package motion

import (
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// timeNames are names of time columns in lower case, the most likely first.
var timeNames = []string{
	"t", "time", "zeit", "τ", "tau", "clock", "elapsed", "year", "day", "date", "timestamp", "seconds", "second", "sec",
	"minutes", "minute", "hours", "hour", "hrs", "days", "weeks", "week", "months", "month", "years",
}

// second is the dimension of times.
var second = unit.Powers(0, 0, 1)

// guessTime returns the name of the time column. Columns with a name or a unit of time that
// increase come first. Without one, it is the column that increases, with a warning. group holds
// the run of each row; it is nil if the table does not number the runs.
func (r *reader) guessTime(group []float64) string {
	named, timed := r.namedTimes(), r.timed()
	for _, columns := range [][]dataset.Column{named, timed} {
		rising := slices.DeleteFunc(slices.Clone(columns), func(c dataset.Column) bool { return !ascends(c.Values, group, true) })
		if len(rising) > 1 {
			r.warn("column %s is read as the time, not %s; --time-column names another", rising[0].Name, strings.Join(names(rising[1:]), ", "))
		}
		if len(rising) > 0 {
			return rising[0].Name
		}
	}
	if known := append(named, timed...); len(known) > 0 {
		return known[0].Name // the error says where it goes back
	}
	return r.unnamedTime(group)
}

// namedTimes returns the columns with names of times, the most likely first. A capital T is not
// among them: it is a temperature or a period as often as a time.
func (r *reader) namedTimes() (out []dataset.Column) {
	for _, want := range timeNames {
		for _, c := range r.columns {
			if strings.EqualFold(c.Name, want) && (!isLetterT(c) || c.Name == "t" && !otherUnit(c)) {
				out = append(out, c)
			}
		}
	}
	return out
}

// timed returns the columns with a unit of time.
func (r *reader) timed() (out []dataset.Column) {
	for _, c := range r.columns {
		if c.HasUnit && c.Unit.Dim == second {
			out = append(out, c)
		}
	}
	return out
}

// unnamedTime returns the name of the column that is most likely the time, if no name or unit says
// so. It increases in each run. Of several such columns, it is one that has no unit of another
// quantity, never goes back, has equal steps, or is called t or T, in this order. If no column
// increases, it is the first column called t or T, or else the first column. A warning names the
// column, unless it has a unit of another quantity.
func (r *reader) unnamedTime(group []float64) string {
	likely := func(c dataset.Column) (score int) {
		for weight, holds := range []bool{isLetterT(c), evenSteps(c.Values, group), slices.IsSorted(c.Values), !otherUnit(c)} {
			if holds {
				score += 1 << weight
			}
		}
		return score
	}
	rising := r.rising(group)
	candidates, reason := rising, ", as only it increases"
	switch {
	case len(rising) == 0:
		candidates, reason = r.columns, ", although no column increases"
		if i := slices.IndexFunc(candidates, isLetterT); i > 0 {
			candidates = candidates[i:]
		}
		candidates = candidates[:1]
	case len(rising) > 1:
		reason = ""
	}
	best := slices.MaxFunc(candidates, func(a, b dataset.Column) int { return likely(a) - likely(b) })
	if len(rising) > 1 {
		others := slices.DeleteFunc(names(rising), func(name string) bool { return name == best.Name })
		reason = ", not " + strings.Join(others, ", ")
	}
	if !otherUnit(best) { // read warns of the unit
		r.warn("column %s is read as the time%s; --time-column names another", best.Name, reason)
	}
	return best.Name
}

// rising returns the columns that increase from each row to the next one of the same run.
func (r *reader) rising(group []float64) (out []dataset.Column) {
	for _, c := range r.columns {
		if ascends(c.Values, group, false) {
			out = append(out, c)
		}
	}
	return out
}

// isLetterT reports whether a column is called t or T.
func isLetterT(c dataset.Column) bool { return strings.EqualFold(c.Name, "t") }

// otherUnit reports whether a column has a unit of something else than time.
func otherUnit(c dataset.Column) bool {
	return c.HasUnit && c.Unit.Dim != second && !c.Unit.Dim.IsZero()
}

// ascends reports whether v increases from row to row of each run. Without a group, a run begins
// where v decreases, and each run must have enough rows for derivatives. With ties, up to half of
// the rows may repeat the value before them.
func ascends(v, group []float64, ties bool) bool {
	var cuts []int
	equal := 0
	for i := 1; i < len(v); i++ {
		switch {
		case group != nil && group[i] != group[i-1]:
		case v[i] == v[i-1]:
			equal++
		case v[i] < v[i-1] && group != nil:
			return false
		case v[i] < v[i-1]:
			cuts = append(cuts, i)
		}
	}
	if equal > 0 && (!ties || 2*equal > len(v)) {
		return false
	}
	_, short := divided(cuts, len(v), leastRows)
	return len(cuts) == 0 || short == 0
}

// evenSteps reports whether the steps of v inside runs are equal to 1 %.
func evenSteps(v, group []float64) bool {
	var steps []float64
	for i := 1; i < len(v); i++ {
		if v[i] > v[i-1] && (group == nil || group[i] == group[i-1]) {
			steps = append(steps, v[i]-v[i-1])
		}
	}
	return len(steps) > 0 && slices.Max(steps) <= 1.01*slices.Min(steps)
}
