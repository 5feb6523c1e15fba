package dataset

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// isLaTeX reports whether text is a LaTeX table: most of its first lines have cells separated by &,
// or end in two backslashes.
func isLaTeX(head []byte) bool {
	cells, lines := 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		amp := bytes.IndexByte(line, '&')
		if len(line) == 0 || line[0] == '%' || line[0] == '\\' && amp < 0 {
			continue
		}
		if lines++; lines > 20 {
			break
		}
		if amp >= 0 && (rowEnd.Match(line) || bytes.Contains(line, []byte(" & "))) {
			cells++
		}
	}
	return cells > 0 && 2*cells >= lines
}

// Patterns that are removed from the cells of a LaTeX table, and the end of its rows.
var (
	rowEnd  = regexp.MustCompile(`\\\\\*?(\[[^]]*\])?\s*(\\[a-z]+(\{[^}]*\}|\([^)]*\))*\s*)*$`)
	wrapped = regexp.MustCompile(`\\(?:num|text|mathrm|textbf|textit|mathit|mathbf|emph|bf|rm|unit|si|textrm)\{([^{}]*)\}`)
	// A number with its unit in siunitx, and the braces around an exponent.
	quantityMacro  = regexp.MustCompile(`\\(?:SI|qty)\{([^{}]*)\}\{([^{}]*)\}`)
	exponentBraces = regexp.MustCompile(`\^\{([-+]?\d+)\}`)

	spacing = strings.NewReplacer(`\,`, " ", `\;`, " ", `\!`, "", `\ `, " ", "~", " ", `\%`, "%", `\_`, "_", `^\circ`, "°", `^{\circ}`, "°", `\degree`, "°", "&", "\t")
	// A cell that spans several rows.
	multirow = regexp.MustCompile(`\\multirow(?:\[[^]]*\])?\{[^}]*\}\{[^}]*\}\{([^{}]*)\}`)
	spanned  = regexp.MustCompile(`^\s*\\multirow(?:\[[^]]*\])?\{(\d+)\}\{[^}]*\}\{(.*)\}\s*$`)
	comment  = regexp.MustCompile(`(\S\s*\\\\|[^\\\s])\s*%.*`) // after a row; lines of comments stay
	inMath   = regexp.MustCompile(`\$([^$]*)\$`)
	// Rules in front of the cells of a row.
	ruled = regexp.MustCompile(`^(?:\\(?:hline|(?:top|mid|bottom)rule|cline\{[^}]*\}|cmidrule(?:\([a-z]*\))?\{[^}]*\})\s*)+`)
	// Lines that contain no cells of the table.
	prose = regexp.MustCompile(`^\\(?:caption|label|title|section|centering|multicolumn|begin|end)\b`)
	// Cells in braces, which siunitx uses for text.
	braced = regexp.MustCompile(`(^|\t)\s*\{([^{}\t]*)\}\s*($|\t)`)
)

