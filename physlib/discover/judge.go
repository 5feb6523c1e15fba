package discover

import (
	"math"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/require"
	"github.com/physlib/lab/physlib/search/each"
	"github.com/physlib/lab/physlib/unit"
)

// candidate is a proposed tree with its constants fitted, in the problem's frame.
type candidate struct {
	tree    expr.Tree // Params start where the fit ended
	res     fit.Result
	bits    float64 // complexity, units included
	score   float64
	rms     float64 // weighted root mean square residual
	weighed float64 // in place of rms in the score, where that is near the rounding of the table's digits; 0: rms
	rounded bool    // what it leaves is that rounding
	unitsOK bool
	dims    []unit.Dim // of the free constants
	snapped []law.Constant
	order   int64
	by      string // the Proposer that came with it first
}

// sample is a set of rows that candidates are fitted to.
type sample struct {
	cols   [][]float64
	y, w   []float64
	rms    float64     // of the target under the weights
	spread float64     // standard deviation of the target under them
	round  [][]float64 // rounding of each of cols and, last, of y; nil: not known
	sigma  float64     // of a row under the weights; 0: unknown
}

func newSample(p *dataset.Problem, limit int) *sample {
	n := len(p.Target.Values)
	step := 1
	if n > limit {
		step = n / limit
	}
	s := &sample{cols: make([][]float64, len(p.Vars))}
	take := func(v []float64) []float64 {
		if step == 1 {
			return v
		}
		r := make([]float64, 0, n/step+1)
		for i := 0; i < n; i += step {
			r = append(r, v[i])
		}
		return r
	}
	for i, v := range p.Vars {
		s.cols[i] = take(v.Values)
	}
	s.y = take(p.Target.Values)
	if p.Weights != nil {
		s.w = take(p.Weights)
	}
	for _, q := range append(slices.Clip(p.Vars), p.Target) {
		if q.Rounding == nil {
			s.round = append(s.round, nil)
		} else {
			s.round = append(s.round, take(q.Rounding))
		}
	}
	s.rms = rms(s.weighted(slices.Clone(s.y)))
	s.spread = math.Sqrt(stat.PopVariance(s.y, s.w))
	if s.w != nil {
		s.spread *= math.Sqrt(stat.Mean(s.w, nil))
	}
	if p.Noise > 0 && s.w == nil {
		s.sigma = p.Noise * rms(p.Target.Values)
	}
	return s
}

// weighted multiplies values of the rows by the roots of their weights.
func (s *sample) weighted(v []float64) []float64 {
	for i, w := range s.w {
		v[i] *= math.Sqrt(w)
	}
	return v
}

// residuals are what a tree with its constants leaves in each row, under the weights.
func (s *sample) residuals(t expr.Tree) []float64 {
	v := make([]float64, len(s.y))
	expr.Compile(t).Eval(v, s.cols, t.Params())
	for i, y := range s.y {
		v[i] = y - v[i]
	}
	return s.weighted(v)
}

// rounding is the variance of what the digits of the table leave of a law in each row if it is
// true: the target's own rounding and that of each variable, as the law passes it on. nil where the
// table tells of none.
func (s *sample) rounding(law expr.Tree) []float64 {
	if !slices.ContainsFunc(s.round, func(r []float64) bool { return r != nil }) {
		return nil
	}
	n := len(s.y)
	program, params := expr.Compile(law), law.Params()
	at, moved, square := make([]float64, n), make([]float64, n), make([]float64, n)
	program.Eval(at, s.cols, params)
	if r := s.round[len(s.cols)]; r != nil {
		floats.MulTo(square, r, r)
	}
	for _, x := range law.Vars() {
		if s.round[x] == nil {
			continue
		}
		cols := slices.Clone(s.cols)
		cols[x] = floats.AddTo(make([]float64, n), s.cols[x], s.round[x])
		program.Eval(moved, cols, params)
		for i, v := range moved {
			square[i] += (v - at[i]) * (v - at[i])
		}
	}
	return square
}

