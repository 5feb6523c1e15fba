package discover

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/unit"
)

// lawInColumns is a ranked law, and the same law over the table's columns.
type lawInColumns struct {
	ranked
	law law.Law
}

// inColumns returns the laws of a list over the table's columns. Once the time is up, all laws but
// the first keep the constants and errors that were fitted to part of the rows (ranking.sampled).
// Laws that are too complex, or that fit worse than the mean (worseThanMean), are left out, and so
// are those that are written like an earlier law and have the same values.
func (k *ranking) inColumns(p pace, list []ranked) (laws []lawInColumns) {
	floor := roundingFloor * dataset.RMS(k.t.Target.Values)
	for i, c := range list {
		m := k.m
		if i == 0 || !p.timeUp() {
			m = k.wholeTable(p)
		}
		l := k.law(c, m)
		if k.required.tooComplex(l.Complexity) {
			continue
		}
		if r2, ok := k.logR2(c); !ok && !(l.R2 >= worseThanMean) || ok && r2 < worseThanMean {
			continue
		}
		again := func(o lawInColumns) bool {
			return o.law.Tree.Hash() == l.Tree.Hash() && math.Abs(o.law.RMSE-l.RMSE) <= max(sameRMSE*l.RMSE, floor)
		}
		if !slices.ContainsFunc(laws, again) {
			laws = append(laws, lawInColumns{c, l})
		}
	}
	return laws
}

// sameRMSE is the relative difference between the errors of two laws of one form up to which their
// constants are the same.
const sameRMSE = 1e-6

// fillExact adds what a result says of an exact law that needs no ranking.
func (k *ranking) fillExact(res *Result) {
	res.KnownLaws = k.knownLawOf(res.Best)
	res.Best.SI = k.inSI(res.Best)
}

// fillResult puts the chosen laws into a result without laws.
func (k *ranking) fillResult(res *Result, laws []lawInColumns) {
	for _, c := range laws {
		res.Finalists = append(res.Finalists, c.law)
	}
	if len(laws) > 0 {
		best := laws[0]
		res.ConstantLawBits = k.nullBits
		res.ranked, res.bits, res.dataBits = true, min(best.rankBits, k.nullBits), best.DataBits
		res.ErrorModel = best.Model.String()
		res.proportional = best.Model == mdl.Proportional || best.Model == mdl.HeavyFactors
		if best.rankBits < k.nullBits-marginBits && len(best.law.Tree.Vars()) > 0 {
			res.Best = best.law
			res.Best.SI = k.inSI(res.Best)
		}
	}
	res.Front = k.front(res.Best, laws)
	if res.Best.Tree.Len() > 0 {
		res.KnownLaws = k.scoredKnownLaws(laws)
	}
}

// law returns a ranked law over the table's columns, fitted to the rows of m: all rows (see
// wholeTable), or those on which laws are compared. A scorer can also fit laws over the columns,
// since these come first among its variables. The Score of the law is its rankBits.
func (k *ranking) law(c ranked, m *mdl.Data) law.Law {
	s := m.Scorer()
	tree := readable(m.ToColumns(c.Tree), k.t)
	fitted, ok := s.Refit(tree, c.Model)
	if !ok {
		tree = m.ToColumns(c.Tree)
		fitted, _ = s.Refit(tree, c.Model)
	}
	l := law.Law{Tree: fitted.Tree, Target: k.t.Target.Name, Complexity: c.Complexity(), UnitsOK: c.Balanced, Score: c.rankBits, Proposer: c.by,
		Vars: k.t.InputNames()}
	if c.scored.Len() > 0 {
		t := m.ToColumns(c.scored)
		l.Scored = t.Bind(t.Params()).Infix(l.Vars)
	}
	units := make([]string, fitted.Tree.NumParams())
	if c.Balanced {
		units = newUnitNames(k.t).constants(fitted.Tree, m.ParamDims(fitted.Tree))
	}
	setConstants(&l, k.t, fitted, units)
	l.NameConstants()
	for i := range l.Constants {
		l.Constants[i].Hint = cmp.Or(hint(l.Constants[i]), constantOfNature(l.Constants[i]))
	}
	l.RMSE, l.R2 = law.Quality(fitted.RSS, m.Y)
	setErrors(&l, fitted, m)
	return l
}

// wholeTable returns the whole table, prepared for fits. After an interrupt, it has at most
// mostHurried rows.
func (k *ranking) wholeTable(p pace) *mdl.Data {
	switch {
	case k.m.Rows() == k.t.Rows():
		return k.m
	case k.whole == nil && p.hurried && k.t.Rows() > mostHurried:
		k.whole = k.m.Whole(k.t.Subset(dataset.Evenly(k.t.Rows(), mostHurried)))
	case k.whole == nil:
		k.whole = k.m.Whole(k.t)
	}
	return k.whole
}

// mostHurried is the largest number of rows to which the chosen law is fitted after an interrupt.
const mostHurried = 100_000

// hint returns closed forms that agree with a fitted number within one standard error, the simplest
// first. It is empty for constants with a unit. Multiples of e are omitted, since in laws e is only
// the base of powers. Multiples of π and of roots need better odds than fractions, since one of
// them is near most numbers with an error of a per cent.
func hint(k law.Constant) string {
	if k.Unit != "" || !(k.StdErr > 0) || k.StdErr > 0.02*math.Abs(k.Value) {
		return ""
	}
	text := ""
	for i, f := range fit.Closed(k.Value, k.StdErr, 2) {
		has := func(ops ...expr.Op) bool {
			return slices.ContainsFunc(f.Tree.Nodes(), func(n expr.Node) bool { return slices.Contains(ops, n.Op) })
		}
		least := 0.0
		if has(expr.Pi, expr.Sqrt, expr.Pow) {
			least = irrationalOdds
		}
		if f.Odds(k.Value, k.StdErr) < least || has(expr.Euler) {
			continue
		}
		if i > 0 && text != "" {
			text += " or "
		}
		text += f.Text
	}
	return text
}

