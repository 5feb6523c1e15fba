package unit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// suggestion is the valid name nearest to token, or "".
func suggestion(token string) string {
	if hint, ok := confusions[token]; ok {
		return hint
	}
	word := []rune(token)
	best, bestCost := "", 10*min(len(word), 2+len(word)/6) // so that "x" does not suggest "m"
	bestRank := 0
	for name, e := range index() {
		if d := len(word) - utf8.RuneCountInString(name); 10*max(d, -d) > bestCost {
			continue
		}
		c := editCost(word, []rune(name))
		if strings.EqualFold(token, name) {
			c = min(c, 3)
		}
		if c > bestCost || c >= 10*len(word) {
			continue
		}
		if best == "" || c < bestCost || e.rank < bestRank || e.rank == bestRank && name < best {
			best, bestCost, bestRank = name, c, e.rank
		}
	}
	return best
}

// editCost is the Damerau-Levenshtein distance of a and b times ten, where a wrong case costs only 3 and a swap of
// neighbours 8.
func editCost(a, b []rune) int {
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
