package regression

import (
	"math"

	"github.com/physlib/lab/physlib/law"
)

// Undetermined reports whether the data do not determine constant i of a fitted law. There are two
// cases. The standard error is infinite, or it is at least a million times the constant and the
// constant is fully correlated with another one.
func Undetermined(l law.Law, i int) bool {
	k, n := l.Constants[i], len(l.Constants)
	if math.IsInf(k.StdErr, 0) || math.IsNaN(k.StdErr) {
		return true
	}
	if len(l.Cov) != n*n || k.StdErr < 1e6*math.Abs(k.Value) {
		return false
	}
	for j, other := range l.Constants {
		if j != i && math.Abs(l.Cov[i*n+j]) > (1-1e-9)*k.StdErr*other.StdErr {
			return true
		}
	}
	return false
}
