package dataset

import (
	"regexp"
	"slices"
	"strings"
)

// errorWords are words that turn the name of a quantity into the name of its standard errors.
var errorWords = []string{"err", "error", "errors", "sigma", "σ", "unc", "uncert", "uncertainty", "stderr", "std_err", "std_error", "se", "sem", "sd", "std", "stdev", "stddev", "std_dev", "stat_err", "sys_err", "total_err", "fehler", "unsicherheit", "incertitude"}

// meanOf matches the words that turn the name of a quantity into the name of its mean.
var meanOf = regexp.MustCompile(`^(?:mean|average|avg|mittelwert|moyenne)_(?:of_)?|_(?:mean|average|avg|mittelwert|moyenne|value|wert|valeur)$`)

// direction matches the words and numbers that distinguish upper and lower errors.
var direction = regexp.MustCompile(`_(?:up|upper|plus|pos|high|hi|down|lower|minus|neg|low|lo)$|[12]$`)

// again matches the number at the end of a repeated name (see [reader.distinct]).
var again = regexp.MustCompile(`_\d+$`)

// namesErrorOf reports whether the name in h is that of the standard errors of the column in `of`,
// as in x_err, errx, sigma_x or u(x). delta reports whether the name may also have another meaning:
// a difference, as dx and Δx, or another quantity, as sx and e_x.
func (h *columnReader) namesErrorOf(of *columnReader) (ok, delta bool) {
	name, base := h.Name, of.Name
	if name == base+"_err" && slices.Contains(plusMinus, h.written) || h.written == "u("+of.written+")" {
		return true, false
	}
	if sign, ok := strings.CutSuffix(name, base); ok && slices.Contains([]string{"d", "d_", "e_", "Δ", "Δ_", "δ", "δ_", "delta", "delta_", "Delta", "Delta_", "u_"}, sign) || isStandardDeviation(name, base) {
		return true, true
	}
	name, base = strings.ToLower(name), strings.ToLower(base)
	return namesErrors(name, base) || namesErrors(name, meanOf.ReplaceAllString(base, "")), false
}

// namesErrors reports whether a name consists of base and a word for errors.
func namesErrors(name, base string) bool {
	if base == "" {
		return false
	}
	name = direction.ReplaceAllString(name, "")
	for _, word := range errorWords {
		if name == base+"_"+word || name == word+"_"+base || name == word+"_of_"+base || name == word+"_in_"+base || len(word) > 2 && (name == base+word || name == word+base) {
			return true
		}
	}
	return false
}

// bases maps names to the indices of columns. Each key is a name that may stand for the quantity of
// these columns inside the name of its standard errors. The keys are in lower case, with and
// without a word for a mean. For a heading x, there is also the key u(x).
type bases map[string][]int

// basesAmong returns the bases of the given columns.
func (t *reader) basesAmong(columns []int) bases {
	b := bases{}
	for _, i := range columns {
		h := &t.columns[i]
		name := strings.ToLower(h.Name)
		for _, base := range []string{name, meanOf.ReplaceAllString(name, ""), "u(" + strings.ToLower(h.written) + ")"} {
			if at := b[base]; len(at) == 0 || at[len(at)-1] != i {
				b[base] = append(at, i)
			}
		}
	}
	return b
}

// longestAffix is the largest length in bytes of a text that turns the name of a quantity into that
// of its errors, rounded up. An example is uncertainty_of_.
const longestAffix = 24

// of returns the indices of the columns whose errors may be in h, in ascending order. The name of h
// begins or ends with the name of each of these columns (see [columnReader.namesErrorOf]).
func (b bases) of(h *columnReader) (columns []int) {
	name := strings.ToLower(h.Name)
	for _, name := range []string{name, direction.ReplaceAllString(name, "")} {
		for n := max(1, len(name)-longestAffix); n < len(name); n++ {
			columns = append(append(columns, b[name[:n]]...), b[name[len(name)-n:]]...)
		}
	}
	if written := strings.ToLower(h.written); strings.HasPrefix(written, "u(") {
		columns = append(columns, b[written]...)
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// initial returns the first letter of a name in lower case. The name of a column of errors may
// contain only this letter of the quantity's name, as M_std_err next to Moment.
func initial(name string) string {
	for _, r := range strings.ToLower(name) {
		return string(r)
	}
	return ""
}

// repeatedWords returns the words for errors, such as sigma, that are the whole name of several
// columns.
func (t *reader) repeatedWords() map[string]bool {
	repeated := map[string]bool{}
	if !t.twice {
		return repeated
	}
	seen := map[string]bool{}
	for i := range t.columns {
		name := bare(t.columns[i].Name)
		repeated[name] = seen[name] && slices.Contains(errorWords, name)
		seen[name] = true
	}
	return repeated
}

// bare returns a name in lower case and without the number that distinguishes it from equal names.
func bare(name string) string { return again.ReplaceAllString(strings.ToLower(name), "") }
