package survey

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/mdl"
)

// mostChoices bounds the choices of variables for one form, which would use all memory in tables of
// thousands of columns.
const mostChoices = 1 << 20

// knownChoices bounds the choices of variables for which all known laws are priced in a table.
const knownChoices = 30

// mostFits is the largest number of trees that a survey fits.
const mostFits = 12_000

// Candidates returns trees over t's variables to be fitted in a survey: the likeliest forms in one
// to three variables, over each choice of them. Those of known laws count as the table's prior says,
// so that laws of such quantities come first. It returns at most the given number; 0 means no limit.
func Candidates(t *mdl.Table, most int64) []expr.Tree {
	fits := mostFits
	if most > 0 {
		fits = int(min(int64(fits), most))
	}
	vars := make([]int, len(t.Cols))
	for i := range vars {
		vars[i] = i
	}
	var all []candidate
	for k := 1; k <= min(mostVars, t.Vars()); k++ {
		if math.Pow(float64(len(vars)), float64(k)) > mostChoices {
			break // forms of so many choices are less likely than any of fewer variables
		}
		laws, hashes := known(t, k, vars)
		all = append(all, laws...)
		n := 0
		for _, f := range enumerated(t.Prior, k) {
			if f.Tree.NumParams()+2 > t.Rows() || hashes[f.hash] {
				continue
			}
			trees := Assign(f.Tree, k, vars, t.Dependent)
			for _, tree := range trees {
				all = append(all, spelled(t, candidate{tree, f.Bits + math.Log2(float64(len(trees)))})...)
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

// candidate is a tree to be fitted, with the bits of its form and of the choice of its variables.
type candidate struct {
	tree expr.Tree
	bits float64
}

// spelled returns c, and its form in degrees where it has one.
func spelled(t *mdl.Table, c candidate) []candidate {
	if d, ok := t.InDegrees(c.tree); ok {
		return []candidate{c, {d, c.bits}}
	}
	return []candidate{c}
}

// known returns the forms of known laws in k of the variables, with their bits in this table, and
// the hashes of their skeletons. It returns none where there are many choices of variables.
func known(t *mdl.Table, k int, vars []int) (out []candidate, hashes map[uint64]bool) {
	s, ok := t.Prior.(Seeds)
	if !ok || math.Pow(float64(len(vars)), float64(k)) > knownChoices {
		return nil, nil
	}
	hashes = map[uint64]bool{}
	for _, form := range s.Seeds(k) {
		h := skeleton.Hash(form)
		if hashes[h] || len(form.Vars()) != k || form.NumParams()+2 > t.Rows() {
			continue
		}
		hashes[h] = true
		form = form.WithStarts(slices.Repeat([]float64{1}, form.NumParams()))
		for _, tree := range Assign(form, k, vars, t.Dependent) {
			out = append(out, spelled(t, candidate{tree, t.FormBits(tree)})...)
		}
	}
	return out, hashes
}
