package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
)

// Numbers of rows and of stretches in condensed trajectories. A stretch is a series of consecutive
// rows of a run.
const (
	mostRows  = 2000 // number of rows above which trajectories are condensed
	leastKept = 200  // least number of rows that are kept of each run, unless the run has fewer
	stretches = 8    // number of stretches into which a run is cut if it cannot be condensed enough
)

// Bounds of the condensed rows.
const (
	// Largest RMS second difference of a slow state, divided by the standard deviation of the
	// state. An oscillation with 20 rows per period is at this limit.
	slowCurve = 0.1
	smallBias = 0.2 // largest bias of an average, divided by its standard error

	// Largest ratio of two standard deviations: that of a state, and that of its averages, to which
	// the errors of single rows are added in quadrature.
	keptSpread = 1.05
)

// Condensed returns tr reduced to about mostRows rows if it has more, so that a search ends in
// time. Runs of up to leastKept rows keep all rows. Consecutive rows are averaged if they differ by
// noise only. Otherwise one row of several is kept. If states change too fast for both, stretches
// of each run are kept in full. If the runs then still have more than twice mostRows rows together,
// only some of the runs are kept. averaged is the factor by which averaging lowers the variance of
// the errors; it is 1 without averaging. note describes the reduction; it is empty if there was
// none.
func (tr *Trajectories) Condensed() (out *Trajectories, averaged float64, note string) {
	out, averaged, note = tr.condensedRows()
	some := out.someRuns()
	if len(some.Runs) == len(out.Runs) {
		return out, averaged, note
	}
	if note == "" {
		note = fmt.Sprintf("%d rows", tr.Rows())
	}
	return some, averaged, fmt.Sprintf("%s; %d of %d trajectories are used", note, len(some.Runs), len(out.Runs))
}

// someRuns returns tr, or a random selection of its runs with about twice mostRows rows if tr has
// more rows. Parameters may recur regularly from run to run, so the selection must not be regular.
// The list of runs is divided into equal parts, and one run is drawn at random from each part.
func (tr *Trajectories) someRuns() *Trajectories {
	n, rows := len(tr.Runs), tr.Rows()
	keep := max(1, n*2*mostRows/rows)
	if keep >= n {
		return tr
	}
	rng := rand.New(rand.NewPCG(1, 0))
	kept := make([][2]int, keep)
	for i := range kept {
		from, to := i*n/keep, (i+1)*n/keep
		kept[i] = tr.Runs[from+rng.IntN(to-from)]
	}
	return tr.only(kept)
}

// condensedRows is like Condensed, but leaves out no run.
func (tr *Trajectories) condensedRows() (out *Trajectories, averaged float64, note string) {
	rows := tr.Rows()
	if rows <= mostRows {
		return tr, 1, ""
	}
	sigma, noisy := make([]float64, len(tr.States)), true
	for k := range sigma {
		sigma[k] = tr.noise(k)
		noisy = noisy && !tr.repeating(tr.States[k].Values)
	}
	for by := (rows + mostRows - 1) / mostRows; by > 1; by /= 2 {
		c := tr.condensed(by, mean)
		if c.Rows() == rows {
			continue
		}
		if noisy && tr.asGood(c, sigma, by) {
			out, averaged = c.stretched(), tr.gain(c)
			if tr.short(by) {
				return out, averaged, fmt.Sprintf("%d rows: in long runs up to %d consecutive ones are averaged, %d are left", rows, by, out.Rows())
			}
			return out, averaged, fmt.Sprintf("%d rows: every %d consecutive ones are averaged", rows, by)
		}
		if c := tr.condensed(by, middle); c.slow() && tr.follows(c) {
			out = c.stretched()
			if tr.short(by) {
				return out, 1, fmt.Sprintf("%d rows: in long runs as few as one in %d are used, %d in all", rows, by, out.Rows())
			}
			return out, 1, fmt.Sprintf("%d rows: one in %d is used", rows, by)
		}
	}
	if out = tr.stretched(); out.Rows() == rows {
		return tr, 1, ""
	}
	return out, 1, fmt.Sprintf("%d rows: %d of them, on stretches, are used", rows, out.Rows())
}

