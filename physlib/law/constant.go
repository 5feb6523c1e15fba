package law

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

// Form is a closed form of a number, (Num/Den)·π^(HalfPi/2)·√Root·e^E·10^Ten. Only those forms count as closed that have
// at most one of the last three factors. The zero Form is 0.
type Form struct {
	Num, Den int64 // Num carries the sign
	HalfPi   int   // half powers of π
	Root     int64 // 0 and 1: no root
	E        int   // 0 or 1
	Ten      int
}

// factor is what multiplies the rational part of a Form, with its value and price.
type factor struct {
	form  Form
	value float64
	bits  float64
}

// factors lists what may stand beside a rational, the cheapest first.
var factors = sync.OnceValue(func() []factor {
	var fs []factor
	add := func(f Form) {
		f.Num, f.Den = 1, 1
		fs = append(fs, factor{form: f, value: f.Value(), bits: f.Bits()})
	}
	for _, root := range []int64{1, 2, 3, 5} {
		for h := -8; h <= 8; h += 2 {
			add(Form{HalfPi: h, Root: root})
		}
	}
	for _, h := range []int{-3, -1, 1, 3} {
		for _, root := range []int64{1, 2} {
			add(Form{HalfPi: h, Root: root})
		}
	}
	add(Form{E: 1})
	for k := 3; k <= 12; k++ {
		add(Form{Ten: k})
		add(Form{Ten: -k})
	}
	return fs
})

// maxTerm bounds numerator and denominator of the closed forms that are looked for.
const maxTerm = 1000

// ClosedForm is the cheapest closed form within tol of v; ok is false when there is none with terms below 1000.
func ClosedForm(v, tol float64) (best Form, ok bool) {
	a := math.Abs(v)
	if a <= tol {
		return Form{Den: 1}, v == 0
	}
	if math.IsNaN(v) || math.IsInf(v, 0) || !(tol >= 0) {
		return Form{}, false
	}
	tol = max(tol, 4e-16*a)
	bits := math.Inf(1)
	for _, f := range factors() {
		if f.bits >= bits {
			continue
		}
		p, q, found := simplestRational((a-tol)/f.value, (a+tol)/f.value, maxTerm)
		if !found || f.form.Ten != 0 && q != 1 {
			continue
		}
		if b := f.bits + integerBits(p) + integerBits(q); b < bits {
			best, bits, ok = f.form, b, true
			best.Num, best.Den = p, q
		}
	}
	if v < 0 {
		best.Num = -best.Num
	}
	return best, ok
}

// simplestRational is the fraction of least denominator in [lo, hi], 0 < lo, found by walking down the Stern–Brocot tree
// one continued fraction term at a time. ok is false when a term exceeds limit.
func simplestRational(lo, hi float64, limit int64) (p, q int64, ok bool) {
	p0, q0, p1, q1 := int64(0), int64(1), int64(1), int64(0) // the last two convergents
	for range 40 {
		if !(lo > 0) || lo > float64(limit) {
			return 0, 0, false
		}
		whole := math.Ceil(lo)
		last := whole <= hi
		if !last {
			whole = math.Floor(lo)
		}
		n := int64(whole)
		p0, q0, p1, q1 = p1, q1, n*p1+p0, n*q1+q0
		if p1 > limit || q1 > limit {
			return 0, 0, false
		}
		if last {
			return p1, q1, p1 > 0
		}
		lo, hi = 1/(hi-whole), 1/(lo-whole)
	}
	return 0, 0, false
}

// Value is the number itself.
func (f Form) Value() float64 {
	if f.Num == 0 {
		return 0
	}
	v := float64(f.Num) / float64(f.Den)
	if f.Ten > 0 {
		v *= math.Pow10(f.Ten)
	} else if f.Ten < 0 {
		v /= math.Pow10(-f.Ten)
	}
	if f.HalfPi%2 == 0 {
		v *= math.Pow(math.Pi, float64(f.HalfPi/2))
	} else {
		v *= math.Pow(math.Pi, float64(f.HalfPi)/2)
	}
	if f.Root > 1 {
		v *= math.Sqrt(float64(f.Root))
	}
	if f.E != 0 {
		v *= math.Pow(math.E, float64(f.E))
	}
	return v
}

