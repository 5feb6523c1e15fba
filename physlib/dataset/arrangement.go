package dataset

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// hintAtGroups says that --group serves columns of text that distinguish a few groups of rows.
func (t *reader) hintAtGroups(table *Table) {
	const fewest, most = 3, 20 // rows of a group, and groups
	var names []string
	count := 0
	for _, c := range table.Categories {
		groups := c.Groups()
		if len(groups) < 2 || len(groups) > most || slices.Contains(c.Levels, "") || slices.ContainsFunc(groups, func(g []int) bool { return len(g) < fewest }) {
			continue
		}
		names, count = append(names, c.Name), len(groups)
	}
	switch len(names) {
	case 0:
	case 1:
		t.warn("column %s distinguishes %d groups of rows: --group %[1]s finds one law for all of them", names[0], count)
	default:
		t.warn("%s groups of rows: --group %s, or another one, finds one law for all of its groups", hold(names, "distinguishes", "distinguish"), names[0])
	}
}

// repeated matches the names of repeated measurements of one quantity, such as run_3 or y2. Three
// columns with such names give a warning, or two if their names contain one of repeatWords.
var (
	repeated    = regexp.MustCompile(`^(.*?)_?(\d{1,2})$`)
	repeatWords = regexp.MustCompile(`(?i)run|trial|try|rep|meas|test|versuch|messung|mess|lauf|attempt|essai|mesure|prueba|medida|scan|sweep`)
)

// hintAtRepeats warns if the target and columns of similar names have nearly the same values in
// every row, so that they may be repeats of one quantity.
func (t *reader) hintAtRepeats(table *Table) {
	m := repeated.FindStringSubmatch(table.Target.Name)
	if m == nil || table.Rows() < 3 {
		return
	}
	same, names := []Column{table.Target}, []string{}
	for _, c := range table.Vars {
		if o := repeated.FindStringSubmatch(c.Name); o != nil && o[1] == m[1] && c.HasUnit == table.Target.HasUnit && c.Unit == table.Target.Unit {
			same, names = append(same, c), append(names, c.Name)
		}
	}
	if len(same) < 2 || len(same) == len(table.Vars)+1 || len(same) < 3 && !repeatWords.MatchString(m[1]) || !nearlyEqual(same) {
		return
	}
	t.warn("columns %s and %s are nearly equal in every row: if they repeat one measurement, write them below each other in one column, or keep one and leave the others out with --ignore",
		strings.Join(names, ", "), table.Target.Name)
}

// nearlyEqual reports whether columns differ in each row by less than a tenth of their range.
func nearlyEqual(columns []Column) bool {
	low, high, most := math.Inf(1), math.Inf(-1), 0.0
	for k := range columns[0].Values {
		least, largest := math.Inf(1), math.Inf(-1)
		for _, c := range columns {
			least, largest = min(least, c.Values[k]), max(largest, c.Values[k])
		}
		low, high, most = min(low, least), max(high, largest), max(most, largest-least)
	}
	const share = 0.1
	return most < share*(high-low)
}

// valued matches a name with a value, such as 300 K or T = 300 K.
var valued = regexp.MustCompile(`^(|.*[=@] ?|.* (?:at|bei|à) )([-+]?\d+(?:[.,]\d+)?) ?(\pL[\pL/^\d]*|°C?|%|)$`)

// hintAtValues warns if several columns are named by values of one variable, which no law can use.
func (t *reader) hintAtValues() {
	names := map[string][]string{}
	for _, i := range t.active {
		h := &t.columns[i]
		m := valued.FindStringSubmatch(h.written)
		if m != nil && h.kind == numberKind && (m[1] != "" || m[3] != "" && isUnit(m[3])) {
			kind := strings.TrimSpace(m[1]) + " " + m[3]
			names[kind] = append(names[kind], h.written)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(names)) {
		if len(names[kind]) > 1 {
			t.warn("%s named by values: if these are values of a variable, write one row for each of them, in three columns", hold(names[kind], "is", "are"))
		}
	}
}
