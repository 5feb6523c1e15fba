package spelling

import "fmt"

// Count returns a number with its noun, in the plural unless n is 1: "1 row", "3 rows".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
