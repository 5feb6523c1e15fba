package dataset

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// programs describes file formats of certain programs and instruments. form matches the beginning
// of such a file. rewrite returns a function that converts a line of the file to a line of a table,
// or to nil if the line is dropped.
var programs = []struct {
	form    *regexp.Regexp
	rewrite func(t *reader, head []byte) func(line []byte) []byte
}{
	{regexp.MustCompile(`^(?:"[^"\n]*[,;\t][^"\n]*"[ \t]*(?:\r?\n|\z)){3,}\z`), (*reader).quotedLines},
	{regexp.MustCompile(`^(?:>(?: [^\n]*)?(?:\r?\n|\z)){3,}\z`), (*reader).mail},
	{newRigolHeader, (*reader).newRigol},
	{regexp.MustCompile(`\nSource,CH\d.*\r?\nSecond,(?:Volt|Value)`), (*reader).siglent},
	{regexp.MustCompile(`(?m)^DataName,.*\r?\nDataValue,`), (*reader).easyExpert},
	{regexp.MustCompile(`^IGOR\r?\nWAVES`), (*reader).igor},
	{regexp.MustCompile(`(?m)^Sig1[ \t].*[^\x00]*\nStartOfData\r?\n`), (*reader).thermal},
	{regexp.MustCompile(`^(?:\\.*\r?\n)*(?:\|[^|\n]+\|[^-\n]*\|[ \t]*\r?\n){1,4}[^|\n]+\n`), (*reader).ipac},
	{regexp.MustCompile(`(?m)^[a-z]\w*(?:\t\w+)+\r?\n\d+[sdn](?:\t\d+[sdn])+\r?$`), (*reader).rdb},
	{regexp.MustCompile(`^# %ECSV `), (*reader).ecsv},
	{regexp.MustCompile(`(?m)^@ *(?:s0 legend "|type |target )`), (*reader).grace},
	{regexp.MustCompile(`^\*{3,}\r?\n\* +Row +\*`), (*reader).rootScan},
	{regexp.MustCompile(`(?m)^ *\+-[-+]*\+ *\r?\n *\|.*\| *\r?\n *\|[-+]+\| *\r?\n *1\. \|`), (*reader).stataList},
	{regexp.MustCompile(`^shape: \([\d_,]+, \d+\)\r?\n[┌╭+]`), (*reader).polars},
	{regexp.MustCompile(`^Vernier Format \d`), (*reader).vernier},
	{commonFactor, (*reader).scaledByMatlab},
	{regexp.MustCompile(`^NIST/ITL StRD\s[^\x00]*\nData:(?: +[a-z]\w*){2,} *\r?\n`), (*reader).nist},
	{commaBlank, (*reader).commasWithBlanks},
	{gamryTable, (*reader).gamry},
	{foamTable, (*reader).openFOAM},
	{spiceRaw, (*reader).spice},
	{lammpsLog, (*reader).lammps},
	{regexp.MustCompile(`^[A-Z]+\([XYZ]\)(?:\t[A-Z]+\(` + originRole + `\))+\r?\n[^\t\n]*\pL`), (*reader).origin},
	{originLabels, (*reader).withoutLabels},
}

// quotedLines removes the quotes from lines that are quoted as a whole.
func (t *reader) quotedLines([]byte) func([]byte) []byte {
	t.warn("each line is in quotes, which are removed")
	return func(line []byte) []byte { return bytes.Trim(bytes.TrimRight(line, " \t"), `"`) }
}

// commaBlank matches a table whose cells are separated by a comma and a blank, and whose numbers
// all have decimal commas.
var commaBlank = regexp.MustCompile(`^[^\d,;\n]+(?:, +[^\d,;\n]+)+\r?\n(?:-?\d+,\d+(?:, +-?\d+,\d+)+[ \t]*(?:\r?\n|\z)){2}`)

// commasWithBlanks puts a semicolon in place of each comma that a blank follows. It returns nil if
// the header then has not as many cells as the first row.
func (t *reader) commasWithBlanks(head []byte) func([]byte) []byte {
	between := []byte(", ")
	lines := bytes.SplitN(head, []byte{'\n'}, 3)
	if bytes.Count(lines[0], between) != bytes.Count(lines[1], between) {
		return nil
	}
	t.warn("commas with a blank behind them separate cells, other commas are part of numbers")
	return func(line []byte) []byte { return bytes.ReplaceAll(line, between, []byte("; ")) }
}

