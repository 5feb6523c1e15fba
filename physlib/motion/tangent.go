package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// tangent is the linearization of a fitted system. It describes how the trajectories change if a
// small term is added to a rate. The effects of the constants and of the starting values of the
// windows are projected out. In this way a missing term is detected from all measurements together,
// even if its effect on each derivative is small. The method is Rao's score test, applied to each
// term of a library.
type tangent struct {
	d      *data
	f      *Field
	wins   []window
	live   []int         // states that are integrated
	seen   []int         // positions in live of the measured states
	first  []int         // first row of each window, among the rows of all windows
	cols   [][]float64   // columns of the right-hand sides at the rows of all windows
	ends   [][]float64   // columns at the end of the step after each row; nil: those at the next row
	phi    [][]float64   // [row] state transition matrix to the next row, live × live
	step   []float64     // [row] time to the next row
	weight []float64     // [row] square root of the weight of its residuals
	starts [][][]float64 // [window] orthonormal responses to the starting values
	consts [][]float64   // orthonormal responses to the constants
	// Residuals in standard errors, with the components along starts and consts removed.
	rest []float64
	cost float64 // squared norm of rest
}

// newTangent returns the linearization of the fitted field f, or nil if a window could not be
// integrated, or if ctx ends first.
func (sr *searcher) newTangent(ctx context.Context, f *Field, s *trajectoryFit, wins []window) *tangent {
	if s.Lost > 0 {
		return nil
	}
	g := &tangent{d: sr.d, f: f, wins: wins}
	for k, p := range f.programs {
		if p == nil {
			continue
		}
		if k < sr.d.numMeasured() {
			g.seen = append(g.seen, len(g.live))
		}
		g.live = append(g.live, k)
	}
	g.along(sr.trace(f, s, wins))
	moved := g.local(sr.tolerance())
	if moved == nil || ctx.Err() != nil {
		return nil
	}
	g.project(moved)
	return g
}

// local integrates each row to the next row, with one live state or one constant perturbed at a
// time. It sets phi. moved[i][row] holds the derivatives of the live states at the next row with
// respect to constant i. It is nil if a row is lost.
func (g *tangent) local(tol float64) (moved [][][]float64) {
	q := g.perturb()
	rows, nl := len(g.step), len(g.live)
	t, given := g.times(q.copies)
	flow := newFlow(g.f, rows*q.copies, max(tol, 1e-8), g.d.scale)
	flow.base = rows
	flow.Interval(q.x, t, slices.Repeat(g.step, q.copies), q.extra, q.params, given)
	g.phi = make([][]float64, rows)
	moved = make([][][]float64, len(q.params))
	for i := range moved {
		moved[i] = make([][]float64, rows)
	}
	for r := range rows {
		g.phi[r] = make([]float64, nl*nl)
		for c, by := range q.by {
			v := make([]float64, nl)
			for a, k := range g.live {
				v[a] = (q.x[k][(1+c)*rows+r] - q.x[k][r]) / by
			}
			if slices.ContainsFunc(v, math.IsNaN) {
				return nil
			}
			if c >= nl {
				moved[c-nl][r] = v
				continue
			}
			for a := range v {
				g.phi[r][a*nl+c] = v[a]
			}
		}
	}
	return moved
}

// shifts holds copies of all rows. The first copy is unchanged; each other copy has one live state
// or one constant perturbed.
type shifts struct {
	copies           int
	x, extra, params [][]float64 // arguments of flow.Interval
	by               []float64   // perturbation of each copy after the first
}

// perturb returns the perturbed copies of the rows.
func (g *tangent) perturb() shifts {
	f, rows, nl, p := g.f, len(g.step), len(g.live), g.f.starts()
	q := shifts{copies: 1 + nl + len(p), x: make([][]float64, f.states), extra: make([][]float64, f.Extra), params: make([][]float64, len(p))}
	for k := range q.x {
		q.x[k] = slices.Repeat(g.cols[k], q.copies)
	}
	for e := range q.extra {
		q.extra[e] = slices.Repeat(g.cols[f.states+e], q.copies)
	}
	shift := func(v []float64, by float64) {
		q.by = append(q.by, by)
		for r := range rows {
			v[len(q.by)*rows+r] += by
		}
	}
	for _, k := range g.live {
		shift(q.x[k], 1e-5*g.d.scale[k])
	}
	for i, v := range p {
		q.params[i] = slices.Repeat([]float64{v}, rows*q.copies)
		shift(q.params[i], 1e-5*max(math.Abs(v), 1e-3))
	}
	return q
}

