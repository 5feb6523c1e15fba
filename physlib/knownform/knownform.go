// Package knownform rewrites the law that a search has found in the form of a known law, as it is
// usual in its field. Known laws are those of the catalogue (package corpus). If one of them is the
// same function as the law found, its formula and its parameters are used.
//
// For example, a search finds T = 62.95*exp(-0.0373*t) + 21.55. Newton's law of cooling is T_a +
// (T_0 - T_a)*exp(-t/tau), and a reader wants T_a, T_0 and tau with their errors. The parameters
// are fitted to the values of the found law. If the fit is exact, both laws are the same function.
// The standard errors of the parameters follow from the covariance of the found constants.
package knownform

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// Limits of the computation for one law.
const (
	mostNames  = 12  // largest number of catalogue laws that are tried
	mostOrders = 24  // largest number of orders of columns that are tried for each law
	mostRows   = 200 // largest number of rows on which functions are compared
	mostSeeds  = 2   // largest number of attempts of a fit
)

// commonForm is a limit for tables without units, in which only the form identifies a law. If more
// laws of the catalogue than this have the form of the found law, none of them is used. A form such
// as a straight line is too common.
const commonForm = 20

// same is the largest difference between two functions that count as equal, relative to the range
// of their values.
const same = 1e-7

// Form is a law in the form that its field uses.
type Form struct {
	Name      string         // name of the law
	Formula   string         // right side of the law: "T_a + (T_0 - T_a)*exp(-t/tau)"
	Constants []law.Constant // parameters of the law; in the columns' units unless SI is true
	// Whether columns and parameters in Formula are in SI units. This is needed if the formula
	// contains constants of nature, which are in SI units.
	SI bool

	// Reference quantities of the law, such as t_1 in (t/t_1)**(1/3). Each is 1 in the unit of a
	// column or of the target. There are none if SI is true.
	References []dataset.Constant

	// The law as a function of the columns in their units, with the parameters as free constants.
	// In referred, the references are variables, after the columns.
	tree, referred expr.Tree

	units []string // units of the parameters in the catalogue
}

// InUsualUnit returns parameter i of the law in the unit of the catalogue. ok is false unless that
// unit is shorter than the unit of the parameter, such as ohm instead of V mA^-1.
func (f Form) InUsualUnit(i int) (k law.Constant, ok bool) {
	k = f.Constants[i]
	usual, err := unit.Parse(f.units[i])
	own, ownErr := unit.Parse(k.Unit)
	if err != nil || ownErr != nil || usual.Dim != own.Dim || factors(f.units[i]) >= factors(k.Unit) {
		return k, false
	}
	scale := own.Factor() / usual.Factor()
	k.Value, k.StdErr, k.ConditionalErr, k.Unit = k.Value*scale, k.StdErr*scale, k.ConditionalErr*scale, f.units[i]
	return k, true
}

// factors returns the number of different names in a unit.
func factors(name string) int {
	f, _ := unit.Factors(name)
	return len(f)
}

// Referred returns the law like Tree, with the references as variables. They follow the columns and
// the known constants of the table.
func (f Form) Referred() expr.Tree { return f.referred.WithStarts(f.tree.Params()) }

// Tree returns the law as a function of the columns in their units, with the parameters as free
// constants.
func (f Form) Tree() expr.Tree { return f.tree }

// Of returns l, a law of t, in the form of a law in the catalogue. It uses the first law in names
// that is the same function and has quantities like those of t. The parameters follow from the
// constants of l, and have the same signs as in the catalogue. ok is false if there is no such law,
// or if t has no units and there are more than commonForm names.
func Of(t *dataset.Table, l law.Law, names []string) (f Form, ok bool) {
	w, ok := newWanted(t, l)
	if !ok || len(names) > commonForm && !hasUnits(t) {
		return Form{}, false
	}
	for _, name := range names[:min(len(names), mostNames)] {
		if e, ok := entries()[name]; ok {
			if f, ok := w.written(e); ok {
				return f, true
			}
		}
	}
	return Form{}, false
}

// hasUnits reports whether a column of t has a unit.
func hasUnits(t *dataset.Table) bool {
	return t.Target.HasUnit || slices.ContainsFunc(t.Vars, func(c dataset.Column) bool { return c.HasUnit })
}

// entries maps names to the laws of the catalogue.
var entries = sync.OnceValue(func() map[string]corpus.Entry {
	m := make(map[string]corpus.Entry)
	for _, e := range corpus.Catalogue() {
		m[e.Name] = e
	}
	return m
})

