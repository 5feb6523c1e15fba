package discover

import "testing"

// Proportional errors are tried if the residuals of any previous search grow.
func TestNeeded(t *testing.T) {
	for _, test := range []struct {
		w    way
		rows int
		grew []bool
		want bool
	}{
		{way{}, 60, nil, true},
		{way{noUnits: true}, 60, []bool{false}, true},
		{way{proportional: true}, 60, nil, true}, // the only way
		{way{proportional: true}, 60, []bool{false, true}, true},
		{way{proportional: true}, 60, []bool{true, false}, true},
		{way{proportional: true}, 60, []bool{false, false}, false},
		{way{proportional: true}, growRows - 1, []bool{false, false}, true},
	} {
		if got := test.w.needed(test.rows, test.grew); got != test.want {
			t.Errorf("%+v after %v in %d rows: needed is %v", test.w, test.grew, test.rows, got)
		}
	}
}
