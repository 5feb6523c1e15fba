package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/expr"
)

// A term that occurs in the laws of two states, as in an exchange, is described only once. The same
// holds for a term that recurs with the two states exchanged, as in the components of a force. For
// example, a drag is v_x·|v| in one law and v_y·|v| in the other law. The second occurrence of a
// term costs as many bits as a single state with a coefficient. It costs fewer bits if its
// coefficient has the same size as that of the first occurrence.
const (
	equalTerms = 0.02 // relative deviation up to which two terms of the same form count as equal
	// Relative difference up to which the sizes of two coefficients count as equal.
	equalCoefs = 0.05
	// Bits saved for each constant inside a term that recurs, about -log2(equalTerms).
	sharedBits = 5
	// Bits saved for the digits of a coefficient that has the size of an earlier one.
	sameCoefBits = 4
	// sharedConstantBits is the number of bits saved if a constant refers to an earlier constant
	// instead of stating a new one. Its digits save up to sameCoefBits more.
	sharedConstantBits = 5
	// Least number of nodes of a shared term. If a term has fewer, only its coefficient is shared.
	leastShared = 3
)

// mutual returns the number of bits saved if terms that recur in a system are described once.
// params holds the constants of all trees, one tree after the other. cov is the covariance of
// params, or nil if it is unknown. cols holds the columns of the right-hand sides at some rows.
func (sr *searcher) mutual(
	trees []expr.Tree, params []float64, cov *mat.SymDense, cols [][]float64,
) (bits float64) {
	if len(trees) < 2 || len(cols) == 0 {
		return 0
	}
	known, first := make([][]recurring, len(trees)), 0
	for k, t := range trees {
		n := t.NumParams()
		if t.Len() == 0 || first+n > len(params) {
			first += n
			continue
		}
		for _, addend := range addends(t) {
			list := recurringTerms(addend, params[first:first+n], first, cols)
			saved := 0.0
			for _, a := range list {
				most := 0.0
				for j, others := range known[:k] {
					most = max(most, sr.savedBy(a, others, cov), sr.savedBy(sr.exchanged(a, k, j, cols), others, cov))
				}
				saved += most
			}
			known[k] = append(known[k], list...)
			bits += min(saved, sr.mostSaved(addend))
		}
		first += n
	}
	return bits
}

// addends returns the addends of t with their signs. Unlike terms, it expands no product.
func addends(t expr.Tree) []expr.Tree {
	args := t.Args()
	switch t.Root() {
	case expr.Add:
		return append(addends(args[0]), addends(args[1])...)
	case expr.Sub:
		return append(addends(args[0]), addends(expr.Apply(expr.Neg, args[1]))...)
	}
	return []expr.Tree{t}
}

// mostSaved returns the number of bits saved if a whole addend recurs with its constants. An addend
// with a sum inside, such as x·(x² + y²), has several terms that may recur. Together these terms
// save at most this number of bits.
func (sr *searcher) mostSaved(addend expr.Tree) float64 {
	constants := map[int32]bool{}
	for _, n := range addend.Nodes() {
		if n.Op == expr.Param {
			constants[n.Index] = true
		}
	}
	return sr.saved(addend.AbsorbParams()) + float64((sharedConstantBits+sameCoefBits)*len(constants))
}

// savedBy returns the number of bits saved if the term a recurs in list, which holds the terms of
// another law. cov is the covariance of the constants of the system, or nil if it is unknown.
func (sr *searcher) savedBy(a recurring, list []recurring, cov *mat.SymDense) (bits float64) {
	for _, b := range list {
		if a.form != b.form || !proportional(a.value, b.value) {
			continue
		}
		saved := sameCoef(a, b, cov)
		if a.bare.Len() >= leastShared {
			saved += sr.saved(a.tree)
			if math.Abs(math.Abs(a.coef)-math.Abs(b.coef)) <= equalCoefs*math.Abs(b.coef) {
				saved = max(saved, sr.saved(a.tree)+sameCoefBits)
			}
		}
		bits = max(bits, saved)
	}
	return bits
}

// sameCoef returns the number of bits saved if one constant describes the sizes of the coefficients
// of both a and b. The sizes are equal in an exchange, for example, or if a force is the same in
// all directions. A common size enlarges the residuals, and the bits for this are subtracted. The
// result is 0 if nothing is saved, or if one of the coefficients is neither a free constant nor the
// inverse of one.
func sameCoef(a, b recurring, cov *mat.SymDense) float64 {
	if cov == nil || a.power == 0 || b.power == 0 || max(a.slot, b.slot) >= cov.SymmetricDim() {
		return 0
	}
	// own is the relative variance of the coefficient of a. ratio is the relative variance of the
	// quotient of the coefficients of a and b.
	own := cov.At(a.slot, a.slot) / (a.param * a.param)
	ratio := own + cov.At(b.slot, b.slot)/(b.param*b.param) -
		2*a.power*b.power*cov.At(a.slot, b.slot)/(a.param*b.param)
	off := math.Log(math.Abs(a.coef / b.coef))
	precision := min(sameCoefBits, math.Log2(1+1/math.Sqrt(own)))
	bits := sharedConstantBits + precision - off*off/(2*math.Ln2*ratio)
	if !(own > 0 && ratio > 0 && bits > 0) {
		return 0
	}
	return bits
}

