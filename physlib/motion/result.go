package motion

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// result selects closed forms, fits whole runs and returns the laws. late is the context of the
// verdicts, which ends after ctx.
func (sr *searcher) result(ctx, late context.Context) *Result {
	res := &Result{Evaluations: sr.evals, Warnings: sr.warns, Window: sr.windowLength}
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		res.Stopped = discover.StopTime
	case ctx.Err() != nil:
		res.Stopped = discover.StopInterrupted
	case sr.exact():
		res.Stopped = discover.StopExact
	default:
		res.Stopped = discover.StopSettled
	}
	defer func() { res.Elapsed = sr.s.Clock.Since(sr.began) }()
	m := sr.numLaws()
	if sr.shot == nil {
		for k := range m {
			res.Equations = append(res.Equations, Equation{State: sr.tr.States[k].Name, Noise: sr.d.sigma[k]})
		}
		return res
	}
	sys := &system{searcher: sr, trees: sr.trees(), wins: sr.wins, shot: sr.shot}
	sys.simplify(ctx)
	sys.snap(ctx)
	lengths := sr.d.ladder()
	if sr.d.left == nil {
		res.Whole = sr.windowLength == lengths[len(lengths)-1] && sr.shot.Lost == 0 || sys.whole(ctx)
	}
	f := sr.field(sys.trees)
	for _, w := range sr.trace(f, sys.shot, sys.wins) {
		r := &sr.d.runs[w.run]
		res.Path = append(res.Path, Path{Run: w.run, Times: r.t[w.at : w.at+w.n+1], X: w.x[:m]})
	}
	ev := sr.evidence(late, res.Stopped)
	at := 0
	res.Cov = sys.shot.covariance()
	for k := range m {
		n := sys.trees[k].NumParams()
		e := Equation{State: sr.tr.States[k].Name, Noise: sr.d.sigma[k], Error: sys.shot.misfit(sr.d, k)}
		if sr.best[k] == nil {
			res.Equations = append(res.Equations, e)
			continue
		}
		e.Law = sr.law(k, sys.trees[k], sys.shot.Params[at:at+n], sys.shot.StdErr[at:at+n])
		e.Law.Proposer = sr.best[k].law.Proposer
		e.Law.Constants = append(e.Law.Constants, sys.closed[k]...)
		e.Law.NameConstants()
		e.Law.Score = sr.best[k].joint
		e.Front = sr.front(k)
		if sr.nothing(k, f, e) {
			e.Law = law.Law{}
		} else {
			sr.setVerdict(late, k, &e, n+sys.merged[k], ev)
		}
		res.Equations = append(res.Equations, e)
		at += n
	}
	return res
}

// trees returns the chosen laws.
func (sr *searcher) trees() []expr.Tree {
	trees := make([]expr.Tree, len(sr.best))
	for k, c := range sr.best {
		if c != nil {
			trees[k] = c.tree
		}
	}
	return trees
}

// front returns the candidates of equation k that fit the trajectories better than every simpler
// candidate. Fitted starting values of windows absorb a part of the noise; the shorter the
// windows, the larger this part. Errors over short windows are therefore scaled to those over the
// chosen windows. A score over other windows, or in a system with other laws for the other states,
// cannot be compared with that of the chosen law. front sets such a score to NaN. Useless laws are
// left out (see useless), and of laws with the same rates only one is kept.
func (sr *searcher) front(k int) []law.Law {
	list := slices.Clone(sr.pools[k].list)
	slices.SortStableFunc(list, func(a, b *candidate) int {
		if a.bits < b.bits {
			return -1
		}
		if a.bits > b.bits {
			return 1
		}
		return 0
	})
	var out []law.Law
	least, others := math.Inf(1), sr.others(k)
	cols := sr.rateColumns(k)
	best, first := sr.best[k].tree, sr.before(k)
	last := first + best.NumParams()
	chosen := valuesOn(best, cols, sr.shot.Params[first:last])
	r2 := sr.law(k, best, sr.shot.Params[first:last], sr.shot.StdErr[first:last]).R2
	var rates [][]float64
	for _, c := range list {
		if c.shot == nil || len(c.shot.Params) < c.first+c.tree.NumParams() {
			continue
		}
		e := c.shot.misfit(sr.d, k) * sr.shot.expectedRMS() / c.shot.expectedRMS()
		if !(e < 0.98*least) {
			continue
		}
		n := c.tree.NumParams()
		y := valuesOn(c.tree, cols, c.shot.Params[c.first:c.first+n])
		again := func(o []float64) bool { return same(o, y) }
		if c != sr.best[k] && again(chosen) || slices.ContainsFunc(rates, again) {
			continue
		}
		l := sr.law(k, c.tree, c.shot.Params[c.first:c.first+n], c.shot.StdErr[c.first:c.first+n])
		l.RMSE, l.Score, l.Proposer = e, c.joint, c.law.Proposer
		if c.windowLength != sr.windowLength || c.others != others {
			l.Score = math.NaN()
		}
		if c != sr.best[k] && sr.useless(k, e, l.R2, r2) {
			continue
		}
		least, rates = e, append(rates, y)
		out = append(out, l)
	}
	return out
}

