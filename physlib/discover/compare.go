package discover

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/regression"
)

// Compare returns the description length of a law by which [Discover] ranks laws of t, its constants
// fitted anew on all rows but those of outliers. ok is false where the law has no finite value in some
// row.
func Compare(t *dataset.Table, s Settings, outliers []int, l law.Law) (bits float64, fitted law.Law, ok bool) {
	if len(outliers) > 0 {
		t = t.Subset(outlier.Others(t.Rows(), outliers))
	}
	over, err := l.Over(regression.Columns(t))
	if err != nil {
		return 0, l, false
	}
	m := newRanking(t, s).m
	c, ok := m.Scorer().Score(m.Lift(over.Tree.WithStarts(over.Params())), mdl.Effort{Starts: 8, Final: true})
	if !ok {
		return 0, l, false
	}
	return c.Bits, NewLaw(t, m, c, l.Proposer), true
}
