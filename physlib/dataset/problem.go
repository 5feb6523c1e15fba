package dataset

import (
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Quantity is a column or known constant as a Proposer sees it. Its unit belongs to a coherent
// system of units in which the values are of order one. So a law whose dimensions balance keeps its
// numbers.
type Quantity struct {
	Name   string
	Dim    unit.Dim
	Known  bool      // Dim is known
	Const  bool      // the same value in every row: a named constant
	Values []float64 // Scale * (raw value) + Offset
	Scale  float64
	Offset float64

	// Standard deviation of the rounding of each value in the problem's unit; nil: unknown.
	Rounding []float64
}

// Problem is a table prepared for Proposers. Their trees are expressions in Vars, numbered by
// index.
type Problem struct {
	Vars    []Quantity
	Target  Quantity
	Weights []float64 // 1/σ² of each target value, up to a common factor; nil: all equal
	Units   bool      // the dimensions of all Vars and the Target are known, so laws must balance
	// Standard deviation of the target's noise, over the target's RMS; 0: only rounding; NaN:
	// unknown.
	Noise float64
	Ops   []string // allowed functions and operators by name; nil: all
	Seed  int64

	// Settled reports whether the residuals of the best law so far are noise. If so, deeper stages
	// of a Proposer have little left to find. The call waits until all proposals are scored.
	// Settled may be nil.
	Settled func() bool

	// Laws returns the best laws so far, for a Proposer that improves them, by rising description
	// length. They are trees in Vars with their fitted constants. By the time it returns, all
	// earlier proposals of this Proposer are scored. Laws is nil if nothing is scored.
	Laws func() []expr.Tree
}

// Cols returns the values of the variables, in the form that expr.Program needs.
func (p *Problem) Cols() [][]float64 {
	cols := make([][]float64, len(p.Vars))
	for i, v := range p.Vars {
		cols[i] = v.Values
	}
	return cols
}
