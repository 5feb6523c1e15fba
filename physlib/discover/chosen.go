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
	"github.com/physlib/lab/physlib/regression"
)

// fillResult puts the chosen laws into a result. Once timeUp reports true, all laws but the first
// keep the constants and errors that were fitted to part of the rows (ranking.sampled). Laws that
// are too complex, or that fit worse than the mean (worseThanMean in finalists.go), are dropped
// from k.list, so that res.Finalists[i] is k.list[i].
func (k *ranking) fillResult(res *Result, timeUp func() bool) {
	res.Best, res.Front, res.Finalists = law.Law{}, nil, nil
	var kept []ranked
	for i, c := range k.list {
		l := k.law(c, i > 0 && timeUp())
		if k.s.MaxComplexity > 0 && l.Complexity > k.s.MaxComplexity {
			continue
		}
		if r2, ok := k.logR2(c); !ok && !(l.R2 >= worseThanMean) || ok && r2 < worseThanMean {
			continue
		}
		kept, res.Finalists = append(kept, c), append(res.Finalists, l)
	}
	k.list = kept
	if len(k.list) > 0 {
		res.bits = min(k.list[0].Bits, k.nullBits)
		res.dataBits = k.list[0].DataBits
		e := k.list[0].Model
		res.Errors = e.String()
		res.relative = e == mdl.Proportional || e == mdl.HeavyFactors
	}
	if len(k.list) > 0 && k.list[0].Bits < k.nullBits-marginBits && len(res.Finalists[0].Tree.Vars()) > 0 {
		res.Best = res.Finalists[0]
		res.Best.SI = k.inSI(res.Best)
	}
	res.Front = k.front(res)
	res.Known = k.knownScored(res)
}

// law returns a ranked law over the table's columns. The law is fitted to all rows (see
// wholeTable), or if onPart is true, to the rows on which laws are compared. A scorer can also fit
// laws over the columns, since these come first among its variables. The Score of the law is its
// Bits in the ranking.
func (k *ranking) law(c ranked, onPart bool) law.Law {
	m := k.m
	if !onPart {
		m = k.wholeTable()
	}
	s := m.Scorer()
	tree := readable(m.ToColumns(c.Tree), k.t)
	fitted, ok := s.Refit(tree, c.Model)
	if !ok {
		tree = m.ToColumns(c.Tree)
		fitted, _ = s.Refit(tree, c.Model)
	}
	l := law.Law{Tree: fitted.Tree, Target: k.t.Target.Name, Complexity: c.Complexity(), UnitsOK: c.Balanced, Score: c.Bits, Proposer: c.by,
		Vars: regression.Columns(k.t)}
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
		l.Constants[i].Hint = hint(l.Constants[i])
	}
	l.RMSE, l.R2 = law.Quality(fitted.RSS, m.Y)
	uncertain(&l, fitted, m)
	return l
}

// wholeTable returns the whole table, prepared for fits. After an interrupt, it has at most
// mostHurried rows.
func (k *ranking) wholeTable() *mdl.Table {
	switch {
	case k.m.Rows() == k.t.Rows():
		return k.m
	case k.whole == nil && k.hurried && k.t.Rows() > mostHurried:
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

// irrationalOdds are the least odds, in bits, with which a hint names a multiple of π or of a root.
const irrationalOdds = 3

// marginBits is a number of bits. A chosen law must be shorter than a constant law by more than
// this. If no law is chosen, the verdict names the best law, unless it is longer than the constant
// law by more than this.
const marginBits = 1

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
//   - laws that fit better than every simpler law, unless they are more complex than the best law and
//     frontMargin bits longer (finalists.go),
//   - all laws about as likely as the best (see ties in probability.go),
//   - further laws at most rivalBits longer than the best, as long as the front has fewer than
//     frontLaws laws. Known laws are added first.
func (k *ranking) front(res *Result) []law.Law {
	type point struct {
		l     law.Law
		data  float64
		known bool // a known law has this form
	}
	var points []point
	for i, l := range res.Finalists {
		points = append(points, point{l, k.list[i].BitsWithoutForm(), k.isKnown(k.list[i].Tree)})
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.l.Complexity, b.l.Complexity) })
	var front []law.Law
	var rivals []point
	least := math.Inf(1)
	for _, p := range points {
		best := res.Best.Tree.Len() > 0 && p.l.Score == res.Best.Score
		near := res.Best.Tree.Len() == 0 || p.l.Complexity <= res.Best.Complexity || p.l.Score < res.Best.Score+frontMargin
		tie := res.Best.Tree.Len() > 0 && p.l.Score < res.Best.Score+tieBits
		if best || tie || p.data < least-0.5 && near {
			front = append(front, p.l)
		} else if res.Best.Tree.Len() > 0 && p.l.Score < res.Best.Score+rivalBits {
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

// namer is an optional interface of a prior. It names the known laws that have a given form.
type namer interface{ Named(t expr.Tree) []string }

// isKnown reports whether a known law has the form of t.
func (k *ranking) isKnown(t expr.Tree) bool {
	n, ok := k.m.Prior.(namer)
	return ok && len(n.Named(t)) > 0
}

// Limits for the known laws that a result names.
const (
	knownLaws   = 5  // largest number of laws
	knownBeyond = 30 // number of bits by which a known law may be longer than the best law
)

// knownScored returns the known laws among those that were scored, the best first.
func (k *ranking) knownScored(res *Result) (out []Known) {
	n, ok := k.m.Prior.(namer)
	if !ok || res.Best.Tree.Len() == 0 {
		return nil
	}
	seen := map[string]bool{}
	for i, c := range k.list {
		if c.Bits > k.list[0].Bits+knownBeyond || len(out) == knownLaws {
			break
		}
		names := n.Named(c.Tree)
		if len(names) == 0 || seen[names[0]] {
			continue
		}
		seen[names[0]] = true
		out = append(out, Known{Law: res.Finalists[i], Names: names, ExtraBits: c.Bits - k.list[0].Bits})
	}
	return out
}

// knownAs returns the known law, if any, that has the form of l after the numbers of l are replaced
// by free constants.
func (k *ranking) knownAs(l law.Law) []Known {
	n, ok := k.m.Prior.(namer)
	if !ok || l.Tree.Len() == 0 {
		return nil
	}
	names := n.Named(freed(k.m.FromColumns(l.Tree.WithStarts(l.Params()))))
	if len(names) == 0 {
		return nil
	}
	return []Known{{Law: l, Names: names}}
}
