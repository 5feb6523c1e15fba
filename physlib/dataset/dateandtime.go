package dataset

import (
	"math"
	"regexp"
	"slices"
	"time"
)

// timeNames matches the names of columns of times of day next to a date.
var timeNames = regexp.MustCompile(`(?i)^t$|time|zeit|clock|hours?|stunde|heure|hora|^ora|tid$|tijd|czas|čas|utc|gmt|hh_?mm|时间|時刻|時間`)

// joinClock adds the times of day of a column to the dates in the column next to it, as loggers
// write them: Date, Time. The column of times then holds both, and the column of dates is left out.
// The two columns stay apart if the user names both, or if one of them is the target.
func (t *reader) joinClock() {
	var dates, clocks []int
	for _, i := range t.active {
		switch c := &t.columns[i]; {
		case c.kind == dateKind && c.dayOnly:
			dates = append(dates, i)
		case c.kind == clockKind:
			clocks = append(clocks, i)
		}
	}
	if len(dates) != 1 || len(clocks) != 1 {
		return
	}
	d, k := dates[0], clocks[0]
	date, clock := &t.columns[d], &t.columns[k]
	last := t.active[len(t.active)-1]
	beside := d-k == 1 || k-d == 1
	if !beside || slices.Contains(t.options.Uses, date.Name) || t.named[d] && t.named[k] || t.target == d || t.target == k || t.target < 0 && last == k || len(t.active) < 3 {
		return
	}
	perDay, ok := t.ofDay(date, clock)
	if !ok {
		return
	}
	clock.missing, clock.gaps = 0, append(clock.gaps, date.gaps...)
	start := math.NaN()
	for row := range clock.Values {
		v := date.Values[row] + clock.Values[row]*86400/perDay
		if v-v != 0 {
			clock.missing++
		} else if start-start != 0 {
			start = v
		}
		clock.Values[row] = v - start
	}
	if start-start == 0 {
		clock.first = date.first.Add(time.Duration(math.Round(start * 1e9)))
	}
	clock.kind, clock.slashed, clock.order, clock.guessed = dateKind, date.slashed, date.order, date.guessed
	t.active = slices.DeleteFunc(t.active, func(i int) bool { return i == d })
	t.warn("columns %s and %s are read as one time, %[2]s; to keep them apart, name both in --columns", date.Name, clock.Name)
}

// ofDay reports whether the times of a column are times on the days of another column. perDay is
// the length of a day in the unit of the times.
func (t *reader) ofDay(date, clock *columnReader) (perDay float64, ok bool) {
	span := spanOf(clock.Values)
	switch {
	case clock.forms == 1<<hms:
		perDay = 86400
	case clock.forms == 1<<two && t.hoursAndMinutes(clock, span):
		perDay = 24 * 60
	default:
		return 0, false
	}
	if clock.signed || span.least < 0 || span.most >= perDay || !timeNames.MatchString(clock.Name) || durationNames.MatchString(clock.Name) {
		return 0, false
	}
	// A short time on each of many days may be a duration, such as that of a race.
	days := slices.Clone(date.Values)
	slices.Sort(days)
	each := len(slices.Compact(days)) == len(date.Values)
	return perDay, !(each && span.most < perDay/4)
}
