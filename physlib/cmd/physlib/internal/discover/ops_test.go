package discover

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The help of --ops lists every operator.
func TestOpsHelp(t *testing.T) {
	field, _ := reflect.TypeFor[Cmd]().FieldByName("Ops")
	help := strings.FieldsFunc(field.Tag.Get("help"), func(r rune) bool { return strings.ContainsRune(" :.()", r) })
	for _, name := range opNames {
		if !slices.Contains(help, name) {
			t.Errorf("the help lacks %s", name)
		}
	}
}

func TestOpsFlag(t *testing.T) {
	for text, want := range map[string][]string{
		"+,*,sin":        {"+", "*", "sin"},
		"add mul ln":     {"+", "*", "log"},
		"-,neg":          {"-"},
		"^,arcsin,min":   {"**", "asin", "min"},
		"+erf,+min":      append(dataset.DefaultOps(), "erf", "min"),
		"+besselj0 +sin": append(dataset.DefaultOps(), "j0"),
	} {
		var o ops
		if err := o.UnmarshalText([]byte(text)); err != nil || !slices.Equal(o, want) {
			t.Errorf("%s: %v, %v", text, o, err)
		}
	}
	for _, text := range []string{"", "+erf,sin", "sine", "+sine"} {
		if err := new(ops).UnmarshalText([]byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, o := range expr.Operators() {
		for _, name := range o.Names() {
			if err := new(ops).UnmarshalText([]byte(name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
