package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// The kinds of variants of a table.
const (
	WithoutUnits = "without units"
	OtherUnits   = "other units"      // units changed as in the function other, such as K for °C
	OtherNames   = "other names"      // x1, x2, … and y
	OtherOrder   = "columns reversed" // only for tables with several columns
	OtherRows    = "rows permuted"
	HalfTheRows  = "half the rows"    // every other row
	ExtraColumn  = "unrelated column" // a column of random numbers is added
	FewerDigits  = "one digit less"
	OtherSeed    = "other seed"
)

// fewestRows is the least number of rows for which a table is also searched with half its rows.
const fewestRows = 12

// variant is a change of a table that should not change the form of its law.
type variant struct {
	kind string
	// Origin of each column, by its name in the variant. An unrelated column is not listed.
	columns map[string]source
	target  source
	names   []string // names of the columns and constants of the table itself
}

// source is the origin of a column of a variant. The column is by·x + plus, where x is a column of
// the original table.
type source struct {
	name     string
	by, plus float64
}

// variants returns the variants that are possible for t, and their tables.
func variants(t *dataset.Table, noUnits bool) (all []*variant, data []*dataset.Table) {
	add := func(kind string, change func(v *variant, t *dataset.Table)) {
		v := &variant{kind: kind, columns: map[string]source{}, target: source{t.Target.Name, 1, 0}}
		c := *t
		c.Vars = slices.Clone(t.Vars)
		for _, x := range t.Vars {
			v.names = append(v.names, x.Name)
			v.columns[x.Name] = source{x.Name, 1, 0}
		}
		for _, k := range t.Consts {
			v.names = append(v.names, k.Name)
			v.columns[k.Name] = source{k.Name, 1, 0}
		}
		if change != nil {
			change(v, &c)
		}
		all, data = append(all, v), append(data, &c)
	}
	unitless := func(c dataset.Column) bool { return !c.HasUnit }
	units := !noUnits && !unitless(t.Target) && !slices.ContainsFunc(t.Vars, unitless)
	if units {
		add(WithoutUnits, nil)
		add(OtherUnits, (*variant).convert)
	}
	add(OtherNames, (*variant).rename)
	if len(t.Vars) > 1 {
		add(OtherOrder, func(_ *variant, t *dataset.Table) { slices.Reverse(t.Vars) })
	}
	rng := rand.New(rand.NewPCG(1, 0))
	add(OtherRows, func(_ *variant, t *dataset.Table) { *t = *t.Subset(rng.Perm(t.Rows())) })
	if t.Rows() >= fewestRows {
		add(HalfTheRows, func(_ *variant, t *dataset.Table) { *t = *t.Subset(everyOther(t.Rows())) })
	}
	add(ExtraColumn, func(v *variant, t *dataset.Table) { t.Vars = append(t.Vars, unrelated(t, units, rng)) })
	add(FewerDigits, func(_ *variant, t *dataset.Table) {
		for i := range t.Vars {
			t.Vars[i].Values = fewerDigits(t.Vars[i].Values)
		}
		t.Target.Values = fewerDigits(t.Target.Values)
	})
	add(OtherSeed, nil)
	return all, data
}

// settings changes the settings of a search as the variant requires.
func (v *variant) settings(s *discover.Settings) {
	switch v.kind {
	case WithoutUnits:
		s.NoUnits = true
	case OtherSeed:
		s.Seed++
	}
}

// convert converts all columns of t to other units.
func (v *variant) convert(t *dataset.Table) {
	for i := range t.Vars {
		c := &t.Vars[i]
		v.columns[c.Name] = convert(c, nil)
	}
	v.target = convert(&t.Target, &t.Sigma)
}

// convert converts a column, and its standard errors if sigma is not nil, to another unit.
func convert(c *dataset.Column, sigma *[]float64) source {
	to := other(c.Unit)
	s := source{c.Name, c.Unit.Factor() / to.Factor(), (c.Unit.Offset - to.Offset) / to.Factor()}
	values := slices.Clone(c.Values)
	for i, x := range values {
		values[i] = decimal(s.by*x + s.plus)
	}
	if sigma != nil && *sigma != nil {
		*sigma = slices.Clone(*sigma)
		for i := range *sigma {
			(*sigma)[i] = decimal((*sigma)[i] * s.by)
		}
	}
	c.Values, c.Unit = values, to
	return s
}

// decimal returns v rounded to 12 significant digits, which removes the rounding errors of a
// conversion.
func decimal(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	return v
}

// other returns another usual unit in place of u: K for °C, °C for K, and radians for degrees. For
// another SI unit, it returns a thousandth of that unit. For a unit that is not SI, it returns the
// SI unit.
func other(u unit.Unit) unit.Unit {
	parse := func(name string) unit.Unit {
		o, err := unit.Parse(name)
		if err != nil || o.Dim != u.Dim {
			return unit.Unit{Dim: u.Dim, Scale: 1e-3}
		}
		return o
	}
	si := unit.SI(u.Dim)
	switch {
	case si.Name == "K" && u.Offset != 0:
		return parse("K")
	case si.Name == "K" && u.Factor() == 1:
		return parse("degC")
	case u.IsDegree():
		return parse("rad")
	case u.Dim.IsZero() && u.Factor() == 1:
		return u
	case u.Factor() != 1 || u.Offset != 0:
		return si
	}
	if o := parse("m" + u.Name); o.Factor() == 1e-3 && o.Offset == 0 {
		return o
	}
	return parse("0.001 " + si.Name)
}

