package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/spelling"
)

// table checks the columns that were read and returns them as a table.
func (t *reader) table() (*Table, error) {
	if err := t.statistics(); err != nil {
		return nil, err
	}
	if err := t.errorPairs(); err != nil {
		return nil, err
	}
	t.summarised()
	t.subtotals()
	t.overflows()
	if err := t.findRoles(); err != nil {
		return nil, err
	}
	t.inputErrors()
	numbered := t.rowNumbers()
	t.setAside(numbered)
	if err := t.complete(); err != nil {
		return nil, err
	}
	target := t.columns[t.target]
	if !t.options.Given {
		if err := explainable(t.file, place(t.target, target.Name), target.Values); err != nil {
			return nil, err
		}
	}
	if err := t.guesses(); err != nil {
		return nil, err
	}
	t.warnOfFractions()
	t.warnOfZeros()
	table := &Table{Name: t.file, Target: target.Column, Dropped: t.dropped, FileRows: t.rows}
	for _, i := range t.active {
		c := &t.columns[i]
		switch {
		case c.kind == textKind:
			table.Categories = append(table.Categories, Category{c.Name, c.texts.levels, c.texts.codes})
		case i != t.target && i != t.sigma:
			table.Vars = append(table.Vars, c.Column)
		}
	}
	if len(table.Vars) == 0 && !t.options.Given {
		return nil, t.targetAlone()
	}
	if t.sigma >= 0 {
		if err := t.standardErrors(table); err != nil {
			return nil, err
		}
	}
	if t.options.Known {
		table.Sigma = nil
	}
	t.errorsInCells(table)
	t.errorsInHeadings(table)
	t.redundant(table)
	t.repeated(table)
	t.twins(table)
	t.dependent(table)
	t.suspects(table)
	t.runs(table)
	return table, nil
}

// findRoles converts dates to numbers, excludes empty columns and finds the target.
func (t *reader) findRoles() error {
	var empty, formulas, nans []string
	t.joinClock()
	active := t.active[:0:0]
	for _, i := range t.active {
		c := &t.columns[i]
		var err error
		switch c.kind {
		case dateKind:
			err = t.moments(i)
		case clockKind:
			err = t.clocks(i)
		case noKind:
			if i != t.target && i != t.sigma && len(t.rows) > 0 {
				if len(c.gaps) > 0 && c.gaps[0].cell == "#FORMULA!" {
					formulas = append(formulas, c.Name)
				} else if len(c.gaps) > 0 && absent([]byte(c.gaps[0].cell)) == undefined {
					nans = append(nans, c.Name)
				} else {
					empty = append(empty, c.Name)
				}
				continue
			}
		}
		if err != nil {
			return err
		}
		active = append(active, i)
	}
	t.active = active
	t.setTextAside()
	t.nearNumbers()
	if len(empty) > 0 {
		t.warn("%s left out", hold(empty, "is empty and", "are empty and"))
	}
	if len(nans) > 0 {
		t.warn("%s left out", hold(nans, "is NaN in every row and", "are NaN in every row and"))
	}
	if len(formulas) > 0 {
		t.warn("%s left out; open the file in a spreadsheet program and save it there", hold(formulas, "holds formulas without values and is", "hold formulas without values and are"))
	}
	if n := len(t.repeats); n > 0 {
		t.warn("%s of the header inside the table left out", spelling.Count(n, "repetition"))
	}
	if !t.options.Given {
		t.limits()
	}
	t.errorColumns()
	if t.target < 0 {
		t.lastColumn()
	} else {
		t.sigmaOfTarget()
	}
	if t.target < 0 {
		return t.fail(t.headerRow, "", "no column holds numbers that could be the target", "give at least one variable and the target")
	}
	return nil
}

// nearNumbers warns of columns of text whose cells may be mistyped numbers.
func (t *reader) nearNumbers() {
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind == textKind && c.odd.row > 0 {
			t.warn("row %d, column %s: %s is not a number, as most cells of the column; %s", c.odd.row, c.Name, quote(c.odd.text), t.hint(i, c.odd.text))
		}
	}
}

// hold returns a sentence about columns. It is "column a" followed by the text `one`, or "columns
// a, b and c" followed by the text `many`.
func hold(names []string, one, many string) string {
	if len(names) == 1 {
		return fmt.Sprintf("column %s %s", names[0], one)
	}
	last := len(names) - 1
	if last >= 12 {
		return fmt.Sprintf("columns %s %s", spelling.List(names), many)
	}
	return fmt.Sprintf("columns %s and %s %s", strings.Join(names[:last], ", "), names[last], many)
}

// indexNames are the usual names of columns of row numbers, and of columns that number what is
// measured, such as specimens.
var indexNames = []string{"index", "idx", "row", "rows", "nr", "no", "num", "number", "id", "obs", "record", "rec", "unnamed_0", "lfd_nr", "lfd", "line", "zeile", "row_number", "rownum", "rowid", "row_id", "sample_no", "point_no", "nummer", "numéro",
	"observation", "entry", "item", "s_no", "sno", "sl_no", "sr_no", "serial", "plot", "sample", "specimen", "subject", "patient", "case", "reading", "measurement", "point", "run", "test", "experiment", "exp", "probe", "messung", "versuch"}

