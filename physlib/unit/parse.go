package unit

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError reports where and why a unit string cannot be read.
type SyntaxError struct {
	Input   string
	Pos     int    // position of the error, counted in characters from 1
	Problem string // what is wrong
	Try     string // suggested replacement; may be ""
}

// Error returns one line with the problem, its position, and what to try.
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("%s at character %d of unit %q", e.Problem, e.Pos, e.Input)
	if e.Try != "" {
		s += "; " + e.Try
	}
	return s
}

const (
	maxLength   = 200 // largest number of characters of a unit string
	maxExponent = 999 // largest numerator or denominator of an exponent
)

// Parse reads a unit: names with SI prefixes, joined by a space, "*", "·", "." or "/". Powers are
// written with "^", "**", a plain number ("m2", "s-1") or superscripts. Fractional exponents are
// written m^(1/2) or m^0.5. Parentheses, numbers as factors and sqrt(…) are allowed. "1" is
// dimensionless, and so are "%", "deg" and "rad". degC and degF can only be used alone.
//
// A space after a slash is ambiguous and gives an error. For J/mol K, the error suggests J/(mol K)
// or J/mol*K. For an unknown name, the error suggests the nearest one. Errors are of type
// *SyntaxError.
func Parse(s string) (Unit, error) {
	p := newParser(s)
	if len(p.text) > maxLength {
		return Unit{}, p.fail(maxLength, "too long", "write it in fewer units")
	}
	v, err := p.unit()
	if err != nil {
		return Unit{}, err
	}
	return Unit{Dim: v.dim, Scale: v.scale(), Offset: v.offset, Name: strings.TrimSpace(s)}, nil
}

