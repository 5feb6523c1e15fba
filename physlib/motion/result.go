package motion

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// trees returns the chosen laws.
func (h *hunt) trees() []expr.Tree {
	trees := make([]expr.Tree, len(h.best))
	for k, c := range h.best {
		if c != nil {
			trees[k] = c.tree
		}
	}
	return trees
}

// result selects closed forms, fits whole runs and returns the laws.
func (h *hunt) result(ctx context.Context) *Result {
	res := &Result{Evaluations: h.evals, Warnings: h.warns, Window: h.level}
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		res.Stopped = "time"
	case ctx.Err() != nil:
		res.Stopped = "interrupted"
	case h.exact():
		res.Stopped = "exact"
	default:
		res.Stopped = "settled"
	}
	defer func() { res.Elapsed = h.s.Clock.Since(h.began) }()
	m := h.laws()
	if h.shot == nil {
		for k := range m {
			res.Equations = append(res.Equations, Equation{State: h.tr.States[k].Name, Noise: h.d.sigma[k]})
		}
		return res
	}
	sys := &system{hunt: h, trees: h.trees(), wins: h.wins, shot: h.shot}
	sys.snap(ctx)
	lengths := h.d.ladder()
	res.Whole = h.level == lengths[len(lengths)-1] && h.shot.Lost == 0 || sys.whole(ctx)
	f := h.field(sys.trees)
	for _, w := range h.trace(f, sys.shot, sys.wins) {
		r := &h.d.runs[w.run]
		res.Path = append(res.Path, Path{Run: w.run, Times: r.t[w.at : w.at+w.n+1], X: w.x[:m]})
	}
	at := 0
	res.Cov = sys.shot.covariance()
	for k := range m {
		n := sys.trees[k].NumParams()
		e := Equation{State: h.tr.States[k].Name, Noise: h.d.sigma[k], Error: sys.shot.misfit(h.d, k)}
		if h.best[k] == nil {
			res.Equations = append(res.Equations, e)
			continue
		}
		e.Law = h.law(k, sys.trees[k], sys.shot.Params[at:at+n], sys.shot.StdErr[at:at+n])
		e.Law.Proposer = h.best[k].law.Proposer
		e.Law.Constants = append(e.Law.Constants, sys.closed[k]...)
		for i := range e.Law.Constants {
			e.Law.Constants[i].Name = law.Named(make([]float64, i+1), nil)[i].Name
		}
		e.Law.Score = h.best[k].joint
		e.Front = h.front(k)
		if h.nothing(k, e) {
			e.Law = law.Law{}
		} else {
			h.judge(k, &e, res)
		}
		res.Equations = append(res.Equations, e)
		at += n
	}
	return res
}

// law returns equation k with its constants and its fit to the derivatives.
func (h *hunt) law(k int, t expr.Tree, params, stderr []float64) law.Law {
	l := law.Law{Tree: t.WithStarts(params), Vars: h.names, Target: h.tr.Target(k), Constants: law.Named(params, stderr),
		Complexity: law.Complexity(t, len(h.names))}
	dims, known, target, targetKnown := h.dims(k)
	at, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	l.UnitsOK = violation == 0
	for i := range l.Constants {
		if i < len(at) && violation == 0 && slices.Contains(known, true) {
			l.Constants[i].Unit = h.unitName(at[i])
		}
	}
	var y, n float64
	tab, _ := h.table(k)
	cols := columns(h.names, tab)
	value := make([]float64, tab.Rows())
	expr.Compile(l.Tree).Eval(value, cols, params)
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

// dims returns the dimensions of the columns of a field and of the rate of equation k.
func (h *hunt) dims(k int) (dims []unit.Dim, known []bool, target unit.Dim, targetKnown bool) {
	cols := h.tr.vars()
	for _, name := range h.names {
		var d unit.Dim
		has := false
		for _, c := range cols {
			if c.Name == name {
				d, has = c.Unit.Dim, c.HasUnit
			}
		}
		for _, c := range h.tr.Consts {
			if c.Name == name {
				d, has = c.Unit.Dim, c.HasUnit
			}
		}
		if h.s.Search.NoUnits || !has {
			d, has = unit.Dim{}, false
		}
		dims, known = append(dims, d), append(known, has)
	}
	rate := h.tr.rate(k, h.tr.Order)
	return dims, known, rate.Unit.Dim, rate.HasUnit && !h.s.Search.NoUnits
}

// unitName returns d as a product of powers of the columns' units, or "" if it is none.
func (h *hunt) unitName(d unit.Dim) string {
	if d.IsZero() {
		return ""
	}
	var dims []unit.Dim
	var names []string
	for _, c := range append(h.tr.vars(), h.tr.Time) {
		if c.HasUnit && !c.Unit.Dim.IsZero() && !slices.Contains(dims, c.Unit.Dim) && !strings.HasPrefix(c.Name, "d") {
			dims, names = append(dims, c.Unit.Dim), append(names, symbol(c.Unit))
		}
	}
	powers, ok := unit.SolveExponents(dims, d)
	if !ok {
		return ""
	}
	var parts []string
	for i, e := range powers {
		switch s := e.String(); {
		case e.IsZero():
		case s == "1":
			parts = append(parts, names[i])
		case strings.Contains(s, "/"):
			parts = append(parts, names[i]+"^("+s+")")
		default:
			parts = append(parts, names[i]+"^"+s)
		}
	}
	return strings.Join(parts, " ")
}

// front returns the candidates of equation k that fit the trajectories better than every simpler
// one.
func (h *hunt) front(k int) []law.Law {
	list := slices.Clone(h.pools[k].list)
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
	least := math.Inf(1)
	before := 0
	for j := range k {
		if h.best[j] != nil {
			before += h.best[j].tree.NumParams()
		}
	}
	for _, c := range list {
		if c.shot == nil || len(c.shot.Params) < before+c.tree.NumParams() {
			continue
		}
		e := c.shot.misfit(h.d, k)
		if !(e < 0.98*least) {
			continue
		}
		least = e
		n := c.tree.NumParams()
		l := h.law(k, c.tree, c.shot.Params[before:before+n], c.shot.StdErr[before:before+n])
		l.RMSE, l.Score, l.Proposer = e, c.joint, c.law.Proposer
		out = append(out, l)
	}
	return out
}
