package fit

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/mdl"
)

// The choices of --errors are the error models of package mdl whose errors have unknown size and no
// heavy tails, for which there is --loss.
func TestErrorChoices(t *testing.T) {
	var want []string
	for i, name := range mdl.ErrorNames {
		if e := mdl.Errors(i); e != mdl.Given && e != mdl.HeavyTailed && e != mdl.HeavyFactors {
			want = append(want, name)
		}
	}
	field, _ := reflect.TypeFor[Cmd]().FieldByName("Errors")
	if got := strings.Split(field.Tag.Get("enum"), ","); !slices.Equal(got, want) {
		t.Errorf("--errors has the choices %q, want %q", got, want)
	}
}
