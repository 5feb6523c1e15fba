package ablate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/adapt"
	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/system"
)

// lab opens systems. It keeps the last system open, since many runs differ only in how they decode.
type lab struct {
	backend compute.Backend
	name    string // name of the backend, as for --backend
	key     string
	sys     *system.System
}

// open returns the system of a run with trained weights from file. "" means the weights embedded
// for the preset.
func (l *lab) open(r *Run, file string) (*system.System, error) {
	network := *r.Config
	network.Name, network.About, network.Refine = "", "", system.RefineConfig{}
	text, err := json.Marshal(network)
	if err != nil {
		return nil, err
	}
	// Batch sizes for a shared block and for a beam are fixed when a system is opened. So the key
	// includes the preset.
	key := fmt.Sprint(string(text), r.Preset, file)
	if l.sys != nil && l.key == key {
		l.sys.SetRefine(r.Config.Refine)
		return l.sys, nil
	}
	l.close()
	var weights io.Reader
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
		defer f.Close()
		weights = f
	} else {
		data, err := system.Weights(r.Preset)
		if err != nil {
			return nil, err
		}
		weights = bytes.NewReader(data)
	}
	if l.sys, err = system.Open(l.backend, r.Config, weights); err != nil {
		l.sys = nil
		return nil, err
	}
	l.key = key
	return l.sys, nil
}

func (l *lab) close() {
	if l.sys != nil {
		l.sys.Close()
		l.sys = nil
	}
}

// proposals yields the proposals of a plain or an adapted system.
type proposals func(ctx context.Context, p *dataset.Problem) iter.Seq2[system.Proposal, error]

// proposalsOf returns the proposals of a system. If the score requests adaptation, it returns those
// of the system adapted to each table. done frees the resources of the adaptation.
func proposalsOf(sys *system.System, r *Run) (p proposals, done func()) {
	if !r.Score.Adapt {
		return sys.Proposals, func() {}
	}
	a := &adapt.Proposer{System: sys, Settings: r.Config.Adapt}
	return func(ctx context.Context, p *dataset.Problem) iter.Seq2[system.Proposal, error] {
		return func(yield func(system.Proposal, error) bool) {
			for law, err := range a.Propose(ctx, p) {
				if !yield(system.Proposal{Law: law, Last: true}, err) {
					return
				}
			}
		}
	}, a.Close
}

// recorder is a discover.Proposer that yields the proposals of another one and records those for
// the current problem.
type recorder struct {
	propose  proposals
	seconds  float64               // limit of processor time per problem; 0: no limit
	problem  *dataset.Problem      // the current problem
	distinct []*candidate          // distinct forms proposed for problem, in order
	known    map[string]*candidate // the forms in distinct, by skeleton
	n        int                   // number of proposals
	used     float64               // processor time in seconds
}

// candidate is a proposed form, and how often it was proposed.
type candidate struct {
	law, skeleton expr.Tree
	visits, last  int
	r2            float64
}

// Propose implements discover.Proposer.
func (c *recorder) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		c.problem, c.distinct, c.known, c.n = p, nil, map[string]*candidate{}, 0
		began := clock.CPU()
		defer func() { c.used = (clock.CPU() - began).Seconds() }()
		for proposal, err := range c.propose(ctx, p) {
			if err == nil {
				c.add(proposal)
			}
			if !yield(proposal.Law, err) || c.seconds > 0 && (clock.CPU()-began).Seconds() > c.seconds {
				return
			}
		}
	}
}

// add records a proposal.
func (c *recorder) add(p system.Proposal) {
	skel, _, ok := stream.Skeleton(p.Law)
	if !ok {
		skel = p.Law
	}
	key := skel.String()
	found := c.known[key]
	if found == nil {
		found = &candidate{law: p.Law, skeleton: skel, r2: math.Inf(-1)}
		c.known[key] = found
		c.distinct = append(c.distinct, found)
	}
	c.n++
	found.visits++
	if p.Last {
		found.last++
	}
}

