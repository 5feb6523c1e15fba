package dataset

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/spelling"
)

// enough returns an error if there are too few rows. gaps is a text that names the first missing
// cells, for the error.
func (t *reader) enough(rows int, gaps string) error {
	try := "complete the table, or leave columns out with --ignore"
	if gaps != "" {
		try += ": missing are " + gaps
	}
	switch {
	case rows == 0 && t.dropped > 0:
		return t.fail(0, "", fmt.Sprintf("no row is left: %s with missing or infinite values", spelling.Count(t.dropped, "row")), try)
	case rows == 0:
		return t.fail(0, "", "the file has a header and no rows", "give at least two rows of numbers")
	case rows == 1 && t.options.Given:
	case rows == 1 && t.dropped > 0:
		return t.fail(0, "", fmt.Sprintf("only one row is left, %d left out", t.dropped), try)
	case rows == 1 && len(t.columns) > 2:
		return t.fail(0, "", "the table has one row only", "give at least two; if its names stand below one another, transpose it")
	case rows == 1:
		return t.fail(0, "", "the table has one row only", "give at least two; a law needs more rows than constants")
	}
	return nil
}

// Explainable returns an *Error if the table has only one row, or if the target is the same in all
// rows.
func (t *Table) Explainable() error { return explainable(t.Name, t.Target.Name, t.Target.Values) }

func explainable(file, column string, target []float64) error {
	switch {
	case len(target) == 1:
		return &Error{File: file, Problem: "the table has one row only", Try: "give at least two; a law needs more rows than constants"}
	case constant(target):
		problem := fmt.Sprintf("the target is %s in all %d rows, so there is nothing to explain", sameValue(target[0]), len(target))
		return &Error{File: file, Column: column, Problem: problem, Try: "name another target with --target"}
	}
	return nil
}

// sameValue formats the value that all rows have. It adds a note if cells with different texts are
// read as this value.
func sameValue(v float64) string {
	switch {
	case v == 0:
		return "0 (as are numbers below 5e-324)"
	case math.Abs(v) >= 1<<53:
		return fmt.Sprintf("%g (to the 16 digits that are read)", v)
	}
	return fmt.Sprintf("%g", v)
}

// targetAlone returns the error for a table without a variable. It names the empty columns.
func (t *reader) targetAlone() error {
	try := "name one with --columns, or give at least one variable"
	for i := range t.columns {
		if c := &t.columns[i]; c.kind == noKind && len(c.gaps) > 0 && c.gaps[0].cell == "#FORMULA!" {
			return t.fail(c.gaps[0].row, place(i, c.Name), "its formulas have no values", "open the file in a spreadsheet program and save it there, or save it as CSV")
		}
	}
	return t.fail(t.headerRow, "", "no column of numbers is left besides the target "+t.columns[t.target].Name, try)
}

// redundant warns of constant columns, and removes columns that have the values and the unit of an
// earlier column. It keeps the columns of standard errors that Options.Errors names.
func (t *reader) redundant(table *Table) {
	seed := maphash.MakeSeed()
	seen := map[uint64][]Column{hash(seed, table.Target.Values): {table.Target}}
	kept := table.Vars[:0:0]
	for _, c := range table.Vars {
		h := hash(seed, c.Values)
		twin := slices.IndexFunc(seen[h], func(o Column) bool {
			return slices.Equal(o.Values, c.Values) && o.HasUnit == c.HasUnit && o.Unit.Dim == c.Unit.Dim &&
				o.Unit.Factor() == c.Unit.Factor() && o.Unit.Offset == c.Unit.Offset
		})
		switch {
		case slices.Contains(t.options.Errors, c.Name):
		case constant(c.Values):
			t.warn("column %s is %s in every row: it can only act as a constant", c.Name, sameValue(c.Values[0]))
		case twin >= 0 && seen[h][twin].Name == table.Target.Name:
			t.warn("column %s equals the target %s in every row", c.Name, table.Target.Name)
		case twin >= 0:
			t.warn("column %s equals column %s in every row and is left out", c.Name, seen[h][twin].Name)
			continue
		}
		seen[h] = append(seen[h], c)
		kept = append(kept, c)
	}
	table.Vars = kept
}

// repeated warns if half of the rows are exact copies of other rows, as in copied data.
func (t *reader) repeated(table *Table) {
	n := table.Rows()
	if n < 6 || n > 100_000 {
		return
	}
	cols := [][]float64{table.Target.Values}
	for _, c := range table.Vars {
		cols = append(cols, c.Values)
	}
	if again := n - distinct(cols, n, n); 2*again >= n {
		t.warn("%d of %d rows repeat others exactly, and each counts as a measurement of its own; remove them if they are copies", again, n)
	}
}

func hash(seed maphash.Seed, v []float64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var b [8]byte
	for _, x := range v {
		bits := math.Float64bits(x + 0) // -0 equals 0
		for k := range b {
			b[k] = byte(bits >> (8 * k))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

func constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}
