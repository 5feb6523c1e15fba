package motion

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

// Separate is a constant that has a separate value in each group of runs.
type Separate struct {
	Name   string
	Groups []string // labels of the groups, in the order of their first runs
	Values []float64
	StdErr []float64
}

// Shares of the time that is left. There are three searches: with the same constants in all runs,
// with first estimates of the separate constants, and with their fitted values.
const (
	pooledShare = 0.25
	roughShare  = 0.4
	fitShare    = 0.5 // largest share of the fit of the values
)

// mostGroups is the largest number of groups whose constants may differ.
const mostGroups = 24

// discoverSeparate is like Discover for runs whose constants may differ between groups. A separate
// constant becomes a column that is constant in each run. Its values are estimated from sums of
// terms with separate coefficients, and then fitted to the trajectories under the laws found.
func discoverSeparate(ctx context.Context, tr *Trajectories, s Settings) (*Result, error) {
	ss := &separateSearch{tr: tr, s: s, began: s.Clock.Now()}
	res, err := ss.run(ctx)
	if res != nil {
		res.Evaluations, res.Elapsed = ss.evals, s.Clock.Since(ss.began)
	}
	return res, err
}

// separateSearch is a run of discoverSeparate, which consists of several searches.
type separateSearch struct {
	tr    *Trajectories
	s     Settings
	began time.Time
	evals int64 // evaluations of all searches
}

// run searches with the same constants in all runs, and returns its result if this explains the
// runs. Otherwise it also searches with separate constants, and returns the shorter description.
func (ss *separateSearch) run(ctx context.Context) (*Result, error) {
	early, cancel := ss.s.limited(ctx, ss.part(pooledShare))
	own, sums := ss.tr.separate(early, ss.s)
	cancel()
	if len(own) == 0 {
		return ss.search(ctx, ss.tr, 1, nil)
	}
	pooled, err := ss.search(ctx, ss.tr, pooledShare, nil)
	if err != nil || ctx.Err() != nil {
		return pooled, err
	}
	if ss.tr.explained(pooled) {
		if pooled.Stopped == discover.StopTime { // it may now use all of the time
			return ss.search(ctx, ss.tr, 1, nil)
		}
		return pooled, nil
	}
	rough, err := ss.searchRough(ctx, own, sums)
	if err != nil {
		return pooled, nil
	}
	used := slices.DeleteFunc(slices.Clone(own), func(c Separate) bool { return !rough.uses(c.Name) })
	if len(used) == 0 || !ss.fit(ctx, own, used, rough) {
		if ctx.Err() != nil {
			pooled.Stopped = discover.StopInterrupted
			return pooled, nil
		}
		return ss.search(ctx, ss.tr, 1, nil)
	}
	fitted, err := ss.searchFitted(ctx, used, candidateLaws(sums, rough, own, used))
	if err != nil || ss.tr.bits(fitted, len(used)*len(used[0].Groups)) >= ss.tr.bits(pooled, 0) {
		return pooled, nil
	}
	return fitted, nil
}

// part returns a share of the time that is left, or what is not positive if there is no limit.
func (ss *separateSearch) part(share float64) time.Duration {
	if ss.s.Time <= 0 {
		return ss.s.Time
	}
	left := ss.s.Time - ss.s.Clock.Since(ss.began)
	return max(time.Duration(share*float64(left)), time.Millisecond)
}

// search is discoverShared in a share of the time that is left.
func (ss *separateSearch) search(ctx context.Context, tr *Trajectories, share float64, given [][]law.Law) (*Result, error) {
	s := ss.s
	s.Time = ss.part(share)
	res, err := discoverShared(ctx, tr, s, given)
	if res != nil {
		ss.evals += res.Evaluations
	}
	return res, err
}

