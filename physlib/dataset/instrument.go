package dataset

import (
	"bufio"
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/spelling"
)

// mapped is text whose lines are rewritten one by one, so that line numbers do not change.
type mapped struct {
	r       *bufio.Reader
	rewrite func(line []byte) []byte
	rest    []byte
}

// Read reads more of the rewritten lines.
func (m *mapped) Read(p []byte) (int, error) {
	if len(m.rest) == 0 {
		line, err := m.r.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		text, end := bytes.TrimRight(line, "\r\n"), bytes.HasSuffix(line, []byte{'\n'})
		m.rest = bytes.Clone(m.rewrite(text))
		if end {
			m.rest = append(m.rest, '\n')
		}
		if len(m.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// instrument converts a file in the format of one kind of instrument to a table. Such formats are
// LabVIEW's .lvm files, the files of Rigol oscilloscopes, and what microcontroller boards print on
// a serial line.
func (t *reader) instrument(b *bufio.Reader, head []byte) *bufio.Reader {
	var rewrite func(line []byte) []byte
	switch {
	case bytes.HasPrefix(head, []byte("LabVIEW Measurement")):
		rewrite = t.labView(head)
	case rigolHeader.Match(head):
		rewrite = t.rigol(head)
	default:
		rewrite = t.program(head)
	}
	if rewrite == nil {
		return b
	}
	return bufio.NewReaderSize(&mapped{r: b, rewrite: rewrite}, blockSize)
}

// program returns the function that converts the lines of a file to a table. The file must be in a
// format of the list programs, or be output from a serial line. For other files it returns nil.
func (t *reader) program(head []byte) func([]byte) []byte {
	top := head
	if len(head) > 1<<14 {
		top = head[:bytes.LastIndexByte(head[:1<<14], '\n')+1]
	}
	for _, p := range programs {
		if p.form.Match(top) {
			return p.rewrite(t, top)
		}
	}
	return t.serial(head)
}

// endOfHeader is the line that ends each of the two headers of a LabVIEW file.
const endOfHeader = "***End_of_Header***"

// labView returns a function that converts the lines of a .lvm file with one segment to a table. It
// removes the headers and adds their units to the names. If the column X_Value is empty, it fills
// in the times that follow from the settings. See
// https://www.ni.com/en/support/documentation/supplemental/06/specification-for-the-labview-measurement-file---lvm-.html.
func (t *reader) labView(head []byte) func([]byte) []byte {
	last := bytes.LastIndex(head, []byte(endOfHeader))
	if last < 0 || bytes.Count(head, []byte(endOfHeader)) != 2 {
		return nil
	}
	settings := map[string][]string{}
	for line := range strings.Lines(string(head[:last])) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		settings[cells[0]] = cells[1:]
	}
	first := func(key string) (v float64) {
		if values := settings[key]; len(values) > 0 {
			v, _ = strconv.ParseFloat(strings.Replace(values[0], ",", ".", 1), 64)
		}
		return v
	}
	start, step := first("X0"), first("Delta_X")
	ends, k := 0, 0
	filled := false
	return func(line []byte) []byte {
		switch {
		case ends < 2:
			if bytes.HasPrefix(line, []byte(endOfHeader)) {
				ends++
			}
			return nil
		case bytes.HasPrefix(line, []byte("X_Value")):
			return labViewNames(line, settings)
		case k == 0 && len(line) > 0 && line[0] == '\t' && !numberRow(splitRow(nil, line, '\t')) && len(bytes.Trim(line, "\t")) > 0:
			return labViewNames(append([]byte("X_Value"), line...), settings)
		case len(line) > 0 && line[0] == '\t' && step > 0 && len(bytes.Trim(line, "\t")) > 0:
			if !filled {
				filled = true
				t.warn("X_Value is empty and is filled from X0 and Delta_X of the file's header")
			}
			x := start + float64(k)*step
			k++
			text := strconv.FormatFloat(x, 'g', 12, 64)
			if settings["Decimal_Separator"] == nil && bytes.IndexByte(line, ',') >= 0 || slices.Equal(settings["Decimal_Separator"], []string{","}) {
				text = strings.Replace(text, ".", ",", 1)
			}
			return append([]byte(text), line...)
		}
		return line
	}
}

// labViewNames returns the line of names with the units from the settings.
func labViewNames(line []byte, settings map[string][]string) []byte {
	names := strings.Split(string(line), "\t")
	if d := settings["X_Dimension"]; len(d) > 0 && d[0] == "Time" {
		names[0] += " [s]"
	}
	for i, u := range settings["Y_Unit_Label"] {
		if i+1 < len(names) && names[i+1] != "" && isUnit(u) && u != "" {
			names[i+1] += " [" + u + "]"
		}
	}
	return []byte(strings.Join(names, "\t"))
}

// rigolHeader matches the first two lines that Rigol oscilloscopes write. The first line contains
// names, followed by Start and Increment. The second contains units, followed by the values of
// Start and Increment.
var rigolHeader = regexp.MustCompile(`^X,((?:CH\d,)+)Start,Increment,?\s*?\r?\nSequence,((?:[A-Za-z]+,)+)([-+.\deE]+),([-+.\deE]+),?\s*?\r?\n`)

// rigol returns a function that converts the lines of a Rigol oscilloscope to a table of time and
// voltages.
func (t *reader) rigol(head []byte) func([]byte) []byte {
	m := rigolHeader.FindSubmatch(head)
	channels := strings.Split(strings.TrimSuffix(string(m[1]), ","), ",")
	units := strings.Split(strings.TrimSuffix(string(m[2]), ","), ",")
	start, errStart := strconv.ParseFloat(string(m[3]), 64)
	step, errStep := strconv.ParseFloat(string(m[4]), 64)
	if errStart != nil || errStep != nil || len(units) != len(channels) {
		return nil
	}
	t.warn("column X counts the samples and is read as the time in seconds, from %g in steps of %g", start, step)
	names := "t [s]"
	for i, c := range channels {
		if u := map[string]string{"VOLT": "V", "AMP": "A"}[strings.ToUpper(units[i])]; u != "" {
			c += " [" + u + "]"
		}
		names += "," + c
	}
	row := 0
	return func(line []byte) []byte {
		row++
		cells := bytes.Split(line, []byte{','})
		switch n, err := strconv.ParseFloat(string(bytes.TrimSpace(cells[0])), 64); {
		case row == 1:
			return []byte(names)
		case row == 2:
			return nil
		case err == nil && len(cells) > len(channels):
			return append([]byte(strconv.FormatFloat(start+n*step, 'g', 12, 64)+","), bytes.Join(cells[1:len(channels)+1], []byte{','})...)
		}
		return line
	}
}

var (
	// stamp matches the time that the Arduino IDE writes before each line.
	stamp = regexp.MustCompile(`^(\d\d:\d\d:\d\d\.\d{3}) -> `)
	// labelled matches a value after its name, as in T = 23.1 °C or t:0.5.
	labelled = regexp.MustCompile(`^\s*([\pL_][\pL\pN_]*)\s*[:=]\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*(?:\*C|[\pL°%µΩ][\pL\pN°%µΩ/^]*))?\s*(?:[,;\t]\s*|\s+|$)`)
)

// labels returns the names and values of a line that contains only values after their names.
func labels(line []byte) (names, values []string) {
	for len(bytes.TrimSpace(line)) > 0 {
		m := labelled.FindSubmatch(line)
		if m == nil {
			return nil, nil
		}
		names = append(names, string(m[1]))
		values = append(values, string(m[2])+strings.Replace(string(m[3]), "*C", "°C", 1))
		line = line[len(m[0]):]
	}
	return names, values
}

// logged matches the time in front of a line of a log: a date and time, a time of day, or the
// number of milliseconds that an ESP32 prints.
var logged = regexp.MustCompile(`^(?:\[?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?|\d\d:\d\d:\d\d(?:[.,]\d+)?)\]?[ \t,;]+|[IWEDV] \((\d+)\) )`)

// logLine returns the parts of a line such as 2025-01-31 12:30:05 INFO x=1.5 y=2. These are the
// time, which may be absent, the text in front of the first name, and the names and values. names
// is nil for other lines.
func logLine(line []byte) (time, tag string, names, values []string) {
	if m := logged.FindSubmatch(line); m != nil {
		time = string(m[1]) + string(m[2])
		line = line[len(m[0]):]
	}
	for words, start := 0, 0; words < 6 && start < len(line); words++ {
		if found, values := labels(line[start:]); len(found) > 1 {
			return time, string(line[:start]), found, values
		}
		next := bytes.IndexAny(line[start:], " \t")
		if next < 0 || bytes.IndexByte(line[start:start+next], '=') >= 0 {
			break
		}
		start += next + 1
	}
	return "", "", nil, nil
}

// logs returns a function that converts the lines of a log to rows. Each line must have the same
// names with values, after a time or after the same text. For other files it returns nil.
func (t *reader) logs(head []byte) func([]byte) []byte {
	var names []string
	timed, tag, lines, alike := false, "", 0, 0
	for line := range bytes.Lines(head[:min(len(head), 4096)]) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		lines++
		at, before, found, _ := logLine(line)
		if found != nil && names == nil {
			names, timed, tag = found, at != "", before
		}
		if found != nil && slices.Equal(names, found) && timed == (at != "") && tag == before {
			alike++
		}
		if lines == 20 {
			break
		}
	}
	if alike < 2 || alike+1 < lines || !timed && tag == "" {
		return nil
	}
	t.warn("the names in front of the values are read as those of the columns: %s", spelling.List(names))
	if tag != "" {
		t.warn("the text in front of the names, %s, is left out", quote([]byte(strings.TrimSpace(tag))))
	}
	t.names = strings.Join(names, "\t")
	if timed {
		t.names = "time\t" + t.names
		if logged.FindSubmatchIndex(head)[4] >= 0 {
			t.names = "time [ms]" + t.names[len("time"):]
		}
	}
	return func(line []byte) []byte {
		at, before, found, values := logLine(line)
		if !slices.Equal(names, found) || timed != (at != "") || tag != before {
			return line
		}
		if timed {
			values = slices.Insert(values, 0, strings.Replace(at, " ", "T", 1))
		}
		return []byte(strings.Join(values, "\t"))
	}
}

// serialLines describes the lines that a microcontroller prints on a serial line.
type serialLines struct {
	names   []string // the names in front of the values
	inNames bool     // whether a name stands in front of each value
	inTimes bool     // whether a time stands in front of each line
	above   int      // number of lines above the first line with names
	sep     string   // separator of the values
}

// serialForm describes the first lines of a file.
func serialForm(head []byte) (s serialLines) {
	s.sep = " "
	stamped, lines, named := 0, 0, 0
	for line := range bytes.Lines(head[:min(len(head), 4096)]) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			continue
		}
		lines++
		if m := stamp.Find(line); m != nil {
			stamped++
			line = line[len(m):]
		}
		if found, _ := labels(line); len(found) > 1 && (s.names == nil || slices.Equal(s.names, found)) {
			s.names = found
			named++
		}
		if s.names == nil {
			s.above++
		}
		if i := bytes.IndexAny(line, "\t,;"); i >= 0 {
			s.sep = string(line[i : i+1])
		}
		if lines == 20 {
			break
		}
	}
	s.inNames, s.inTimes = named >= 2 && named+s.above+1 >= lines, stamped >= 2 && stamped+1 >= lines
	if s.inNames {
		s.sep = "\t"
	}
	return s
}

