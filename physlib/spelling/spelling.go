// Package spelling helps to write messages. It writes numbers with a noun in the singular or
// plural. It also finds the name that a user probably meant, such as the name of a unit, a column
// or an operator.
package spelling

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest returns the name nearest to word, or "" if no name is near. If several are equally near,
// it returns the first. A letter in the wrong case counts less than other errors. A name is near if
// it differs from a short word in at most half of the letters, or from a word of 12 letters in at
// most a third.
func Nearest(word string, names []string) string {
	n := utf8.RuneCountInString(word)
	return nearest(word, names, min(10*min(max(n/2, 1), 2+n/6)+1, 10*n))
}

// Closest returns the name nearest to word at any distance, or "" if there are no names. If several
// are equally near, it returns the first.
func Closest(word string, names []string) string { return nearest(word, names, math.MaxInt) }

// nearest returns the first name of the least distance to word, if that is below limit.
func nearest(word string, names []string, limit int) (best string) {
	w := []rune(word)
	for _, name := range names {
		if d := len(w) - utf8.RuneCountInString(name); 10*max(d, -d) >= limit {
			continue
		}
		c := distance(w, []rune(name))
		if strings.EqualFold(word, name) {
			c = min(c, 9)
		}
		if c < limit {
			best, limit = name, c
		}
	}
	return best
}

// distance returns ten times the Damerau–Levenshtein distance (optimal string alignment).
// Exceptions: a letter in the wrong case costs 3, and a swap of neighbours 8.
func distance(a, b []rune) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = 10 * j
	}
	for i := range a {
		next[0] = 10 * (i + 1)
		for j := range b {
			c := 10
			switch {
			case a[i] == b[j]:
				c = 0
			case unicode.ToLower(a[i]) == unicode.ToLower(b[j]):
				c = 3
			}
			next[j+1] = min(row[j]+c, row[j+1]+10, next[j]+10)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+8)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
