package survey

import (
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/prior"
)

// Laws is a prior with the forms of the laws that it was trained on as Seeds.
type Laws struct {
	*prior.Model
	seeds func() []expr.Tree
}

// NewLaws returns m with its seeds.
func NewLaws(m *prior.Model) *Laws {
	return &Laws{m, sync.OnceValue(func() []expr.Tree {
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

// Catalogue returns the prior of the whole catalogue of laws.
var Catalogue = sync.OnceValue(func() *Laws { return NewLaws(prior.Default()) })

// Seeds are the forms of laws in at most so many variables.
func (l *Laws) Seeds(vars int) (out []expr.Tree) {
	for _, t := range l.seeds() {
		if len(t.Vars()) <= vars {
			out = append(out, t)
		}
	}
	return out
}
