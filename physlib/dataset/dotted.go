package dataset

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// warnOfDots warns if the numbers of a column may be times of day, as 8.30 for 8:30, or days and
// months, as 27.02 for 27 February.
func (t *reader) warnOfDots(c Column) {
	v := c.Values[0]
	switch name := strings.ToLower(c.Name); {
	case (!c.HasUnit || c.Unit.Name == "h") && dottedClocks(name, c.Values):
		hours, minutes := dotted(v)
		t.warn("column %s: %.2f is read as a number, not as a time; write %d:%02d for times of day", c.Name, v, hours, minutes)
	case !c.HasUnit && isDateName(name) && !strings.HasPrefix(name, "day") && dottedDays(c.Values):
		t.warn("column %s: %.2f is read as a number, not as a date; write 2025-01-31 for dates", c.Name, v)
	}
}

// allClocks reports whether all values are times of day of 4 digits, such as 2350, or of 6 digits,
// such as 235059.
func allClocks(values []float64, digits int) bool {
	end := map[int]float64{4: 2400, 6: 240000}[digits]
	return end > 0 && !slices.ContainsFunc(values, func(v float64) bool {
		return v != math.Trunc(v) || v < 0 || v >= end || math.Mod(v, 100) >= 60 || math.Mod(math.Trunc(v/100), 100) >= 60
	})
}

// clockWithoutColons returns a number of a column of times of day without colons, such as 0950 or
// 125950, and "" for other columns. If no number begins with 0, the times must follow each
// other in even steps, and the numbers must not.
func (t *reader) clockWithoutColons(c Column) string {
	if c.HasUnit || !isTimeName(c.Name) {
		return ""
	}
	i := slices.IndexFunc(t.columns, func(h columnReader) bool { return h.Name == c.Name })
	if i >= 0 && allClocks(c.Values, len(t.columns[i].zeros)) {
		return t.columns[i].zeros
	}
	last := strconv.FormatFloat(c.Values[len(c.Values)-1], 'f', -1, 64)
	if !allClocks(c.Values, len(last)) || evenSteps(c.Values) {
		return ""
	}
	times := make([]float64, len(c.Values))
	for k, v := range c.Values {
		times[k] = 3600*math.Trunc(v/1e4) + 60*math.Mod(math.Trunc(v/100), 100) + math.Mod(v, 100)
		if len(last) == 4 {
			times[k] = 60*math.Trunc(v/100) + math.Mod(v, 100)
		}
	}
	if !evenSteps(times) {
		return ""
	}
	return last
}

// evenSteps reports whether at least four values rise in even steps.
func evenSteps(values []float64) bool {
	n := len(values)
	for i := 2; i < n; i++ {
		if values[i]-values[i-1] != values[1]-values[0] {
			return false
		}
	}
	return n >= 4 && values[1] > values[0]
}

// withColons returns a time of day such as 090640 with colons between its parts.
func withColons(digits string) string {
	parts := digits[:2]
	for i := 2; i < len(digits); i += 2 {
		parts += ":" + digits[i:i+2]
	}
	return parts
}

// sixtieths are units that may be meant as a form of times, such as min.s for 1.15 = 1 min 15 s.
var sixtieths = map[string]string{"min.s": "minutes and seconds", "min.sec": "minutes and seconds", "m.s": "minutes and seconds", "h.min": "hours and minutes", "h.m": "hours and minutes"}

// warnOfSixtieths warns of a column with such a unit if no value has hundredths above 59.
func (t *reader) warnOfSixtieths(c Column) {
	parts := sixtieths[c.Unit.Name]
	if !c.HasUnit || parts == "" || slices.ContainsFunc(c.Values, func(v float64) bool { _, n := dotted(v); return n < 0 || n >= 60 }) {
		return
	}
	for _, v := range c.Values {
		if whole, n := dotted(v); n > 0 {
			t.warn("column %s: [%s] is read as a product of units; if %.2f means %s, write %d:%02d and the form of the times into the header, as in %s [%s]",
				c.Name, c.Unit.Name, v, parts, whole, n, c.Name, map[bool]string{true: "mm:ss", false: "hh:mm"}[parts[0] == 'm'])
			return
		}
	}
}

// dotted returns the parts of a number before and after its point, the second one in hundredths.
// Both are -1 if the number is negative or has more than two decimals.
func dotted(v float64) (whole, hundredths int) {
	n := math.Round(100 * v)
	if v < 0 || v >= 1e6 || math.Abs(n/100-v) > 1e-9 {
		return -1, -1
	}
	return int(n) / 100, int(n) % 100
}

// dottedClocks reports whether the values of a column may be times of day with a point between
// hours and minutes. The name may say only that they are times, in any unit. The values must then
// go in even steps of minutes, or have at least six different minutes, all below 60. name is in
// lower case.
func dottedClocks(name string, values []float64) bool {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	sure := has("uhrzeit", "clock", "time_of_day")
	if !sure && !isTimeName(name) && !has("zeit", "hour", "stunde", "heure", "hora") {
		return false
	}
	different := map[int]bool{} // minutes after 1:00
	times := make([]float64, len(values))
	some := false
	for i, v := range values {
		hours, minutes := dotted(v)
		if hours < 0 || hours >= 24 || minutes >= 60 {
			return false
		}
		times[i] = float64(60*hours + minutes)
		some = some || minutes != 0
		if hours > 0 && minutes != 0 {
			different[minutes] = true
		}
	}
	return some && (sure || len(different) >= 6 && math.Trunc(slices.Max(times)/60) > math.Trunc(slices.Min(times)/60) || evenMinutes(times))
}

// evenMinutes reports whether times in minutes, at least four, follow each other in even steps that
// are not whole hours, from one hour into another.
func evenMinutes(times []float64) bool {
	n := len(times)
	return evenSteps(times) && math.Trunc(times[n-1]/60) > math.Trunc(times[0]/60) && math.Mod(times[1]-times[0], 60) != 0
}

// dottedDays reports whether all values may be days of a month with the number of the month after
// the point, as 27.02 or 27.2.
func dottedDays(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool {
		day, month := dotted(v)
		if month > 12 && month%10 == 0 {
			month /= 10 // 27.2 is 27.02
		}
		return month < 1 || month > 12 || day < 1 || day > time.Date(2024, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	})
}