// mail removes the > in front of each line, by which mail programs quote.
func (t *reader) mail([]byte) func([]byte) []byte {
	t.warn("the > in front of each line is left out")
	return func(line []byte) []byte {
		return bytes.TrimPrefix(bytes.TrimPrefix(line, []byte{'>'}), []byte{' '})
	}
}

// newRigolHeader matches the header of newer Rigol oscilloscopes. It contains the names, then the
// first time and the time step.
var newRigolHeader = regexp.MustCompile(`^Time\(s\),((?:[A-Z]+\d+\(?[A-Z]+\)?,)+)t0 ?= ?[-+.\deE]+, ?tInc ?= ?[-+.\deE]+,?\s*\n`)

// newRigol returns a function that converts the lines of a newer Rigol oscilloscope to a table of
// time and voltages.
func (t *reader) newRigol(head []byte) func([]byte) []byte {
	names := "Time [s]"
	for _, c := range strings.Split(strings.Trim(string(newRigolHeader.FindSubmatch(head)[1]), ","), ",") {
		name := strings.TrimRight(strings.TrimSuffix(c, ")"), "VAW")
		unit := strings.Trim(c[len(name):], "()")
		names += "," + strings.TrimSuffix(name, "(") + " [" + unit + "]"
	}
	first := true
	return func(line []byte) []byte {
		if first {
			first = false
			return []byte(names)
		}
		return line
	}
}

// easyExpert extracts the names and values from a file of Keysight's EasyEXPERT.
func (t *reader) easyExpert([]byte) func([]byte) []byte {
	named := false
	t.warn("the rows DataName and DataValue are read as the table, the others are left out")
	return func(line []byte) []byte {
		if names, ok := bytes.CutPrefix(line, []byte("DataName,")); ok && !named {
			named = true
			return names
		}
		values, ok := bytes.CutPrefix(line, []byte("DataValue,"))
		if !ok && !bytes.HasPrefix(line, []byte("DataName,")) {
			return nil
		}
		if !ok {
			return line // a line of another table
		}
		return values
	}
}

// igor extracts the names and values from an Igor text file.
func (t *reader) igor([]byte) func([]byte) []byte {
	inside := false
	return func(line []byte) []byte {
		text := bytes.TrimSpace(line)
		switch _, names, _ := bytes.Cut(text, []byte{'\t'}); {
		case bytes.HasPrefix(text, []byte("WAVES")):
			return names
		case bytes.Equal(text, []byte("BEGIN")):
			inside = true
			return nil
		case bytes.Equal(text, []byte("END")):
			inside = false
			return nil
		case !inside:
			return nil
		}
		return text
	}
}

// thermal replaces the names of columns in files of TA Instruments, Sig1 and so on, by the names of
// the signals.
func (t *reader) thermal(head []byte) func([]byte) []byte {
	var names []string
	for line := range strings.Lines(string(head)) {
		if rest, ok := strings.CutPrefix(line, "Sig"); ok {
			if _, name, ok := strings.Cut(strings.ReplaceAll(rest, "\t", " "), " "); ok {
				names = append(names, `"`+strings.TrimSpace(name)+`"`)
			}
		}
		if strings.HasPrefix(line, "StartOfData") {
			break
		}
	}
	began := false
	t.warn("the lines above StartOfData are read as settings, and its signals for the names of columns")
	return func(line []byte) []byte {
		if began {
			return line
		}
		if began = bytes.HasPrefix(line, []byte("StartOfData")); began {
			return []byte(strings.Join(names, " "))
		}
		return nil
	}
}

// columnTypes matches the row of types below the names in an IPAC table.
var columnTypes = regexp.MustCompile(`^(?:\s*(?:double|real|float|int|long|short|char|date|[dfilrc])\s*\|)+$`)