// written returns the law in the form of e. It tries all assignments of e's variables to the
// columns. ok is false if none fits.
func (w wanted) written(e corpus.Entry) (Form, bool) {
	variables, ok := w.variables(e)
	if !ok {
		return Form{}, false
	}
	tree, err := e.Tree()
	if err != nil {
		return Form{}, false
	}
	for _, places := range combin.Permutations(len(variables), len(w.inputs)) {
		column := make(map[int]int, len(places))
		measured := true
		for k, p := range places {
			column[variables[p]] = w.inputs[k]
			measured = measured && w.measured(e.Quantities[variables[p]], w.inputs[k])
		}
		if !measured {
			continue
		}
		if f, ok := w.as(e, tree, column); ok {
			return f, true
		}
	}
	return Form{}, false
}

// variables returns the indices of e's variables. ok is false in three cases:
//
//   - The target of e has another dimension.
//   - e has too few variables, or too many for all their orders to be compared.
//   - The number of parameters of e differs from the number of constants of the law. Parameters are
//     the quantities of e that are neither inputs of the law nor constants of nature.
func (w wanted) variables(e corpus.Entry) (places []int, ok bool) {
	parameters := len(e.Quantities) - len(w.inputs)
	for i, q := range e.Quantities {
		switch q.Role {
		case corpus.Variable:
			places = append(places, i)
		case corpus.Constant:
			parameters--
		}
	}
	n := len(w.inputs)
	ok = parameters == w.law.Tree.NumParams() && measures(e.Target, w.table.Target)
	return places, ok && n <= len(places) && combin.NumPermutations(len(places), n) <= mostOrders
}

// measured reports whether the values of variable v may be values of the quantity q.
func (w wanted) measured(q corpus.Quantity, v int) bool {
	return v >= len(w.table.Vars) || measures(q, w.table.Vars[v])
}

// measures reports whether the values of column c may be values of the quantity q. This is so if
// the unit of c has q's dimension or is unknown.
func measures(q corpus.Quantity, c dataset.Column) bool {
	u, err := unit.Parse(q.Unit)
	return err == nil && (!c.HasUnit || c.Unit.Dim == u.Dim)
}

// as returns the law in the form of e, whose tree is given. column maps the indices of e's
// quantities to columns. The quantities without a column are parameters or constants of nature.
func (w wanted) as(e corpus.Entry, tree expr.Tree, column map[int]int) (Form, bool) {
	f, shown := Form{Name: e.Name}, tree
	f.SI = slices.ContainsFunc(e.Quantities, func(q corpus.Quantity) bool { return q.Role == corpus.Constant && q.Value != 1 })
	var parameters []corpus.Quantity
	leaves := make([]expr.Node, len(e.Quantities))
	symbols := make([]string, len(e.Quantities))
	for i, q := range e.Quantities {
		symbols[i] = w.free(q.Name)
		switch c, ok := column[i]; {
		case ok:
			symbols[i] = w.law.Vars[c]
			if zero, ok := w.zeros[c]; ok {
				shown = shown.Substitute(i, expr.Apply(expr.Sub, expr.X(i), expr.Num(zero)))
			}
			leaves[i] = expr.Node{Op: expr.Var, Index: int32(c)}
		case q.Role == corpus.Constant && f.SI:
			leaves[i] = expr.Node{Op: expr.Number, Value: inSI(q, q.Value)}
		case q.Role == corpus.Constant:
			leaves[i] = expr.Node{Op: expr.Var, Index: int32(w.firstReference() + len(f.References))}
			f.References = append(f.References, w.reference(symbols[i], q))
		default:
			leaves[i] = expr.Node{Op: expr.Param, Index: int32(len(parameters)), Value: q.Typical()}
			parameters = append(parameters, q)
			f.Constants = append(f.Constants, law.Constant{Name: symbols[i]})
			f.units = append(f.units, q.Unit)
		}
	}
	f.Formula = shown.Infix(symbols)
	f.referred = tree.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op == expr.Var {
			return leaves[n.Index]
		}
		return n
	})
	f.tree = f.referred
	for i, r := range f.References {
		f.tree = f.tree.Substitute(w.firstReference()+i, expr.Num(r.Value))
	}
	if f.SI && !w.fromSI(&f, parameters) {
		return f, false
	}
	params, ok := w.fit(f.tree, parameters)
	if !ok {
		return f, false
	}
	f.tree = f.tree.WithStarts(params)
	for i := range f.Constants {
		f.Constants[i].Value = params[i]
	}
	ok = w.propagate(&f)
	for v, zero := range w.zeros {
		counted := expr.Apply(expr.Sub, expr.X(v), expr.Num(zero))
		f.tree, f.referred = f.tree.Substitute(v, counted), f.referred.Substitute(v, counted)
	}
	return f, ok
}

