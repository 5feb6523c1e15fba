package token

import (
	"fmt"
	"math"
	"strconv"
)

// Observations is the code of tables for PARR's encoder (§2.1). Each number has a sign, a mantissa
// and an exponent. Separators follow: <VAR> after each column of a row except the last, and <OBS>
// after the row. A row (1.5, -2) is
//
//   - 15 00 E0 <VAR> - 20 00 E0 <OBS>
//
// which means 1.500·10⁰ and -2.000·10⁰, with a mantissa of four digits, two per token. PARR does
// not specify the number of digits. All numbers have the same length, so the meaning of a token
// follows from its position.
//
// The zero value is ready to use: it has four digits, two per token, and exponents from -32 to 32.
type Observations struct {
	Digits   int // significant digits; zero means 4
	PerToken int // digits per token, 1 to 4, a divisor of Digits; zero means 2
	// Largest absolute value of the exponent. A larger number becomes the largest number with this
	// exponent, and a smaller one becomes 0. Zero means 32.
	MaxExponent int
}

// Tokens before those of the mantissa, in order.
const (
	obsPad   = iota // padding
	obsRow          // after the last column of a row
	obsVar          // after each other column
	obsNaN          // instead of the sign, for NaN
	obsPlus         // +
	obsMinus        // -
	numObs
)

var obsNames = [numObs]string{"<PAD>", "<OBS>", "<VAR>", "<NAN>", "+", "-"}

func (o Observations) defaults() Observations {
	if o.Digits == 0 {
		o.Digits = 4
	}
	if o.PerToken == 0 {
		o.PerToken = 2
	}
	if o.MaxExponent == 0 {
		o.MaxExponent = 32
	}
	return o
}

// Validate returns an error if o is not possible.
func (o Observations) Validate() error {
	o = o.defaults()
	switch {
	case o.PerToken < 1 || o.PerToken > 4:
		return fmt.Errorf("token: %d digits per token; take 1 to 4", o.PerToken)
	case o.Digits < 1 || o.Digits > 16 || o.Digits%o.PerToken != 0:
		return fmt.Errorf("token: a mantissa of %d digits cannot be divided into tokens of %d digits; take a multiple of the latter, up to 16", o.Digits, o.PerToken)
	case o.MaxExponent < 0 || o.MaxExponent > 300:
		return fmt.Errorf("token: the largest exponent is %d; take 1 to 300", o.MaxExponent)
	}
	return nil
}

// mantissas returns the number of different mantissa tokens.
func (o Observations) mantissas() int {
	n := 1
	for range o.PerToken {
		n *= 10
	}
	return n
}

// Size returns the number of different tokens.
func (o Observations) Size() int {
	o = o.defaults()
	return numObs + o.mantissas() + 2*o.MaxExponent + 1
}

// Pad returns the padding token.
func (o Observations) Pad() int32 { return obsPad }

// PerNumber returns the number of tokens for a number and the separator after it.
func (o Observations) PerNumber() int {
	o = o.defaults()
	return o.Digits/o.PerToken + 3
}

// Token returns the name of a token. If o has no token 17, for example, its name is "?17".
func (o Observations) Token(id int32) string {
	o = o.defaults()
	switch k := int(id) - numObs; {
	case id < 0 || int(id) >= o.Size():
		return fmt.Sprintf("?%d", id)
	case k < 0:
		return obsNames[id]
	case k < o.mantissas():
		return fmt.Sprintf("%0*d", o.PerToken, k)
	default:
		return fmt.Sprintf("E%d", k-o.mantissas()-o.MaxExponent)
	}
}

// AppendRow appends the code of a row, len(row)·PerNumber tokens.
func (o Observations) AppendRow(ids []int32, row ...float64) []int32 {
	o = o.defaults()
	for i, x := range row {
		if i > 0 {
			ids = append(ids, obsVar)
		}
		ids = o.append(ids, x)
	}
	return append(ids, obsRow)
}

// append appends the code of one number. Infinities become the largest number.
func (o Observations) append(ids []int32, x float64) []int32 {
	sign := int32(obsPlus)
	switch {
	case math.IsNaN(x):
		sign, x = obsNaN, 0
	case x < 0:
		sign, x = obsMinus, -x
	}
	var buffer [32]byte
	// The text has the form d.ddde±xx.
	text := strconv.AppendFloat(buffer[:0], min(x, math.MaxFloat64), 'e', o.Digits-1, 64)
	mark := o.Digits + 1
	if o.Digits == 1 { // the text has no decimal point
		mark = 1
	}
	e := 0
	for _, c := range text[mark+2:] {
		e = 10*e + int(c-'0')
	}
	if text[mark+1] == '-' {
		e = -e
	}
	digits := append([]byte{}, text[0])
	if o.Digits > 1 {
		digits = append(digits, text[2:mark]...)
	}
	switch {
	case e > o.MaxExponent:
		e = o.MaxExponent
		for k := range digits {
			digits[k] = '9'
		}
	case e < -o.MaxExponent:
		e = 0
		for k := range digits {
			digits[k] = '0'
		}
	}
	ids = append(ids, sign)
	for k := 0; k < len(digits); k += o.PerToken {
		m := 0
		for _, c := range digits[k : k+o.PerToken] {
			m = 10*m + int(c-'0')
		}
		ids = append(ids, int32(numObs+m))
	}
	return append(ids, int32(numObs+o.mantissas()+o.MaxExponent+e))
}

// Row decodes a row that AppendRow encoded. An error names the index and the token there.
func (o Observations) Row(ids []int32) ([]float64, error) {
	o = o.defaults()
	var row []float64
	n := o.PerNumber()
	if len(ids) == 0 || len(ids)%n != 0 {
		return nil, fmt.Errorf("token: a row has a multiple of %d tokens, not %d", n, len(ids))
	}
	for at := 0; at < len(ids); at += n {
		x, bad := o.value(ids[at : at+n-1])
		if end := ids[at+n-1]; bad < 0 && (at+n < len(ids) && end != obsVar || at+n == len(ids) && end != obsRow) {
			bad = n - 1
		}
		if bad >= 0 {
			return nil, fmt.Errorf("token: position %d: %s is not allowed here", at+bad, o.Token(ids[at+bad]))
		}
		row = append(row, x)
	}
	return row, nil
}

// value returns the number that ids encode. bad is the index of a token that is invalid at its
// position, or -1 if there is none.
func (o Observations) value(ids []int32) (x float64, bad int) {
	text := []byte("+")
	switch ids[0] {
	case obsPlus, obsNaN:
	case obsMinus:
		text[0] = '-'
	default:
		return 0, 0
	}
	last := len(ids) - 1
	for k := 1; k < last; k++ {
		m := int(ids[k]) - numObs
		if m < 0 || m >= o.mantissas() {
			return 0, k
		}
		text = fmt.Appendf(text, "%0*d", o.PerToken, m)
	}
	e := int(ids[last]) - numObs - o.mantissas() - o.MaxExponent
	if e < -o.MaxExponent || e > o.MaxExponent {
		return 0, last
	}
	if ids[0] == obsNaN {
		return math.NaN(), -1
	}
	text = fmt.Appendf(text, "e%d", e-o.Digits+1)
	x, _ = strconv.ParseFloat(string(text), 64)
	return x, -1
}
