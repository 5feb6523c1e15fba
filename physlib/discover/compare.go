package discover

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/regression"
)

// Compare returns the description length by which [Discover] ranks the law l of t, and the law with
// its constants refitted to all rows except outliers. ok is false if the law has no finite value in
// some row.
func Compare(t *dataset.Table, s Settings, outliers []int, l law.Law) (bits float64, fitted law.Law, ok bool) {
	if len(outliers) > 0 {
		t = t.Subset(outlier.Others(t.Rows(), outliers))
	}
	over, err := l.Over(regression.Columns(t))
	if err != nil {
		return 0, l, false
	}
	k := newRanking(t, s)
	tree := k.m.Lift(over.Tree.WithStarts(over.Params()))
	c, ok := k.m.Scorer().Score(tree, mdl.Effort{Starts: 8, Final: true})
	if !ok {
		return 0, l, false
	}
	bits = c.Bits
	if form := mdl.Merged(withoutAbs(k.m, tree)); form.NumParams() == tree.NumParams() {
		if o, ok := k.m.Scorer().Score(form, mdl.Effort{Starts: 8, Final: true}); ok {
			bits = min(bits, o.Bits)
		}
	}
	return bits, NewLaw(t, k.m, c, l.Proposer), true
}
