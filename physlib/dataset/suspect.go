package dataset

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/spelling"
	"github.com/physlib/lab/physlib/unit"
)

// suspects warns of numbers that may have another meaning: codes for missing values, dates without
// separators, and tables that run from left to right.
func (t *reader) suspects(table *Table) {
	for _, c := range append(slices.Clone(table.Vars), table.Target) {
		for _, v := range []float64{slices.Min(c.Values), slices.Max(c.Values)} {
			if n, largest := lonely(c.Values, v); n > 0 && marksMissing(v, largest) {
				t.warn("column %s: %g lies far from the other values, in %s: if it marks missing ones, empty these cells", c.Name, v, spelling.Count(n, "row"))
			}
		}
		if v, ok := tooLong(c.Values); ok {
			t.warn("column %s: its numbers, such as %.0f, have more digits than the 16 that are read; subtract the first value from all", c.Name, v)
		} else if digits := t.clockWithoutColons(c); digits != "" {
			t.warn("column %s: %s is read as a number, not as a time; write %s for times of day", c.Name, digits, withColons(digits))
		}
		t.warnOfDots(c)
		t.warnOfSixtieths(c)
		if at := wraps(c); at > 0 {
			t.warn("column %s: its angles jump from %g to %g in row %d: if they begin anew there, as after 360°, add or subtract full turns from there on", c.Name, c.Values[at-1], c.Values[at], t.rows[at])
		}
		if v := extreme(c.Values); v > 0 {
			t.warn("column %s: its values are of size %.2g, whose squares are beyond all numbers: multiply it by a power of ten", c.Name, v)
		}
		dateName := isDateName(c.Name) || isTimeName(c.Name) || t.header == nil && c.Values[0] >= 1e7
		dated := !c.HasUnit && dateName && allDates(c.Values)
		if dated || !c.HasUnit && isDateName(c.Name) && allSerial(c.Values) {
			t.warn("column %s: %.0f is read as a number, not as a date; write 2025-01-31 for dates", c.Name, c.Values[0])
		}
		if !dated && !c.HasUnit && isTimeName(c.Name) && sinceEpoch(c.Values) {
			t.warn("column %s: %.0f may count from 1970 or 1904; subtract the first value, or write dates as 2025-01-31 12:30:05", c.Name, c.Values[0])
		}
	}
	t.warnOfUnits(table)
	if !t.options.Given {
		t.hintAtGroups(table)
		t.hintAtRepeats(table)
		t.hintAtValues()
	}
	t.warnOfTotals(table)
	t.warnOfFirstRow(table)
	if t.sideways(table) {
		t.warn("the first column holds names of quantities: if the table runs from left to right, transpose it")
	} else if n := len(t.columns); t.header == nil && n > 2*len(t.rows) {
		t.warn("%s and %d columns without names: if each row holds one quantity, transpose the table", spelling.Count(len(t.rows), "row"), n)
	}
}

// wraps returns the first row in which an angle begins anew after a full turn, 0 if there is none.
// In such a row, the angle jumps by more than five sixths of a turn. All other neighbouring angles
// differ by less than a sixth of a turn.
func wraps(c Column) (at int) {
	turn := 2 * math.Pi / c.Unit.Factor()
	if !c.HasUnit || !c.Unit.IsAngle() || turn < 1.5 { // whole turns may be counted
		return 0
	}
	for i := 1; i < len(c.Values); i++ {
		switch step := math.Abs(c.Values[i] - c.Values[i-1]); {
		case step > turn*1.01:
			return 0
		case step > turn*5/6:
			if at == 0 {
				at = i
			}
		case step > turn/6:
			return 0
		}
	}
	return at
}

// warnOfUnits warns if a column of text contains units, such as mm in some rows and cm in others.
func (t *reader) warnOfUnits(table *Table) {
	for _, c := range table.Categories {
		if slices.Contains([]string{"variable", "quantity", "parameter", "measurand", "metric", "observable"}, strings.ToLower(c.Name)) && 2*len(c.Levels) <= len(c.Codes) {
			t.warn("column %s names %s: if the rows hold different quantities, write a column for each of them", c.Name, spelling.List(c.Levels))
		}
		var first unit.Unit
		several, same := false, true
		known := slices.DeleteFunc(slices.Clone(c.Levels), func(s string) bool { return s == "" })
		for i, s := range known {
			u, err := parseUnit(s)
			if i == 0 {
				first = u
			}
			same = same && err == nil && u.Dim == first.Dim
			several = several || u.Factor() != first.Factor() || u.Offset != first.Offset
		}
		if isUnitWord(c.Name) && len(known) == 1 && same {
			t.warn("column %s names %s in every row, which is not applied; --units NAME=%[2]s gives a column this unit", c.Name, known[0])
		} else if isUnitWord(c.Name) && len(known) > 1 && !same && !slices.ContainsFunc(known, func(s string) bool { return !isUnit(s) }) {
			t.warn("column %s names units of several quantities, %s: if the rows hold different quantities, write a column for each of them", c.Name, spelling.List(known))
		} else if same && several {
			t.warn("column %s names several units, %s, which are not applied: write the numbers of all rows in one unit", c.Name, spelling.List(known))
		}
	}
}

