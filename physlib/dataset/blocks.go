package dataset

// isBlock reports whether a row begins another table without a header, below an empty line.
func (t *reader) isBlock(rec record) bool {
	if !t.apart || t.header != nil || rec.gap == 0 {
		return false
	}
	t.split(rec)
	return numberRow(t.cells) && len(t.cells) == len(t.columns)
}

// warnOfBlocks warns of empty lines between rows if the rows may belong to several tables, and of a
// last row that stands alone.
func (t *reader) warnOfBlocks() {
	which := ""
	if t.header == nil && (len(t.blocks) == 0 || len(t.blocks) == len(t.parted)) {
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
