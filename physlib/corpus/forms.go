package corpus

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// A Form is a law as it appears in a table: some of its quantities are columns, and the others are
// constants to be fitted.
type Form struct {
	Tree expr.Tree  // has the columns Vars and free constants merged by MergeParams
	Vars []Quantity // the variables
	// Hash of the skeleton of Tree. It does not depend on names, values and the order of Vars.
	Hash  uint64
	Share float64 // weight among all forms of the law; these weights add up to 1
}

// wholeShare is the share of the form in which all variables vary.
const wholeShare = 0.5

// Forms returns the experimental forms of the law, each skeleton once. In the first form all
// variables vary, in the others one, two, or all but one of them. Quantities that do not vary are
// free constants. Constants that a fit cannot distinguish are merged. Errors are those of Tree.
func (e Entry) Forms() ([]Form, error) {
	tree, err := e.Tree()
	if err != nil {
		return nil, err
	}
	var vars []int
	for i, q := range e.Quantities {
		if q.Role == Variable {
			vars = append(vars, i)
		}
	}
	sets := [][]int{vars}
	if len(vars) > 1 {
		for i := range vars {
			sets = append(sets, vars[i:i+1])
		}
	}
	if len(vars) > 2 {
		for i := range vars {
			for k := range i {
				sets = append(sets, []int{vars[k], vars[i]})
			}
		}
	}
	if len(vars) > 3 {
		for i := range vars {
			sets = append(sets, slices.Delete(slices.Clone(vars), i, i+1))
		}
	}
	var forms []Form
	for i, set := range sets {
		f := e.form(tree, set)
		f.Share = wholeShare
		if i > 0 {
			f.Share = (1 - wholeShare) / float64(len(sets)-1)
		}
		if len(sets) == 1 {
			f.Share = 1
		}
		same := func(o Form) bool { return o.Hash == f.Hash && len(o.Vars) == len(f.Vars) }
		if k := slices.IndexFunc(forms, same); k >= 0 {
			forms[k].Share += f.Share
			continue
		}
		forms = append(forms, f)
	}
	return forms, nil
}

// Whole returns the form of the law in which all quantities vary, including parameters and
// constants of nature. The numbers of the law stay as they are. Errors are those of Tree.
func (e Entry) Whole() (Form, error) {
	tree, err := e.Tree()
	if err != nil {
		return Form{}, err
	}
	all := make([]int, len(e.Quantities))
	for i := range all {
		all[i] = i
	}
	return e.form(tree, all), nil
}

// form returns the law with the quantities vars as columns and the others as free constants.
func (e Entry) form(tree expr.Tree, vars []int) Form {
	tree = tree.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op != expr.Var {
			return n
		}
		q := e.Quantities[n.Index]
		if k := slices.Index(vars, int(n.Index)); k >= 0 {
			n.Index = int32(k)
			return n
		}
		// The constant is just a unit, such as the 1 ohm in the logarithm of a resistance.
		if q.Role == Constant && q.Value == 1 {
			return expr.Node{Op: expr.Number, Value: 1}
		}
		return expr.Node{Op: expr.Param, Index: n.Index, Value: q.Typical()}
	})
	f := Form{Vars: make([]Quantity, len(vars))}
	for k, i := range vars {
		f.Vars[k] = e.Quantities[i]
	}
	f.Tree = tree.MergeParams()
	f.Hash = skeleton.Hash(f.Tree)
	return f
}

// Typical returns a typical value of q: the value of a constant, or the middle of the range. For a
// positive range, this is the geometric mean of its ends.
func (q Quantity) Typical() float64 {
	switch {
	case q.Role == Constant:
		return q.Value
	case q.Low > 0:
		return math.Sqrt(q.Low * q.High)
	}
	return (q.Low + q.High) / 2
}