// tooLong returns a whole number above 2⁵³ with at least 16 digits, if there is one among the first
// thousand values. Such numbers are not exact in float64.
func tooLong(values []float64) (v float64, ok bool) {
	for _, v := range values[:min(len(values), 1000)] {
		if a := math.Abs(v); a >= 1<<53 && a < 1e21 {
			if digits, _ := Places(a); digits >= 16 {
				return v, true
			}
		}
	}
	return 0, false
}

// warnOfTotals warns if the last row is the sum or the mean of the other rows in all columns of
// numbers, at least two, that are neither constant nor end in 0.
func (t *reader) warnOfTotals(table *Table) {
	n := table.Rows() - 1
	if n < 3 {
		return
	}
	sums, means, others := 0, 0, 0
	for _, c := range append(slices.Clone(table.Vars), table.Target) {
		last, sum := c.Values[n], 0.0
		for _, v := range c.Values[:n] {
			sum += v
		}
		off := 0.51*LastPlace(c.Values) + 1e-9*math.Abs(last)
		switch {
		case last == 0 || constant(c.Values):
		case math.Abs(last-sum) <= off:
			sums++
		case math.Abs(last-sum/float64(n)) <= off:
			means++
		default:
			others++
		}
	}
	switch {
	case sums > 1 && means+others == 0:
		t.warn("row %d is the sum of the rows above: if it is not a measurement, remove it", t.rows[n])
	case means > 1 && sums+others == 0:
		t.warn("row %d is the mean of the rows above: if it is not a measurement, remove it", t.rows[n])
	}
}

// warnOfFirstRow warns if the first row of a table without a header contains numbers that may be
// names of the columns, such as 2020, 2021, 2022.
func (t *reader) warnOfFirstRow(table *Table) {
	if t.header != nil || table.Rows() < 3 {
		return
	}
	if columns := append(slices.Clone(table.Vars), table.Target); namesOfYears(columns) || wholeNames(columns) {
		t.warn("row %d is read as data: if its numbers are names of the columns, put a letter in front of them", t.rows[0])
	}
}

// namesOfYears reports whether the first row holds consecutive numbers such as 2020, 2021, 2022,
// and the second row does not continue them.
func namesOfYears(columns []Column) bool {
	steps := func(row int) bool {
		for i, c := range columns[1:] {
			if c.Values[row] != columns[i].Values[row]+1 {
				return false
			}
		}
		return true
	}
	first := columns[0].Values
	return len(columns) > 2 && first[0] >= 1000 && first[0] == math.Trunc(first[0]) && steps(0) && !(steps(1) && first[1] == first[0]+1) && first[1] <= first[0]/2
}

// wholeNames reports whether the first row holds rising whole numbers, as in 0,1 or 300,350,400,
// and most numbers of the first column below are not whole, nor begin there in even steps.
func wholeNames(columns []Column) bool {
	first := columns[0].Values
	last := math.Inf(-1)
	for _, c := range columns {
		v := c.Values[0]
		if v != math.Trunc(v) || v <= last {
			return false
		}
		last = v
	}
	whole := 0
	for _, v := range first[1:] {
		if v == math.Trunc(v) {
			whole++
		}
	}
	even := math.Abs(first[0]-2*first[1]+first[2]) < 1e-6*math.Abs(first[2]-first[1])
	return !even && 4*whole < len(first)
}

// lonely returns the number n of values that equal v, and the largest magnitude of the others. If v
// is not farther from the range of the other values than the width of this range, n is 0. The
// values that equal -v do not count, since they may be another code for missing values.
func lonely(values []float64, v float64) (n int, largest float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range values {
		if x == v {
			n++
		} else if x != -v {
			low, high = min(low, x), max(high, x)
		}
	}
	if len(values)-n < 2 || min(math.Abs(v-low), math.Abs(v-high)) <= high-low {
		return 0, 0
	}
	return n, max(math.Abs(low), math.Abs(high))
}

