package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The least share of drawn points at which a law must be finite, and the least number of points
// that are drawn before Sample fails.
const (
	minFinite  = 0.05
	minAttempt = 2000
)

// Sample draws rows measurements without noise. Points at which the law is not finite are drawn
// again. Sample returns an error if the law is finite at fewer than one in twenty points. Equal
// states of rng give equal tables.
func (p Problem) Sample(rows int, rng *rand.Rand) (*dataset.Table, error) {
	if rows < 1 {
		return nil, fmt.Errorf("%s: cannot sample %d rows", p.ID, rows)
	}
	for _, v := range p.Vars {
		if err := v.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", p.ID, err)
		}
	}
	table, err := p.empty()
	if err != nil {
		return nil, err
	}
	law, err := p.Tree()
	if err != nil {
		return nil, err
	}
	cols, y, err := p.draw(law, rows, rng)
	if err != nil {
		return nil, err
	}
	for i := range cols {
		table.Vars[i].Values = cols[i]
	}
	table.Target.Values = y
	return table, nil
}

// empty returns the table of p without rows.
func (p Problem) empty() (*dataset.Table, error) {
	name := p.Output
	// The result may be a new value of a variable, with the same name.
	for slices.Contains(p.Names(), name) {
		name += "_out"
	}
	target, err := p.column(name, p.OutputUnit)
	if err != nil {
		return nil, err
	}
	t := &dataset.Table{Name: p.ID, Target: target, Vars: make([]dataset.Column, len(p.Vars))}
	for i, v := range p.Vars {
		if t.Vars[i], err = p.column(v.Name, v.Unit); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (p Problem) column(name, units string) (dataset.Column, error) {
	u, known, err := parseUnit(units)
	if err != nil {
		return dataset.Column{}, fmt.Errorf("%s: unit of %s: %w", p.ID, name, err)
	}
	return dataset.Column{Name: name, Unit: u, HasUnit: known}, nil
}

// draw draws rows points at which the law is finite. It returns the columns of the variables and
// the values of the law.
func (p Problem) draw(law expr.Tree, rows int, rng *rand.Rand) (cols [][]float64, y []float64, err error) {
	cols, y = make([][]float64, len(p.Vars)), make([]float64, 0, rows)
	batch := make([][]float64, len(p.Vars)) // [variable][point]
	for i := range batch {
		cols[i], batch[i] = make([]float64, 0, rows), make([]float64, rows)
	}
	values, program := make([]float64, rows), expr.Compile(law)
	draw, err := p.drawer(batch)
	if err != nil {
		return nil, nil, err
	}
	for drawn := 0; len(y) < rows; {
		draw(rng)
		drawn += rows
		program.Eval(values, batch, nil)
		for k, f := range values {
			if len(y) == rows || math.IsNaN(f) || math.IsInf(f, 0) {
				continue
			}
			y = append(y, f)
			for i := range cols {
				cols[i] = append(cols[i], batch[i][k])
			}
		}
		if drawn >= minAttempt && float64(len(y)) < minFinite*float64(drawn) {
			return nil, nil, fmt.Errorf("%s: law %q is finite at %d of %d points: narrow the ranges of its variables", p.ID, p.Law, len(y), drawn)
		}
	}
	return cols, y, nil
}

// drawer returns a function that fills batch with new points.
func (p Problem) drawer(batch [][]float64) (draw func(*rand.Rand), err error) {
	at := slices.IndexFunc(p.Vars, func(v Var) bool { return v.Name == p.Given.Name })
	if at < 0 {
		return func(rng *rand.Rand) {
			for k := range batch[0] {
				for i, v := range p.Vars {
					batch[i][k] = v.draw(rng)
				}
			}
		}, nil
	}
	law, err := p.givenTree()
	if err != nil {
		return nil, fmt.Errorf("%s: given: %w", p.ID, err)
	}
	program := expr.Compile(law)
	cols := slices.Clone(batch)
	// Draw the result; the variable is calculated from it.
	cols[at] = make([]float64, len(batch[at]))
	return func(rng *rand.Rand) {
		for k := range batch[at] {
			for i, v := range p.Vars {
				if i == at {
					v = p.Given.Result
				}
				cols[i][k] = v.draw(rng)
			}
		}
		program.Eval(batch[at], cols, nil)
	}, nil
}

// givenTree returns the law that gives the given variable. Its columns are Vars, but with the
// result in place of that variable.
func (p Problem) givenTree() (expr.Tree, error) {
	names := p.Names()
	names[slices.Index(names, p.Given.Name)] = p.Given.Result.Name
	t, err := expr.Parse(p.Given.Law, names)
	if err == nil && t.NumParams() > 0 {
		err = fmt.Errorf("law %q holds something that is not a variable of the row", p.Given.Law)
	}
	return t, err
}

// draw draws one value of v.
func (v Var) draw(rng *rand.Rand) float64 {
	switch v.Sampling {
	case LogUniform:
		a, b := math.Log(math.Abs(v.Low)), math.Log(math.Abs(v.High))
		x := math.Copysign(math.Exp(a+(b-a)*rng.Float64()), v.Low)
		return min(max(x, v.Low), v.High)
	case Integer:
		low := math.Ceil(v.Low)
		return low + math.Floor(rng.Float64()*(math.Floor(v.High)-low+1))
	}
	u := rng.Float64()
	return v.Low*(1-u) + v.High*u // does not overflow where High-Low would
}

// Widened returns p with each range widened by factor around its middle. For a loguniform range
// this is done in the logarithm. A range on one side of zero stays on that side: the end near zero
// moves at most to 1/factor of its value.
func (p Problem) Widened(factor float64) Problem {
	w := p
	w.Vars = slices.Clone(p.Vars)
	for i, v := range p.Vars {
		w.Vars[i].Low, w.Vars[i].High = v.widened(factor)
	}
	w.Given.Result.Low, w.Given.Result.High = p.Given.Result.widened(factor)
	return w
}

func (v Var) widened(factor float64) (low, high float64) {
	if v.Sampling == LogUniform {
		grow := math.Pow(v.High/v.Low, (factor-1)/2) // below 1 if the range is negative
		return v.Low / grow, v.High * grow
	}
	by := (v.High - v.Low) * (factor - 1) / 2
	low, high = v.Low-by, v.High+by
	if v.Low >= 0 {
		low = max(low, v.Low/factor)
	}
	if v.High <= 0 {
		high = min(high, v.High/factor)
	}
	if v.Sampling == Integer {
		low, high = math.Floor(low), math.Ceil(high)
		if v.Low >= 1 {
			low = max(low, 1) // a quantum number stays at least 1
		}
	}
	return low, high
}
