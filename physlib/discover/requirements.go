package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/regression"
	"github.com/physlib/lab/physlib/require"
)

// requirements holds the user's requirements on a law.
type requirements struct {
	shape      require.Shape
	statements require.Statements
	where      require.Table
}

// requirements returns the requirements on laws from the settings.
func (k *ranking) requirements() requirements {
	r := requirements{shape: k.s.Shape, statements: k.s.Statements}
	if len(r.statements) > 0 {
		r.where = require.NewTable(regression.Columns(k.sampled), k.m.Cols[:k.m.Vars()])
	}
	return r
}

// shaped returns the trees whose shape is allowed.
func (k *ranking) shaped(trees []expr.Tree) []expr.Tree {
	return slices.DeleteFunc(trees, func(t expr.Tree) bool { return !k.given.shape.Allows(k.m.ToColumns(t)) })
}

// permits reports whether a fitted law satisfies the requirements.
func (k *ranking) permits(t expr.Tree) bool {
	low := k.m.ToColumns(t)
	return k.given.shape.Allows(low) && (len(k.given.statements) == 0 || k.given.statements.Hold(low, k.given.where))
}

// adaptToRequirements proposes similar forms that satisfy the requirements, for each form that
// violates one.
func (k *ranking) adaptToRequirements() {
	if len(k.given.statements) == 0 {
		return
	}
	for _, f := range k.proposals {
		for _, a := range k.given.statements.Adapted(k.m.ToColumns(f.tree), k.given.where) {
			k.addForm(k.m.FromColumns(a), f.by)
		}
	}
}
