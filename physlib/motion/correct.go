package motion

import (
	"context"
	"math"
	"slices"
)

// reach is the number of rows over which the model is integrated on each side of a row.
const reach = 40

// smallDegrees are the polynomial degrees fitted to the difference between measurement and
// model.
var smallDegrees = []int{1, 2, 4, 6}

// correct estimates the derivatives again, with the help of the current system. It integrates the
// system from each row in both directions and subtracts the result from the measurements. The
// difference is small and smooth even where the state is not, so wide windows can average out more
// noise. The derivative of the difference is added to that of the model. In this way the data
// correct a wrong model.
func (sr *searcher) correct(ctx context.Context) {
	// A state without a law cannot be integrated.
	if sr.shot == nil || slices.Contains(sr.best, nil) {
		return
	}
	d := sr.d
	trees := sr.trees()
	f := sr.field(trees)
	rows, where := d.rows()
	x := make([][]float64, f.states)
	for k := range x {
		x[k] = make([]float64, rows)
		for i, p := range where {
			x[k][i] = d.start(p.run, p.at, k)
		}
	}
	sr.along(f, x, where)
	base := sr.derivatives(f, x, where)
	ahead := sr.follow(ctx, f, x, where, 1)
	behind := sr.follow(ctx, f, x, where, -1)
	if ctx.Err() != nil {
		return
	}
	defer func() { sr.tables.of = nil }() // the derivatives change
	first := 0
	for r := range d.runs {
		run := &d.runs[r]
		for k := range d.numMeasured() {
			own := base[k][first : first+len(run.t)]
			buffer := make([]float64, 2*reach+1)
			window := func(i, a, w int) []float64 {
				if i-a > reach || a+w-1-i > reach || math.IsNaN(own[i].D[1]) {
					return nil
				}
				for j := a; j < a+w; j++ {
					model := 0.0
					if j >= i {
						model = ahead[j-i][k][first+i]
					} else {
						model = behind[i-j][k][first+i]
					}
					if math.IsNaN(model) {
						return nil
					}
					buffer[j-a] = run.x[k][j] - model
				}
				return buffer[:w]
			}
			next := estimate(ctx, run.t, own, run.x[k], window, d.sigma[k], smallDegrees)
			if ctx.Err() != nil {
				return
			}
			improve(run.derivative[k], next)
		}
		first += len(run.t)
	}
}

// improve copies a derivative from next to have if its standard error in next is smaller.
func improve(have, next []Derivative) {
	for i := range next {
		for o := range 3 {
			if next[i].SE[o] < have[i].SE[o] {
				have[i].D[o], have[i].SE[o] = next[i].D[o], next[i].SE[o]
			}
		}
	}
}

// position is a row, given by its run and its index in the run.
type position struct{ run, at int }

// rows returns the number and the positions of the rows of all runs.
func (d *data) rows() (n int, where []position) {
	for r := range d.runs {
		for i := range d.runs[r].t {
			where = append(where, position{r, i})
		}
	}
	return len(where), where
}

// along overwrites x with the fitted states, at all rows that are covered by windows.
func (sr *searcher) along(f *Field, x [][]float64, where []position) {
	index := map[position]int{}
	for i, p := range where {
		index[p] = i
	}
	for _, w := range sr.trace(f, sr.shot, sr.wins) {
		for j := range w.x[0] {
			if i, ok := index[position{w.run, w.at + j}]; ok && !math.IsNaN(w.x[0][j]) {
				for k := range x {
					x[k][i] = w.x[k][j]
				}
			}
		}
	}
}

// traced is a window with the states of the system at its rows.
type traced struct {
	window
	x [][]float64 // [state][row]
}

// trace integrates the fitted system over its windows.
func (sr *searcher) trace(f *Field, s *trajectoryFit, wins []window) []traced {
	return sr.traceOn(sr.d, f, s, wins)
}

