package mdl

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// TestCalendar checks that years and dates are counted from the first one, and other columns from
// their own zero.
func TestCalendar(t *testing.T) {
	for _, test := range []struct {
		csv  string
		want string // the last variable, as an expression in the columns
	}{
		{"year,n\n1990,3\n1991,5\n1995.5,6\n", "year - 1990"},
		{"Year [yr],n\n1790.5,3\n1800,5\n1810,6\n", "Year - 1790"},
		{"date,n\n45001,3\n45002,5\n45010,6\n", "date - 45001"},
		{"JD [d],n\n2459000.5,3\n2459001.25,5\n2459003,6\n", "JD - 2459000"},
		{"timestamp [s],n\n1700000000,3\n1700000060,5\n1700000190,6\n", "timestamp - 1700000000"},
		{"year,n\n1,3\n2,5\n3,6\n", "year"},
		{"t [s],n\n1990,3\n1991,5\n1995,6\n", "t"},
		{"t [s],n\n1500,3\n5000,5\n9000,6\n", "t"},
		{"T [K],n\n5000,3\n5100,5\n5170,6\n", "T"},
		{"x,n\n1990,3\n1991,5\n1995,6\n", "x"},
	} {
		table, _, err := dataset.Read(strings.NewReader(test.csv), "table.csv", dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := New(table, nil, true)
		names := []string{table.Vars[0].Name}
		law := expr.X(len(m.Cols) - 1)
		inColumns := m.ToColumns(law)
		if got := inColumns.Infix(names); got != test.want {
			t.Errorf("%q: the last variable is %s, want %s", test.csv, got, test.want)
		}
		if !expr.Equal(m.FromColumns(inColumns), law) {
			t.Errorf("%q: %s is not converted back", test.csv, test.want)
		}
	}
}
