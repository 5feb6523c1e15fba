package dataset

import (
	"bufio"
	"bytes"
	"io"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// charset is an encoding of text with its usual name.
type charset struct {
	name string
	encoding.Encoding
}

// decoded returns the text of b, converted from the encoding that Options name. If they name none,
// it returns b.
func (t *reader) decoded(b *bufio.Reader) (*bufio.Reader, error) {
	name := t.options.Encoding
	if name == "" {
		head, _ := b.Peek(4)
		var e encoding.Encoding
		switch {
		case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")):
			e = utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM)
		case bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
			e = utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM)
		default:
			return b, nil
		}
		return decode(b, e), nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		e, err = ianaindex.IANA.Encoding(name)
	}
	if err != nil || e == nil {
		return nil, &Error{File: t.file, Problem: "encoding: " + quote([]byte(name)) + " is not a known encoding", Try: "use a name such as utf-8, shift_jis, gb18030, windows-1251, macintosh or cp437"}
	}
	return decode(b, e), nil
}

// decode converts text in the encoding e to UTF-8.
func decode(b io.Reader, e encoding.Encoding) *bufio.Reader {
	return bufio.NewReaderSize(transform.NewReader(b, e.NewDecoder()), blockSize)
}

// unsaid reads text that is not UTF-8 if Options name no encoding. It uses the encoding that
// guessCharset finds, or else Windows-1252.
func (t *reader) unsaid(b *bufio.Reader, head []byte) *bufio.Reader {
	if c := guessCharset(head); c.Encoding != nil {
		t.warn("the file is not UTF-8, and is read as %s, which is a guess; if it is wrong, give --encoding latin1 or another", c.name)
		return decode(b, c)
	}
	t.warn("the file is not UTF-8, read as Latin-1; give --encoding, or save it as UTF-8, if names or units look wrong")
	return bufio.NewReaderSize(&latin1Reader{r: b}, blockSize)
}

// guessCharset returns the encoding of text that is not UTF-8, if it is clearly Japanese, Chinese,
// Korean or Russian. In these languages, non-ASCII letters form whole words; in text in
// Windows-1252, they occur among ASCII letters.
func guessCharset(head []byte) charset {
	switch {
	case degreeSign(head, 0xa1):
		return charset{"Macintosh", charmap.Macintosh}
	case degreeSign(head, 0xf8):
		return charset{"code page 850", charmap.CodePage850}
	}
	if c := (charset{"Shift JIS", japanese.ShiftJIS}); asianWords(head, c) {
		return c
	}
	runs, mixed := highRuns(head)
	if len(runs) == 0 || mixed {
		return charset{}
	}
	letters, lower, higher := 0, 0, 0
	for _, r := range runs {
		for k, c := range r {
			if c >= 0xc0 {
				letters++
				if k > 0 && c >= 0xe0 {
					lower++
				} else if k > 0 {
					higher++
				}
			}
		}
	}
	all := bytes.Join(runs, nil)
	switch {
	case letters == len(all) && longest(runs) >= 3 && lower > higher:
		return charset{"Windows-1251", charmap.Windows1251}
	case letters == len(all) && longest(runs) >= 3:
		return charset{"KOI8-R", charmap.KOI8R}
	}
	return guessPairs(all, head)
}

// degreeSign reports whether the byte sign is likely to be a degree sign. It is if a lone C or F
// follows wherever it occurs, and if the degree sign of Windows-1252 does not occur.
func degreeSign(head []byte, sign byte) bool {
	isLetter := func(i int) bool { return i >= 0 && i < len(head) && head[i]|0x20 >= 'a' && head[i]|0x20 <= 'z' }
	seen := false
	for i, c := range head {
		if c == 0xb0 {
			return false
		}
		if c != sign {
			continue
		}
		if seen = i+1 < len(head) && (head[i+1] == 'C' || head[i+1] == 'F') && !isLetter(i-1) && !isLetter(i+2); !seen {
			return false
		}
	}
	return seen
}

// guessPairs returns the encoding of text in which each letter outside ASCII is a pair of bytes
// above 0x7f.
func guessPairs(all, head []byte) charset {
	kana, hangul, hanzi, beyond := 0, 0, 0, 0
	for k := 0; k+1 < len(all); k += 2 {
		switch c := all[k]; {
		case c == 0xa4 || c == 0xa5:
			kana++
		case c >= 0xb0 && c <= 0xc8:
			hangul++
		case c > 0xc8 && c <= 0xd7:
			hanzi++
		case c != 0xa1 && c != 0xa3: // 0xa1 and 0xa3 lead punctuation marks and full-width letters in all three encodings
			beyond++
		}
	}
	for _, c := range []struct {
		charset
		plausible bool
	}{
		{charset{"EUC-JP", japanese.EUCJP}, kana > 0},
		{charset{"GB 18030", simplifiedchinese.GB18030}, hanzi > 0 && beyond == 0 && hanzi+hangul >= 3},
		{charset{"EUC-KR", korean.EUCKR}, hangul >= 6 && beyond == 0},
	} {
		if c.plausible && asianWords(head, c.charset) {
			return c.charset
		}
	}
	return charset{}
}

// highRuns returns the runs of bytes outside ASCII. mixed reports whether an ASCII letter is next
// to one of them.
func highRuns(head []byte) (runs [][]byte, mixed bool) {
	isLetter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	for i := 0; i < len(head); {
		start := i
		for i < len(head) && head[i] >= 0x80 {
			i++
		}
		if r := head[start:i]; len(r) == 1 && bytes.IndexByte([]byte("\xb0\xb1\xb2\xb3\xb5\xb7"), r[0]) >= 0 {
			continue // bytes of ° ± ² ³ µ · in units, in most encodings
		}
		if i > start && i < len(head) {
			runs = append(runs, head[start:i])
			mixed = mixed || isLetter(head[i]) || start > 0 && isLetter(head[start-1])
		}
		i++
	}
	return runs, mixed
}

func longest(runs [][]byte) (n int) {
	for _, r := range runs {
		n = max(n, len(r))
	}
	return n
}

// asianWords reports whether the encoding e decodes head without errors and gives East Asian text.
// In such text, all letters outside ASCII are East Asian, and most are next to one another.
func asianWords(head []byte, e encoding.Encoding) bool {
	if n := bytes.LastIndexByte(head, '\n'); n > 0 {
		head = head[:n] // do not end within a letter
	}
	text, err := e.NewDecoder().Bytes(head)
	if err != nil {
		return false
	}
	letters, together, before := 0, 0, false
	for _, r := range string(text) {
		if r < 0x80 {
			before = false
			continue
		}
		wide := r >= 0x3000 && r < 0x3040 || r >= 0xff01 && r <= 0xff5e || r >= 0x2000 && r < 0x2600 || r == '°' || r == '±' || r == '×' || r == '´'
		word := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && !(r >= 0xff61 && r <= 0xff9f) || r == 'ー'
		if !wide && !word && !unicode.In(r, unicode.Greek) {
			return false
		}
		if word {
			letters++
			if before {
				together++
			}
		}
		before = word
	}
	return letters >= 2 && 2*together >= letters-1 && together > 0
}
