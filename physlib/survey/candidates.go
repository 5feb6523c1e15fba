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

// wholeTable is a bonus in bits for a form in all columns of a table. Such a form is more likely
// than the same form in a table with further columns, since most tables have only the columns that
// the law depends on.
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
func Candidates(t *mdl.Table, most int64) []expr.Tree {
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
	for k := 1; k <= min(mostNamed, t.Vars()); k++ {
		if k > mostVars && k < t.Vars() {
			continue
		}
		n := 0
		if math.Pow(float64(len(vars)), float64(k)) > mostFits {
			break // otherwise a form would be fitted for only a few of its choices of variables
		}
		for _, f := range enumerated(t.Prior, k) {
			if n := f.Tree.NumParams(); n+2 > t.Rows() || n >= manyConstants && n*rowsEach > t.Rows() {
				continue
			}
			trees := Assign(f.Tree, k, vars, t.Dependent)
			for _, tree := range trees {
				bits := f.Bits + math.Log2(float64(len(trees)))
				if k > 1 && k == t.Vars() {
					bits -= wholeTable
				}
				all = append(all, candidate{tree, bits})
				if d, ok := t.InDegrees(tree); ok {
					all = append(all, candidate{d, bits})
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
