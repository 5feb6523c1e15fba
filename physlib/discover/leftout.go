package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// reportOutliers adds warnings that say which rows were left out, and in which of them the target
// seems cut off.
func (found *Result) reportOutliers(v *errorTable) {
	t, rest, y := v.t, found.Outliers, v.t.Target
	var warnings []string
	if best := found.Best; best.Tree.Len() > 0 {
		cut := v.beyondCut(v.residuals(best.Tree.WithStarts(best.Params())), found.Outliers, 0)
		rest = outlier.Difference(rest, cut)
		for _, end := range []struct {
			name, more, as string
			value          float64
		}{{"largest", "more", "min", slices.Max(y.Values)}, {"least", "less", "max", slices.Min(y.Values)}} {
			if at := slices.DeleteFunc(slices.Clone(cut), func(i int) bool { return y.Values[i] != end.value }); len(at) > 0 {
				warnings = append(warnings, fmt.Sprintf("%s %s the %s %s, %.6g, where the law gives %s, and %s left out: %s is cut off there, as %s(law, %.6g)",
					t.RowNames(at), plural(at, "has", "have"), end.name, y.Name, end.value, end.more, plural(at, "was", "were"), y.Name, end.as, end.value))
			}
		}
	}
	slips := found.slips(t)
	for _, i := range found.Outliers {
		if s, ok := slips[i]; ok && slices.Contains(rest, i) {
			warnings, rest = append(warnings, describeSlip(t, s)), outlier.Difference(rest, []int{i})
		}
	}
	if len(rest) > 0 {
		var said []float64
		if found.Best.Tree.Len() > 0 {
			said = Predict(found.Best, t.Subset(rest))
		}
		var values []string
		for k, i := range rest[:min(len(rest), dataset.NamedRows)] {
			values = append(values, fmt.Sprintf("%.6g", y.Values[i]))
			if said != nil {
				values[k] += fmt.Sprintf(" where the law gives %.6g", said[k])
			}
		}
		warnings = append(warnings, fmt.Sprintf("%s %s far from the law of the other %d and %s left out (%s: %s)", t.RowNames(rest), plural(rest, "is", "are"),
			t.Rows()-len(found.Outliers), plural(rest, "was", "were"), y.Name, strings.Join(values, ", ")))
	}
	found.Verdict += fmt.Sprintf("; %s %s left out", t.RowNames(found.Outliers), plural(found.Outliers, "was", "were"))
	if found.Best.Tree.Len() > 0 {
		found.Verdict += ", of all rows R² = " + law.ShortR2(determination(found.Best, t), verdictDigits)
	}
	found.Warnings = append(warnings, found.Warnings...)
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
	f := make([]float64, t.Rows())
	expr.Compile(l.Tree).Eval(f, columns(t), l.Params())
	y := t.Target.Values
	left := 0.0
	for i, v := range y {
		left += (v - f[i]) * (v - f[i])
	}
	_, r2 := law.Quality(left, y)
	return r2
}