// useless reports whether a law of equation k describes the trajectories or the derivatives worse
// than their mean does. e is its error along the trajectories, and r2 its R² of the derivatives. A
// negative R² counts only if that of the chosen law, chosenR2, is positive. Under noise, even a
// true law may have a negative R².
func (sr *searcher) useless(k int, e, r2, chosenR2 float64) bool {
	return e > sr.spread(k) || r2 < 0 && chosenR2 > 0
}

// spread returns the standard deviation of state k within the runs.
func (sr *searcher) spread(k int) float64 {
	var n, squares float64
	for _, r := range sr.d.runs {
		m := mean(r.x[k])
		for _, v := range r.x[k] {
			n++
			squares += (v - m) * (v - m)
		}
	}
	return math.Sqrt(squares / n)
}

// law returns the law of equation k with its constants and its fit to the derivatives.
func (sr *searcher) law(k int, t expr.Tree, params, stderr []float64) law.Law {
	l := law.Law{Tree: t.WithStarts(params), Vars: sr.names, Target: sr.tr.Target(k), Constants: law.NewConstants(params, stderr),
		Complexity: law.Complexity(t, len(sr.names))}
	l.NameConstants()
	dims, known, target, targetKnown := sr.dims(k)
	at, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	l.UnitsOK = violation == 0
	sizes, sized := sr.unitSizes(k, withNumbersFreed(t))
	units, named := sr.constantUnits(k, t)
	for i := range l.Constants {
		if named && violation == 0 && i < len(units) {
			l.Constants[i].Unit = units[i]
			continue
		}
		if i < len(at) && violation == 0 && slices.Contains(known, true) {
			if name, size, ok := sr.columnUnit(at[i]); ok && (!sized || sameSize(size, sizes[i])) {
				l.Constants[i].Unit = name
			}
		}
	}
	l.SI = sr.inSI(k, l)
	var y, n float64
	tab, _ := sr.table(k)
	cols := columns(sr.names, tab)
	value := l.Tree.Values(tab.Rows(), cols, params)
	for _, v := range tab.Target.Values {
		y += v
		n++
	}
	mean := y / n
	var rss, tss float64
	for i, v := range tab.Target.Values {
		rss += (v - value[i]) * (v - value[i])
		tss += (v - mean) * (v - mean)
	}
	l.RMSE, l.R2 = math.Sqrt(rss/n), 1-rss/tss
	return l
}

// columnUnit returns the unit of dimension d as a product of powers of the columns' units, and its
// size in SI units. ok is false if there is no such product.
func (sr *searcher) columnUnit(d unit.Dim) (name string, size float64, ok bool) {
	if d.IsZero() {
		return "", 1, true
	}
	var dims []unit.Dim
	var units []unit.Unit
	for _, c := range append(sr.tr.vars(), sr.tr.Time) {
		if c.HasUnit && !c.Unit.Dim.IsZero() && !slices.Contains(dims, c.Unit.Dim) && !strings.HasPrefix(c.Name, "d") {
			dims, units = append(dims, c.Unit.Dim), append(units, c.Unit)
		}
	}
	powers, ok := unit.SolveExponents(dims, d)
	if !ok {
		return "", 1, false
	}
	var parts []string
	size = 1
	for i, e := range powers {
		size *= math.Pow(units[i].Factor(), e.Float64())
		if part := withPower(symbol(units[i]), e); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " "), size, true
}

// dims returns the dimensions of the columns of the right-hand sides and of the rate of equation k.
func (sr *searcher) dims(k int) (dims []unit.Dim, known []bool, target unit.Dim, targetKnown bool) {
	for _, name := range sr.names {
		u, has := sr.knownUnit(name)
		dims, known = append(dims, u.Dim), append(known, has)
	}
	rate := sr.tr.rate(k, sr.tr.Order)
	return dims, known, rate.Unit.Dim, rate.HasUnit && !sr.s.Search.NoUnits
}

// knownUnit returns the unit of the column or constant called name.
func (sr *searcher) knownUnit(name string) (u unit.Unit, has bool) {
	for _, c := range sr.tr.vars() {
		if c.Name == name {
			u, has = c.Unit, c.HasUnit
		}
	}
	for _, c := range sr.tr.Consts {
		if c.Name == name {
			u, has = c.Unit, c.HasUnit
		}
	}
	if sr.s.Search.NoUnits || !has {
		return unit.Unit{}, false
	}
	return u, true
}
