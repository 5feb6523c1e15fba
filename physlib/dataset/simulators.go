package dataset

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// foamTable matches the names and the first row of a table that OpenFOAM's function objects write,
// if its rows contain vectors or tensors in parentheses.
var foamTable = regexp.MustCompile(`(?m)^#[ \t]*Time\b[^\n]*\n(?:#[^\n]*\n)*[ \t]*[-+.\deE]+[ \t][^\n]*\([-+.\deE]+ [^\n]*\)`)

// foamProbes matches the numbers of probes above the name Time.
var foamProbes = regexp.MustCompile(`(?m)^#[ \t]*Probe((?:[ \t]+\d+)+)[ \t\r]*$`)

// foamVector matches a vector or tensor of OpenFOAM that contains no other one.
var foamVector = regexp.MustCompile(`\([^()]*\)`)

// openFOAM writes each component of a vector or tensor in a column of its own. Names come from the
// comment that begins with Time.
func (t *reader) openFOAM(head []byte) func([]byte) []byte {
	var names []string
	header := foamTable.Find(head)
	line, _, _ := bytes.Cut(header, []byte{'\n'})
	row := header[bytes.LastIndexByte(header, '\n')+1:]
	titles, cells := foamCells(bytes.TrimLeft(line, "# \t")), foamCells(bytes.TrimSpace(row))
	if m := foamProbes.FindSubmatch(head); m != nil && len(titles) == 1 {
		titles = append(titles, strings.Fields(string(m[1]))...)
	}
	if len(titles) == len(cells) {
		for i, title := range titles {
			names = append(names, foamNames(title, cells[i])...)
		}
	}
	t.warn("components of vectors in parentheses are read as columns of their own%s", foamExample(names))
	return func(line []byte) []byte {
		if bytes.HasPrefix(line, []byte{'#'}) {
			title := bytes.HasPrefix(bytes.TrimLeft(line, "# \t"), []byte("Time"))
			if !title || names == nil {
				return line
			}
			header := strings.Join(names, "\t")
			names = nil
			return []byte(header)
		}
		var out []string
		for _, cell := range foamCells(bytes.TrimSpace(line)) {
			out = append(out, foamLeaves(cell)...)
		}
		return []byte(strings.Join(out, "\t"))
	}
}

// foamExample returns the names of the first vector for a message, as ", such as U_x, U_y and U_z".
func foamExample(names []string) string {
	for i, name := range names {
		if base, ok := strings.CutSuffix(name, "_x"); ok && i+2 < len(names) {
			return fmt.Sprintf(", such as %s_x, %[1]s_y and %[1]s_z", base)
		}
	}
	return ""
}

// foamCells returns the parts of a line between blanks outside of parentheses.
func foamCells(line []byte) (cells []string) {
	depth, begin := 0, 0
	for i, c := range append(line[:len(line):len(line)], ' ') {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ' ', '\t', '\r':
			if depth == 0 {
				if i > begin {
					cells = append(cells, string(line[begin:i]))
				}
				begin = i + 1
			}
		}
	}
	return cells
}

// foamLeaves returns the numbers or names in a cell without the parentheses.
func foamLeaves(cell string) []string {
	return strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(cell))
}

// foamNames returns the names of the columns that a cell of OpenFOAM becomes. title is the name
// above the cell. It may name the parts of the cell, as forces(pressure viscous).
func foamNames(title, cell string) (names []string) {
	leaves, vectors := foamLeaves(cell), len(foamVector.FindAllString(cell, -1))
	if vectors == 0 {
		if title[0] >= '0' && title[0] <= '9' {
			title = "probe_" + title
		}
		return []string{title}
	}
	base, inside, _ := strings.Cut(title, "(")
	parts := foamLeaves(inside)
	if len(parts) == len(leaves) && len(leaves) > 1 {
		return parts // a name for each component
	}
	bases := []string{strings.Join(append([]string{base}, parts...), "_")}
	if base == "" || base[0] >= '0' && base[0] <= '9' {
		bases[0] = "probe_" + base
	}
	if vectors > 1 {
		bases = nil
		for k := range vectors {
			part := fmt.Sprint(k + 1)
			if len(parts) == vectors {
				part = parts[k]
			}
			bases = append(bases, base+"_"+part)
		}
	}
	components := foamComponents[len(leaves)/len(bases)]
	for k := range leaves {
		i, n := k/(len(leaves)/len(bases)), k%(len(leaves)/len(bases))
		part := fmt.Sprint(n + 1)
		if components != nil {
			part = components[n]
		}
		names = append(names, bases[min(i, len(bases)-1)]+"_"+part)
	}
	return names
}

