package dataset

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// errorColumns finds, by name and size, the columns that contain standard errors of other columns.
// It sets errorsOf, which maps each such column to the column of its quantity. For a single column
// called dx, it requires more evidence than for x_err.
func (t *reader) errorColumns() {
	t.errorsOf = map[int]int{}
	if t.options.Given {
		return
	}
	var numbers, deltas []int
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind != textKind && len(c.Values) > 0 {
			numbers = append(numbers, i)
		}
	}
	bases, repeated := t.basesAmong(numbers), t.repeatedWords()
	for k, i := range numbers {
		h := &t.columns[i]
		if i == t.target || i == t.sigma || t.named[i] || slices.Contains(t.options.Errors, h.Name) {
			continue
		}
		of, delta := -1, false
		for _, j := range bases.of(h) {
			if ok, d := h.namesErrorOf(&t.columns[j]); ok && i != j && (of < 0 || !d) {
				of, delta = j, d
			}
		}
		if of < 0 && k > 0 && (repeated[bare(h.Name)] || namesErrors(strings.ToLower(h.Name), initial(t.columns[numbers[k-1]].Name))) {
			of = numbers[k-1]
			if both, ok := t.errorsOf[of]; ok { // column `of` also holds errors: +err, -err
				of = both
			}
		}
		if of >= 0 && lowerError.MatchString(h.Name) && negative(h.Values) {
			for k := range h.Values {
				h.Values[k] = -h.Values[k]
			}
			t.warn("column %s: its errors are written with a minus, which is left out", h.Name)
		}
		switch {
		case of < 0:
		case !t.errorsFit(i, of):
			if !delta && i != numbers[len(numbers)-1] {
				t.warn("column %s has a name like standard errors of %s, but its values are not small and positive, so it is a variable; --ignore %s leaves it out", h.Name, t.columns[of].Name, h.Name)
			}
		case delta:
			deltas = append(deltas, i, of)
		default:
			t.errorsOf[i] = of
		}
	}
	t.deltas(numbers, deltas)
}

// lowerError matches the names of lower errors.
var lowerError = regexp.MustCompile(`_(?:down|lower|minus|neg|low|lo)$`)

// negative reports whether no value is above 0 and some are below.
func negative(values []float64) bool {
	some := false
	for _, v := range values {
		if v > 0 {
			return false
		}
		some = some || v < 0
	}
	return some
}

// deltas adds to errorsOf the columns called dx or Δx that contain errors. If there are two or more
// such columns, or columns of errors with clearer names, all columns called dx or Δx count as
// errors. A single such column counts if [reader.deltaIsError] holds. pairs alternately lists the
// columns and their quantities.
func (t *reader) deltas(numbers, pairs []int) {
	several := len(pairs) > 2 || len(t.errorsOf) > 0
	for k := 0; k < len(pairs); k += 2 {
		i, of := pairs[k], pairs[k+1]
		last := i == numbers[len(numbers)-1]
		if several || !last && t.deltaIsError(i, of) {
			t.errorsOf[i] = of
		} else if !last {
			t.warn("column %s is a variable: if it holds standard errors of %s, leave it out with --ignore %[1]s", t.columns[i].Name, t.columns[of].Name)
		}
	}
}

// scaledErrors returns the values of column i, converted to the unit of the column with index `of`.
// ok is false if the units of the two columns are not compatible.
func (t *reader) scaledErrors(i, of int) ([]float64, bool) {
	a, b := t.columns[i].Column, t.columns[of].Column
	if !a.HasUnit || !b.HasUnit {
		return a.Values, true
	}
	if shares(a, b) {
		scaled := slices.Clone(a.Values)
		for k := range scaled {
			scaled[k] *= math.Abs(b.Values[k]) / 100
		}
		return scaled, true
	}
	if a.Unit.Dim != b.Unit.Dim {
		return nil, false
	}
	factor := a.Unit.Factor() / b.Unit.Factor()
	if factor == 1 {
		return a.Values, true
	}
	scaled := slices.Clone(a.Values)
	for k := range scaled {
		scaled[k] *= factor
	}
	return scaled, true
}

// errorsFit reports whether column i may contain standard errors of the column with index `of`.
// None may be negative, some must be positive, and most must be smaller than the range of the
// quantity.
func (t *reader) errorsFit(i, of int) bool {
	values, ok := t.scaledErrors(i, of)
	if !ok {
		return false
	}
	low, high := finiteRange(t.columns[of].Values)
	small, seen, some := 0, 0, false
	for _, v := range values {
		switch {
		case v-v != 0:
			continue
		case v < 0:
			return false
		case v < high-low:
			small++
		}
		seen++
		some = some || v > 0
	}
	return some && 2*small > seen
}

