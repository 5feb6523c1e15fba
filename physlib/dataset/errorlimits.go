package dataset

import (
	"regexp"
	"slices"
)

// lowerLimit and upperLimit match the names of the limits of a confidence interval.
var (
	lowerLimit = regexp.MustCompile(`(?i)(?:^|_)(?:lower|lwr|lcl|lcb|ci_?low|ci_?lo|ci_?l|ci_?lower|lower_?(?:ci|95|limit|bound))$`)
	upperLimit = regexp.MustCompile(`(?i)(?:^|_)(?:upper|upr|ucl|ucb|ci_?high|ci_?hi|ci_?u|ci_?upper|upper_?(?:ci|95|limit|bound))$`)
)

// limits removes pairs of columns that contain the limits of a confidence interval. The names of
// the two columns must match lowerLimit and upperLimit, and the limits must enclose the values of
// another column in every row.
func (t *reader) limits() {
	var numbers []int
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind == numberKind && len(c.Values) > 0 {
			numbers = append(numbers, i)
		}
	}
	free := func(i int) bool { return i != t.target && i != t.sigma && !t.named[i] }
	if len(numbers) < 4 { // with fewer columns, no variable might be left
		return
	}
	for k := 0; k+1 < len(numbers); k++ {
		low, high := numbers[k], numbers[k+1]
		if !lowerLimit.MatchString(t.columns[low].Name) {
			low, high = high, low
		}
		if !lowerLimit.MatchString(t.columns[low].Name) || !upperLimit.MatchString(t.columns[high].Name) || !free(low) || !free(high) {
			continue
		}
		of := slices.IndexFunc(numbers, func(i int) bool { return i != low && i != high && t.encloses(low, high, i) })
		if of < 0 {
			continue
		}
		t.active = slices.DeleteFunc(t.active, func(i int) bool { return i == low || i == high })
		t.warn("columns %s and %s enclose %s in every row, are read as limits of its error and are not variables; --columns keeps them", t.columns[low].Name, t.columns[high].Name, t.columns[numbers[of]].Name)
		k++
	}
}

// encloses reports whether column i is between the columns low and high in every row.
func (t *reader) encloses(low, high, i int) bool {
	a, b, v := t.columns[low].Values, t.columns[high].Values, t.columns[i].Values
	for k := range v {
		if !(a[k] <= v[k] && v[k] <= b[k]) && a[k]-a[k] == 0 && b[k]-b[k] == 0 && v[k]-v[k] == 0 {
			return false
		}
	}
	return true
}