// foamComponents are the names of the components of vectors, symmetric tensors and tensors.
var foamComponents = map[int][]string{
	3: {"x", "y", "z"},
	6: {"xx", "xy", "xz", "yy", "yz", "zz"},
	9: {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"},
}

// spiceRaw matches the beginning of an ASCII raw file of SPICE with real values.
var spiceRaw = regexp.MustCompile(`(?i)^Title:[^\n]*\n(?:[^\n]*\n)*?Flags:[ \t]*real[^\n]*\n(?:[^\n]*\n)*?Variables:[^\n]*\n(?:[ \t]+\d+[ \t]+\S+[ \t]+\S+[^\n]*\n)+Values:`)

// spiceVariable matches the line of a variable in the header of a raw file.
var spiceVariable = regexp.MustCompile(`^\s+\d+\s+(\S+)\s+(\S+)`)

// spiceUnits are the units of the kinds of variables in a raw file.
var spiceUnits = map[string]string{"time": "s", "frequency": "Hz", "voltage": "V", "current": "A"}

// spice reads an ASCII raw file of SPICE, which has a line for each value, with the number of the
// point in front of the first one. See the manual of ngspice, appendix "Rawfile output format".
func (t *reader) spice([]byte) func([]byte) []byte {
	t.warn("the file is read as a raw file of SPICE")
	var names []string
	var row [][]byte
	values := false
	return func(line []byte) []byte {
		if m := spiceVariable.FindSubmatch(line); !values && m != nil {
			name := string(m[1])
			if u := spiceUnits[strings.ToLower(string(m[2]))]; u != "" {
				name += " [" + u + "]"
			}
			names = append(names, name)
			return nil
		}
		if !values {
			if values = bytes.HasPrefix(line, []byte("Values:")); values {
				return []byte(strings.Join(names, "\t"))
			}
			return nil
		}
		if bytes.HasPrefix(line, []byte("Title:")) { // another simulation
			values, names, row = false, nil, nil
			return nil
		}
		cells := bytes.Fields(line)
		if len(row) == 0 && len(cells) > 1 {
			cells = cells[1:]
		}
		for _, c := range cells {
			row = append(row, bytes.Clone(c))
		}
		if len(row) < len(names) {
			return skipped
		}
		out := bytes.Join(row, []byte{'\t'})
		row = nil
		return out
	}
}

// lammpsLog matches the beginning of a log file of LAMMPS with tables of thermodynamic output.
var lammpsLog = regexp.MustCompile(`^LAMMPS \([^\n]*\n(?:[^\n]*\n)*?[ \t]*Step(?:[ \t]+[\w\[\]/]+)+[ \t\r]*\n`)

// lammps keeps the tables of thermodynamic output in a log of LAMMPS. They begin with Step and end
// with "Loop time". A table with the names of the one before it continues that one.
func (t *reader) lammps([]byte) func([]byte) []byte {
	t.warn("the tables of Step in the log of LAMMPS are read, the rest is left out")
	inside, columns := false, 0
	header := ""
	return func(line []byte) []byte {
		cells := bytes.Fields(line)
		switch {
		case !inside && len(cells) > 1 && string(cells[0]) == "Step":
			inside, columns = true, len(cells)
			joined := string(bytes.Join(cells, []byte{'\t'}))
			if joined == header {
				return skipped
			}
			header = joined
			return []byte(joined)
		case inside && bytes.HasPrefix(line, []byte("Loop time")):
			inside = false
		case inside && len(cells) == columns && numberRow(cells):
			return bytes.Join(cells, []byte{'\t'})
		}
		return skipped
	}
}

// skipped is a comment in place of a line that is left out. Unlike an empty line, it does not part
// tables.
var skipped = []byte("#")
