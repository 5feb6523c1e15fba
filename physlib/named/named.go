// Package named writes a found law in the form that its field uses: as the formula of a law in the
// catalogue that is the same function, with the parameters of that law.
//
// For example, a search finds T = 62.95*exp(-0.0373*t) + 21.55. Newton's law of cooling is T_a +
// (T_0 - T_a)*exp(-t/tau), and a reader wants T_a, T_0 and tau with their errors. The parameters
// are fitted to the values of the found law, which shows that both are the same function. Their
// standard errors follow from the covariance of the constants found.
package named

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

// Limits of the work for one law.
const (
	mostNames  = 12  // laws that are tried
	mostOrders = 24  // orders of columns that are tried for each law
	mostRows   = 200 // rows on which functions are compared
	mostSeeds  = 2   // attempts of the fit
)

// commonForm is the largest number of named laws with the same form for which the form identifies a
// law in a table without units. A form of more laws, such as a straight line, is too common.
const commonForm = 20

// same is the relative difference below which two functions count as equal, in units of the range
// of their values.
const same = 1e-7

// Form is a law in the form that its field uses.
type Form struct {
	Name      string         // name of the law
	Formula   string         // right side of the law: "T_a + (T_0 - T_a)*exp(-t/tau)"
	Constants []law.Constant // parameters of the law; in the columns' units unless SI
	// Columns and parameters are in SI units, because constants of nature in the formula are.
	SI bool

	tree expr.Tree // in terms of the columns in their units, with the parameters as free constants
}

// Tree returns the law in terms of the columns in their units, with the parameters as free
// constants.
func (f Form) Tree() expr.Tree { return f.tree }

// Of returns l, a law of t, in the form of a law in the catalogue. This is the first one in names
// that is the same function and has quantities like those of t. Its parameters follow from the
// constants of l, and have the same signs as in the catalogue. ok is false if there is no such law,
// or if t has no units and there are too many names.
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

// entries are the laws of the catalogue by name.
var entries = sync.OnceValue(func() map[string]corpus.Entry {
	m := make(map[string]corpus.Entry)
	for _, e := range corpus.Catalogue() {
		m[e.Name] = e
	}
	return m
})

// written returns the law in the form of e, for any assignment of e's variables to the columns.
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

// variables returns the indices of e's variables. ok is false if the target of e differs, if e has
// another number of parameters than the law, or if it has too many or too few variables.
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

// measured reports whether the values of variable v may be those of q.
func (w wanted) measured(q corpus.Quantity, v int) bool {
	return v >= len(w.table.Vars) || measures(q, w.table.Vars[v])
}

// measures reports whether the values of column c may be those of q: its unit has q's dimension or
// is unknown.
func measures(q corpus.Quantity, c dataset.Column) bool {
	u, err := unit.Parse(q.Unit)
	return err == nil && (!c.HasUnit || c.Unit.Dim == u.Dim)
}

// as returns the law in the form of e, whose tree is given. column maps quantities of e to columns.
// The other quantities are parameters or constants of nature.
func (w wanted) as(e corpus.Entry, tree expr.Tree, column map[int]int) (Form, bool) {
	f, shown := Form{Name: e.Name}, tree
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
		case q.Role == corpus.Constant:
			f.SI = f.SI || q.Value != 1
			leaves[i] = expr.Node{Op: expr.Number, Value: inSI(q, q.Value)}
		default:
			leaves[i] = expr.Node{Op: expr.Param, Index: int32(len(parameters)), Value: q.Typical()}
			parameters = append(parameters, q)
			f.Constants = append(f.Constants, law.Constant{Name: symbols[i]})
		}
	}
	f.Formula = shown.Infix(symbols)
	f.tree = tree.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op == expr.Var {
			return leaves[n.Index]
		}
		return n
	})
	if f.SI && !w.toSI(&f, parameters) {
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
		f.tree = f.tree.Substitute(v, expr.Apply(expr.Sub, expr.X(v), expr.Num(zero)))
	}
	return f, ok
}

// inSI returns the value v of q in SI units.
func inSI(q corpus.Quantity, v float64) float64 {
	u, _ := unit.Parse(q.Unit)
	return u.ToSI(v)
}

// toSI converts the tree of f, which holds in SI units, to the columns' own units. It also sets the
// units of its parameters. It returns false unless all columns and the target have a unit.
func (w wanted) toSI(f *Form, parameters []corpus.Quantity) bool {
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

// fit returns the parameters for which t is the same function as the law. ok is false if there are
// none.
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
			return r.Params, true
		}
	}
	return nil, false
}

// equals reports whether t with the given parameters equals the law in all rows.
func (w wanted) equals(t expr.Tree, params []float64) bool {
	values := make([]float64, len(w.values))
	expr.Compile(t).Eval(values, w.cols, params)
	for i, v := range values {
		if !(math.Abs(v-w.values[i]) <= same*w.spread) {
			return false
		}
	}
	return true
}

// signs reports whether parameters that are positive in the catalogue are also positive here.
// Temperatures may be negative, since they may be in degrees Celsius.
func signs(params []float64, parameters []corpus.Quantity) bool {
	for i, q := range parameters {
		if q.Low >= 0 && q.Unit != "K" && params[i] < 0 {
			return false
		}
	}
	return true
}
