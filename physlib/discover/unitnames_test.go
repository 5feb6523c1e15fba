package discover

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

func TestByColumns(t *testing.T) {
	column := func(name string) dataset.Column {
		u, err := unit.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return dataset.Column{Name: "x", Unit: u, HasUnit: true}
	}
	for _, c := range []struct{ target, column, dimension, want string }{
		{"1/d", "km", "s", "d"},
		{"1/d", "km", "m/s", "km d^-1"},
		{"s", "g", "g/s^2", "g s^-2"},
		{"kg", "yr", "kg s^-2.06", "kg yr^-2.06"},
		{"mV", "mA", "V/A", "mV mA^-1"},
	} {
		table := &dataset.Table{Vars: []dataset.Column{column(c.column)}, Target: column(c.target)}
		if got, ok := byColumns(table, column(c.dimension).Unit.Dim); !ok || got != c.want {
			t.Errorf("%s from units %s and %s: got %q, want %q", c.dimension, c.target, c.column, got, c.want)
		}
	}
}
