package dataset

import (
	"bytes"
	"fmt"
	"strconv"
)

// roles decides which columns are read, and as what: target, variable or standard errors.
func (t *reader) roles() (err error) {
	t.target, t.sigma = -1, -1
	if err := t.setUnits(t.options.Units); err != nil {
		return err
	}
	t.differences()
	if t.options.Sigma != "" {
		if t.sigma, err = t.find(t.options.Sigma, "sigma column"); err != nil {
			return err
		}
	}
	if t.options.Target != "" {
		if t.target, err = t.find(t.options.Target, "target"); err != nil {
			return err
		}
		if c := t.columns[t.target]; c.kind == textKind {
			try := "name a column of numbers with --target"
			if t.truthAhead(t.target) {
				try = "write its truth values as 1 and 0, or " + try
			}
			return t.fail(t.headerRow, place(t.target, c.Name), "the target holds text", try)
		}
	}
	if t.target == t.sigma && t.target >= 0 {
		return t.fail(0, place(t.target, t.columns[t.target].Name), "it cannot be both target and sigma", "name another column")
	}
	if err := t.choose(); err != nil {
		return err
	}
	numbers := 0
	for _, i := range t.active {
		if t.columns[i].kind != textKind {
			numbers++
		}
	}
	need := 2
	if t.options.Alone {
		need = 1
	}
	if t.sigma >= 0 {
		need++
	}
	if numbers < need {
		return t.narrow(numbers)
	}
	t.values, t.codes = make([]value, len(t.columns)), make([]int, len(t.columns))
	return nil
}

// choose lists the columns that are read: those that have a name, are in Options.Columns if that is
// given, and are not in Options.Ignore.
func (t *reader) choose() error {
	only, without := map[int]bool{}, map[int]bool{}
	t.named = make([]bool, len(t.columns))
	for _, name := range t.options.Columns {
		i, err := t.find(name, "columns:")
		if err != nil {
			return err
		}
		only[i], t.named[i] = true, true
	}
	for _, name := range t.options.Ignore {
		i, err := t.find(name, "ignore:")
		if err != nil {
			return err
		}
		if i == t.target || i == t.sigma || only[i] {
			return &Error{File: t.file, Problem: fmt.Sprintf("ignore: %q is also chosen by another option", name), Try: "name it in only one of the two"}
		}
		without[i] = true
	}
	var left []string // numbers of columns without a name
	for i, h := range t.columns {
		switch {
		case h.Name == "" && i == len(t.columns)-1 && len(t.columns) >= 3:
			t.nameless = append(t.nameless, i)
			t.warn("column %d has no name and is left out (the header ends in a separator)", i+1)
		case h.Name == "":
			t.nameless = append(t.nameless, i)
			left = append(left, strconv.Itoa(i+1))
		case i == t.target || i == t.sigma || !without[i] && (len(only) == 0 || only[i]):
			t.active = append(t.active, i)
		}
	}
	if len(left) > 0 {
		t.warn("%s left out", hold(left, "has no name and is", "have no names and are"))
	}
	return nil
}

// narrow returns the error of a table with too few columns of numbers.
func (t *reader) narrow(numbers int) error {
	for _, r := range t.feed.peek(8) {
		t.split(r)
		if len(t.cells) != len(t.columns) {
			return t.ragged(r)
		}
	}
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind == textKind && c.odd.row > 0 {
			return t.fail(c.odd.row, place(i, c.Name), quote(c.odd.text)+" is not a number, as most cells of the column", t.hint(i, c.odd.text))
		}
	}
	if numbers < 2 && len(t.columns) > 1 {
		if i, cell := t.textWithDigits(); i >= 0 {
			try := "write numbers alone, as 1.5 or 1.5e-3; the unit belongs into the header, as in v [m/s]"
			hint := t.hint(i, cell.text)
			if slashes.Match(cell.text) || months.Match(cell.text) || currency.Match(cell.text) {
				try = hint
			}
			return t.fail(cell.row, place(i, t.columns[i].Name), quote(cell.text)+" is not a number, so that too few columns hold numbers", try)
		}
	}
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind == textKind && numbers > 0 && t.truthAhead(i) {
			return t.fail(t.headerRow, place(i, c.Name), "it holds truth values, which are text, and only one column holds numbers", "write 1 and 0 for them")
		}
	}
	problem := fmt.Sprintf("a table separated by %s with one column only", separatorNames[t.layout.sep])
	try := "give at least one variable and the target, separated by commas, semicolons, tabs or spaces"
	switch {
	case t.sigma >= 0:
		problem = "no column is left besides target and sigma"
	case len(t.active) > numbers && numbers == 0:
		problem = "no column holds numbers"
	case len(t.active) > numbers:
		problem = "only one column holds numbers"
	case len(t.options.Columns)+len(t.options.Ignore) > 0:
		problem, try = "only one column is left", "name more of them in --columns, or fewer in --ignore"
	case separatorNames[t.layout.sep] == "" || len(t.columns) > 1:
		problem = "only one column with a name"
	}
	return t.fail(t.headerRow, "", problem, try)
}

// truthAhead reports whether the next rows have truth values in column i.
func (t *reader) truthAhead(i int) bool {
	var ahead texts
	for _, r := range t.feed.peek(64) {
		if t.split(r); i < len(t.cells) {
			ahead.code(t.cells[i])
		}
	}
	_, _, ok := ahead.truth()
	return ok
}

// textWithDigits returns the last column of text whose first cells all contain digits and are not
// all the same. It also returns the first of these cells. Such a column may hold numbers in an
// unknown form. It returns -1 if there is none.
func (t *reader) textWithDigits() (column int, first record) {
	rows := t.feed.peek(8)
	for k := len(t.active) - 1; k >= 0; k-- {
		i := t.active[k]
		if t.columns[i].kind != textKind {
			continue
		}
		differ := false
		for n, r := range rows {
			t.split(r)
			if len(t.cells) <= i || !bytes.ContainsAny(t.cells[i], "0123456789") {
				break
			}
			if n == 0 {
				first = record{text: bytes.Clone(t.cells[i]), row: r.row}
			}
			if differ = differ || !bytes.Equal(t.cells[i], first.text); differ && n == len(rows)-1 {
				return i, first
			}
		}
	}
	return -1, record{}
}
