package discover

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/spelling"
)

// percent returns the relative standard error of --noise 5%. ok is false if it is not a percentage.
func (c *Cmd) percent() (share float64, ok bool) { return Percent(c.Noise) }

// Percent returns the share that a percentage such as 5% states. ok is false if text is not a
// percentage.
func Percent(text string) (share float64, ok bool) {
	text, ok = strings.CutSuffix(strings.TrimSpace(text), "%")
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v / 100, err == nil
}

// checkErrors returns an error if flags about errors exclude each other.
func (c *Cmd) checkErrors() error {
	given := c.Noise != "auto" && c.Noise != "" || len(c.Sigma) > 0
	switch share, ok := c.percent(); {
	case ok && !(share > 0 && !math.IsInf(share, 0)):
		return badFlag("--noise %s: a relative standard error is above 0, as 5%%", c.Noise)
	case given && c.Errors != "auto" && c.Errors != "":
		return badFlag("--errors %s and --noise or --sigma both say how large errors are; leave one out", c.Errors)
	case c.Noise != "auto" && c.Noise != "" && len(c.Sigma) > 0:
		return badFlag("--noise and --sigma both give standard errors; leave one out")
	case c.ODE && (len(c.Sigma) > 0 || c.Errors != "auto" && c.Errors != ""):
		return badFlag("--sigma and --errors have no use with --ode, where errors are found from the data; leave them out")
	}
	return nil
}

// sigmas adds the errors of --sigma and of a relative --noise to the table and the settings. It
// removes columns that contain errors from the variables.
func (c *Cmd) sigmas(t *dataset.Table, s *discover.Settings) (*dataset.Table, error) {
	if c.Errors != "auto" && c.Errors != "" {
		s.Errors = discover.Errors(c.Errors)
		if s.Errors == discover.CountingErrors && slices.Min(t.Target.Values) < 0 {
			return nil, badFlag("--errors counting: %s is below 0 in %s, so it is not a count", t.Target.Name, t.RowNames([]int{at(t.Target.Values, func(v float64) bool { return v < 0 })}))
		}
		if i := at(t.Target.Values, func(v float64) bool { return v == 0 }); s.Errors == discover.ProportionalErrors && i >= 0 {
			return nil, badFlag("--errors proportional: %s is 0 in %s, where it would have no error; leave the row out, or take equal errors", t.Target.Name, t.RowNames([]int{i}))
		}
	}
	if share, ok := c.percent(); ok {
		if i := slices.Index(t.Target.Values, 0); i >= 0 {
			return nil, badFlag("--noise %s: %s is 0 in %s, where it would have no error; leave the row out, or give an absolute one", c.Noise, t.Target.Name, t.RowNames([]int{i}))
		}
		return t.WithShare(share), nil
	}
	u := *t
	names := columnNames(t)
	used, given := map[string]bool{}, map[string]bool{}
	for _, item := range c.Sigma {
		name, text, ok := strings.Cut(item, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		if !ok || name == "" || text == "" {
			return nil, badFlag("--sigma %s: write the error of each column, a number, a share or a column, as y=0.02,x=sx,z=1%%", item)
		}
		switch {
		case !slices.Contains(names, name):
			return nil, badFlag("--sigma %s: %s", name, noColumn(t, name, names))
		case given[name]:
			return nil, badFlag("--sigma: the error of %s is given twice; leave one out", name)
		}
		given[name] = true
		values, err := StandardErrors(t, name, text)
		if err != nil {
			return nil, badFlag("%w", err)
		}
		if slices.Contains(names, text) {
			used[text] = true
		}
		if name == t.Target.Name {
			u.Sigma = values
			u.Share, _ = Percent(text)
			continue
		}
		if s.XSigma == nil {
			s.XSigma = map[string][]float64{}
		}
		s.XSigma[name] = values
	}
	u.Vars = slices.DeleteFunc(slices.Clone(t.Vars), func(v dataset.Column) bool { return used[v.Name] })
	if len(u.Vars) == 0 {
		return nil, badFlag("--sigma: no column is left to explain %s by; name fewer columns of errors", t.Target.Name)
	}
	return &u, nil
}

// StandardErrors returns the standard errors that --sigma name=text gives the column or known
// constant called name. text is a number, a percentage, or the name of another column or constant.
func StandardErrors(t *dataset.Table, name, text string) ([]float64, error) {
	quantities := append(slices.Clone(t.Vars), t.Target)
	for _, k := range t.Consts {
		quantities = append(quantities, dataset.Column{Name: k.Name, Unit: k.Unit, HasUnit: k.HasUnit, Values: slices.Repeat([]float64{k.Value}, t.Rows())})
	}
	find := func(name string) int { return at(quantities, func(c dataset.Column) bool { return c.Name == name }) }
	of := quantities[find(name)]
	var values []float64
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		values = slices.Repeat([]float64{v}, t.Rows())
	} else if share, ok := Percent(text); ok {
		values = dataset.Shares(share, of.Values)
	} else if k := find(text); k >= 0 && text != name {
		if values, err = errorsIn(quantities[k], of); err != nil {
			return nil, err
		}
	} else {
		return nil, noErrors(t, name, text)
	}
	if i := at(values, func(v float64) bool { return !isError(v) }); i >= 0 {
		return nil, badError(t, name, text, values, i)
	}
	return values, nil
}

