package ablate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"
)

// line is the summary of a value of a cell over all seeds, compared with the baseline.
type line struct {
	cell, value, baseline string
	metric                metric
	n                     int
	// Mean and standard deviation over seeds; spread is NaN for one seed.
	mean, spread   float64
	difference, se float64 // difference from the baseline, and its standard error; NaN if unknown
	verdict        string
}

// group holds the runs of a value, by seed.
type group struct {
	run  *Run
	by   map[int64]*Result
	seen []float64
}

// tabled reports whether some results were read from a table instead of the folders of runs.
func (g *group) tabled() bool {
	for _, r := range g.by {
		if r.Hash == "" {
			return true
		}
	}
	return false
}

// equals reports whether an earlier line has the same numbers, up to the rounding of a table.
func (l line) equals(e line) bool {
	return e.n == l.n && e.metric.name == l.metric.name && e.baseline == l.baseline && near(l.mean, e.mean)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Abs(b) }

// summary compares each value with its baseline by the metric of its cell. If the metric is a mean
// over laws, the same laws are compared pairwise, over all seeds for which both have results for
// single laws. Otherwise the standard error is that of a difference of two means. It is calculated
// from a variance between seeds that is common to most values, see varies. If a value has no runs
// here, only rows of an earlier table, its line of the earlier summary is kept: that line was
// computed from the runs.
func (f *File) summary(runs []*Run, found findings) (lines []line) {
	name := func(r *Run) string { return r.Cell + "=" + r.Value }
	groups := grouped(runs, found)
	index := map[string]*group{}
	for _, g := range groups {
		index[name(g.run)] = g
	}
	samples := map[string][][]float64{} // by metric; a run that several cells share counts once
	counted := map[string]bool{}
	for _, g := range groups {
		if key := g.run.Metric + g.run.Hash(); len(g.seen) > 1 && !counted[key] {
			counted[key] = true
			samples[g.run.Metric] = append(samples[g.run.Metric], g.seen)
		}
	}
	for _, g := range groups {
		if len(g.seen) == 0 {
			continue
		}
		r := g.run
		l := line{cell: r.Cell, value: r.Value, baseline: r.Baseline, metric: r.metric(), n: len(g.seen), difference: math.NaN(), se: math.NaN()}
		l.mean, l.spread = stat.MeanStdDev(g.seen, nil)
		base := index[r.Cell+"="+r.Baseline]
		switch {
		case r.Value == r.Baseline:
			l.verdict = "baseline"
		case base == nil || len(base.seen) == 0:
			l.verdict = "the baseline is not done"
		case l.metric.law != nil:
			l.difference, l.se = paired(l.metric, r, base.run, g.by, base.by)
		default:
			l.difference = l.mean - stat.Mean(base.seen, nil)
			if variance := varies(samples[r.Metric]); variance > 0 {
				l.se = math.Sqrt(ownOr(variance, g.seen)/float64(len(g.seen)) + ownOr(variance, base.seen)/float64(len(base.seen)))
			}
		}
		if l.verdict == "" {
			l.verdict = verdict(l)
		}
		if e := found.earlier; base != nil && (g.tabled() || base.tabled()) && l.equals(e[name(r)]) && near(stat.Mean(base.seen, nil), e[name(base.run)].mean) {
			l = e[name(r)]
		}
		lines = append(lines, l)
	}
	return lines
}

// grouped returns the runs with results, grouped by cell and value in the order of the file.
func grouped(runs []*Run, found findings) (groups []*group) {
	for _, r := range runs {
		result := found.results[r]
		if result == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.run.Cell == r.Cell && g.run.Value == r.Value })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{run: r, by: map[int64]*Result{}})
		}
		g := groups[i]
		g.by[r.Seed] = result
		if x, ok := r.metric().of(r, result); ok {
			g.seen = append(g.seen, x)
		}
	}
	place := func(g *group) int {
		return slices.IndexFunc(runs, func(r *Run) bool { return r.Cell == g.run.Cell && r.Value == g.run.Value })
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return place(a) - place(b) })
	return groups
}

// varies returns the common variance between seeds: the median of the variances of all samples, or
// NaN if there are none. With the median, one value with very different runs does not hide all
// other differences.
func varies(samples [][]float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	var each []float64
	for _, s := range samples {
		freedom := float64(len(s) - 1)
		// The divisor is the ratio of the median of χ² to its mean (Wilson and Hilferty).
		each = append(each, stat.Variance(s, nil)/math.Pow(1-2/(9*freedom), 3))
	}
	slices.Sort(each)
	return (each[(len(each)-1)/2] + each[len(each)/2]) / 2
}

// ownOr returns the common variance, or that of the sample if it is significantly larger (p < 0.002
// for two runs).
func ownOr(common float64, sample []float64) float64 {
	if len(sample) > 1 {
		if own := stat.Variance(sample, nil); own > 10*common {
			return own
		}
	}
	return common
}

func (r *Run) metric() metric {
	all := metricsOf[r.Kind]
	return all[slices.IndexFunc(all, func(m metric) bool { return m.name == r.Metric })]
}

// paired returns the mean difference over the laws that both runs have, and its standard error.
// With fewer than two such laws, both are NaN.
func paired(m metric, r, base *Run, a, b map[int64]*Result) (mean, se float64) {
	var all []float64
	for seed, x := range a {
		y := b[seed]
		if y == nil {
			continue
		}
		of := map[string]Outcome{}
		for _, o := range y.Laws {
			of[o.ID] = o
		}
		for _, o := range x.Laws {
			if p, ok := of[o.ID]; ok {
				all = append(all, m.law(o, r)-m.law(p, base))
			}
		}
	}
	if len(all) < 2 {
		return math.NaN(), math.NaN()
	}
	mean, sd := stat.MeanStdDev(all, nil)
	return mean, sd / math.Sqrt(float64(len(all)))
}

// verdict returns "better" or "worse" if the difference exceeds two standard errors. Otherwise it
// returns that no difference is seen, or that there are too few runs.
func verdict(l line) string {
	switch {
	case math.IsNaN(l.se) || math.IsNaN(l.difference):
		return "too few runs to tell"
	case l.difference == 0 || math.Abs(l.difference) < 2*l.se:
		return "no difference seen"
	case l.difference > 0 == l.metric.higher:
		return "better"
	}
	return "worse"
}

// print writes the summary as text.
func print(w io.Writer, lines []line) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	cell := ""
	for _, l := range lines {
		if l.cell != cell {
			cell = l.cell
			fmt.Fprintf(t, "%s\t%s, %s\n", cell, l.metric.name, l.metric.unit)
		}
		mean := fmt.Sprintf("%.4g", l.mean)
		if !math.IsNaN(l.spread) {
			mean += fmt.Sprintf(" ± %.2g", l.spread)
		}
		difference := ""
		if !math.IsNaN(l.difference) {
			difference = fmt.Sprintf("%+.3g", l.difference)
			if !math.IsNaN(l.se) {
				difference += fmt.Sprintf(" ± %.2g", l.se)
			}
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", l.value, mean, difference, l.verdict)
	}
	t.Flush()
}
