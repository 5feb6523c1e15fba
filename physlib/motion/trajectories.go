package motion

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/spelling"
	"github.com/physlib/lab/physlib/unit"
)

// Options are the settings for reading a table as trajectories. The zero value detects the time
// column and assumes order 1.
type Options struct {
	// Time column; "": a column with a usual name such as t or time, else one with a unit of time,
	// else one that increases.
	Time string
	// Column that identifies runs; "": a column of run numbers, else a run begins where time
	// decreases. Within these runs, another begins after a gap and where every state jumps.
	Group         string
	Order         int      // 0 or 1: dx/dt = f(x); 2: d²x/dt² = f(x, dx/dt)
	TimeDependent bool     // laws may depend on the time itself
	Inputs        []string // columns that drive the system: laws may depend on them, but they have no law
	AllRows       bool     // whether to keep rows in which a state jumps away and back
	Least         int      // least number of rows of a run; 0: as many as its derivatives need
}

// Trajectories are measured states at increasing times, in one or more runs.
type Trajectories struct {
	Name          string
	Time          dataset.Column
	States        []dataset.Column // quantities that change with time; each column holds one run after the other
	Params        []dataset.Column // quantities that are constant in each run
	Consts        []dataset.Constant
	Runs          [][2]int // first row of each run, and the row after its last
	Order         int
	TimeDependent bool // laws may depend on the time itself
	Inputs        int  // number of inputs, which are the last of States and have no law
	// Column that distinguishes the runs; without values if there is none. The values are codes if
	// the column is text, and Labels then holds the text of each code.
	Group  dataset.Column
	Labels []string
}

// leastRows is the number of rows that a run needs for its derivatives.
const leastRows = 7

// Read reads a table as trajectories. Every column except time and group is a state (the target
// too), or a parameter if it is constant in each run. Rows that repeat the previous row are left
// out. The second result holds warnings.
func Read(t *dataset.Table, o Options) (*Trajectories, []string, error) {
	if again := repeated(t); len(again) > 0 {
		out, warnings, err := Read(t.Subset(outlier.Complement(t.Rows(), again)), o)
		warning := fmt.Sprintf("%s: rows that repeat the row before them are left out: %d, first data row %d",
			t.Name, len(again), again[0]+1)
		return out, append([]string{warning}, warnings...), err
	}
	r := &reader{table: t, options: o, columns: append(slices.Clone(t.Vars), t.Target)}
	out, err := r.read()
	if err != nil || o.AllRows {
		return out, r.warnings, err
	}
	if odd, warning := out.glitches(t); len(odd) > 0 {
		o.AllRows = true
		out, warnings, err := Read(t.Subset(outlier.Complement(t.Rows(), odd)), o)
		return out, append([]string{t.Name + ": " + warning}, warnings...), err
	}
	return out, r.warnings, err
}

func (r *reader) read() (*Trajectories, error) {
	out := &Trajectories{Name: r.table.Name, Consts: r.table.Consts, Order: max(1, r.options.Order), TimeDependent: r.options.TimeDependent}
	if out.Order > 2 {
		return nil, r.fail("", fmt.Sprintf("order %d", out.Order), "laws of motion are of order 1 or 2")
	}
	group, err := r.group()
	if err != nil {
		return nil, err
	}
	if len(r.columns) == 0 {
		return nil, r.fail("", "there is no column besides "+r.options.Group, "give a time and at least one state, such as t and x")
	}
	r.joinClock(group)
	name := r.options.Time
	if name == "" {
		name = r.guessTime(group)
	}
	if out.Time, err = r.pop(name, "time"); err != nil {
		return nil, err
	}
	if otherUnit(out.Time) {
		r.warn("the column %s, which is read as the time, is in %s, which is not a unit of time; name another with --time-column", name, out.Time.Unit)
	}
	if len(r.columns) == 0 {
		return nil, r.fail("", "there is no column besides the time "+out.Time.Name, "give at least one state, such as x")
	}
	if out.Runs, err = r.runs(out.Time, group); err != nil {
		return nil, err
	}
	out.Group = dataset.Column{Name: r.options.Group, Values: group}
	if text, ok := r.table.Category(r.options.Group); ok {
		out.Labels = text.Levels
	}
	r.divide(out)
	if err := r.inputs(out); err != nil {
		return nil, err
	}
	if err := r.checkNames(out); err != nil {
		return nil, err
	}
	return out, nil
}

