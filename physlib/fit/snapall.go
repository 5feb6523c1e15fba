package fit

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

// SnapAll replaces the fitted constants of t by closed forms, one at a time, that first which shortens the description
// most, and fits the others again after each. A form is kept only if the bits that it saves are no fewer than those by which
// the misfit grows,
//
//	Δ = (n/2) log₂(RSS'/RSS) without weights,   Δχ²/(2 ln 2) with them,
//
// misfits below exactFit of RMS(y), as in law.Score, counting as none. Exponents become fractions of small numbers. A constant that the data
// do not determine becomes 1 if that leaves the fit as good.
//
// res is a fit of t. Of the result, the free constants of snapped are those without an exact form, in the order of their
// slots in t and numbered from 0; fitted is their fit; exact has the forms by slot of t, "" where there is none.
func (f *Fitter) SnapAll(t expr.Tree, cols [][]float64, y, w []float64, res Result, s Settings) (snapped expr.Tree, fitted Result, exact []string) {
	s.Starts = 1
	a := snapping{
		f: f, cols: cols, y: y, w: w, s: s,
		tree: t, res: res, exact: make([]string, len(res.Params)),
	}
	for slot := range res.Params {
		a.slots = append(a.slots, slot)
	}
	a.exponent = exponents(t)
	a.floor = misfitFloor(y, w)
	for a.next() {
	}
	return a.tree, a.res, a.exact
}

// exactFit is the error relative to RMS(y) below which a fit counts as exact.
const exactFit = 1e-12

// snapping is the state of SnapAll.
type snapping struct {
	f        *Fitter
	cols     [][]float64
	y, w     []float64
	s        Settings
	floor    float64 // RSS below which a fit is exact
	tree     expr.Tree
	res      Result
	slots    []int    // by slot of tree: the slot of the original tree
	exponent []bool   // by slot of the original tree
	exact    []string // by slot of the original tree
}

// proposal is a form for the constant in a slot of the present tree.
type proposal struct {
	slot int
	form closed.Form
	gain float64
}

// next snaps one constant, and returns false when no form is worth it.
func (a *snapping) next() bool {
	var list []proposal
	for slot, v := range a.res.Params {
		p := a.propose(v, a.res.StdErr[slot], a.exponent[a.slots[slot]])
		if p.slot = slot; p.gain > -8 { // the estimate of the misfit may be off where constants are correlated
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(p, q proposal) int {
		if p.gain > q.gain {
			return -1
		}
		return 1
	})
	for _, p := range list {
		if a.accept(p) {
			return true
		}
	}
	return false
}

// propose is the form of best odds for a value, as in Snap.
func (a *snapping) propose(v, stderr float64, exponent bool) (best proposal) {
	if math.IsInf(stderr, 1) && a.res.Rows > len(a.res.Params) {
		return proposal{form: closed.Form{Num: 1, Den: 1}}
	}
	best.gain = math.Inf(-1)
	size := math.Abs(v)
	if !(stderr >= 0) || math.IsInf(stderr, 0) || size == 0 {
		return best
	}
	sigma := max(stderr, exactError*size)
	for _, f := range formsNear(v, 2.5*sigma, exponent) {
		z := (v - f.Value()) / sigma
		if g := saving(v, sigma, f) - z*z/(2*math.Ln2); g > best.gain {
			best.form, best.gain = f, g
		}
	}
	return best
}

// maxExponent bounds the terms of a fraction in an exponent.
const maxExponent = 12

// formsNear lists a few forms within tol of v; for an exponent the simplest fraction.
func formsNear(v, tol float64, exponent bool) []closed.Form {
	if !exponent {
		return closed.All(v, tol, 3)
	}
	size := math.Abs(v)
	p, q, ok := closed.Rational(size-tol, size+tol, maxExponent)
	if !ok {
		return nil
	}
	if v < 0 {
		p = -p
	}
	return []closed.Form{{Num: p, Den: q}}
}

// saving is by how many bits a form is shorter than a value known to sigma, the odds that it must have taken off.
func saving(v, sigma float64, f closed.Form) float64 {
	return math.Log2(math.Abs(v)/sigma) - f.Bits() - snapOdds
}

// accept fits the tree with the proposed form, and makes it the present one if the description becomes no longer.
func (a *snapping) accept(p proposal) bool {
	tree := without(a.tree, p.slot, p.form.Tree())
	starts := slices.Delete(slices.Clone(a.res.Params), p.slot, p.slot+1)
	tree = tree.WithStarts(starts)
	res, err := a.f.Fit(tree, a.cols, a.y, a.w, a.s)
	if err != nil {
		return false
	}
	v, stderr := a.res.Params[p.slot], a.res.StdErr[p.slot]
	saved := 0.0
	if !math.IsInf(stderr, 1) {
		saved = saving(v, max(stderr, exactError*math.Abs(v)), p.form)
	}
	if saved-a.misfit(res) < -1e-9 {
		return false
	}
	slot := a.slots[p.slot]
	a.exact[slot] = p.form.String()
	a.slots = slices.Delete(a.slots, p.slot, p.slot+1)
	res.Evaluations += a.res.Evaluations
	a.tree, a.res = tree, res
	return true
}

// misfit is by how many bits the data are longer to describe with res than with the present fit.
func (a *snapping) misfit(res Result) float64 {
	before, after := max(a.res.RSS, a.floor), max(res.RSS, a.floor)
	if a.w != nil {
		return (after - before) / (2 * math.Ln2)
	}
	if after == before {
		return 0
	}
	return float64(res.Rows) / 2 * math.Log2(after/before)
}

// misfitFloor is the RSS of errors of exactFit times RMS(y).
func misfitFloor(y, w []float64) float64 {
	s := 0.0
	for i, v := range y {
		if w == nil {
			s += v * v
		} else if w[i] > 0 {
			s += w[i] * v * v
		}
	}
	return s * exactFit * exactFit
}

// without is t with a form in place of a free constant and the slots above moved down by one.
func without(t expr.Tree, slot int, form expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if n.Op == expr.Param && int(n.Index) == slot {
			nodes = append(nodes, form.Nodes()...)
			continue
		}
		if n.Op == expr.Param && int(n.Index) > slot {
			n.Index--
		}
		nodes = append(nodes, n)
	}
	out, _ := expr.FromNodes(nodes)
	return out
}

// exponents tells by slot which constants stand in an exponent.
func exponents(t expr.Tree) []bool {
	nodes := t.Nodes()
	in := make([]bool, t.NumParams())
	first := make([]int, len(nodes))
	for i, n := range nodes {
		switch first[i] = i; n.Op.Arity() {
		case 1:
			first[i] = first[i-1]
		case 2:
			first[i] = first[first[i-1]-1]
		}
		if n.Op != expr.Pow {
			continue
		}
		for _, e := range nodes[first[i-1]:i] {
			if e.Op == expr.Param {
				in[e.Index] = true
			}
		}
	}
	return in
}