// identifiers are those of the indexNames that hardly name a measured quantity. Rows of a table with
// such a column may have been left out, so that some of its numbers are missing.
var identifiers = []string{"index", "idx", "row", "nr", "no", "id", "obs", "record", "unnamed_0", "lfd_nr", "lfd", "row_number", "rownum", "rowid", "row_id", "sample_no",
	"point_no", "nummer", "numéro", "observation", "entry", "s_no", "sno", "sl_no", "sr_no", "specimen", "subject", "patient", "run"}

// rowNumbers finds columns of row numbers. It returns the indices of those that have a usual name
// for row numbers, such as index; these columns are to be excluded. It warns of the other ones.
func (t *reader) rowNumbers() map[int]bool {
	aside := map[int]bool{}
	variables := 0
	for _, i := range t.active {
		if t.columns[i].kind != textKind && i != t.target && i != t.sigma {
			variables++
		}
	}
	for _, i := range t.active {
		c := &t.columns[i]
		if i == t.target || i == t.sigma || t.named[i] || c.HasUnit || variables < 2 || len(aside) > 0 {
			continue
		}
		name := strings.ToLower(c.Name)
		isIndex := slices.Contains(indexNames, name)
		if !counts(c.Values) {
			switch {
			case slices.Contains(identifiers, name) && c.Name != "NO" && isRising(c.Values): // NO is nitric oxide
				aside[i] = true
				t.warn("column %s numbers the rows and is set aside; --columns keeps it", c.Name)
			case isIndex && numbers(c.Values):
				t.warn("column %s numbers the rows: if it is not a measurement, leave it out with --ignore %s", c.Name, c.Name)
			}
			continue
		}
		if isIndex {
			aside[i] = true
			t.warn("column %s counts the rows from %g and is set aside; --columns keeps it", c.Name, c.Values[0])
		} else if given := t.options.Given && (len(t.options.Uses) == 0 || slices.Contains(t.options.Uses, c.Name)); i == t.active[0] && !given {
			t.warn("column %s counts the rows from %g: if it is not a measurement, leave it out with --ignore %s", c.Name, c.Values[0], c.Name)
		}
	}
	return aside
}

// counts reports whether values are 0, 1, 2, … or 1, 2, 3, …
func counts(v []float64) bool {
	if len(v) < 4 || v[0] != 0 && v[0] != 1 {
		return false
	}
	for i, x := range v {
		if x != v[0]+float64(i) {
			return false
		}
	}
	return true
}

// isRising reports whether values are whole numbers, none of them negative, each larger than the
// one before.
func isRising(v []float64) bool {
	for i, x := range v {
		if x != math.Trunc(x) || x < 0 || i > 0 && x <= v[i-1] {
			return false
		}
	}
	return len(v) >= 4
}

// numbers reports whether values are consecutive whole numbers, in any order.
func numbers(v []float64) bool {
	sorted := slices.Sorted(slices.Values(v))
	for i, x := range sorted {
		if x != sorted[0]+float64(i) || x != math.Trunc(x) {
			return false
		}
	}
	return len(v) >= 4
}

// setAside excludes the given columns, and those that are empty in more than half of the rows.
func (t *reader) setAside(numbered map[int]bool) {
	active := t.active[:0:0]
	for _, i := range t.active {
		c := &t.columns[i]
		empty := c.kind != textKind && 2*c.missing > len(t.rows) && len(t.rows) >= 4 && i != t.target && i != t.sigma && !t.named[i] && !t.options.Drop
		if empty {
			t.warn("column %s is empty in %d of %d rows and is left out; name it in --columns to keep it and lose these rows, or fill merged cells", c.Name, c.missing, len(t.rows))
		}
		if !empty && !numbered[i] {
			active = append(active, i)
		}
	}
	t.active = active
}

// complete excludes rows with missing values, with a warning.
func (t *reader) complete() error {
	var numbers []int
	for _, i := range t.active {
		if t.columns[i].kind != textKind {
			numbers = append(numbers, i)
		}
	}
	whole := make([]bool, len(t.rows))
	lost, zeros := 0, 0
	for k := range whole {
		whole[k] = true
		for _, i := range numbers {
			if v := t.columns[i].Values[k]; v-v != 0 {
				whole[k] = false
				lost++
				break
			}
		}
		if whole[k] && t.options.Drop && t.zeroError(k) {
			whole[k] = false
			zeros++
		}
	}
	t.dropped = lost + zeros
	all := len(t.rows)
	if t.dropped > 0 {
		t.cut(func(k int) bool { return whole[k] })
	}
	if err := t.enough(len(t.rows), t.gapText(numbers)); err != nil {
		return err
	}
	if zeros > 0 {
		t.warn("%s with a standard error that is not above 0 left out", spelling.Count(zeros, "row"))
	}
	switch {
	case lost == 0:
	case t.options.Drop:
		t.warn("%s with missing or infinite values left out", spelling.Count(lost, "row"))
	default:
		t.warn("%s of %d set aside, where cells are missing: %s", spelling.Count(lost, "row"), all, t.gapText(numbers))
	}
	return nil
}

