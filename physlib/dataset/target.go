package dataset

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// lastColumn makes the last column of numbers the target. If its name is that of standard errors,
// the target is the column before it.
func (t *reader) lastColumn() {
	numbers := t.quantities()
	n := len(numbers)
	if n == 0 {
		return
	}
	if !t.options.Given && t.meanAndError(numbers) {
		return
	}
	if last := &t.columns[numbers[n-1]]; !t.options.Given && n > 2 && (countsRows(last) || t.countsRepeats(numbers)) {
		n--
		numbers = numbers[:n]
		what := "the repeats"
		if counts(last.Values) {
			what = fmt.Sprintf("the rows from %g", last.Values[0])
		}
		t.warn("the last column, %s, counts %s, so it is not the target; to choose another, give --target", last.Name, what)
	}
	t.target = numbers[n-1]
	if len(t.errorsOf) > 0 && n >= 3 && t.sigma < 0 && t.targetOfErrors(numbers) {
		return
	}
	defer func() { t.warnOfAuxiliary(numbers) }()
	if n < 3 || t.sigma >= 0 {
		return
	}
	t.targetBeforeErrors(numbers[n-2], numbers[n-1])
}

// quantities returns the indices of the columns of numbers, except those that options name as
// errors.
func (t *reader) quantities() (numbers []int) {
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind != textKind && i != t.sigma && !slices.Contains(t.options.Errors, c.Name) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// targetBeforeErrors makes the column before the last one the target if the last one holds its
// standard errors.
func (t *reader) targetBeforeErrors(before, last int) {
	zero, possible := firstZero(t.columns[last].Values)
	if !possible || !isErrorName(t.columns[last].Name, t.columns[before].Name) {
		return
	}
	a, b := t.columns[before].Column, t.columns[last].Column
	written := b
	if shares(b, a) {
		t.share = commonShare(b.Values)
		b.Unit, b.HasUnit, b.Values = a.Unit, a.HasUnit, slices.Clone(b.Values)
		for i, y := range a.Values {
			b.Values[i] *= math.Abs(y) / 100
		}
		t.columns[last].Column = b
		t.warn("column %s: errors are read as per cent of %s", b.Name, a.Name)
	}
	if a.HasUnit && b.HasUnit && a.Unit.Dim != b.Unit.Dim || !errorSized(b.Values, a.Values) {
		return
	}
	stress := (b.Name == "sigma" || b.Name == "σ") && zero == 0 && rises(b.Values)
	if stress || isDelta(b.Name, a.Name) && !constant(b.Values) && !t.deltaIsError(last, before) {
		t.warn("the last column, %s, is the target: if it holds standard errors of %s, give --target %[2]s --noise %[1]s", b.Name, a.Name)
		return
	}
	if t.zeroErrors(last, before) {
		t.columns[last].Column = written
		if !t.options.Given {
			t.target = before
		}
		return
	}
	t.target, t.sigma = before, last
	t.warn("the last column, %s, is read as the standard errors of %s, the target; if that is wrong, give --target and --noise", b.Name, a.Name)
}

// rises reports whether each value is larger than the one before.
func rises(values []float64) bool {
	for k := 1; k < len(values); k++ {
		if !(values[k] > values[k-1]) {
			return false
		}
	}
	return true
}

// countNames are usual names of numbers of observations.
var countNames = []string{"n", "count", "counts", "n_obs", "nobs", "observations", "repeats", "replicates", "anzahl"}

// countsRepeats reports whether the last of the columns contains numbers of repeated measurements.
// Such a column is called n, count or the like, and comes after a column of standard errors.
func (t *reader) countsRepeats(numbers []int) bool {
	last := &t.columns[numbers[len(numbers)-1]]
	if !slices.Contains(countNames, strings.ToLower(last.Name)) || slices.ContainsFunc(last.Values, func(v float64) bool { return v < 1 || v != math.Trunc(v) }) {
		return false
	}
	return slices.ContainsFunc(numbers[1:len(numbers)-1], func(i int) bool {
		name := strings.ToLower(t.columns[i].Name)
		_, isError := t.errorsOf[i]
		return isError || slices.Contains(errorWords, name)
	})
}

// extremeNames are usual names of statistics in columns next to those of mean and error.
var extremeNames = []string{"min", "max", "minimum", "maximum", "median", "range"}

// meanAndError finds a column called mean, followed by one called std or the like. It makes them
// the target and its standard errors, and removes the columns after them. It does so only if all of
// those columns contain extremes or numbers of observations.
func (t *reader) meanAndError(numbers []int) bool {
	name := func(i int) string { return strings.ToLower(t.columns[i].Name) }
	at := slices.IndexFunc(numbers, func(i int) bool {
		return slices.Contains([]string{"mean", "average", "avg", "mittelwert", "moyenne"}, name(i))
	})
	if at < 1 || at+2 >= len(numbers) || t.sigma >= 0 || !slices.Contains(errorWords, name(numbers[at+1])) {
		return false
	}
	if _, ok := firstZero(t.columns[numbers[at+1]].Values); !ok {
		return false
	}
	rest := numbers[at+2:]
	if slices.ContainsFunc(rest, func(i int) bool {
		return t.named[i] || !slices.Contains(extremeNames, name(i)) && !slices.Contains(countNames, name(i))
	}) {
		return false
	}
	var names []string
	for _, i := range rest {
		names = append(names, t.columns[i].Name)
	}
	t.active = slices.DeleteFunc(t.active, func(i int) bool { return slices.Contains(rest, i) })
	t.target = numbers[at]
	t.takeSigma(numbers[at+1])
	t.warn("%s left out; --columns keeps them", hold(names, "describes the target as well and is", "describe the target as well and are"))
	return true
}

// auxiliary matches names of quantities that describe another column, such as its errors or its
// deviation from a fit.
var auxiliary = regexp.MustCompile(`(?i)^(?:tol|tolerance|var|variance|varianz|rel_err(?:or)?|relative_error|resid(?:ual)?s?|residuum|weights?|flag|chi2|quality_flag|x2σ|incert.*|.*_var|.*_CI|.*_flag|.*_weight)$`)

// warnOfAuxiliary warns of a target that describes another column according to its name.
func (t *reader) warnOfAuxiliary(numbers []int) {
	if n := len(numbers); n > 2 && t.target == numbers[n-1] && auxiliary.MatchString(t.columns[t.target].Name) {
		t.warn("the last column, %s, is the target: if it only describes %s, give --target %[2]s --ignore %[1]s", t.columns[t.target].Name, t.columns[numbers[n-2]].Name)
	}
}

// countsRows reports whether a column counts the rows, and has a usual name for row numbers or for
// a number of observations.
func countsRows(h *columnReader) bool {
	name := strings.ToLower(h.Name)
	return counts(h.Values) && (slices.Contains(indexNames, name) || slices.Contains(countNames, name))
}