// short reports whether a run has too few rows to keep only one of `by` rows.
func (tr *Trajectories) short(by int) bool {
	return slices.ContainsFunc(tr.Runs, func(r [2]int) bool {
		n := r[1] - r[0]
		return n/by < min(n, leastKept)
	})
}

// gain returns the factor by which averaging lowers the variance of the errors, as a mean over the
// rows of c. c holds the averages of each run of tr.
func (tr *Trajectories) gain(c *Trajectories) float64 {
	sum := 0.0
	for i, r := range c.Runs {
		left := float64(r[1] - r[0])
		sum += left * left / float64(tr.Runs[i][1]-tr.Runs[i][0])
	}
	return float64(c.Rows()) / sum
}

// condensed returns tr with one row for each group of about `by` consecutive rows. rule calculates
// the value of a column in the new row from the values in the group.
func (tr *Trajectories) condensed(by int, rule func([]float64) float64) *Trajectories {
	var groups, runs [][2]int
	for _, r := range tr.Runs {
		n, first := r[1]-r[0], len(groups)
		k := max(n/by, min(n, leastKept))
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

// mapped returns tr with the given runs, and with f applied to each column.
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
	if tr.Group.Values != nil {
		out.Group = column(tr.Group)
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

// follows reports whether every state of tr stays near the straight lines between the rows of kept.
// kept holds a selection of the rows of tr. A state that oscillates between these rows does not
// stay near the lines.
func (tr *Trajectories) follows(kept *Trajectories) bool {
	for k, x := range tr.States {
		sum, n := 0.0, 0.0
		for i, r := range tr.Runs {
			at, end := kept.Runs[i][0], kept.Runs[i][1]
			t, v := kept.Time.Values, kept.States[k].Values
			for j := r[0]; j < r[1]; j++ {
				now := tr.Time.Values[j]
				for at+1 < end && t[at+1] < now {
					at++
				}
				if now < t[at] || at+1 >= end {
					continue
				}
				off := x.Values[j] - v[at] - (v[at+1]-v[at])*(now-t[at])/(t[at+1]-t[at])
				sum += off * off
				n++
			}
		}
		if _, spread := tr.curvature(x.Values); !(math.Sqrt(sum/n) < slowCurve*spread) {
			return false
		}
	}
	return true
}

// Limits for the correlation of second differences. For independent errors, second differences that
// are at least firstLag rows apart are uncorrelated.
const (
	firstLag   = 3
	lastLag    = 40  // largest lag in rows; oscillations of longer periods are resolved
	periodical = 0.5 // correlation of second differences that indicates an oscillation
)

// repeating reports whether v oscillates from row to row. If so, its changes are not noise.
func (tr *Trajectories) repeating(v []float64) bool {
	for lag := firstLag; lag <= lastLag; lag++ {
		product, square := 0.0, 0.0
		for _, r := range tr.Runs {
			bend := func(i int) float64 { return v[i] - 2*v[i+1] + v[i+2] }
			for i := r[0]; i+lag+2 < r[1]; i++ {
				a, b := bend(i), bend(i+lag)
				product += a * b
				square += (a*a + b*b) / 2
			}
		}
		if product > periodical*square {
			return true
		}
	}
	return false
}

// asGood reports whether averages over `by` rows carry as much information as the rows. The
// curvature of a state biases an average. This bias must be small relative to the error of the
// average, and averaging must remove only noise. sigma[k] is the standard deviation of the errors
// of state k.
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

// curvature returns two root mean squares over all runs: that of the second differences of v, and
// that of its deviations from the mean of a run.
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

// stretched returns tr if it has at most twice mostRows rows. Otherwise it returns stretches of the
// runs as separate runs.
func (tr *Trajectories) stretched() *Trajectories {
	rows := tr.Rows()
	if rows <= 2*mostRows {
		return tr
	}
	var kept [][2]int
	length := max(leastKept, mostRows/stretches)
	for _, r := range tr.Runs {
		n := r[1] - r[0]
		k := max(1, n*mostRows/rows/length)
		for i := range k {
			from := r[0] + i*n/k
			kept = append(kept, [2]int{from, min(from+length, r[1])})
		}
	}
	return tr.only(kept)
}

// only returns tr with the rows [from, to) of kept as its runs.
func (tr *Trajectories) only(kept [][2]int) *Trajectories {
	var runs [][2]int
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
