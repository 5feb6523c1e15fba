package discover

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

func itoa(i int) string { return strconv.Itoa(i) }

// result judges the finalists and writes the laws in the table's units.
func (r *run) result(ctx context.Context) *Result {
	res := &Result{Evaluations: r.evaluations(), Stopped: Stop(r.stopped), Proposers: r.proposals, relative: r.relative}
	deadline := r.s.Clock.Now().Add(r.patience())
	over := func() bool { return r.s.Evaluations == 0 && r.s.Clock.Now().After(deadline) }
	final := r.j.finalists(over)
	base := r.constant()
	r.front.Floor = law.Floor * 1e3 * rms(r.t.Target.Values)
	first := map[uint64]*candidate{} // of those that became the same law
	for i, c := range final {
		if i > 0 && over() && i >= 10 {
			break
		}
		if i > 0 && !c.unitsOK && r.rescaled() { // its numbers are in units that nobody uses
			continue
		}
		l := r.toLaw(c)
		if h := l.Tree.Hash(); first[h] == nil || c.order < first[h].order {
			first[h] = c
		}
		if !(l.RMSE < base) && len(r.p.Target.Values) > 0 && l.Tree.Len() == 0 {
			continue
		}
		if l.R2 < -0.1 { // clearly worse than the mean: no law, such as T = 0
			continue
		}
		r.front.Add(l)
		res.Finalists = append(res.Finalists, l)
	}
	if best, ok := r.front.Best(); ok && r.better(best) {
		res.Best = best
		c := first[best.Tree.Hash()]
		r.digits = c != nil && c.rounded
	}
	for _, l := range r.front.Front() {
		if res.Best.Tree.Len() == 0 || l.Complexity <= res.Best.Complexity || l.Score < res.Best.Score+frontMargin {
			res.Front = append(res.Front, l)
		}
	}
	res.Warnings = append(res.Warnings, r.warnings()...)
	name := func(l *law.Law) {
		if c := first[l.Tree.Hash()]; c != nil {
			l.Proposer = c.by
		}
	}
	name(&res.Best)
	for i := range res.Front {
		name(&res.Front[i])
	}
	for i := range res.Finalists {
		name(&res.Finalists[i])
	}
	res.Elapsed = r.s.Clock.Since(r.start)
	res.Verdict = r.verdict(res)
	return res
}

// rescaled reports whether the problem's units are neither the table's nor SI.
func (r *run) rescaled() bool {
	other := func(q dataset.Quantity, u unit.Unit) bool { return math.Abs(q.Scale/u.Factor()-1) > 1e-9 }
	for i, c := range r.t.Vars {
		if other(r.p.Vars[i], c.Unit) {
			return r.p.Units
		}
	}
	return r.p.Units && other(r.p.Target, r.t.Target.Unit)
}

// frontMargin is by how many bits a law more complex than the chosen one may be worse and still be
// shown.
const frontMargin = 25

// patience is how long the last fits may take: a tenth of the time budget, a second after an
// interrupt.
func (r *run) patience() time.Duration {
	if r.stopped == "interrupted" {
		return time.Second
	}
	if r.s.Time < 0 {
		return time.Minute
	}
	return max(300*time.Millisecond, r.s.Time/10)
}

// constant is the error of the best constant law.
func (r *run) constant() float64 {
	y := r.t.Target.Values
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	s := 0.0
	for _, v := range y {
		s += (v - mean) * (v - mean)
	}
	return math.Sqrt(s / float64(len(y)))
}

// better reports whether a law says more than that the target is a constant, its own description
// paid.
func (r *run) better(l law.Law) bool {
	if len(l.Tree.Vars()) == 0 {
		return false
	}
	n := float64(r.t.Rows())
	gain := n * math.Log2(r.constant()/max(l.RMSE, 1e-12*rms(r.t.Target.Values)))
	return gain > l.Complexity-9
}

// unitName writes the unit of a constant by the columns' own units where these are coherent, and in
// SI where that has the same size and is shorter or all columns are in SI; it is "" where it is not
// known.
func (r *run) unitName(d unit.Dim) string {
	if d.IsZero() {
		return ""
	}
	base, coherent := r.system()
	if !coherent || !r.p.Units {
		if r.si() {
			return d.String()
		}
		return "" // the number holds conversion factors of the columns
	}
	s, ok := byColumns(r.t, d)
	size := 0.0 // log of the columns' unit in SI: that of the problem's by what the problem's units changed
	natural := r.naturalBase()
	for k, e := range exponents(d) {
		size += e * (base[k] - natural[k])
	}
	if !ok || math.Abs(size) < 1e-9 && len(d.String()) < len(s) {
		return d.String()
	}
	return s
}

// si reports whether all columns are in SI units, those without a unit aside.
func (r *run) si() bool {
	for _, c := range append(r.t.Vars[:len(r.t.Vars):len(r.t.Vars)], r.t.Target) {
		if c.HasUnit && (c.Unit.Factor() != 1 || c.Unit.Offset != 0) {
			return false
		}
	}
	return true
}

// byColumns writes d as a product of powers of the units of t's columns.
func byColumns(t *dataset.Table, d unit.Dim) (string, bool) {
	var dims []unit.Dim
	var names []string
	add := func(u unit.Unit) {
		for _, o := range dims {
			if o == u.Dim {
				return
			}
		}
		if !u.Dim.IsZero() {
			dims = append(dims, u.Dim)
			names = append(names, step(u))
		}
	}
	add(t.Target.Unit)
	for _, c := range t.Vars {
		add(c.Unit)
	}
	ex, ok := unit.SolveExponents(dims, d)
	if !ok {
		return "", false
	}
	var parts []string
	for i, e := range ex {
		if e.IsZero() {
			continue
		}
		n := names[i]
		if strings.ContainsAny(n, " /*·^") && e != unit.Rat(1, 1) {
			n = "(" + n + ")"
		}
		switch s := e.String(); {
		case s == "1":
			parts = append(parts, n)
		case strings.Contains(s, "/"):
			parts = append(parts, n+"^("+s+")")
		default:
			parts = append(parts, n+"^"+s)
		}
	}
	return strings.Join(parts, " "), true
}

// step is the unit of differences in u: K where u is degC.
func step(u unit.Unit) string {
	switch {
	case u.Offset == 0:
		return u.Name
	case u.Factor() == 1:
		return u.Dim.String()
	}
	return "degR"
}

// fromLaw takes a law in the table's units back to the problem's frame, its constants free to be
// fitted anew.
func (r *run) fromLaw(l law.Law) (expr.Tree, bool) {
	over, err := l.Over(r.names())
	if err != nil {
		return expr.Tree{}, false
	}
	t := over.Tree
	vars := make([]expr.Tree, len(r.p.Vars))
	for i, q := range r.p.Vars {
		x := expr.X(i)
		if q.Offset != 0 {
			x = expr.Apply(expr.Sub, x, expr.Num(q.Offset))
		}
		if q.Scale != 1 {
			x = expr.Apply(expr.Div, x, expr.Num(q.Scale))
		}
		vars[i] = x
	}
	t = replaceVars(t.WithStarts(over.Params()), vars)
	if s := r.p.Target.Scale; s != 1 {
		t = expr.Apply(expr.Mul, expr.Num(s), t)
	}
	if o := r.p.Target.Offset; o != 0 {
		t = expr.Apply(expr.Add, t, expr.Num(o))
	}
	return t, true
}

func (r *run) names() []string {
	var n []string
	for _, v := range r.p.Vars {
		n = append(n, v.Name)
	}
	return n
}
