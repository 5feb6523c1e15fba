package discover

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/unit"
)

// coherent reports whether all units can be made from one set of base units, such as kilometre and
// day. Units of dimensionless quantities, such as degrees and per cent, do not count.
func coherent(units []unit.Unit) bool {
	var dims [][]float64
	var logs []float64
	for _, u := range units {
		if !u.Dim.IsZero() {
			dims = append(dims, exponents(u.Dim))
			logs = append(logs, math.Log(u.Factor()))
		}
	}
	_, ok := commonUnits(dims, logs)
	return ok
}

// commonUnits returns the base units from which the given units are made. The given units have the
// dimensions dims, and logs holds the logarithms of their sizes. If no set of base units gives all
// of the units, commonUnits returns the set that comes nearest, and coherent is false.
func commonUnits(dims [][]float64, logs []float64) (base logUnits, coherent bool) {
	base, coherent = baseUnits(dims, logs, systemRidge)
	for k, d := range dims {
		coherent = coherent && math.Abs(base.of(d)-logs[k]) <= 1e-6*(1+math.Abs(logs[k]))
	}
	return base, coherent
}

// logUnits holds the logarithm of the size of each base unit.
type logUnits [len(unit.Dim{})]float64

// of returns the logarithm of the size of the unit with the given exponents of the base units.
func (b logUnits) of(exponents []float64) (sum float64) {
	for i, e := range exponents {
		sum += e * b[i]
	}
	return sum
}

// Ridges, that is regularization terms, of the least-squares fit in baseUnits.
const (
	systemRidge = 1e-12 // for base units of given units; too small to change the base units
	// For base units in which the data are near one. Such base units need not be accurate.
	naturalRidge = 1e-6
)

// baseUnits returns the logarithms of the sizes of base units, found by least squares. dims holds
// the exponents of given units in the base units, one row for each given unit. logs holds the
// logarithms of the sizes of the given units. The product of dims and the result is as near as
// possible to logs. The ridge sets base units that occur in no row of dims to 1.
func baseUnits(dims [][]float64, logs []float64, ridge float64) (base logUnits, ok bool) {
	n := len(base)
	var a mat.SymDense
	a.ReuseAsSym(n)
	b := mat.NewVecDense(n, nil)
	for i := range n {
		a.SetSym(i, i, ridge)
	}
	for k, d := range dims {
		for i := range n {
			b.SetVec(i, b.AtVec(i)+d[i]*logs[k])
			for j := i; j < n; j++ {
				a.SetSym(i, j, a.At(i, j)+d[i]*d[j])
			}
		}
	}
	var ch mat.Cholesky
	var x mat.VecDense
	if !ch.Factorize(&a) || ch.SolveVecTo(&x, b) != nil {
		return base, false
	}
	for i := range n {
		base[i] = x.AtVec(i)
	}
	return base, true
}

// exponents returns the powers of the base units in d.
func exponents(d unit.Dim) []float64 {
	e := make([]float64, len(d))
	for i, r := range d {
		e[i] = r.Float64()
	}
	return e
}
