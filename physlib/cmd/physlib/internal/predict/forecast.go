package predict

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/input"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/motion"
)

// lines is the number of times in a forecast if --step is not set.
const lines = 100

// start is a state from which laws of motion are integrated.
type start struct {
	time float64
	// Values and standard errors of the states. For laws of order 2, the values and standard errors
	// of the states' derivatives follow.
	x, stderr []float64
	extra     []float64 // parameters and known constants
}

// forecast integrates laws of motion from each start.
func (c *Cmd) forecast(f *lawfile.File, in io.Reader) ([][]string, error) {
	s, names, err := c.system(f)
	if err != nil {
		return nil, err
	}
	starts, err := c.starts(f, s, names, in)
	if err != nil {
		return nil, err
	}
	timeOf := column(f, f.Time)
	head := []string{label(f.Time, timeOf.Unit)}
	if len(starts) > 1 {
		head = append([]string{"start"}, head...)
	}
	for _, e := range f.Equations {
		head = append(head, label(e.State, column(f, e.State).Unit))
		if s.Cov != nil {
			head = append(head, e.State+"_confidence_low", e.State+"_confidence_high", e.State+"_prediction_low", e.State+"_prediction_high")
		}
	}
	out := [][]string{head}
	_, z := law.Interval(0, 1, c.Level, 0)
	for n, begin := range starts {
		times, err := c.times(f, begin.time, timeOf)
		if err != nil {
			return nil, err
		}
		s.Extra = begin.extra
		path, err := s.Forecast(begin.x, begin.stderr, times)
		if err != nil {
			return nil, discover.BadInput("%w", err)
		}
		for j, t := range times {
			row := []string{c.number(t)}
			if len(starts) > 1 {
				row = append([]string{strconv.Itoa(n + 1)}, row...)
			}
			for k, e := range f.Equations {
				x := path.X[k][j]
				row = append(row, c.number(x))
				if path.StdErr != nil {
					near := z * path.StdErr[k][j]
					wide := math.Hypot(near, z*e.Noise)
					row = append(row, c.number(x-near), c.number(x+near), c.number(x-wide), c.number(x+wide))
				}
			}
			out = append(out, row)
		}
		if last := path.X[0][len(times)-1]; math.IsNaN(last) {
			input.Warn([]string{fmt.Sprintf("the laws cannot be integrated up to %s = %g: a state leaves the range in which the laws have a value; give an earlier --until", f.Time, times[len(times)-1])})
		}
	}
	return out, nil
}

// system returns the laws of a file, ready to be integrated. names are the columns of its
// right-hand sides.
func (c *Cmd) system(f *lawfile.File) (s motion.System, names []string, err error) {
	s.Order, s.Driven = max(1, f.Order), f.Driven
	for _, e := range f.Equations {
		if e.Law == nil || e.Law.Tree.Len() == 0 {
			return s, nil, discover.BadInput("%s has no law for %s, so that the system cannot be integrated; search its table again for longer", c.Law, e.State)
		}
		if names == nil {
			names = fieldColumns(f, e.Law.Vars)
		}
		l, err := law.Law(*e.Law).Over(names)
		if err != nil {
			return s, nil, discover.BadInput("%s: %w", c.Law, err)
		}
		s.Rates = append(s.Rates, l.Tree.WithStarts(l.Params()))
	}
	n := 0
	for _, r := range s.Rates {
		n += r.NumParams()
	}
	if len(f.Covariance) == n*n {
		s.Cov = []float64{}
		for _, v := range f.Covariance {
			if v == nil {
				s.Cov = nil
				break
			}
			s.Cov = append(s.Cov, *v)
		}
	}
	if s.Cov == nil {
		input.Warn([]string{c.Law + " has no covariance of the constants, so there are no bands; save it again with this version"})
	}
	return s, names, nil
}

// fieldColumns returns the columns of laws of motion in the order of motion.System: the states, at
// order 2 their derivatives, and then the others, including the columns that drive the system.
func fieldColumns(f *lawfile.File, vars []string) (names []string) {
	for _, e := range f.Equations {
		names = append(names, e.State)
	}
	if f.Order == 2 {
		for _, e := range f.Equations {
			names = append(names, "d"+e.State+"_d"+f.Time)
		}
	}
	for _, v := range vars {
		if !slices.Contains(names, v) {
			names = append(names, v)
		}
	}
	return names
}

// column returns the entry for a column in the law file, with its unit and range.
func column(f *lawfile.File, name string) lawfile.Column {
	for _, c := range append(f.Table.Columns, f.Table.Target) {
		if c.Name == name {
			return c
		}
	}
	return lawfile.Column{Name: name, Low: math.Inf(-1), High: math.Inf(1)}
}

