package dataset

// fixedWidth finds the positions of the columns of a table whose cells are separated by blanks,
// from the rows of the sample that have all cells. The positions are known if at least three rows
// have all cells, and at least two blanks separate neighbouring columns in all of them. One blank
// is enough if each column ends at the same place in all of them, and numbers differ in width.
func (t *reader) fixedWidth(body []record) {
	const leastRows, leastBlanks = 3, 2
	t.positions = nil
	if t.layout.sep != spaces {
		return
	}
	var all []span
	rows, right, differ := 0, true, false
	for _, r := range body {
		cells := positionsOf(r.text)
		if len(cells) != len(t.columns) {
			continue
		}
		rows++
		if all == nil {
			all = cells
			continue
		}
		for i, c := range cells {
			right, differ = right && c.to == all[i].to, differ || c.from != all[i].from
			all[i] = span{min(all[i].from, c.from), max(all[i].to, c.to)}
		}
	}
	for i := 1; i < len(all); i++ {
		if all[i].from < all[i-1].to+leastBlanks && !(right && differ) {
			return
		}
	}
	if rows >= leastRows {
		t.positions = all
	}
}

// positionsOf returns where the cells of a line are that blanks separate. It returns nil if the
// line has tabs, quotes or characters of several bytes, which hide the positions.
func positionsOf(line []byte) (cells []span) {
	start := -1
	for i, c := range line {
		switch {
		case c == '\t' || c == '"' || c >= 0x80:
			return nil
		case c != ' ' && start < 0:
			start = i
		case c == ' ' && start >= 0:
			cells = append(cells, span{start, i})
			start = -1
		}
	}
	if start >= 0 {
		cells = append(cells, span{start, len(line)})
	}
	return cells
}

// byPosition returns the cells of a row with empty cells where the row has blanks at the position
// of a column. It returns cells unchanged if one of them is not a number, or not at the position
// of exactly one column.
func (t *reader) byPosition(rec record, cells [][]byte) [][]byte {
	at := positionsOf(rec.text)
	if len(at) != len(cells) {
		return cells
	}
	out := make([][]byte, len(t.positions))
	for k, cell := range cells {
		column, n := 0, 0
		for i, p := range t.positions {
			if at[k].from < p.to && p.from < at[k].to {
				column, n = i, n+1
			}
		}
		if n != 1 || out[column] != nil || !likeNumber(cell) {
			return cells
		}
		out[column] = cell
	}
	if t.spreadRow == 0 {
		t.spreadRow = rec.row
		t.warn("rows with blanks in place of a number, first row %d, are read by the positions of the columns", rec.row)
	}
	return out
}
