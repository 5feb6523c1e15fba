package dataset

// Evenly returns k of the rows from 0 to n-1, evenly spaced, with the first and the last. k is from
// 2 to n.
func Evenly(n, k int) []int {
	rows := make([]int, k)
	for i := range rows {
		rows[i] = i * (n - 1) / (k - 1)
	}
	return rows
}