// inputs moves the inputs to the end of the states.
func (r *reader) inputs(tr *Trajectories) error {
	moving := len(tr.States)
	for n, name := range r.options.Inputs {
		if slices.Contains(r.options.Inputs[:n], name) {
			continue
		}
		i := slices.IndexFunc(tr.States, func(c dataset.Column) bool { return c.Name == name })
		if i < 0 {
			_, err := r.pop(name, "input")
			if err == nil { // the input is constant in each run, so it is a parameter
				continue
			}
			return err
		}
		c := tr.States[i]
		tr.States = append(slices.Delete(tr.States, i, i+1), c)
		tr.Inputs++
		moving--
	}
	if moving == 0 && tr.Inputs > 0 {
		return r.fail("", "no state is left besides the inputs "+strings.Join(r.options.Inputs, ", "),
			"leave out of the inputs at least one column that moves")
	}
	if moving == 0 {
		return r.fail("", "no column changes with the time "+tr.Time.Name, "give at least one state that moves")
	}
	return nil
}

// divide makes each column a state of tr, or a parameter if it is constant in each run.
func (r *reader) divide(tr *Trajectories) {
	for _, c := range r.columns {
		switch {
		case !constant(c.Values, tr.Runs):
			tr.States = append(tr.States, c)
		case slices.Min(c.Values) != slices.Max(c.Values):
			tr.Params = append(tr.Params, c)
		default:
			r.warn("column %s is %g in every row and is left out", c.Name, c.Values[0])
		}
	}
}

// checkNames returns an error if a constant or, at order 2, a column has the name of a derivative.
func (r *reader) checkNames(tr *Trajectories) error {
	for k, x := range tr.States {
		for _, name := range []string{tr.velocity(k), tr.Target(k)} {
			if slices.ContainsFunc(tr.Consts, func(c dataset.Constant) bool { return c.Name == name }) {
				return r.fail("", fmt.Sprintf("the constant %s has the name of a derivative of %s", name, x.Name), "give the constant another name")
			}
			if tr.Order == 2 && slices.ContainsFunc(r.columns, func(c dataset.Column) bool { return c.Name == name }) {
				return r.fail(name, "the column has the name of a derivative of "+x.Name, "rename it, leave it out, or search laws of order 1")
			}
		}
	}
	return nil
}

// pop removes the column called name and returns it.
func (r *reader) pop(name, what string) (dataset.Column, error) {
	i := slices.IndexFunc(r.columns, func(c dataset.Column) bool { return c.Name == name })
	if i < 0 {
		known := names(r.columns)
		try := "the columns are " + strings.Join(known, ", ")
		if near := spelling.Nearest(name, known); near != "" {
			try = "did you mean " + near + "? " + try
		}
		return dataset.Column{}, r.fail("", fmt.Sprintf("there is no %s column %q", what, name), try)
	}
	c := r.columns[i]
	r.columns = slices.Delete(r.columns, i, i+1)
	return c, nil
}

