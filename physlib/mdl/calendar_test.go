package mdl

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// TestCalendar checks that years of the calendar count from the first one, and other columns from
// their own zero.
func TestCalendar(t *testing.T) {
	for _, test := range []struct {
		csv  string
		want string // the last variable over the columns
	}{
		{"year,n\n1990,3\n1991,5\n1995.5,6\n", "year - 1990"},
		{"Year [yr],n\n1790.5,3\n1800,5\n1810,6\n", "Year - 1790"},
		{"year,n\n1,3\n2,5\n3,6\n", "year"},
		{"t [s],n\n1990,3\n1991,5\n1995,6\n", "t"},
		{"x,n\n1990,3\n1991,5\n1995,6\n", "x"},
	} {
		table, _, err := dataset.Read(strings.NewReader(test.csv), "table.csv", dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := New(table, nil, true)
		names := []string{table.Vars[0].Name}
		law := expr.X(len(m.Cols) - 1)
		lowered := m.Lower(law)
		if got := lowered.Infix(names); got != test.want {
			t.Errorf("%q: the last variable is %s, want %s", test.csv, got, test.want)
		}
		if !expr.Equal(m.Lift(lowered), law) {
			t.Errorf("%q: %s is not lifted", test.csv, test.want)
		}
	}
}
