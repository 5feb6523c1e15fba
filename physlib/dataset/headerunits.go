package dataset

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/unit"
)

// quotients rewrites headings such as T/K, the quantity divided by its unit (ISO 80000-1), as T
// [K]. It does so only if all columns of numbers have such headings, or if a heading can have no
// other meaning.
func (t *reader) quotients(cells [][]byte) {
	var names, units []string
	bare, other, sure, doubt := 0, 0, 0, false
	leave := func() { names, units = append(names, ""), append(units, "") }
	for i, c := range cells {
		if i < len(t.layout.columns) && t.layout.columns[i].kind == textKind {
			leave()
			continue
		}
		if m := enclosed.FindSubmatch(c); m != nil && m[1][len(m[1])-1] != '/' && isUnit(string(m[3])) { // as in v (m/s)
			leave()
			continue
		}
		name, u, slash := strings.Cut(string(c), "/")
		name, u = strings.Trim(name, "<> "), strings.TrimSpace(u) // <I> is the mean of I
		if inner := strings.Trim(u, "()"); "("+inner+")" == u {   // as in y / (m^2)
			u = inner
		}
		if !slash {
			bare++
			leave()
			continue
		}
		_, err := unit.Parse(u)
		if err == nil && countables[strings.ToLower(name)] { // a rate such as Counts/s
			leave()
			continue
		}
		// The slash may be a part of the name, as in ox/red.
		if plain := identifier(name); err != nil && plain != "" && identifier(u) == u {
			other++
			leave()
			continue
		} else if err != nil || plain != strings.TrimSuffix(name, ".") || plain == "" {
			return
		}
		if !strings.ContainsAny(u, "°µμΩ%^²³⁻") && (isUnit(name) || len(u) == 1 && !strings.Contains("Kmsg", u)) {
			doubt = true
		} else {
			sure++
		}
		names, units = append(names, name), append(units, u)
	}
	if bare > 0 && doubt && sure < 2 || other > 0 && sure < 2 {
		return
	}
	for i := range names {
		if names[i] == "" {
			continue
		}
		t.warn("column %q is read as %s in %s; write %s [%s] to be sure", cells[i], names[i], units[i], names[i], units[i])
		cells[i] = []byte(names[i] + " [" + units[i] + "]")
	}
}

// countables are names of things that are counted. After such a name, /s makes a rate, as in
// Counts/s.
var countables = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields("count counts cts clicks photons events pulses impulses impulse imp rev revs revolutions cycles cells drops molecules particles ions decays hits ticks frames samples beats") {
		set[name] = true
	}
	return set
}()

// functions are names of functions in headings. For example, log(M) is not a quantity log in mol/L.
var functions = []string{"log", "log10", "log2", "lg", "ln", "exp", "sqrt", "sin", "cos", "tan", "abs", "d", "f"}

// called matches a heading such as T(K), in which the unit follows the name without a space,
// and Run 1: T(K).
var called = regexp.MustCompile(`^([^()]*[^()\s])\(([^()]+)\)$`)

// calls rewrites headings such as T(K) as T (K) if all columns of numbers have units in this style.
// If the text in parentheses is t or the name of a column, the heading is a function such as x(t)
// and is not rewritten.
func (t *reader) calls(cells [][]byte) {
	spaced := slices.Clone(cells)
	names := map[string]bool{"t": true}
	var units []string
	for i, c := range cells {
		if i < len(t.layout.columns) && t.layout.columns[i].kind == textKind {
			continue
		}
		m := called.FindSubmatch(c)
		if m != nil && slices.Contains(functions, strings.ToLower(string(m[1]))) {
			return
		}
		if m == nil || !isUnit(string(m[2])) {
			return
		}
		names[string(m[1])] = true
		units = append(units, string(m[2]))
		spaced[i] = []byte(string(m[1]) + " (" + string(m[2]) + ")")
	}
	if !slices.ContainsFunc(units, func(u string) bool { return names[u] }) {
		copy(cells, spaced)
	}
}

