package spelling

import (
	"fmt"
	"strings"
)

// Count returns a number with its noun. The noun is in the plural unless n is 1: "1 row", "3 rows".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// List returns the first twelve names and the number of further names: "a, b, c and 2 more".
func List(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
