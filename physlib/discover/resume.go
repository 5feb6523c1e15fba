package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/regression"
)

// resume proposes the laws of an earlier run as they were, constants included, so that none of them
// is lost in a search that has no time to find it again.
func (k *ranking) resume(laws []law.Law) {
	names := regression.Columns(k.t)
	for _, l := range laws {
		if over, err := l.Over(names); err == nil && over.Tree.Len() > 0 {
			k.add(over.Tree.WithStarts(over.Params()), over.Proposer)
		}
	}
}

// suspects are the rows that are left out at first: those of an earlier run, or those that look
// like gross errors.
func (s Settings) suspects(t *dataset.Table) []int {
	if len(s.Without) > 0 && !slices.ContainsFunc(s.Without, func(i int) bool { return i < 0 || i >= t.Rows() }) {
		return s.Without
	}
	out := outlier.Alone(outlier.Suspects(columns(t), t.Target.Values), t.Target.Values)
	for _, slip := range outlier.Slips(columns(t)) {
		out = outlier.Union(out, []int{slip.Row})
	}
	return out
}
