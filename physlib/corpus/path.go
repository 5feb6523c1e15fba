package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/ode"
)

// curve is the path along which the variables of a law were measured. It is a straight line, or a
// solution of the differential equation whose right side is the law.
type curve struct {
	running []ranged // variables that change linearly and simultaneously from one value to another
	// States of the differential equation; the law is the rate of the last one. Without states, the
	// path is a straight line.
	states []state
}

type ranged struct {
	name     string
	from, to float64
}

type state struct {
	name  string
	start float64
}

// path parses Problem.Path: name=from..to for running variables, then name=start for the states.
// The derivative of each state is the next state, and that of the last state is the law.
func (p Problem) path() (c curve, err error) {
	for _, part := range strings.Split(p.Path, ";") {
		if strings.TrimSpace(p.Path) == "" {
			return c, nil
		}
		name, values, _ := strings.Cut(strings.TrimSpace(part), "=")
		low, high, runs := strings.Cut(values, "..")
		from, err := strconv.ParseFloat(low, 64)
		if err != nil {
			return c, fmt.Errorf("%q is neither name=start nor name=from..to", part)
		}
		if !runs {
			c.states = append(c.states, state{name, from})
			continue
		}
		to, err := strconv.ParseFloat(high, 64)
		if err != nil {
			return c, fmt.Errorf("%q is not a name=from..to", part)
		}
		c.running = append(c.running, ranged{name, from, to})
	}
	if len(c.running) == 0 {
		return c, fmt.Errorf("%q: one variable must run, as in t=0..60", p.Path)
	}
	for _, v := range p.Vars {
		if !slices.Contains(c.names(), v.Name) {
			return c, fmt.Errorf("%q says nothing of %s", p.Path, v.Name)
		}
	}
	return c, nil
}

// names returns the names of the variables on the path.
func (c curve) names() (names []string) {
	for _, r := range c.running {
		names = append(names, r.name)
	}
	for _, s := range c.states {
		names = append(names, s.name)
	}
	return names
}

// Number of points along a path, and of points before its last section. In the data of LLM-SRBench,
// the last section is outside the range of the measurements.
const (
	pathPoints   = 5000
	pathMeasured = 4500
)

// Measure draws rows measurements without noise in the way in which the data of LLM-SRBench were
// made: at random points along Path, in single precision. Without a path it is the same as Sample.
func (p Problem) Measure(rows int, rng *rand.Rand) (*dataset.Table, error) {
	c, err := p.path()
	if err != nil {
		return nil, fmt.Errorf("%s: path: %w", p.ID, err)
	}
	if len(c.running) == 0 {
		return p.Sample(rows, rng)
	}
	if rows < 1 || rows > pathMeasured {
		return nil, fmt.Errorf("%s: %d rows: a path has 1 to %d", p.ID, rows, pathMeasured)
	}
	table, err := p.empty()
	if err != nil {
		return nil, err
	}
	values, law, err := p.follow(c)
	if err != nil {
		return nil, err
	}
	at := rng.Perm(pathMeasured)[:rows]
	slices.Sort(at)
	for i, v := range p.Vars {
		table.Vars[i].Values = single(values[slices.Index(c.names(), v.Name)], at)
	}
	table.Target.Values = single(law, at)
	return table, nil
}

// single returns the elements of v with the indices in `at`, rounded to single precision.
func single(v []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = float64(float32(v[k]))
	}
	return out
}

// Relative and absolute error that an integration step along a path may have, as in the data of
// LLM-SRBench.
const (
	pathRelative = 1e-3
	pathAbsolute = 1e-6
)

// follow returns the values of the variables along c, in the order of c.names, and those of the
// law.
func (p Problem) follow(c curve) (values [][]float64, law []float64, err error) {
	t, err := expr.Parse(p.Law, c.names())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: law %q: %w", p.ID, p.Law, err)
	}
	at := c.running[0].points()
	var states [][]float64
	if len(c.states) > 0 {
		if states, err = c.integrate(expr.Compile(t), at); err != nil {
			return nil, nil, fmt.Errorf("%s: path %q: %w", p.ID, p.Path, err)
		}
	}
	for _, r := range c.running {
		values = append(values, r.points())
	}
	for i := range c.states {
		column := make([]float64, len(at))
		for k := range column {
			column[k] = states[k][i]
		}
		values = append(values, column)
	}
	law = t.Values(len(at), values, nil)
	return values, law, nil
}

// points returns the values of r at the points of a path.
func (r ranged) points() []float64 {
	v := make([]float64, pathPoints)
	for k := range v {
		v[k] = r.from + (r.to-r.from)*float64(k)/(pathPoints-1)
	}
	return v
}

// integrate returns the states for each value in `at` of the first running variable.
func (c curve) integrate(law *expr.Program, at []float64) ([][]float64, error) {
	cols := make([][]float64, len(c.running)+len(c.states))
	for i := range cols {
		cols[i] = make([]float64, 1)
	}
	var start []float64
	for _, s := range c.states {
		start = append(start, s.start)
	}
	first := c.running[0]
	rates := func(at float64, y, dy []float64) {
		share := (at - first.from) / (first.to - first.from)
		for i, r := range c.running {
			cols[i][0] = r.from + share*(r.to-r.from)
		}
		for i, v := range y {
			cols[len(c.running)+i][0] = v
		}
		copy(dy, y[1:])
		law.Eval(dy[len(dy)-1:], cols, nil)
	}
	return ode.Solve(rates, at, start, pathRelative, pathAbsolute)
}
