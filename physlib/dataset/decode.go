package dataset

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

const blockSize = 1 << 18 // bytes read at a time, and looked at for what the file is

// formats are files that are no text, by how they begin.
var formats = []struct{ magic, name, try string }{
	{"PK\x03\x04", "a workbook or zip archive", "save the sheet as CSV"},
	{"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"},
	{"%PDF", "a PDF", "copy its table into a CSV file"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd", "decompress it first"},
	{"\xfd7zXZ", "compressed by xz", "decompress it first"},
	{"PAR1", "a Parquet file", "save it as CSV"},
	{"\x89HDF", "an HDF5 file", "save its table as CSV"},
	{"SIMPLE  =", "a FITS file", "save its table as CSV"},
	{"\x93NUMPY", "a NumPy array", "save it by numpy.savetxt"},
}

// decode gives the text of r in UTF-8 with line feeds, whatever it is compressed by or encoded in.
func decode(r io.Reader, file string) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, blockSize)
	head, err := b.Peek(6)
	if err != nil && err != io.EOF {
		return nil, unreadable(file, err)
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, unreadable(file, err)
		}
		b = bufio.NewReaderSize(z, blockSize)
	case bytes.HasPrefix(head, []byte("BZh")):
		b = bufio.NewReaderSize(bzip2.NewReader(b), blockSize)
	}
	return text(b, file)
}

func text(b *bufio.Reader, file string) (*bufio.Reader, error) {
	head, err := b.Peek(blockSize)
	if err != nil && err != io.EOF {
		return nil, unreadable(file, err)
	}
	if len(head) == 0 {
		return nil, &Error{File: file, Problem: "the file is empty", Try: "give a header and at least two rows"}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		b.Discard(3)
		head = head[3:]
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		big := head[0] == 0xfe
		b.Discard(2)
		b = bufio.NewReaderSize(&utf16Reader{r: b, big: big}, blockSize)
		if head, err = b.Peek(blockSize); err != nil && err != io.EOF {
			return nil, unreadable(file, err)
		}
	}
	for _, f := range formats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return nil, &Error{File: file, Problem: "this is " + f.name + ", not a text table", Try: f.try}
		}
	}
	if isBinary(head) {
		return nil, &Error{File: file, Problem: "this is binary, not a text table", Try: "save it as CSV in UTF-8"}
	}
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		b = bufio.NewReaderSize(returns{b}, blockSize)
	}
	return b, nil
}

func unreadable(file string, err error) error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{File: file, Problem: "cannot be read: " + err.Error(), Try: "check that the file is complete", Err: err}
}

// isBinary tells whether head holds bytes that no text has.
func isBinary(head []byte) bool {
	control := 0
	for _, c := range head {
		if c == 0 {
			return true
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1a || c == 0x7f {
			control++
		}
	}
	return control > len(head)/100
}

// returns reads text whose lines end in a carriage return alone, as on old Macintoshes.
type returns struct{ r io.Reader }

func (x returns) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// utf16Reader reads UTF-16 as UTF-8. Halves of a pair alone become U+FFFD.
type utf16Reader struct {
	r     *bufio.Reader
	big   bool
	ahead rune // a code unit read too much; 0: none
	rest  []byte
}

func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for len(u.rest) < len(p) && len(u.rest) < blockSize && err == nil {
		var c rune
		if c, err = u.rune(); err == nil {
			u.rest = utf8.AppendRune(u.rest, c)
		}
	}
	n = copy(p, u.rest)
	u.rest = u.rest[:copy(u.rest, u.rest[n:])]
	if n > 0 {
		err = nil
	}
	return n, err
}

func (u *utf16Reader) rune() (rune, error) {
	c := u.ahead
	u.ahead = 0
	if c == 0 {
		var err error
		if c, err = u.unit(); err != nil {
			return 0, err
		}
	}
	if !utf16.IsSurrogate(c) {
		return c, nil
	}
	next, err := u.unit()
	if err != nil {
		return utf8.RuneError, nil
	}
	if pair := utf16.DecodeRune(c, next); pair != utf8.RuneError {
		return pair, nil
	}
	u.ahead = next
	return utf8.RuneError, nil
}

func (u *utf16Reader) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(u.r, b[:]); err != nil {
		return 0, io.EOF
	}
	if u.big {
		return rune(b[0])<<8 | rune(b[1]), nil
	}
	return rune(b[1])<<8 | rune(b[0]), nil
}
