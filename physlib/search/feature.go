package search

import "math"

// feature is one candidate term: ∏ xᵢ^eᵢ · a^(pow/2) for an expression a of the pool, in one of
// three roles.
type feature struct {
	role role
	m    mono  // nil: no monomial
	atom int32 // -1: none
	pow  int8  // halves of the atom's power; 2 is the atom itself
	cost int
}

// role is what a feature stands for in the sum that a join fits.
type role uint8

const (
	asTerm   role = iota // its value
	asFactor             // log|value|: a factor with a free power
	asRate               // its value, against the logarithm of the target: exp(k·value) with k free
	asShare              // value · target, under the outer function or not: a term of the denominator
)

// power raises v to half/2.
func power(v []float64, half int) {
	switch half {
	case 2:
	case 4:
		for i, x := range v {
			v[i] = x * x
		}
	case 1:
		for i, x := range v {
			v[i] = math.Sqrt(x)
		}
	case -1:
		for i, x := range v {
			v[i] = 1 / math.Sqrt(x)
		}
	case -2:
		for i, x := range v {
			v[i] = 1 / x
		}
	case -4:
		for i, x := range v {
			v[i] = 1 / (x * x)
		}
	default:
		for i, x := range v {
			v[i] = math.Pow(x, float64(half)/2)
		}
	}
}
