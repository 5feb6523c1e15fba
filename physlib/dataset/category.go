package dataset

import (
	"slices"
	"strings"
)

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

// truthWords are pairs of words for true and false.
var truthWords = [][2]string{{"true", "false"}, {"yes", "no"}, {"on", "off"}, {"wahr", "falsch"}, {"ja", "nein"}, {"an", "aus"},
	{"vrai", "faux"}, {"oui", "non"}, {"verdadero", "falso"}, {"sí", "no"}, {"vero", "falso"}, {"sì", "no"}}

// truth returns the texts of a column that mean true and false, and whether it has no others.
func (x *texts) truth() (yes, no string, ok bool) {
	for _, words := range truthWords {
		yes, no, ok = "", "", true
		for _, level := range x.levels {
			switch strings.ToLower(level) {
			case words[0]:
				yes = level
			case words[1]:
				no = level
			case "":
			default:
				ok = false
			}
		}
		if ok && yes != "" && no != "" {
			return yes, no, true
		}
	}
	return "", "", false
}

// setTextAside warns of the columns of text. Those with a text of its own in each row are labels,
// the others categories. It says how truth values become a variable.
func (t *reader) setTextAside() {
	var labels, categories []string
	for _, i := range t.active {
		switch c := &t.columns[i]; {
		case c.kind != textKind:
		case t.warnOfTruth(c):
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

// warnOfTruth warns if the texts of a column are truth values, and reports whether they are.
func (t *reader) warnOfTruth(c *columnReader) bool {
	yes, no, ok := c.texts.truth()
	if ok {
		t.warn("column %s holds text and is set aside as categories: to make it a variable, write 1 for %s and 0 for %s; --group %[1]s finds one law for both", c.Name, yes, no)
	}
	return ok
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
