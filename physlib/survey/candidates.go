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
	vars := make([]int, len(t.Cols))
	for i := range vars {
		vars[i] = i
	}
	type candidate struct {
		tree expr.Tree
		bits float64 // bits of the form plus bits of the choice of variables
	}
	var all []candidate
	for k := 1; k <= min(mostKnown, t.Vars()); k++ {
		if k > mostVars && k < t.Vars() {
			continue
		}
		n := 0
		if math.Pow(float64(len(vars)), float64(k)) > mostFits {
			// There are so many choices of k variables that even a single form would give more
			// trees than mostFits.
			break
		}
		forms := enumerated(t.Prior, k)
		whole := 0.0
		if k > 1 && k == t.Vars() {
			whole = max(wholeTable, rarity(forms))
		}
		for _, f := range forms {
			if n := f.Tree.NumParams(); n+2 > t.Rows() || n >= manyConstants && n*rowsEach > t.Rows() {
				continue
			}
			trees := Assign(f.Tree, k, vars, t.Dependent)
			choices := choose(t, trees, k)
			for i, tree := range trees {
				bits := f.Bits + choices[i] - whole
				all = append(all, candidate{tree, bits})
				if d, ok := t.InDegrees(tree); ok {
					all = append(all, candidate{d, bits})
				}
				if c, price, ok := t.FromZero(tree); ok {
					all = append(all, candidate{c, bits + price})
				}
			}
			if n += len(trees); n > fits {
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.bits, b.bits) })
	out := make([]expr.Tree, min(len(all), fits))
	for i := range out {
		out[i] = all[i].tree
	}
	return out
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
	bits, balanced := make([]float64, len(trees)), len(trees)
	if k >= 3 {
		for i, tree := range trees {
			if _, ok := t.Units(tree); !ok {
				bits[i] = mdl.ViolationBits
				balanced--
			}
		}
	}
	for i := range bits {
		if bits[i] == 0 {
			bits[i] = math.Log2(float64(balanced))
		} else {
			bits[i] += math.Log2(float64(len(trees)))
		}
	}
	return bits
}
