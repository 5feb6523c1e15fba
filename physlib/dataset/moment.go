package dataset

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/unit"
)

// dateForms are the accepted forms of dates: 2025-1-31 (ISO 8601), 2025/1/31, 31.1.2025, 31.01.25,
// and 20250131 if a time follows. See parseSlashed for 31/1/2025.
var dateForms = []string{"2006-1-2", "2006/1/2", "2.1.2006", "02.01.06", "20060102"}

// monthForms are forms of dates with English names of months, without commas.
var monthForms = []string{"2 Jan 2006", "2 January 2006", "2. January 2006", "2-Jan-2006", "2-Jan-06", "2 Jan 06", "2. Jan 2006", "Jan 2 2006", "January 2 2006", "2006-Jan-2", "2006 Jan 2", "2Jan2006"}

// clockForms are the forms of a time of day after a date.
var clockForms = []string{"15:04:05Z07:00", "15:04:05-0700", "15:04:05-07", "15:04Z07:00", "15:04:05", "15:04", "150405Z07:00", "150405-0700", "150405",
	"3:04:05PM", "3:04PM"}

// parseMoment reads a date, with or without a time of day.
func parseMoment(cell []byte) (at time.Time, dayOnly, ok bool) {
	if len(cell) < 8 || len(cell) > 40 || !bytes.ContainsAny(cell, "0123456789") {
		return at, false, false
	}
	text := string(cell)
	if len(text) > 4 && text[4] == '.' {
		text = yearDots.ReplaceAllString(text, "$1-$2-$3 ")
		text = strings.TrimSpace(text)
	}
	if strings.Contains(text, ". ") {
		text = spacedDots.ReplaceAllString(text, "$1.$2.$3")
	}
	if strings.Contains(text, "年") {
		text = strings.TrimRight(kanji.Replace(text), ":")
	}
	if c := cell[0]; c < '0' || c > '9' || bytes.ContainsAny(cell, "JFMASONDjfmasondEGLeglä") {
		if at, dayOnly, ok = parseMonth(text); ok || c < '0' || c > '9' {
			return at, dayOnly, ok
		}
	}
	end := strings.IndexAny(text, "T ")
	if end < 0 {
		return parseDay(text, "", dateForms[:len(dateForms)-1])
	}
	return parseDay(text[:end], text[end+1:], dateForms)
}

// parseShortDate reads a date such as 2.1.25. The text counts as a date only if the column contains
// longer forms as well.
func parseShortDate(cell []byte) (at time.Time, ok bool) {
	if n := len(cell); n < 6 || n > 7 || cell[n-3] != '.' {
		return at, false
	}
	at, err := time.Parse("2.1.06", string(cell))
	return at, err == nil
}

// yearDots matches dates such as 2025.03.01 and 2025. 3. 1.
var yearDots = regexp.MustCompile(`^(\d{4})\. ?(\d\d?)\. ?(\d\d?)\.?(?:$| )`)

// spacedDots matches dates such as 31. 1. 2025.
var spacedDots = regexp.MustCompile(`^(\d\d?)\. (\d\d?)\. ?(\d{4})\b`)

// yearLast matches a date of C's ctime after its weekday, such as Jan 31 12:30:05 2025.
var yearLast = regexp.MustCompile(`^(\pL+ \d+) (\d\d:\d\d:\d\d(?: UTC| GMT)?) (\d{4})$`)

// thousandths matches a time of day in which a colon precedes the thousandths of a second.
var thousandths = regexp.MustCompile(`^(\d\d?:\d\d:\d\d):(\d{3})$`)

// parseDay reads a date in one of the forms. clock is the time of day after it, or "".
func parseDay(day, clock string, forms []string) (at time.Time, dayOnly, ok bool) {
	clock = thousandths.ReplaceAllString(strings.ToUpper(strings.ReplaceAll(clock, " ", "")), "$1.$2")
	for _, zone := range []string{"UTC", "GMT"} {
		if bare, ok := strings.CutSuffix(clock, zone); ok && bare != "" {
			clock = bare + "Z"
		}
	}
	for _, form := range forms {
		if at, err := time.Parse(form, day); err != nil {
			continue
		} else if clock == "" {
			return at, true, form != "20060102"
		}
		for _, c := range clockForms {
			if at, err := time.Parse(form+" "+c, day+" "+clock); err == nil {
				return at, false, true
			}
		}
	}
	return at, false, false
}

