package survey

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// mostFits is the largest number of trees that a survey fits.
const mostFits = 12_000

// wholeTable is the least bonus in bits for a form in all columns of a table. Most tables have only
// the columns that their law depends on, so such a form is likelier than it would be in a table
// with further columns.
const wholeTable = 4

// A form with at least manyConstants free constants is fitted only if there are rowsEach rows for
// each of them. With fewer rows it would fit almost any data.
const (
	manyConstants = 5
	rowsEach      = 4
)

// Candidates returns trees over t's variables for a survey. They are the most likely forms in one
// to three variables, for each choice of variables. If t has four or five variables, the forms of
// known laws in all of them are added. most limits the number of trees. If most is 0, there are at
// most 12 000.
func Candidates(t *mdl.Data, most int64) []expr.Tree {
	fits := mostFits
	if most > 0 {
		fits = int(min(int64(fits), most))
	}
	all := candidates{t: t}
	for k := 1; k <= min(mostKnown, t.Vars()); k++ {
		if k > mostVars && k < t.Vars() {
			continue
		}
		if math.Pow(float64(len(t.Cols)), float64(k)) > mostFits {
			// There are so many choices of k variables that even a single form would give more
			// trees than mostFits.
			break
		}
		all.addForms(k, fits)
	}
	return all.likeliest(fits)
}

// candidates are the trees of a survey of t.
type candidates struct {
	t    *mdl.Data
	list []candidate
}

// candidate is a tree with the bits of its form and of the choice of variables.
type candidate struct {
	tree expr.Tree
	bits float64
}

// addForms adds the forms in k variables, the likeliest first, until there are more than most.
func (c *candidates) addForms(k, most int) {
	forms := enumerated(c.t.Prior, k)
	whole := 0.0
	if k > 1 && k == c.t.Vars() {
		whole = max(wholeTable, rarity(forms))
	}
	vars := make([]int, len(c.t.Cols))
	for i := range vars {
		vars[i] = i
	}
	added := 0
	for _, f := range forms {
		if tooManyConstants(f.Tree.NumParams(), c.t.Rows()) {
			continue
		}
		trees := Assign(f.Tree, k, vars, c.t.Dependent)
		choices := choose(c.t, trees, k)
		for i, tree := range trees {
			c.add(tree, f.Bits+choices[i]-whole)
		}
		if added += len(trees); added > most {
			break
		}
	}
}

// add adds a tree, and the same law for angles in degrees and for a target in °C.
func (c *candidates) add(tree expr.Tree, bits float64) {
	c.list = append(c.list, candidate{tree, bits})
	if d, ok := c.t.InDegrees(tree); ok {
		c.list = append(c.list, candidate{d, bits})
	}
	if d, price, ok := c.t.FromZero(tree); ok {
		c.list = append(c.list, candidate{d, bits + price})
	}
}

// likeliest returns the trees with the fewest bits, at most the given number.
func (c *candidates) likeliest(most int) []expr.Tree {
	slices.SortStableFunc(c.list, func(a, b candidate) int { return cmp.Compare(a.bits, b.bits) })
	out := make([]expr.Tree, min(len(c.list), most))
	for i := range out {
		out[i] = c.list[i].tree
	}
	return out
}

// tooManyConstants reports whether a form has so many free constants that it would fit almost any
// table with this number of rows.
func tooManyConstants(constants, rows int) bool {
	return constants+2 > rows || constants >= manyConstants && constants*rowsEach > rows
}

// rarity returns −log₂ of the total probability of the forms, in bits. Forms of many variables are
// rare among laws, but not among the laws of tables that have just these columns.
func rarity(forms []Form) float64 {
	p := 0.0
	for _, f := range forms {
		p += math.Exp2(-f.Bits)
	}
	return -math.Log2(p)
}

// choose returns the price in bits of the choice of columns in each tree. The trees are one form
// with different choices of k columns. With three or more columns, a tree whose units do not
// balance costs mdl.ViolationBits more, as in the score of a law.
func choose(t *mdl.Data, trees []expr.Tree, k int) []float64 {
	balances, count := make([]bool, len(trees)), 0
	for i, tree := range trees {
		_, ok := t.Units(tree)
		balances[i] = ok || k < 3
		if balances[i] {
			count++
		}
	}
	bits := make([]float64, len(trees))
	for i := range bits {
		if balances[i] {
			bits[i] = math.Log2(float64(count))
		} else {
			bits[i] = mdl.ViolationBits + math.Log2(float64(len(trees)))
		}
	}
	return bits
}