// times returns the time of each row of the windows. For a state k without a law, given[k] holds
// the polynomials of its values between each row and the next. t and given[k] are repeated copies
// times.
func (g *tangent) times(copies int) (t []float64, given [][]quintic) {
	given = make([][]quintic, g.f.states)
	m := g.d.numMeasured()
	for _, w := range g.wins {
		r := &g.d.runs[w.run]
		for j := range w.n + 1 {
			t = append(t, r.t[w.at+j])
			for k, p := range g.f.programs {
				if p != nil {
					continue
				}
				row := min(w.at+j, len(r.t)-2)
				step := r.t[row+1] - r.t[row]
				q := g.d.between(r, row, k%m)
				if k >= m {
					q = q.derivative(step)
				}
				given[k] = append(given[k], q)
			}
		}
	}
	for k := range given {
		if given[k] != nil {
			given[k] = slices.Repeat(given[k], copies)
		}
	}
	return slices.Repeat(t, copies), given
}

// project sets starts and consts to orthonormal responses to the starting values of the windows and
// to the constants. It sets rest to the residuals with the components along these removed, and cost
// to the squared norm of rest. moved is the result of local.
func (g *tangent) project(moved [][][]float64) {
	nl := len(g.live)
	g.starts = make([][][]float64, len(g.wins))
	for b := range nl {
		unit := make([]float64, nl)
		unit[b] = 1
		v := g.response(unit, nil)
		for w := range g.wins {
			part := g.part(v, w)
			if u := orthogonal(g.starts[w], part, 1e-7); u != nil {
				g.starts[w] = append(g.starts[w], u)
			}
		}
	}
	zero := make([]float64, nl)
	for i := range moved {
		v := g.response(zero, func(row int, into []float64) { copy(into, moved[i][row]) })
		g.free(v)
		if u := orthogonal(g.consts, v, 1e-6); u != nil {
			g.consts = append(g.consts, u)
		}
	}
	for w, win := range g.wins {
		for j := range win.n + 1 {
			row := g.first[w] + j
			for _, a := range g.seen {
				k := g.live[a]
				g.rest = append(g.rest, (g.d.runs[win.run].x[k][win.at+j]-g.cols[k][row])*g.weight[row]/g.d.sigma[k])
			}
		}
	}
	g.reduce(g.rest)
	g.cost = dot(g.rest, g.rest)
}

// addition is a term that may be missing in a rate.
type addition struct {
	term expr.Tree
	coef float64
	cost float64 // cost of the system with the term, to first order
	bits float64 // reduction of the description length
}

// lacking returns terms as addends of the rate of equation k, ranked by the expected reduction of
// the description length, best first. If ctx ends, the last terms are left out.
func (g *tangent) lacking(ctx context.Context, k int, terms []expr.Tree) (out []addition) {
	n := float64(len(g.rest))
	for _, t := range terms {
		if ctx.Err() != nil {
			break
		}
		v := g.effect(k, t)
		if v == nil {
			continue
		}
		size := floats.Dot(v, v)
		left := g.unexplained(v, size)
		if !(left > 1e-10*size) || math.IsInf(left, 0) {
			continue
		}
		along := floats.Dot(v, g.rest)
		cost := max(g.cost-along*along/left, 1e-9*g.cost)
		precision := math.Log2(1 + math.Abs(along)/math.Sqrt(left*max(cost/n, 1e-300)))
		bits := n/2*math.Log2(g.cost/cost) - law.Complexity(t, len(g.cols)) - max(1, precision) - float64(t.NumParams())*(insideBits+math.Log2(n)/2)
		out = append(out, addition{t, along / left, cost, bits})
	}
	slices.SortStableFunc(out, func(a, b addition) int { return cmp.Compare(b.bits, a.bits) })
	return out
}

