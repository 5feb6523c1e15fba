package closed

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// factor is one of the factors that a Number may have besides its rational number, with its value
// and bits.
type factor struct {
	form  Number
	value float64
	bits  float64
}

// factors lists the possible factors, by rising number of bits.
var factors = sync.OnceValue(func() []factor {
	var fs []factor
	add := func(f Number) {
		f.Num, f.Den = 1, 1
		fs = append(fs, factor{form: f, value: f.Value(), bits: f.Bits()})
	}
	for _, root := range []int64{1, 2, 3, 5} {
		for h := -8; h <= 8; h += 2 {
			add(Number{HalfPi: h, Root: root})
		}
	}
	for _, h := range []int{-3, -1, 1, 3} {
		for _, root := range []int64{1, 2} {
			add(Number{HalfPi: h, Root: root})
		}
	}
	add(Number{E: 1})
	for k := 3; k <= 12; k++ {
		add(Number{Ten: k})
		add(Number{Ten: -k})
	}
	slices.SortStableFunc(fs, func(a, b factor) int { return cmp.Compare(a.bits, b.bits) })
	return fs
})

// maxTerm is the largest numerator or denominator of the forms that are searched.
const maxTerm = 1000

// rounding is the relative difference below which two results for one number count as equal.
const rounding = 4e-16

// apart is a relative difference that is larger than rounding errors. It is smaller than 1e-6, the
// least difference of two fractions whose numerator and denominator are at most maxTerm.
const apart = 1e-9

// Nearest returns the form with the fewest bits among the forms within tol of v. ok is false if
// there is none whose numerator and denominator are at most 1000. The form 0 is found only for v =
// 0.
func Nearest(v, tol float64) (best Number, ok bool) {
	a := math.Abs(v)
	switch {
	case v == 0:
		return Number{Den: 1}, tol >= 0
	case math.IsNaN(v) || math.IsInf(v, 0) || !(tol >= 0):
		return Number{}, false
	}
	tol = max(tol, rounding*a)
	bits := math.Inf(1)
	for _, f := range factors() {
		if f.bits >= bits {
			break
		}
		p, q, found := f.simplest(a-tol, a+tol)
		if !found {
			continue
		}
		if b := f.bits + IntegerBits(p) + IntegerBits(q); b < bits {
			best, bits, ok = f.form, b, true
			best.Num, best.Den = p, q
		}
	}
	if v < 0 {
		best.Num = -best.Num
	}
	return best, ok
}

// simplest returns the simplest p/q for which p/q times the factor lies in [lo, hi].
func (f *factor) simplest(lo, hi float64) (p, q int64, ok bool) {
	p, q, ok = Rational(lo/f.value, hi/f.value, maxTerm)
	return p, q, ok && (f.form.Ten == 0 || q == 1)
}

// Rational returns the fraction p/q in [lo, hi] with the smallest numerator; it also has the
// smallest denominator. ok is false if the numerator or denominator exceeds limit, or if hi is not
// above 0. The function descends the Stern–Brocot tree one term of the continued fraction at a
// time.
func Rational(lo, hi float64, limit int64) (p, q int64, ok bool) {
	if !(hi > 0) || !(lo <= hi) {
		return 0, 0, false
	}
	if lo <= 0 { // the simplest fraction is then 1/q
		lo = math.SmallestNonzeroFloat64
	}
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

// span is an interval, with the simplest form in it that has a given factor.
type span struct {
	factor int
	lo, hi float64
	p, q   int64
	bits   float64
}

// All returns the n forms with the fewest bits within tol of v, sorted by bits. Forms of equal
// value are listed once. If the interval reaches zero, it is cut off at a hundredth of v, since
// infinitely many forms lie near zero.
func All(v, tol float64, n int) []Number {
	a := math.Abs(v)
	switch {
	case n <= 0 || math.IsNaN(v) || math.IsInf(v, 0) || !(tol >= 0):
		return nil
	case v == 0:
		return []Number{{Den: 1}}
	}
	tol = min(max(tol, rounding*a), math.MaxFloat64/4)
	var open []span
	push := func(factor int, lo, hi float64) {
		f := &factors()[factor]
		p, q, ok := f.simplest(lo, hi)
		if !ok {
			return
		}
		s := span{factor, lo, hi, p, q, f.bits + IntegerBits(p) + IntegerBits(q)}
		// Forms with the fewest bits come last.
		at, _ := slices.BinarySearchFunc(open, s, func(x, y span) int {
			return cmp.Or(cmp.Compare(y.bits, x.bits), cmp.Compare(y.factor, x.factor), cmp.Compare(y.p, x.p))
		})
		open = slices.Insert(open, at, s)
	}
	for i := range factors() {
		push(i, max(a-tol, a/100), a+tol)
	}
	var found []Number
	var values []float64
	for len(open) > 0 && len(found) < n {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		form := factors()[s.factor].form
		form.Num, form.Den = s.p, s.q
		value := form.Value()
		if !slices.ContainsFunc(values, func(x float64) bool { return math.Abs(x-value) <= 4*rounding*value }) {
			values = append(values, value)
			if v < 0 {
				form.Num = -form.Num
			}
			found = append(found, form)
		}
		push(s.factor, s.lo, value*(1-apart))
		push(s.factor, value*(1+apart), s.hi)
	}
	return found
}