// ipac rewrites the headings of an IPAC table. They are separated by bars, and become separated by
// blanks like the rows below. See
// https://irsa.ipac.caltech.edu/applications/DDGEN/Doc/ipac_tbl.html.
func (t *reader) ipac(head []byte) func([]byte) []byte {
	var names []string
	for line := range strings.Lines(string(head)) {
		text, bar := strings.CutPrefix(strings.TrimSpace(line), "|")
		if !bar && len(names) > 0 {
			break
		}
		if !bar || columnTypes.MatchString(text) {
			continue
		}
		for i, c := range strings.Split(strings.TrimSuffix(text, "|"), "|") {
			c = strings.TrimSpace(c)
			if len(names) <= i {
				names = append(names, c)
			} else if isUnit(c) && c != "" && !strings.HasSuffix(names[i], "]") {
				names[i] += " [" + c + "]"
			}
		}
	}
	cells := make([][]byte, len(names))
	for i, name := range names {
		cells[i] = []byte(name)
	}
	top, header := true, rejoin(cells, spaces)
	return func(line []byte) []byte {
		switch {
		case bytes.HasPrefix(line, []byte{'\\'}):
			return nil
		case !bytes.HasPrefix(bytes.TrimSpace(line), []byte{'|'}):
			return line
		case top:
			top = false
			return header
		}
		return nil
	}
}

// widths matches the row of widths and types below the names in files of the USGS (RDB).
var widths = regexp.MustCompile(`^\d+[sdn](?:\t\d+[sdn])+\r?$`)

// rdb leaves out the row of widths in files of the USGS.
func (t *reader) rdb([]byte) func([]byte) []byte {
	return func(line []byte) []byte {
		if widths.Match(line) {
			t.warn("the row of the widths and types of columns, %s, is left out", quote(line))
			return nil
		}
		return line
	}
}

// columnKinds matches a row of the kinds of columns in RDB: N for numbers, S for texts.
var columnKinds = regexp.MustCompile(`^[NS](?:\t[NS])+$`)

// commonFactor matches the factor that MATLAB prints above a matrix.
var commonFactor = regexp.MustCompile(`^(?:\s*\w+ =\s*\n)?\s*1\.0(e[-+]\d+) \*\s*\n`)

// scaledByMatlab multiplies all numbers by the factor that MATLAB prints above them.
func (t *reader) scaledByMatlab(head []byte) func([]byte) []byte {
	factor := commonFactor.FindSubmatch(head)[1]
	t.warn("all numbers are multiplied by the factor 1.0%s above them", factor)
	return func(line []byte) []byte {
		if bytes.ContainsAny(line, "*=") {
			return nil
		}
		cells := bytes.Fields(line)
		for i, c := range cells {
			if isNumber(c, '.') {
				cells[i] = append(bytes.Clone(c), factor...)
			}
		}
		return bytes.Join(cells, []byte{' '})
	}
}

// nistNames matches the line of names above the values in a file of NIST's reference datasets.
var nistNames = regexp.MustCompile(`^Data:((?: +[a-z]\w*){2,}) *$`)

// nist extracts the values from a file of NIST's Statistical Reference Datasets. The first column
// is the response. See https://www.itl.nist.gov/div898/strd/.
func (t *reader) nist(head []byte) func([]byte) []byte {
	said := "the text above the values is left out"
	for line := range bytes.Lines(head) {
		if m := nistNames.FindSubmatch(bytes.TrimRight(line, "\r\n")); m != nil && t.options.Target == "" && !t.options.Given {
			t.options.Target = string(bytes.Fields(m[1])[0])
			said += ", and the response, " + t.options.Target + ", is the target"
		}
	}
	t.warn("%s", said)
	began := false
	return func(line []byte) []byte {
		if began {
			return line
		}
		m := nistNames.FindSubmatch(line)
		if began = m != nil; began {
			return m[1]
		}
		return nil
	}
}

// originRole matches the role of a column of Origin: X, Y, Z, a label or errors.
const originRole = `(?:[XYZL]|[xyXY]E[A-Za-z]*±?)`

// origin leaves out the row of short names of Origin's columns, such as A(X) and B(Y), above their
// long names.
func (t *reader) origin([]byte) func([]byte) []byte {
	first := true
	return func(line []byte) []byte {
		if first {
			first = false
			return nil
		}
		return line
	}
}

// originLabels matches the rows of labels above a table of Origin, which name themselves in the
// first column. Below them, it counts the rows.
var originLabels = regexp.MustCompile(`^Long Name\t.*\r?\nUnits\t.*\r?\n(?:\pL[^\t\n]*\t.*\r?\n)*1\t`)

// withoutLabels leaves out the first column of a table of Origin with its labels.
func (t *reader) withoutLabels([]byte) func([]byte) []byte {
	t.warn("the first column, with the labels and the numbers of rows of Origin, is left out")
	return func(line []byte) []byte {
		_, rest, _ := bytes.Cut(line, []byte{'\t'})
		return rest
	}
}