// digits weighs a candidate that leaves as much as the rounding of the table's digits by how each
// row is rounded. If each leaves no more, it gets the constants that this tells, and counts as any
// other such law: less would describe the rounding. If not, its error is as many times that of
// rounding as the rows tell, even if few coarse rows hide it.
func (j *judge) digits(f *fit.Fitter, c *candidate, s *sample) *candidate {
	const coarsest = 0.01 // of the target, above which what is left is no matter of digits
	if c.rms > coarsest*s.rms {
		return c
	}
	variances := s.rounding(c.tree)
	if variances == nil {
		return c
	}
	squares := slices.Clone(variances)
	for i, w := range s.w {
		squares[i] *= w
	}
	n, sum := float64(len(s.y)), floats.Sum(squares)
	size := math.Sqrt(sum / n)
	few := sum * sum / floats.Dot(squares, squares) // rows that matter
	if !(c.rms < size*rounds(few)) {
		return c
	}
	sharp, err := f.Fit(c.tree, s.cols, s.y, inverses(variances), fit.Settings{Starts: 1, MaxIter: 20})
	if err != nil {
		return c
	}
	times := math.Sqrt(sharp.RSS / (n - float64(len(sharp.Params))))
	if !(times < rounds(n)) {
		c.weighed = max(c.rms, size*times)
		j.price(c, s)
		return c
	}
	r := &candidate{tree: c.tree.WithStarts(sharp.Params), res: sharp, weighed: size, rounded: true}
	left := s.residuals(r.tree)
	r.res.RSS = floats.Dot(left, left)
	j.price(r, s)
	return r
}

// rounds is how many standard deviations rounding leaves in so many rows at most, as root mean
// square: three sigma of χ².
func rounds(rows float64) float64 { return math.Sqrt(1 + 3*math.Sqrt(2/rows)) }

// inverses are weights for variances; what has none counts as the least of the others.
func inverses(variances []float64) []float64 {
	least := math.Inf(1)
	for _, v := range variances {
		if v > 0 {
			least = min(least, v)
		}
	}
	for i, v := range variances {
		variances[i] = 1 / max(v, least)
	}
	return variances
}

// judge fits what Proposers yield and keeps the best.
type judge struct {
	p       *dataset.Problem
	dims    []unit.Dim
	known   []bool
	anyDim  bool
	angle   []bool // columns in degrees, radians and the like
	vars    int    // that a law may choose from
	screen  *sample
	full    *sample
	seen    map[uint64]struct{}
	kept    []*candidate       // by score
	byBits  map[int]*candidate // least error at each complexity, in steps of four bits
	cap     float64
	unit    float64 // of √weight: what a residual of relative size one counts when errors are relative
	fitters sync.Pool
	count   int64
	shape   require.Shape
}

// keep is how many candidates await the final fit.
const keep = 120

func newJudge(p *dataset.Problem, s Settings) *judge {
	j := &judge{p: p, seen: map[uint64]struct{}{}, byBits: map[int]*candidate{}, screen: newSample(p, 400), full: newSample(p, 4000), cap: s.MaxComplexity, shape: s.Shape}
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
	return j
}

// relative tells that the weights stand for errors proportional to the target, of unknown
// proportion, and not for given ones.
func (j *judge) relative(yes bool) {
	j.unit = 1
	if yes && len(j.screen.y) > 0 {
		j.unit = math.Abs(j.screen.y[0]) * math.Sqrt(j.screen.w[0])
		return
	}
	if j.p.Weights != nil {
		for _, s := range []*sample{j.screen, j.full} {
			s.sigma = 1
		}
	}
}

const (
	unitBits      = 6.0  // a free constant that carries a unit, beside one that does not
	bareAngleBits = 6.0  // an angle that is in no sine, cosine or tangent
	ratioBits     = 6.0  // a ratio of like quantities where an angle is usual
	powerBits     = 6.0  // a fitted exponent of a sum
	droppedBits   = 12.0 // a quantity whose unit is dropped: in truth it is divided by a constant with that unit
)