// rename renames the columns x1, x2, … and y, and the constants k1, k2, ….
func (v *variant) rename(t *dataset.Table) {
	columns := map[string]source{}
	for i := range t.Vars {
		name := fmt.Sprintf("x%d", i+1)
		columns[name] = v.columns[t.Vars[i].Name]
		t.Vars[i].Name = name
	}
	t.Consts = slices.Clone(t.Consts)
	for i := range t.Consts {
		name := fmt.Sprintf("k%d", i+1)
		columns[name] = v.columns[t.Consts[i].Name]
		t.Consts[i].Name = name
	}
	t.Target.Name = "y"
	v.columns = columns
}

// everyOther returns the indices 0, 2, 4, … below n.
func everyOther(n int) (rows []int) {
	for i := 0; i < n; i += 2 {
		rows = append(rows, i)
	}
	return rows
}

// unrelated returns a column of random numbers with three digits. If units is true, it is
// dimensionless; otherwise its unit is unknown.
func unrelated(t *dataset.Table, units bool, rng *rand.Rand) dataset.Column {
	c := dataset.Column{Name: "w", HasUnit: units}
	taken := func(name string) bool {
		return name == t.Target.Name ||
			slices.ContainsFunc(t.Vars, func(c dataset.Column) bool { return c.Name == name }) ||
			slices.ContainsFunc(t.Consts, func(k dataset.Constant) bool { return k.Name == name })
	}
	for taken(c.Name) {
		c.Name += "w"
	}
	for range t.Rows() {
		c.Values = append(c.Values, math.Round(1000+300*rng.NormFloat64())/100)
	}
	return c
}

// fewerDigits returns values rounded to one digit less. It removes a decimal if most values have
// the same number of decimals, and otherwise a significant digit. Columns of whole numbers, or of
// at most two digits, stay as they are.
func fewerDigits(values []float64) []float64 {
	longest, deepest, decimals, significant := 0, 0, 0, 0
	for _, v := range values {
		digits, after := written(v)
		longest, deepest = max(longest, digits), max(deepest, after)
	}
	for _, v := range values {
		digits, after := written(v)
		if digits == longest {
			significant++
		}
		if after == deepest {
			decimals++
		}
	}
	if longest < 3 || deepest == 0 {
		return values
	}
	out := make([]float64, len(values))
	for i, v := range values {
		text := strconv.FormatFloat(v, 'e', longest-2, 64)
		if decimals >= significant {
			text = strconv.FormatFloat(v, 'f', deepest-1, 64)
		}
		out[i], _ = strconv.ParseFloat(text, 64)
	}
	return out
}

// written returns the number of significant digits in the shortest decimal of v, and how many of
// them follow the decimal point.
func written(v float64) (digits, after int) {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	digits = len(strings.Replace(mantissa, ".", "", 1))
	return digits, max(0, digits-1-e)
}

// undo returns a law of the variant as an expression in the columns of the original table. names
// are the names of these columns. The constants are Params that start from their values. It is an
// error if the law has the unrelated column.
func (v *variant) undo(l TableLaw) (t expr.Tree, names []string, err error) {
	t, err = l.tree()
	if err != nil {
		return t, nil, err
	}
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if n.Op != expr.Var {
			nodes = append(nodes, n)
			continue
		}
		name := l.Tree.Vars[n.Index]
		from, ok := v.columns[name]
		if !ok {
			return t, nil, fmt.Errorf("law %s: column %s is unrelated", l.Law, name)
		}
		x := expr.X(slices.Index(v.names, from.name))
		nodes = append(nodes, affine(x, from.by, from.plus).Nodes()...)
	}
	t, _ = expr.FromNodes(nodes)
	return affine(t, 1/v.target.by, -v.target.plus/v.target.by), v.names, nil
}

// affine returns by·t + plus.
func affine(t expr.Tree, by, plus float64) expr.Tree {
	if by != 1 {
		t = expr.Apply(expr.Mul, expr.Num(by), t)
	}
	if plus != 0 {
		t = expr.Apply(expr.Add, t, expr.Num(plus))
	}
	return t
}

// tree returns l as an expression in its own variables. Its constants are Params that start from
// their values.
func (l TableLaw) tree() (expr.Tree, error) {
	if l.Tree == nil {
		return expr.Tree{}, fmt.Errorf("law %s: the results have no tree of it; search again", l.Law)
	}
	t, err := expr.Parse(l.Tree.Infix, l.Tree.Vars)
	if err != nil {
		return t, err
	}
	starts := t.Params()
	for i := range starts {
		if i < len(l.Constants) && l.Constants[i].Value != nil {
			starts[i] = *l.Constants[i].Value
		}
	}
	return t.WithStarts(starts), nil
}
