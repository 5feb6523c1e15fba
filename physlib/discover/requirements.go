package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
)

// requirements holds the user's requirements on a law.
type requirements struct {
	shape      require.Shape
	statements require.Statements
	where      require.Table
}

// newRequirements returns the requirements of the settings on laws of t. m is t, prepared for
// scoring.
func newRequirements(s Settings, t *dataset.Table, m *mdl.Data) requirements {
	r := requirements{shape: s.Shape, statements: s.Statements}
	if len(r.statements) > 0 {
		r.where = require.NewTable(t.InputNames(), m.Cols[:m.Vars()])
	}
	return r
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
