package dataset

import (
	"bytes"
	"fmt"
	"regexp"
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

// parseShortDate reads a date such as 2.1.25. Such a text counts as a date only if the column also
// contains dates in longer forms.
func parseShortDate(cell []byte) (at time.Time, ok bool) {
	if n := len(cell); n < 6 || n > 7 || cell[n-3] != '.' {
		return at, false
	}
	at, err := time.Parse("2.1.06", string(cell))
	return at, err == nil
}

// parseYearMonth reads a month such as 1958-03, of the years 1600 to 2199, as its first day. Such
// texts count as dates only if all cells of the column are months.
func parseYearMonth(cell []byte) (at time.Time, ok bool) {
	if len(cell) != len("2006-01") {
		return at, false
	}
	at, err := time.Parse("2006-01", string(cell))
	return at, err == nil && at.Year() >= 1600 && at.Year() < 2200
}

// isSeason reports whether a month may also be two years, as 2008-09 for 2008 to 2009.
func isSeason(month time.Time) bool { return int(month.Month()) == (month.Year()+1)%100 }

// yearDots matches dates such as 2025.03.01 and 2025. 3. 1.
var yearDots = regexp.MustCompile(`^(\d{4})\. ?(\d\d?)\. ?(\d\d?)\.?(?:$| )`)

// spacedDots matches dates such as 31. 1. 2025.
var spacedDots = regexp.MustCompile(`^(\d\d?)\. (\d\d?)\. ?(\d{4})\b`)

// yearLast matches a date of C's ctime after its weekday, such as Jan 31 12:30:05 2025.
var yearLast = regexp.MustCompile(`^(\pL+ \d+) (\d\d:\d\d:\d\d(?: UTC| GMT)?) (\d{4})$`)

// thousandths matches a time of day in which a colon precedes the thousandths of a second.
var thousandths = regexp.MustCompile(`^(\d\d?:\d\d:\d\d):(\d{3})$`)

// endOfDay matches the time at the end of a day.
var endOfDay = regexp.MustCompile(`^24:00(?::00(?:\.0+)?)?$`)

// parseDay reads a date in one of the forms. clock is the time of day after it, or "".
func parseDay(day, clock string, forms []string) (at time.Time, dayOnly, ok bool) {
	clock = thousandths.ReplaceAllString(strings.ToUpper(strings.ReplaceAll(clock, " ", "")), "$1.$2")
	for _, zone := range []string{"UTC", "GMT"} {
		if bare, ok := strings.CutSuffix(clock, zone); ok && bare != "" {
			clock = bare + "Z"
		}
	}
	late := endOfDay.MatchString(clock)
	for _, form := range forms {
		if at, err := time.Parse(form, day); err != nil {
			continue
		} else if clock == "" {
			return at, true, form != "20060102"
		} else if late {
			return at.AddDate(0, 0, 1), false, true
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
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are dates and its unit is %s", c.Unit), "remove the unit, or give a unit of time")
	default:
		want, per, name = c.Unit, c.Unit.Factor(), "times in "+c.Unit.String()
	}
	c.Unit, c.HasUnit, c.Since = want, true, c.first
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