// serial returns a function that converts lines from a serial line to rows. It returns nil if the
// lines neither begin with a time nor have a name before each value.
func (t *reader) serial(head []byte) func([]byte) []byte {
	s := serialForm(head)
	if !s.inNames && !s.inTimes {
		return t.logs(head)
	}
	if s.inTimes {
		t.warn("the times in front of -> are read as a column")
	}
	if s.inNames {
		t.warn("the names in front of the values are read as those of the columns: %s", spelling.List(s.names))
		if s.above > 0 {
			t.warn("%s above them left out", spelling.Count(s.above, "line"))
		}
		t.names = strings.Join(s.names, "\t")
		if s.inTimes {
			t.names = "time\t" + t.names
		}
	}
	above := s.above > 0 // whether the line is above the first with names
	return func(line []byte) []byte {
		var out []byte
		if m := stamp.FindSubmatch(line); m != nil && s.inTimes {
			line = line[len(m[0]):]
			if !bytes.ContainsAny(line, "0123456789") {
				return line // a line of text, or of names
			}
			out = append(append(out, m[1]...), s.sep...)
		}
		if found, values := labels(line); s.inNames && slices.Equal(s.names, found) {
			above = false
			return append(out, strings.Join(values, s.sep)...)
		}
		if s.inNames && above {
			return nil
		}
		return append(out, line...)
	}
}
