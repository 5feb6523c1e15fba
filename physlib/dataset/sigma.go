package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// shares reports whether the values in the column errors are percentages of the values in the
// column `of`. It returns false if the column `of` contains a zero.
func shares(errors, of Column) bool {
	return errors.HasUnit && errors.Unit.Name == "%" && !(of.HasUnit && of.Unit.Name == "%") && !slices.Contains(of.Values, 0)
}

// commonShare returns the share that errors in per cent state for all rows, or 0 if they differ.
func commonShare(errors []float64) float64 {
	if !constant(errors) {
		return 0
	}
	return errors[0] / 100
}

// errorSized reports whether most values of errors are smaller than the range of the quantity. If
// not, the column contains another quantity, such as a stress sigma next to a temperature.
func errorSized(errors, of []float64) bool {
	reach, small := slices.Max(of)-slices.Min(of), 0
	for _, e := range errors {
		if e < reach {
			small++
		}
	}
	return 2*small > len(errors)
}

// isErrorName reports whether a column's name is that of the standard errors of another column.
func isErrorName(name, of string) bool {
	if name == "SE" { // selenium is Se
		return true
	}
	name, of = strings.ToLower(name), strings.ToLower(of)
	return slices.Contains(wholeErrorNames, name) || namesErrors(name, of) || namesErrors(name, initial(of)) || isDelta(name, of)
}

// wholeErrorNames are names of columns of errors that do not contain the name of the quantity. They
// are errorWords without se, which may mean selenium, and some names that are too long or too
// special to be part of another name.
var wholeErrorNames = append(slices.DeleteFunc(slices.Clone(errorWords), func(word string) bool { return word == "se" }),
	"standard_error", "s_d", "standard_deviation", "yerr", "y_err", "error_y")

// isDelta reports whether a column's name may mean errors of another column, but also a difference
// or another quantity. Examples are dy, Δy and s_y.
func isDelta(name, of string) bool {
	if isStandardDeviation(name, of) {
		return true
	}
	sign, ok := strings.CutSuffix(strings.ToLower(name), strings.ToLower(of))
	return ok && slices.Contains([]string{"d", "d_", "e_", "δ", "δ_", "delta", "delta_", "u_"}, sign)
}

// isStandardDeviation reports whether a column's name is s_ followed by the name of another column,
// or s followed by a name of one letter, as in sy.
func isStandardDeviation(name, of string) bool {
	return name == "s_"+of || name == "s"+of && utf8.RuneCountInString(of) == 1
}

// standardErrors reads the column of the target's standard errors and converts it to the target's
// unit.
func (t *reader) standardErrors(table *Table) error {
	sigma, target := t.columns[t.sigma], table.Target
	for k, v := range sigma.Values {
		if v <= 0 {
			return t.fail(t.rows[k], place(t.sigma, sigma.Name), fmt.Sprintf("the standard error %g is not positive", v), "give positive ones, choose another sigma column, or leave out such rows with --drop")
		}
	}
	if sigma.HasUnit && target.HasUnit {
		if sigma.Unit.Dim != target.Unit.Dim {
			return t.fail(t.headerRow, place(t.sigma, sigma.Name), fmt.Sprintf("the standard errors are in %s, the target in %s", sigma.Unit, target.Unit), "give both the same unit")
		}
		if factor := sigma.Unit.Factor() / target.Unit.Factor(); factor != 1 {
			for i := range sigma.Values {
				sigma.Values[i] *= factor
			}
		}
	}
	table.Sigma, table.Share = sigma.Values, t.share
	return nil
}

// errorsInCells uses the standard errors that the target's cells contain, and warns of those in
// other columns.
func (t *reader) errorsInCells(table *Table) {
	var unused []string
	for _, i := range t.active {
		c := &t.columns[i]
		if !c.unsure || c.kind != numberKind {
			continue
		}
		if i != t.target || table.Sigma != nil || t.options.Known {
			unused = append(unused, c.Name)
			continue
		}
		bad := slices.IndexFunc(c.errors, func(s float64) bool { return !(s > 0) })
		switch {
		case bad >= 0 && c.errors[bad] == 0:
			t.warn("row %d, column %s: its standard error is 0, so the errors in the cells of %s are not used; correct it, or give --noise", t.rows[bad], c.Name, c.Name)
		case bad >= 0:
			t.warn("row %d, column %s: the cell has no standard error, so those of the other cells are not used; add it, or give --noise", t.rows[bad], c.Name)
		default:
			table.Sigma = c.errors
			t.warn("the standard errors of the target %s are those in its cells (called %s_err)", c.Name, c.Name)
		}
	}
	if len(unused) > 0 {
		t.warn("the standard errors in the cells of %s are not used: only the target's are, unless they are given otherwise", strings.Join(unused, ", "))
	}
}
