package dataset

import (
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Quantity is a column or known constant as a Proposer sees it. Its units are a coherent system in
// which the values are of order one, so that a law whose dimensions balance keeps its numbers.
type Quantity struct {
	Name   string
	Dim    unit.Dim
	Known  bool      // Dim is known
	Const  bool      // the same value in every row: a named constant
	Values []float64 // Scale * (raw value) + Offset
	Scale  float64
	Offset float64

	Rounding []float64 // of each value, as from Column.Rounding, in the problem's unit; nil: unknown
}

// Problem is a table prepared for Proposers. Their trees are expressions in Vars, by index.
type Problem struct {
	Vars    []Quantity
	Target  Quantity
	Weights []float64 // 1/σ² of each target value in the problem's unit, up to a common factor; nil: all equal
	Units   bool      // the dimensions of all Vars and the Target are known, and laws must balance
	Noise   float64   // standard deviation of the target's noise relative to the target's RMS; 0: exact to rounding; NaN: unknown
	Ops     []string  // allowed functions and operators by name; nil: all
	Seed    int64

	// Settled reports whether the residuals of the best law so far are noise, so that deeper stages
	// of a Proposer have little to find. The call waits until all proposals are scored. Settled may
	// be nil.
	Settled func() bool

	// Laws returns the best laws so far for a Proposer that improves on them. They are trees in
	// Vars whose constants start at their fitted values, by rising description length. All earlier
	// proposals of this Proposer are scored. Laws is nil if nothing is scored.
	Laws func() []expr.Tree
}

// Cols returns the variables' values, as expr.Program wants them.
func (p *Problem) Cols() [][]float64 {
	cols := make([][]float64, len(p.Vars))
	for i, v := range p.Vars {
		cols[i] = v.Values
	}
	return cols
}