// leastError is the least standard error that a flag or column may give. For a smaller error, the
// weight 1/σ² would be infinite.
const leastError = 1e-150

// isError reports whether v can be a standard error.
func isError(v float64) bool { return v > leastError && !math.IsInf(v, 0) }

// errorsIn returns the standard errors that column e holds for the column `of`, in the unit of
// `of`. It returns an error if the units have different dimensions.
func errorsIn(e, of dataset.Column) ([]float64, error) {
	if e.HasUnit && of.HasUnit && e.Unit.Dim != of.Unit.Dim {
		return nil, fmt.Errorf("--sigma %s=%s: %s is in %s and %s in %s; give errors in a unit of the same kind", of.Name, e.Name, e.Name, e.Unit, of.Name, of.Unit)
	}
	return dataset.ErrorsIn(e.Values, e, of), nil
}

// badError returns the error for the standard error of column name in row i, which is not above 0.
// values are its errors in all rows, and text is the value of --sigma that gives them.
func badError(t *dataset.Table, name, text string, values []float64, i int) error {
	drop := ""
	if slices.Contains(columnNames(t), text) && values[i] <= 0 {
		drop = "; correct it, or leave out such rows with --drop"
	}
	return fmt.Errorf("--sigma %s=%s: a standard error is above 0, at least %g, not %g (%s)%s", name, text, leastError, values[i], t.RowNames([]int{i}), drop)
}

// noErrors returns the error for a value of --sigma that is neither a number, a percentage nor the
// name of a column. name is the column whose errors were to be given.
func noErrors(t *dataset.Table, name, text string) error {
	number := "0.1"
	var others []string
	for _, c := range append(slices.Clone(t.Vars), t.Target) {
		switch {
		case c.Name != name:
			others = append(others, c.Name)
		case c.HasUnit && c.Unit.Name != "":
			number += " (in " + c.Unit.Name + ")"
		}
	}
	if near := spelling.Nearest(text, others); near != "" && !strings.ContainsAny(text[:1], "0123456789.+-") {
		return fmt.Errorf("--sigma %s=%s: there is no column %[2]s; did you mean %[3]s?", name, text, near)
	}
	return fmt.Errorf("--sigma %s=%s: %[2]s is neither a number, a share nor another column; try %[1]s=%[3]s, %[1]s=2%% or a column of errors among %[4]s",
		name, text, number, spelling.List(others))
}

// at returns the index of the first element for which fits is true, or -1.
func at[T any](list []T, fits func(T) bool) int { return slices.IndexFunc(list, fits) }
