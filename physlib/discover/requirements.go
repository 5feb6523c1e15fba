package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
)

// requirements holds the user's requirements on a law. A ranking tests them as early as it can:
//
//	operators      when a form is proposed
//	shape          before the survey fits a form, and after each fit (permits)
//	statements     after each fit (permits), since they concern the values of a law
//	maxComplexity  in the forms of a survey, and in the laws of the result. Between the two, complex
//	               laws may lead to simpler ones.
//
// During a search, the judge tests shape and complexity of the candidates by itself.
type requirements struct {
	operators     dataset.Problem // only its Ops
	shape         require.Shape
	statements    require.Statements
	where         require.Table
	maxComplexity float64 // in bits; 0: no limit
}

// newRequirements returns the requirements of the settings on laws of t. m is t, prepared for
// scoring.
func newRequirements(s Settings, t *dataset.Table, m *mdl.Data) requirements {
	r := requirements{operators: dataset.Problem{Ops: s.Ops}, shape: s.Shape, statements: s.Statements, maxComplexity: s.MaxComplexity}
	if len(r.statements) > 0 {
		r.where = require.NewTable(t.InputNames(), m.Cols[:m.Vars()])
	}
	return r
}

// tooComplex reports whether a law of the given complexity, in bits, exceeds the limit.
func (r requirements) tooComplex(complexity float64) bool {
	return r.maxComplexity > 0 && complexity > r.maxComplexity
}

// shaped returns the trees whose shape is allowed.
func (k *ranking) shaped(trees []expr.Tree) []expr.Tree {
	return slices.DeleteFunc(trees, func(t expr.Tree) bool { return !k.required.shape.Allows(k.m.ToColumns(t)) })
}

// permits reports whether a fitted law satisfies the requirements.
func (k *ranking) permits(t expr.Tree) bool {
	low := k.m.ToColumns(t)
	return k.required.shape.Allows(low) && (len(k.required.statements) == 0 || k.required.statements.Hold(low, k.required.where))
}

// adaptToRequirements proposes similar forms that satisfy the requirements, for each form that
// violates one.
func (k *ranking) adaptToRequirements() {
	if len(k.required.statements) == 0 {
		return
	}
	for _, f := range k.proposals {
		for _, a := range k.required.statements.Adapted(k.m.ToColumns(f.tree), k.required.where) {
			k.addForm(k.m.FromColumns(a), f.by)
		}
	}
}
