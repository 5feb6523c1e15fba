package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/named"
)

// Usual writes the law l of t in the form that the literature uses for one of the known laws in
// names. It uses the first name whose form fits. For Newton's law of cooling, c0*exp(c1*t) + c2
// becomes T_a + (T_0 - T_a)*exp(-t/tau). The parameters have the units of the table, or SI units if
// the known law contains constants of nature. ok is false if no known law is the same function with
// parameters that l determines.
func Usual(t *dataset.Table, l law.Law, names []string) (usual named.Form, ok bool) {
	usual, ok = named.Of(t, l, names)
	if !ok || usual.SI {
		return usual, ok
	}
	u := *t
	u.Consts = append(slices.Clone(t.Consts), usual.References...)
	units, _ := ConstantUnits(&u, usual.Referred())
	for i := range usual.Constants {
		usual.Constants[i].Unit = units[i]
	}
	return usual, true
}
