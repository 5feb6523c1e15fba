package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// field is one number or text in an element of an array.
type field struct {
	name  string // "" for an array of plain numbers
	kind  byte   // NumPy's letter for the type: f, i, u, b, S, U or M
	size  int
	unit  string // unit in which a date is counted, as "s"
	steps int64  // number of these units in one count
	order binary.ByteOrder
	at    int
}

// fieldType reads a type code of NumPy such as <f8.
func fieldType(code string) (field, error) {
	f := field{order: binary.LittleEndian}
	if code != "" && strings.IndexByte("<>|=", code[0]) >= 0 {
		if code[0] == '>' {
			f.order = binary.BigEndian
		}
		code = code[1:]
	}
	if code == "" {
		return f, broken("it has no type")
	}
	f.kind = code[0]
	digits, unit, _ := strings.Cut(code[1:], "[")
	n, err := strconv.Atoi(digits)
	f.size, f.unit = n, strings.TrimSuffix(unit, "]")
	whole := slices.Contains([]int{1, 2, 4, 8}, n)
	switch {
	case err != nil || n < 0 || n > 1<<20:
	case f.kind == 'f' && (n == 2 || n == 4 || n == 8), (f.kind == 'i' || f.kind == 'u') && whole, f.kind == 'b' && n == 1, f.kind == 'S', f.kind == 'V':
		return f, nil
	case f.kind == 'M' && n == 8:
		return f, f.tick()
	case f.kind == 'U':
		f.size = 4 * n
		return f, nil
	}
	switch f.kind {
	case 'O':
		return f, &Error{"the array holds Python objects", "save numbers, or the table as CSV"}
	case 'c':
		return f, &Error{"the array holds complex numbers", "save real and imaginary parts as columns"}
	}
	return f, &Error{fmt.Sprintf("numbers of type %q are not read", code), "convert the array, as by astype('f8')"}
}

// dateUnits are the units of datetime64 that are read.
var dateUnits = []string{"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"}

// tick separates the unit of a date, such as 15m, into m and 15 steps.
func (f *field) tick() error {
	name := strings.TrimLeft(f.unit, "0123456789")
	n, err := strconv.ParseInt(f.unit[:len(f.unit)-len(name)], 10, 32)
	if err != nil {
		n = 1
	}
	if !slices.Contains(dateUnits, name) {
		return &Error{fmt.Sprintf("dates of type datetime64[%s] are not read", f.unit), "convert them, as by astype('M8[ns]')"}
	}
	f.unit, f.steps = name, n
	return nil
}

// number returns the number that the bytes b encode in the format of f.
func (f field) number(b []byte) float64 {
	var bits uint64
	switch f.size {
	case 1:
		bits = uint64(b[0])
	case 2:
		bits = uint64(f.order.Uint16(b))
	case 4:
		bits = uint64(f.order.Uint32(b))
	default:
		bits = f.order.Uint64(b)
	}
	switch {
	case f.kind == 'f' && f.size == 8:
		return math.Float64frombits(bits)
	case f.kind == 'f' && f.size == 4:
		// Convert via decimal digits, so that 0.1 does not become 0.10000000149.
		v, _ := strconv.ParseFloat(strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32), 64)
		return v
	case f.kind == 'f':
		return half(uint16(bits))
	case f.kind == 'u':
		return float64(bits)
	}
	shift := 64 - 8*f.size
	return float64(int64(bits<<shift) >> shift)
}

// half returns a number of 16 bits (IEEE 754 binary16).
func half(bits uint16) float64 {
	sign, exponent, fraction := 1.0, int(bits>>10&31), float64(bits&1023)
	if bits>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// moment formats a datetime64 of NumPy.
func (f field) moment(v int64) string {
	if v == math.MinInt64 {
		return "" // NaT, not a time
	}
	const day = "2006-01-02"
	v *= f.steps
	since := time.Unix(0, 0).UTC()
	switch f.unit {
	case "Y":
		return since.AddDate(int(v), 0, 0).Format(day)
	case "M":
		return since.AddDate(0, int(v), 0).Format(day)
	case "W":
		return since.AddDate(0, 0, 7*int(v)).Format(day)
	case "D":
		return since.AddDate(0, 0, int(v)).Format(day)
	case "h":
		return time.Unix(3600*v, 0).UTC().Format(day + "T15:04:05")
	case "m":
		return time.Unix(60*v, 0).UTC().Format(day + "T15:04:05")
	case "s":
		return time.Unix(v, 0).UTC().Format(day + "T15:04:05")
	case "ms":
		return time.UnixMilli(v).UTC().Format(day + "T15:04:05.999")
	case "us":
		return time.UnixMicro(v).UTC().Format(day + "T15:04:05.999999")
	}
	return time.Unix(0, v).UTC().Format(day + "T15:04:05.999999999")
}

// write writes the value that the bytes b encode as cell n.
func (f field) write(w *rows, n int, b []byte) {
	switch f.kind {
	case 'S', 'V':
		w.text(n, string(bytes.TrimRight(b, "\x00")))
	case 'U':
		var r []rune
		for i := 0; i+4 <= len(b); i += 4 {
			if c := rune(f.order.Uint32(b[i:])); c != 0 && !utf16.IsSurrogate(c) && c <= 0x10ffff {
				r = append(r, c)
			}
		}
		w.text(n, string(r))
	case 'M':
		w.text(n, f.moment(int64(f.order.Uint64(b))))
	case 'b':
		w.number(n, float64(b[0]))
	default:
		w.number(n, f.number(b))
	}
}
