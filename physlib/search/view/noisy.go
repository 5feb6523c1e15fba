package view

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/unit"
)

// Symmetries of data with errors. To tell errors from a lack of fit, a polynomial needs more rows
// than most tables have. A Gaussian process needs few, and its evidence weighs fit against
// complexity (D. MacKay, Neural Computation 4, 415, 1992). So the derivatives of a process propose
// symmetries, as those of the polynomial do (symmetry.go). A symmetry counts if a process in the
// variables that it leaves has more evidence than the process in all of them. Processes also serve
// exact data of few rows.

// Bounds of the search for symmetries in data with errors. A reduced process is one in the
// variables that a symmetry leaves.
const (
	fewestRows   = 12  // least number of rows
	mostNoisy    = 8   // most variables of a process
	mostSigns    = 4   // most variables of a scaling of which all signs of powers are proposed
	mostMoves    = 40  // symmetries tested of one process, not counting single factors
	proposeNoisy = 0.5 // share of the derivatives' variance below which a symmetry is worth a test
	leastGain    = 2.  // nats of evidence that a symmetry adds
	fullSteps    = 40  // steps of the fit of the first process
	firstSteps   = 8   // first steps of the fit of a reduced process
	moveSteps    = 20  // further steps of the fit of a reduced process
	hopeless     = 40. // nats by which a reduced process may have less evidence after firstSteps
	moreErrors   = 2.  // logarithm of the factor for the errors at the start of a reduced process
)

// ProcessRows is the number of rows to which a process is fitted. Its time grows with their third
// power.
const ProcessRows = 150

// Noisy is a problem whose target may have errors.
type Noisy struct {
	p    *dataset.Problem
	drop map[int]bool
	all  *smooth // the process in all variables; nil: not fitted
}

// NewNoisy returns p without the variables of drop.
func NewNoisy(p *dataset.Problem, drop map[int]bool) *Noisy { return &Noisy{p: p, drop: drop} }

// Reduce returns the rest of the problem, once the symmetries of its data are used up. ok is false
// if there are none.
func (n *Noisy) Reduce(ctx context.Context) (r Reduction, ok bool) {
	r = Reduction{Problem: n.p, Drop: n.drop, factor: expr.Num(1)}
	g := n.all
	for ctx.Err() == nil {
		if g == nil {
			g = r.smooth(ctx, ProcessRows, fewestRows)
		}
		if g == nil || len(g.live) < 2 {
			break
		}
		m, found := g.bestMove(ctx)
		if !found {
			break
		}
		r.apply(g, m)
		g, ok = nil, true
	}
	return r, ok
}

// smooth fits a process to the rest at up to points rows. It returns nil if there are fewer than
// least, too many variables, or nothing to fit.
func (r *Reduction) smooth(ctx context.Context, points, least int) *smooth {
	s, live := r.space(points)
	if s.Points() < least || len(live) < 1 || len(live) > mostNoisy {
		return nil
	}
	return newSmooth(ctx, s, live)
}

// HasErrors reports whether the target, as a function of the variables, seems to have errors. If it
// has, a process fitted to half of the rows finds errors of about the same size as one fitted to
// all. A process may also fail to describe an exact law. What it misses is then mostly larger with
// half of the rows. Or it has heavy tails, as near a pole, or one of laws explains it. In the last
// two cases, and with few rows, known is false.
func (n *Noisy) HasErrors(ctx context.Context, laws []expr.Tree) (errors, known bool) {
	r := Reduction{Problem: n.p, Drop: n.drop}
	half := r.smooth(ctx, ProcessRows/2, ProcessRows/4)
	if half == nil {
		return false, false
	}
	if n.all = r.smooth(ctx, ProcessRows, ProcessRows/2); n.all == nil {
		return false, false
	}
	size := n.all.standardError()
	errors = size > leastErrors && size < mostErrors && half.standardError() < alikeErrors*size
	if errors && (stat.ExKurtosis(n.all.gp.leaveOneOut(), nil) > mostKurtosis || n.all.leastLeft(laws)*alikeErrors < size) {
		return false, false
	}
	return errors, ctx.Err() == nil
}

// Bounds of HasErrors, for standard errors relative to the target's standard deviation, and for the
// excess kurtosis of the residuals. Of 240 random laws with noise of 1 %, 193 seem to have errors.
// Of 105 laws without noise that the shortest searches miss, 4 do.
const (
	leastErrors  = 3e-4 // smaller errors may be those of a process that fails to describe a law
	mostErrors   = 0.3  // with larger errors, a process describes nothing
	alikeErrors  = 1.5  // ratio of two standard errors up to which they count as equal
	mostKurtosis = 1.5  // largest excess kurtosis of residuals without heavy tails
)

// move is a symmetry to be used up: one of scale, as in Euler's equation (symmetry.go), or two
// variables that enter only together.
type move struct {
	d     []int   // powers of the live variables in a scaling; nil if two variables enter together
	half  int     // twice the power of the target in a scaling
	sum   merged  // if d is nil: the variable that stands for the two
	ratio float64 // share of the derivatives' variance that speaks against the symmetry
}

