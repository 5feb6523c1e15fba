package survey

import (
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/unit"
)

// Laws is a prior that is trained on laws. It knows the forms of those laws that have free
// constants.
type Laws struct {
	*prior.Model
	known   func() []expr.Tree
	general *Laws // the prior for all tables, if this is a prior for one table; otherwise nil
}

// NewLaws returns the prior of the model m. Its known forms are those of m's examples that have
// free constants.
func NewLaws(m *prior.Model) *Laws {
	return &Laws{Model: m, known: sync.OnceValue(func() []expr.Tree {
		var out []expr.Tree
		seen := map[uint64]bool{}
		for _, e := range m.Examples() {
			if t := e.Tree; !seen[e.Hash] && t.NumParams() > 0 {
				seen[e.Hash] = true
				out = append(out, t)
			}
		}
		return out
	})}
}

// For returns the prior for the table t. This prior gives a higher probability to laws whose
// quantities resemble the columns and the target of t. Without units, only names identify
// quantities.
func (l *Laws) For(t *dataset.Table, units bool) *Laws {
	kind := func(name string, u unit.Unit, known bool) prior.Kind {
		k := prior.Kind{Name: name}
		if known && units {
			k.Dimension = u.Dimension()
		}
		return k
	}
	var columns []prior.Kind
	for _, c := range t.Vars {
		columns = append(columns, kind(c.Name, c.Unit, c.HasUnit))
	}
	for _, c := range t.Consts {
		columns = append(columns, kind(c.Name, c.Unit, c.HasUnit))
	}
	target := kind(t.Target.Name, t.Target.Unit, t.Target.HasUnit)
	return &Laws{Model: l.Model.For(columns, target), known: l.known, general: l}
}

// Expect returns the prior for a search in which the user allows the operators ops. If some of them
// are rare, forms with rare operators have a higher probability than in l.
func (l *Laws) Expect(ops []expr.Op) *Laws {
	if !slices.ContainsFunc(ops, func(op expr.Op) bool { return op.Operator().Rare }) {
		return l
	}
	return &Laws{Model: l.Model.ExpectRare(), known: l.known, general: l.general}
}

// Catalogue returns the prior of the whole catalogue of laws.
var Catalogue = sync.OnceValue(func() *Laws { return NewLaws(prior.Default()) })

// KnownForms returns the known forms with at most the given number of variables.
func (l *Laws) KnownForms(vars int) (out []expr.Tree) {
	for _, t := range l.known() {
		if len(t.Vars()) <= vars {
			out = append(out, t)
		}
	}
	return out
}
