package unit

import (
	"math"
	"slices"
)

// value is a product of units and numbers during parsing. Its SI value is mant·10^exp10.
type value struct {
	dim      Dim
	mant     float64
	exp10    Ratio
	offset   float64  // SI value of the zero of a temperature scale; 0: zero is zero in SI
	atoms    int      // number of unit names
	numbered bool     // the value is a single number without an exponent, such as 100
	raised   bool     // the text of the value ends with an exponent
	inexact  bool     // an exponent was too large for a Ratio
	factors  []Factor // one for each unit name, in the order of the text
}

// A Factor is a power of one named unit, such as s^-2 in m/s^2. Its Name includes a prefix, as in
// km.
type Factor struct {
	Name  string
	Power Ratio
}

// Factors splits the name of a unit into powers of units: m and s^-2 for m/s^2. Each name occurs
// once, in the order of s. ok is false if s is not a unit, or contains numbers other than 1.
func Factors(s string) (factors []Factor, ok bool) {
	v, err := newParser(s).unit()
	if err != nil {
		return nil, false
	}
	scale := 1.0
	for _, f := range v.factors {
		e, _ := lookup(f.Name)
		scale *= value{mant: e.mant, exp10: Rat(e.exp10, 1)}.pow(f.Power).scale()
		if i := slices.IndexFunc(factors, func(o Factor) bool { return o.Name == f.Name }); i >= 0 {
			factors[i].Power = factors[i].Power.Add(f.Power)
			continue
		}
		factors = append(factors, f)
	}
	return factors, math.Abs(scale-v.scale()) <= 1e-9*v.scale()
}

func (v value) scale() float64 {
	e := v.exp10
	if e.IsInt() && e.Num() <= 0 && e.Num() >= -308 {
		return v.mant / math.Pow10(-e.Num())
	}
	return v.mant * math.Pow(10, e.Float64())
}

func (v value) mul(o value) value {
	v.inexact = v.inexact || o.inexact || !exactSum(v.exp10, o.exp10)
	for i := range v.dim {
		v.inexact = v.inexact || !exactSum(v.dim[i], o.dim[i])
	}
	v.dim = v.dim.Mul(o.dim)
	v.mant *= o.mant
	v.exp10 = v.exp10.Add(o.exp10)
	v.atoms += o.atoms
	v.factors = append(slices.Clip(v.factors), o.factors...)
	v.offset = max(v.offset, o.offset)
	v.numbered, v.raised = false, o.raised
	if v.offset != 0 {
		// A temperature scale times a factor also counts as a compound unit.
		v.atoms = max(v.atoms, 2)
	}
	return v
}

func (v value) pow(e Ratio) value {
	v.inexact = v.inexact || !exactProduct(v.exp10, e)
	for _, d := range v.dim {
		v.inexact = v.inexact || !exactProduct(d, e)
	}
	v.dim = v.dim.Pow(e)
	if v.mant != 1 {
		v.mant = math.Pow(v.mant, e.Float64())
	}
	v.exp10 = v.exp10.Mul(e)
	v.factors = slices.Clone(v.factors)
	for i := range v.factors {
		v.factors[i].Power = v.factors[i].Power.Mul(e)
	}
	v.numbered = false
	return v
}

func (v value) withExponent() value {
	v.raised = true
	return v
}
