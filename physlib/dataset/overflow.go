package dataset

import (
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/spelling"
)

// overflowWords are the texts that meters show if they are out of range, without signs, points and
// blanks.
var overflowWords = []string{"ol", "0l", "ovl", "ovld", "over", "overld", "overload", "overflow", "ovrflw", "ovfl", "ovf", "ovrng", "ovrange", "overrange", "outofrange", "underrange", "saturated"}

// saysOverflow reports whether a cell, in lower case, is what a meter shows if it is out of range.
// Examples are OL, +OVLD, and T.OVER of a thermometer.
func saysOverflow(lower string) bool {
	word := strings.Map(func(r rune) rune {
		if strings.ContainsRune("+-. _#", r) {
			return -1
		}
		return r
	}, lower)
	return slices.Contains(overflowWords, word) || len(lower) > 3 && slices.Contains([]string{"t", "r", "s", "v"}, lower[:1]) && strings.TrimLeft(lower[1:], ". ") == "over"
}

// The first three overflowValues are the numbers that meters send if they are out of range: those
// of SCPI 1999 (volume 1, section 7.2.1), and that of the HP 3458A. The others are the fill values
// of NetCDF and of climate models, and the largest number in single precision.
var overflowValues = []float64{9.9e37, 9.91e37, 1e38, 1e20, 1e30, 9.96921e36, 9.969209968386869e36, math.MaxFloat32}

// farLarger is the least ratio of an overflow value to the measured values of its column.
const farLarger = 1e8

// overflows treats the values that meters send if they are out of range as missing, with a warning.
// It also warns of words with this meaning.
func (t *reader) overflows() {
	for _, i := range t.active {
		c := &t.columns[i]
		if c.beyond.row > 0 {
			t.warn("column %s: %s in row %d says that the meter was beyond its range, and is read as missing", c.Name, quote(c.beyond.text), c.beyond.row)
		}
		if c.kind == numberKind {
			t.overflowsOf(c)
		}
	}
}

func (t *reader) overflowsOf(c *columnReader) {
	var at []int
	largest := 0.0
	for k, v := range c.Values {
		size := math.Abs(v / c.scale)
		switch {
		case v-v != 0:
		case slices.Contains(overflowValues, size):
			at = append(at, k)
		default:
			largest = max(largest, size)
		}
	}
	if len(at) == 0 || math.Abs(c.Values[at[0]]/c.scale) < farLarger*largest {
		return
	}
	first := c.Values[at[0]] / c.scale
	t.warn("column %s: %g, in %s, first in row %d, is what meters send beyond their range or programs write for a gap, and is read as missing", c.Name, first, spelling.Count(len(at), "row"), t.rows[at[0]])
	for _, k := range at {
		c.miss(t.rows[k], []byte(plainNumber(first)))
		c.Values[k] = math.NaN()
	}
}
