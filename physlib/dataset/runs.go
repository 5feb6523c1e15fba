package dataset

import (
	"bytes"
	"regexp"
	"slices"
)

// runBefore matches a heading in which the name of a run precedes that of the quantity, as in Run
// 1: Time (s) of Logger Pro.
var runBefore = regexp.MustCompile(`^((?:Run|Latest|Data Set|Trial|Messung|Versuch|Lauf)(?: ?#?\d+)?): *(.+)$`)

// ofRunParts splits a heading into the name of the run and the rest, as in Run 1: Time (s) and Time
// (s) Run #1.
func ofRunParts(heading []byte) (run, rest string) {
	if m := runBefore.FindSubmatch(heading); m != nil {
		return string(m[1]), string(m[2])
	}
	if m := ofRun.FindSubmatch(heading); m != nil {
		return string(m[3]), string(m[1]) + " (" + string(m[2]) + ")"
	}
	return "", ""
}

// runsBeside returns the columns of runs side by side, and their headings without the names of the
// runs. All runs must have the same quantities, at least two, and no other column may stand between
// them. Otherwise runsBeside returns nil.
func runsBeside(rows []record, sep byte) (tables []span, headers [][][]byte) {
	if len(rows) < 2 {
		return nil, nil
	}
	var runs []string
	for i, c := range splitHeader(rows[0].text, sep) {
		run, rest := ofRunParts(c)
		if run == "" {
			return nil, nil
		}
		if n := len(runs); n == 0 || runs[n-1] != run {
			runs, tables, headers = append(runs, run), append(tables, span{i, i}), append(headers, nil)
		}
		last := len(tables) - 1
		tables[last].to, headers[last] = i+1, append(headers[last], []byte(rest))
	}
	if len(tables) < 2 || len(headers[0]) < 2 {
		return nil, nil
	}
	for _, h := range headers[1:] {
		if !slices.EqualFunc(h, headers[0], bytes.Equal) {
			return nil, nil
		}
	}
	return tables, headers
}

// If there are runs side by side, chooseRun limits the feed to the run that Options.Table selects.
// It takes the name of the run out of its headings. If no run is selected, and neither a law nor
// names of columns are given, it returns an error.
func (t *reader) chooseRun(rows []record, sep byte) error {
	tables, headers := runsBeside(rows, sep)
	which := t.options.Table
	switch {
	case tables == nil || which == 0 && (t.options.Given || t.options.Target != "" || len(t.options.Columns) > 0):
		return nil
	case which > len(tables):
		return t.noTable(len(tables)+1, nil)
	case which == 0:
		return t.severalBeside(tables, headers, "choose one run with --table 1, 2, …, or write the runs below each other, with their numbers in a column")
	}
	t.keepSide(tables[which-1], sep, 1)
	t.feed.queue[0].text = rejoin(headers[which-1], sep)
	return nil
}
