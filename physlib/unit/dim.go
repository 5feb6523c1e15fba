package unit

import (
	"math"
	"strings"
)

// Dim is a dimension: the exponents of kg, m, s, A, K, mol and cd, in this order. The zero Dim is
// dimensionless. Equal dimensions compare equal with ==.
type Dim [7]Ratio

var baseNames = [len(Dim{})]string{"kg", "m", "s", "A", "K", "mol", "cd"}

// Powers returns the dimension with the given whole exponents of kg, m, s, A, K, mol and cd.
// Missing exponents are 0.
func Powers(exponents ...int) Dim {
	var d Dim
	for i, e := range exponents {
		d[i] = Rat(e, 1)
	}
	return d
}

// Mul returns the dimension of a product.
func (d Dim) Mul(o Dim) Dim {
	for i := range d {
		d[i] = d[i].Add(o[i])
	}
	return d
}

// Div returns the dimension of a quotient.
func (d Dim) Div(o Dim) Dim {
	for i := range d {
		d[i] = d[i].Sub(o[i])
	}
	return d
}

// Pow returns the dimension of a power.
func (d Dim) Pow(r Ratio) Dim {
	for i := range d {
		if d[i].num != 0 {
			d[i] = d[i].Mul(r)
		}
	}
	return d
}

// IsZero reports whether d is dimensionless.
func (d Dim) IsZero() bool { return d == Dim{} }

// String returns d in SI base units, such as "kg m^2 s^-2" or "m^(1/2)", and "1" if d is
// dimensionless. Parse reads it back.
func (d Dim) String() string {
	var b strings.Builder
	for i, e := range d {
		if e.IsZero() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(baseNames[i] + e.Power())
	}
	if b.Len() == 0 {
		return "1"
	}
	return b.String()
}

var derived = map[Dim]string{
	Powers(1, 1, -2):          "N",
	Powers(1, -1, -2):         "Pa",
	Powers(1, 2, -2):          "J",
	Powers(1, 2, -3):          "W",
	Powers(0, 0, 1, 1):        "C",
	Powers(1, 2, -3, -1):      "V",
	Powers(-1, -2, 4, 2):      "F",
	Powers(1, 2, -3, -2):      "ohm",
	Powers(-1, -2, 3, 2):      "S",
	Powers(1, 2, -2, -1):      "Wb",
	Powers(1, 0, -2, -1):      "T",
	Powers(1, 2, -2, -2):      "H",
	Powers(0, 0, -1, 0, 0, 1): "kat",
}

// Symbol returns the one SI symbol that has dimension d, such as "N" or "kg". ok is false if there
// is none, or several, such as Hz and Bq for 1/s.
func (d Dim) Symbol() (symbol string, ok bool) {
	if s, ok := derived[d]; ok {
		return s, true
	}
	for i, name := range baseNames {
		var base Dim
		base[i] = Rat(1, 1)
		if d == base {
			return name, true
		}
	}
	return "", false
}

// usual contains the usual names of dimensions that have no symbol, and that are shorter or better
// known than products of base units.
var usual = map[Dim]string{
	Powers(1, 2, -2, 0, 0, -1):  "J/mol",
	Powers(1, 2, -2, 0, -1, -1): "J/(mol K)",
	Powers(0, 2, -2, 0, -1):     "J/(kg K)",
	Powers(1, 2, -2, 0, -1):     "J/K",
	Powers(1, 0, -2):            "N/m",
	Powers(1, -1, -1):           "Pa s",
	Powers(1, 0, -3):            "W/m^2",
	Powers(1, 1, -3, 0, -1):     "W/(m K)",
	Powers(1, 0, -3, 0, -1):     "W/(m^2 K)",
	Powers(1, 1, -3, -1):        "V/m",
	Powers(1, 3, -3, -2):        "ohm m",
	Powers(-1, -3, 3, 2):        "S/m",
	Powers(-1, -3, 4, 2):        "F/m",
	Powers(1, 1, -2, -2):        "H/m",
}

// Name returns the symbol or the usual name of the SI unit of dimension d, or its product of base
// units if there is neither.
func (d Dim) Name() string {
	if s, ok := d.Symbol(); ok {
		return s
	}
	if s, ok := usual[d]; ok {
		return s
	}
	return d.String()
}

// Distance returns the sum of the squared differences between the exponents of d and o. PhysDiffuse
// (§5) adds it up over the nodes of an expression that break a rule of dimensions.
func (d Dim) Distance(o Dim) float64 {
	if d == o {
		return 0
	}
	sum := 0.0
	for i := range d {
		e := d[i].Float64() - o[i].Float64()
		sum += e * e
	}
	return sum
}

// Score returns exp(-alpha*violation), the weight of an expression with the given sum of Distances
// (PhysDiffuse §5). It is 1 if the dimensions balance.
func Score(violation, alpha float64) float64 { return math.Exp(-alpha * violation) }
