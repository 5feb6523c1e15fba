package motion

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// system is the chosen system while its constants are replaced by closed forms.
type system struct {
	*searcher
	trees  []expr.Tree
	wins   []window
	shot   *trajectoryFit
	merged []int            // for each equation, the number of constants saved by simplify
	closed [][]law.Constant // for each equation, the constants replaced by closed forms
}

// mostSnaps is the largest number of constants of a system that become closed forms.
const mostSnaps = 24

// snap replaces constants by closed forms, one at a time, if this shortens the description.
func (s *system) snap(ctx context.Context) {
	over := s.polishTimer(ctx)
	s.closed = make([][]law.Constant, len(s.trees))
	if over() || s.slow(ctx, s.shot.Rows) {
		return
	}
	shot, score := s.evaluate(s.withParams(s.shot), s.shot.starts, over)
	s.trees, s.shot = s.withParams(shot), shot
	for range mostSnaps {
		best := s.bestSnap(score, over)
		if best.shot == nil || over() {
			return
		}
		s.shot, s.trees, score = best.shot, best.trees, best.score
		s.trees = s.withParams(best.shot)
		if c := best.constant; c.Value != 0 {
			if math.IsInf(c.StdErr, 0) || math.IsNaN(c.StdErr) {
				c.StdErr = 0
			}
			s.closed[best.equation] = append(s.closed[best.equation], c)
		}
	}
}

// snapped is a system with a closed form in place of a constant.
type snapped struct {
	shot     *trajectoryFit // nil: none is better
	trees    []expr.Tree
	score    float64
	equation int          // index of the equation that contained the constant
	constant law.Constant // the constant replaced
}

// bestSnap tries the closed forms of each constant until over returns true. It returns the one with
// the least score below the given one.
func (s *system) bestSnap(score float64, over func() bool) snapped {
	best := snapped{score: score}
	at := 0 // index of a constant in s.shot.Params
	for k, t := range s.trees {
		constants := s.shot.Params[at : at+t.NumParams()]
		for slot, forms := range s.closedForms(k, t, constants, s.shot.StdErr[at:]) {
			for _, form := range forms {
				if over() {
					return best
				}
				trees := slices.Clone(s.trees)
				trees[k] = replaced(t, slot, form.tree)
				shot, score := s.evaluate(trees, s.shot.starts, over)
				if score < best.score && shot.Lost == 0 {
					c := law.Constant{Value: form.value, StdErr: s.shot.StdErr[at+slot], Exact: form.text}
					best = snapped{shot, trees, score, k, c}
				}
			}
		}
		at += len(constants)
	}
	return best
}

// closedForms returns the closed forms to try for each constant of the law t of equation k.
func (s *system) closedForms(k int, t expr.Tree, constants, errors []float64) [][]form {
	dims, known, target, targetKnown := s.dims(k)
	units, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	sizes, sized := s.unitSizes(k, t)
	out := make([][]form, len(constants))
	for slot, v := range constants {
		bare := violation > 0 || slot >= len(units) || units[slot].IsZero() || !slices.Contains(known, true)
		size := 1.0
		if bare && violation == 0 && sized && targetKnown {
			size = sizes[slot]
		}
		out[slot] = formsInSI(v, errors[slot], bare, size)
	}
	return out
}

// evaluate fits the system with the rates trees until over returns true. It returns the fit and its
// score.
func (s *system) evaluate(trees []expr.Tree, old [][]float64, over func() bool) (*trajectoryFit, float64) {
	bits := 0.0
	for _, t := range trees {
		bits += law.Complexity(t, len(s.names))
	}
	f := s.field(trees)
	shot := s.d.shoot(f, s.wins, s.tolerance(), 20, old, func(float64, int) bool { return over() })
	bits -= s.mutual(trees, shot.Params, shot.cov, s.sampledColumns())
	return shot, s.score(bits, f, shot, func(k int) bool { return trees[k].Len() > 0 })
}

// form is a closed form of a constant.
type form struct {
	value float64
	text  string
	tree  expr.Tree
}

// letters are the letters of π, roots and e in printed closed forms. A closed form that contains
// one of them is accepted only from [fit.Snap], which is strict. For a rate known to a few percent,
// a whole number or a simple fraction is more plausible.
const letters = "pisqrtexp"

// Conditions on closed forms. They are strict, since a wrong form makes the law wrong, while a
// constant that stays free does no harm. For example, a rate of 0.34 ± 0.005 is hardly 1/3.
const (
	closedError = 1e-6 // largest relative standard error for which a constant may be π or a root
	closedBits  = 7    // largest description length of a rational number, in bits
	closedOdds  = 6    // least odds against a chance agreement with a rational number, in bits
)

// formsInSI returns the closed forms to try for a constant v with standard error se, whose unit has
// the given size in SI units. A constant without dimension may contain a conversion factor: in
// dx_dt = 0.001*v, with v in m/s and t in ms, it is 1 in SI units.
func formsInSI(v, se float64, bare bool, size float64) []form {
	out := forms(v*size, se*size, bare)
	if sameSize(size, 1) {
		return out
	}
	for i, f := range out {
		value, err := strconv.ParseFloat(strconv.FormatFloat(f.value/size, 'g', 15, 64), 64)
		if f.value != 0 && err == nil {
			out[i] = form{value, strconv.FormatFloat(value, 'g', -1, 64), expr.Num(value)}
		}
	}
	return out
}