// Bits is the description length: 2 log₂ of numerator and denominator, 3 for π and 1 for each further power of it, 3 more
// for a half power, 5 for √2, 6 for √3 and √5 or e, 5 and the exponent for a power of ten.
func (f Form) Bits() float64 {
	num := f.Num
	if num < 0 {
		num = -num
	}
	bits := integerBits(num) + integerBits(f.Den)
	if h := max(f.HalfPi, -f.HalfPi); h > 0 {
		bits += 2 + float64((h+1)/2)
		if h%2 == 1 {
			bits += 3
		}
	}
	if f.Root > 1 {
		bits += 3 + 1.5*math.Log2(float64(f.Root))
	}
	if f.E != 0 {
		bits += 6
	}
	if f.Ten != 0 {
		bits += 5 + math.Abs(float64(f.Ten))
	}
	return bits
}

// String is the form as an expression that expr.Parse reads: 4*pi**2, 3/(8*pi), sqrt(2)/2.
func (f Form) String() string {
	if f.Num == 0 {
		return "0"
	}
	if f.Ten != 0 && f.Den == 1 && f.HalfPi == 0 && f.Root <= 1 && f.E == 0 {
		return strconv.FormatFloat(f.Value(), 'g', -1, 64)
	}
	num, sign := f.Num, ""
	if num < 0 {
		num, sign = -num, "-"
	}
	var above, below []string
	if num != 1 {
		above = append(above, strconv.FormatInt(num, 10))
	}
	if f.Den != 1 {
		below = append(below, strconv.FormatInt(f.Den, 10))
	}
	if f.Ten != 0 {
		above = append(above, "1e"+strconv.Itoa(f.Ten))
	}
	if f.Root > 1 {
		above = append(above, "sqrt("+strconv.FormatInt(f.Root, 10)+")")
	}
	if f.HalfPi > 0 {
		above = append(above, piPower(f.HalfPi))
	} else if f.HalfPi < 0 {
		below = append(below, piPower(-f.HalfPi))
	}
	if f.E != 0 {
		above = append(above, "e")
	}
	if len(above) == 0 {
		above = []string{"1"}
	}
	text := sign + strings.Join(above, "*")
	switch len(below) {
	case 0:
		return text
	case 1:
		return text + "/" + below[0]
	}
	return text + "/(" + strings.Join(below, "*") + ")"
}

// piPower is π^(h/2) as text, h > 0.
func piPower(h int) string {
	switch {
	case h == 1:
		return "sqrt(pi)"
	case h == 2:
		return "pi"
	case h%2 == 0:
		return "pi**" + strconv.Itoa(h/2)
	}
	return "pi**(" + strconv.Itoa(h) + "/2)"
}

// Tree is the form as an expression without variables.
func (f Form) Tree() expr.Tree {
	t := expr.Num(float64(f.Num))
	one := f.Num == 1
	times := func(b expr.Tree) {
		if one {
			t, one = b, false
			return
		}
		t = expr.Apply(expr.Mul, t, b)
	}
	if f.Num == 0 {
		return t
	}
	if f.Ten != 0 {
		return expr.Num(f.Value())
	}
	if f.Root > 1 {
		times(expr.Apply(expr.Sqrt, expr.Num(float64(f.Root))))
	}
	if f.E != 0 {
		times(expr.Leaf(expr.Euler))
	}
	if f.HalfPi > 0 {
		times(piTree(f.HalfPi))
	}
	below := expr.Num(float64(f.Den))
	switch {
	case f.HalfPi < 0 && f.Den == 1:
		below = piTree(-f.HalfPi)
	case f.HalfPi < 0:
		below = expr.Apply(expr.Mul, below, piTree(-f.HalfPi))
	case f.Den == 1:
		return t
	}
	return expr.Apply(expr.Div, t, below)
}

// piTree is π^(h/2), h > 0.
func piTree(h int) expr.Tree {
	pi := expr.Leaf(expr.Pi)
	switch h {
	case 1:
		return expr.Apply(expr.Sqrt, pi)
	case 2:
		return pi
	case 4:
		return expr.Apply(expr.Square, pi)
	}
	return expr.Apply(expr.Pow, pi, expr.Num(float64(h)/2))
}
