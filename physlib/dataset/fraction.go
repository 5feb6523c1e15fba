package dataset

import (
	"regexp"
	"strconv"
	"strings"
)

// ratio matches a fraction or a mixed number, such as 1/2, -3/4, 3 1/2 or 1-1/4.
var ratio = regexp.MustCompile(`^([-+]?)(?:(\d{1,6})(?: +|-))?(\d{1,6}) ?[/⁄] ?(\d{1,6})$`)

// vulgar writes out fractions that are a single character, such as ½.
var vulgar = strings.NewReplacer("½", " 1/2", "⅓", " 1/3", "⅔", " 2/3", "¼", " 1/4", "¾", " 3/4", "⅕", " 1/5", "⅖", " 2/5", "⅗", " 3/5", "⅘", " 4/5", "⅙", " 1/6", "⅚", " 5/6", "⅛", " 1/8", "⅜", " 3/8", "⅝", " 5/8", "⅞", " 7/8")

// largestDivisor is the largest divisor of a fraction whose value is above 1. Pairs such as 120/80
// have larger divisors, so they do not count as fractions.
const largestDivisor = 32

// parseFraction reads a fraction or a mixed number. In a mixed number, the fraction must be below
// 1.
func parseFraction(cell []byte) (v float64, ok bool) {
	if len(cell) < 2 || len(cell) > 24 {
		return 0, false
	}
	text := string(minus(cell))
	if plain := vulgar.Replace(text); plain != text {
		text = strings.TrimSpace(strings.Replace(plain, "- ", "-", 1))
	}
	m := ratio.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	whole, _ := strconv.Atoi("0" + m[2])
	above, _ := strconv.Atoi(m[3])
	below, _ := strconv.Atoi(m[4])
	season := above >= 1500 && above <= 2200 && below == (above+1)%100 // such as 2019/20
	if below == 0 || season || above >= below && (m[2] != "" || below > largestDivisor) {
		return 0, false
	}
	v = float64(whole) + float64(above)/float64(below)
	if m[1] == "-" {
		v = -v
	}
	return v, true
}

func isFraction(cell []byte) bool {
	_, ok := parseFraction(cell)
	return ok
}

// warnOfFractions reports that fractions are read as numbers.
func (t *reader) warnOfFractions() {
	for _, i := range t.active {
		if c := &t.columns[i]; c.fraction != "" {
			v, _ := parseFraction([]byte(c.fraction))
			t.warn("column %s: fractions are read as numbers, so that %s is %s", c.Name, c.fraction, plainNumber(v))
		}
	}
}

// warnOfZeros warns of a table without a header in which commas may be both decimal signs and
// separators, as in 1,05,2,25. In such a table, all cells are whole numbers, and every second
// column has a cell that begins with 0.
func (t *reader) warnOfZeros() {
	if t.header != nil || t.layout.sep != ',' || len(t.columns)%2 != 0 {
		return
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.kind != numberKind || c.settled || i%2 == 1 && c.zeros == "" {
			return
		}
	}
	t.warn("all numbers are whole and some begin with 0, such as %s: if commas are decimal signs, separate the cells by semicolons", t.columns[1].zeros)
}