// finiteRange returns the smallest and the largest finite value.
func finiteRange(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v-v == 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// deltaIsError reports whether a single column dx contains errors rather than steps between
// neighbouring values. Errors are small compared with the range of x. In addition, they have few
// different values or are a fixed share of x.
func (t *reader) deltaIsError(i, of int) bool {
	dx, ok := t.scaledErrors(i, of)
	x := t.columns[of].Values
	low, high := finiteRange(x)
	if _, largest := finiteRange(dx); !ok || largest > 0.2*(high-low) {
		return false
	}
	distinct, steps, share := map[float64]bool{}, 0, true
	for k, d := range dx {
		distinct[d] = true
		share = share && math.Abs(d*x[0]-dx[0]*x[k]) <= 0.02*math.Abs(dx[0]*x[k])
		if k > 0 && (near(math.Abs(x[k]-x[k-1]), d) || near(math.Abs(x[k]-x[k-1]), dx[k-1])) {
			steps++
		}
	}
	return 2*steps < len(dx) && (3*len(distinct) <= len(dx)+2 || share)
}

// near reports whether a deviates from b by at most a thousandth.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-3*math.Abs(b) }

// targetOfErrors handles tables that end with columns of errors. It makes the last column without
// errors the target. It returns false if the usual rule for the target applies.
func (t *reader) targetOfErrors(numbers []int) bool {
	target := -1
	for _, i := range numbers {
		if _, ok := t.errorsOf[i]; !ok {
			target = i
		}
	}
	sigma := t.errorsOfColumn(target)
	last := numbers[len(numbers)-1]
	_, lastIsError := t.errorsOf[last]
	if target < 0 || !lastIsError || sigma == last && len(t.errorsOf) == 1 && target == numbers[len(numbers)-2] {
		return false
	}
	t.target = target
	if sigma >= 0 {
		t.takeSigma(sigma)
	}
	return true
}

// errorsOfColumn returns the column of standard errors of the column with index `of`: the first
// without a zero, or else the first. It returns -1 if there is none.
func (t *reader) errorsOfColumn(of int) int {
	withZero := -1
	for _, i := range slices.Sorted(maps.Keys(t.errorsOf)) {
		if t.errorsOf[i] != of {
			continue
		}
		zero, ok := firstZero(t.columns[i].Values)
		if ok && zero < 0 {
			return i
		}
		if ok && withZero < 0 {
			withZero = i
		}
	}
	return withZero
}

// firstZero returns the index of the first zero among standard errors, or -1 if none is 0. ok is
// false if the values cannot be standard errors, because some are negative or none is positive.
func firstZero(values []float64) (at int, ok bool) {
	at = -1
	for k, v := range values {
		if v < 0 {
			return at, false
		}
		if v == 0 && at < 0 {
			at = k
		}
		ok = ok || v > 0
	}
	return at, ok
}

// takeSigma makes column i the column of the target's standard errors, with a warning. If some of
// them are 0, and rows with such errors are not to be left out, it removes the column instead.
func (t *reader) takeSigma(i int) {
	c, of := &t.columns[i], &t.columns[t.target]
	if t.zeroErrors(i, t.target) {
		return
	}
	if shares(c.Column, of.Column) {
		t.share = commonShare(c.Values)
		c.Values, _ = t.scaledErrors(i, t.target)
		c.Unit, c.HasUnit = of.Unit, of.HasUnit
		t.warn("column %s: errors are read as per cent of %s", c.Name, of.Name)
	}
	t.sigma = i
	t.warn("column %s is read as the standard errors of %s, the target; if that is wrong, give --target and --noise", c.Name, of.Name)
}

// zeroErrors removes a column of standard errors, with a warning, if some of them are 0. It keeps
// the column if rows with such errors are left out (Options.Drop). It reports whether it removed
// the column. i is the column of the errors, and `of` the column of their quantity.
func (t *reader) zeroErrors(i, of int) bool {
	c := &t.columns[i]
	zero, _ := firstZero(c.Values)
	if zero < 0 || t.options.Drop {
		return false
	}
	t.warn("row %d, column %s: this standard error of %s is 0, so the errors in the column are not used; correct it, or leave out such rows with --drop", t.rows[zero], c.Name, t.columns[of].Name)
	if !t.options.Given { // a given law may contain any column
		t.active = slices.DeleteFunc(slices.Clone(t.active), func(k int) bool { return k == i })
	}
	return true
}

// sigmaOfTarget finds the column of standard errors of a target that the user chose by name. It is
// named after the target, or it is the last column, after the target, and called sigma or the like.
func (t *reader) sigmaOfTarget() {
	if t.sigma >= 0 || t.options.Known {
		return
	}
	if i := t.errorsOfColumn(t.target); i >= 0 {
		t.takeSigma(i)
		return
	}
	numbers := t.quantities()
	n := len(numbers)
	if n < 3 || numbers[n-2] != t.target || t.options.Given {
		return
	}
	last := numbers[n-1]
	c := &t.columns[last]
	if !t.named[last] && slices.Contains(wholeErrorNames, strings.ToLower(c.Name)) && !rises(c.Values) && t.errorsFit(last, t.target) {
		t.takeSigma(last)
	}
}

// inputErrors removes the columns that contain errors of columns other than the target.
func (t *reader) inputErrors() {
	active := t.active[:0:0]
	for _, i := range t.active {
		of, ok := t.errorsOf[i]
		if !ok || i == t.target || i == t.sigma {
			active = append(active, i)
			continue
		}
		name, x, y := t.columns[i].Name, t.columns[of].Name, t.columns[t.target].Name
		if of == t.target && t.sigma < 0 && !t.options.Known {
			t.warn("column %s holds standard errors of %s by its name and is not a variable, but they are not used; --noise %[1]s makes use of them, and --columns keeps it as a variable", name, x)
			continue
		}
		if of == t.target {
			t.warn("column %s is read as the standard errors of %s and is not a variable; list it in --columns to keep it as one", name, x)
			continue
		}
		errors := "…"
		if t.sigma >= 0 {
			errors = t.columns[t.sigma].Name
		}
		t.warn("column %s is read as the standard errors of %s and is not a variable; --sigma %s=%s,%s=%s makes use of it, and --columns keeps it as a variable", name, x, y, errors, x, name)
	}
	t.active = active
}

// ErrorsIn converts standard errors in the unit of column c to the unit of column `of`. If one of
// the two columns has no unit, it returns them unchanged.
func ErrorsIn(sigma []float64, c, of Column) []float64 {
	if !c.HasUnit || !of.HasUnit {
		return sigma
	}
	return floats.ScaleTo(make([]float64, len(sigma)), c.Unit.Factor()/of.Unit.Factor(), sigma)
}
