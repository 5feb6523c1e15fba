package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// isBlock reports whether a row begins another table without a header, below an empty line, or
// below two of them if a comment holds the header.
func (t *reader) isBlock(rec record) bool {
	if !t.apart || rec.gap == 0 || t.header != nil && (!t.layout.commented || rec.gap < 2) {
		return false
	}
	t.split(rec)
	return numberRow(t.cells) && len(t.cells) == len(t.columns)
}

// byBlocks reports whether [Options.Table] can choose among blocks of rows: no line with names
// stands above them, and two empty lines part them, as gnuplot's data sets, or no other ones do.
func (t *reader) byBlocks() bool {
	if t.layout.commented {
		return len(t.blocks) > 0
	}
	return t.header == nil && (len(t.blocks) == 0 || len(t.blocks) == len(t.parted))
}

// restarts returns the rows of the table, from 0, at which data sets of gnuplot begin, after the
// first one. Two empty lines part them. The values of the first column rise or fall in each of
// them, and begin anew at the next one. For other tables restarts returns nil, and also if a law is
// given or trajectories are read, which may belong together.
func (t *reader) restarts() (parts []int) {
	if t.options.Table != 0 || t.options.Given || len(t.blocks) == 0 || !t.byBlocks() || len(t.active) == 0 || t.columns[t.active[0]].kind != numberKind {
		return nil
	}
	x := t.columns[t.active[0]].Values
	for _, row := range t.blocks {
		parts = append(parts, slices.Index(t.rows, row))
	}
	var within, between trend
	for i := 1; i < len(x); i++ {
		steps := &within
		if slices.Contains(parts, i) {
			steps = &between
		}
		steps.any = false
		steps.see(x[i-1])
		steps.see(x[i])
	}
	back := between.falls
	if within.falls > 0 {
		back = between.rises
	}
	if !within.monotone() || back != len(parts) || len(x) < 2*(len(parts)+1) {
		return nil
	}
	return parts
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
		t.warn("row %d stands alone below an empty line: if it is no measurement, such as a result, remove it", t.rows[n-1])
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
