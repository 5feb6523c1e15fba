package unit

import "math"

// value is a product of units during parsing.
type value struct {
	dim      Dim
	mant     float64
	exp10    Ratio
	offset   float64
	atoms    int  // number of unit names
	numbered bool // the value is only a number
	raised   bool // the text of the value ends with an exponent
	inexact  bool // an exponent was too large for a Ratio
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
	v.numbered = false
	return v
}

func (v value) withExponent() value {
	v.raised = true
	return v
}