// searchRough searches with first estimates of the separate constants in own. sums holds the laws
// from which they were estimated.
func (ss *separateSearch) searchRough(ctx context.Context, own []Separate, sums [][]law.Law) (*Result, error) {
	noise := ss.s.Noise
	defer func() { ss.s.Noise = noise }()
	ss.s.Noise = ss.tr.roughNoise(noise)
	return ss.search(ctx, ss.tr.withSeparate(own), roughShare, sums)
}

// fit fits the values of the used constants, which are among own, under the laws in rough. It
// reports whether it could.
func (ss *separateSearch) fit(ctx context.Context, own, used []Separate, rough *Result) bool {
	ctx, cancel := ss.s.limited(ctx, ss.part(fitShare))
	defer cancel()
	return ss.tr.withSeparate(own).fitSeparate(ctx, ss.s, used, rough)
}

// searchFitted renames the used constants as they are in a result, and searches with their fitted
// values. given holds laws of each equation that are also candidates.
func (ss *separateSearch) searchFitted(ctx context.Context, used []Separate, given [][]law.Law) (*Result, error) {
	for i := range used {
		name := ss.tr.separateName(i)
		given = renamed(given, used[i].Name, name)
		used[i].Name = name
	}
	with := ss.tr.withSeparate(used)
	res, err := ss.search(ctx, with, 1, given)
	if err == nil {
		res.Separate, res.Trajectories = used, with
	}
	return res, err
}

// candidateLaws returns, by equation, the given sums and the laws in res. It leaves out laws that
// contain a constant of own that is not in used.
func candidateLaws(sums [][]law.Law, res *Result, own, used []Separate) [][]law.Law {
	out := make([][]law.Law, len(res.Equations))
	for k, e := range res.Equations {
		list := append(slices.Clone(sums[k]), e.Law)
		out[k] = slices.DeleteFunc(list, func(l law.Law) bool {
			return slices.ContainsFunc(own, func(c Separate) bool {
				return !slices.ContainsFunc(used, func(u Separate) bool { return u.Name == c.Name }) &&
					contains(l, c.Name)
			})
		})
	}
	return out
}

// contains reports whether the named column occurs in l.
func contains(l law.Law, name string) bool {
	return slices.ContainsFunc(l.Tree.Vars(), func(j int) bool { return l.Vars[j] == name })
}

// renamed returns laws with a column renamed.
func renamed(laws [][]law.Law, from, to string) [][]law.Law {
	for _, list := range laws {
		for i, l := range list {
			list[i].Vars = slices.Clone(l.Vars)
			for j, name := range l.Vars {
				if name == from {
					list[i].Vars[j] = to
				} else if name == to {
					list[i].Vars[j] = "" // not in the law
				}
			}
		}
	}
	return laws
}

// limited returns ctx with a time limit, unless limit is negative.
func (s Settings) limited(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return s.Clock.WithTimeout(ctx, limit)
}

// roughNoise returns the standard deviations of the errors of the states, at least roughError of
// their size. given holds those that are known.
func (tr *Trajectories) roughNoise(given []float64) (sigma []float64) {
	for k, x := range tr.States {
		e := max(tr.noise(k), tr.rounding(k))
		if k < len(given) && given[k] > 0 {
			e = given[k]
		}
		sigma = append(sigma, max(e, roughError*dataset.RMS(x.Values)))
	}
	return sigma
}

// roughError is the relative error of the states that first estimates of separate constants are
// taken to cause. Laws would otherwise describe the errors of these estimates in exact data.
const roughError = 1e-3

// groups returns the labels of the groups and the group of each run.
func (tr *Trajectories) groups() (labels []string, of []int) {
	var values []float64
	for _, r := range tr.Runs {
		v := tr.Group.Values[r[0]]
		i := slices.Index(values, v)
		if i < 0 {
			i = len(values)
			values = append(values, v)
			label := strconv.FormatFloat(v, 'g', -1, 64)
			if code := int(v); code >= 0 && code < len(tr.Labels) {
				label = tr.Labels[code]
			}
			labels = append(labels, label)
		}
		of = append(of, i)
	}
	return labels, of
}

