package group

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/spelling"
)

// Groups assigns the rows of a table to groups.
type Groups struct {
	Column string   // column whose values define the groups; "": each group was a separate table
	Names  []string // names of the groups, such as "treated" or "25"
	// Values of the groups, if the column contains numbers; nil: the column contains text.
	Values []float64
	Of     []int // for each row, the index of its group in Names
}

// Rows returns the rows of each group in ascending order.
func (g Groups) Rows() [][]int {
	return dataset.Category{Levels: g.Names, Codes: g.Of}.Groups()
}

// ByColumn returns the groups given by a column of t, and t without that column. Groups from a
// column of text are in order of appearance, those from a column of numbers in rising order.
func ByColumn(t *dataset.Table, name string) (Groups, *dataset.Table, error) {
	g := Groups{Column: name}
	if c, ok := t.Category(name); ok {
		// For each level of the column, the number of its group, counted from 1. It is 0 for a
		// level that no row of t has, as in a subset of a table.
		used := make([]int, len(c.Levels))
		for row, code := range c.Codes {
			if c.Levels[code] == "" {
				return g, nil, fmt.Errorf("column %s is empty in %s; fill in its group, or leave the row out", name, t.RowNames([]int{row}))
			}
			if used[code] == 0 {
				g.Names = append(g.Names, c.Levels[code])
				used[code] = len(g.Names)
			}
			g.Of = append(g.Of, used[code]-1)
		}
		u := *t
		u.Categories = slices.DeleteFunc(slices.Clone(t.Categories), func(c dataset.Category) bool { return c.Name == name })
		return g, &u, g.check(t)
	}
	if t.Target.Name == name {
		return g, nil, fmt.Errorf("column %s is the target; name another column, or another --target", name)
	}
	i := slices.IndexFunc(t.Vars, func(c dataset.Column) bool { return c.Name == name })
	if i < 0 {
		return g, nil, fmt.Errorf("%s has no column %s; %s", t.Name, name, columns(t, name))
	}
	values := t.Vars[i].Values
	g.Values = slices.Clone(values)
	slices.Sort(g.Values)
	g.Values = slices.Compact(g.Values)
	for _, v := range g.Values {
		g.Names = append(g.Names, strconv.FormatFloat(v, 'g', -1, 64))
	}
	for _, v := range values {
		at, _ := slices.BinarySearch(g.Values, v)
		g.Of = append(g.Of, at)
	}
	u := *t
	u.Vars = slices.Delete(slices.Clone(t.Vars), i, i+1)
	return g, &u, g.check(t)
}

// columns lists the columns that may define groups, for an error message. The column whose name is
// most similar to name comes first.
func columns(t *dataset.Table, name string) string {
	var names []string
	for _, c := range t.Categories {
		names = append(names, c.Name)
	}
	for _, c := range t.Vars {
		names = append(names, c.Name)
	}
	text := "its columns are " + strings.Join(names, ", ")
	if near := spelling.Nearest(name, names); near != "" {
		text = "did you mean " + near + "? " + text
	}
	return text
}

// check returns an error if there are too few or too many groups, or too few rows in a group.
func (g Groups) check(t *dataset.Table) error {
	switch n := len(g.Names); {
	case n < 2:
		return fmt.Errorf("column %s is %s in every row of %s; groups need two values", g.Column, strings.Join(g.Names, ""), t.Name)
	case n > t.Rows()/2:
		return fmt.Errorf("column %s has %d different values in %d rows of %s; name a column that has few", g.Column, n, t.Rows(), t.Name)
	}
	for k, rows := range g.Rows() {
		if len(rows) < 2 {
			return fmt.Errorf("group %s of column %s has one row; a group needs two, so leave the row out or join it to another group", g.Names[k], g.Column)
		}
	}
	return nil
}

// Join returns the rows of several tables with the same columns as one table, in which each table
// is a group.
func Join(tables []*dataset.Table, names []string) (Groups, *dataset.Table, error) {
	first := tables[0]
	g := Groups{Names: slices.Clone(names)}
	u := *first
	u.Vars, u.Categories, u.FileRows = slices.Clone(first.Vars), nil, nil
	for k, t := range tables {
		for range t.Rows() {
			g.Of = append(g.Of, k)
		}
		if k == 0 {
			continue
		}
		if (t.Sigma == nil) != (first.Sigma == nil) {
			return g, nil, fmt.Errorf("only one of %s and %s has standard errors of %s; give those of all tables, or leave them out with --ignore", first.Name, t.Name, first.Target.Name)
		}
		if t.Target.Name != first.Target.Name || !slices.Equal(t.InputNames(), first.InputNames()) {
			return g, nil, fmt.Errorf("%s has columns %s and %s has %s; tables that share a law need the same columns", t.Name,
				strings.Join(append(t.InputNames(), t.Target.Name), ", "), first.Name, strings.Join(append(first.InputNames(), first.Target.Name), ", "))
		}
		u.Name += ", " + t.Name
		u.Dropped += t.Dropped
		var err error
		if u.Target.Values, err = appended(u.Target, t.Target, t.Name); err != nil {
			return g, nil, err
		}
		for i := range u.Vars {
			if u.Vars[i].Values, err = appended(u.Vars[i], t.Vars[i], t.Name); err != nil {
				return g, nil, err
			}
		}
		u.Sigma = append(u.Sigma[:len(u.Sigma):len(u.Sigma)], dataset.ErrorsIn(t.Sigma, t.Target, first.Target)...)
	}
	for k, rows := range g.Rows() {
		if len(rows) < 2 {
			return g, nil, fmt.Errorf("%s has %d rows; a group needs two", tables[k].Name, len(rows))
		}
	}
	return g, &u, nil
}

// Origins returns a warning if dates or times of day of a column are counted from another moment in
// one of the tables than in the first. It returns "" if all are counted from the same moment.
func Origins(tables []*dataset.Table) string {
	first := tables[0]
	for _, t := range tables[1:] {
		for i, c := range t.Vars {
			if i < len(first.Vars) && !c.Since.Equal(first.Vars[i].Since) && !c.Since.IsZero() && !first.Vars[i].Since.IsZero() {
				return fmt.Sprintf("%s is counted from %s in %s and from %s in %s; to count from one moment, put the rows into one file", c.Name,
					dataset.FormatMoment(first.Vars[i].Since), first.Name, dataset.FormatMoment(c.Since), t.Name)
			}
		}
	}
	return ""
}

// appended returns the values of c, followed by the values of more in the unit of c. name is the
// name of the table that contains more, for error messages.
func appended(c, more dataset.Column, name string) ([]float64, error) {
	values := more.Values
	if c.HasUnit && more.HasUnit && (c.Unit.Dim != more.Unit.Dim || c.Unit.Factor() != more.Unit.Factor() || c.Unit.Offset != more.Unit.Offset) {
		values = slices.Clone(values)
		for i, v := range values {
			var err error
			if values[i], err = more.Unit.Convert(v, c.Unit); err != nil {
				return nil, fmt.Errorf("%s: column %s: %w", name, c.Name, err)
			}
		}
	}
	return slices.Concat(c.Values, values), nil
}
