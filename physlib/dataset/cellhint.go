package dataset

import (
	"bytes"
	"fmt"
	"regexp"
)

// Patterns of what people write into cells in place of a number.
var (
	slashes     = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|^\d{1,2}\. ?\d{1,2}\.$|^(?:19|20)\d\d-(?:W\d\d|\d{3}$)`)
	raisedPoint = regexp.MustCompile(`^[-+]?\d+[·∙]\d+$`)
	months      = regexp.MustCompile(`(?i)\d.*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -]\d`)
	clockText   = regexp.MustCompile(`^\d{1,4}:\d\d\b|^\d+ ?d(?:ays?)? \d+:|^\d+h\d+$|^\d{1,2} \d\d \d\d(?:[.,]\d+)?$|^\d+ ?['′’] ?\d+(?:[.,]\d+)? ?(?:["″”]|''|′′|’’)$`)
	asymmetric  = regexp.MustCompile(`\d\s*\+\s*[\d.,]+\s*/?\s*[-−]\s*\d`)
	withError   = regexp.MustCompile(`\d\s*(±|\+/?-)\s*\d|\d\(\d+\)`)
	accounting  = regexp.MustCompile(`^\([\d.,]+\)$|^[\d.,]+-$`)
	hexadecimal = regexp.MustCompile(`^0[xX][\da-fA-F]+$`)
	prefixed    = regexp.MustCompile(`^[-+]?\d+(?:[.,]\d*)? ?(?:[kKMGunpµ]|meg|Meg)\d*$`)
	marked      = regexp.MustCompile(`^[-+]?[\d.,]+(?:[eE][-+]?\d+)?\s*(?:[*†‡§¹²³⁴⁵'?]+|[a-d]|\[\d+\]|\^\w{1,3}|(?:[#;!]|//).*)$`)
	remarked    = regexp.MustCompile(`^[-+]?[\d.,]+(?:[eE][-+]?\d+)? *(?:[#;!]|//)`)
	proportion  = regexp.MustCompile(`^\d+(?:\.\d+)? ?: ?\d+(?:\.\d+)?$`)
	bracketed   = regexp.MustCompile(`^\[[-+]?[\d.,]+\]$`)
	powerAlone  = regexp.MustCompile(`^10 ?\^ ?[-+]?[\d.,]+$`)
	quotedCell  = regexp.MustCompile(`^['’‘“«»„].*['’”«»“]$|^'`)
	dittoText   = regexp.MustCompile(`(?i)^(?:["″”〃]|''|’’|dito|ditto|do\.|idem)$`)
	several     = regexp.MustCompile(`^[-+]?\d+[.,]\d+(?: ?/ ?[-+]?\d+(?:[.,]\d+)?)+$`)
	noExponent  = regexp.MustCompile(`^[-+]?\d*\.\d*[-+]\d{2,3}$`)
	currency    = regexp.MustCompile(`^[-+]?[$€£¥]|[$€£¥]$|\b(?:EUR|USD|GBP|CHF|JPY)\b`)
	fraction    = regexp.MustCompile(`^[-+]?(\d+ )?\d+ ?/ ?\d+$|[½⅓⅔¼¾⅕⅛⅜⅝⅞]$`)
	halfPower   = regexp.MustCompile(`^[-+]?[\d.,]+ +[eE] ?[-+]?\d+$|^[-+]?[\d.,]+[eE] +[-+]?\d+$`)
	pair        = regexp.MustCompile(`^\([^()]*\d[^()]*[,;][^()]*\d[^()]*\)$`)
	hemisphere  = regexp.MustCompile(`^\d.*[\d°'"′″ ][NSEWO]$`)
	invisible   = regexp.MustCompile(`[\x{ad}\x{200b}-\x{200f}\x{2060}\x{feff}]`)
	about       = regexp.MustCompile(`^(?i:~|≈|∼|ca?\.? ?\d|ca\b|circa|about|approx|ungefähr|etwa|env|around)`)
	ranges      = regexp.MustCompile(`^[\d.,]+ ?(?:-|–|—|to|bis|\.\.\.|…) ?[\d.,]+$|^[\[(]-?[\d.]+, ?-?[\d.]+\]$|^\[-?[\d.]+, ?-?[\d.]+\)$`)
	confidence  = regexp.MustCompile(`^[-+]?[\d.]+ ?[\[(][-+]?[\d.]+ ?(?:[,;]|-|–|to) ?[-+]?[\d.]+[\])]$`)
	errorBehind = regexp.MustCompile(`^[-+]?[\d.,]+[eE][-+]?\d+ ?\(\d+\)$`)
	yearMonth   = regexp.MustCompile(`^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$`)
	degreesText = regexp.MustCompile(`^[-+]?\d+ ?°.*['′]`)
	// Two numbers between blanks or several between commas, which separate no thousands.
	valuesInCell = regexp.MustCompile(`^[-+]?\d+(?:(?:\.\d+)? +[-+]?\d{1,2}(?:\.\d+)?(?:[eE][-+]?\d+)?|(?:, ?[-+]?\d{1,2}\b)+)$`)
	powerOfTen   = regexp.MustCompile(`\d\s*[×x*·]\s*10`)
)

