package dataset

import "slices"

// Category is a column of text, such as names, species or notes. It can group rows, but no law
// depends on it.
type Category struct {
	Name string
	// The different texts, in the order of their first occurrence; "" for empty cells.
	Levels []string
	Codes  []int // for each row, the index of its text in Levels
}

// At returns the text of a row.
func (c Category) At(row int) string { return c.Levels[c.Codes[row]] }

// Groups returns the rows of each level, in the order of Levels.
func (c Category) Groups() [][]int {
	groups := make([][]int, len(c.Levels))
	for row, code := range c.Codes {
		groups[code] = append(groups[code], row)
	}
	return groups
}

// Category returns the column of text with the given name, and whether there is one.
func (t *Table) Category(name string) (Category, bool) {
	i := slices.IndexFunc(t.Categories, func(c Category) bool { return c.Name == name })
	if i < 0 {
		return Category{}, false
	}
	return t.Categories[i], true
}

// setTextAside warns of the columns of text. Those with a text of its own in each row are labels,
// the others categories.
func (t *reader) setTextAside() {
	var labels, categories []string
	for _, i := range t.active {
		switch c := &t.columns[i]; {
		case c.kind != textKind:
		case len(c.texts.levels) == len(c.texts.codes):
			labels = append(labels, c.Name)
		default:
			categories = append(categories, c.Name)
		}
	}
	warn := func(names []string, kind string) {
		if len(names) > 0 {
			t.warn("%s set aside as %s", hold(names, "holds text and is", "hold text and are"), kind)
		}
	}
	warn(labels, "labels")
	warn(categories, "categories")
}

// texts collects the levels of a column of text while the column is read.
type texts struct {
	index  map[string]int
	levels []string
	bytes  int
	codes  []int
}

// code returns the index of a text in levels. It adds the text if it is new.
func (x *texts) code(cell []byte) int {
	if k, ok := x.index[string(cell)]; ok {
		return k
	}
	if x.index == nil {
		x.index = map[string]int{}
	}
	k := len(x.levels)
	x.levels = append(x.levels, string(cell))
	x.index[x.levels[k]] = k
	x.bytes += len(cell) + 64
	return k
}