// forms returns the closed forms to try for a constant v with standard error se. bare is true if
// the constant has no unit; otherwise 0 is the only form.
func forms(v, se float64, bare bool) []form {
	var out []form
	if math.IsInf(se, 0) || math.IsNaN(se) {
		se = math.Abs(v)
	}
	out = append(out, form{0, "0", expr.Num(0)})
	if !bare {
		return out
	}
	if tree, text, _, ok := fit.Snap(v, se); ok && se <= closedError*math.Abs(v) {
		y := tree.Values(1, nil, nil)
		out = append(out, form{y[0], text, tree})
	}
	for _, f := range fit.Closed(v, min(2.5*se, 0.2*math.Abs(v)), 2) {
		known := len(out) > 0 && out[len(out)-1].text == f.Text
		likely := f.Bits <= closedBits && f.Odds(v, se) >= closedOdds
		if likely && !strings.ContainsAny(f.Text, letters) && !known {
			out = append(out, form{f.Value, f.Text, f.Tree})
		}
	}
	return out
}

// replaced returns t with a tree in place of the free constant in a slot. The slots after it move
// forward. The result is simplified unless this makes it longer, as when a number in front of a sum
// is multiplied out.
func replaced(t expr.Tree, slot int, by expr.Tree) expr.Tree {
	fraction := []expr.Op{expr.Number, expr.Neg, expr.Mul, expr.Div, expr.Inv}
	if !slices.ContainsFunc(by.Nodes(), func(n expr.Node) bool { return !slices.Contains(fraction, n.Op) }) {
		v := by.Values(1, nil, nil)
		by = expr.Num(v[0])
	}
	out := t.SubstituteParam(slot, by).CompactParams()
	if simple := out.Simplify(); simple.Len() <= out.Len() {
		return simple
	}
	return out
}

// whole fits the system to whole runs. It reports whether the misfit of each state is at most 1.5
// times as large as over windows, or within the integration error. For chaotic systems, the misfit
// is larger.
func (s *system) whole(ctx context.Context) bool {
	over := s.polishTimer(ctx)
	if over() || s.slow(ctx, float64(s.tr.Rows())) {
		return false
	}
	wins := s.d.windows(math.MaxInt32, mostWhole)
	starts := make([][]float64, s.d.numStates())
	for k := range starts {
		for _, w := range wins {
			v := s.d.start(w.run, w.at, k)
			for i, o := range s.wins {
				if o.run == w.run && o.at == w.at {
					v = s.shot.starts[k][i]
				}
			}
			starts[k] = append(starts[k], v)
		}
	}
	f := s.field(s.withParams(s.shot))
	shot := s.d.shoot(f, wins, s.tolerance(), 30, starts, func(float64, int) bool { return over() })
	if shot.Lost > 0 {
		return false
	}
	for k := range s.d.numMeasured() {
		if shot.misfit(s.d, k) > max(1.5*s.shot.misfit(s.d, k), integrationError*s.d.scale[k]) {
			return false
		}
	}
	s.shot, s.wins = shot, wins
	s.trees = s.withParams(shot)
	return true
}

// polishTimer starts the time for one of the final steps: prune, replaceCancelling,
// dropUnresolved, simplify, snap (closed forms) or whole (the fit to whole runs). The function that
// it returns reports whether this time is over. Each step gets half of the reserved time (see
// reserve), but after an interrupt at most lastMoment. The time of each step is over when only a
// quarter of the reserved time is left, which is for the verdicts. The time is measured by
// Settings.Clock, or as processor time if there is no time limit.
func (sr *searcher) polishTimer(ctx context.Context) (over func() bool) {
	limit := sr.reserve() / 2
	if ctx.Err() == context.Canceled {
		limit = min(limit, lastMoment)
	}
	by := sr.s.Clock
	if sr.s.Time <= 0 {
		by = clock.Processor
	}
	end := by.Now().Add(limit)
	if last := sr.began.Add(sr.s.Time - sr.reserve()/4); sr.s.Time > 0 && end.After(last) {
		end = last
	}
	return func() bool { return by.Now().After(end) }
}

// Limits of the final fits after an interrupt.
const (
	lastMoment = 150 * time.Millisecond // time for the final fits after an interrupt
	// Largest number of rows for which a fit takes only a small part of lastMoment.
	fastRows = 5000
)

// slow reports whether the search was interrupted and a fit to the given number of rows would take
// too long.
func (sr *searcher) slow(ctx context.Context, rows float64) bool {
	return ctx.Err() == context.Canceled && rows > fastRows
}

// withParams returns the trees with the fitted constants as starting values.
func (s *system) withParams(shot *trajectoryFit) []expr.Tree {
	out := make([]expr.Tree, len(s.trees))
	at := 0
	for k, t := range s.trees {
		n := t.NumParams()
		out[k] = t.WithStarts(shot.Params[at : at+n])
		at += n
	}
	return out
}
