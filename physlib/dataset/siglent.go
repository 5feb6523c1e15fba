package dataset

import (
	"bytes"
	"regexp"
)

// siglentUnits matches the units of the channels in the header of a Siglent oscilloscope.
// siglentNames matches the row of names if the row below it, that of the units, contains no units.
var (
	siglentUnits = regexp.MustCompile(`(?m)^Vertical Units,(.*?),*\r?$`)
	siglentNames = regexp.MustCompile(`(?m)^(Source(?:,CH\d+)+),*\r?\nSecond(?:,Value)+,*\r?$`)
)

// siglent renames the column of times to Time. Siglent oscilloscopes give it the name of the signal
// source. If the row below the names says only Value, the settings above give the units.
func (t *reader) siglent(head []byte) func([]byte) []byte {
	units := siglentUnits.FindSubmatch(head)
	valued := siglentNames.Match(head) && units != nil
	if valued {
		t.warn("the rows above Source are read as settings")
	}
	began := false
	return func(line []byte) []byte {
		rest, isNames := bytes.CutPrefix(line, []byte("Source,CH"))
		switch {
		case isNames && valued:
			began = true
			return withUnits(append([]byte("CH"), rest...), units[1])
		case isNames:
			return append([]byte("Time,CH"), rest...)
		case valued && (!began || bytes.HasPrefix(line, []byte("Second,"))):
			return nil
		}
		return line
	}
}

// withUnits returns the header of the times and of the channels in names, such as CH1,CH2, with the
// units in a list such as CH1:V,CH2:A.
func withUnits(names, units []byte) []byte {
	header := []byte("Time [s]")
	for _, name := range bytes.Split(bytes.TrimRight(names, ", "), []byte{','}) {
		header = append(append(header, ','), name...)
		for _, u := range bytes.Split(units, []byte{','}) {
			if channel, unit, ok := bytes.Cut(u, []byte{':'}); ok && bytes.Equal(channel, name) {
				header = append(append(append(header, " ["...), bytes.TrimSpace(unit)...), ']')
			}
		}
	}
	return header
}