// evaluate fits t on s; ok is false for what cannot be a law.
func (j *judge) evaluate(t expr.Tree, s *sample, set fit.Settings) (c *candidate, ok bool) {
	f := j.fitters.Get().(*fit.Fitter)
	defer j.fitters.Put(f)
	r, err := f.Fit(t, s.cols, s.y, s.w, set)
	if err != nil || math.IsNaN(r.RSS) {
		return nil, false
	}
	if s.w != nil && s.sigma == 0 { // weights known up to a factor
		scale := math.Sqrt(r.RSS / float64(max(1, r.Rows-len(r.Params))))
		for i := range r.StdErr {
			r.StdErr[i] *= scale
		}
	}
	c = &candidate{tree: t.WithStarts(r.Params), res: r}
	j.price(c, s)
	c = j.digits(f, c, s)
	return c, !math.IsInf(c.score, 0) && !math.IsNaN(c.score)
}

// price computes bits and score of a fitted candidate.
func (j *judge) price(c *candidate, s *sample) {
	c.unitsOK = true
	c.bits = law.Complexity(c.tree, j.vars) + j.angles(c.tree) + powers(c.tree)
	if j.anyDim {
		var violation float64
		c.dims, violation = tabulated(c.tree).ParamDimsKnown(j.dims, j.known, j.p.Target.Dim, j.p.Target.Known)
		c.unitsOK = violation == 0
		for _, d := range c.dims {
			if !d.IsZero() {
				c.bits += unitBits
			}
		}
		if !c.unitsOK {
			c.bits += droppedBits * float64(j.dropped(c.tree))
		}
	}
	c.rms = math.Sqrt(c.res.RSS / float64(max(1, c.res.Rows)))
	free := c.tree.NumParams()
	rss := c.res.RSS
	if c.weighed > 0 {
		rss = c.weighed * c.weighed * float64(c.res.Rows)
	}
	c.score = law.Score(c.bits, law.Residuals{Rows: c.res.Rows, RSS: rss, RMS: s.rms, Sigma: s.sigma, Free: free, Precision: precision(c.res, c.rms/s.rms)})
	if free > max(1, (c.res.Rows-2)/2) {
		c.score = math.Inf(1) // a law that has a constant for every second row says nothing
	}
	if !c.unitsOK {
		c.score += law.UnitsPenalty
	}
}

// angles prices what physics rarely does with angles: to take the sine, cosine or tangent, or the
// hyperbolic ones, of a ratio of two quantities of one dimension, such as v/c, where angles, ωt and
// kx are common; and to use a column in degrees or radians outside of these.
func (j *judge) angles(t expr.Tree) float64 {
	bits := 0.0
	nodes := t.Nodes()
	var inside []bool
	for i, n := range nodes {
		switch n.Op {
		case expr.Sin, expr.Cos, expr.Tan, expr.Sinh, expr.Cosh:
		default:
			continue
		}
		if inside == nil {
			inside = make([]bool, len(nodes))
		}
		depth := 1 // walk the operand backwards
		var seen []unit.Dim
		ratio, angle, power := false, false, false
		for k := i - 1; k >= 0 && depth > 0; k-- {
			inside[k] = true
			depth += nodes[k].Op.Arity() - 1
			switch nodes[k].Op {
			case expr.Square, expr.Cube, expr.Pow, expr.Sqrt, expr.Inv, expr.Exp, expr.Log:
				power = true
			case expr.Var:
				angle = angle || j.angle[nodes[k].Index]
			}
			if nodes[k].Op != expr.Var || int(nodes[k].Index) >= len(j.dims) {
				continue
			}
			d := j.dims[nodes[k].Index]
			if d.IsZero() {
				continue
			}
			for _, o := range seen {
				ratio = ratio || o == d
			}
			seen = append(seen, d)
		}
		if ratio {
			bits += ratioBits
		}
		if angle && power { // the cosine of the square of an angle
			bits += bareAngleBits
		}
	}
	for i, n := range nodes {
		if n.Op == expr.Var && j.angle[n.Index] && (inside == nil || !inside[i]) {
			bits += bareAngleBits
		}
	}
	return bits
}

