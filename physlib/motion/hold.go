package motion

import (
	"context"
	"math"
	"slices"
)

// hold says which value an input has between two rows.
type hold int

const (
	straightLine hold = iota // values on the straight line, or curve, between both rows
	holdEarlier              // value of the earlier row: a setting applies from its row on
	holdLater                // value of the later row: a setting applied up to its row
)

const (
	leastHeld = 0.75 // least fraction of equal neighbouring values of an input that is switched
	// Least number of bits that holding the values of switched inputs must save, compared with
	// straight lines between the rows.
	holdGain = 5
)

// holdInputs decides which values inputs have between the rows. Smooth inputs follow a curve (see
// curveInputs). A switched input may have been switched before, at or after the row with its new
// value. The values at the rows do not show which of these is true, but the states do. For each
// kind of hold, holdInputs finds the sums of terms that best describe the states, and compares
// their description lengths. If ctx ends, inputs change along straight lines.
func (sr *searcher) holdInputs(ctx context.Context) {
	d := sr.d
	d.curveInputs()
	switched := d.switchedInputs()
	if !slices.Contains(switched, true) {
		return
	}
	best, least := straightLine, math.Inf(1)
	for _, h := range []hold{straightLine, holdEarlier, holdLater} {
		d.setHold(switched, h)
		bits := 0.0
		for k := range sr.numLaws() {
			if m := sr.matching(k); m != nil {
				if sums := sr.newBeam(ctx, k, m).sums(ctx); len(sums) > 0 {
					bits += sums[0].bits
				}
			}
		}
		if ctx.Err() != nil {
			best = straightLine
			break
		}
		if bits < least {
			best, least = h, bits
			if h == straightLine {
				least -= holdGain
			}
		}
	}
	d.setHold(switched, best)
	all := make([]int, sr.numLaws())
	for k := range all {
		all[k] = k
	}
	sr.leaveOutSwitches(ctx, all, func(k int) float64 { return sr.leastVariance(ctx, k) })
}

// setHold sets the values between the rows of the switched inputs.
func (d *data) setHold(switched []bool, h hold) {
	d.hold = nil
	if h == straightLine {
		return
	}
	d.hold = make([]hold, len(switched))
	for k := range switched {
		if switched[k] {
			d.hold[k] = h
		}
	}
}

// switchedInputs reports for each measured state whether it is a switched input.
func (d *data) switchedInputs() []bool {
	out := make([]bool, d.numMeasured())
	for k := d.numMeasured() - d.inputs; k < d.numMeasured(); k++ {
		out[k] = d.switched(k)
	}
	return out
}

// switched reports whether input k is constant between most neighbouring rows, but not all.
func (d *data) switched(k int) bool {
	same, all := 0.0, 0.0
	for _, r := range d.runs {
		for i, v := range r.x[k][1:] {
			all++
			if v == r.x[k][i] {
				same++
			}
		}
	}
	return same < all && same >= leastHeld*all
}

// matching returns the integral form of equation k with a library of terms, over windows in which
// the state exceeds its noise clearly. It returns nil if there are too few data.
func (sr *searcher) matching(k int) *matching {
	lengths := sr.d.ladder()
	at := min(sr.d.visible(k, lengths)+1, len(lengths)-1)
	f := sr.integralForm(k, sr.d.windowsOf(lengths[at]))
	if f == nil {
		return nil
	}
	return f.terms(distinctTerms(sr.termsFor(k)))
}
