package predict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// laws returns the law of a file, or the laws of its groups. If the file has laws of groups, --at
// may select one by name.
func (c *Cmd) laws(f *lawfile.File) ([]law.Law, error) {
	if f.Groups == nil || len(f.Groups.Laws) == 0 || c.Of != "" {
		l, err := f.Of(c.Law, c.Of)
		if err != nil {
			return nil, discover.BadInput("%w", err)
		}
		return []law.Law{l}, nil
	}
	for i, item := range c.At {
		if item.Name == f.Groups.Column {
			g := c.group(f, item.Value)
			if g < 0 {
				return nil, c.bad("--at %s=%s: %s has no such group; its groups are %s", item.Name, item.Value, c.Law, strings.Join(f.Groups.Names, ", "))
			}
			c.At = slices.Delete(slices.Clone(c.At), i, i+1)
			return []law.Law{law.Law(f.Groups.Laws[g])}, nil
		}
	}
	if c.File == "" {
		how := "--of " + f.Groups.Names[0]
		if f.Groups.Column != "" {
			how = fmt.Sprintf("--at %s=%s,…", f.Groups.Column, f.Groups.Names[0])
		}
		return nil, c.bad("%s holds a law for each of the groups %s; choose one with %s", c.Law, strings.Join(f.Groups.Names, ", "), how)
	}
	var all []law.Law
	for _, l := range f.Groups.Laws {
		all = append(all, law.Law(l))
	}
	return all, nil
}

// group returns the index of the group with the given name or number, or -1 if there is none.
func (c *Cmd) group(f *lawfile.File, name string) int {
	if i := slices.Index(f.Groups.Names, name); i >= 0 {
		return i
	}
	v, err := strconv.ParseFloat(name, 64)
	return slices.IndexFunc(f.Groups.Names, func(o string) bool {
		w, other := strconv.ParseFloat(o, 64)
		return err == nil && other == nil && v == w
	})
}

// groupOf returns the index of the law that applies to each row, or nil if there is only one law.
// It also returns the name of the group of each row.
func (c *Cmd) groupOf(f *lawfile.File, laws []law.Law, t columns, rows int) (of []int, labels []string, err error) {
	if len(laws) == 1 {
		return nil, nil, nil
	}
	column := f.Groups.Column
	for _, k := range t.texts {
		if k.Name == column {
			for i := range rows {
				labels = append(labels, k.At(i))
			}
		}
	}
	for _, k := range t.numbers {
		if k.Name == column {
			for i := range rows {
				labels = append(labels, strconv.FormatFloat(k.Values[i], 'g', -1, 64))
			}
		}
	}
	if labels == nil {
		missing := "no column that names the group"
		if column != "" {
			missing = "no column " + column
		}
		return nil, nil, discover.BadInput("%s has %s, and %s holds a law for each of %s; choose one with --of %s", c.File, missing, c.Law,
			strings.Join(f.Groups.Names, ", "), f.Groups.Names[0])
	}
	for i, name := range labels {
		g := c.group(f, name)
		if g < 0 {
			return nil, nil, discover.BadInput("%s: %s is %q in data row %d, and %s has a law for %s only; leave such rows out", c.File, column, name, i+1, c.Law,
				strings.Join(f.Groups.Names, ", "))
		}
		of = append(of, g)
	}
	return of, labels, nil
}
