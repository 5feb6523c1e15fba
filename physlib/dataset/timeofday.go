package dataset

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/unit"
)

// clockForm is a form of times without a date.
type clockForm byte

const (
	noClock clockForm = iota
	hms               // 12:30:05
	ms                // 1:23.4: minutes and seconds
	two               // 12:30: hours and minutes, or minutes and seconds
	days              // 1 days 12:30:05
)

// daysBefore matches a duration with days in front, as pandas writes it: 1 days 12:30:05. Negative
// durations are sums: -1 days +12:30:05 is 24 hours less than 12:30:05.
var daysBefore = regexp.MustCompile(`^([-+]?\d+) days? \+?(\d\d?:.*)$`)

// parseClock reads a time of day or a duration, in seconds. It takes 12:30 as minutes and seconds.
func parseClock(cell []byte) (seconds float64, form clockForm) {
	if len(cell) < 3 || len(cell) > 32 {
		return 0, noClock
	}
	if m := daysBefore.FindSubmatch(cell); m != nil {
		n, err := strconv.ParseFloat(string(m[1]), 64)
		seconds, form := parseClock(m[2])
		if err != nil || form != hms {
			return 0, noClock
		}
		return 86400*n + seconds, days
	}
	if last := cell[len(cell)-1] | 0x20; last == 'm' || last == '.' {
		return parseHalfDay(string(cell))
	}
	parts := strings.Split(strings.TrimLeft(string(cell[:1]), "+-")+string(cell[1:]), ":")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, noClock
	}
	last := len(parts) - 1
	for i, p := range parts {
		digits := p
		if i == last {
			p = strings.Replace(p, ",", ".", 1)
			digits = strings.Replace(p, ".", "", 1)
		}
		if digits == "" || strings.Trim(digits, "0123456789") != "" {
			return 0, noClock
		}
		v, err := strconv.ParseFloat(p, 64)
		if whole, _, _ := strings.Cut(p, "."); err != nil || i > 0 && (v >= 60 || len(whole) < 2) {
			return 0, noClock
		}
		seconds = 60*seconds + v
	}
	form = two
	switch {
	case len(parts) == 3:
		form = hms
	case strings.ContainsAny(parts[1], ".,"):
		form = ms
	}
	if cell[0] == '-' {
		seconds = -seconds
	}
	return seconds, form
}

// parseHalfDay reads a time of day such as 1:30 PM or 11:05:07 a.m., in seconds.
func parseHalfDay(text string) (seconds float64, form clockForm) {
	text = strings.ToUpper(strings.NewReplacer(".M.", "M", ".m.", "M", " ", "").Replace(text))
	for _, form := range []string{"3:04:05PM", "3:04PM"} {
		if at, err := time.Parse(form, text); err == nil {
			h, m, s := at.Clock()
			return float64(3600*h+60*m+s) + float64(at.Nanosecond())/1e9, hms
		}
	}
	return 0, noClock
}

// clocks converts times of day without dates to seconds since the first time in the column, and
// durations to seconds.
func (t *reader) clocks(i int) error {
	c := &t.columns[i]
	if c.HasUnit && c.Unit.Dim != unit.Powers(0, 0, 1) {
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are times and its unit is %s", c.Unit), "remove the unit, or give a unit of time")
	}
	passes := t.midnight(i)
	span := spanOf(c.Values)
	day := span.rising && (passes || span.last < 86400)
	scale, how, write := 1.0, "minutes and seconds", ""
	ofDay := day && c.forms&(1<<days) == 0 && c.forms&(1<<hms) != 0 && span.least >= 3600 && !c.signed && !isRightAscension(c.Name)
	if c.forms == 1<<two {
		if c.clock == noClock && !c.HasUnit {
			write = "; this is a guess: write 0:12:30 or 12:30:00, or the form into the header, as in t [mm:ss]"
		}
		if passes || t.hoursAndMinutes(c, span) {
			scale, how, ofDay = 60, "hours and minutes", passes || span.rising && span.last < 24*60 && (span.least >= 60 || t.hasDays())
		}
	} else if c.forms&(1<<hms) != 0 {
		how = "hours, minutes and seconds"
	}
	if c.forms&(1<<days) != 0 {
		how = "days, hours, minutes and seconds"
	}
	per, name := 1.0, "seconds"
	switch {
	case c.HasUnit:
		per, name = c.Unit.Factor(), "times in "+c.Unit.String()
	case isAngle(c.Name) && c.forms == 1<<hms:
		c.Unit, _ = unit.Parse("°")
		c.HasUnit = true
		per, how, name, ofDay = 3600, "degrees, minutes and seconds", "degrees", false
	default:
		c.Unit, _ = unit.Parse("s")
		c.HasUnit = true
	}
	since, first := "", 0.0
	if ofDay {
		since, first = " since the first", span.first
		c.Since = time.Date(0, time.January, 1, 0, 0, 0, int(math.Round(first*scale*1e9)), time.UTC)
	}
	for k := range c.Values {
		v := c.Values[k] - first
		if ofDay {
			v = math.Round(v*1e9) / 1e9 // as exact as the times are written
		}
		c.Values[k] = v * scale / per
	}
	t.warn("column %s: times are read as %s, in %s%s%s", c.Name, how, name, since, write)
	return nil
}