// latex returns the rows of a LaTeX table with cells separated by tabs. Line numbers do not change.
func (t *reader) latex(b *bufio.Reader) (*bufio.Reader, error) {
	data, err := io.ReadAll(io.LimitReader(b, min(t.limit, 64<<20)))
	if err != nil {
		return nil, unreadable(t.file, err)
	}
	t.warn("the file is read as a table of LaTeX")
	var out strings.Builder
	var spans spanning
	for line := range strings.Lines(string(data)) {
		line = rowEnd.ReplaceAllString(strings.TrimSpace(comment.ReplaceAllString(line, "$1")), "")
		line = spans.fill(ruled.ReplaceAllString(line, ""))
		if !prose.MatchString(line) && (strings.Contains(line, "&") || !strings.HasPrefix(line, `\`)) {
			line = withoutMacros(line)
			for before := ""; before != line; {
				before, line = line, braced.ReplaceAllString(line, "$1$2$3")
			}
			out.WriteString(line)
		}
		out.WriteByte('\n')
	}
	t.options.Comma = '\t'
	return bufio.NewReaderSize(strings.NewReader(out.String()), blockSize), nil
}

// spanning holds the cells of a LaTeX table that span several rows, by their columns.
type spanning map[int]struct {
	text string
	rows int // number of further rows that the cell spans
}

// fill returns a row with the text of the cells above that span it in place of empty cells.
func (s *spanning) fill(row string) string {
	if !strings.Contains(row, "&") || len(*s) == 0 && !strings.Contains(row, `\multirow`) {
		return row
	}
	if *s == nil {
		*s = spanning{}
	}
	cells := strings.Split(row, "&")
	for i, c := range cells {
		above, ok := (*s)[i]
		if m := spanned.FindStringSubmatch(c); m != nil {
			above.rows, _ = strconv.Atoi(m[1])
			above.text = m[2]
		} else if ok && above.rows > 0 && strings.TrimSpace(c) == "" {
			cells[i] = above.text
		} else {
			continue
		}
		above.rows--
		(*s)[i] = above
	}
	return strings.Join(cells, "&")
}

// macro matches a macro of LaTeX.
var macro = regexp.MustCompile(`\\[a-zA-Z]+`)

// withoutMacros returns the text of cells without the macros of LaTeX for fonts, units and spaces.
func withoutMacros(text string) string {
	text = exponentBraces.ReplaceAllString(quantityMacro.ReplaceAllString(text, "$1 $2"), "^$1")
	for before := ""; before != text; {
		before, text = text, wrapped.ReplaceAllString(text, "$1")
	}
	text = siUnit.ReplaceAllStringFunc(multirow.ReplaceAllString(text, "$1"), symbolOf)
	text = strings.ReplaceAll(text, "{,}", ",") // a decimal comma in a formula
	return spacing.Replace(inMath.ReplaceAllString(text, "$1"))
}

// Macros of siunitx for prefixes and units, with their symbols.
var (
	siPrefixes = map[string]string{"nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "pico": "p", "femto": "f", "tera": "T"}
	siSymbols  = map[string]string{"metre": "m", "meter": "m", "second": "s", "gram": "g", "kilogram": "kg", "ampere": "A", "kelvin": "K", "mole": "mol", "candela": "cd", "hertz": "Hz", "newton": "N", "pascal": "Pa",
		"joule": "J", "watt": "W", "coulomb": "C", "volt": "V", "farad": "F", "ohm": "Ω", "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "celsius": "°C", "degreeCelsius": "°C", "lumen": "lm", "lux": "lx",
		"becquerel": "Bq", "gray": "Gy", "sievert": "Sv", "minute": "min", "hour": "h", "day": "d", "degree": "°", "litre": "L", "liter": "L", "bar": "bar", "electronvolt": "eV", "radian": "rad", "percent": "%"}
	siPowers = map[string]string{"squared": "^2", "cubed": "^3", "tothe": "^"}

	// siUnit matches one unit of siunitx, as \per\milli\second\squared.
	siUnit = regexp.MustCompile(`(\\per *)?(?:\\(` + oneOf(siPrefixes) + `) *)?\\(` + oneOf(siSymbols) + `)\b *(?:\\(` + oneOf(siPowers) + `)\b(?:\{(-?\d+)\})?)? *`)
)

// oneOf returns a pattern that matches any key of m.
func oneOf(m map[string]string) string {
	return strings.Join(slices.SortedFunc(maps.Keys(m), func(a, b string) int { return len(b) - len(a) }), "|")
}

// symbolOf returns the symbol of a unit that siUnit matches, such as /ms^2. The symbol of a unit
// that multiplies begins with a blank.
func symbolOf(macro string) string {
	m := siUnit.FindStringSubmatch(macro)
	sign := " "
	if m[1] != "" {
		sign = "/"
	}
	return sign + siPrefixes[m[2]] + siSymbols[m[3]] + siPowers[m[4]] + m[5]
}
