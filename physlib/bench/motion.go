package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/motion"
)

// Motions runs the protocol on trajectories. It integrates each system of the suite (see
// corpus.Motions) from each of its initial states. It adds noise of standard deviation o.Noise ×
// RMS to each measured state. motion.Discover searches for the laws of the system, and each law is
// compared with the truth as in Recovery.
//
// o.Time is the limit for each law. The laws of one system are found together, so the Seconds of
// each record are an equal share. An outlier is a gross error of one state in a row. o.IDs may name
// laws or systems. o.Rows, o.Jobs, o.Digits and o.Fault are ignored.
func Motions(ctx context.Context, o RecoveryOptions) (Summary, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Summary{}, err
	}
	systems, err := corpus.Motions(o.Suite)
	if err != nil {
		return Summary{}, err
	}
	if systems, err = wanted(systems, o.IDs); err != nil {
		return Summary{}, err
	}
	file, old, err := openResults[Record](o.Out, "recovery")
	if err != nil {
		return Summary{}, err
	}
	defer file.Close()
	r := &recovery{RecoveryOptions: o, file: file, version: Version()}
	for _, m := range systems {
		r.total += len(m.Laws)
	}
	for _, m := range systems {
		if ctx.Err() != nil {
			break
		}
		if kept := r.kept(m, old); kept != nil {
			for _, k := range kept {
				r.done(k, true)
			}
			continue
		}
		records := r.system(ctx, m)
		if ctx.Err() != nil {
			break // the search was interrupted, so its laws are not recorded
		}
		for _, k := range records {
			if err := file.add(k); err != nil {
				return Summarize(r.records), fmt.Errorf("results: %w", err)
			}
			r.done(k, false)
		}
	}
	return Summarize(r.records), context.Cause(ctx)
}

// wanted returns the systems that ids name, by their own id or by the id of one of their laws. If
// ids is nil, it returns all systems. An unknown id is an error.
func wanted(all []corpus.Motion, ids []string) ([]corpus.Motion, error) {
	if len(ids) == 0 {
		return all, nil
	}
	has := func(m corpus.Motion, id string) bool {
		return m.ID == id || slices.ContainsFunc(m.Laws, func(p corpus.Problem) bool { return p.ID == id })
	}
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(m corpus.Motion) bool { return has(m, id) }) {
			return nil, fmt.Errorf("no system or law %q: the first is %s with %s", id, all[0].ID, all[0].Laws[0].ID)
		}
	}
	return slices.DeleteFunc(all, func(m corpus.Motion) bool {
		return !slices.ContainsFunc(ids, func(id string) bool { return has(m, id) })
	}), nil
}

// planMotion returns the record of law k of m before its search: its settings without results.
func (r *recovery) planMotion(m corpus.Motion, k int) Record {
	rec := r.plan(m.Laws[k])
	rec.Suite += "-ode"
	rec.Rows = len(m.Starts) * len(m.Times())
	return rec
}

// kept returns the records of all laws of m in old, or nil if one is missing.
func (r *recovery) kept(m corpus.Motion, old []Record) (kept []Record) {
	for k := range m.Laws {
		plan := r.planMotion(m, k)
		i := slices.IndexFunc(old, func(o Record) bool { return o.Error == "" && o.sameRun(plan) })
		if i < 0 {
			return nil
		}
		kept = append(kept, old[i])
	}
	return kept
}

// system searches for the laws of m, compares the laws found with the truth, and returns a record
// for each law of m.
func (r *recovery) system(ctx context.Context, m corpus.Motion) []Record {
	records := make([]Record, len(m.Laws))
	for k := range records {
		records[k] = r.planMotion(m, k)
	}
	fail := func(err error) []Record {
		for k := range records {
			records[k].Error = err.Error()
		}
		return records
	}
	table, err := MotionTable(m, r.Noise, r.rng(m.Laws[0], streamNoise))
	if err != nil {
		return fail(err)
	}
	var states [][]float64
	for _, c := range append(table.Vars[2:], table.Target) {
		states = append(states, c.Values)
	}
	spoilStates(states, r.Outliers, r.rng(m.Laws[0], streamOutliers))
	trajectories, _, err := motion.Read(table, motion.Options{Time: "t", Group: "run", Order: m.Order})
	if err != nil {
		return fail(err)
	}
	start, busy := time.Now(), clock.CPU()
	found, err := r.discoverMotion(ctx, trajectories)
	if err != nil {
		return fail(err)
	}
	laws := float64(len(records))
	wall, cpu := time.Since(start).Seconds()/laws, (clock.CPU()-busy).Seconds()/laws
	for k := range records {
		records[k].Seconds, records[k].CPUSeconds, records[k].Load = wall, cpu, load()
		e := found.Equations[k]
		records[k].Probability, records[k].Verdict = e.Probability, e.Verdict
		res := &discover.Result{Best: e.Law, Front: e.Front, Stopped: found.Stopped, Evaluations: found.Evaluations / int64(len(records))}
		if err := r.judge(ctx, m.Laws[k], res, &records[k]); err != nil {
			records[k].Error = err.Error()
		}
	}
	return records
}

// discoverMotion calls motion.Discover and returns a panic as an error.
func (r *recovery) discoverMotion(ctx context.Context, t *motion.Trajectories) (found *motion.Result, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return motion.Discover(ctx, t, motion.Settings{Time: r.Time * time.Duration(len(t.States)), Clock: r.Clock,
		Search: discover.Settings{Seed: r.Seed, Proposers: r.Proposers, Extra: r.Extra, JoinKernel: r.JoinKernel}})
}

// MotionTable returns measurements of m from each of its initial states. The columns are run, t and
// the states. The Gaussian errors of a state have the standard deviation noise × RMS of the state.
func MotionTable(m corpus.Motion, noise float64, rng *rand.Rand) (*dataset.Table, error) {
	var rates []expr.Tree
	if m.Order == 2 {
		for k := range m.Laws {
			rates = append(rates, expr.X(len(m.Laws)+k))
		}
	}
	for _, p := range m.Laws {
		t, err := p.Tree()
		if err != nil {
			return nil, err
		}
		rates = append(rates, t)
	}
	field := motion.NewField(rates, 0, false)
	times := m.Times()
	t := &dataset.Table{Name: m.ID, Vars: []dataset.Column{{Name: "run"}, {Name: "t"}}}
	for _, s := range m.States {
		t.Vars = append(t.Vars, dataset.Column{Name: s})
	}
	for r, start := range m.Starts {
		x := motion.Simulate(field, start, times, nil)
		for i := range times {
			t.Vars[0].Values = append(t.Vars[0].Values, float64(r+1))
			t.Vars[1].Values = append(t.Vars[1].Values, times[i])
			for k := range m.States {
				t.Vars[2+k].Values = append(t.Vars[2+k].Values, x[k][i])
			}
		}
	}
	for k := range m.States {
		v := t.Vars[2+k].Values
		sigma := noise * dataset.RMS(v)
		if math.IsNaN(sigma) {
			return nil, fmt.Errorf("%s: the trajectories leave the domain of the laws: choose other starts or a shorter time", m.ID)
		}
		for i := range v {
			if sigma > 0 {
				v[i] += sigma * rng.NormFloat64()
			}
		}
	}
	last := len(t.Vars) - 1
	t.Target, t.Vars = t.Vars[last], t.Vars[:last]
	return t, nil
}
