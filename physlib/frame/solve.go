package frame

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// searchFunction computes the values that function i must have in each row, with the forms in s for
// the other functions. Then it searches that table. It returns a state for each form found.
func (q *search) searchFunction(ctx context.Context, s state, i int, settings discover.Settings) (out []state) {
	t := q.values(s, i)
	if t == nil {
		return nil
	}
	r, err := discover.Discover(ctx, t, settings)
	if err != nil {
		return nil
	}
	q.tried += r.Evaluations
	names := make([]string, len(t.Vars))
	for k, v := range t.Vars {
		names[k] = v.Name
	}
	for _, l := range r.Finalists {
		over, err := l.Over(names)
		if err != nil || len(over.Tree.Vars()) == 0 {
			continue
		}
		out = append(out, q.replaced(s, i, over.Tree.WithStarts(over.Params()).NumberParams(), l.Proposer))
	}
	return out
}

// values returns a table of the arguments of function i and of the value that the function must
// have in each row. It returns nil if the function occurs more than once, or if its value is
// determined in too few rows.
func (q *search) values(s state, i int) *dataset.Table {
	at := -1
	for k, c := range q.frame.calls {
		if c.function == i {
			if at >= 0 {
				return nil
			}
			at = k
		}
	}
	call := q.frame.calls[at]
	y := q.table.Target.Values
	value, slope := q.invert(s, i, at)
	u := &dataset.Table{Name: q.table.Name + ", " + q.frame.Functions[i].Name, Target: dataset.Column{Name: q.frame.Functions[i].Name}}
	var rows []int
	for k := range y {
		if !math.IsNaN(value[k]) && !math.IsInf(value[k], 0) && math.Abs(slope[k]) > 0 {
			rows = append(rows, k)
		}
	}
	if len(rows) < 4 || 10*len(rows) < 8*len(y) {
		return nil
	}
	for k, a := range call.args {
		u.Vars = append(u.Vars, q.argument(k, a, rows))
	}
	for _, k := range rows {
		u.Target.Values = append(u.Target.Values, value[k])
		if size := q.sizeAt(s, k); size > 0 {
			u.Sigma = append(u.Sigma, size/math.Abs(slope[k]))
		}
	}
	if len(u.Sigma) != len(rows) || slices.Max(u.Sigma) < 2*slices.Min(u.Sigma) && q.m.Sigma == nil {
		// The errors are nearly equal and were not given, so the search should estimate them.
		u.Sigma = nil
	}
	return u
}

// sizeAt returns the standard error of the target in a row, or 0 if it is unknown.
func (q *search) sizeAt(s state, row int) float64 {
	switch {
	case q.m.Sigma != nil:
		return q.m.Sigma[row]
	case s.score.Model == mdl.Proportional || s.score.Model == mdl.HeavyFactors:
		return s.score.Size * math.Abs(q.table.Target.Values[row])
	case s.score.Model == mdl.Counting:
		return s.score.Size * math.Sqrt(max(q.table.Target.Values[row], 1))
	}
	return s.score.Size
}

// argument returns argument k of a function as a column, for the given rows. An argument that is
// not a column of the table has a name that no column has.
func (q *search) argument(k int, a expr.Tree, rows []int) dataset.Column {
	v := make([]float64, q.m.Rows())
	expr.Compile(q.m.ToColumns(a)).Eval(v, q.m.Cols, nil)
	c := dataset.Column{Name: fmt.Sprintf("u%d", k+1)}
	for slices.ContainsFunc(q.table.Vars, func(v dataset.Column) bool { return v.Name == c.Name }) {
		c.Name += "_"
	}
	if a.Len() == 1 && a.Nodes()[0].Op == expr.Var && int(a.Nodes()[0].Index) < len(q.table.Vars) {
		c = q.table.Vars[a.Nodes()[0].Index]
	}
	c.Values = nil
	for _, r := range rows {
		c.Values = append(c.Values, v[r])
	}
	return c
}

// steps is the largest number of steps of the secant method.
const steps = 60

// invert solves the law for the value of function i in each row. slope is dy/df at this value. The
// value is NaN in rows in which no solution is found.
func (q *search) invert(s state, i, at int) (value, slope []float64) {
	n := q.m.Rows()
	own, each := q.frame.parts(s.forms, s.params)
	bound := make([]expr.Tree, len(s.forms))
	for k, f := range s.forms {
		bound[k] = f.Bind(each[k])
	}
	// In a copy of the frame, function i returns its last argument, and its call gets one more
	// argument: a new variable, after the columns, that holds the value of the function.
	bound[i] = expr.X(len(q.frame.columns))
	frame := *q.frame
	frame.calls = slices.Clone(q.frame.calls)
	frame.calls[at].args = make([]expr.Tree, len(q.frame.columns)+1)
	frame.calls[at].args[len(q.frame.columns)] = expr.X(len(q.frame.columns))
	tree := frame.composed(bound).Bind(own)
	cols := append(slices.Clone(q.m.Cols[:len(q.frame.columns)]), nil)
	program := expr.Compile(tree)
	eval := func(f []float64) []float64 {
		cols[len(cols)-1] = f
		out := make([]float64, n)
		program.Eval(out, cols, nil)
		return out
	}
	y := q.table.Target.Values
	constant := func(v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	zero, one, two := eval(constant(0)), eval(constant(1)), eval(constant(2))
	linear := true
	slope = make([]float64, n)
	value = make([]float64, n)
	for k := range y {
		slope[k] = one[k] - zero[k]
		value[k] = (y[k] - zero[k]) / slope[k]
		linear = linear && math.Abs(two[k]-one[k]-slope[k]) <= 1e-9*math.Abs(slope[k])
	}
	if linear {
		return value, slope
	}
	return q.secant(eval, s, i)
}

// secant solves for the values of function i by the secant method, starting from the values of its
// present form.
func (q *search) secant(eval func([]float64) []float64, s state, i int) (value, slope []float64) {
	n, y := q.m.Rows(), q.table.Target.Values
	_, each := q.frame.parts(s.forms, s.params)
	var args [][]float64
	for _, c := range q.frame.calls {
		if c.function == i {
			for _, a := range c.args {
				v := make([]float64, n)
				expr.Compile(q.m.ToColumns(a)).Eval(v, q.m.Cols, nil)
				args = append(args, v)
			}
		}
	}
	a := s.forms[i].Values(n, args, each[i])
	b := make([]float64, n)
	for k := range b {
		if math.IsNaN(a[k]) {
			a[k] = 1
		}
		b[k] = a[k]*1.01 + 1e-3
	}
	fa := eval(a)
	slope = make([]float64, n)
	for range steps {
		fb := eval(b)
		for k := range y {
			d := (fb[k] - fa[k]) / (b[k] - a[k])
			if d != 0 && !math.IsNaN(d) && math.Abs(fb[k]-y[k]) > 1e-12*math.Abs(y[k]) {
				a[k], fa[k], slope[k] = b[k], fb[k], d
				b[k] += (y[k] - fb[k]) / d
			}
		}
	}
	last := eval(b)
	for k := range y {
		if !(math.Abs(last[k]-y[k]) <= 1e-6*math.Abs(y[k])+1e-12) {
			b[k] = math.NaN()
		}
	}
	return b, slope
}