// unitRow reads the first row below the header as the units of the columns, as in m, (s), [kg]. At
// least half of the filled cells must be units. The unit of a column stays unknown if its cell is
// empty, a dash or a text such as a.u.
func (t *reader) unitRow(rec record, cells [][]byte) bool {
	if len(cells) != len(t.columns) {
		return false
	}
	if slices.ContainsFunc(cells, numbered.Match) {
		return false
	}
	if columnKinds.Match(rec.text) {
		t.warn("row %d, %s, is read as the kinds of the columns, not as units", rec.row, quote(rec.text))
		return true
	}
	units, known := make([]unit.Unit, len(cells)), make([]bool, len(cells))
	filled, some, odd := 0, 0, []string{}
	for i, c := range cells {
		if k := t.columns[i].kind; absent(c) != present || slices.Contains(noUnits, string(c)) || k == dateKind && !isTime(c) {
			continue
		}
		written := unbracket(string(c))
		filled++
		written = t.meant(t.columns[i].Name, written)
		var err error
		if units[i], err = parseUnit(written); err == nil && kindOf(c) == textKind && !t.columns[i].HasUnit && !inArbitrary(t.columns[i].Name, written) {
			known[i] = true
			if k := t.columns[i].kind; k != textKind && k != noKind {
				some++
			}
			continue
		}
		odd = append(odd, written)
	}
	names := len(odd) > 0 && t.twice // a second row of names, below titles over several columns
	if some == 0 || names || 2*len(odd) > filled && !arbitrary(odd) {
		return false
	}
	for i := range cells {
		if known[i] && t.columns[i].kind != textKind {
			t.columns[i].Unit, t.columns[i].HasUnit = units[i], true
		}
	}
	t.warn("row %d is read as the columns' units", rec.row)
	t.unitCells = splitRow(nil, bytes.Clone(rec.text), t.layout.sep)
	if len(odd) > 0 {
		t.warn("row %d: %s is not a known unit, so that unit stays unknown; --units gives one", rec.row, strings.Join(odd, ", "))
	}
	return true
}

// noUnits are entries in a row of units for columns without one: # for numbers, and RN for record
// numbers of Campbell's loggers.
var noUnits = []string{"#", "RN"}

// isTime reports whether a cell is a unit of time. Campbell's loggers write TS, for timestamp, as
// the unit of dates.
func isTime(cell []byte) bool {
	u, err := parseUnit(unbracket(string(cell)))
	return err == nil && u.Dim == unit.Powers(0, 0, 1)
}

// arbitrary reports whether all texts mean arbitrary units.
func arbitrary(texts []string) bool {
	for _, s := range texts {
		if !slices.Contains([]string{"a.u.", "arb. u.", "arb.u.", "arb", "arb. units", "arbitrary", "arbitrary units", "au", "mau", "rfu", "rlu", "ph", "counts", "w.e.", "rel."}, strings.ToLower(s)) {
			return false
		}
	}
	return true
}

// temperatures matches the names of temperatures.
var temperatures = regexp.MustCompile(`(?i)^t$|^t[_\d]|temp|thermo|^[θϑ]`)

// accelerations matches the names of accelerations. gravities maps the symbols that accelerometers
// write for the standard gravity or a thousandth of it, such as g and mg, to units in m/s^2.
var (
	accelerations = regexp.MustCompile(`(?i)^[ag]_?[xyz]$|^acc(?:_.*|[xyz])?$|acceler|accel_|accel$|g_?force|beschleunigung`)
	gravities     = map[string]string{"g": "9.80665 m/s^2", "G": "9.80665 m/s^2", "mg": "0.00980665 m/s^2", "mG": "0.00980665 m/s^2"}
)

// perSecond matches units such as ms-1, which may mean per millisecond, or metre per second. speeds
// matches the names of speeds, whose unit is metre per second.
var (
	perSecond = regexp.MustCompile(`^ms(?:\^|\*\*)?\(?(?:-|−|⁻)([12¹²])\)?$`)
	speeds    = regexp.MustCompile(`(?i)^[vuwacg](?:_?[a-z\d])?$|^[va]_|veloc|speed|^wind|geschw|vitesse`)
)