// graceName matches the line of a Grace file that names the values on an axis.
var graceName = regexp.MustCompile(`^@ *(?:xaxis +label|s\d+ legend) +"([^"]*)"`)

// grace takes the names of columns from a Grace file, such as GROMACS writes: the label of the x
// axis and the legend of each column.
func (t *reader) grace(head []byte) func([]byte) []byte {
	var names []string
	for line := range bytes.Lines(head) {
		if m := graceName.FindSubmatch(line); m != nil {
			names = append(names, string(m[1]))
		}
	}
	t.names = strings.Join(names, "\t")
	return func(line []byte) []byte {
		if len(line) > 0 && (line[0] == '@' || line[0] == '#' || line[0] == '&') {
			return nil
		}
		return line
	}
}

// rootScan replaces the asterisks between the columns of a table printed by ROOT's TTree::Scan.
func (t *reader) rootScan([]byte) func([]byte) []byte {
	return func(line []byte) []byte {
		if len(bytes.Trim(line, "* ")) == 0 {
			return nil
		}
		return bytes.ReplaceAll(line, []byte{'*'}, []byte{'|'})
	}
}

// stataRow matches the number of a row that Stata lists, and stataGap the space between two cells.
var (
	stataRow = regexp.MustCompile(`^ *\d*\.? *\|`)
	stataGap = regexp.MustCompile(` *\| *| {2,}`)
)

// stataList extracts the cells from a table printed by Stata's list.
func (t *reader) stataList([]byte) func([]byte) []byte {
	return func(line []byte) []byte {
		start := stataRow.Find(line)
		if start == nil {
			return nil
		}
		if rule := bytes.TrimSpace(line); isRule(rule) {
			return rule
		}
		row, _ := bytes.CutSuffix(bytes.TrimSpace(line[len(start):]), []byte{'|'})
		return stataGap.ReplaceAll(bytes.TrimSpace(row), []byte{'\t'})
	}
}

// polarsType matches the name of a data type of Polars, such as f64.
var polarsType = regexp.MustCompile(`^(?:[fiu]\d+|str|bool|date|datetime\[.*\]|duration\[.*\]|time|cat|---)$`)

// polars leaves out the shape and the types of the columns, which a table printed by Polars has
// above the values.
func (t *reader) polars([]byte) func([]byte) []byte {
	row := 0
	return func(line []byte) []byte {
		if row++; row == 1 {
			return nil
		}
		cells := strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune("│┆| ", r) })
		if row < 7 && len(cells) > 0 && !slices.ContainsFunc(cells, func(c string) bool { return !polarsType.MatchString(c) }) {
			return nil
		}
		return line
	}
}

// vernier leaves out the short names, which stand between the names and the units in a text file of
// Vernier's Logger Pro.
func (t *reader) vernier(head []byte) func([]byte) []byte {
	lines := bytes.Split(head, []byte{'\n'})
	tabs := func(k int) int { return bytes.Count(lines[k], []byte{'\t'}) }
	short := len(lines) > 5 && tabs(3) > 0 && tabs(3) == tabs(4) && tabs(4) == tabs(5)
	row := 0
	return func(line []byte) []byte {
		if row++; row < 4 || row == 5 && short {
			return nil
		}
		return line
	}
}

// ecsvUnit matches the name and the unit of a column in the header of an ECSV file.
var ecsvUnit = regexp.MustCompile(`^# *- *\{name: ([^,}]+), unit: ([^,}]+)`)

// ecsv adds the units of an ECSV file, which astropy writes, to the names of its columns. See
// https://github.com/astropy/astropy-APEs/blob/main/APE6.rst.
func (t *reader) ecsv(head []byte) func([]byte) []byte {
	units := map[string]string{}
	for line := range bytes.Lines(head) {
		if m := ecsvUnit.FindSubmatch(line); m != nil && isUnit(string(m[2])) {
			units[string(m[1])] = string(m[2])
		}
	}
	sep := byte(spaces)
	if bytes.Contains(head, []byte("\n# delimiter: ','")) {
		sep = ','
	}
	named := false
	return func(line []byte) []byte {
		if named || len(line) == 0 || line[0] == '#' {
			return line
		}
		named = true
		cells := splitRow(nil, line, sep)
		for i, c := range cells {
			if u := units[string(c)]; u != "" {
				cells[i] = []byte(string(c) + " [" + u + "]")
			}
		}
		return rejoin(cells, sep)
	}
}
