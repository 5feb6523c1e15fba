package dictionary

import (
	"math"

	"github.com/physlib/lab/physlib/search/view"
)

// Feature is a column that may enter a law: ∏ xᵢ^eᵢ · a^(half/2), where a is an expression of the
// pool. Its Role says how the column enters the law.
type Feature struct {
	Role     Role
	Monomial view.Monomial // exponents eᵢ in sixths; nil: no monomial
	Expr     int32         // index of the expression a in the pool; -1: none
	Half     int8          // twice the power of the expression
	Cost     int
}

// Role says how the column of a feature is calculated from its value, and what the column stands
// for in a law.
type Role uint8

const (
	Term   Role = iota // the value of the feature: a term of a sum
	Factor             // log|value|: a factor with a free power
	Rate               // value, where the target is a logarithm: a factor exp(k·value) with k free
	// Value times h(target), where h is the outer function: a term of the denominator.
	Share
)

// RaiseHalf sets v to v^(half/2).
func RaiseHalf(v []float64, half int) {
	for i, x := range v {
		switch half {
		case 2:
		case 4:
			v[i] = x * x
		case 1:
			v[i] = math.Sqrt(x)
		case -1:
			v[i] = 1 / math.Sqrt(x)
		case -2:
			v[i] = 1 / x
		case -4:
			v[i] = 1 / (x * x)
		default:
			v[i] = math.Pow(x, float64(half)/2)
		}
	}
}
