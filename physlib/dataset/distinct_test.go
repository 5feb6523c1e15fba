package dataset

import "testing"

// In a long table, the different rows are counted if they are few. If they are many, all rows count
// as different.
func TestDistinctLong(t *testing.T) {
	const rows = 12_000
	few, many := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		few[i], many[i] = float64(i%7), float64(i/2)
	}
	if n := Distinct([][]float64{few}, rows); n != 7 {
		t.Errorf("%d different rows, want 7", n)
	}
	if n := Distinct([][]float64{many}, rows); n != rows {
		t.Errorf("%d different rows, want all", n)
	}
}
