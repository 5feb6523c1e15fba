package dataset

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// headingError matches a heading that contains the error of all values in the column. Examples are
// T (s) ± 0.01, y ± 0.1 cm, l (±0.5 mm) and y ± 5 %.
var headingError = regexp.MustCompile(`^(.*?[^\s(\[,;])\s*([(\[]?)\s*(?:±|\+/-|\+-)\s*(\d+(?:[.,]\d+)?)\s*([^\s\d()\[\]%]*|%)\s*[)\]]?$`)

// headingErrors removes standard errors from headings. A unit after the error is also the unit of
// the column, if the column has no other.
func (t *reader) headingErrors(cells [][]byte) {
	for i, c := range cells {
		m := headingError.FindStringSubmatch(string(c))
		if m == nil {
			continue
		}
		v := errorSize(m[3])
		name, u := m[1], m[4]
		if strings.Count(name, "(") > strings.Count(name, ")") { // as in T (s ± 0.01)
			name += ")"
		}
		if strings.Count(name, "[") > strings.Count(name, "]") {
			name += "]"
		}
		_, _, bracket := splitUnit(name)
		switch {
		case !(v > 0) || u == "%" && strings.Contains(name, "%"):
			continue
		case u == "%":
			t.headShares = append(t.headShares, i)
		// The unit occurs twice, as in l (cm) ± 0.1 cm.
		case u != "" && strings.HasSuffix(strings.TrimRight(name, ")] "), u):
		case u != "" && (bracket || enclosed.MatchString(name) || strings.Contains(name, "/") || !isUnit(u)):
			continue // the error has another unit than the column
		case u != "":
			name += " [" + u + "]"
		}
		if t.headErrors == nil {
			t.headErrors = map[int]float64{}
		}
		t.headErrors[i] = v
		cells[i] = []byte(name)
	}
}

// errorSize returns the size of a standard error that is written with a decimal point or a comma.
// It is NaN if text is no such number.
func errorSize(text string) float64 {
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// errorsInHeadings uses the standard error in the target's heading, and warns of those in other
// headings.
func (t *reader) errorsInHeadings(table *Table) {
	for _, i := range t.active {
		v, ok := t.headErrors[i]
		if !ok || i == t.sigma {
			continue
		}
		name, y := t.columns[i].Name, table.Target.Name
		relative := slices.Contains(t.headShares, i)
		text := fmt.Sprintf("%g", v)
		if relative {
			text += "%"
		}
		switch {
		case i == t.target && table.Sigma == nil && !t.options.Known && relative && !slices.Contains(table.Target.Values, 0):
			*table = *table.WithShare(v / 100)
			t.warn("the standard error of the target %s is %g %% of its value, as its heading says; if that is wrong, give --noise", name, v)
		case relative && i == t.target && table.Sigma == nil && !t.options.Known:
			t.warn("the error in the heading of %s, %s, is not used, since %[1]s is 0 in some row; give --noise", name, text)
		case i == t.target && table.Sigma == nil && !t.options.Known:
			table.Sigma = slices.Repeat([]float64{v}, table.Rows())
			t.warn("the standard error of the target %s is %g in every row, as its heading says; if that is wrong, give --noise", name, v)
		case i == t.target:
			t.warn("the error in the heading of %s, %s, is not used, since errors are given otherwise", name, text)
		default:
			t.warn("the error in the heading of %s, %s, is not used; --sigma %s=…,%s=%[2]s makes use of it", name, text, y, name)
		}
	}
}

// onlyError matches a cell with nothing but a standard error, as in ± 0.1.
var onlyError = regexp.MustCompile(`^(?:±|\+/-|\+-)\s*(\d+(?:[.,]\d+)?)$`)

// errorRow reads a row between the header and the values that holds the standard error of each
// column. A column may have none.
func (t *reader) errorRow(cells [][]byte) bool {
	if len(cells) != len(t.columns) {
		return false
	}
	errors := map[int]float64{}
	for i, c := range cells {
		if absent(c) != present || t.columns[i].kind == textKind {
			continue
		}
		m := onlyError.FindSubmatch(c)
		if m == nil {
			return false
		}
		v := errorSize(string(m[1]))
		if math.IsNaN(v) {
			return false
		}
		if v > 0 {
			errors[i] = v
		}
	}
	if len(errors) > 0 && t.headErrors == nil {
		t.headErrors = errors
	}
	return len(errors) > 0
}
