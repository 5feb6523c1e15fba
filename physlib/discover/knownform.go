package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/knownform"
	"github.com/physlib/lab/physlib/law"
)

// KnownForm returns the law l of t in the form that the literature uses for one of the known laws
// in names. It uses the first name whose form fits. For Newton's law of cooling, c0*exp(c1*t) + c2
// becomes T_a + (T_0 - T_a)*exp(-t/tau). The parameters have the units of the table, or SI units if
// the known law contains constants of nature. ok is false if no known law is the same function with
// parameters that l determines.
func KnownForm(t *dataset.Table, l law.Law, names []string) (form knownform.Form, ok bool) {
	form, ok = knownform.Of(t, l, names)
	if !ok || form.SI {
		return form, ok
	}
	u := *t
	u.Consts = append(slices.Clone(t.Consts), form.References...)
	units, _ := ConstantUnits(&u, form.Referred())
	for i := range form.Constants {
		form.Constants[i].Unit = units[i]
	}
	return form, true
}