// meant returns the unit that unitText means in a column with the given name. In a column of
// temperatures, C means °C and F means °F. In a column of accelerations, g and G mean the standard
// gravity. In a column of speeds, ms-1 means m s^-1. In a column of times, S means s.
func (t *reader) meant(name, unitText string) string {
	gravity := gravities[unitText]
	second := perSecond.FindStringSubmatch(unitText)
	switch {
	case second != nil && (speeds.MatchString(name) || accelerations.MatchString(name)):
		metre := "m s^-" + strings.NewReplacer("¹", "1", "²", "2").Replace(second[1])
		t.warn("column %s: [%s] is read as %s; if that is wrong, give --units", name, unitText, metre)
		return metre
	case second != nil:
		t.warn("column %s: the ms in %s is read as millisecond; for metre and second write m s-%s", name, unitText, second[1])
	case unitText == "S" && (name == "t" || times.MatchString(name)):
		t.warn("column %s: [S] is read as second, not as siemens; write [s] to be sure", name)
		return "s"
	case (unitText == "C" || unitText == "F") && temperatures.MatchString(name):
		t.warn("column %s: [%s] is read as °%[2]s", name, unitText)
		return "°" + unitText
	case gravity != "" && accelerations.MatchString(name):
		other := map[string]string{"g": "gram", "G": "gauss"}[unitText[len(unitText)-1:]]
		t.warn("column %s: [%s] is read as the standard gravity, %s, not as %s; if that is wrong, give --units", name, unitText, gravity, other)
		return gravity
	}
	return unitText
}

// differences gives columns of temperature differences a unit without offset. For example, ΔT [°C]
// is not counted from -273.15 °C.
func (t *reader) differences() {
	for i := range t.columns {
		c := &t.columns[i]
		if !c.HasUnit || c.Unit.Offset == 0 || !difference.MatchString(c.Name) {
			continue
		}
		kelvin := "K"
		if c.Unit.Factor() != 1 {
			kelvin = "°R"
		}
		u, err := unit.Parse(kelvin)
		if err != nil {
			continue
		}
		t.warn("column %s: differences in %s are read as such in %s", c.Name, c.Unit, kelvin)
		c.Unit = u
	}
}

// difference matches the names of differences of temperatures.
var difference = regexp.MustCompile(`^(Δ|∆|(?i:delta)_?T|dT|d_T|(?i:diff))`)

// brightness are the beginnings of the names of quantities that are often measured in arbitrary
// units.
var brightness = []string{"abs", "od", "opt", "ext", "fluo", "lum", "int", "sig", "resp", "count", "emission", "trans", "ampl"}

// inArbitrary reports whether the unit AU means an arbitrary unit, according to the name of the
// column.
func inArbitrary(name, unitText string) bool {
	name = strings.ToLower(name)
	if unitText == "pH" && strings.HasPrefix(name, "ph") { // pH is not picohenry
		return true
	}
	return strings.EqualFold(unitText, "AU") && slices.ContainsFunc(brightness, func(word string) bool { return strings.HasPrefix(name, word) })
}

// numbered matches names such as P1, which could be read as a unit with the exponent 1.
var numbered = regexp.MustCompile(`^\pL+1$`)

// unbracket removes the brackets around a unit.
func unbracket(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && (s[0] == '[' && s[n-1] == ']' || s[0] == '(' && s[n-1] == ')') {
		return strings.TrimSpace(s[1 : n-1])
	}
	return s
}

// ofRun matches a heading in which the name of a run follows the unit, such as Time (s) Run #1.
var ofRun = regexp.MustCompile(`^(.+) \(([^()]+)\) (Run #?\d+|Set(?: #?\d+)?|Ch(?:annel)? ?\d+)$`)

// enclosed matches a heading with a unit in brackets of any kind, such as v (m/s), v <m/s> or v
// {m/s}.
var enclosed = regexp.MustCompile(`^(.*[^ ])( +)[(<{](.*)[)>}]$`)

// powerSign matches the power of ten before a unit, as in ×10⁻³ M.
var powerSign = regexp.MustCompile(`^[×x*] ?10`)

