package fit

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/periodogram"
)

const (
	mostFrequencies = 512 // largest number of frequencies in a periodogram
	mostPeaks       = 4   // largest number of peaks that give starting values
	angles          = 12  // number of starting values for an angle
)

// addOscillations stores starting values for the constants in the phases of oscillations that are
// linear in one column. The starting values of frequencies and periods are from the peaks of the
// periodogram of the target. Random starting values seldom lead to the right frequency, since an
// oscillation with a slightly wrong frequency fits no better than no oscillation. The starting
// values of constant phase angles are evenly spaced.
func (s *scales) addOscillations(m *model) {
	t, ok := expr.FromNodes(m.nodes)
	if !ok {
		return
	}
	for _, o := range t.Oscillations() {
		vars := o.Phase.Vars()
		if len(vars) != 1 || o.Phase.NumParams() == 0 {
			continue
		}
		peaks := sync.OnceValue(func() []float64 { return frequencies(m.cols[vars[0]][:len(m.y)], m.y) })
		for slot := range m.params {
			if s.suggested[slot] == nil {
				p := newPhase(o.Phase, vars[0], slot)
				s.suggested[slot] = p.values(o.Period, peaks)
				if p.isFrequency() {
					s.frequencies = append(s.frequencies, slot)
				}
			}
		}
	}
}

// phase is the phase of an oscillation as a function of a column and of one constant.
type phase struct {
	program *expr.Program
	cols    [][]float64 // the columns, with one row
	column  int
	params  []float64
	slot    int

	one, two float64 // slope if the constant is 1, and slope if the constant is 2
}

// newPhase returns the phase tree as a function of the column and of the constant in slot. All
// other constants are set to 1.7. If they were 1, a product of two constants could not be
// distinguished from a single constant.
func newPhase(tree expr.Tree, column, slot int) *phase {
	const other = 1.7
	p := &phase{program: expr.Compile(tree), cols: make([][]float64, column+1), column: column, slot: slot}
	p.cols[column] = []float64{0}
	p.params = slices.Repeat([]float64{other}, max(slot+1, tree.NumParams()))
	p.one, p.two = p.slope(1), p.slope(2)
	return p
}

// values returns starting values for the constant if the oscillation has the given period in
// radians. peaks returns the frequencies of the target in radians per unit of the column. The
// result is nil if the constant is neither a frequency nor a period nor an angle.
func (p *phase) values(period float64, peaks func() []float64) (values []float64) {
	if p.one == 0 || !alike(p.at(2, 1)-p.at(0, 1), 2*p.one) {
		return nil
	}
	switch {
	case p.isFrequency():
		for _, f := range peaks() {
			values = append(values, f*period/(2*math.Pi)/p.one)
		}
	// The constant is a period.
	case alike(p.two, p.one/2):
		for _, f := range peaks() {
			values = append(values, p.one/(f*period/(2*math.Pi)))
		}
	// The constant is an angle.
	case alike(p.two, p.one) && alike(math.Abs(p.at(0, 2)-p.at(0, 1)), 1):
		for k := range angles {
			values = append(values, 2*math.Pi*float64(k)/angles)
		}
	}
	return values
}

// isFrequency reports whether the constant multiplies the column, as in c·x. A period divides it.
func (p *phase) isFrequency() bool { return p.one != 0 && alike(p.two, 2*p.one) }

// slope returns the change of the phase if the column changes from 0 to 1 and the constant is c.
func (p *phase) slope(c float64) float64 { return p.at(1, c) - p.at(0, c) }

// at returns the phase if the column is x and the constant is c.
func (p *phase) at(x, c float64) float64 {
	p.cols[p.column][0], p.params[p.slot] = x, c
	var out [1]float64
	p.program.Eval(out[:], p.cols, p.params)
	return out[0]
}

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// frequencies returns the frequencies of the highest peaks in the periodogram of y as a function of
// x. First, a straight line is subtracted from y. The frequency of the highest peak is returned
// twice, so that it is drawn more often.
func frequencies(x, y []float64) (list []float64) {
	axis, ok := periodogram.NewAxis(x, mostFrequencies)
	if !ok {
		return nil
	}
	a, b := stat.LinearRegression(x, y, nil, false)
	rest := make([]float64, len(y))
	for i, v := range y {
		rest[i] = v - a - b*x[i]
	}
	for _, p := range periodogram.Line(axis, rest, mostPeaks) {
		list = append(list, p.Omega[0])
	}
	if len(list) > 0 {
		list = append(list, list[0])
	}
	return list
}
