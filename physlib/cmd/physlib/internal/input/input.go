// Package input reads tables and lists of values for the subcommands that take a formula or a law
// file.
package input

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/reading"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/lawfile"
)

// Flags are the flags that name a table and set how it is read.
type Flags struct {
	Example string          `placeholder:"NAME" help:"Use an embedded table of real measurements; 'physlib discover --example list' shows them."`
	Target  string          `placeholder:"COLUMN" help:"Column that the formula gives (default: its left side, or the last column)."`
	Units   string          `placeholder:"LIST" help:"Units of columns, as 'T=d,a=AU', instead of those in the header; 'none' ignores units."`
	Const   discover.Consts `sep:"none" placeholder:"NAME=VALUE[UNIT]" help:"Known constant that the formula may use, as 'c=299792458[m/s]'. May be repeated."`
	Sigma   List            `sep:"none" placeholder:"LIST" help:"Standard errors of columns: a number, a share or a column for each, as 'y=0.02,z=1%,x=sx'."`
	// Column that distinguishes groups of rows; "": none.
	GroupColumn string `kong:"-"`
	reading.TableFlags
}

// List is the value of a flag such as --start k=5,b=2: values by name, in order.
type List []Item

// Item is one element NAME=VALUE of a List.
type Item struct{ Name, Value string }

// UnmarshalText appends the items of text, such as k=5,b=2.
func (l *List) UnmarshalText(text []byte) error {
	for _, part := range strings.Split(string(text), ",") {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if _, err := strconv.Atoi(name); err == nil && !ok && len(*l) > 0 {
			return fmt.Errorf("%q is no NAME=VALUE; write decimal numbers with a point, as %s=%s.%s", part, (*l)[len(*l)-1].Name, (*l)[len(*l)-1].Value, name)
		}
		if !ok || name == "" || value == "" {
			return fmt.Errorf("%q is no NAME=VALUE; write several as a=1,b=2", part)
		}
		if slices.ContainsFunc(*l, func(i Item) bool { return i.Name == name }) {
			return fmt.Errorf("%s is given twice; leave one out", name)
		}
		*l = append(*l, Item{name, value})
	}
	return nil
}

// Read reads the table at path, or the example, for a formula. command names the subcommand in
// errors. The second result holds the standard errors of columns other than the target, by name.
func (f *Flags) Read(command, path, formula string, in io.Reader) (t *dataset.Table, errors map[string][]float64, warnings []string, err error) {
	if err := f.CheckReading(); err != nil {
		return nil, nil, nil, discover.BadFlag(command, "%w", err)
	}
	if err := f.CheckSource(path, f.Example); err != nil {
		return nil, nil, nil, discover.BadFlag(command, "%w", err)
	}
	switch {
	case f.Example != "":
		if t, _, err = dataset.Example(f.Example); err != nil {
			return nil, nil, nil, discover.BadFlag(command, "--example: %v", err)
		}
	case path == "-":
		t, warnings, err = dataset.Read(in, "standard input", f.options(formula))
	case isLaw(formula):
		f, _ := lawfile.Read(formula)
		return nil, nil, nil, discover.BadFlag(command, "%s is a law file and stands where the formula belongs; try physlib %s '%s = %s' %s", formula, command, f.Target, f.Best.Tree.Infix(f.Best.Vars), path)
	case strings.Contains(path, "=") && isFile(formula):
		return nil, nil, nil, discover.BadFlag(command, "%s is a file and stands where the formula belongs; try physlib %s '%s' %s", formula, command, path, formula)
	default:
		t, warnings, err = dataset.ReadFile(path, f.options(formula))
	}
	switch {
	case err != nil:
		return nil, nil, nil, discover.Blame(err)
	case len(t.Vars) == 0:
		return nil, nil, nil, discover.BadInput("%s: %s is its only column of numbers; give at least one variable", t.Name, t.Target.Name)
	}
	if err = f.choose(command, t, formula); err != nil {
		return nil, nil, nil, err
	}
	if err = t.Explainable(); err != nil {
		return nil, nil, nil, discover.Blame(err)
	}
	for _, k := range f.Const {
		if t.ValuesOf(k.Name) != nil {
			return nil, nil, nil, discover.BadFlag(command, "--const %s: %s has a column of this name; give the constant another", k.Name, t.Name)
		}
		t.Consts = append(t.Consts, k)
	}
	if reading.NoUnits(f.Units) {
		dropUnits(t)
	}
	errors, err = f.errors(command, t)
	return t, errors, warnings, err
}

