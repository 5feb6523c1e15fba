package motion

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// A constant with the name of a derivative is refused, and at order 2 a column with such a name as
// well.
func TestNamesOfDerivatives(t *testing.T) {
	for _, c := range []struct {
		column, constant string
		order            int
		want             string // part of the error; "": no error
	}{
		{"v", "dx_dt", 1, "the constant dx_dt has the name of a derivative of x"},
		{"v", "dx_dt", 2, "the constant dx_dt has the name of a derivative of x"},
		{"v", "d2v_dt2", 2, "the constant d2v_dt2 has the name of a derivative of v"},
		{"dx_dt", "g", 2, "the column has the name of a derivative of x"},
		{"dx_dt", "g", 1, ""},
		{"v", "d2v_dt2", 1, ""},
	} {
		tr := cosine(50, 20, 0.1)
		table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{tr.Time, tr.States[0]},
			Target: dataset.Column{Name: c.column, Values: tr.States[0].Values}, Consts: []dataset.Constant{{Name: c.constant, Value: 2}}}
		_, _, err := Read(table, Options{Order: c.order})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
