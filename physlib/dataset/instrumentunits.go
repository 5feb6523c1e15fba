package dataset

import (
	"regexp"
	"strings"
)

// Names of settings above a table. Some give the unit of the first column, others the units of the
// other columns.
var (
	horizontalUnits = regexp.MustCompile(`(?i)^(?:horizontal|x)[ _-]?units?:?$`)
	verticalUnits   = regexp.MustCompile(`(?i)^(?:vertical|y)[ _-]?units?:?$`)
)

// unitsOfSettings sets missing units of columns from settings above the table, as oscilloscopes
// write them: Horizontal Units,s and Vertical Units,V,V.
func (t *reader) unitsOfSettings(above []record) {
	var units []string
	for _, of := range []*regexp.Regexp{horizontalUnits, verticalUnits} {
		for _, r := range above {
			cells := splitHeader(r.text, t.layout.sep)
			for len(cells) > 0 && of.Match(cells[0]) && len(cells[len(cells)-1]) == 0 {
				cells = cells[:len(cells)-1]
			}
			if len(cells) < 2 || !of.Match(cells[0]) || of == horizontalUnits && len(cells) > 2 {
				continue
			}
			for _, c := range cells[1:] {
				units = append(units, string(c))
			}
			break
		}
		if len(units) == 0 {
			return
		}
	}
	if len(units) != len(t.columns) || t.unitsKnown() {
		return
	}
	for i, text := range units {
		u, err := parseUnit(text)
		if err != nil {
			return
		}
		t.columns[i].Unit, t.columns[i].HasUnit = u, true
	}
	t.warn("the units of the columns, %s, are those of the settings above", strings.Join(units, ", "))
}

// unitsKnown reports whether some column has a unit.
func (t *reader) unitsKnown() bool {
	for i := range t.columns {
		if t.columns[i].HasUnit {
			return true
		}
	}
	return false
}
