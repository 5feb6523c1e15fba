package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/fit"
	"github.com/physlib/lab/physlib/mdl"
)

// The choices of --errors are the error models of package mdl whose errors have unknown size.
// Proportional errors with heavy tails are found by discover, not chosen. fit has --loss for heavy
// tails.
func TestErrorChoices(t *testing.T) {
	for _, test := range []struct {
		command string
		flags   reflect.Type
		more    []string
		without []mdl.Errors
	}{
		{"discover", reflect.TypeFor[discover.Cmd](), []string{"auto"}, []mdl.Errors{mdl.Given, mdl.HeavyFactors}},
		{"fit", reflect.TypeFor[fit.Cmd](), nil, []mdl.Errors{mdl.Given, mdl.HeavyTailed, mdl.HeavyFactors}},
	} {
		want := test.more
		for i, name := range mdl.ErrorNames {
			if !slices.Contains(test.without, mdl.Errors(i)) {
				want = append(want, name)
			}
		}
		field, _ := test.flags.FieldByName("Errors")
		if got := strings.Split(field.Tag.Get("enum"), ","); !slices.Equal(got, want) {
			t.Errorf("%s --errors has the choices %q, want %q", test.command, got, want)
		}
	}
}