// names returns the names of columns.
func names(columns []dataset.Column) (out []string) {
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

// constant reports whether v is constant in each run.
func constant(v []float64, runs [][2]int) bool {
	for _, r := range runs {
		if slices.Min(v[r[0]:r[1]]) != slices.Max(v[r[0]:r[1]]) {
			return false
		}
	}
	return true
}

// Rows returns the number of rows of all runs.
func (tr *Trajectories) Rows() int {
	return rowsIn(tr.Runs)
}

// vars returns the columns that a law may use, without values: the states, at order 2 their
// velocities, the parameters, and the time.
func (tr *Trajectories) vars() []dataset.Column {
	var out []dataset.Column
	bare := func(c dataset.Column) dataset.Column { c.Values = nil; return c }
	for _, c := range tr.States {
		out = append(out, bare(c))
	}
	if tr.Order == 2 {
		for k := range tr.States {
			out = append(out, tr.rate(k, 1))
		}
	}
	for _, c := range tr.Params {
		out = append(out, bare(c))
	}
	if tr.TimeDependent {
		out = append(out, bare(tr.Time))
	}
	return out
}

// rate returns a column for the n-th derivative of state k, with its unit but without values.
func (tr *Trajectories) rate(k, n int) dataset.Column {
	x, t := tr.States[k], tr.Time
	c := dataset.Column{Name: tr.velocity(k), HasUnit: x.HasUnit && t.HasUnit}
	if n == 2 {
		c.Name = tr.Target(k)
	}
	if !c.HasUnit {
		return c
	}
	per := symbol(t.Unit)
	c.Unit = unit.Unit{Dim: x.Unit.Dim, Scale: x.Unit.Factor()}
	for range n {
		c.Unit.Dim = c.Unit.Dim.Div(t.Unit.Dim)
		c.Unit.Scale /= t.Unit.Factor()
	}
	if n == 2 {
		per += "^2"
	}
	if symbol(t.Unit) == "1" {
		c.Unit.Name = symbol(x.Unit)
	} else {
		c.Unit.Name = symbol(x.Unit) + "/" + per
	}
	return c
}

// Target returns the name of the rate of equation k: dx_dt, or d2x_dt2 at order 2.
func (tr *Trajectories) Target(k int) string {
	if tr.Order == 2 {
		return "d2" + tr.States[k].Name + "_d" + tr.Time.Name + "2"
	}
	return tr.velocity(k)
}

func (tr *Trajectories) velocity(k int) string { return "d" + tr.States[k].Name + "_d" + tr.Time.Name }

// symbol returns the name of a unit, in parentheses if it is not a single symbol.
func symbol(u unit.Unit) string {
	name := u.Name
	if name == "degC" || name == "°C" { // a rate contains a temperature difference
		return "K"
	}
	if name == "" {
		name = u.String()
	}
	if strings.ContainsAny(name, " /*·^.") {
		return "(" + name + ")"
	}
	return name
}

// data returns the runs in the form needed by a fit. The noise of each state is estimated unless
// it is given. If ctx ends, the derivatives are incomplete.
func (tr *Trajectories) data(ctx context.Context, noise []float64) *data {
	d := &data{order: tr.Order, inputs: tr.Inputs}
	for _, r := range tr.Runs {
		d.runs = append(d.runs, tr.run(r))
	}
	for k := range tr.States {
		var sigma float64
		if k < len(noise) && noise[k] > 0 {
			sigma = noise[k]
		} else {
			sigma = max(tr.noise(k), tr.rounding(k))
		}
		tr.addState(ctx, d, k, sigma)
	}
	for k := range tr.numEquations() { // inputs are exact
		if v := leastValue(tr.States[k].Values, d.sigma[k], d.scale[k]); v > math.Inf(-1) {
			if d.least == nil {
				d.least = slices.Repeat([]float64{math.Inf(-1)}, len(tr.States))
			}
			d.least[k] = v
		}
	}
	if tr.Order == 2 {
		for k := range tr.States {
			d.scale = append(d.scale, d.rmsVelocity(k))
		}
	}
	return d
}

// run returns the run of the given rows, without derivatives.
func (tr *Trajectories) run(rows [2]int) run {
	r := run{t: tr.Time.Values[rows[0]:rows[1]]}
	for _, c := range tr.States {
		r.x = append(r.x, c.Values[rows[0]:rows[1]])
	}
	for _, c := range tr.Params {
		r.extra = append(r.extra, c.Values[rows[0]])
	}
	for _, k := range tr.Consts {
		r.extra = append(r.extra, k.Value)
	}
	return r
}

// addState adds to d the size of state k, its noise sigma and its derivatives in each run.
func (tr *Trajectories) addState(ctx context.Context, d *data, k int, sigma float64) {
	squares := 0.0
	for _, r := range d.runs {
		for _, v := range r.x[k] {
			squares += v * v
		}
	}
	scale := math.Sqrt(squares / float64(tr.Rows()))
	d.scale = append(d.scale, scale)
	d.sigma = append(d.sigma, max(sigma, exactly*scale))
	for i, r := range d.runs {
		s := derivatives(ctx, r.t, r.x[k], sigma)
		if k >= len(tr.States)-tr.Inputs { // inputs are exact
			for j := range s {
				s[j].D[0] = r.x[k][j]
			}
		}
		d.runs[i].derivative = append(d.runs[i].derivative, s)
	}
}

// rmsVelocity returns the root mean square of the first derivative of state k.
func (d *data) rmsVelocity(k int) float64 {
	squares, n := 0.0, 0.0
	for _, r := range d.runs {
		for _, s := range r.derivative[k] {
			squares += s.D[1] * s.D[1]
			n++
		}
	}
	return math.Sqrt(squares / n)
}

// exactly is the relative error below which a state counts as exact.
const exactly = 1e-9

type reader struct {
	table    *dataset.Table
	options  Options
	columns  []dataset.Column
	warnings []string
}

func (r *reader) fail(column, problem, try string) error {
	return &dataset.Error{File: r.table.Name, Column: column, Problem: problem, Try: try}
}

func (r *reader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, r.table.Name+": "+fmt.Sprintf(format, args...))
}
