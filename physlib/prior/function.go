package prior

import (
	"iter"
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// A function can be written in several forms with different skeletons, such as T₂ - m₁·(T₂ - c)/(m₁
// + m₂) and (c·m₁ + m₂·T₂)/(m₁ + m₂). expr.Hash is equal for such forms, but it depends on the
// numbers of the columns. Columns are therefore numbered by their roles in the function.

// Limits of the forms whose function is identified. The limits are needed since one hash is
// calculated for each column.
const (
	mostRoles     = 5  // largest number of columns
	mostConstants = 3  // largest number of free constants
	mostNodes     = 40 // largest number of nodes
)

// FunctionHashes returns hashes of the function of t, one for each choice of the signs of its free
// constants. The first hash has all signs unchanged. Two expressions have equal hashes if they
// differ only by common denominators, expanded products or a permutation of the columns. There are
// no hashes for expressions that have no sum, no quotient or fewer than two columns, nor for large
// ones.
func FunctionHashes(t expr.Tree) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		vars := t.Vars()
		if !identified(t, vars) {
			return
		}
		every := make([]int, t.NumParams())
		for slot := range every {
			every[slot] = slot
		}
		for v := range variants(t, every, expr.Neg) {
			if !yield(byRoles(v, vars)) {
				return
			}
		}
	}
}

// variants yields t with each choice of the given free constants c replaced by op(c). The first is
// t unchanged.
func variants(t expr.Tree, slots []int, op expr.Op) iter.Seq[expr.Tree] {
	return func(yield func(expr.Tree) bool) {
		if !yield(t) {
			return
		}
		all := []expr.Tree{t}
		for _, slot := range slots {
			for _, v := range all {
				v = v.SubstituteParam(slot, expr.Apply(op, expr.C(slot, 1)))
				all = append(all, v)
				if !yield(v) {
					return
				}
			}
		}
	}
}

// identified reports whether hashes of the function of t are calculated. vars are the columns of t.
func identified(t expr.Tree, vars []int) bool {
	sum, quotient := false, false
	for _, n := range t.Nodes() {
		sum = sum || n.Op == expr.Add || n.Op == expr.Sub
		quotient = quotient || n.Op == expr.Div || n.Op == expr.Inv
	}
	return sum && quotient && len(vars) >= 2 && len(vars) <= mostRoles && t.NumParams() <= mostConstants && t.Len() <= mostNodes
}

// byRoles returns the hash of t after its columns are numbered by their roles. The role of a column
// is the hash of t with an index of its own for this column, and another index that all other
// columns without a number share.
func byRoles(t expr.Tree, vars []int) uint64 {
	hash := func(number func(column int) int) uint64 {
		numbered, _ := t.MapVars(func(v int) (int, bool) { return number(slices.Index(vars, v)), true })
		return numbered.Hash()
	}
	ranks := expr.RankByRole(len(vars), hash)
	return hash(func(column int) int { return ranks[column] })
}

// spellings maps the first hash of a function to the skeletons of the catalogue's forms for this
// function.
var spellings = sync.OnceValue(func() map[uint64][]uint64 {
	of := map[uint64][]uint64{}
	seen := map[uint64]bool{}
	for _, e := range Default().examples {
		if seen[e.Hash] {
			continue
		}
		seen[e.Hash] = true
		if vars := e.Tree.Vars(); identified(e.Tree, vars) {
			h := byRoles(e.Tree, vars)
			of[h] = append(of[h], e.Hash)
		}
	}
	return of
})

// sameFunction returns the hash of the known form that is the same function as t, but in another
// form.
func (m *Model) sameFunction(t expr.Tree) (hash uint64, ok bool) {
	for h := range FunctionHashes(t) {
		for _, hash := range spellings()[h] {
			if _, ok := m.known[hash]; ok {
				return hash, true
			}
		}
	}
	return 0, false
}

// reciprocal returns the hash of the known form that is t with 1/c in place of constants c that
// occur several times.
func (m *Model) reciprocal(t expr.Tree) (hash uint64, ok bool) {
	for hash := range reciprocalHashes(t) {
		if _, ok := m.known[hash]; ok {
			return hash, true
		}
	}
	return 0, false
}

// reciprocalHashes returns the hashes of the skeletons of t with 1/c in place of c, for each choice
// of constants c that occur several times in t. A constant that occurs once takes any value in
// either spelling, so the skeleton does not distinguish them.
func reciprocalHashes(t expr.Tree) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		times := make([]int, t.NumParams())
		for _, n := range t.Nodes() {
			if n.Op == expr.Param {
				times[n.Index]++
			}
		}
		var repeated []int
		for slot, n := range times {
			if n > 1 {
				repeated = append(repeated, slot)
			}
		}
		first := true
		for v := range variants(t, repeated, expr.Inv) {
			if !first && !yield(skeleton.Hash(v.MergeParams())) {
				return
			}
			first = false
		}
	}
}
