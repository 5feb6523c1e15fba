package format

import (
	"fmt"
	"math"
	"strings"
)

// dateFormat says whether a style shows a number as a date, as a time, or as neither.
type dateFormat byte

const (
	noDate dateFormat = iota
	dateOnly
	timeOnly
)

// styles finds out which styles show dates, and which show numbers in per cent.
func (x *excel) styles(a *archive) error {
	var s struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := a.decode("xl/styles.xml", &s, false); err != nil {
		return err
	}
	codes := map[int]string{}
	for _, f := range s.Formats {
		codes[f.ID] = f.Code
	}
	for _, c := range s.Cells {
		kind, code := noDate, codes[c.Format]
		switch {
		case code != "":
			kind = dateCode(code)
		case c.Format >= 14 && c.Format <= 17 || c.Format == 22 || c.Format >= 27 && c.Format <= 36 || c.Format >= 50 && c.Format <= 58:
			kind = dateOnly
		case c.Format >= 18 && c.Format <= 21 || c.Format >= 45 && c.Format <= 47:
			kind = timeOnly
		}
		x.formats = append(x.formats, kind)
		x.percent = append(x.percent, percentCode(code) || code == "" && (c.Format == 9 || c.Format == 10))
	}
	return nil
}

// dateCode reports whether a number format shows a date or a time. Outside quotes, brackets and
// escapes, y and d stand for a date, h and s for a time.
func dateCode(code string) dateFormat {
	code = strings.ToLower(withoutTexts(code))
	bracket, kind := false, noDate
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '[' && !(i+1 < len(code) && strings.IndexByte("hms", code[i+1]) >= 0):
			bracket = true
		case c == ']':
			bracket = false
		case bracket:
		case c == 'y' || c == 'd':
			return dateOnly
		case c == 'h' || c == 's':
			kind = timeOnly
		case c == 'g' && strings.HasPrefix(code[i:], "general"):
			return noDate
		case c == '0' && kind == noDate || c == '#':
			return noDate
		}
	}
	return kind
}

// withoutTexts returns the first part of a number format, that of positive numbers, without quoted
// texts and escaped characters.
func withoutTexts(code string) string {
	code, _, _ = strings.Cut(code, ";")
	var b strings.Builder
	quoted := false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\' || c == '_' || c == '*':
			i++
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// clockText writes seconds as 12:30:05.
func clockText(seconds float64) string {
	µs := int64(math.Round(seconds * 1e6))
	text := fmt.Sprintf("%d:%02d:%02d", µs/3600e6, µs/60e6%60, µs/1e6%60)
	if rest := µs % 1e6; rest != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%06d", rest), "0")
	}
	return text
}
