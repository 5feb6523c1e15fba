package discover

import (
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
	"github.com/physlib/lab/physlib/unit"
)

// candidate is a proposed tree with fitted constants and its price.
type candidate struct {
	fittedTree
	// law.Complexity plus the prices of units, angles and powers (price.go), in bits
	complexity float64
	score      float64 // description length of the table (law.Score), in bits; lower is better
	rms        float64 // weighted root mean square residual
	unitsOK    bool
	dims       []unit.Dim     // dimensions of the free constants
	snapped    []law.Constant // constants that snap put in closed form or removed
	order      int64          // rises in the order of fitting: if scores are equal, the first wins
	by         string         // the Proposer that yielded it first
}

// fittedTree is a proposed tree with fitted constants, over the problem's quantities.
type fittedTree struct {
	tree expr.Tree // its constants have the fitted values
	res  fit.Result
	// The residual in the score, if it is near the rounding of the table's digits (refitRounded in
	// rounding.go); 0: that of res.
	scoreRMS float64
	rounded  bool // the residuals are only the rounding of the table's digits
}

// asRefitOf returns c, another fit of old, with the order and the Proposer of old. snapped are the
// constants that old has, but not c; they are added to those of old.
func (c *candidate) asRefitOf(old *candidate, snapped ...law.Constant) *candidate {
	c.order, c.by, c.snapped = old.order, old.by, slices.Concat(old.snapped, snapped)
	return c
}

// judge fits the expressions of Proposers and keeps the best.
type judge struct {
	p      *dataset.Problem
	dims   []unit.Dim // dimension of each variable
	known  []bool     // variables whose dimension is known
	anyDim bool       // some quantity has a dimension, so dimensions must be checked
	// For each variable: whether its column has a unit of angle, such as degrees. Outside a sine,
	// cosine or tangent it costs bits (price.go).
	angle           []bool
	vars            int     // number of variables that a law may contain
	maxComplexity   float64 // largest complexity of a candidate, in bits; 0: no limit
	shape           require.Shape
	screeningSample *sample // rows to which all candidates are fitted
	finalSample     *sample // rows to which the finalists are fitted
	fitters         sync.Pool

	received int64 // trees received
	// Hashes of the trees received, except trees with a forbidden shape.
	seen map[uint64]struct{}
	kept []*candidate // the best candidates, up to leadersByScore, by rising score
	// For each complexity, in steps of four bits: the candidate with the least error.
	byComplexity map[int]*candidate
}

// newJudge returns the judge of a search of p, which is the table t as a problem. If errorsKnown is
// true, the weights are 1/σ² with the known standard errors σ. Otherwise, the weights are known
// only up to a factor.
func newJudge(p *dataset.Problem, t *dataset.Table, s Settings, errorsKnown bool) *judge {
	j := &judge{p: p, screeningSample: newSample(p, screeningRows, errorsKnown), finalSample: newSample(p, finalRows, errorsKnown),
		seen: map[uint64]struct{}{}, byComplexity: map[int]*candidate{}, maxComplexity: s.MaxComplexity, shape: s.Shape}
	j.fitters.New = func() any { return new(fit.Fitter) }
	for _, v := range p.Vars {
		v.Known = v.Known && !s.NoUnits
		j.dims = append(j.dims, v.Dim)
		j.known = append(j.known, v.Known)
		j.anyDim = j.anyDim || v.Known && !v.Dim.IsZero()
		j.vars++
	}
	j.anyDim = (j.anyDim || p.Target.Known && !p.Target.Dim.IsZero()) && !s.NoUnits
	j.angle = make([]bool, len(p.Vars))
	for i, c := range t.Vars {
		j.angle[i] = c.HasUnit && c.Unit.IsAngle()
	}
	return j
}

// Approximate numbers of rows to which candidates are fitted.
const (
	screeningRows = 400  // for all candidates
	finalRows     = 4000 // for the finalists
)

// batch fits the trees of a source on all cores and inserts them, in their order, into the list of
// the best candidates. improved reports whether the best score got lower.
func (j *judge) batch(trees []expr.Tree, from *source) (improved bool) {
	set := fit.Settings{Starts: 1, MaxIter: 40}
	if from.extra {
		set.Starts = 4 // their starting constants may be poor
	}
	fresh := trees[:0]
	for _, t := range trees {
		h := t.Hash()
		j.received++
		_, known := j.seen[h]
		if known && !j.startsBetter(t) || !j.shape.Allows(t) { // before the fit, so fitted constants are not tested
			continue
		}
		j.seen[h] = struct{}{}
		if !from.extra || j.balances(t) {
			fresh = append(fresh, t)
		}
	}
	cs := make([]*candidate, len(fresh))
	each.Do(len(fresh), func(i int) {
		if c, ok := j.evaluate(fresh[i], j.screeningSample, set); ok {
			cs[i] = c
		}
	})
	for i, c := range cs {
		if c != nil {
			// received rose by at least len(cs), so this exceeds every order of earlier batches.
			c.order, c.by = j.received-int64(len(cs)-i), from.Name
			improved = j.insert(c) || improved
		}
	}
	return improved
}

