package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// isBlock reports whether a row begins another table without a header of its own. Such a table
// begins below an empty line, or below two empty lines if a comment holds the header of all tables.
func (t *reader) isBlock(rec record) bool {
	if !t.apart || rec.gap == 0 || t.header != nil && (!t.layout.commented || rec.gap < 2) {
		return false
	}
	t.split(rec)
	return numberRow(t.cells) && len(t.cells) == len(t.columns)
}

// byBlocks reports whether [Options.Table] can choose among blocks of rows. If the header is a
// comment, blocks are parted by two empty lines, as gnuplot's data sets are. Otherwise there must
// be no header, and either every gap between rows has two or more empty lines, or none has.
func (t *reader) byBlocks() bool {
	if t.layout.commented {
		return len(t.blocks) > 0
	}
	return t.header == nil && (len(t.blocks) == 0 || len(t.blocks) == len(t.parted))
}

// restarts returns the rows of the table, from 0, at which data sets of gnuplot begin, except the
// first one. Two empty lines part data sets. The values of the first column rise in each data set
// and step back at the next, or fall in each and step up. For other tables, restarts returns nil.
// It also returns nil if a law is given or trajectories are read, since the data sets may then
// belong together.
func (t *reader) restarts() (parts []int) {
	if t.options.Table != 0 || t.options.Given || len(t.blocks) == 0 || !t.byBlocks() || len(t.active) == 0 || t.columns[t.active[0]].kind != numberKind {
		return nil
	}
	x := t.columns[t.active[0]].Values
	for _, row := range t.blocks {
		parts = append(parts, slices.Index(t.rows, row))
	}
	if !beginAnew(x, parts) {
		return nil
	}
	return parts
}

// beginAnew reports whether values rise in each part and step back at the next, or fall in each and
// step up. parts are the first rows of all parts but the first one, which have two rows or more on
// average.
func beginAnew(values []float64, parts []int) bool {
	var within, between trend
	for i := 1; i < len(values); i++ {
		steps := &within
		if slices.Contains(parts, i) {
			steps = &between
		}
		steps.any = false
		steps.see(values[i-1])
		steps.see(values[i])
	}
	back := between.falls
	if within.falls > 0 {
		back = between.rises
	}
	return within.monotone() && back == len(parts) && len(values) >= 2*(len(parts)+1)
}

// severalBlocks returns the error for a file with several data sets of gnuplot.
func (t *reader) severalBlocks(parts []int) error {
	list := []string{t.describe(1)}
	for k, at := range parts {
		list = append(list, fmt.Sprintf("%d from row %d", k+2, t.rows[at]))
	}
	more := ""
	if len(list) > 8 {
		more = fmt.Sprintf(" and %d more", len(list)-8)
	}
	return t.fail(0, "", fmt.Sprintf("two empty lines part the file into %d tables: %s%s", len(list), strings.Join(list[:min(len(list), 8)], ", "), more),
		"choose one with --table 1, 2, …, or remove the empty lines if it is one table")
}

// warnOfBlocks warns of empty lines between rows if the rows may belong to several tables, and of a
// last row that stands alone.
func (t *reader) warnOfBlocks() {
	which := ""
	if t.byBlocks() {
		which = "; --table 1, 2, … reads one of them"
	}
	n := len(t.rows)
	switch {
	case len(t.blocks) > 0:
		t.warn("empty lines part the rows, first above row %d: all %d blocks are read as one table%s", t.blocks[0], len(t.blocks)+1, which)
	case n > 2 && len(t.parted) == 1 && t.parted[0] == n-1:
		t.warn("row %d stands alone below an empty line: if it is not a measurement, such as a result, remove it", t.rows[n-1])
	case t.header == nil && t.inBlocks():
		t.warn("an empty line parts the rows, first above row %d: all %d blocks are read as one table%s", t.rows[t.parted[0]], len(t.parted)+1, which)
	}
}

// inBlocks reports whether empty lines part the rows into blocks of at least two rows each.
func (t *reader) inBlocks() bool {
	start := 0
	for _, at := range append(t.parted, len(t.rows)) {
		if at-start < 2 {
			return false
		}
		start = at
	}
	return len(t.parted) > 0
}