// hint returns advice about a cell of column i that is not a number.
func (t *reader) hint(i int, cell []byte) string {
	c := &t.columns[i]
	digits := bytes.ContainsAny(cell, "0123456789")
	v, read := parseValue(cell, c.decimal)
	odd := oddForm(cell, c.Name)
	switch {
	case odd != "":
		return odd
	case slashes.Match(cell) || months.Match(cell):
		return "write dates as 2025-01-31 in the whole column"
	case clockText.Match(cell):
		return "write times as 12:30:05 in the whole column, 1 min 15 s as 0:01:15"
	case digits && asymmetric.Match(cell):
		return "write one standard error, as 2.0±0.1"
	case bytes.ContainsAny(cell[:1], "<>") || bytes.HasPrefix(cell, []byte("≤")) || bytes.HasPrefix(cell, []byte("≥")):
		return "a limit is not a measurement: leave the cell empty and add --drop"
	case proportion.Match(cell):
		return "write a ratio as one number, so that 1:8 is 0.125"
	case powerAlone.Match(cell):
		return "write powers of ten as 1.6 or 1.6e3, or their exponents alone"
	case bracketed.Match(cell):
		return "remove the brackets around numbers"
	case remarked.Match(cell):
		return "remove the marks and comments after numbers"
	case c.kind == textKind && read && v.suffix != "" && !prefixed.Match(cell):
		return fmt.Sprintf("%s is not a known unit: write the numbers alone and the unit into the header, as in v [m/s]", v.suffix)
	case hexadecimal.Match(cell):
		return "write it as a decimal number"
	case prefixed.Match(cell):
		return "write the prefix as a power of ten, so that 2.2k is 2.2e3"
	case accounting.Match(cell):
		return "write negative numbers as -5.1"
	case marked.Match(cell):
		return "remove the marks and comments after numbers"
	case quotedCell.Match(cell):
		return "remove the quotes, or write double ones"
	case read && c.suffix != "":
		return fmt.Sprintf("the numbers of this column end in %s; write all of them so", c.suffix)
	case read && v.suffix == "%":
		return "remove the % and give the column the unit [%], or write it after each number"
	case currency.Match(cell):
		return "write the numbers without the currency"
	case digits && withError.Match(cell):
		return "write it as 2.03±0.05 or 2.03(5)"
	case digits && powerOfTen.Match(cell):
		return "write powers of ten as 3e8"
	case !digits:
		return fmt.Sprintf("remove the row, or leave the column out with --ignore %s", c.Name)
	}
	return t.separatorHint(c, cell)
}

// separatorHint returns advice about a cell of column c with digits that is not a number, by its
// separators of decimals and of thousands.
func (t *reader) separatorHint(c *columnReader, cell []byte) string {
	bare := bytes.Map(func(r rune) rune {
		if r == '_' || isGroupSign(r) {
			return -1
		}
		return r
	}, cell)
	without := bytes.ReplaceAll(bare, []byte{','}, nil)
	end := bytes.IndexFunc(cell, func(r rune) bool { return r != '+' && r != '-' && r != '.' && (r < '0' || r > '9') })
	switch {
	case bytes.IndexByte(cell, ',') >= 0 && bytes.IndexByte(cell, '.') >= 0:
		return "write it without separators of thousands"
	case bytes.IndexByte(cell, ',') >= 0 && c.decimal == '.' && isNumber(cell, ','):
		return "numbers have decimal points here: write 1.5 for 1,5 and 1234 for 1,234; or give --decimal comma"
	case bytes.IndexByte(cell, '.') >= 0 && c.decimal == ',':
		return "numbers have decimal commas here: write 1,5 for 1.5 and 1234 for 1.234; or give --decimal point"
	case valuesInCell.Match(cell):
		return "a cell holds one number: write the values into columns of their own"
	case raisedPoint.Match(cell):
		return "write 1.5 for 1·5"
	case len(bare) < len(cell) && isNumber(bare, ',') && t.layout.sep != ',':
		return fmt.Sprintf("write %s without separators of thousands", bare)
	case isNumber(without, '.'):
		return fmt.Sprintf("write %s without separators of thousands", without)
	case end > 0:
		return fmt.Sprintf("a cell holds one number; write its unit into the header, as in v [m/s]; or leave the column out with --ignore %s", c.Name)
	}
	return "write it as 1.5 or 1.5e-3"
}

// oddForm returns advice about a number in an unusual form, in a column of the given name. It
// returns "" for other cells.
func oddForm(cell []byte, name string) string {
	switch {
	case dittoText.Match(cell):
		return "repeat the value that the ditto mark stands for"
	case several.Match(cell):
		return "a cell holds one number: write repeated values into rows or columns of their own"
	case fraction.Match(cell) && isDateName(name):
		return "write dates as 2025-01-31 in the whole column, or give the column another name if these are fractions"
	case hemisphere.Match(cell) && (isAngle(name) || bytes.Contains(cell, []byte("°"))):
		return "write degrees without the direction, negative to the south and west, as -12.5822 [°]"
	case invisible.Match(cell) && bytes.ContainsAny(cell, "0123456789"):
		return fmt.Sprintf("remove the character %U from it, which is not seen", []rune(invisible.FindString(string(cell)))[0])
	case noExponent.Match(cell):
		return "write exponents with an e, as 5.0e-120"
	case about.Match(cell) && bytes.ContainsAny(cell, "0123456789"):
		return "write the number alone, or leave the cell empty if it is too rough"
	case yearMonth.Match(cell):
		return "write dates with their day, as 2025-01-01, in the whole column"
	case ranges.Match(cell):
		return "write the middle of a range, or its ends in two columns"
	case confidence.Match(cell):
		return "write the value and the limits of its error into columns of their own, or one standard error, as 2.0±0.1"
	case errorBehind.Match(cell):
		return "write the error in front of the exponent, as 2.03(5)e-3"
	case degreesText.Match(cell):
		return "write angles in degrees, as 12.5822 [°], in the whole column"
	case pair.Match(cell) && !accounting.Match(cell):
		return "a cell holds one number: write the two into columns of their own"
	case halfPower.Match(cell):
		return "write exponents without blanks, as 2.5e3"
	case fraction.Match(cell):
		return "write fractions as decimal numbers, as 0.5"
	}
	return ""
}