// startsBetter reports whether a tree, with its starting constants, has less than half the error of
// the best law. Such a tree is fitted again, even if its form was fitted from other starting
// constants before.
func (j *judge) startsBetter(t expr.Tree) bool {
	if t.NumParams() == 0 {
		return false
	}
	least := j.screeningSample.rms
	if b := j.best(); b != nil {
		least = b.rms
	}
	return dataset.RMS(j.screeningSample.residuals(t)) < least/2 && !j.exact(j.best())
}

// balances reports whether the dimensions of t balance, as far as they are known.
func (j *judge) balances(t expr.Tree) bool {
	if !j.anyDim {
		return true
	}
	_, violation := withRoundedExponents(t).ParamDimsKnown(j.dims, j.known, j.p.Target.Dim, j.p.Target.Known)
	return violation == 0
}

// insert adds a candidate to the list of the best candidates, and reports whether it is the new
// best.
func (j *judge) insert(c *candidate) (improved bool) {
	if j.maxComplexity > 0 && c.complexity > j.maxComplexity {
		return false
	}
	if k := int(c.complexity / complexityStepBits); j.byComplexity[k] == nil || c.rms < j.byComplexity[k].rms {
		j.byComplexity[k] = c
	}
	i := sort.Search(len(j.kept), func(i int) bool { return j.kept[i].score > c.score })
	if i >= leadersByScore {
		return false
	}
	j.kept = append(j.kept, nil)
	copy(j.kept[i+1:], j.kept[i:])
	j.kept[i] = c
	if len(j.kept) > leadersByScore {
		j.kept = j.kept[:leadersByScore]
	}
	return i == 0
}

// best returns the candidate with the lowest score so far.
func (j *judge) best() *candidate {
	if len(j.kept) == 0 {
		return nil
	}
	return j.kept[0]
}

// exact reports whether a candidate is not an interpolation and its residuals are only rounding
// errors, of the table's digits or of floating-point numbers. A wrong form with three or more
// constants may agree with a smooth function to nine digits, but not to the last one.
func (j *judge) exact(c *candidate) bool {
	if c == nil || !c.unitsOK {
		return false
	}
	most, rowBits := j.exactResidual(c)
	rows, free := c.res.Rows, len(c.res.Params)
	return c.rms < min(most, maxExactError*j.screeningSample.spread) && rows >= enoughRows(free) &&
		// A law may need at most half of the information in the rows.
		c.complexity < rowBits/2*float64(rows) &&
		determined(c.tree, j.p.Cols(), len(j.p.Target.Values)) && (c.rounded || j.smallInRows(c))
}

// enoughRows returns the least number of rows that show that a law with the given number of
// constants is no interpolation.
func enoughRows(constants int) int { return 2*constants + 4 }

// smallInRows reports whether the residuals of a candidate are small compared with the target in
// most rows (mdl.SmallInRows).
func (j *judge) smallInRows(c *candidate) bool {
	res := j.screeningSample.residuals(c.tree)
	return mdl.SmallInRows(res, j.screeningSample.weighted(slices.Clone(j.screeningSample.y)))
}

// exactResidual returns the residual below which a candidate is exact, and the bits of information
// in a row. With three or more constants, the residual must be at the rounding of floating-point
// numbers. With fewer, it is enough to be at the rounding of the table's digits.
func (j *judge) exactResidual(c *candidate) (most, rowBits float64) {
	const doubleBits = 30 // bits of information in nine digits
	switch many := len(c.res.Params) > 2; {
	case many:
		return 1e-12 * j.screeningSample.rms, doubleBits
	case c.rounded:
		return math.Inf(1), math.Log2(j.screeningSample.rms / c.scoreRMS)
	}
	return roundingFloor * j.screeningSample.rms, doubleBits
}

// determined reports whether the different rows of a table suffice to determine the constants of a
// law twice over. If so, the law is not an interpolation. cols are the columns of the table. The
// number of constants that act through the same columns must also be small compared with the number
// of different rows of these columns. For example, six constants of a curve in x prove nothing if x
// has only eight values, whatever the other columns are.
func determined(law expr.Tree, cols [][]float64, rows int) bool {
	free := law.NumParams()
	if distinctRows(cols, law.Vars(), rows) < enoughRows(free) {
		return false
	}
	through := make([][]int, free) // the columns through which each constant acts
	for slot := range through {
		through[slot] = law.DiffParam(slot).Simplify().Vars()
	}
	for _, vars := range through {
		constants := 0
		for _, other := range through {
			if !slices.ContainsFunc(other, func(v int) bool { return !slices.Contains(vars, v) }) {
				constants++
			}
		}
		if len(vars) > 0 && distinctRows(cols, vars, rows) < constants*3/2+2 {
			return false
		}
	}
	return true
}

// distinctRows returns the number of different rows in the columns vars.
func distinctRows(cols [][]float64, vars []int, rows int) int {
	var used [][]float64
	for _, v := range vars {
		used = append(used, cols[v])
	}
	return dataset.Distinct(used, rows)
}
