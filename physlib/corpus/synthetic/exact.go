package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Law is a law with its numbers, and exact tables of it.
type Law struct {
	Name  string         // name in the catalogue, or the law as text
	Kind  string         // Whole, Experiment, Random or Sums
	Tree  expr.Tree      // the law in terms of the columns in their units, without free constants
	Data  *dataset.Table // rows at random points, without errors
	Fresh *dataset.Table // further rows
}

// The kinds of exact laws other than Random.
const (
	Whole = "whole law" // a law of the catalogue, with parameters as columns
	// An experiment: a law of the catalogue whose parameters are constants that the table does not
	// show.
	Experiment = "experiment"
	Sums       = "sum" // two to five terms, as in rates of change; without units
)

// mostWhole is the largest number of columns of a law of kind Whole.
const mostWhole = 8

// Exact draws law number index of the sequence seed. Data and Fresh each get the given number of
// rows. The result depends only on the arguments. The kinds of laws alternate. Laws in the suites
// of package corpus are excluded.
func Exact(seed, index uint64, rows int) (Law, error) {
	d := drawer{rand.New(rand.NewPCG(seed^0xe8ac7, index))}
	kind := []string{Whole, Random, Experiment, Sums}[index%4]
	for range tries {
		l, ok := d.lawOf(kind)
		if !ok || l.banned() {
			continue
		}
		data, ok := d.exact(l, rows)
		if !ok {
			continue
		}
		fresh, ok := d.exact(l, rows)
		if !ok {
			continue
		}
		return Law{Name: l.name, Kind: kind, Tree: l.tree.Bind(l.tree.Params()), Data: data, Fresh: fresh}, nil
	}
	return Law{}, fmt.Errorf("law %d of seed %d: none of %d has values at %d rows; choose another seed", index, seed, tries, rows)
}

// lawOf draws a law of the given kind.
func (d drawer) lawOf(kind string) (l law, ok bool) {
	switch kind {
	case Whole:
		return d.wholeLaw()
	case Experiment:
		return d.catalogueLaw()
	case Sums:
		return d.sumLaw()
	}
	return d.randomLaw()
}

// banned reports whether l is a law of a suite, up to its constants.
func (l law) banned() bool {
	skeleton, _, ok := stream.Skeleton(l.tree)
	return ok && stream.Banned(stream.Signature(skeleton))
}

// exact returns the given number of rows of l at random points. ok is false if the law is undefined
// at too many points, or if the target hardly varies.
func (d drawer) exact(l law, rows int) (t *dataset.Table, ok bool) {
	cols := make([][]float64, len(l.vars))
	for i, v := range l.vars {
		cols[i] = make([]float64, 2*rows)
		for r := range cols[i] {
			cols[i][r] = d.between(v.low, v.high, v.wide())
		}
	}
	y := l.tree.Values(2*rows, cols, l.tree.Params())
	kept := make([][]float64, len(cols))
	var values []float64
	for r, v := range y {
		if len(values) == rows || math.IsNaN(v) || math.Abs(v) > 1e30 || v != 0 && math.Abs(v) < 1e-30 {
			continue
		}
		values = append(values, v)
		for i := range cols {
			kept[i] = append(kept[i], cols[i][r])
		}
	}
	if len(values) < rows || slices.Max(values)-slices.Min(values) <= 1e-2*max(math.Abs(slices.Max(values)), math.Abs(slices.Min(values))) {
		return nil, false
	}
	return l.columns(kept, values), true
}

// wholeLaw returns a law of the catalogue whose variables and parameters are columns.
func (d drawer) wholeLaw() (l law, ok bool) {
	all := commonLaws()
	e := all[d.IntN(len(all))]
	e.Quantities = slices.Clone(e.Quantities)
	for i, q := range e.Quantities {
		if q.Role == corpus.Parameter {
			e.Quantities[i].Role = corpus.Variable
		}
	}
	l, ok = entryLaw(e)
	fixed := slices.ContainsFunc(l.vars, func(v variable) bool { return !(v.low < v.high) })
	return l, ok && !fixed && len(l.vars) <= mostWhole
}

// sumLaw returns a sum of two to five terms, see term.
func (d drawer) sumLaw() (l law, ok bool) {
	names := strings.Fields("u v w")[:1+d.IntN(3)]
	for _, n := range names {
		low, high := d.between(0.1, 1, true), d.between(2, 10, true)
		if d.chance(0.5) { // a range across zero
			low = -high
		}
		l.vars = append(l.vars, variable{column{name: n}, low, high})
	}
	l.target, l.field = column{name: "y"}, Random
	for i := range 2 + d.IntN(4) {
		t := d.term(&l)
		if i == 0 {
			l.tree = t
		} else {
			l.tree = expr.Apply(expr.Add, l.tree, t)
		}
	}
	l.tree = l.tree.Canonical()
	l.name = l.tree.Bind(l.tree.Params()).Format(l.names(), 4)
	return l, len(l.tree.Vars()) == len(l.vars)
}

// term returns a random term in the variables of l: a coefficient times powers of variables, or a
// function with a constant in its argument, or the product of both.
func (d drawer) term(l *law) expr.Tree {
	number := func(low, high float64) expr.Tree {
		return expr.Num(significant(d.between(low, high, true), 3))
	}
	t := number(0.1, 3)
	if d.chance(0.5) {
		t = expr.Num(-t.Nodes()[0].Value)
	}
	times := func(f expr.Tree) { t = expr.Apply(expr.Mul, t, f) }
	i := d.IntN(len(l.vars))
	x, positive := expr.X(i), l.vars[i].low > 0
	if d.chance(0.5) {
		power := []expr.Op{expr.Square, expr.Cube}
		switch k := d.IntN(4); {
		case k < 2:
			times(x)
		default:
			times(expr.Apply(power[k-2], x))
		}
		if len(l.vars) > 1 && d.chance(0.4) {
			times(expr.X((i + 1) % len(l.vars)))
		}
		if d.chance(0.5) {
			return t
		}
		i = d.IntN(len(l.vars))
		x, positive = expr.X(i), l.vars[i].low > 0
	}
	k := expr.Apply(expr.Mul, number(0.2, 2), x)
	one := expr.Num(1)
	switch d.IntN(7) {
	case 0:
		times(expr.Apply(expr.Exp, expr.Apply(expr.Neg, expr.Apply(expr.Mul, number(0.1, 1), expr.Apply(expr.Abs, x)))))
	case 1:
		times(expr.Apply(expr.Sin, k))
	case 2:
		times(expr.Apply(expr.Cos, k))
	case 3:
		times(expr.Apply(expr.Tanh, k))
	case 4:
		times(expr.Apply(expr.Log, expr.Apply(expr.Add, one, expr.Apply(expr.Abs, x))))
	case 5:
		times(expr.Apply(expr.Mul, x, expr.Apply(expr.Abs, x)))
	default:
		if positive {
			times(expr.Apply(expr.Div, x, expr.Apply(expr.Add, number(0.5, 3), x)))
		} else {
			times(expr.Apply(expr.Inv, expr.Apply(expr.Add, one, expr.Apply(expr.Square, k))))
		}
	}
	return t
}
