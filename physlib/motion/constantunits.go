package motion

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// constantUnits returns the units of the free constants of t, a law of equation k, as products of
// powers of the unit symbols in the columns' units: m L^-1 for the coefficient of a flow in L/s in
// the rate of a level in m. Angles keep their unit, except inside functions. ok is false if a
// column of t has no unit or one with an offset, or if t adds different units.
func (sr *searcher) constantUnits(k int, t expr.Tree) (units []string, ok bool) {
	rate := sr.tr.rate(k, sr.tr.Order)
	of := make([]map[string]float64, len(sr.names))
	angle, outside := make([]bool, len(sr.names)), make([]bool, len(sr.names))
	markAngles(t, false, angle, outside)
	var symbols []string
	add := func(u unit.Unit, known bool) map[string]float64 {
		powers, parsed := unitPowers(symbol(u))
		ok = ok && known && parsed && u.Offset == 0
		symbols = append(symbols, powers.order...)
		return powers.of
	}
	ok = true
	target := add(rate.Unit, rate.HasUnit)
	for _, j := range t.Vars() {
		u, has := sr.knownUnit(sr.names[j])
		if of[j] = add(u, has); angle[j] && u.Dim.IsZero() {
			of[j] = nil
		}
	}
	if !ok {
		return nil, false
	}
	units = make([]string, t.NumParams())
	done := map[string]bool{}
	for _, s := range symbols {
		if done[s] {
			continue
		}
		done[s] = true
		dim := func(powers map[string]float64) (d unit.Dim) {
			d[0] = unit.Rat(int(math.Round(12*powers[s])), 12)
			return d
		}
		dims := make([]unit.Dim, len(sr.names))
		for j := range dims {
			dims[j] = dim(of[j])
		}
		powers, violation := t.ParamDims(dims, dim(target))
		if violation != 0 {
			return nil, false
		}
		for i, d := range powers {
			units[i] = strings.TrimSpace(units[i] + " " + withPower(s, d[0]))
		}
	}
	return units, true
}

// withPower returns a unit symbol with its power, "" for the power 0.
func withPower(symbol string, power unit.Ratio) string {
	switch s := power.String(); {
	case power.IsZero():
		return ""
	case s == "1":
		return symbol
	case strings.Contains(s, "/"):
		return symbol + "^(" + s + ")"
	default:
		return symbol + "^" + s
	}
}

// symbolPowers holds the powers of unit symbols in a unit, and the symbols in the order of their
// occurrence.
type symbolPowers struct {
	of    map[string]float64
	order []string
}

// unitPowers splits the name of a unit into powers of its symbols: m and s^-2 for m/s^2. ok is
// false if the name is no such product.
func unitPowers(name string) (p symbolPowers, ok bool) {
	p.of = map[string]float64{}
	return p, p.collect([]rune(name), 1)
}

// collect multiplies p by the unit name to the given power.
func (p *symbolPowers) collect(name []rune, power float64) (ok bool) {
	sign := 1.0
	for i := 0; i < len(name); {
		switch c := name[i]; {
		case c == ' ' || c == '*' || c == '·' || c == '.':
			i++
		case c == '/':
			sign = -1
			i++
		case c == '(':
			depth, end := 0, i
			for ; end < len(name); end++ {
				if name[end] == '(' {
					depth++
				}
				if name[end] == ')' {
					depth--
				}
				if depth == 0 {
					break
				}
			}
			if end == len(name) {
				return false
			}
			e, next, ok := exponentAt(name, end+1)
			if !ok || !p.collect(name[i+1:end], power*sign*e) {
				return false
			}
			i, sign = next, 1
		case c == '1' && (i+1 == len(name) || !unicode.IsDigit(name[i+1])):
			i, sign = i+1, 1
		case unicode.IsLetter(c) || c == '°' || c == '%' || c == '_':
			end := i
			for end < len(name) && (unicode.IsLetter(name[end]) || name[end] == '°' || name[end] == '%' || name[end] == '_') {
				end++
			}
			e, next, ok := exponentAt(name, end)
			if !ok {
				return false
			}
			s := string(name[i:end])
			if _, known := p.of[s]; !known {
				p.order = append(p.order, s)
			}
			p.of[s] += power * sign * e
			i, sign = next, 1
		default:
			return false
		}
	}
	return true
}

// exponentAt returns the exponent at position i of the name of a unit, such as ^-2, **2, ^(1/2), 2
// or -1, and the position after it. It is 1 if there is none.
func exponentAt(name []rune, i int) (e float64, next int, ok bool) {
	for i < len(name) && (name[i] == '^' || name[i] == '*' && i+1 < len(name) && (name[i+1] == '*' || i > 0 && name[i-1] == '*')) {
		i++
	}
	end := i
	if end < len(name) && name[end] == '(' {
		for end < len(name) && name[end] != ')' {
			end++
		}
		above, below, _ := strings.Cut(string(name[i+1:end]), "/")
		a, err := strconv.ParseFloat(above, 64)
		b := 1.0
		if below != "" && err == nil {
			b, err = strconv.ParseFloat(below, 64)
		}
		return a / b, end + 1, err == nil && end < len(name)
	}
	for end < len(name) && (unicode.IsDigit(name[end]) || name[end] == '-' && end == i) {
		end++
	}
	if end == i {
		return 1, i, true
	}
	e, err := strconv.ParseFloat(string(name[i:end]), 64)
	return e, end, err == nil
}