// countUnitsBehind counts the headings with a unit after a slash, a comma or "in", such as "E, V".
func (t *reader) countUnitsBehind(cells [][]byte) {
	for _, c := range cells {
		for _, sep := range []string{" / ", ", ", " in "} {
			if _, u, ok := strings.Cut(" "+string(c), sep); ok && isUnit(u) {
				t.unitsBehind++
				break
			}
		}
	}
}

// behind splits a heading into the name and the unit after it, if there is one: "v (m/s)", "v /
// km", "v, m/s" or "v in m/s". Without brackets, most single letters may also be names, as in C /
// N. The letters K, m, s and g always count as units. Any other letter never does after a slash.
// After a comma or "in" it does if at least two headings have such a unit (unitsBehind).
func (t *reader) behind(cell string) (name, unitText string) {
	name, unitText, mark := cell, "", ""
	// Oscilloscopes write headings such as "in s".
	if u, found := strings.CutPrefix(cell, "in "); found && isTime([]byte(u)) {
		cell = "time in " + u
	}
	if m := ofRun.FindStringSubmatch(cell); m != nil {
		cell = m[1] + " " + m[3] + " (" + m[2] + ")"
		name = cell
	}
	if m := enclosed.FindStringSubmatch(cell); m != nil {
		name, unitText = m[1], powerSign.ReplaceAllString(m[3], "10")
		mark = cell[len(m[1])+len(m[2]):]
	} else {
		for _, sep := range []string{" / ", ", ", " in "} {
			if n, u, ok := strings.Cut(cell, sep); ok && (len(u) > 1 || strings.Contains("Kmsg%°", u) || sep != " / " && t.unitsBehind > 1) && !t.hasColumn(u) {
				name, unitText, mark = n, u, u
				break
			}
		}
	}
	if arbitrary([]string{unitText}) && (!isUnit(unitText) || inArbitrary(name, unitText)) {
		t.warn("column %q: %s is not a known unit, so its unit stays unknown", cell, mark)
		return strings.TrimSpace(name), ""
	}
	if f := factorInName.FindStringSubmatch(cell); f != nil {
		name, unitText, mark = f[1], cmp.Or(factorWords[f[3]], "10^"+f[2]), strings.TrimSpace(cell[len(f[1]):])
	}
	if wavelength.MatchString(unitText) {
		return cell, "" // as in A (254 nm)
	}
	if unitText == "" || !isUnit(unitText) {
		if mark != "" && likeUnit.MatchString(unitText) {
			t.warn("column %q: %s is not a known unit; --units gives one", cell, unitText)
		}
		if unitText = t.unitInName(cell); unitText != "" {
			t.warn("column %q: %s in the name is read as its unit; if that is wrong, give --units", cell, unitText)
		}
		return cell, unitText
	}
	name = strings.TrimSpace(name)
	t.unitsRead = append(t.unitsRead, readUnit{cell, mark, name + " [" + unitText + "]"})
	return name, unitText
}

// factorInName matches a heading that ends in a factor, such as N x 10^5 or N (in thousands), and
// factorWords are the factors in words.
var (
	factorInName = regexp.MustCompile(`^(.*\S) +(?:[x×*] ?10\^?\(?([-−]?\d+)\)?|[(\[]?in (thousands|millions|billions)[)\]]?)$`)
	factorWords  = map[string]string{"thousands": "10^3", "millions": "10^6", "billions": "10^9"}
)

// wavelength matches a value in brackets at which a quantity is measured, such as 254 nm. A power
// of ten before a unit is a factor instead.
var wavelength = regexp.MustCompile(`^(?:[2-9]\d*|1[1-9]\d*|10+[1-9]\d*)(?:\.\d+)? ?\pL`)

// likeUnit matches texts in brackets that are probably meant as units: with a slash, a power or a
// sign of units.
var likeUnit = regexp.MustCompile(`^[^\s/^]{1,6}/[^\s/]{1,6}$|^[^\s]*(?:\^-?\d|[°²³⁻])[^\s]*$`)

// hasColumn reports whether a heading is the given name.
func (t *reader) hasColumn(name string) bool {
	return slices.ContainsFunc(t.header, func(h []byte) bool { return string(h) == name })
}
