package discover

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/outlier"
)

// agreeing is how many standard deviations of the kept rows a repaired row may be off the law.
const agreeing = 4

// slips returns the slip in each row of found.Outliers that has one: a value that breaks the order
// of its column, or that the law of the other rows agrees with once it is multiplied by a power of
// ten. Rows with another reason to be left out are missing.
func (found *Result) slips(t *dataset.Table) map[int]outlier.Slip {
	out := map[int]outlier.Slip{}
	for _, s := range outlier.Slips(columns(t)) {
		if slices.Contains(found.Outliers, s.Row) {
			out[s.Row] = s
		}
	}
	if found.Best.Tree.Len() == 0 {
		return out
	}
	a := found.agreement(t)
	for _, row := range found.Outliers {
		if _, known := out[row]; known {
			continue
		}
		if s, ok := a.repair(row); ok {
			out[row] = s
		}
	}
	return out
}

// agreement tells whether a row agrees with a law.
type agreement struct {
	found           *Result
	t               *dataset.Table
	equal, relative float64 // standard deviations of the errors of the kept rows
	chance          float64 // about how often any value agrees with the law, in units of rarely
}

// rarely is how often a value may agree with a law by chance.
const rarely = 0.3

func (found *Result) agreement(t *dataset.Table) agreement {
	a := agreement{found: found, t: t}
	kept := outlier.Others(t.Rows(), found.Outliers)
	law := Predict(found.Best, t.Subset(kept))
	for i, row := range kept {
		d := t.Target.Values[row] - law[i]
		a.equal += d * d
		a.relative += d * d / (law[i] * law[i])
	}
	free := max(1, float64(len(kept)-len(found.Best.Params())))
	a.equal, a.relative = math.Sqrt(a.equal/free), math.Sqrt(a.relative/free)
	y := t.Subset(kept).Target.Values
	a.chance = 2 * agreeing * a.equal / (slices.Max(y) - slices.Min(y)) / rarely
	return a
}

// agrees reports whether y is as near to the law's value as the kept rows are.
func (a agreement) agrees(y, law float64) bool {
	d := math.Abs(y - law)
	return d <= agreeing*a.equal || d <= agreeing*a.relative*math.Abs(law)
}

// repair returns the slip of one value that makes row agree with the law, where that says
// something: the law must be exact enough that a wrong value would rarely agree by chance. Where
// several would, it is one of a value outside of the range of the kept rows.
func (a agreement) repair(row int) (slip outlier.Slip, ok bool) {
	one := a.t.Subset([]int{row})
	y := one.Target.Values[0]
	try := func(column int, factor, target float64) {
		if law := Predict(a.found.Best, one)[0]; !a.agrees(target, law) {
			return
		}
		s := outlier.Slip{Row: row, Column: column, Factor: factor}
		out := a.outside(s)
		if a.chance > 1 || !out && a.chance*float64(len(one.Vars)+1)*float64(len(outlier.Factors)) > 1 {
			return
		}
		if !ok || out && !a.outside(slip) {
			slip, ok = s, true
		}
	}
	for _, f := range outlier.Factors {
		for k := range one.Vars {
			v := one.Vars[k].Values
			was := v[0]
			v[0] *= f
			try(k, f, y)
			v[0] = was
		}
		try(outlier.Target, f, y*f)
	}
	return slip, ok
}

// outside reports whether a value with a slip is outside of the range of its column in the kept rows.
func (a agreement) outside(s outlier.Slip) bool {
	c := column(a.t, s).Values
	kept := a.t.Subset(outlier.Others(a.t.Rows(), a.found.Outliers))
	others := column(kept, s).Values
	return c[s.Row] < slices.Min(others) || c[s.Row] > slices.Max(others)
}

// column returns the column of a slip.
func column(t *dataset.Table, s outlier.Slip) dataset.Column {
	if s.Column == outlier.Target {
		return t.Target
	}
	return t.Vars[s.Column]
}

// apart returns the bits of the rows that a law leaves out: which they are, and their values. The
// value of a row with a slip follows from the law and the slip; where the order of the rows shows
// the slip, no law is needed to tell it.
func (found *Result) apart(t *dataset.Table, slips map[int]outlier.Slip) (bits float64) {
	n := float64(t.Rows())
	asOthers := found.dataBits / (n - float64(len(found.Outliers)))
	shown := outlier.Slips(columns(t))
	for _, row := range found.Outliers {
		s, slipped := slips[row]
		switch {
		case slipped && slices.Contains(shown, s):
			bits += asOthers
		case slipped:
			bits += asOthers + math.Log2(n*float64(len(t.Vars)+1)*float64(len(outlier.Factors)))
		default:
			bits += math.Log2(n) + math.Log2(4*floats.Norm(t.Target.Values, math.Inf(1)))
		}
	}
	return bits
}

// tellSlip says which value of a row was meant.
func tellSlip(t *dataset.Table, s outlier.Slip) string {
	c := column(t, s)
	v := c.Values[s.Row]
	return fmt.Sprintf("%s was left out: %s = %.6g would agree with the others as %.6g (a misplaced point or another unit); correct it, and nothing is left out",
		t.RowNames([]int{s.Row}), c.Name, v, v*s.Factor)
}
