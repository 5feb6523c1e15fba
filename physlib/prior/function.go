package prior

import (
	"iter"
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

// A function can be written in several forms with different skeletons, as T₂ - m₁·(T₂ - c)/(m₁ + m₂)
// and (c·m₁ + m₂·T₂)/(m₁ + m₂). expr.Hash is equal for them, but it depends on the numbers of the
// columns. Columns are therefore numbered by their roles in the function.

// Limits of the forms whose function is identified, since a hash is needed for each column.
const (
	mostRoles     = 5  // number of columns
	mostConstants = 3  // number of free constants
	mostNodes     = 40 // number of nodes
)

// FunctionHashes returns hashes of the function of t, one for each choice of the signs of its free
// constants; the first has all signs unchanged. A hash is equal for expressions that differ by
// fractions, by expanded products and by a permutation of the columns. There are none for
// expressions that have no sum, no quotient or fewer than two columns, and for large ones.
func FunctionHashes(t expr.Tree) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		vars := t.Vars()
		if !identified(t, vars) {
			return
		}
		for signs := range 1 << t.NumParams() {
			if !yield(byRoles(negated(t, signs), vars)) {
				return
			}
		}
	}
}

// identified reports whether the function of t, in the columns vars, is identified.
func identified(t expr.Tree, vars []int) bool {
	sum, quotient := false, false
	for _, n := range t.Nodes() {
		sum = sum || n.Op == expr.Add || n.Op == expr.Sub
		quotient = quotient || n.Op == expr.Div || n.Op == expr.Inv
	}
	return sum && quotient && len(vars) >= 2 && len(vars) <= mostRoles && t.NumParams() <= mostConstants && t.Len() <= mostNodes
}

// byRoles returns the hash of t after its columns are numbered by their roles. The role of a column
// is the hash of t when this column differs and all others without a number are equal. Of columns
// with the same role, the first gets a number, and the roles of the others are found again.
func byRoles(t expr.Tree, vars []int) uint64 {
	numbers := map[int]int{}
	for len(numbers) < len(vars) {
		done := len(numbers)
		of := map[uint64]int{}
		var roles []uint64
		for _, v := range vars {
			if _, known := numbers[v]; known {
				continue
			}
			one, _ := t.MapVars(func(u int) (int, bool) {
				if n, known := numbers[u]; known {
					return n + 2, true
				}
				if u == v {
					return 1, true
				}
				return 0, true
			})
			role := one.Hash()
			if _, tie := of[role]; !tie {
				of[role] = v
			}
			roles = append(roles, role)
		}
		slices.Sort(roles)
		for i, role := range roles {
			numbers[of[role]] = done + i
			if i+1 < len(roles) && roles[i+1] == role {
				break
			}
		}
	}
	t, _ = t.MapVars(func(u int) (int, bool) { return numbers[u], true })
	return t.Hash()
}

// negated returns t with the free constants whose bits are set in signs replaced by their
// negatives.
func negated(t expr.Tree, signs int) expr.Tree {
	for slot := range t.NumParams() {
		if signs>>slot&1 == 1 {
			t = t.SubstituteParam(slot, expr.Apply(expr.Neg, expr.C(slot, 1)))
		}
	}
	return t
}

// spellings returns the skeletons of the catalogue's forms by the first hash of their function.
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

// sameFunction returns the named form that is the function of t in another form.
func (m *Model) sameFunction(t expr.Tree) (f *namedForm, ok bool) {
	for h := range FunctionHashes(t) {
		for _, skeleton := range spellings()[h] {
			if f, ok = m.named[skeleton]; ok {
				return f, true
			}
		}
	}
	return nil, false
}
