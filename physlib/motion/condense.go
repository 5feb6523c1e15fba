package motion

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
)

// Numbers of rows and stretches of condensed trajectories.
const (
	mostRows  = 2000 // number of rows above which trajectories are condensed
	leastLeft = 200  // least number of rows kept of each run, if it has as many
	stretches = 8    // number of stretches kept of a run that cannot be condensed enough
)

// Bounds of the condensed rows.
const (
	slowCurve = 0.1 // RMS second difference of a slow state, over its standard deviation: 20 rows a period
	smallBias = 0.2 // largest bias of averages, over their standard error

	keptSpread = 1.05 // largest standard deviation of a state, over that of its averages plus errors
)

// Condensed returns tr reduced to about mostRows rows if it has more, so that a search ends in
// time. Consecutive rows are averaged if they differ by noise only. Otherwise one row of several is
// kept. If states change too fast for either, stretches of each run are kept in full. averaged is
// the number of rows in an average, or 1. note describes the reduction; it is empty if there was
// none.
func (tr *Trajectories) Condensed() (out *Trajectories, averaged int, note string) {
	rows := tr.Rows()
	if rows <= mostRows {
		return tr, 1, ""
	}
	sigma := make([]float64, len(tr.States))
	for k := range sigma {
		sigma[k] = tr.noise(k)
	}
	for by := (rows + mostRows - 1) / mostRows; by > 1; by /= 2 {
		if c := tr.condensed(by, mean); tr.asGood(c, sigma, by) {
			return c.stretched(), by, fmt.Sprintf("%d rows: every %d consecutive ones are averaged", rows, by)
		}
		if c := tr.condensed(by, middle); c.slow() {
			return c.stretched(), 1, fmt.Sprintf("%d rows: one in %d is used", rows, by)
		}
	}
	out = tr.stretched()
	return out, 1, fmt.Sprintf("%d rows: %d of them, on stretches, are used", rows, out.Rows())
}

// condensed returns tr with one row for each group of about `by` consecutive rows. rule gives its
// value in a column from the values of the group.
func (tr *Trajectories) condensed(by int, rule func([]float64) float64) *Trajectories {
	var groups, runs [][2]int
	for _, r := range tr.Runs {
		n, first := r[1]-r[0], len(groups)
		k := max(n/by, min(n, leastLeft))
		for i := range k {
			groups = append(groups, [2]int{r[0] + i*n/k, r[0] + (i+1)*n/k})
		}
		runs = append(runs, [2]int{first, len(groups)})
	}
	return tr.mapped(runs, func(v []float64) (out []float64) {
		for _, g := range groups {
			out = append(out, rule(v[g[0]:g[1]]))
		}
		return out
	})
}

// mapped returns tr with other runs, each column changed by f.
func (tr *Trajectories) mapped(runs [][2]int, f func([]float64) []float64) *Trajectories {
	out := *tr
	column := func(c dataset.Column) dataset.Column { c.Values = f(c.Values); return c }
	out.Runs, out.Time, out.States, out.Params = runs, column(tr.Time), nil, nil
	for _, c := range tr.States {
		out.States = append(out.States, column(c))
	}
	for _, c := range tr.Params {
		out.Params = append(out.Params, column(c))
	}
	return &out
}

// slow reports whether every state changes little from row to row.
func (tr *Trajectories) slow() bool {
	for _, c := range tr.States {
		bend, spread := tr.curvature(c.Values)
		if !(bend < slowCurve*spread) {
			return false
		}
	}
	return true
}

// asGood reports whether averages over `by` rows each carry the information of the rows. sigma has
// the standard deviations of the errors of the rows, by state. The bias by curvature within an
// average must be small relative to its error, and the averaging must remove noise only.
func (tr *Trajectories) asGood(averages *Trajectories, sigma []float64, by int) bool {
	for k, x := range averages.States {
		_, before := tr.curvature(tr.States[k].Values)
		bend, spread := averages.curvature(x.Values)
		if !(bend/24 < smallBias*sigma[k]/math.Sqrt(float64(by))) || before > keptSpread*math.Hypot(spread, sigma[k]) {
			return false
		}
	}
	return true
}

// curvature returns the root mean squares, over all runs, of the second differences of v, and of
// its deviations from the mean of a run.
func (tr *Trajectories) curvature(v []float64) (bend, spread float64) {
	for _, r := range tr.Runs {
		x := v[r[0]:r[1]]
		m := mean(x)
		for i, y := range x {
			spread += (y - m) * (y - m)
			if i > 0 && i+1 < len(x) {
				d := x[i-1] - 2*y + x[i+1]
				bend += d * d
			}
		}
	}
	n := float64(tr.Rows())
	return math.Sqrt(bend / n), math.Sqrt(spread / n)
}

// stretched returns tr, or, if it has more than twice mostRows rows, stretches of its runs as runs
// of their own.
func (tr *Trajectories) stretched() *Trajectories {
	rows := tr.Rows()
	if rows <= 2*mostRows {
		return tr
	}
	var kept, runs [][2]int
	length := max(leastLeft, mostRows/stretches)
	for _, r := range tr.Runs {
		n := r[1] - r[0]
		k := max(1, n*mostRows/rows/length)
		for i := range k {
			from := r[0] + i*n/k
			kept = append(kept, [2]int{from, min(from+length, r[1])})
		}
	}
	at := 0
	for _, s := range kept {
		runs = append(runs, [2]int{at, at + s[1] - s[0]})
		at += s[1] - s[0]
	}
	return tr.mapped(runs, func(v []float64) (out []float64) {
		for _, s := range kept {
			out = append(out, v[s[0]:s[1]]...)
		}
		return out
	})
}

func mean(v []float64) float64 { return stat.Mean(v, nil) }

func middle(v []float64) float64 { return v[len(v)/2] }
