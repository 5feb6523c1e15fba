package dataset

import (
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Quantity is a column or known constant as seen by a Proposer, a method that proposes laws (see
// package discover). Its unit belongs to a coherent system of units in which the values are of
// order one. In a coherent system, a law whose dimensions balance has the same numbers as in SI
// units.
type Quantity struct {
	Name   string
	Dim    unit.Dim
	Known  bool      // Dim is known
	Const  bool      // a known constant, with the same value in every row
	Values []float64 // Scale * (raw value) + Offset
	Scale  float64
	Offset float64

	// Standard deviation of the rounding error of each value, in the problem's unit; nil: unknown.
	Rounding []float64
}

// Problem is a table prepared for Proposers. The expressions that they propose contain variables by
// their index in Vars.
type Problem struct {
	Vars    []Quantity
	Target  Quantity
	Weights []float64 // 1/σ² of each target value, up to a common factor; nil: all equal
	Units   bool      // the dimensions of all Vars and the Target are known, so laws must balance
	// Standard deviation of the target's noise, divided by the target's RMS; 0: only rounding; NaN:
	// unknown.
	Noise float64
	Ops   []string // names of the allowed functions and operators; nil: see Allows and AllowsOp
	Seed  int64
	// Number of candidates after which a slow Proposer should end; 0: no limit. Candidates that the
	// Proposer drops by itself count, too.
	MaxCandidates int64

	// Settled reports whether the residuals of the best law so far are only noise. If so, the
	// deeper stages of a Proposer are unlikely to find a better law. The call waits until all
	// proposals are scored. Settled may be nil.
	Settled func() bool

	// Laws returns the best laws so far by rising description length, for a Proposer that improves
	// them. They are trees in Vars with fitted constants. Laws first waits until all earlier
	// proposals of this Proposer are scored. Laws is nil if proposals are not scored.
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
