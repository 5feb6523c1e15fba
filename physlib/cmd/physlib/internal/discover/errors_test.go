package discover

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/mdl"
)

// The choices of --errors are the error models of package mdl whose errors have unknown size.
// Proportional errors with heavy tails are found, not chosen.
func TestErrorChoices(t *testing.T) {
	want := []string{"auto"}
	for i, name := range mdl.ErrorNames {
		if e := mdl.Errors(i); e != mdl.Given && e != mdl.HeavyFactors {
			want = append(want, name)
		}
	}
	field, _ := reflect.TypeFor[Cmd]().FieldByName("Errors")
	if got := strings.Split(field.Tag.Get("enum"), ","); !slices.Equal(got, want) {
		t.Errorf("--errors has the choices %q, want %q", got, want)
	}
}