// outcome summarizes the recorded candidates for the law of record r, whose true form is r.True.
func (c *recorder) outcome(r bench.CandidateRecord) Outcome {
	o := Outcome{ID: r.ID, Tokens: r.Tokens, Among: r.Rank > 0, Candidates: c.n, Distinct: len(c.distinct), Seconds: c.used, Chosen: map[string]bool{}}
	names := make([]string, len(c.problem.Vars))
	for i, v := range c.problem.Vars {
		names[i] = v.Name
	}
	c.fit()
	for _, how := range chooses {
		best := choose(how, c.distinct)
		o.Chosen[how] = best != nil && best.skeleton.Infix(names) == r.True
	}
	for _, d := range c.distinct {
		o.R2 = max(o.R2, d.r2)
	}
	return o
}

// fit sets R² of all candidates on the rows of the problem.
func (c *recorder) fit() {
	cols, y := c.problem.Cols(), c.problem.Target.Values
	mean, total := 0.0, 0.0
	for i, v := range y {
		mean += (v - mean) / float64(i+1)
	}
	for _, v := range y {
		total += (v - mean) * (v - mean)
	}
	var f fit.Fitter
	for _, d := range c.distinct {
		if res, err := f.Fit(d.law, cols, y, nil, fit.Settings{Starts: 1, MaxIter: 40}); err == nil && total > 0 && !math.IsNaN(res.RSS) {
			d.r2 = 1 - res.RSS/total
		}
	}
}

// choose returns the candidate that a rule chooses, or nil if there is none. The rules are:
//   - best-fit: the shortest of the candidates within 10⁻⁹ of the highest R²
//   - most-visited: the most frequent candidate (PhysMDT §5, ARChitects §2)
//   - last: the most frequent of the results of refinement rounds
//   - first: the candidate that was proposed first
func choose(how string, all []*candidate) *candidate {
	if len(all) == 0 {
		return nil
	}
	switch how {
	case "first":
		return all[0]
	case "best-fit":
		top := math.Inf(-1)
		for _, c := range all {
			top = max(top, c.r2)
		}
		var best *candidate
		for _, c := range all {
			if c.r2 >= top-1e-9 && (best == nil || c.skeleton.Len() < best.skeleton.Len()) {
				best = c
			}
		}
		return best
	}
	count := func(c *candidate) int { return c.visits }
	if how == "last" {
		count = func(c *candidate) int { return c.last }
	}
	best := slices.MaxFunc(all, func(a, b *candidate) int { return count(a) - count(b) })
	if count(best) == 0 {
		return nil
	}
	return best
}

// judge requests candidates for each law that r.Score selects, and returns the outcome for each.
// progress is called after each law.
func judge(ctx context.Context, propose proposals, r *Run, progress func(done, total int)) ([]Outcome, error) {
	v, err := r.Config.Vocabulary()
	if err != nil {
		return nil, err
	}
	rec := &recorder{propose: propose, seconds: r.Score.Seconds}
	var all []Outcome
	var failed error
	_, err = bench.Candidates(ctx, bench.CandidatesOptions{Proposer: rec, Suite: r.Score.Suite, Laws: r.Score.Laws, Rows: r.Score.Rows, Samples: math.MaxInt,
		MaxVars: r.Config.Encoder.Cols, MaxTokens: r.Config.Seq, Vocabulary: v, NoUnits: r.Score.NoUnits, NoFit: true, Seed: r.Seed,
		Done: func(record bench.CandidateRecord, done, total int) {
			if record.Error != "" && failed == nil {
				failed = fmt.Errorf("law %s: %s", record.ID, record.Error)
			}
			all = append(all, rec.outcome(record))
			progress(done, total)
		}})
	return all, errors.Join(failed, err)
}

// speed returns the median processor time per law, and the candidates per second. The median is
// hardly affected by laws during which programs were compiled.
func speed(all []Outcome) map[string]float64 {
	var seconds, candidates []float64
	for _, o := range all {
		seconds, candidates = append(seconds, o.Seconds), append(candidates, float64(o.Candidates))
	}
	if len(all) == 0 {
		return nil
	}
	s, n := median(seconds), median(candidates)
	return map[string]float64{"cpu_seconds": s, "candidates_per_cpu_second": n / s}
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
