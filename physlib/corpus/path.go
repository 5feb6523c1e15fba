package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// curve is that along which the variables of a law were measured: a solution of the equation of
// motion that the law is the right-hand side of, or a straight line.
type curve struct {
	running []ranged // variables that run from end to end together
	states  []state  // of the equation, the last of which has the law as its rate; none: a line
}

type ranged struct {
	name     string
	from, to float64
}

type state struct {
	name  string
	start float64
}

// path reads Problem.Path: name=from..to of variables that run, then name=start of the states. The
// rate of a state is the next one.
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
			return c, fmt.Errorf("%q is no name=from..to", part)
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

// names are those of the variables on the path.
func (c curve) names() (names []string) {
	for _, r := range c.running {
		names = append(names, r.name)
	}
	for _, s := range c.states {
		names = append(names, s.name)
	}
	return names
}

// Points along a path, and those before its last part, which is out of the distribution that is
// measured.
const (
	pathPoints   = 5000
	pathMeasured = 4500
)

// Measure draws rows measurements without noise as they were made: of the points along Path, in
// single precision. Without a path it is Sample.
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

// single returns the values at some points, rounded to single precision.
func single(v []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = float64(float32(v[k]))
	}
	return out
}

// follow returns the values of the variables along c, and of the law.
func (p Problem) follow(c curve) (values [][]float64, law []float64, err error) {
	t, err := expr.Parse(p.Law, c.names())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: law %q: %w", p.ID, p.Law, err)
	}
	f := &flow{curve: c, program: expr.Compile(t)}
	values = make([][]float64, len(c.names()))
	y := make([]float64, len(c.states))
	for i, s := range c.states {
		y[i] = s.start
	}
	for k := range pathPoints {
		share := float64(k) / (pathPoints - 1)
		point, rate := f.at(share, y)
		for i, v := range point {
			values[i] = append(values[i], v)
		}
		law = append(law, rate)
		y = f.step(share, 1./(pathPoints-1), y)
	}
	return values, law, nil
}

// flow integrates the states along a path.
type flow struct {
	curve
	program *expr.Program
}

// at returns the variables at a share of the path with states y, and the law.
func (f *flow) at(share float64, y []float64) (point []float64, law float64) {
	for _, r := range f.running {
		point = append(point, r.from+share*(r.to-r.from))
	}
	point = append(point, y...)
	cols := make([][]float64, len(point))
	for i := range point {
		cols[i] = point[i : i+1]
	}
	out := make([]float64, 1)
	f.program.Eval(out, cols, nil)
	return point, out[0]
}

// step returns the states after a part of the path, by the classical Runge–Kutta method.
func (f *flow) step(share, part float64, y []float64) []float64 {
	length := f.running[0].to - f.running[0].from
	slope := func(share float64, y []float64) []float64 {
		_, law := f.at(share, y)
		return append(slices.Clone(y), law)[min(1, len(y)):]
	}
	moved := func(k []float64, by float64) []float64 {
		out := slices.Clone(y)
		for i := range out {
			out[i] += by * length * k[i]
		}
		return out
	}
	k1 := slope(share, y)
	k2 := slope(share+part/2, moved(k1, part/2))
	k3 := slope(share+part/2, moved(k2, part/2))
	k4 := slope(share+part, moved(k3, part))
	out := slices.Clone(y)
	for i := range out {
		out[i] += part * length / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
	}
	return out
}
