package regression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/spelling"
	"github.com/physlib/lab/physlib/unit"
)

// Parse parses a formula in the columns and known constants of t, like [law.Parse]. It returns an
// error if the target or a column of text occurs on the right side.
func Parse(formula string, t *dataset.Table) (law.Law, error) {
	l, err := law.Parse(formula, t.InputNames())
	if err != nil {
		return l, err
	}
	for _, k := range l.Constants {
		if k.Name == t.Target.Name {
			return l, fmt.Errorf("formula: %s is the target of %s and stands on the right side; rename the constant, or explain another column", k.Name, t.Name)
		}
		if _, text := t.Category(k.Name); text {
			return l, fmt.Errorf("formula: column %s of %s holds text and cannot be computed with; name another column, or rename the constant", k.Name, t.Name)
		}
	}
	return l, nil
}

// Warnings returns warnings about four things in l. A constant may be a mistyped column, if its
// name is similar to that of a column of t that l does not use. l may contain no column at all,
// although it names constants. e may be meant as a constant but is Euler's number, as in e*x. And a
// sine may be taken of a column in degrees.
func Warnings(l law.Law, t *dataset.Table) (warnings []string) {
	if text := law.EulerWarning(l.Tree); text != "" {
		warnings = append(warnings, text)
	}
	warnings = append(warnings, degrees(l, t)...)
	used := l.Inputs()
	var unused []string
	for i, name := range l.Vars {
		if !slices.Contains(used, i) {
			unused = append(unused, name)
		}
	}
	guessed := false
	for _, c := range l.Constants {
		if near := meant(c.Name, unused); near != "" {
			warnings = append(warnings, fmt.Sprintf("%s is not a column of %s and is fitted as a constant; did you mean %s?", c.Name, t.Name, near))
			guessed = true
		}
	}
	if len(used) == 0 && len(l.Constants) > 1 && !guessed {
		warnings = append(warnings, fmt.Sprintf("the formula has no column of %s, whose columns are %s: its names are fitted as constants", t.Name, spelling.List(l.Vars)))
	}
	return warnings
}

// meant returns the column that the name of a constant may stand for: one with a similar name, or
// one whose name is followed by a unit there, as in p_kPa for p. It returns "" if there is none.
func meant(name string, columns []string) string {
	for _, c := range columns {
		if unitText, ok := strings.CutPrefix(name, c+"_"); ok && len(unitText) > 1 { // not V_m
			if _, err := unit.Parse(unitText); err == nil {
				return c
			}
		}
	}
	near := spelling.Nearest(name, columns)
	if len(name) < 3 && !strings.EqualFold(name, near) {
		return ""
	}
	return near
}