// zeroError reports whether row k has a standard error that is used and is not above 0. Such an
// error is that of the target, or is in a column that the caller uses.
func (t *reader) zeroError(k int) bool {
	for _, i := range t.active {
		c := &t.columns[i]
		if (i == t.sigma || slices.Contains(t.options.Errors, c.Name)) && c.kind != textKind && c.Values[k] <= 0 {
			return true
		}
		if i == t.target && t.sigma < 0 && !t.options.Known && c.unsure && c.errors[k] == 0 {
			return true
		}
	}
	return false
}

// gapText returns the names of the first missing cells.
func (t *reader) gapText(numbers []int) string {
	type named struct {
		gap
		column string
	}
	var all []named
	total := 0
	for _, i := range numbers {
		c := &t.columns[i]
		total += c.missing
		for _, g := range c.gaps {
			all = append(all, named{g, c.Name})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int { return a.row - b.row })
	var parts []string
	for _, g := range all[:min(3, len(all))] {
		what := "empty"
		if g.cell != "" {
			what = quote([]byte(g.cell))
		}
		parts = append(parts, fmt.Sprintf("row %d, %s (%s)", g.row, g.column, what))
	}
	if more := total - len(parts); more > 0 && len(parts) > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// guesses warns of numbers that could also have another value, such as 1,234. It returns an error
// if a column has both 1,234 and 1.234, and no cell shows which sign is decimal.
func (t *reader) guesses() error {
	if err := t.bothSigns(); err != nil {
		return err
	}
	for _, i := range t.active {
		c := &t.columns[i]
		if c.kind != numberKind {
			continue
		}
		if c.trailing != "" {
			v, _ := parseValue([]byte(c.trailing), c.decimal)
			t.warn("column %s: a minus after a number is read as its sign, so that %s is %s", c.Name, c.trailing, plainNumber(v.v))
		}
		if c.noted != "" {
			v, _ := parseValue([]byte(c.noted), c.decimal)
			t.warn("column %s: marks of footnotes after numbers are left out, so that %s is %s", c.Name, c.noted, plainNumber(v.v))
		}
		switch {
		case c.doubt != nil && c.unproven != "" && otherSign(c.grouped, c.decimal):
			return t.fail(0, place(i, c.Name), fmt.Sprintf("it has %s and %s, and no cell shows which sign is decimal", c.unproven, c.grouped),
				"write all numbers with the same decimal sign, or name it with --decimal")
		case c.grouped != "":
			v, _ := parseValue([]byte(c.grouped), c.decimal)
			t.warn("column %s: blanks and separators of thousands are left out, so that %s is %s; if that is wrong, give --decimal", c.Name, c.grouped, plainNumber(v.v))
		case c.doubt != nil && c.decimal == ',':
			t.warn("column %s: commas are read as decimal signs, not as separators of thousands, so that %s is %s; if that is wrong, give --decimal point", c.Name, c.doubt, plainNumber(c.doubtValue()))
		case c.doubt != nil && t.layout.sep == ';':
			t.warn("column %s: points are read as decimal signs, not as separators of thousands, so that %s is %s; if that is wrong, give --decimal comma", c.Name, c.doubt, plainNumber(c.doubtValue()))
		}
	}
	return nil
}

// bothSigns returns an error if one column has numbers such as 1,200 and another column has numbers
// such as 103.923. It returns none if something shows which of the two signs is decimal.
func (t *reader) bothSigns() error {
	comma, point := -1, -1
	for _, i := range t.active {
		switch c := &t.columns[i]; {
		case c.kind != numberKind || c.doubt == nil || c.grouped != "":
		case c.decimal == ',' && comma < 0:
			comma = i
		case c.decimal == '.' && point < 0:
			point = i
		}
	}
	if comma < 0 || point < 0 {
		return nil
	}
	a, b := &t.columns[comma], &t.columns[point]
	return t.fail(0, place(comma, a.Name), fmt.Sprintf("it has %s and column %s has %s, and no cell shows which sign is decimal", a.doubt, b.Name, b.doubt),
		"name the decimal sign with --decimal, or write the numbers without separators of thousands")
}

// otherSign reports whether a number has no decimals and separates thousands by the sign, point or
// comma, that is not the decimal sign.
func otherSign(number string, decimal byte) bool {
	other := byte('.')
	if decimal == '.' {
		other = ','
	}
	return strings.IndexByte(number, other) >= 0 && strings.IndexByte(number, decimal) < 0
}

func (c *columnReader) doubtValue() float64 {
	v, _ := parseValue(c.doubt, c.decimal)
	return v.v
}

// plainNumber writes a number with at most nine decimals. From 10¹⁵ on, it writes an exponent.
func plainNumber(v float64) string {
	if a := math.Abs(v); a >= 1e15 {
		return fmt.Sprintf("%g", v)
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.9f", v), "0"), ".")
}
