package dataset

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// errorLine matches a row that contains only standard errors, in brackets or after ±, such as
// (0.021) (0.120). A name may stand in front of the errors.
var errorLine = func() *regexp.Regexp {
	const number = `\s*\d*[.,]?\d+(?:[eE][-+]?\d+)?\s*`
	const cell = `"?(?:[(\[]` + number + `[)\]]|(?:±|\+/-)` + number + `)"?`
	return regexp.MustCompile(`^[\s,;|"]*(?:"?\pL[\pL .]*"?[\s,;|]+)?` + cell + `(?:[\s,;|]+` + cell + `)*[\s,;|]*$`)
}()

// errorRows returns an error if, in the sample, every second row contains the standard errors of
// the row above, as in printed tables of statistics.
func (t *reader) errorRows(rows []record) error {
	first, pairs, last := 0, 0, -1
	for i, r := range rows {
		if !errorLine.Match(r.text) {
			continue
		}
		if last >= 0 && i == last+2 {
			pairs++
		} else if pairs == 0 {
			first = i
		}
		last = i
	}
	if first == 0 || pairs == 0 || 4*(pairs+1) < len(rows) {
		return nil
	}
	return t.fail(rows[first].row, "", "every second row holds standard errors of the row above", "write them into columns of their own, as x_err, or into the cells, as 2.15±0.12")
}

// errorPairs returns an error if every second row seems to contain standard errors of the row
// above. The numbers of every second row must be smaller, and a column of text must name only the
// other rows (see namesEverySecond). Without such a column of text, errorPairs may warn, but
// returns no error.
func (t *reader) errorPairs() error {
	n := len(t.rows)
	if n < 4 || n%2 > 0 {
		return nil
	}
	named, numbers := false, 0
	// Whether all columns vary, and all errors are below a fifth of their values
	varies, tiny := true, true
	for _, i := range t.active {
		c := &t.columns[i]
		switch c.kind {
		case textKind:
			named = named || c.namesEverySecond()
			continue
		case noKind:
			continue
		case numberKind:
		default:
			return nil
		}
		numbers++
		constant := true
		for k := 0; k < n; k += 2 {
			v, below := math.Abs(c.Values[k]), c.Values[k+1]
			if !(below >= 0 && below < v) {
				return nil
			}
			tiny = tiny && below < v/5
			constant = constant && c.Values[k] == c.Values[0]
		}
		varies = varies && !constant
	}
	switch {
	case named && numbers > 0:
		return t.fail(t.rows[1], "", "every second row seems to hold standard errors of the row above", "write them into columns of their own, as x_err; or give each row a name if it holds measurements")
	case numbers > 1 && n >= 6 && varies && tiny:
		t.warn("row %d and every second row below hold small numbers only: if they are standard errors of the rows above, write them into columns of their own, as x_err", t.rows[1])
	}
	return nil
}

// plainLabel turns names such as "(std. err.)" into the form of errorWords.
var plainLabel = strings.NewReplacer("(", "", ")", "", ".", "", " ", "_")

// namesEverySecond reports whether, in a column of text, the first, third, … cell contains a name,
// and each cell between them is empty or says that the row contains standard errors.
func (h *columnReader) namesEverySecond() bool {
	for k, code := range h.texts.codes {
		name := plainLabel.Replace(strings.ToLower(h.texts.levels[code]))
		isError := name == "" || slices.Contains(errorWords, name)
		if isError != (k%2 == 1) {
			return false
		}
	}
	return true
}