// dropped counts the quantities with a dimension in a law that breaks the units, the target among
// them.
func (j *judge) dropped(t expr.Tree) (n int) {
	if j.p.Target.Known && !j.p.Target.Dim.IsZero() {
		n++
	}
	seen := make([]bool, len(j.dims))
	for _, v := range t.Nodes() {
		if v.Op == expr.Var && !seen[v.Index] && j.known[v.Index] && !j.dims[v.Index].IsZero() {
			seen[v.Index] = true
			n++
		}
	}
	return n
}

// powers prices fitted exponents of sums: powers of a column by any exponent are what empirical
// laws are made of, those of a sum bend a curve to whatever the data are.
func powers(t expr.Tree) (bits float64) {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && i >= 2 && nodes[i-1].Op == expr.Param && (nodes[i-2].Op == expr.Add || nodes[i-2].Op == expr.Sub) {
			bits += powerBits
		}
	}
	return bits
}

// tabulated is t with the free constants that are exponents rounded to hundredths: a law such as
// c0·T**3.86 balances when c0 carries a power of the unit of T, whatever power that is.
func tabulated(t expr.Tree) expr.Tree {
	var nodes []expr.Node
	src := t.Nodes()
	for i, n := range src {
		if n.Op == expr.Param && i+1 < len(src) && src[i+1].Op == expr.Pow {
			n = expr.Node{Op: expr.Number, Value: math.Round(n.Value*100) / 100}
		}
		if nodes == nil && n != src[i] {
			nodes = append([]expr.Node(nil), src...)
		}
		if nodes != nil {
			nodes[i] = n
		}
	}
	if nodes == nil {
		return t
	}
	r, _ := expr.FromNodes(nodes)
	return r
}

// batch fits trees of a source on all cores and takes them in, in order. improved reports whether
// the best score fell.
func (j *judge) batch(trees []expr.Tree, from *source) (improved bool) {
	set := fit.Settings{Starts: 1, MaxIter: 40}
	if from.extra {
		set.Starts = 4
	}
	fresh := trees[:0]
	for _, t := range trees {
		h := t.Hash()
		j.count++
		if _, known := j.seen[h]; known && !j.ahead(t) || !j.shape.Allows(t) {
			continue
		}
		j.seen[h] = struct{}{}
		if !from.extra || j.balances(t) {
			fresh = append(fresh, t)
		}
	}
	cs := make([]*candidate, len(fresh))
	each.Do(len(fresh), func(i int) {
		if c, ok := j.evaluate(fresh[i], j.screen, set); ok {
			cs[i] = c
		}
	})
	for i, c := range cs {
		if c != nil {
			c.order, c.by = j.count-int64(len(cs)-i), from.Name
			improved = j.take(c) || improved
		}
	}
	return improved
}

// ahead reports whether a tree, with its constants where they start, has half the error of the best
// law at most: a form that was fitted before from elsewhere, and ended in a minimum of its own, is
// then worth another fit.
func (j *judge) ahead(t expr.Tree) bool {
	if t.NumParams() == 0 {
		return false
	}
	least := j.screen.rms
	if b := j.best(); b != nil {
		least = b.rms
	}
	return rms(j.screen.residuals(t)) < least/2 && !j.exact(j.best())
}

// balances reports whether the dimensions of t balance, as far as they are known.
func (j *judge) balances(t expr.Tree) bool {
	if !j.anyDim {
		return true
	}
	_, violation := tabulated(t).ParamDimsKnown(j.dims, j.known, j.p.Target.Dim, j.p.Target.Known)
	return violation == 0
}