// parseMonth reads a date with the name of a month, as in 1 Jan 2025 or Wed, 01 Jan 2025 12:00:00
// GMT.
func parseMonth(text string) (at time.Time, dayOnly, ok bool) {
	text = englishMonths(strings.Join(strings.Fields(strings.ReplaceAll(text, ",", " ")), " "))
	if word, rest, ok := strings.Cut(text, " "); ok && isWeekday(word) {
		text = rest
	}
	text = yearLast.ReplaceAllString(text, "$1 $3 $2")
	day, clock := text, ""
	if colon := strings.IndexByte(text, ':'); colon >= 0 {
		end := strings.LastIndexAny(text[:colon], "T ")
		if end < 0 {
			return at, false, false
		}
		day, clock = text[:end], text[end+1:]
	}
	return parseDay(day, clock, monthForms)
}

// isWeekday reports whether a word is the English name of a day of the week or an abbreviation of
// it.
func isWeekday(word string) bool {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(d.String()), strings.ToLower(strings.TrimSuffix(word, "."))) {
			return true
		}
	}
	return false
}

// clockForm is a form of times without a date.
type clockForm byte

const (
	noClock clockForm = iota
	hms               // 12:30:05
	ms                // 1:23.4: minutes and seconds
	two               // 12:30: hours and minutes, or minutes and seconds
	days              // 1 days 12:30:05
)

// daysBefore matches a duration with days in front, as pandas writes it: 1 days 12:30:05, and -1
// days +12:30:05 for minus 11:29:55.
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

// moments converts the dates of a column to days or seconds since the first date.
func (t *reader) moments(i int) error {
	c := &t.columns[i]
	per, name := 1.0, "seconds"
	want := unit.Unit{}
	if c.dayOnly {
		per, name = 86400, "days"
	}
	switch {
	case !c.HasUnit && c.dayOnly:
		want, _ = unit.Parse("d")
	case !c.HasUnit:
		want, _ = unit.Parse("s")
	case c.Unit.Dim != unit.Powers(0, 0, 1):
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are dates and its unit is %s", c.Unit), "take the unit away, or give a time")
	default:
		want, per, name = c.Unit, c.Unit.Factor(), "times in "+c.Unit.String()
	}
	c.Unit, c.HasUnit = want, true
	for k := range c.Values {
		c.Values[k] /= per
	}
	as := name
	if c.slashed {
		as = slashOrders[c.order] + ", as " + name
		if c.guessed {
			as = slashOrders[c.order] + " (a guess; 2025-01-31 would be sure), as " + name
		}
	}
	t.warn("column %s: dates are read as %s since %s", c.Name, as, c.first.Format(map[bool]string{true: "2006-01-02", false: "2006-01-02 15:04:05"}[c.dayOnly]))
	return nil
}

// clocks converts times of day without dates to seconds since the first time in the column, and
// durations to seconds.
func (t *reader) clocks(i int) error {
	c := &t.columns[i]
	if c.HasUnit && c.Unit.Dim != unit.Powers(0, 0, 1) {
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are times and its unit is %s", c.Unit), "take the unit away, or give a time")
	}
	passes := t.midnight(i)
	rising, least, first := true, math.Inf(1), math.NaN()
	before := math.Inf(-1)
	for _, v := range c.Values {
		if v-v != 0 {
			continue
		}
		if first-first != 0 {
			first = v
		}
		rising, least, before = rising && v >= before, min(least, v), v
	}
	scale, how, write := 1.0, "minutes and seconds", ""
	ofDay := rising && c.forms&(1<<days) == 0 && (passes || before < 86400) && c.forms&(1<<hms) != 0 && least >= 3600 && !c.signed && !isRightAscension(c.Name)
	if c.forms == 1<<two {
		write = "; write 0:12:30 or 12:30:00 to be sure"
		if passes || unitIs(c, "h") || !unitIs(c, "min") && !unitIs(c, "s") && before < 24*60 && (rising && least >= 60 || rising && t.hasDays()) {
			scale, how, ofDay = 60, "hours and minutes", true
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
	since := ""
	if ofDay {
		since = " since the first"
	} else {
		first = 0
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
	if c.forms == 1<<two && !c.HasUnit {
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
		if v < last && c.forms == 1<<two && !t.hasDays() && (last < day*5/6 || v > day/6) {
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
func unitIs(c *heading, name string) bool { return c.HasUnit && c.Unit.Name == name }