// effect returns how the trajectories change if the term t is added to the rate of equation k, to
// first order (see response). It returns nil if t is not defined in all rows.
func (g *tangent) effect(k int, t expr.Tree) []float64 {
	index := slices.Index(g.live, k+g.f.states-g.d.numMeasured())
	nl := len(g.live)
	value := make([]float64, len(g.step)+1)
	program := expr.Compile(t)
	program.Eval(value[:len(g.step)], g.cols, t.Params())
	end := value[1:]
	if g.ends != nil {
		end = make([]float64, len(g.step))
		program.Eval(end, g.ends, t.Params())
	}
	undefined := func(v float64) bool { return v-v != 0 }
	if slices.ContainsFunc(value, undefined) || slices.ContainsFunc(end, undefined) {
		return nil
	}
	// Integral over a step by the trapezoidal rule.
	return g.response(make([]float64, nl), func(row int, into []float64) {
		half := g.step[row] / 2
		for a := range nl {
			into[a] = half * g.phi[row][a*nl+index] * value[row]
		}
		into[index] += half * end[row]
	})
}

// along sets cols, first, step and weight along the trajectories.
func (g *tangent) along(paths []traced) {
	f, d := g.f, g.d
	g.cols = make([][]float64, f.columns())
	for _, w := range paths {
		r := &d.runs[w.run]
		g.first = append(g.first, len(g.step))
		for j := range w.n + 1 {
			for k := range f.states {
				g.cols[k] = append(g.cols[k], w.x[k][j])
			}
			for e := range f.Extra {
				g.cols[f.states+e] = append(g.cols[f.states+e], r.extra[e])
			}
			row := w.at + j
			if f.Driven {
				g.cols[f.columns()-1] = append(g.cols[f.columns()-1], r.t[row])
			}
			step, weight := 0.0, 1.0
			if j < w.n {
				step = r.t[row+1] - r.t[row]
			}
			if j == 0 && w.at > 0 || j == w.n && row < len(r.t)-1 {
				weight = math.Sqrt2 / 2
			}
			g.step, g.weight = append(g.step, step), append(g.weight, weight)
		}
	}
	if d.hold != nil {
		g.held()
	}
}

// held sets the columns of held inputs to their values at the beginning of each step. It sets ends
// to the columns at the end of each step.
func (g *tangent) held() {
	g.ends = make([][]float64, len(g.cols))
	for k := range g.cols {
		g.ends[k] = append(slices.Clone(g.cols[k][1:]), g.cols[k][len(g.cols[k])-1])
	}
	for k, h := range g.d.hold {
		if h == straightLine {
			continue
		}
		for w, win := range g.wins {
			for j := range win.n + 1 {
				r := &g.d.runs[win.run]
				v := g.d.between(r, min(win.at+j, len(r.t)-2), k)[0]
				g.cols[k][g.first[w]+j], g.ends[k][g.first[w]+j] = v, v
			}
		}
	}
}

// response propagates a perturbation through all windows. Each window begins with start, and the
// function gain adds the contribution of each step. The result holds the measured states at the
// rows, in standard errors.
func (g *tangent) response(start []float64, gain func(row int, into []float64)) []float64 {
	nl := len(g.live)
	out := make([]float64, 0, len(g.step)*len(g.seen))
	at, next := make([]float64, nl), make([]float64, nl)
	for w, win := range g.wins {
		copy(at, start)
		for j := range win.n + 1 {
			row := g.first[w] + j
			for _, a := range g.seen {
				out = append(out, at[a]*g.weight[row]/g.d.sigma[g.live[a]])
			}
			if j == win.n {
				break
			}
			clear(next)
			if gain != nil {
				gain(row, next)
			}
			phi := g.phi[row]
			for a := range nl {
				for b, v := range at {
					next[a] += phi[a*nl+b] * v
				}
			}
			at, next = next, at
		}
	}
	return out
}
