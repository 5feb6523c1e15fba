package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// reportOutliers adds warnings that say which rows were left out, and in which of them the target
// seems cut off. It also adds the rows to the verdict.
func (found *Result) reportOutliers(v *errorTable) {
	t, best := v.t, found.Best
	var cut, far []int
	if best.Tree.Len() > 0 {
		cut = v.beyondCut(v.residuals(best.Tree.WithStarts(best.Params())), found.Outliers, 0)
	}
	warnings := describeCut(t, cut)
	slips := found.slips(t)
	for _, i := range outlier.Difference(found.Outliers, cut) {
		if s, ok := slips[i]; ok {
			warnings = append(warnings, describeSlip(t, s))
		} else {
			far = append(far, i)
		}
	}
	if len(far) > 0 {
		warnings = append(warnings, found.describeFar(t, far))
	}
	found.Warnings = append(warnings, found.Warnings...)
	found.Verdict += fmt.Sprintf("; %s %s left out", t.RowNames(found.Outliers), plural(found.Outliers, "was", "were"))
	if best.Tree.Len() > 0 {
		found.Verdict += ", of all rows R² = " + law.ShortR2(determination(best, t), verdictDigits)
	}
}

// describeCut returns warnings about the rows of cut, in which the target seems cut off: one for
// its largest value and one for its least.
func describeCut(t *dataset.Table, cut []int) (warnings []string) {
	y := t.Target
	for _, end := range []struct {
		name, more, as string
		value          float64
	}{{"largest", "more", "min", slices.Max(y.Values)}, {"least", "less", "max", slices.Min(y.Values)}} {
		if at := slices.DeleteFunc(slices.Clone(cut), func(i int) bool { return y.Values[i] != end.value }); len(at) > 0 {
			warnings = append(warnings, fmt.Sprintf("%s %s the %s %s, %.6g, where the law gives %s, and %s left out: %s is cut off there, as %s(law, %.6g)",
				t.RowNames(at), plural(at, "has", "have"), end.name, y.Name, end.value, end.more, plural(at, "was", "were"), y.Name, end.as, end.value))
		}
	}
	return warnings
}

// describeFar returns a warning about the rows of far, with their targets and the values of the
// law.
func (found *Result) describeFar(t *dataset.Table, far []int) string {
	var said []float64
	if found.Best.Tree.Len() > 0 {
		said = Predict(found.Best, t.Subset(far))
	}
	var values []string
	for k, i := range far[:min(len(far), dataset.NamedRows)] {
		values = append(values, fmt.Sprintf("%.6g", t.Target.Values[i]))
		if said != nil {
			values[k] += fmt.Sprintf(" where the law gives %.6g", said[k])
		}
	}
	return fmt.Sprintf("%s %s far from the law of the other %d and %s left out (%s: %s)", t.RowNames(far), plural(far, "is", "are"),
		t.Rows()-len(found.Outliers), plural(far, "was", "were"), t.Target.Name, strings.Join(values, ", "))
}

// describeSlip returns a warning with the value of s and the value that was probably meant.
func describeSlip(t *dataset.Table, s slip) string {
	c := column(t, s.Slip)
	v := c.Values[s.Row]
	return fmt.Sprintf("%s was left out: %s = %.6g would agree with the others as %.6g (a misplaced point or another unit); correct it, and nothing is left out",
		t.RowNames([]int{s.Row}), c.Name, v, v*s.Factor)
}

// plural returns its argument one for a single row, otherwise its argument more.
func plural(rows []int, one, more string) string {
	if len(rows) == 1 {
		return one
	}
	return more
}

// determination returns R² of a law on all rows of t.
func determination(l law.Law, t *dataset.Table) float64 {
	f := l.Tree.Values(t.Rows(), columns(t), l.Params())
	y := t.Target.Values
	left := 0.0
	for i, v := range y {
		left += (v - f[i]) * (v - f[i])
	}
	_, r2 := law.Quality(left, y)
	return r2
}
