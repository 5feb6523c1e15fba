package view

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Symmetries of data with errors. To distinguish errors from a lack of fit, a polynomial needs more
// rows than most tables have. A Gaussian process needs few rows, and its evidence balances fit
// against complexity (D. MacKay, Neural Computation 4, 415, 1992). So symmetries are proposed from
// the derivatives of a process in place of those of a polynomial (symmetry.go). A symmetry reduces
// the number of variables. It is accepted if a process in the remaining variables has more evidence
// than the process in all variables. Processes are also used for exact data with few rows.

// Bounds of the search for symmetries in data with errors. A reduced process is a process in the
// variables that remain after a symmetry is used.
const (
	fewestRows = 12 // least number of rows
	mostNoisy  = 8  // largest number of variables of a process
	// For sets of up to this many variables, scalings with the powers 1 and -1 are proposed, with
	// all combinations of signs.
	mostSigns = 4
	// A symmetry is tested only if less than this fraction of the derivatives' variance contradicts
	// it.
	proposeNoisy = 0.5
	leastGain    = 2. // least gain in evidence, in nats, by which a symmetry is accepted
	fullSteps    = 40 // largest number of steps in a fit of the process in all variables
	// Number of steps in the fit of a reduced process, after which hopeless processes are dropped.
	firstSteps = 8
	moveSteps  = 20 // largest number of steps in the fit of a reduced process after the firstSteps
	// A reduced process is dropped as hopeless if its evidence after firstSteps is lower by this
	// many nats than that of the process that it would replace.
	hopeless = 40.
	// The fit of a reduced process starts from a standard error that is larger by the factor
	// exp(moreErrors) than the standard error of the full process.
	moreErrors = 2.
)

// ProcessRows is the number of rows to which a process is fitted. The time of a fit grows with the
// third power of this number.
const ProcessRows = 150

// Noisy is a problem whose target may have errors.
type Noisy struct {
	p    *dataset.Problem
	drop map[int]bool
	all  *smooth // the process in all variables; nil: not fitted
}

// NewNoisy returns the problem p without the variables in drop.
func NewNoisy(p *dataset.Problem, drop map[int]bool) *Noisy { return &Noisy{p: p, drop: drop} }

// Reduce returns the problem that remains after the symmetries of its data are used.
func (n *Noisy) Reduce(ctx context.Context) Reduction {
	r := Reduction{Problem: n.p, Drop: n.drop, factor: expr.Num(1)}
	for g := n.all; ctx.Err() == nil; g = nil {
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
		r.apply(&g.derivatives, m)
		r.Found = true
	}
	return r
}

// smooth fits a process to the reduced problem at up to points rows. It returns nil if there are
// fewer rows than least, if there are too many variables or none, or if the fit fails.
func (r *Reduction) smooth(ctx context.Context, points, least int) *smooth {
	s, live := r.space(points)
	if s.Points() < least || len(live) < 1 || len(live) > mostNoisy {
		return nil
	}
	return newSmooth(ctx, s, live)
}

// HasErrors reports whether the target, as a function of the variables, seems to have errors. The
// test compares processes fitted to half of the rows and to all rows: true errors have about the
// same size in both. A process may also find errors because it fails to describe an exact law.
// Three signs indicate this. The errors are larger with half of the rows, they have heavy tails (as
// near a pole), or one of laws explains most of them. In the last two cases, and if there are few
// rows, known is false.
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
	if errors && (stat.ExKurtosis(n.all.gp.LeaveOneOut(), nil) > mostKurtosis || n.all.leastResidual(laws)*alikeErrors < size) {
		return false, false
	}
	return errors, ctx.Err() == nil
}

// Bounds of HasErrors for standard errors, in standard deviations of the target, and for the excess
// kurtosis of the residuals. With these bounds, 193 of 240 random laws with noise of 1 % seem to
// have errors. Of 105 laws without noise that no short search finds, 4 seem to have errors.
const (
	leastErrors  = 3e-4 // smaller errors may arise because a process fails to describe a law
	mostErrors   = 0.3  // with larger errors, the process does not describe the target
	alikeErrors  = 1.5  // ratio up to which two standard errors count as equal
	mostKurtosis = 1.5  // largest excess kurtosis of residuals without heavy tails
)

// moves returns the symmetries that the derivatives propose, the most likely first. For each
// variable, it then appends the symmetry that the variable is only a factor of the law, with up to
// three powers of this factor. Such a symmetry is a scaling with d = 1 for the variable and d = 0
// for all other variables.
func (g *smooth) moves() (all []symmetry) {
	gram, along := g.euler()
	add := func(d []int, half int, ratio float64) {
		lead := g.leading(d, func(x []float64) bool { return slices.Min(x) > 0 })
		// Laws are written with whole powers and square roots only.
		if lead >= 0 && half%d[lead] == 0 && !slices.ContainsFunc(d, func(e int) bool { return 2*e%d[lead] != 0 }) {
			all = append(all, symmetry{d: d, half: half, lead: lead, ratio: ratio})
		}
	}
	known := map[string]bool{}
	propose := func(d []int) {
		ratio, half := variation(gram, d), int(math.Round(2*power(d, along)))
		if key := fmt.Sprint(d); ratio < proposeNoisy && abs(half) <= 12 && !known[key] {
			known[key] = true
			add(d, half, ratio)
		}
	}
	for set := 1; set < 1<<len(gram); set++ {
		if d, ok := wholeScaling(gram, set, proposeNoisy); ok && bits.OnesCount(uint(set)) > 1 {
			propose(d)
		}
		if bits.OnesCount(uint(set)) <= mostSigns {
			signedScalings(set, len(gram), propose)
		}
	}
	all = mostLikely(append(all, g.sums([]int{1, 2, -1})...))
	for k := range gram {
		halves := []int{2, -2, int(math.Round(2 * along[k]))}
		slices.Sort(halves)
		for _, half := range slices.Compact(halves) {
			d := make([]int, len(gram))
			d[k] = 1
			add(d, half, 0)
		}
	}
	return all
}

// signedScalings proposes scalings of the variables in set. Their powers are 1 and −1 with all
// combinations of signs, but the first power is positive. For two variables it also proposes
// scalings in which one power is doubled.
func signedScalings(set, vars int, propose func(d []int)) {
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

// bestMove returns the symmetry that increases the evidence most. ok is false if none increases it
// by more than leastGain.
func (g *smooth) bestMove(ctx context.Context) (best symmetry, ok bool) {
	most := leastGain
	for _, m := range g.moves() {
		if gain := g.gain(ctx, m); gain > most {
			best, most, ok = m, gain, true
		}
	}
	return best, ok && ctx.Err() == nil
}
