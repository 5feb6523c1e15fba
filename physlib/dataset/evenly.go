package dataset

// Evenly returns k evenly spaced rows from 0 to n-1, including the first and the last. k must be
// from 2 to n.
func Evenly(n, k int) []int {
	rows := make([]int, k)
	for i := range rows {
		rows[i] = i * (n - 1) / (k - 1)
	}
	return rows
}