// take files a candidate.
func (j *judge) take(c *candidate) (improved bool) {
	if j.cap > 0 && c.bits > j.cap {
		return false
	}
	if k := int(c.bits / 4); j.byBits[k] == nil || c.rms < j.byBits[k].rms {
		j.byBits[k] = c
	}
	i := sort.Search(len(j.kept), func(i int) bool { return j.kept[i].score > c.score })
	if i >= keep {
		return false
	}
	j.kept = append(j.kept, nil)
	copy(j.kept[i+1:], j.kept[i:])
	j.kept[i] = c
	if len(j.kept) > keep {
		j.kept = j.kept[:keep]
	}
	return i == 0
}

// best is the candidate of least score so far.
func (j *judge) best() *candidate {
	if len(j.kept) == 0 {
		return nil
	}
	return j.kept[0]
}

// resolved is the error relative to the target's standard deviation below which a law is exact: a
// target that hardly varies, next to a constant that is far larger, may be unexplained though it is
// the constant to nine digits.
const resolved = 1e-4

// points is the number of rows that differ in some column of t.
func (j *judge) points(t expr.Tree) int {
	var cols [][]float64
	for _, v := range t.Vars() {
		cols = append(cols, j.p.Vars[v].Values)
	}
	return dataset.Distinct(cols, len(j.p.Target.Values))
}

// exact reports whether what a candidate leaves is rounding, that of the table's digits or of
// numbers, and it is no interpolation. Three constants and more can follow a small smooth
// correction to nine digits in a form that is not its own, but not to the last.
func (j *judge) exact(c *candidate) bool {
	if c == nil {
		return false
	}
	rounding, known := 1e-9, 30.0 // bits that a row tells, of which a law needs half at most
	switch few := len(c.res.Params) <= 2; {
	case !few:
		rounding = 1e-12
	case c.rounded:
		rounding, known = math.Inf(1), math.Log2(j.screen.rms/c.weighed)
	}
	return c.unitsOK && c.rms < min(rounding*j.screen.rms, resolved*j.screen.spread) && c.res.Rows >= 2*len(c.res.Params)+4 && c.bits < known/2*float64(c.res.Rows) &&
		j.points(c.tree) >= 2*len(c.res.Params)+4
}

// finalists are refitted on more rows and their constants put in closed form, the likeliest first,
// until over says so.
func (j *judge) finalists(over func() bool) []*candidate {
	list := append([]*candidate(nil), j.kept[:min(len(j.kept), finals)]...)
	have := map[*candidate]bool{}
	for _, c := range list {
		have[c] = true
	}
	var front []*candidate
	for _, c := range j.byBits {
		if !have[c] && !j.dominated(c) {
			front = append(front, c)
		}
	}
	sort.Slice(front, func(a, b int) bool { return front[a].bits < front[b].bits })
	list = append(list, front...)
	out := make([]*candidate, len(list))
	each.Do(len(list), func(i int) {
		c := list[i]
		if i > 0 && over() {
			out[i] = c
			return
		}
		full := c
		if len(j.full.y) != len(j.screen.y) {
			var ok bool
			if full, ok = j.evaluate(c.tree, j.full, fit.Settings{Starts: 1}); !ok {
				return
			}
		}
		full.order, full.by = c.order, c.by
		out[i] = j.snap(full, over)
	})
	var ok []*candidate
	for _, c := range out {
		if c != nil && c.res.Rows == len(j.full.y) {
			ok = append(ok, c)
		}
	}
	sort.SliceStable(ok, func(a, b int) bool {
		if ok[a].score != ok[b].score {
			return ok[a].score < ok[b].score
		}
		return ok[a].order < ok[b].order
	})
	return ok
}

// finals is how many of the best candidates get their constants put in closed form.
const finals = 60

// dominated reports whether a simpler candidate leaves no more.
func (j *judge) dominated(c *candidate) bool {
	for _, o := range j.byBits {
		if o != c && o.bits <= c.bits && o.rms <= c.rms*1.001 && (o.unitsOK || !c.unitsOK) {
			return true
		}
	}
	return false
}
