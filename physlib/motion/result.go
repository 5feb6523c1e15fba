package motion

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// trees are the chosen laws.
func (h *hunt) trees() []expr.Tree {
	trees := make([]expr.Tree, len(h.best))
	for k, c := range h.best {
		if c != nil {
			trees[k] = c.tree
		}
	}
	return trees
}

// result puts constants in closed form, fits the whole runs and writes the laws.
func (h *hunt) result(ctx context.Context) *Result {
	res := &Result{Evaluations: h.evals, Warnings: h.warns, Window: windowLength}
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
	defer func() { res.Elapsed = time.Since(h.began) }()
	m := h.d.measured()
	if h.shot == nil {
		for k := range m {
			res.Equations = append(res.Equations, Equation{State: h.tr.States[k].Name, Noise: h.d.sigma[k]})
		}
		return res
	}
	sys := &system{hunt: h, trees: h.trees(), wins: h.wins, shot: h.shot}
	sys.snap(ctx)
	res.Whole = sys.whole()
	f := h.field(sys.trees)
	for _, w := range h.trace(f, sys.shot, sys.wins) {
		r := &h.d.runs[w.run]
		res.Path = append(res.Path, Path{Run: w.run, Times: r.t[w.at : w.at+w.n+1], X: w.x[:m]})
	}
	at := 0
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
		res.Equations = append(res.Equations, e)
		at += n
	}
	return res
}

// law is equation k with its constants, and how well it gives the derivatives.
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

// dims are the dimensions of a field's columns and of the rate of equation k.
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

// unitName writes d as a product of powers of the columns' units, if it is one.
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

// front are the candidates of equation k that no simpler one beats on the trajectories.
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

// system is the chosen system while its constants are settled.
type system struct {
	*hunt
	trees  []expr.Tree
	wins   []window
	shot   *Shot
	closed [][]law.Constant // constants in closed form, by equation
}

func (s *system) weigh(trees []expr.Tree, old [][]float64) (*Shot, float64) {
	bits := 0.0
	for _, t := range trees {
		bits += law.Complexity(t, len(s.names))
	}
	f := s.field(trees)
	shot := s.d.shoot(f, s.wins, s.tolerance(), 20, old, nil)
	return shot, s.score(bits, f, shot, func(k int) bool { return trees[k].Len() > 0 })
}

// snapTime is the processor time for closed forms.
const snapTime = 4 * time.Second

// snap puts constants in closed form, one at a time, where that shortens the description of system and misfit together.
func (s *system) snap(ctx context.Context) {
	start, limit := spent(), snapTime
	if ctx.Err() == context.Canceled {
		limit = time.Second
	}
	wall := time.Now().Add(4 * limit)
	s.closed = make([][]law.Constant, len(s.trees))
	shot, score := s.weigh(s.withParams(s.shot), s.shot.starts)
	s.trees, s.shot = s.withParams(shot), shot
	for range 24 {
		var next *Shot
		var trees []expr.Tree
		var taken law.Constant
		var equation int
		best := score
		at := 0
		for k, t := range s.trees {
			dims, known, target, targetKnown := s.dims(k)
			units, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
			for slot := range t.NumParams() {
				v, se := s.shot.Params[at], s.shot.StdErr[at]
				at++
				bare := violation > 0 || slot >= len(units) || units[slot].IsZero() || !slices.Contains(known, true)
				for _, form := range forms(v, se, bare) {
					if spent()-start > limit || time.Now().After(wall) {
						return
					}
					trial := slices.Clone(s.trees)
					trial[k] = replaced(t, slot, form.tree)
					sh, sc := s.weigh(trial, s.shot.starts)
					if sc < best && sh.Lost == 0 {
						best, next, trees, equation = sc, sh, trial, k
						taken = law.Constant{Value: form.value, StdErr: se, Exact: form.text}
					}
				}
			}
		}
		if next == nil {
			return
		}
		s.shot, score = next, best
		s.trees = trees
		s.trees = s.withParams(next)
		if taken.Value != 0 {
			if math.IsInf(taken.StdErr, 0) || math.IsNaN(taken.StdErr) {
				taken.StdErr = 0
			}
			s.closed[equation] = append(s.closed[equation], taken)
		}
	}
}

// withParams are the trees with a fit's constants for starts.
func (s *system) withParams(shot *Shot) []expr.Tree {
	out := make([]expr.Tree, len(s.trees))
	at := 0
	for k, t := range s.trees {
		n := t.NumParams()
		out[k] = t.WithStarts(shot.Params[at : at+n])
		at += n
	}
	return out
}

// form is a closed form that a constant may have.
type form struct {
	value float64
	text  string
	tree  expr.Tree
}

// forms lists what a constant may be, given its standard error; bare are those without a unit.
func forms(v, se float64, bare bool) []form {
	var out []form
	if math.IsInf(se, 0) || math.IsNaN(se) {
		se = math.Abs(v)
	}
	out = append(out, form{0, "0", expr.Num(0)})
	if !bare {
		return out
	}
	if tree, text, _, ok := fit.Snap(v, se); ok {
		y := make([]float64, 1)
		expr.Compile(tree).Eval(y, nil, nil)
		out = append(out, form{y[0], text, tree})
	}
	for _, f := range fit.Closed(v, min(2.5*se, 0.2*math.Abs(v)), 2) {
		if f.Bits <= 7 && f.Odds(v, se) >= 0 && (len(out) == 0 || out[len(out)-1].text != f.Text) {
			out = append(out, form{f.Value, f.Text, f.Tree})
		}
	}
	return out
}

// replaced is t with a tree in place of the free constant in a slot, simplified where that is shorter.
func replaced(t expr.Tree, slot int, by expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		switch {
		case n.Op == expr.Param && int(n.Index) == slot:
			nodes = append(nodes, by.Nodes()...)
		case n.Op == expr.Param && int(n.Index) > slot:
			n.Index--
			nodes = append(nodes, n)
		default:
			nodes = append(nodes, n)
		}
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return out.Simplify()
}

// whole fits the system to whole runs, if it gets through them as well as through windows: chaos does not.
func (s *system) whole() bool {
	wins := s.d.windows(math.MaxInt32, windowLimit)
	starts := make([][]float64, s.d.states())
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
	shot := s.d.shoot(f, wins, s.tolerance(), 30, starts, nil)
	if shot.Lost > 0 {
		return false
	}
	for k := range s.d.measured() {
		if shot.misfit(s.d, k) > max(1.5*s.shot.misfit(s.d, k), 1e-6*s.d.scale[k]) {
			return false
		}
	}
	s.shot, s.wins = shot, wins
	s.trees = s.withParams(shot)
	return true
}