// firstReference returns the variable of the first reference in Form.Referred.
func (w wanted) firstReference() int { return len(w.table.Vars) + len(w.table.Consts) }

// reference returns the reference quantity q with the given name. It is 1 in the unit of the first
// input, or else of the target, that has the dimension of q.
func (w wanted) reference(name string, q corpus.Quantity) dataset.Constant {
	r := dataset.Constant{Name: name, Value: 1}
	columns := []dataset.Column{}
	for _, v := range w.inputs {
		if v < len(w.table.Vars) {
			columns = append(columns, w.table.Vars[v])
		}
	}
	own, _ := unit.Parse(q.Unit)
	for _, c := range append(columns, w.table.Target) {
		if c.HasUnit && c.Unit.Dim == own.Dim && c.Unit.Offset == 0 {
			r.Unit, r.HasUnit = c.Unit, true
			return r
		}
	}
	return r
}

// inSI returns v, a value of q, in SI units.
func inSI(q corpus.Quantity, v float64) float64 {
	u, _ := unit.Parse(q.Unit)
	return u.ToSI(v)
}

// fromSI converts the tree of f, which is valid in SI units, to the columns' own units. It also
// sets the units of the parameters of f. It returns false unless all columns and the target have a
// unit.
func (w wanted) fromSI(f *Form, parameters []corpus.Quantity) bool {
	for _, v := range w.inputs {
		if v >= len(w.table.Vars) || !w.table.Vars[v].HasUnit {
			return false
		}
		u := w.table.Vars[v].Unit
		si := expr.Apply(expr.Mul, expr.Num(u.Factor()), expr.X(v))
		if u.Offset != 0 {
			si = expr.Apply(expr.Add, si, expr.Num(u.Offset))
		}
		f.tree = f.tree.Substitute(v, si)
	}
	target := w.table.Target.Unit
	fromZero := expr.Apply(expr.Sub, f.tree, expr.Num(target.Offset))
	f.tree = expr.Apply(expr.Div, fromZero, expr.Num(target.Factor()))
	for i, q := range parameters {
		u, _ := unit.Parse(q.Unit)
		f.Constants[i].Unit = u.Dim.Name()
		f.tree = f.tree.SubstituteParam(i, expr.C(i, inSI(q, q.Typical())))
	}
	return w.table.Target.HasUnit
}

// free returns name with underscores appended until no column has that name.
func (w wanted) free(name string) string {
	for slices.Contains(w.law.Vars, name) || name == w.law.Target {
		name += "_"
	}
	return name
}

// fit returns the parameters with which t is the same function as the law. ok is false if there are
// no such parameters.
func (w wanted) fit(t expr.Tree, parameters []corpus.Quantity) (params []float64, ok bool) {
	if t.NumParams() != len(parameters) {
		return nil, false
	}
	for seed := range int64(mostSeeds) {
		r, err := fit.Fit(t, w.cols, w.values, nil, fit.Settings{Seed: seed})
		if err != nil || !w.equals(t, r.Params) {
			continue
		}
		if signs(r.Params, parameters) {
			return w.foldPhases(t, r.Params, parameters), true
		}
	}
	return nil, false
}

// foldPhases returns params with phases between -π and π: those parameters in rad that t depends on
// with the period 2π.
func (w wanted) foldPhases(t expr.Tree, params []float64, parameters []corpus.Quantity) []float64 {
	for i, q := range parameters {
		if q.Unit != "rad" || math.Abs(params[i]) <= math.Pi {
			continue
		}
		folded := slices.Clone(params)
		folded[i] = math.Remainder(params[i], 2*math.Pi)
		if w.equals(t, folded) {
			params = folded
		}
	}
	return params
}

// equals reports whether t, with the given parameters, has the same values as the law in all rows.
func (w wanted) equals(t expr.Tree, params []float64) bool {
	values := t.Values(len(w.values), w.cols, params)
	for i, v := range values {
		if !(math.Abs(v-w.values[i]) <= same*w.spread) {
			return false
		}
	}
	return true
}

// signs reports whether no value in params is negative if the parameter is positive in the
// catalogue. Parameters in K may be negative, since the columns may be in degrees Celsius.
func signs(params []float64, parameters []corpus.Quantity) bool {
	for i, q := range parameters {
		if q.Low >= 0 && q.Unit != "K" && params[i] < 0 {
			return false
		}
	}
	return true
}
