package invariant

import "testing"

func TestEnough(t *testing.T) {
	for _, c := range []struct {
		rows, runs int
		want       string
	}{
		{1, 1, "1 row is too few for an invariant; give at least 9 rows"},
		{8, 1, "8 rows are too few for an invariant; give at least 9 rows"},
		{9, 1, ""},
		{9, 2, "9 rows in 2 runs are too few for a conserved quantity, which needs 8 and one in each run; give at least 10 rows, or fewer runs"},
		{10, 2, ""},
	} {
		got := ""
		if err := Enough(c.rows, c.runs); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d rows in %d runs: %q, want %q", c.rows, c.runs, got, c.want)
		}
	}
}
