package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/unit"
)

// dateForms are the dates that are read: ISO 8601, the same with slashes, and with points the day
// first. See parseSlashed for 31/1/2025.
var dateForms = []string{"2006-1-2", "2006/1/2", "2.1.2006"}

// clockForms follow a date.
var clockForms = []string{"15:04:05Z07:00", "15:04:05-0700", "15:04:05-07", "15:04Z07:00", "15:04:05", "15:04"}

// parseMoment reads a date, perhaps with a time of day.
func parseMoment(cell []byte) (at time.Time, dayOnly, ok bool) {
	if len(cell) < 8 || len(cell) > 40 || cell[0] < '0' || cell[0] > '9' {
		return at, false, false
	}
	text := string(cell)
	end := strings.IndexAny(text, "T ")
	day, clock := text, ""
	if end > 0 {
		day, clock = text[:end], strings.ReplaceAll(strings.TrimSpace(text[end+1:]), " ", "")
	}
	for _, form := range dateForms {
		date, err := time.Parse(form, day)
		if err != nil {
			continue
		}
		if clock == "" {
			return date, end < 0, end < 0
		}
		for _, c := range clockForms {
			if t, err := time.Parse(form+" "+c, day+" "+strings.ToUpper(clock)); err == nil {
				return t, false, true
			}
		}
	}
	return at, false, false
}

// clockForm is how a time without a date is written.
type clockForm byte

const (
	noClock clockForm = iota
	hms               // 12:30:05
	ms                // 1:23.4, minutes and seconds
	two               // 12:30: hours and minutes, or minutes and seconds
)

// parseClock reads a time of day or a duration in seconds, 12:30 as minutes and seconds.
func parseClock(cell []byte) (seconds float64, form clockForm) {
	if len(cell) < 3 || len(cell) > 24 {
		return 0, noClock
	}
	parts := strings.Split(strings.TrimPrefix(string(cell), "-"), ":")
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
		if err != nil || i > 0 && (v >= 60 || len(p) < 2) {
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

// moments turns the dates of a column into days or seconds since the first.
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

// clocks turns the times without dates of a column into seconds, since the first if they are times
// of day.
func (t *reader) clocks(i int) error {
	c := &t.columns[i]
	if c.HasUnit && c.Unit.Dim != unit.Powers(0, 0, 1) {
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are times and its unit is %s", c.Unit), "take the unit away, or give a time")
	}
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
	ofDay := rising && c.forms&(1<<hms) != 0 && least >= 3600
	if c.forms == 1<<two {
		write = "; write 0:12:30 or 12:30:00 to be sure"
		if hours := unitIs(c, "h"); hours || !unitIs(c, "min") && !unitIs(c, "s") && rising && least >= 60 && before < 24*60 {
			scale, how, ofDay = 60, "hours and minutes", true
		}
	} else if c.forms&(1<<hms) != 0 {
		how = "hours, minutes and seconds"
	}
	per, name := 1.0, "seconds"
	if c.HasUnit {
		per, name = c.Unit.Factor(), "times in "+c.Unit.String()
	} else {
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
		c.Values[k] = (c.Values[k] - first) * scale / per
	}
	t.warn("column %s: times are read as %s, in %s%s%s", c.Name, how, name, since, write)
	return nil
}

// unitIs reports whether the header gives a column the unit of that name.
func unitIs(c *heading, name string) bool { return c.HasUnit && c.Unit.Name == name }
