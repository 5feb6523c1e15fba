package discover

import (
	"errors"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/regression"
)

// Compare returns the description length of the law l of t minus that of the law best, in bits.
// best is the law that [Discover] or package frame chose with the settings s. The constants of
// both laws are fitted again to all rows except outliers. Errors of columns are converted to
// errors of the target by the derivatives of best (effective variance). The error says why l or
// best has no score.
func Compare(t *dataset.Table, s Settings, outliers []int, best, l law.Law) (worse float64, fitted law.Law, err error) {
	if s.XSigma != nil {
		t, s = s.withNoise(t)
		if t.Sigma == nil {
			t = withSigmaY(t, best, s.XSigma, outliers)
		}
		t = withSigma(t, regression.EffectiveSigma(best, t, s.XSigma))
		s.XSigma = nil
	}
	k := newRanking(task{t: t.Subset(outlier.Complement(t.Rows(), outliers)), s: s}, nil)
	least, _, err := k.compared(best)
	if err != nil {
		return 0, l, err
	}
	bits, c, err := k.compared(l)
	if err != nil {
		return 0, l, err
	}
	return bits - least, NewLaw(k.t, k.m, c, l.Proposer), nil
}

// compared returns the description length of l in bits, and the fit of l. If l is shorter with
// merged constants and without needless absolute values, bits is the length of that form.
func (k *ranking) compared(l law.Law) (bits float64, c mdl.Score, err error) {
	over, err := l.Over(k.t.InputNames())
	if err != nil {
		return 0, c, err
	}
	tree := k.m.FromColumns(over.Tree.WithStarts(over.Params()))
	c, ok := k.m.Scorer().Score(tree, mdl.Effort{Starts: 8, Final: true})
	if !ok {
		return 0, c, k.unscored(tree)
	}
	bits = c.Bits
	if form := mdl.Merged(withoutAbs(k.m, tree)); form.NumParams() == tree.NumParams() {
		if o, ok := k.m.Scorer().Score(form, mdl.Effort{Starts: 8, Final: true}); ok {
			bits = min(bits, o.Bits)
		}
	}
	return bits, c, nil
}

// unscored returns the reason why a law has no score after a fit of its constants.
func (k *ranking) unscored(law expr.Tree) error {
	if free := law.NumParams(); !k.m.Scorer().Enough(free) {
		return fmt.Errorf("%d rows are too few to compare a law with %d constants", k.m.Rows(), free)
	}
	for i, v := range k.m.Scorer().Values(law, law.Params()) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("it has no finite value in %s", k.sampled.RowNames([]int{i}))
		}
	}
	return errors.New("the rows do not show one of its oscillations, poles, powers or terms")
}
