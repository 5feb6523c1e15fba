package input

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/reading"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/spelling"
	"github.com/physlib/lab/physlib/unit"
)

// Columns reads the columns of numbers and of text of a table. The table needs no target and may
// have only one column.
func Columns(path string, o dataset.Options, in io.Reader) ([]dataset.Column, []dataset.Category, []string, error) {
	none := reading.NoUnits(o.Units)
	o.Given, o.Alone, o.Units = true, true, listed(o.Units)
	read := func() (*dataset.Table, []string, error) { return dataset.ReadFile(path, o) }
	if path == "-" {
		read = func() (*dataset.Table, []string, error) { return dataset.Read(in, "standard input", o) }
	}
	t, warnings, err := read()
	if err != nil {
		return nil, nil, nil, discover.Blame(err)
	}
	if none {
		dropUnits(t)
	}
	return append(t.Vars, t.Target), t.Categories, warnings, nil
}

// Match finds the column of a law file in a table's columns. It returns the values in the unit of
// the law file. converted describes the conversion, or the unit that is assumed for a column
// without one; it is "" if there was neither.
func Match(want lawfile.Column, columns []dataset.Column, source, lawPath string) (values []float64, converted string, err error) {
	i := slices.IndexFunc(columns, func(c dataset.Column) bool { return c.Name == want.Name })
	if i < 0 {
		var names []string
		for _, c := range columns {
			names = append(names, c.Name)
		}
		hint := "its columns are " + strings.Join(names, ", ")
		if near := spelling.Nearest(want.Name, names); near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		return nil, "", discover.BadInput("%s has no column %s, which the law in %s needs; %s", source, want.Name, lawPath, hint)
	}
	c := columns[i].CountedFrom(want.Origin())
	if !c.Since.Equal(columns[i].Since) {
		converted = fmt.Sprintf("%s is counted from %s, as in the law's table", c.Name, want.Since)
	}
	if want.Unit == "" {
		return c.Values, converted, nil
	}
	if !c.HasUnit {
		return c.Values, fmt.Sprintf("%s has no unit in %s and is taken to be in %s, as in the law's table", c.Name, source, want.Unit), nil
	}
	to, err := unit.Parse(want.Unit)
	if err != nil {
		return nil, "", discover.BadInput("%s: the unit of %s: %w", lawPath, want.Name, err)
	}
	if c.Unit.Factor() == to.Factor() && c.Unit.Offset == to.Offset && c.Unit.Dim == to.Dim {
		return c.Values, converted, nil
	}
	values = slices.Clone(c.Values)
	for k, v := range values {
		if values[k], err = c.Unit.Convert(v, to); err != nil {
			return nil, "", discover.BadInput("%s: column %s is in %s and the law in %s has it in %s: %w", source, c.Name, c.UnitName(), lawPath, want.Unit, err)
		}
	}
	if converted != "" {
		return values, fmt.Sprintf("%s, and converted from %s to %s", converted, c.Unit.String(), want.Unit), nil
	}
	return values, fmt.Sprintf("%s was converted from %s to %s", c.Name, c.Unit.String(), want.Unit), nil
}
