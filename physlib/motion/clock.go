package motion

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

// clockParts are the parts of a time of day and the day itself, from the longest to the shortest.
// names are usual names of their columns, in lower case; seconds is the length of the part. Names
// that also mean something else, such as h, min and mm, are not among them.
var clockParts = []struct {
	names   []string
	seconds float64
}{
	{[]string{"day", "days", "date", "doy", "dayofyear", "day_of_year", "yday", "julian_day", "datum", "tag", "jour", "dia", "día", "giorno"}, 86400},
	{[]string{"hour", "hours", "hr", "hrs", "hh", "stunde", "heure", "hora", "ora"}, 3600},
	{[]string{"minute", "minutes", "mins"}, 60},
	{[]string{"second", "seconds", "sec", "secs", "ss"}, 1},
}

// joinClock replaces columns of parts of a time, such as days and hours, by one column. This column
// has the name and the unit of the shortest part, and counts from the first day. Two columns are
// joined if all of these hold:
//
//   - Their names are those of parts (see clockColumn).
//   - The longer part has whole numbers that are not all equal.
//   - The shorter part is never negative and always less than one unit of the longer part.
//   - Their sum never decreases within a run.
//
// group holds the run of each row, or is nil. Nothing
// changes if the user has named the column of the time.
func (r *reader) joinClock(group []float64) {
	if r.options.Time != "" {
		return
	}
	r.joinCalendar(group)
	var joined []string
	for k, part := range clockParts[1:] {
		i, j := r.clockColumn(k), r.clockColumn(k+1)
		if i < 0 || j < 0 {
			continue
		}
		long, short := r.columns[i], r.columns[j]
		unit := part.seconds // length of the unit of the shorter part
		if short.HasUnit && short.Unit.Dim == second {
			unit = short.Unit.Factor()
		}
		ratio := clockParts[k].seconds / unit
		whole := !slices.ContainsFunc(long.Values, func(v float64) bool { return v != math.Trunc(v) })
		if !whole || slices.Min(short.Values) < 0 || slices.Max(short.Values) >= ratio || slices.Min(long.Values) == slices.Max(long.Values) {
			continue
		}
		first := 0.0
		if k == 0 {
			first = long.Values[0]
		}
		sum := make([]float64, len(short.Values))
		for row, v := range short.Values {
			sum[row] = (long.Values[row]-first)*ratio + v
		}
		if goesBack(sum, group) {
			continue
		}
		r.columns[j].Values = sum
		r.columns = slices.Delete(slices.Clone(r.columns), i, i+1)
		if joined == nil {
			joined = []string{long.Name}
		}
		joined = append(joined, short.Name)
	}
	if joined != nil {
		last := len(joined) - 1
		r.warn("columns %s and %s are read as one time, %[2]s; this is a guess: --time-column %[2]s keeps them apart", strings.Join(joined[:last], ", "), joined[last])
	}
}

// clockColumn returns the index of the column of a part of a time. It returns -1 if there is none
// or the user has named it as an input. A column with the unit day counts as one of days, such as a
// column of dates, whatever its name is.
func (r *reader) clockColumn(part int) int {
	p := clockParts[part]
	return slices.IndexFunc(r.columns, func(c dataset.Column) bool {
		if slices.Contains(r.options.Inputs, c.Name) || otherUnit(c) {
			return false
		}
		return slices.Contains(p.names, strings.ToLower(c.Name)) || part == 0 && c.HasUnit && c.Unit.Dim == second && c.Unit.Factor() == p.seconds
	})
}

// joinCalendar replaces columns of months and of days of the month, and possibly of years, by the
// number of days since the first row. The new column has the name of the column of days. Without
// years, the year is a leap year only if there is a 29 February.
func (r *reader) joinCalendar(group []float64) {
	find := func(names ...string) int {
		return slices.IndexFunc(r.columns, func(c dataset.Column) bool {
			return slices.Contains(names, strings.ToLower(c.Name)) && !slices.Contains(r.options.Inputs, c.Name)
		})
	}
	y, m, d := find("year", "jahr", "année", "año", "anno"), find("month", "monat", "mois", "mes", "mese"), find("day", "tag", "jour", "dia", "día", "giorno")
	if m < 0 || d < 0 {
		return
	}
	leap := 2001
	for row, day := range r.columns[d].Values {
		if day == 29 && r.columns[m].Values[row] == 2 {
			leap = 2000
		}
	}
	days := make([]float64, len(r.columns[d].Values))
	for row, day := range r.columns[d].Values {
		year, month := float64(leap), r.columns[m].Values[row]
		if y >= 0 {
			year = r.columns[y].Values[row]
		}
		at := time.Date(int(year), time.Month(int(month)), int(day), 0, 0, 0, 0, time.UTC)
		if float64(at.Year()) != year || float64(at.Month()) != month || float64(at.Day()) != day {
			return
		}
		days[row] = float64(at.Unix() / 86400)
	}
	if goesBack(days, group) {
		return
	}
	first := days[0]
	for row := range days {
		days[row] -= first
	}
	parts := []string{r.columns[m].Name}
	if y >= 0 {
		parts = []string{r.columns[y].Name, r.columns[m].Name}
	}
	name := r.columns[d].Name
	r.columns = slices.Clone(r.columns)
	r.columns[d].Values = days
	r.columns = slices.DeleteFunc(r.columns, func(c dataset.Column) bool { return slices.Contains(parts, c.Name) })
	r.warn("columns %s and %s are read as days since the first row, %[2]s; --time-column %[2]s keeps them apart", strings.Join(parts, ", "), name)
}

// goesBack reports whether v decreases between two rows of the same run.
func goesBack(v, group []float64) bool {
	for i := 1; i < len(v); i++ {
		if v[i] < v[i-1] && (group == nil || group[i] == group[i-1]) {
			return true
		}
	}
	return false
}
