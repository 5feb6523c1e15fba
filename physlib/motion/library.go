package motion

import (
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// termsFor returns the terms that sums for equation k may contain.
func (sr *searcher) termsFor(k int) []expr.Tree {
	n := len(sr.names)
	var out []expr.Tree
	x := sr.smoothedStates()
	for _, t := range slices.Concat(sr.motionAtoms(n), sr.normed(), sr.bent(n), sr.inDegrees()) {
		if !oneSigned(t, x) && sr.admits(k, expr.Apply(expr.Mul, expr.C(0, 1), t)) {
			out = append(out, t)
		}
	}
	return out
}

// motionAtoms returns at most mostAtoms atoms of n columns (see allAtoms). It leaves out atoms in
// which a velocity is the argument of a sine, cosine or tangent.
func (sr *searcher) motionAtoms(n int) (out []expr.Tree) {
	inside, outside := make([]bool, n), make([]bool, n)
	for _, t := range allAtoms(n, sr.amounts) {
		clear(inside)
		markAngles(t, false, inside, outside)
		turning := false
		for j := sr.d.numMeasured(); j < sr.d.numStates() && sr.d.order == 2; j++ {
			turning = turning || inside[j]
		}
		if !turning {
			out = append(out, t)
		}
	}
	return out[:min(len(out), mostAtoms)]
}

// normed returns the terms of drag, dry friction and central forces in three or more directions.
// Each term is a component of the velocity or position, times a power of the speed or distance. For
// two directions, such terms are in allAtoms.
func (sr *searcher) normed() (out []expr.Tree) {
	ap := expr.Apply
	positions, velocities := sr.directions()
	if len(positions) < 3 {
		return nil
	}
	for _, columns := range [][]int{positions, velocities} {
		square := squares(columns)
		root := ap(expr.Sqrt, square)
		for _, j := range columns {
			u := expr.X(j)
			out = append(out, ap(expr.Mul, u, root), ap(expr.Div, u, root),
				ap(expr.Div, u, square), ap(expr.Div, u, ap(expr.Mul, square, root)))
		}
	}
	return out
}

// directions returns the columns of the coordinates and of their velocities. At order 1, a state is
// a velocity if the chosen law of another state consists of this state only.
func (sr *searcher) directions() (positions, velocities []int) {
	for k := range sr.numLaws() {
		if sr.d.order == 2 {
			positions, velocities = append(positions, k), append(velocities, sr.d.numMeasured()+k)
			continue
		}
		if k < len(sr.best) && sr.best[k] != nil {
			if t := sr.best[k].tree; t.Root() == expr.Var && t.Vars()[0] != k && t.Vars()[0] < sr.d.numMeasured() {
				positions, velocities = append(positions, k), append(velocities, t.Vars()[0])
			}
		}
	}
	return positions, velocities
}

// inDegrees returns sines and cosines of the states whose unit or name says that they are angles in
// degrees. The conversion factor to radians is a constant inside the function.
func (sr *searcher) inDegrees() (out []expr.Tree) {
	ap := expr.Apply
	for k, c := range sr.tr.States {
		if isInDegrees(c) {
			angle := ap(expr.Mul, expr.C(0, math.Pi/180), expr.X(k))
			out = append(out, ap(expr.Sin, angle), ap(expr.Cos, angle))
		}
	}
	return out
}

// isInDegrees reports whether c is an angle in degrees according to its unit or, without one, its
// name.
func isInDegrees(c dataset.Column) bool {
	if c.HasUnit {
		return c.Unit.IsDegree()
	}
	name := strings.ToLower(c.Name)
	return strings.HasSuffix(name, "deg") || strings.HasSuffix(name, "degrees")
}

// bends are the starting values of the constants in curves that saturate or decay, as fractions of
// a column's size.
var bends = []float64{0.12, 0.25, 0.5, 1, 2}

// leastExp is the least scale of an exponential, as a fraction of a column's size. Steeper
// exponentials differ from zero in a few rows only.
const leastExp = 0.5

// insideBits is the price in bits of a constant inside a term, in addition to the bits of its
// digits. A term with such a constant can imitate many curves and, in its limits, other terms, so
// it costs more.
const insideBits = 8

// nearlyZero is how far below zero a column may go because of errors and still count as positive,
// as a fraction of its size.
const nearlyZero = 0.05

// hills are the exponents of saturating curves, as in cooperative binding.
var hills = []float64{1, 2, 3, 4}

// bent returns terms with a free constant inside. For a column without negative values these are
// curves that saturate, decay or peak, alone or multiplied by another column. For other columns
// they are exponentials.
func (sr *searcher) bent(n int) (out []expr.Tree) {
	ap := expr.Apply
	x := sr.smoothedStates()
	for i := range min(n, len(x)) {
		var size float64
		for _, v := range x[i] {
			size += v * v / float64(len(x[i]))
		}
		size = math.Sqrt(size)
		if !(size > 0) {
			continue
		}
		v := expr.X(i)
		if slices.Min(x[i]) < -nearlyZero*size {
			out = append(out, ap(expr.Exp, ap(expr.Div, v, expr.C(0, size))), ap(expr.Exp, ap(expr.Neg, ap(expr.Div, v, expr.C(0, size)))))
			continue
		}
		for _, share := range bends {
			c := expr.C(0, share*size)
			var curves []expr.Tree
			for _, p := range hills {
				power, bend := v, c
				if p > 1 {
					power, bend = ap(expr.Pow, v, expr.Num(p)), expr.C(0, math.Pow(share*size, p))
				}
				curves = append(curves, ap(expr.Inv, ap(expr.Add, bend, power)), ap(expr.Div, power, ap(expr.Add, bend, power)))
			}
			hump := ap(expr.Div, v, ap(expr.Add, expr.C(0, share*share*size*size), ap(expr.Square, v)))
			times := append(slices.Clone(curves[:4]), hump)
			curves = append(curves, hump)
			if share >= leastExp {
				decay := ap(expr.Exp, ap(expr.Neg, ap(expr.Div, v, c)))
				curves = append(curves, decay, ap(expr.Mul, v, decay))
				times = append(times, decay)
			}
			out = append(out, curves...)
			out = append(out, timesOthers(i, len(x), times)...)
		}
		if low, high := slices.Min(x[i]), slices.Max(x[i]); low > leastThermal*high {
			var rates []expr.Tree
			for _, e := range activations {
				c := expr.C(0, e/(1/low-1/high))
				rates = append(rates, ap(expr.Exp, ap(expr.Neg, ap(expr.Div, c, v))))
			}
			out = append(out, rates...)
			out = append(out, timesOthers(i, len(x), rates)...)
		}
	}
	return out
}

// activations are the changes of the exponent in Arrhenius' exp(-c/x) between the least and the
// greatest value of a column, at which fits of c start. Only columns whose smallest value exceeds
// leastThermal times the largest get such terms, as absolute temperatures do.
var activations = []float64{1, 2.5, 6}

const leastThermal = 0.3

// timesOthers returns the products of terms of column i with each other column. n is the number
// of columns.
func timesOthers(i, n int, terms []expr.Tree) (out []expr.Tree) {
	for j := range n {
		if j == i {
			continue
		}
		for _, f := range terms {
			out = append(out, expr.Apply(expr.Mul, expr.X(j), f))
		}
	}
	return out
}

// areAmounts reports whether all states are amounts, such as populations or concentrations. They
// are not negative, and none of them is an angle.
func (sr *searcher) areAmounts() bool {
	if sr.d.order != 1 {
		return false
	}
	x := sr.smoothedStates()
	for k := range sr.numLaws() {
		if slices.Min(x[k]) < -nearlyZero*slices.Max(x[k]) || sr.mayTurn(k) {
			return false
		}
	}
	return true
}

// mayTurn reports whether state k may be an angle: by its unit, or because it only rises or only
// falls, by more than half a turn.
func (sr *searcher) mayTurn(k int) bool {
	c := sr.tr.States[k]
	if isInDegrees(c) || c.HasUnit && c.Unit.IsRadian() {
		return true
	}
	if c.HasUnit && !c.Unit.Dim.IsZero() {
		return false
	}
	for r := range sr.d.runs {
		var way, first, last float64
		for row := range sr.d.runs[r].t {
			v := sr.d.start(r, row, k)
			if row == 0 {
				first = v
			} else {
				way += math.Abs(v - last)
			}
			last = v
		}
		if gap := math.Abs(last - first); gap < math.Pi || gap < 0.9*way {
			return false
		}
	}
	return true
}
