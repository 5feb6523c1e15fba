package discover

import (
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// mostTemperatures is the largest number of constants with the dimension of temperature for which
// all subsets are tried.
const mostTemperatures = 6

// temperatures reports which free constants of a law are temperatures on the scale of the columns,
// in °C or °F. The others are differences of temperatures, or no temperatures at all. name is the
// unit of these columns.
//
// A constant is on the scale if it must move with the columns when the zero of the scale moves.
// Otherwise the law would no longer hold. In T_a + (T_0 - T_a)*exp(-t/tau), both T_a and T_0 are on
// the scale. In c0*exp(-t/tau) + c1, only c1 is on the scale. dims holds the dimensions of the
// constants.
func temperatures(t *dataset.Table, law expr.Tree, dims []unit.Dim) (onScale []bool, name string) {
	moved, name := offsetColumns(t)
	if name == "" || len(dims) != law.NumParams() {
		return nil, ""
	}
	var slots []int
	for i, d := range dims {
		if d == unit.Powers(0, 0, 0, 0, 1) {
			slots = append(slots, i)
		}
	}
	if len(slots) == 0 || len(slots) > mostTemperatures {
		return nil, ""
	}
	missing, by := shiftedZero(t, law, moved)
	for set := 1; set < 1<<len(slots); set++ {
		if !makeUp(missing, by, slots, set) {
			continue
		}
		onScale = make([]bool, len(dims))
		for k, slot := range slots {
			onScale[slot] = set>>k&1 == 1
		}
		return onScale, name
	}
	return nil, ""
}

// offsetColumns reports which columns are in °C or °F, and the name of that unit. The name is "" if
// there is no such column, or if both units occur.
func offsetColumns(t *dataset.Table) (moved []bool, name string) {
	degree := 0.0 // size of a degree, in kelvins
	for _, c := range append(t.Vars[:len(t.Vars):len(t.Vars)], t.Target) {
		offset := c.HasUnit && c.Unit.Offset != 0
		moved = append(moved, offset)
		switch {
		case offset && name == "":
			name, degree = c.Unit.Name, c.Unit.Factor()
		case offset && c.Unit.Factor() != degree:
			return nil, ""
		}
	}
	return moved, name
}

// shiftedZero returns how the law and the target change if the zero of the temperature scale moves
// down by one degree. missing is the change of the target minus the change of the law, in each row.
// by[k] is the derivative of the law with respect to constant k, in each row.
func shiftedZero(t *dataset.Table, law expr.Tree, moved []bool) (missing []float64, by [][]float64) {
	k := law.NumParams()
	shifted := law
	for v := range t.Vars {
		if moved[v] {
			shifted = shifted.Substitute(v, expr.Apply(expr.Add, expr.X(v), expr.C(k, 0)))
		}
	}
	params := shifted.Params()
	by = make([][]float64, len(params))
	for i := range by {
		by[i] = make([]float64, t.Rows())
	}
	expr.Compile(shifted).Grad(make([]float64, t.Rows()), by, columns(t), params)
	missing = make([]float64, t.Rows())
	for i := range missing {
		if moved[len(t.Vars)] {
			missing[i] = 1
		}
		if len(by) > k {
			missing[i] -= by[k][i]
		}
	}
	return missing, by[:k]
}

// makeUp reports whether one degree more in each constant of set changes the law by missing[i] in
// every row i. Bit k of set selects the constant slots[k].
func makeUp(missing []float64, by [][]float64, slots []int, set int) bool {
	for i, m := range missing {
		size := math.Abs(m)
		for k, slot := range slots {
			if set>>k&1 == 1 {
				m -= by[slot][i]
				size = max(size, math.Abs(by[slot][i]))
			}
		}
		if !(math.Abs(m) <= 1e-9*max(size, 1)) {
			return false
		}
	}
	return true
}
