package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// Largest relative standard errors with which constants in SI units may become closed forms.
const (
	plainError     = 1e-3 // of a constant with a unit, which is seldom a closed form
	converterError = 0.05 // of a constant without a unit, which often is 1 apart from its conversion factor
)

// inSI returns a law of equation k in SI units. For example, it returns dx_dt = v for x in m, v in
// m/s and t in ms. It returns "" if the units of the law are not known, or if no constant of the
// law contains a conversion factor between the columns' units.
func (sr *searcher) inSI(k int, l law.Law) string {
	t := withNumbersFreed(l.Tree)
	dims, known, target, targetKnown := sr.dims(k)
	if !l.UnitsOK || !targetKnown || slices.ContainsFunc(t.Vars(), func(j int) bool { return !known[j] || sr.unitOf(j).Offset != 0 }) {
		return ""
	}
	at, _ := t.ParamDimsKnown(dims, known, target, true)
	sizes, ok := sr.unitSizes(k, t)
	converts, closed := false, true
	factors, decimals := make([]expr.Tree, len(sizes)), make([]expr.Tree, len(sizes))
	for i, v := range t.Params() {
		stderr, within := 0.0, plainError
		if i < len(l.Constants) && !math.IsNaN(l.Constants[i].StdErr) && !math.IsInf(l.Constants[i].StdErr, 0) {
			stderr = l.Constants[i].StdErr
		}
		if at[i].IsZero() {
			within = converterError
		}
		factors[i] = fit.ClosedOrRounded(v*sizes[i], stderr*sizes[i], within)
		decimals[i] = factors[i]
		if stderr > 0 && !at[i].IsZero() {
			decimals[i] = fit.ClosedOrRounded(v*sizes[i], stderr*sizes[i], 0)
			n := decimals[i].Nodes()[0].Value
			closed = closed && (n == math.Trunc(n) || !expr.Equal(factors[i], decimals[i]))
		}
		if n := factors[i].Nodes(); len(n) == 1 && n[0].Value != math.Trunc(n[0].Value) {
			factors[i] = expr.C(i, n[0].Value) // Simplify would multiply plain numbers
		}
		converts = converts || !sr.inColumnUnits(at[i], sizes[i])
	}
	if !ok || !converts {
		return ""
	}
	if !closed { // fractions and decimals are not mixed
		return l.Target + " = " + rewrite.Tidy(t.SubstituteParams(decimals)).Decimals(sr.names)
	}
	t = t.SubstituteParams(factors).CompactParams().Simplify()
	written := law.Law{Tree: t, Vars: sr.names, Constants: law.NewConstants(t.Params(), nil)}
	return l.Target + " = " + written.Display(6)
}

// unitSizes returns, for each constant of t, the SI value of the constant's unit. t is a law of
// equation k, and the units of the constants follow from those of the columns. For example, the
// constant of dx_dt = c0*v has the unit 1000 for x in m, v in m/s and t in ms. ok is false if the
// law does not keep its form in SI units.
func (sr *searcher) unitSizes(k int, t expr.Tree) (sizes []float64, ok bool) {
	sizes = slices.Repeat([]float64{1}, t.NumParams())
	rate := sr.tr.rate(k, sr.tr.Order).Unit.Factor()
	factors := []float64{rate}
	for _, j := range t.Vars() {
		factors = append(factors, sr.unitOf(j).Factor())
	}
	slices.Sort(factors)
	// The columns whose units have the size f get one dimension. Its power in a constant is the
	// power of f in the size of the constant's unit.
	for _, f := range slices.CompactFunc(factors, sameSize) {
		dimension := func(size float64) (d unit.Dim) {
			if sameSize(size, f) {
				d[0] = unit.Rat(1, 1)
			}
			return d
		}
		dims := make([]unit.Dim, len(sr.names))
		for _, j := range t.Vars() {
			dims[j] = dimension(sr.unitOf(j).Factor())
		}
		powers, violation := t.ParamDims(dims, dimension(rate))
		if !sameSize(f, 1) && violation != 0 {
			return sizes, false
		}
		for i, d := range powers {
			sizes[i] *= math.Pow(f, d[0].Float64())
		}
	}
	return sizes, true
}

// inColumnUnits reports whether the unit of dimension d that is made from the columns' units has
// the given size.
func (sr *searcher) inColumnUnits(d unit.Dim, size float64) bool {
	_, factor, ok := sr.columnUnit(d)
	return ok && sameSize(factor, size)
}

// sameSize reports whether the sizes of two units differ only by rounding.
func sameSize(a, b float64) bool { return math.Abs(a/b-1) < 1e-9 }

// unitOf returns the unit of a column or constant of the right-hand sides; the zero unit if it is
// not known.
func (sr *searcher) unitOf(j int) unit.Unit {
	u, _ := sr.knownUnit(sr.names[j])
	return u
}
