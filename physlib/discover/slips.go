package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/outlier"
)

// slip is a wrong value in a row that is left out.
type slip struct {
	outlier.Slip
	shown bool // the value breaks the order of its column, so no law is needed to notice it
}

// slips returns the slip, if any, in each row of found.Outliers. A slip is a value that breaks the
// order of its column. It is also a value that agrees with the law of the other rows if it is
// multiplied by one of outlier.Factors. Rows that are left out for another reason have no entry.
func (found *Result) slips(t *dataset.Table) map[int]slip {
	out := map[int]slip{}
	for _, s := range outlier.Slips(columns(t)) {
		if slices.Contains(found.Outliers, s.Row) {
			out[s.Row] = slip{s, true}
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
			out[row] = slip{s, false}
		}
	}
	return out
}

// agreement holds the errors of the kept rows, to decide whether another row agrees with the law.
type agreement struct {
	found   *Result
	t, kept *dataset.Table
	// Standard deviations of the kept rows' errors, and of errors relative to the law.
	equal, relative float64
	// Probability that a random value agrees with the law by chance.
	chance float64
}

// agreement measures how well the law of found agrees with the rows of t that found kept.
func (found *Result) agreement(t *dataset.Table) agreement {
	a := agreement{found: found, t: t, kept: t.Subset(outlier.Complement(t.Rows(), found.Outliers))}
	y := a.kept.Target.Values
	var ratios []float64
	for i, v := range Predict(found.Best, a.kept) {
		d := y[i] - v
		a.equal += d * d
		if v != 0 {
			ratios = append(ratios, d/v)
		}
	}
	free := max(1, float64(len(y)-len(found.Best.Params())))
	a.equal = math.Sqrt(a.equal / free)
	// The estimate is robust, since a ratio is arbitrary where v is near zero.
	a.relative = outlier.Scale(ratios) * math.Sqrt(float64(len(y))/free)
	a.chance = 2 * maxAgreeing * a.equal / (slices.Max(y) - slices.Min(y))
	return a
}

// maxChance is the largest probability with which a value may agree with a law by chance.
const maxChance = 0.3

// repair looks for a slip in one value of row whose correction makes the row agree with the law. ok
// is false unless the law is so exact that a wrong value would rarely agree by chance. If there are
// several slips, repair prefers one in a value outside the range of the kept rows.
func (a agreement) repair(row int) (found outlier.Slip, ok bool) {
	one := a.t.Subset([]int{row})
	y := one.Target.Values[0]
	try := func(column int, factor, target float64) {
		if law := Predict(a.found.Best, one)[0]; !a.agrees(target, law) {
			return
		}
		s := outlier.Slip{Row: row, Column: column, Factor: factor}
		out := a.outside(s)
		if a.chance > maxChance || !out && a.chance*float64(len(one.Vars)+1)*float64(len(outlier.Factors)) > maxChance {
			return
		}
		if !ok || out && !a.outside(found) {
			found, ok = s, true
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
	return found, ok
}

// agrees reports whether y is as close to the law's value as the kept rows are.
func (a agreement) agrees(y, law float64) bool {
	d := math.Abs(y - law)
	return d <= maxAgreeing*a.equal || d <= maxAgreeing*a.relative*math.Abs(law)
}

// maxAgreeing is the largest difference between a corrected row and the law, in standard deviations
// of the kept rows.
const maxAgreeing = 4

// outside reports whether the value with slip s is outside the range of its column in the kept
// rows.
func (a agreement) outside(s outlier.Slip) bool {
	v, others := column(a.t, s).Values[s.Row], column(a.kept, s).Values
	return v < slices.Min(others) || v > slices.Max(others)
}

// column returns the column of t in which the slip s is.
func column(t *dataset.Table, s outlier.Slip) dataset.Column {
	if s.Column == outlier.Target {
		return t.Target
	}
	return t.Vars[s.Column]
}

// excludedBits returns the bits needed for the rows that a law excludes: their positions and
// values. The value of a row with a slip follows from the law and the slip. A slip that breaks the
// order of its column needs no further bits.
func (found *Result) excludedBits(t *dataset.Table, slips map[int]slip) (bits float64) {
	n := float64(t.Rows())
	asOthers := found.dataBits / (n - float64(len(found.Outliers)))
	for _, row := range found.Outliers {
		s, slipped := slips[row]
		switch {
		case slipped && s.shown:
			bits += asOthers
		case slipped:
			bits += asOthers + math.Log2(n*float64(len(t.Vars)+1)*float64(len(outlier.Factors)))
		default:
			bits += math.Log2(n) + math.Log2(4*floats.Norm(t.Target.Values, math.Inf(1)))
		}
	}
	return bits
}
