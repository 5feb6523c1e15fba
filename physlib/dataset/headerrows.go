package dataset

import (
	"bytes"
	"slices"
)

// joinHeaders joins a header of two rows, such as x,x,y,y above mean,std,mean,std. It returns the
// rows and the index of the joined header.
func (t *reader) joinHeaders(rows []record, h int) ([]record, int) {
	sep := t.layout.sep
	if sep == spaces {
		return rows, h // with blanks as separators, empty cells cannot be recognized
	}
	for _, top := range []int{h - 1, h} {
		if top < 0 || top+2 >= len(rows) || rows[top+1].gap > 0 {
			continue
		}
		above, below := splitHeader(rows[top].text, sep), splitHeader(rows[top+1].text, sep)
		lead := 0 // number of columns of pandas' index
		for lead < min(len(above), len(below)) && len(above[lead]) == 0 && len(below[lead]) == 0 {
			lead++
		}
		if !twoRows(above[lead:], below[lead:]) || t.sameUnits(rows[top+1]) {
			continue
		}
		joined := joinNames(above[lead:], below[lead:])
		if _, distinct := textsOf(joined); !distinct {
			continue
		}
		t.warn("rows %d and %d are read as one header, with names such as %s; remove the row that holds no names", rows[top].row, rows[top+1].row, quote(joined[0]))
		index, next := below[:lead], top+2
		if names := splitHeader(rows[next].text, sep); namesIndex(names, lead) && len(names) == len(below) {
			index, next = names[:lead], next+1
		}
		header := record{text: rejoin(slices.Concat(index, joined), sep), row: rows[top+1].row, gap: rows[top].gap}
		return slices.Concat(rows[:top], []record{header}, rows[next:]), top
	}
	return rows, h
}

// namesIndex reports whether a row names the first n columns and no others. pandas writes such a
// row, with the names of its index, below a header of two rows.
func namesIndex(cells [][]byte, n int) bool {
	names, _ := textsOf(cells[:min(n, len(cells))])
	return n > 0 && names == n && filled(cells) == n
}

// indexNames moves the names of pandas' index into the empty cells at the start of the header.
// pandas writes these names alone in the row below the header.
func (t *reader) indexNames(rows []record, h int) []record {
	sep := t.layout.sep
	if sep == spaces || h+1 >= len(rows) || rows[h+1].gap > 0 {
		return rows
	}
	header, names := splitHeader(rows[h].text, sep), splitHeader(rows[h+1].text, sep)
	lead := 0
	for lead < len(header) && len(header[lead]) == 0 {
		lead++
	}
	if lead == len(header) || len(names) != len(header) || !namesIndex(names, lead) || unbracket(string(names[0])) != string(names[0]) {
		return rows
	}
	joined := record{text: rejoin(slices.Concat(names[:lead], header[lead:]), sep), row: rows[h].row, gap: rows[h].gap}
	return slices.Concat(rows[:h], []record{joined}, rows[h+2:])
}

// joinNames puts the name of each quantity in front of the names below it. An empty cell belongs to
// the quantity on its left. The unit of the quantity is moved to the end of the joined name.
func joinNames(above, below [][]byte) (joined [][]byte) {
	var quantity, unit []byte
	for i, name := range below {
		if i < len(above) && len(above[i]) > 0 {
			quantity, unit = above[i], nil
			if q, u, bracket := splitUnit(string(above[i])); bracket {
				quantity, unit = []byte(q), []byte(" ["+u+"]")
			}
		}
		if slices.Contains(plusMinus, string(name)) && i > 0 {
			joined = append(joined, slices.Concat(quantity, []byte(" "), name))
			continue
		}
		if unit := unbracket(string(name)); bytes.HasPrefix(name, []byte("[")) || unit != string(name) && isUnit(unit) {
			joined = append(joined, slices.Concat(quantity, []byte(" "), name))
			continue
		}
		if bytes.HasSuffix(name, []byte("]")) {
			joined = append(joined, slices.Concat(quantity, []byte("_"), name))
			continue
		}
		joined = append(joined, slices.Concat(quantity, []byte("_"), name, unit))
	}
	return joined
}

// twoRows reports whether two rows together are a header. The lower row must have a name for every
// column, and must not be a row of units. In addition, one of the rows must repeat names: the lower
// row if the upper row has fewer names than there are columns, otherwise the upper row.
func twoRows(above, below [][]byte) bool {
	names, distinct := textsOf(below)
	quantities, apart := textsOf(above)
	switch {
	case len(above) == 0:
		return false
	case numbersOf(above) > 0 || names < len(below) || allUnits(below):
		return false
	case len(above[0]) == 0 || quantities < 2 || len(above) > len(below):
		return false
	case quantities == len(below):
		return !apart
	}
	return !distinct
}
