package outlier

import (
	"slices"
)

// Complement returns the rows from 0 to n-1 that are not in out. out must be in rising order.
func Complement(n int, out []int) []int {
	rows := make([]int, 0, n-len(out))
	for i := range n {
		if len(out) > 0 && out[0] == i {
			out = out[1:]
			continue
		}
		rows = append(rows, i)
	}
	return rows
}

// Union returns the rows of a and b in rising order.
func Union(a, b []int) []int {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Intersect returns the rows that are in a as well as in b. a and b must be in rising order.
func Intersect(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(a), func(i int) bool { _, found := slices.BinarySearch(b, i); return !found })
}

// Difference returns the rows of a that are not in b. a and b must be in rising order.
func Difference(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(a), func(i int) bool { _, found := slices.BinarySearch(b, i); return found })
}