// starts returns the starting states that --at or the table gives. If neither does, it returns the
// state at the end of the data.
func (c *Cmd) starts(f *lawfile.File, s motion.System, names []string, in io.Reader) ([]start, error) {
	m := len(s.Rates)
	moving := names[:m*s.Order]
	fixed := names[m*s.Order:]
	if s.Driven {
		fixed = fixed[:len(fixed)-1]
	}
	given, err := c.given(f, in)
	if err != nil {
		return nil, err
	}
	if given == nil {
		given = []map[string]float64{{}}
	}
	var out []start
	for _, values := range given {
		b, err := c.start(f, values, moving, fixed, m)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if len(c.At) > 0 && name != f.Time && !slices.Contains(moving, name) && !slices.Contains(fixed, name) {
				return nil, c.bad("--at %s: the laws of motion have no such state; a start has %s", name, strings.Join(slices.Concat(moving, fixed), ", "))
			}
		}
		out = append(out, b)
	}
	return out, nil
}

// start returns the starting state with the given values. moving are the names of the states; the
// first m of them are the states without their derivatives. fixed are the names of the parameters.
// If values is empty, start returns the state at the end of the data.
func (c *Cmd) start(f *lawfile.File, values map[string]float64, moving, fixed []string, m int) (b start, err error) {
	atEnd := len(values) == 0 // a start that the user gives is at time 0
	if atEnd {
		b.time = f.End
	}
	if t, ok := values[f.Time]; ok {
		b.time = t
	}
	for i, name := range moving {
		v, ok := values[name]
		if !ok && atEnd {
			v, ok = f.Equations[i%m].Last, true
			if i >= m {
				v = f.Equations[i%m].Slope
			}
		}
		if !ok {
			return b, c.bad("the start has no value for %s; a start has %s", name, strings.Join(slices.Concat(moving, fixed), ", "))
		}
		b.x = append(b.x, v)
		if atEnd && i < m {
			b.stderr = append(b.stderr, f.Equations[i].Noise)
		} else {
			b.stderr = append(b.stderr, 0)
		}
	}
	for _, name := range fixed {
		v, ok := values[name]
		for _, k := range f.Table.Constants {
			if k.Name == name && !ok {
				v, ok = k.Value, true
			}
		}
		if !ok {
			return b, c.bad("the start has no value for the parameter %s; a start has %s", name, strings.Join(slices.Concat(moving, fixed), ", "))
		}
		b.extra = append(b.extra, v)
	}
	return b, nil
}

// given returns the starting values that --at or the table gives, by name, or nil if there are
// none.
func (c *Cmd) given(f *lawfile.File, in io.Reader) ([]map[string]float64, error) {
	if c.File == "" {
		at, err := c.at(f)
		if err != nil || len(at) == 0 {
			return nil, err
		}
		return []map[string]float64{at}, nil
	}
	columns, _, warnings, err := input.Columns(c.File, c.options(), in)
	if err != nil {
		return nil, err
	}
	input.Warn(warnings)
	var out []map[string]float64
	for _, col := range columns {
		values, _, err := input.Match(column(f, col.Name), columns, c.File, c.Law)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if i >= len(out) {
				out = append(out, map[string]float64{})
			}
			out[i][col.Name] = v
		}
	}
	return out, nil
}

// times returns the times of a forecast that starts at begin.
func (c *Cmd) times(f *lawfile.File, begin float64, of lawfile.Column) ([]float64, error) {
	until, step := begin+of.High-of.Low, c.Step
	if c.Until != "" {
		v, ok := valueOf(of, c.Until)
		if !ok {
			return nil, c.bad("--until %s is not a number; write it without a unit, in that of %s in the law's table", c.Until, f.Time)
		}
		until = v
	}
	if !(until > begin) || math.IsInf(until, 0) {
		if c.Until == "" {
			return nil, c.bad("%s has no range of %s; give --until", c.Law, f.Time)
		}
		return nil, c.bad("--until %g is not after the start at %s = %g", until, f.Time, begin)
	}
	if step == 0 {
		step = (until - begin) / lines
	}
	if (until-begin)/step > 1e6 {
		return nil, c.bad("--step %g makes more than a million lines up to %g; take a longer one", step, until)
	}
	var times []float64
	for i := 0; begin+float64(i)*step < until-1e-9*step; i++ {
		times = append(times, begin+float64(i)*step)
	}
	return append(times, until), nil
}
