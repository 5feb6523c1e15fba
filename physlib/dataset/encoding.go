package dataset

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// validText reports whether head is UTF-8. A letter may be cut off at the end of head. Damaged
// UTF-8 is accepted if most bytes outside ASCII are valid.
func validText(head []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		switch {
		case r != utf8.RuneError || n > 1:
			good += min(n-1, 1)
		case i < len(head)-utf8.UTFMax:
			bad++
		}
		i += n
	}
	return bad == 0 || good >= bad
}

// latin1Reader converts Windows-1252, which includes ISO 8859-1, to UTF-8.
type latin1Reader struct {
	r    *bufio.Reader
	rest []byte
}

// windows are the letters of Windows-1252 from 0x80 to 0x9f.
var windows = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// Read reads more of the text.
func (x *latin1Reader) Read(p []byte) (n int, err error) {
	for len(x.rest) < len(p) && len(x.rest) < blockSize && err == nil {
		var c byte
		if c, err = x.r.ReadByte(); err == nil {
			if c >= 0x80 && c < 0xa0 {
				x.rest = utf8.AppendRune(x.rest, windows[c-0x80])
			} else {
				x.rest = utf8.AppendRune(x.rest, rune(c))
			}
		}
	}
	n = copy(p, x.rest)
	x.rest = x.rest[:copy(x.rest, x.rest[n:])]
	if n > 0 {
		err = nil
	}
	return n, err
}

// isBinary reports whether head holds bytes that no text has.
func isBinary(head []byte) bool {
	control := 0
	for _, c := range bytes.TrimRight(head, "\x00") { // loggers that lose power write zeros
		if c == 0 {
			return true
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1a || c == 0x7f {
			control++
		}
	}
	return control > len(head)/100
}

// returns reads text in which a line may end with a carriage return without a line feed, as on old
// Macintoshes.
type returns struct {
	r     io.Reader
	after bool // the last byte read was a carriage return
}

// Read reads more of the text, with a line feed at the end of each line.
func (x *returns) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	kept := p[:0]
	for _, c := range p[:n] {
		feed := c == '\n' && x.after
		if x.after = c == '\r'; x.after {
			c = '\n'
		}
		if !feed {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 && n > 0 && err == nil {
		return x.Read(p)
	}
	return len(kept), err
}

// loneReturns reports whether many lines end in a carriage return without a line feed.
func loneReturns(head []byte) bool {
	lone := 0
	for i, c := range head {
		if c == '\r' && i+1 < len(head) && head[i+1] != '\n' && head[i+1] != '\r' {
			lone++
		}
	}
	feeds := bytes.Count(head, []byte{'\n'})
	return feeds == 0 && bytes.IndexByte(head, '\r') >= 0 || lone > 1 && 2*lone >= feeds
}

// utf16Reader converts UTF-16 to UTF-8. An unpaired surrogate becomes U+FFFD.
type utf16Reader struct {
	r     *bufio.Reader
	big   bool
	ahead rune // a code unit that was read ahead; 0: none
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

// halves reports whether head looks like UTF-16 with ASCII letters. For odd = 1, most bytes at odd
// positions must be 0, and no byte at an even position. For odd = 0, odd and even are exchanged.
func halves(head []byte, odd int) bool {
	head = head[:min(len(head), 4096)]
	zeros := 0
	for i, c := range head {
		if c == 0 && i%2 != odd {
			return false
		}
		zeros += 1 - min(int(c), 1)
	}
	return len(head) >= 8 && 4*zeros > len(head)
}