// constantOfNature returns the symbol of the constant of nature that agrees with a fitted constant
// within its error, such as G. It returns "" if there is none, or if the error is too large to
// tell.
func constantOfNature(k law.Constant) string {
	u, err := unit.Parse(k.Unit)
	if err != nil || !(k.StdErr > 0) || k.StdErr > mostNaturalError*math.Abs(k.Value) {
		return ""
	}
	return dataset.NaturalNear(k.Value*u.Factor(), k.StdErr*u.Factor(), u.Dim)
}

// mostNaturalError is the largest relative error with which constantOfNature compares a constant.
const mostNaturalError = 0.02

// irrationalOdds are the least odds, in bits, with which a hint names a multiple of π or of a root.
const irrationalOdds = 3

// logR2 returns R² of the logarithm of the target. It serves laws whose errors are proportional to
// the target; for other laws ok is false.
func (k *ranking) logR2(c ranked) (r2 float64, ok bool) {
	if c.Model != mdl.Proportional && c.Model != mdl.HeavyFactors {
		return 0, false
	}
	logs := magnitudes(k.m.Y)
	for i, y := range logs {
		logs[i] = math.Log(y)
	}
	_, r2 = law.Quality(k.m.LogSquares(k.m.Values(c.Tree, c.Params)), logs)
	return r2, true
}

// front returns laws by rising complexity:
//
//   - laws that fit better than every simpler law, unless they are more complex than the best law
//     and frontMargin bits longer,
//   - all laws about as likely as the best (see tieBits),
//   - further laws at most rivalBits longer than the best, as long as the front has fewer than
//     frontLaws laws. Known laws are added first.
func (k *ranking) front(best law.Law, laws []lawInColumns) []law.Law {
	type point struct {
		l     law.Law
		data  float64
		known bool // a known law has this form
	}
	var points []point
	for _, c := range laws {
		points = append(points, point{c.law, c.BitsWithoutForm(), k.isKnown(c.Tree)})
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.l.Complexity, b.l.Complexity) })
	var front []law.Law
	var rivals []point
	least := math.Inf(1)
	chosen := best.Tree.Len() > 0
	for _, p := range points {
		near := !chosen || p.l.Complexity <= best.Complexity || p.l.Score < best.Score+frontMargin
		tie := chosen && p.l.Score < best.Score+tieBits // also for the best law itself
		if tie || p.data < least-0.5 && near {
			front = append(front, p.l)
		} else if chosen && p.l.Score < best.Score+rivalBits {
			rivals = append(rivals, p)
		}
		least = min(least, p.data)
	}
	slices.SortStableFunc(rivals, func(a, b point) int { return cmp.Compare(a.l.Score, b.l.Score) })
	for _, known := range []bool{true, false} {
		for _, p := range rivals {
			if p.known == known && len(front) < frontLaws {
				front = append(front, p.l)
			}
		}
	}
	slices.SortStableFunc(front, func(a, b law.Law) int { return cmp.Compare(a.Complexity, b.Complexity) })
	return front
}

// A law at most rivalBits longer than the best is worth reporting as long as the front has fewer
// than frontLaws laws.
const (
	rivalBits = 10
	frontLaws = 10
)

// namer is an optional interface of a prior. It names the known laws that have a given form. alike
// reports whether their quantities are like those of the table.
type namer interface {
	KnownLaws(t expr.Tree) (names []string, alike bool)
}

// isKnown reports whether a known law has the form of t.
func (k *ranking) isKnown(t expr.Tree) bool {
	n, ok := k.m.Prior.(namer)
	if !ok {
		return false
	}
	names, _ := n.KnownLaws(k.m.Absolute(t))
	return len(names) > 0
}

// Limits for the known laws that a result names.
const (
	mostKnownLaws = 5  // largest number of laws
	mostExtraBits = 30 // number of bits by which a known law may be longer than the best law
)

// scoredKnownLaws returns the known laws among those that were scored, the best first.
func (k *ranking) scoredKnownLaws(laws []lawInColumns) (out []KnownLaw) {
	n, ok := k.m.Prior.(namer)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for _, c := range laws {
		if c.rankBits > laws[0].rankBits+mostExtraBits || len(out) == mostKnownLaws {
			break
		}
		names, alike := n.KnownLaws(k.m.Absolute(c.Tree))
		if len(names) == 0 || seen[names[0]] {
			continue
		}
		seen[names[0]] = true
		out = append(out, KnownLaw{Law: c.law, Names: names, Alike: alike, ExtraBits: c.rankBits - laws[0].rankBits})
	}
	return out
}

// knownLawOf returns the known law, if any, that has the form of l after the numbers of l are
// replaced by free constants.
func (k *ranking) knownLawOf(l law.Law) []KnownLaw {
	n, ok := k.m.Prior.(namer)
	if !ok || l.Tree.Len() == 0 {
		return nil
	}
	names, alike := n.KnownLaws(freed(k.m.Absolute(k.m.FromColumns(l.Tree.WithStarts(l.Params())))))
	if len(names) == 0 {
		return nil
	}
	return []KnownLaw{{Law: l, Names: names, Alike: alike}}
}