// moves returns the symmetries that the derivatives propose, the likeliest first. After these come,
// for each variable, laws that have it only as a factor, as the symmetry d = 1 of this variable.
func (g *smooth) moves() (all []move) {
	gram, along := g.euler()
	known := map[string]bool{}
	propose := func(d []int) {
		ratio, half := variation(gram, d), int(math.Round(2*power(d, along)))
		if key := fmt.Sprint(d); ratio < proposeNoisy && abs(half) <= 12 && !known[key] {
			known[key] = true
			all = append(all, move{d: d, half: half, ratio: ratio})
		}
	}
	for set := 1; set < 1<<len(gram); set++ {
		if d, ok := smallest(gram, set, proposeNoisy); ok && bits.OnesCount(uint(set)) > 1 {
			propose(d)
		}
		if bits.OnesCount(uint(set)) <= mostSigns {
			signs(set, len(gram), propose)
		}
	}
	for _, m := range g.sums([]int{1, 2, -1}) {
		all = append(all, move{sum: m.merged, ratio: m.ratio})
	}
	slices.SortStableFunc(all, func(a, b move) int { return cmp.Compare(a.ratio, b.ratio) })
	all = all[:min(len(all), mostMoves)]
	for k := range gram {
		halves := []int{2, -2, int(math.Round(2 * along[k]))}
		slices.Sort(halves)
		for _, half := range slices.Compact(halves) {
			d := make([]int, len(gram))
			d[k] = 1
			all = append(all, move{d: d, half: half})
		}
	}
	return all
}

// signs calls propose with all scalings of the variables in set by the powers 1 and −1, the first
// one positive. For two variables it also proposes those in which one power is doubled.
func signs(set, vars int, propose func(d []int)) {
	var in []int
	for i := range vars {
		if set>>i&1 == 1 {
			in = append(in, i)
		}
	}
	if len(in) < 2 {
		return
	}
	for minus := range 1 << (len(in) - 1) {
		d := make([]int, vars)
		d[in[0]] = 1
		for k, i := range in[1:] {
			d[i] = 1 - 2*(minus>>k&1)
		}
		propose(d)
		if len(in) == 2 {
			for _, i := range in {
				twice := slices.Clone(d)
				twice[i] *= 2
				propose(twice)
			}
		}
	}
}

// bestMove returns the symmetry that adds most evidence. ok is false if none does.
func (g *smooth) bestMove(ctx context.Context) (best move, ok bool) {
	most := leastGain
	for _, m := range g.moves() {
		if gain := g.gain(ctx, m); gain > most {
			best, most, ok = m, gain, true
		}
	}
	return best, ok && ctx.Err() == nil
}

// lead returns the variable by whose powers the others and the target are divided to use up a
// scaling. ok is false unless the variable is positive, and these powers are multiples of one half.
func (g *smooth) lead(m move) (lead int, ok bool) {
	for k, e := range m.d {
		if e != 0 && slices.Min(g.s.X[g.live[k]]) > 0 && (!ok || abs(e) < abs(m.d[lead])) {
			lead, ok = k, true
		}
	}
	if !ok || m.half%m.d[lead] != 0 {
		return lead, false
	}
	return lead, !slices.ContainsFunc(m.d, func(e int) bool { return 2*e%m.d[lead] != 0 })
}

// ratio returns a/b.
func ratio(a, b int) float64 { return float64(a) / float64(b) }

// over returns v/x^power.
func over(v, x []float64, power float64) []float64 {
	out := slices.Clone(v)
	if power != 0 {
		for i := range out {
			out[i] /= math.Pow(x[i], power)
		}
	}
	return out
}

// apply uses up the symmetry m: it puts new variables in the place of those that m concerns.
func (r *Reduction) apply(g *smooth, m move) {
	if m.d == nil {
		r.merge(&g.derivatives, m.sum)
		return
	}
	lead, _ := g.lead(m)
	by := g.s.Vars[g.live[lead]]
	for k, e := range m.d {
		if k != lead && e != 0 {
			r.divide(g.s.Vars[g.live[k]], by, e, m.d[lead])
		}
	}
	r.takeOut(by, m.half/m.d[lead])
}

// divide puts xᵢ/x^(e/d) in the place of variable xᵢ, where x is variable by.
func (r *Reduction) divide(i, by, e, d int) {
	x, lead := r.Problem.Vars[i], r.Problem.Vars[by]
	p := build.One()
	p.By(r.written(i), 2)
	p.By(r.written(by), -2*e/d)
	r.put(p.Tree(), dataset.Quantity{
		Dim: x.Dim.Div(lead.Dim.Pow(unit.Rat(e, d))), Known: x.Known, Scale: 1, Values: over(x.Values, lead.Values, ratio(e, d)),
	}, i)
}