// Unused returns a warning for each constant of --const that the formula does not contain.
func (f *Flags) Unused(formula string) (warnings []string) {
	used := expr.Mentioned(formula)
	for _, k := range f.Const {
		if !slices.Contains(used, k.Name) {
			warnings = append(warnings, fmt.Sprintf("--const %s has no use, since the formula does not contain %[1]s", k.Name))
		}
	}
	return warnings
}

// names matches the names in a formula.
var names = regexp.MustCompile(`[\pL_][\pL\pN_₀-₉]*`)

// options returns the options for reading the table of a formula. With --sigma or --columns, the
// options name the target. Without this, the reader might choose another target and read a column
// as its standard errors. It might also leave out the target because --columns does not list it.
func (f *Flags) options(formula string) dataset.Options {
	o := dataset.Options{Units: listed(f.Units), Given: true, Uses: append(names.FindAllString(formula, -1), f.GroupColumn)}
	f.SetReading(&o)
	for _, item := range f.Sigma {
		o.Errors = append(o.Errors, item.Value)
	}
	if left, _, equation := strings.Cut(formula, "="); len(f.Sigma)+len(o.Columns) > 0 && equation {
		o.Target = cmp.Or(f.Target, strings.Trim(strings.TrimSpace(left), "`"))
	}
	return o
}

// isFile reports whether there is a file at path.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// isLaw reports whether path is a file with the law of one target.
func isLaw(path string) bool {
	if !isFile(path) {
		return false
	}
	f, err := lawfile.Read(path)
	if err != nil {
		return false
	}
	_, err = f.Chosen(path)
	return err == nil
}

// choose makes the column on the left of a formula the target of t.
func (f *Flags) choose(command string, t *dataset.Table, formula string) error {
	name, flag := f.Target, "--target "+f.Target
	left, _, equation := strings.Cut(formula, "=")
	left = strings.Trim(strings.TrimSpace(left), "`")
	if equation && name == "" {
		name, flag = left, "the left side "+left
	}
	if name == "" {
		used := expr.Mentioned(formula)
		// Find the last column that is neither a variable of the formula nor a column of standard
		// errors.
		for _, c := range append(t.Vars[:len(t.Vars):len(t.Vars)], t.Target) {
			if !slices.Contains(used, c.Name) && !slices.ContainsFunc(f.Sigma, func(i Item) bool { return i.Value == c.Name }) {
				name = c.Name
			}
		}
	}
	if name == t.Target.Name || name == "" {
		return nil
	}
	i := slices.IndexFunc(t.Vars, func(c dataset.Column) bool { return c.Name == name })
	if i < 0 {
		return discover.BadFlag(command, "%s: %s has no such column; its columns are %s", flag, t.Name, strings.Join(append(t.InputNames(), t.Target.Name), ", "))
	}
	old := t.Target
	t.Target = t.Vars[i]
	t.Vars = append(slices.Delete(t.Vars, i, i+1), old)
	t.Sigma, t.Share = nil, 0
	return nil
}

// errors sets the standard errors of the target and the columns from --sigma.
func (f *Flags) errors(command string, t *dataset.Table) (map[string][]float64, error) {
	out := map[string][]float64{}
	for _, item := range f.Sigma {
		if t.ValuesOf(item.Name) == nil {
			return nil, discover.BadFlag(command, "--sigma %s: %s has no such column; its columns are %s", item.Name, t.Name, strings.Join(append(t.InputNames(), t.Target.Name), ", "))
		}
		values, err := discover.StandardErrors(t, item.Name, item.Value)
		if err != nil {
			return nil, discover.BadFlag(command, "%w", err)
		}
		if item.Name == t.Target.Name {
			t.Sigma = values
			t.Share, _ = discover.Percent(item.Value)
		} else {
			out[item.Name] = values
		}
	}
	t.Vars = slices.DeleteFunc(slices.Clone(t.Vars), func(c dataset.Column) bool {
		return slices.ContainsFunc(f.Sigma, func(i Item) bool { return i.Value == c.Name })
	})
	return out, nil
}

// Warn prints warnings, one on each line.
func Warn(warnings []string) {
	for _, text := range warnings {
		fmt.Fprintln(screen.Err, "physlib: warning: "+strings.Join(strings.Fields(text), " "))
	}
}