// extreme returns the largest magnitude of the values if their squares overflow or underflow in
// float64, otherwise 0.
func extreme(values []float64) (size float64) {
	for _, v := range values {
		size = max(size, math.Abs(v))
	}
	if size > 1e-140 && size < 1e140 {
		return 0
	}
	return size
}

// marksMissing reports whether v is a usual code for a missing value: -999, 9999.9, or a limit of
// integers. 1e20 and netCDF's 9.96921e36 count only if all other values are far smaller.
func marksMissing(v, largest float64) bool {
	switch a := math.Abs(v); {
	case a >= 1e20:
		exponent := math.Log10(a)
		return largest < 1e-6*a && (exponent == math.Round(exponent) || math.Abs(a-9.96921e36) < 1e31)
	case v == math.MaxInt16, v == math.MinInt16, v == math.MaxInt32, v == math.MinInt32, v == math.MaxUint16:
		return true
	default:
		digits := strings.Replace(strconv.FormatFloat(a, 'f', -1, 64), ".", "", 1)
		return strings.Trim(digits, "9") == "" && (len(digits) > 2 || len(digits) == 2 && v < 0)
	}
}

// isDateName reports whether a column's name is a usual name of dates.
func isDateName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "_date") || strings.HasSuffix(name, "_datum") ||
		slices.ContainsFunc([]string{"date", "datum", "fecha", "data", "day", "yyyymm"}, func(word string) bool { return strings.HasPrefix(name, word) })
}

// isTimeName reports whether a column's name is a usual name of computer times.
func isTimeName(name string) bool {
	name = strings.ToLower(name)
	return name == "t" || name == "ts" || slices.ContainsFunc([]string{"time", "date", "epoch", "unix", "hhmm"}, func(word string) bool { return strings.Contains(name, word) })
}

// sinceEpoch reports whether all values may be times between 2001 and 2037 that a computer counts
// from 1970, or LabVIEW from 1904. The unit may be seconds, or thousandths, millionths or
// billionths of a second.
func sinceEpoch(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	for _, perSecond := range []float64{1, 1e3, 1e6, 1e9} {
		if low >= 1e9*perSecond && high <= 4.2e9*perSecond {
			return true
		}
	}
	return false
}

// dateDigits are the layouts of dates without separators, by their number of digits.
var dateDigits = map[int]string{6: "200601", 8: "20060102", 10: "2006010215", 12: "200601021504", 14: "20060102150405"}

// allDates reports whether all values are dates without separators between 1800 and 2100, such as
// 20250131 or 2025013112.
func allDates(values []float64) bool {
	for _, v := range values {
		digits := strconv.FormatFloat(v, 'f', -1, 64)
		form := dateDigits[len(digits)]
		at, err := time.Parse(form, digits)
		if form == "" || err != nil || at.Year() < 1800 || at.Year() > 2100 {
			return false
		}
	}
	return true
}

// allSerial reports whether all values may be dates between 1954 and 2119 as spreadsheets store
// them, in days.
func allSerial(values []float64) bool {
	return slices.Min(values) >= 20_000 && slices.Max(values) <= 80_000
}

// sideways reports whether the table seems to run from left to right. In such a table, the columns
// of numbers have numbers as names, or no names, and the first column contains names.
func (t *reader) sideways(table *Table) bool {
	if len(table.Categories) != 1 || t.columns[0].Name != table.Categories[0].Name {
		return false
	}
	rows := table.Categories[0].Levels
	if len(rows) != table.Rows() || len(table.Vars) < 2 {
		return false
	}
	if t.header == nil {
		return slices.ContainsFunc(rows, func(name string) bool { _, _, unit := splitUnit(name); return unit })
	}
	if !slices.ContainsFunc(t.columns[1:], func(h columnReader) bool { return !isNumber([]byte(h.written), '.') }) {
		return true
	}
	return quantities(rows)
}

// quantities reports whether most names have a unit, as "Mass (kg)" does. States of matter, as in
// NaCl (s), are not units.
func quantities(names []string) bool {
	n, sure := 0, false
	for _, name := range names {
		_, u, bracket := splitUnit(name)
		if m := enclosed.FindStringSubmatch(name); !bracket && m != nil {
			u, bracket = m[3], true
		}
		if bracket && isUnit(u) {
			n++
			sure = sure || !slices.Contains([]string{"g", "s", "l"}, u)
		}
	}
	return sure && 2*n > len(names)
}
