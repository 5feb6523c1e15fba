package dataset

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/physlib/lab/physlib/unit"
)

// current matches the unit of a direct, alternating or rms voltage or current, such as VDC or mA
// rms.
var current = regexp.MustCompile(`^([mkµμunM]?[VA])[ _]?(?:DC|AC|dc|ac|RMS|rms)$`)

// parseUnit reads a unit as meters print it.
func parseUnit(s string) (unit.Unit, error) {
	if strings.EqualFold(s, "sec") || strings.EqualFold(s, "secs") {
		s = "s"
	}
	s, _, _ = strings.Cut(s, " vs") // the potential of a reference electrode, as in V vs. SHE
	if m := current.FindStringSubmatch(s); m != nil {
		s = m[1]
	} else if strings.EqualFold(s, "deg C") || strings.EqualFold(s, "deg. C") {
		s = "°C"
	}
	return unit.Parse(s)
}

func isUnit(s string) bool {
	_, err := parseUnit(s)
	return err == nil
}

// sameUnit reports whether two texts after numbers are the same unit, as uA and µA are.
func sameUnit(a, b string) bool {
	if a == b || a == "" || b == "" {
		return a == b
	}
	u, errU := parseUnit(a)
	v, errV := parseUnit(b)
	return errU == nil && errV == nil && u.Dim == v.Dim && u.Factor() == v.Factor() && u.Offset == v.Offset
}

// setUnits sets units of columns from a list such as "a=AU, T=d". An empty unit, as in "a=", makes
// the unit unknown.
func (t *reader) setUnits(list string) error {
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' }) {
		if strings.TrimSpace(item) == "" {
			continue
		}
		name, text, ok := strings.Cut(item, "=")
		if !ok {
			return &Error{File: t.file, Problem: fmt.Sprintf("units: %q has no =", strings.TrimSpace(item)), Try: "write them as a=AU,T=d"}
		}
		i, err := t.find(strings.TrimSpace(name), "units:")
		if err != nil {
			return err
		}
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
			text = strings.TrimSpace(text[1 : len(text)-1])
		}
		c := &t.columns[i].Column
		if c.Unit, c.HasUnit = (unit.Unit{}), text != ""; !c.HasUnit {
			continue
		}
		if c.Unit, err = unit.Parse(text); err != nil {
			return &Error{File: t.file, Column: place(i, c.Name), Problem: "units: " + err.Error(), Err: err}
		}
		t.warnOfUnit(c.Name, text)
	}
	return nil
}

// times matches the names of times, and degreesOf the names of temperatures.
var (
	times     = regexp.MustCompile(`(?i)^(?:time|zeit|duration|dauer|temps|tiempo)(?:$|_)`)
	degreesOf = regexp.MustCompile(`(?i)^t$|temp`)
)

// warnOfUnit warns of a unit that often means something else.
func (t *reader) warnOfUnit(column, text string) {
	switch {
	case text == "m" && times.MatchString(column):
		t.warn("column %s: [m] is read as metre; for minutes write [min]", column)
	case text == "S" && (column == "t" || times.MatchString(column)):
		t.warn("column %s: [S] is read as siemens; for seconds write [s]", column)
	case text == "°" && degreesOf.MatchString(column):
		t.warn("column %s: [°] is read as the unit of an angle; for temperatures write [°C]", column)
	}
	if symbol, read, write, ok := unit.Element(text); ok {
		t.warn("column %s: the %s in %s is read as %s; for an amount of the element write %s", column, symbol, text, read, write)
	}
	if read, write, ok := unit.Doubtful(text); ok {
		t.warn("column %s: the m in %s is read as milli, per %s; for per metre and kelvin write %s", column, text, read, write)
	}
}
