package discover

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/unit"
)

// logUnits holds the logarithm of each base unit.
type logUnits [len(unit.Dim{})]float64

// of returns the logarithm of the unit with the exponents of a dimension.
func (b logUnits) of(exponents []float64) (sum float64) {
	for i, e := range exponents {
		sum += e * b[i]
	}
	return sum
}

// commonUnits returns the base units from which units with the given dimensions and logarithms are
// made. If no base units give all of them, it returns those that come nearest, and coherent is
// false.
func commonUnits(dims [][]float64, logs []float64) (base logUnits, coherent bool) {
	base, coherent = baseUnits(dims, logs, systemRidge)
	for k, d := range dims {
		coherent = coherent && math.Abs(base.of(d)-logs[k]) <= 1e-6*(1+math.Abs(logs[k]))
	}
	return base, coherent
}

// coherent reports whether units have the same base units, such as kilometre and day. Those of
// dimensionless quantities, such as degrees and per cent, do not count.
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

// Ridges of baseUnits.
const (
	systemRidge  = 1e-12 // for the base units of given units; too small to change them
	naturalRidge = 1e-6  // for base units near the magnitudes of the data, which may be rough
)

// baseUnits returns the logarithms of base units by least squares. For each row of dims, the sum of
// these logarithms times the exponents comes nearest to the row's element of logs. The ridge keeps
// units that occur in no dimension at one.
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