// grouped reports whether the runs are distinguished by a column with some values.
func (tr *Trajectories) grouped() bool {
	if tr.Group.Values == nil {
		return false
	}
	labels, _ := tr.groups()
	return len(labels) > 1 && len(labels) <= mostGroups
}

// explained reports whether res has a law for every state, and its residuals are within the noise.
func (tr *Trajectories) explained(res *Result) bool {
	for k, e := range res.Equations {
		scale := dataset.RMS(tr.States[k].Values)
		if e.Law.Tree.Len() == 0 || !(e.Error <= aboveNoise*max(e.Noise, integrationError*scale)) {
			return false
		}
	}
	return true
}

// bits returns the description length of the trajectories by the laws in res, with the given number
// of values of separate constants. A value costs half the logarithm of the number of rows.
func (tr *Trajectories) bits(res *Result, values int) (bits float64) {
	rows := float64(tr.Rows())
	bits = float64(values) * math.Log2(rows) / 2
	for k, e := range res.Equations {
		if e.Law.Tree.Len() == 0 {
			bits += rows * math.Log2(tr.aboutMeans(k))
			continue
		}
		bits += e.Law.Complexity + rows*math.Log2(max(e.Error, 1e-300))
	}
	return bits
}

// aboutMeans returns the standard deviation of state k about the mean of each run.
func (tr *Trajectories) aboutMeans(k int) float64 {
	squares := 0.0
	for _, r := range tr.Runs {
		x := tr.States[k].Values[r[0]:r[1]]
		rss, _ := straight(tr.Time.Values[r[0]:r[1]], x, 1)
		squares += rss
	}
	return math.Sqrt(squares / float64(tr.Rows()))
}

// uses reports whether a law in res contains the named column.
func (res *Result) uses(name string) bool {
	return slices.ContainsFunc(res.Equations, func(e Equation) bool { return contains(e.Law, name) })
}

// withSeparate returns tr with separate constants as further parameters.
func (tr *Trajectories) withSeparate(own []Separate) *Trajectories {
	_, of := tr.groups()
	out := *tr
	out.Params = slices.Clone(tr.Params)
	for _, c := range own {
		out.Params = append(out.Params, tr.perRun(c.Name, func(run int) float64 { return c.Values[of[run]] }))
	}
	return &out
}

// perRun returns a column that has one value in each run.
func (tr *Trajectories) perRun(name string, value func(run int) float64) dataset.Column {
	c := dataset.Column{Name: name, Values: make([]float64, len(tr.Time.Values))}
	for i, r := range tr.Runs {
		for row := r[0]; row < r[1]; row++ {
			c.Values[row] = value(i)
		}
	}
	return c
}

// fitSeparate fits the separate constants own to the trajectories, with all constants of the laws
// in res. tr has own as its last parameters. It reports whether the fit succeeded, and sets the
// values and errors of own. In the laws, it replaces functions of a separate constant by the
// constant itself. In the fit, a separate constant is a sum of its values, each times a column that
// is 1 in the runs of its group and 0 in the others.
func (tr *Trajectories) fitSeparate(ctx context.Context, s Settings, own []Separate, res *Result) bool {
	labels, of := tr.groups()
	marked := *tr
	marked.Params = slices.Clone(tr.Params)
	for g, label := range labels {
		marked.Params = append(marked.Params, tr.perRun("group "+label, func(run int) float64 {
			if of[run] == g {
				return 1
			}
			return 0
		}))
	}
	sr := &searcher{tr: &marked, s: s, began: s.Clock.Now()}
	sr.prepare(ctx)
	if ctx.Err() != nil {
		return false
	}
	f := sr.newSeparateFit(own, labels, res)
	f.replaceFunctions(ctx)
	shot := f.fit(ctx)
	if shot == nil {
		return false
	}
	f.store(shot)
	return true
}
