package convert

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/export"
)

// The choices of --to are the languages of package export.
func TestLanguages(t *testing.T) {
	field, _ := reflect.TypeFor[Cmd]().FieldByName("To")
	if got := strings.Split(field.Tag.Get("enum"), ","); !slices.Equal(got, export.Languages) {
		t.Errorf("--to has the choices %q, want %q", got, export.Languages)
	}
}