// exchanged returns a with the columns of states k and j exchanged. Their velocities are exchanged
// as well.
func (sr *searcher) exchanged(a recurring, k, j int, cols [][]float64) recurring {
	r := newRecurring(sr.exchange(a.bare, k, j), cols)
	r.coef, r.slot, r.param, r.power = a.coef, a.slot, a.param, a.power
	return r
}

// exchange returns t with the columns of states k and j exchanged. Their velocities are exchanged
// as well.
func (sr *searcher) exchange(t expr.Tree, k, j int) expr.Tree {
	out, _ := t.MapVars(func(v int) (column int, ok bool) {
		if v >= sr.d.numStates() {
			return v, true
		}
		state := v % sr.d.numMeasured()
		switch base := v - state; state {
		case k:
			return base + j, true
		case j:
			return base + k, true
		}
		return v, true
	})
	return out.Simplify()
}

// saved returns the number of bits saved if a term recurs. The term may include its coefficient.
func (sr *searcher) saved(term expr.Tree) float64 {
	t := scaled(term)
	reference := sr.complexity(expr.Apply(expr.Mul, expr.C(0, 1), expr.X(0)))
	return max(0, sr.complexity(t)-reference) + sharedBits*float64(max(0, t.NumParams()-1))
}

// recurring is an addend of a law with a free coefficient.
type recurring struct {
	bare  expr.Tree // the addend without its coefficient
	tree  expr.Tree // the addend with free constants, including the coefficient
	form  uint64    // hash of tree
	value []float64 // values of bare
	coef  float64

	slot  int     // index of the constant that determines coef, among all constants of the system
	param float64 // value of the constant at slot
	// Power of param to which coef is proportional, 1 or -1. It is 0 if no constant determines
	// coef.
	power float64
}

// newRecurring returns the addend bare, which has no coefficient, as a recurring with its values on
// cols. It does not set coef.
func newRecurring(bare expr.Tree, cols [][]float64) recurring {
	value := bare.Values(len(cols[0]), cols, nil)
	tree := scaled(bare)
	return recurring{bare: bare, tree: tree, form: tree.Hash(), value: value}
}

// recurringTerms returns the addends of t that are not constant. params holds the constants of t,
// and first is the index of params[0] among all constants of the system.
func recurringTerms(
	t expr.Tree, params []float64, first int, cols [][]float64,
) (out []recurring) {
	for _, a := range terms(t) {
		bound := a.Bind(params)
		b := bare(bound)
		if len(b.Vars()) == 0 {
			continue
		}
		r, whole := newRecurring(b, cols), valuesOn(bound, cols, nil)
		r.coef = projection(whole, r.value)
		r.setSlot(a, params, first)
		out = append(out, r)
	}
	return out
}

// setSlot stores which constant of the addend t determines its coefficient. It stores nothing if
// the coefficient is neither a constant nor the inverse of one.
func (r *recurring) setSlot(t expr.Tree, params []float64, first int) {
	for _, n := range t.Nodes() {
		if n.Op != expr.Param {
			continue
		}
		p := params[n.Index]
		for _, power := range []float64{1, -1} {
			if math.Abs(math.Abs(r.coef)-math.Pow(math.Abs(p), power)) <= 1e-9*math.Abs(r.coef) {
				r.slot, r.param, r.power = first+int(n.Index), p, power
				return
			}
		}
	}
}

// scaled returns t multiplied by a free coefficient. All numbers of t except exponents become free
// constants. Redundant constants are merged.
func scaled(t expr.Tree) expr.Tree {
	nodes := slices.Clone(withNumbersFreed(t).Nodes())
	free := int32(withNumbersFreed(t).NumParams())
	for i, n := range nodes {
		if n.Op == expr.Number && math.Abs(n.Value) == 1 && (i+1 == len(nodes) || nodes[i+1].Op != expr.Pow) {
			nodes[i] = expr.Node{Op: expr.Param, Index: free, Value: n.Value}
			free++
		}
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return expr.Apply(expr.Mul, expr.C(int(free), 1), out).AbsorbParams()
}

// recurring returns the terms of the other chosen laws that may recur in equation k. It returns
// each term of the law of equation j twice: unchanged, and with states j and k exchanged.
func (sr *searcher) recurring(k int) (out []expr.Tree) {
	take := func(b expr.Tree) {
		if sr.admits(k, expr.Apply(expr.Mul, expr.C(0, 1), b)) {
			out = append(out, freedInside(b))
		}
	}
	for j, c := range sr.best {
		if j == k || c == nil {
			continue
		}
		for _, t := range terms(c.tree.Bind(c.tree.Params())) {
			b := bare(t)
			if b.Len() < 3 || len(b.Vars()) == 0 {
				continue
			}
			take(b)
			if other := sr.exchange(b, k, j); !expr.Equal(other, b) {
				take(other)
			}
		}
	}
	return out
}

// proportional reports whether two columns are proportional to within equalTerms.
func proportional(a, b []float64) bool {
	aa, ab, bb := dot(a, a), dot(a, b), dot(b, b)
	return aa > 0 && bb > 0 && 1-ab*ab/(aa*bb) <= equalTerms*equalTerms
}

// someRows is the largest number of rows at which terms are compared.
const someRows = 60

// sampledColumns returns the columns of the right-hand sides at rows spread over all runs.
func (sr *searcher) sampledColumns() [][]float64 {
	sr.once.Do(func() {
		cols := sr.rateColumns(0)
		every := (len(cols[0])-1)/someRows + 1
		for _, c := range cols {
			sr.sample = append(sr.sample, thinned(c, every))
		}
	})
	return sr.sample
}