// normalize replaces each of several characters that look alike by the same one. The number of
// characters does not change.
func normalize(s string) string {
	s = strings.Map(func(r rune) rune {
		switch r {
		case 'μ':
			return 'µ'
		case 'Ω', '\u2126':
			return 'Ω'
		case '\u212b':
			return 'Å'
		case '\u212a':
			return 'K'
		case 'º', '˚':
			return '°'
		case '−', '‐', '‑', '–', '⁃':
			return '-'
		case '×', '⋅', '∙', '•':
			return '·'
		case '∕', '÷':
			return '/'
		case '{':
			return '('
		case '}':
			return ')'
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
	if t := strings.TrimSpace(s); t == "oC" || t == "oF" {
		return "deg" + t[1:]
	}
	if apart, ok := joinedForms[strings.TrimSpace(s)]; ok {
		return apart
	}
	if strings.HasSuffix(strings.TrimRight(s, " )"), "K") {
		s = perKelvin.ReplaceAllString(s, "$1$3/($2$4 K)")
	}
	if usual, ok := usualForms[strings.ToLower(strings.Join(strings.Fields(s), " "))]; ok {
		return usual
	}
	return s
}

// usualForms maps common spellings of whole units, in lower case, to spellings that the parser
// reads.
var usualForms = map[string]string{
	"-":     "1",
	"deg c": "degC", "° c": "degC", "deg. c": "degC", "degree c": "degC", "degrees c": "degC", "deg celsius": "degC", "degree celsius": "degC", "degrees celsius": "degC",
	"deg f": "degF", "° f": "degF", "deg. f": "degF", "degree f": "degF", "degrees f": "degF", "deg fahrenheit": "degF", "degrees fahrenheit": "degF",
	"mm hg": "mmHg", "cm hg": "cmHg", "in hg": "inHg", "mm h2o": "mmH2O", "cm h2o": "cmH2O", "in h2o": "inH2O",
	"wt%": "%", "wt.%": "%", "wt.-%": "%", "wt-%": "%", "wt %": "%", "% w/w": "%", "% v/v": "%", "vol%": "%", "vol.%": "%", "vol.-%": "%", "vol-%": "%", "vol %": "%", "mol%": "%", "mol-%": "%", "mol %": "%",
	"at%": "%", "at.%": "%", "at.-%": "%", "at-%": "%", "% rh": "%", "%rh": "%", "rh%": "%", "rh %": "%",
}

// joinedForms maps products of units that people write without a space to spellings that the parser
// reads. Nm3 is a cubic metre at normal conditions.
var joinedForms = map[string]string{
	"Nm": "N m", "mNm": "mN m", "kNm": "kN m", "MNm": "MN m", "Nm/rad": "N m/rad", "Pas": "Pa s", "mPas": "mPa s", "Nm3/h": "m^3/h", "Nm³/h": "m^3/h",
}

// perKelvin matches thermal conductivities and heat capacities such as W/mK and J/kgK, in which the
// K stands below the slash without a space, and the m is a metre.
var perKelvin = regexp.MustCompile(`^ *([kMm]?W)/\(?(c?m(?:2|\^2|²)?)K\)? *$|^ *([kMm]?J|k?cal)/\(?(kg|g|k?mol)K\)? *$`)

func newParser(s string) *parser { return &parser{text: []rune(normalize(s)), input: s} }

type parser struct {
	text  []rune
	pos   int
	input string
	depth int
}

func (p *parser) fail(pos int, problem, try string) error {
	return &SyntaxError{Input: p.input, Pos: pos + 1, Problem: problem, Try: try}
}

func (p *parser) skip() (skipped bool) {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
		skipped = true
	}
	return skipped
}

// peek returns the character k positions ahead, or 0 at the end.
func (p *parser) peek(k int) rune {
	if p.pos+k < len(p.text) {
		return p.text[p.pos+k]
	}
	return 0
}

func (p *parser) unit() (value, error) {
	p.skip()
	if p.pos == len(p.text) {
		return value{}, p.fail(0, "empty unit", "write 1 for a dimensionless quantity, or leave the brackets out")
	}
	v, err := p.product()
	if err != nil {
		return value{}, err
	}
	if p.pos < len(p.text) {
		return value{}, p.fail(p.pos, fmt.Sprintf("unexpected %q", p.text[p.pos]), "")
	}
	if v.inexact {
		return value{}, p.fail(0, "exponent out of range", fmt.Sprintf("use powers of powers up to %d in all", math.MaxInt16))
	}
	if s := v.scale(); s == 0 || math.IsInf(s, 0) || math.IsNaN(s) {
		return value{}, p.fail(0, "scale out of range", "use smaller exponents")
	}
	if v.offset != 0 && (v.atoms != 1 || v.dim != Powers(0, 0, 0, 0, 1) || v.raised) {
		return value{}, p.fail(0, "temperature scale with a zero point of its own inside a compound", "use K (or degR for steps of degF)")
	}
	return v, nil
}

// product reads factors until the end or a closing parenthesis.
func (p *parser) product() (value, error) {
	v, err := p.factor()
	if err != nil {
		return v, err
	}
	slashed := false
	for {
		spaced := p.skip()
		start := p.pos
		op := p.operator(spaced)
		if op == 0 {
			return v, nil
		}
		p.skip()
		f, err := p.factor()
		if err != nil {
			return v, err
		}
		switch {
		case op == '/' && f.numbered && v.raised:
			return v, p.fail(start, "number after a slash", "put a fractional exponent in parentheses: m^(1/2)")
		case op == ' ' && slashed && !p.inverse(f):
			return v, p.fail(start, "ambiguous product after a slash", "write a/(b c) or a c/b")
		case op == '/':
			slashed = slashed || !f.numbered // 1/100 s is unambiguous
			f = f.pow(Rat(-1, 1))
		}
		v = v.mul(f)
	}
}

// inverse reports whether f has only negative exponents, like the K^-1 in W/m^2 K^-1. Such a factor
// is not ambiguous after a slash.
func (p *parser) inverse(f value) bool {
	for _, e := range f.dim {
		if e.Num() > 0 {
			return false
		}
	}
	return !f.dim.IsZero()
}

// operator consumes the operator between two factors. It returns '/' or '*', or ' ' for a space, a
// dot, a hyphen or nothing. It returns 0 if no factor follows. spaced reports a space before the
// operator: in "m -s" the hyphen is no operator.
func (p *parser) operator(spaced bool) rune {
	switch c := p.peek(0); {
	case c == 0 || c == ')':
		return 0
	case c == '*' && p.peek(1) != '*', c == '/':
		p.pos++
		return c
	case c == '·' || c == '.' || c == '-' && !spaced && unicode.IsLetter(p.peek(1)):
		p.pos++
		return ' '
	case c == 'p' && string(p.text[p.pos:min(p.pos+4, len(p.text))]) == "per ":
		p.pos += 3
		return '/'
	case isName(c) || isDigit(c) || c == '(' || c == '√':
		return ' '
	}
	return 0
}

// factor reads a name, a number, a root or a product in parentheses, followed by its exponent.
func (p *parser) factor() (value, error) {
	v, err := p.atom()
	if err != nil {
		return v, err
	}
	e, raised, err := p.exponent(v.atoms > 0)
	if err != nil || !raised {
		return v, err
	}
	v = v.pow(e)
	v.raised = true
	return v, nil
}

func (p *parser) atom() (value, error) {
	start := p.pos
	switch c := p.peek(0); {
	case c == 0:
		return value{}, p.fail(p.pos, "nothing", "a unit should follow here")
	case c == '(':
		return p.parenthesis()
	case isDigit(c) || c == '.' && isDigit(p.peek(1)):
		return p.number()
	case c == '√':
		p.pos++
		v, err := p.atom()
		return v.pow(Rat(1, 2)).withExponent(), err
	case isName(c):
		name := p.name()
		if name == "sqrt" && p.peek(0) == '(' {
			v, err := p.parenthesis()
			return v.pow(Rat(1, 2)).withExponent(), err
		}
		e, ok := lookup(name)
		if !ok {
			return value{}, p.unknown(start, name)
		}
		return value{dim: e.dim, mant: e.mant, exp10: Rat(e.exp10, 1), offset: e.offset, atoms: 1, factors: []Factor{{name, Rat(1, 1)}}}, nil
	default:
		return value{}, p.fail(p.pos, fmt.Sprintf("unexpected %q", c), "a unit should stand here")
	}
}

// lookup returns the entry of a name. A full name may begin with a capital letter, such as Volts.
func lookup(name string) (e entry, ok bool) {
	e, ok = index()[name]
	if !ok && len(name) > 3 {
		first, size := utf8.DecodeRuneInString(name)
		e, ok = index()[string(unicode.ToLower(first))+name[size:]]
		ok = ok && unicode.IsUpper(first) && e.word
	}
	return e, ok
}

func (p *parser) unknown(start int, name string) error {
	if s := suggestion(name); s != "" {
		return p.fail(start, fmt.Sprintf("unknown unit %q", name), "did you mean "+s+"?")
	}
	return p.fail(start, fmt.Sprintf("unknown unit %q", name), "use SI or common units, or leave the unit out")
}

func (p *parser) parenthesis() (value, error) {
	open := p.pos
	if p.depth++; p.depth > 20 {
		return value{}, p.fail(open, "too many parentheses", "")
	}
	p.pos++
	p.skip()
	v, err := p.product()
	if err != nil {
		return v, err
	}
	p.skip()
	if p.peek(0) != ')' {
		return v, p.fail(open, "parenthesis never closed", "")
	}
	p.pos++
	p.depth--
	v.raised, v.numbered = false, false
	v.atoms = max(v.atoms, 1) // so that a digit after the parenthesis is read as an exponent
	return v, nil
}

// number reads a factor such as 1, 100 or 1e-3.
func (p *parser) number() (value, error) {
	start := p.pos
	p.digits(true)
	if c := p.peek(0); c == 'e' || c == 'E' {
		sign := 0
		if p.peek(1) == '-' || p.peek(1) == '+' {
			sign = 1
		}
		if isDigit(p.peek(1 + sign)) {
			p.pos += 1 + sign
			p.digits(false)
		}
	}
	f, err := strconv.ParseFloat(string(p.text[start:p.pos]), 64)
	if err != nil || f == 0 {
		return value{}, p.fail(start, fmt.Sprintf("%q is not a factor", string(p.text[start:p.pos])), "")
	}
	if f == 10 {
		return value{mant: 1, exp10: Rat(1, 1), numbered: true}, nil
	}
	return value{mant: f, numbered: true}, nil
}

func (p *parser) digits(point bool) {
	for isDigit(p.peek(0)) || point && p.peek(0) == '.' && isDigit(p.peek(1)) {
		p.pos++
	}
}

// name reads letters and unit signs such as %. H2O is the only name with a digit.
func (p *parser) name() string {
	start := p.pos
	if c := p.peek(0); c == '%' || c == '‰' || c == '′' || c == '″' {
		p.pos++
		return string(c)
	}
	for isName(p.peek(0)) {
		p.pos++
	}
	if p.pos-start > 1 && p.text[p.pos-1] == 'H' && p.peek(0) == '2' && p.peek(1) == 'O' {
		p.pos += 2
	}
	return string(p.text[start:p.pos])
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func isName(c rune) bool {
	return unicode.IsLetter(c) || strings.ContainsRune("_°%‰′″☉℃℉", c)
}