// clockSpan describes the times of a column without a date, in the unit of their last part.
type clockSpan struct {
	first, last float64
	least, most float64
	rising      bool // whether no time is before the one above it
}

// spanOf returns the span of the times that are not missing.
func spanOf(times []float64) clockSpan {
	s := clockSpan{first: math.NaN(), last: math.Inf(-1), least: math.Inf(1), most: math.Inf(-1), rising: true}
	for _, v := range times {
		if v-v != 0 {
			continue
		}
		if s.first-s.first != 0 {
			s.first = v
		}
		s.rising = s.rising && v >= s.last
		s.least, s.most, s.last = min(s.least, v), max(s.most, v), v
	}
	return s
}

// hoursAndMinutes reports whether times such as 12:30 are hours and minutes, and not minutes and
// seconds. The header decides if it gives the form or a unit. Otherwise the times must be possible
// times of day. In addition, they must rise from 1:00 or later on, or be in a table with dates.
func (t *reader) hoursAndMinutes(c *columnReader, span clockSpan) bool {
	switch {
	case c.clock != noClock:
		return c.clock == hms
	case unitIs(c, "h"):
		return true
	case unitIs(c, "min") || unitIs(c, "s"):
		return false
	}
	return span.most < 24*60 && (span.rising && span.least >= 60 || t.hasDays() && !durationNames.MatchString(c.Name) || ofDayNames.MatchString(c.Name))
}

// ofDayNames matches the names of times of day, and durationNames those of durations.
var (
	ofDayNames    = regexp.MustCompile(`(?i)uhrzeit|time_of_day|clock|local_time|^(?:utc|gmt|heure|hora|ora|orario)$|_(?:utc|gmt)$`)
	durationNames = regexp.MustCompile(`(?i)durat|dauer|elapsed|lap|split|laufzeit|run_?time|race|durée`)
)

// hasDays reports whether a column of the table contains dates without times of day. Times in
// another column are then times of day.
func (t *reader) hasDays() bool {
	return slices.ContainsFunc(t.active, func(i int) bool { return t.columns[i].kind == dateKind && t.columns[i].dayOnly })
}

// Names of angles and right ascensions, which are written like times.
var (
	angles          = regexp.MustCompile(`(?i)^(?:dec|decl|declination|δ|delta|lat|latitude|lon|long|longitude|alt|altitude|az|azimuth|elevation)(?:_|$)`)
	rightAscensions = regexp.MustCompile(`(?i)^(?:ra|right_ascension|rektaszension|α)(?:_|$)`)
)

func isAngle(name string) bool          { return angles.MatchString(name) }
func isRightAscension(name string) bool { return rightAscensions.MatchString(name) }

// midnight corrects times of day that pass midnight. If the time in a row is at least half a day
// before the time in the previous row, it adds a day to this row and to all following rows. It
// changes nothing if some times decrease by less than half a day. It reports whether it changed the
// column.
//
// Times such as 23:50 may also be minutes and seconds. They count as times of day if each decrease
// is from evening to night, or if another column contains dates.
func (t *reader) midnight(i int) bool {
	c := &t.columns[i]
	day := 86400.0
	if c.forms == 1<<two && c.clock == ms {
		return false
	} else if c.forms == 1<<two && (!c.HasUnit || c.clock == hms) {
		day = 24 * 60
	} else if c.forms != 1<<hms {
		return false
	}
	if c.signed || isAngle(c.Name) || isRightAscension(c.Name) {
		return false
	}
	falls, row, last := 0, 0, math.NaN()
	for k, v := range c.Values {
		if v-v != 0 {
			continue
		}
		if v >= day || v < last && last-v < day/2 {
			return false
		}
		if v < last && c.forms == 1<<two && !t.hasDays() && c.clock != hms && (last < day*5/6 || v > day/6) {
			return false
		}
		if v < last {
			falls, row = falls+1, k
		}
		last = v
	}
	if falls == 0 {
		return false
	}
	days, last := 0.0, math.NaN()
	for k, v := range c.Values {
		if v < last {
			days++
		}
		if v-v == 0 {
			last = v
		}
		c.Values[k] = v + days*day
	}
	t.warn("column %s: its times of day pass midnight, as in row %d, and a day is added from there on; give dates with them to be sure", c.Name, t.rows[row])
	return true
}

// unitIs reports whether the header gives the column a unit with this name.
func unitIs(c *columnReader, name string) bool { return c.HasUnit && c.Unit.Name == name }
