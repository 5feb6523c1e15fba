package motion

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// TestOneSigned expects that terms with |u| or sign(u) count as redundant only if u has one sign in
// all rows.
func TestOneSigned(t *testing.T) {
	columns := [][]float64{{3, 4, 5}, {1, 2, 7}, {-1, -2, -3}}
	for _, c := range []struct {
		term string
		want bool
	}{
		{"x*abs(x - z)", true},
		{"x*abs(x - y)", false},
		{"abs(z)*z", true},
		{"sign(x)", true},
		{"sign(x - y)", false},
		{"x*(x - z)", false},
		{"w*abs(w)", false}, // w has no column
	} {
		term, err := expr.Parse(c.term, []string{"x", "y", "z", "w"})
		if err != nil {
			t.Fatal(err)
		}
		if got := oneSigned(term, columns); got != c.want {
			t.Errorf("%s: %v, want %v", c.term, got, c.want)
		}
	}
}