// traceOn is like trace, with the inputs of d.
func (sr *searcher) traceOn(d *data, f *Field, s *trajectoryFit, wins []window) []traced {
	nw := len(wins)
	out := make([]traced, nw)
	x := make([][]float64, f.states)
	for k := range x {
		x[k] = append([]float64(nil), s.starts[k]...)
	}
	longest := 0
	for w, win := range wins {
		out[w] = traced{win, make([][]float64, f.states)}
		longest = max(longest, win.n)
	}
	sh := &shooter{d: d, f: f, wins: wins, given: make([]bool, f.states)}
	given := make([][]quintic, f.states)
	for k, p := range f.programs {
		if p == nil {
			given[k] = make([]quintic, nw)
		}
	}
	flow := newFlow(f, nw, sr.tolerance(), d.scale)
	extra, params := sr.columns(f, nw, func(w int) int { return wins[w].run })
	t, dt := make([]float64, nw), make([]float64, nw)
	for j := 0; j <= longest; j++ {
		if j > 0 {
			sh.interval(j-1, t, dt, given, 1)
			flow.Interval(x, t, dt, extra, params, given)
		}
		for w := range out {
			if j <= wins[w].n {
				for k := range x {
					out[w].x[k] = append(out[w].x[k], x[k][w])
				}
			}
		}
	}
	return out
}

// derivatives returns the value and the first two derivatives of each measured state under the law
// of motion f. x holds the states at the rows in where.
func (sr *searcher) derivatives(f *Field, x [][]float64, where []position) [][]Derivative {
	n, m := len(where), sr.d.numMeasured()
	extra, params := sr.columns(f, n, func(i int) int { return where[i].run })
	at := make([]float64, n)
	one := make([]float64, n)
	for i, p := range where {
		at[i], one[i] = sr.d.runs[p.run].t[p.at], 1
	}
	rate := func(y [][]float64, t []float64) [][]float64 {
		w := newFlow(f, n, 1, sr.d.scale)
		copy(w.cols, w.y)
		copy(w.cols[f.states:], extra)
		if f.Driven {
			w.cols[f.columns()-1] = w.time
		}
		copy(w.cols[f.columns():], params)
		w.rates(0, 0, y, t, one, make([][]quintic, f.states))
		return w.k[0]
	}
	v := rate(x, at)
	const small = 1e-5
	y, later := make([][]float64, len(x)), make([]float64, n)
	step := make([]float64, n)
	for i, p := range where {
		t := sr.d.runs[p.run].t
		step[i] = small * (t[len(t)-1] - t[0]) / float64(len(t)-1)
		later[i] = at[i] + step[i]
	}
	for k := range x {
		y[k] = make([]float64, n)
		for i := range y[k] {
			y[k][i] = x[k][i] + step[i]*v[k][i]
		}
	}
	u := rate(y, later)
	out := make([][]Derivative, m)
	for k := range out {
		out[k] = make([]Derivative, n)
		for i := range out[k] {
			second := (u[k][i] - v[k][i]) / step[i]
			if sr.d.order == 2 {
				second = v[m+k][i]
			}
			out[k][i].D = [3]float64{x[k][i], v[k][i], second}
		}
	}
	return out
}

// follow integrates from each row up to reach rows forward (dir = 1) or backward (dir = -1). It
// returns the states as [step][state][row]. There are fewer steps if ctx ends.
func (sr *searcher) follow(ctx context.Context, f *Field, from [][]float64, where []position, dir int) [][][]float64 {
	n := len(where)
	x := make([][]float64, len(from))
	for k := range x {
		x[k] = append([]float64(nil), from[k]...)
	}
	extra, params := sr.columns(f, n, func(i int) int { return where[i].run })
	flow := newFlow(f, n, sr.tolerance(), sr.d.scale)
	flow.maxSteps = 40 // a plausible law needs fewer steps between rows
	t, dt := make([]float64, n), make([]float64, n)
	given := make([][]quintic, f.states)
	var out [][][]float64
	for j := 0; j <= reach && ctx.Err() == nil; j++ {
		if j > 0 {
			for i, p := range where {
				r := sr.d.runs[p.run].t
				a, b := p.at+dir*(j-1), p.at+dir*j
				if b < 0 || b >= len(r) {
					dt[i] = 0
					continue
				}
				t[i], dt[i] = r[a], r[b]-r[a]
			}
			flow.Interval(x, t, dt, extra, params, given)
		}
		now := make([][]float64, sr.d.numMeasured())
		for k := range now {
			now[k] = append([]float64(nil), x[k]...)
		}
		out = append(out, now)
	}
	return out
}

// columns returns the constant columns and the free constants of f for n rows. Row i belongs to
// run(i).
func (sr *searcher) columns(f *Field, n int, run func(i int) int) (extra, params [][]float64) {
	extra = make([][]float64, f.Extra)
	for e := range extra {
		for i := range n {
			extra[e] = append(extra[e], sr.d.runs[run(i)].extra[e])
		}
	}
	for _, p := range f.starts() {
		v := make([]float64, n)
		for i := range v {
			v[i] = p
		}
		params = append(params, v)
	}
	return extra, params
}
