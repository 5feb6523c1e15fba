package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/search"
)

// LedgerOptions state for which laws the parts of the search (search.Part) are measured. The zero
// value means 120 random laws of seed 0 with 200 rows each, and 5 seconds of processor time for
// each part and law.
type LedgerOptions struct {
	// Suite is the suite from which laws are taken, as in corpus.Suite; "" means random laws. The
	// schedule of the search learns only from random laws.
	Suite string
	Laws  int // number of laws; 0: 120, or all of the suite
	Seed  uint64
	Rows  int           // number of rows of each table; 0: 200
	Time  time.Duration // limit of processor time for each part; 0: 5 s
	// Out is the results file, to which a line is appended for each law. A law that has a line
	// without an error is not measured again.
	Out string

	Parts []search.Part // parts to measure; nil: all
	// Results of an earlier run with the same options. The results of parts that are not in Parts
	// are copied from it.
	From []LedgerRecord

	Done func(LedgerRecord, int) // called after each law with the number of laws done; may be nil
}

// LedgerRecord has the results of all parts of the search for one law.
type LedgerRecord struct {
	Suite     string `json:"suite,omitempty"` // "": random laws
	Index     uint64 `json:"index"`
	Seed      uint64 `json:"seed"`
	Kind      string `json:"kind"` // kind of the law, see [synthetic.Law]
	Law       string `json:"law"`
	Class     string `json:"class"` // name of the [search.Class]
	Variables int    `json:"variables"`
	Rows      int    `json:"rows"`
	// Standard deviation of the noise, relative to the root mean square of the target.
	Noise   float64      `json:"noise"`
	Time    float64      `json:"time"` // limit in seconds of processor time for each part
	Parts   []PartRecord `json:"parts"`
	Version string       `json:"version"`
	Machine string       `json:"machine"`
	Error   string       `json:"error,omitempty"`
}

// PartRecord has the result of one part for one law.
type PartRecord struct {
	Part    string  `json:"part"`    // name of the [search.Part]
	Found   bool    `json:"found"`   // whether the part found the law
	Seconds float64 `json:"seconds"` // processor time until the law was found, or until the end
	Laws    int     `json:"laws"`    // number of expressions proposed
	// Version that measured this part; "" if it is that of the LedgerRecord.
	Version string `json:"version,omitempty"`
}

// Noise and units of the random laws. Every third law (noisyLaw) has noise. Its standard deviation
// is ledgerNoise, relative to the RMS of the target.
const (
	noisyLaw    = 3
	ledgerNoise = 0.01
	hiddenUnits = 0.4 // share of the random laws whose units are hidden from the search
)

// Ledger runs every part of the search separately on random laws. It records which part finds which
// law, and in what time. If a part finds a law, parts of the same method with greater depth are
// skipped for this law.
//
// Expressions are first fitted to up to 100 rows, and promising ones to all rows. If the data are
// exact, an expression is the law if its relative error at fresh rows is below 10⁻⁶. If the data
// have noise, two conditions must hold. The residuals of the expression may not be larger than the
// noise. When it is refitted to data without noise, its error at fresh rows must be below 10⁻⁶.
//
// An expression with more than twice as many nodes as the law (plus 8) counts as an approximation.
func Ledger(ctx context.Context, o LedgerOptions) ([]LedgerRecord, error) {
	suite, err := o.suite()
	if err != nil {
		return nil, err
	}
	if o.Rows == 0 {
		o.Rows = 200
	}
	if o.Time == 0 {
		o.Time = 5 * time.Second
	}
	if o.Laws == 0 {
		o.Laws = cmp.Or(len(suite), 120)
	}
	if suite != nil {
		o.Laws = min(o.Laws, len(suite))
	}
	file, old, err := openResults[LedgerRecord](o.Out, "ledger")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []LedgerRecord
	for i := range uint64(o.Laws) {
		plan := LedgerRecord{Suite: o.Suite, Index: i, Seed: o.Seed, Rows: o.Rows, Time: o.Time.Seconds(), Version: Version(), Machine: Machine()}
		if k := slices.IndexFunc(old, plan.repeats); k >= 0 {
			all = append(all, old[k])
			continue
		}
		r := plan
		if k := slices.IndexFunc(o.From, plan.repeats); k >= 0 {
			r.Version, r.Machine, r.Parts = o.From[k].Version, o.From[k].Machine, o.kept(o.From[k].Parts)
			plan = r
		}
		l, err := o.law(suite, i)
		if err != nil {
			r.Error = err.Error()
		} else {
			r = o.measure(ctx, plan, l)
		}
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		if err := file.add(r); err != nil {
			return all, fmt.Errorf("results: %w", err)
		}
		all = append(all, r)
		if o.Done != nil {
			o.Done(r, len(all))
		}
	}
	return all, nil
}

// repeats reports whether r has the results for the law of plan with the same options.
func (plan LedgerRecord) repeats(r LedgerRecord) bool {
	return r.Error == "" && r.Index == plan.Index && r.Seed == plan.Seed && r.Rows == plan.Rows && r.Time == plan.Time && r.Suite == plan.Suite
}

// kept returns those of the parts that were already measured and need not be measured again.
func (o LedgerOptions) kept(parts []PartRecord) (all []PartRecord) {
	for _, r := range parts {
		p, ok := search.ParsePart(r.Part)
		if ok && len(o.Parts) > 0 && !slices.Contains(o.Parts, p) {
			all = append(all, r)
		}
	}
	return all
}

// suite returns the laws of o.Suite, nil for random laws.
func (o LedgerOptions) suite() ([]corpus.Problem, error) {
	if o.Suite == "" {
		return nil, nil
	}
	return corpus.Suite(o.Suite)
}

// law returns law i of the suite, or random law i if there is no suite.
func (o LedgerOptions) law(suite []corpus.Problem, i uint64) (l synthetic.Law, err error) {
	if suite == nil {
		return synthetic.Exact(o.Seed, i, o.Rows)
	}
	p := suite[i]
	l.Name, l.Kind = p.ID, p.Set
	if l.Tree, err = p.Tree(); err != nil {
		return l, err
	}
	if l.Data, err = p.Measure(o.Rows, rand.New(rand.NewPCG(o.Seed, i))); err != nil {
		return l, err
	}
	l.Fresh, err = p.Sample(o.Rows, rand.New(rand.NewPCG(o.Seed+1, i)))
	return l, err
}

// measure runs the parts on the law l and returns r with their results.
func (o LedgerOptions) measure(ctx context.Context, r LedgerRecord, l synthetic.Law) LedgerRecord {
	r.Kind, r.Law, r.Variables = l.Kind, l.Name, len(l.Data.Vars)
	rng := rand.New(rand.NewPCG(o.Seed, r.Index))
	hidden := l.Kind == synthetic.Sums || o.Suite == "" && rng.Float64() < hiddenUnits
	if o.Suite == "" && r.Index%noisyLaw == noisyLaw-1 {
		r.Noise = ledgerNoise
	}
	s := discover.Settings{NoUnits: hidden}
	j := &ledgerJudge{clean: discover.PrepareProblem(l.Data, s), fresh: discover.PrepareProblem(l.Fresh, s), noise: r.Noise, longest: 2*l.Tree.Len() + 8}
	j.rescale()
	j.noisy = *j.clean
	j.noisy.Target.Values = slices.Clone(j.clean.Target.Values)
	for i := range j.noisy.Target.Values {
		j.noisy.Target.Values[i] += r.Noise * dataset.RMS(j.clean.Target.Values) * rng.NormFloat64()
	}
	r.Class = search.ClassOf(&j.noisy).String()
	for _, p := range search.Parts() {
		if ctx.Err() != nil {
			return r
		}
		if r.simple() || r.needless(p) || p.View.Units() && !j.noisy.Units || len(o.Parts) > 0 && !slices.Contains(o.Parts, p) {
			continue
		}
		done := j.run(ctx, p, o.Time)
		if r.Version != Version() {
			done.Version = Version()
		}
		r.Parts = append(r.Parts, done)
	}
	return r
}

// Experience returns r in the form from which the schedule of the search is learned. It omits parts
// that the search no longer has.
func (r LedgerRecord) Experience() (e search.Experience, err error) {
	class, ok := search.ParseClass(r.Class)
	if !ok {
		return e, fmt.Errorf("law %d: there is no class %q; measure again", r.Index, r.Class)
	}
	e = search.Experience{Class: class, Variables: r.Variables, Noise: r.Noise > 0, Tried: map[search.Part]search.Trial{}}
	for _, t := range r.Parts {
		p, ok := search.ParsePart(t.Part)
		if !ok {
			continue
		}
		e.Tried[p] = search.Trial{Found: t.Found, Seconds: math.Round(t.Seconds*1000) / 1000, Truncated: !t.Found && t.Seconds >= r.Time}
	}
	return e, nil
}

// simple reports whether search.Simplest found the law of r. If so, the other parts need not run.
func (r LedgerRecord) simple() bool {
	return slices.ContainsFunc(r.Parts, func(p PartRecord) bool {
		part, ok := search.ParsePart(p.Part)
		return ok && part.Method == search.Simplest && p.Found
	})
}

// needless reports whether p need not run, because r shows that the same method ran at a smaller
// depth: either it found the law there, or it was a join that used all its time.
func (r LedgerRecord) needless(p search.Part) bool {
	for shallower := p; shallower.Depth > 0; {
		shallower.Depth--
		i := slices.IndexFunc(r.Parts, func(done PartRecord) bool { return done.Part == shallower.String() })
		if i >= 0 && (r.Parts[i].Found || p.Method.IsJoin() && r.Parts[i].Seconds >= r.Time) {
			return true
		}
	}
	return false
}

// ledgerJudge decides whether an expression is the true law.
type ledgerJudge struct {
	clean, fresh *dataset.Problem
	noisy        dataset.Problem
	noise        float64
	// Greatest number of nodes of an expression that counts as the law and not as an approximation.
	longest int
	fitter  fit.Fitter
}

// rescale converts the quantities of j.fresh to the units of those of j.clean. A law fitted to one
// problem can then be evaluated in the other.
func (j *ledgerJudge) rescale() {
	for i := range j.fresh.Vars {
		rescaled(&j.fresh.Vars[i], j.clean.Vars[i].Scale)
	}
	rescaled(&j.fresh.Target, j.clean.Target.Scale)
}

func rescaled(q *dataset.Quantity, scale float64) {
	f := scale / q.Scale
	for i := range q.Values {
		q.Values[i] *= f
	}
	q.Scale = scale
}

// run measures the part p.
func (j *ledgerJudge) run(ctx context.Context, p search.Part, limit time.Duration) PartRecord {
	r := PartRecord{Part: p.String()}
	start := clock.CPU()
	ctx, cancel := clock.WithCPU(ctx, limit)
	defer cancel()
	problem := j.noisy
	for t := range (&search.Search{Only: []search.Part{p}}).Propose(ctx, &problem) {
		r.Laws++
		if j.found(t) {
			r.Found = true
			break
		}
		if ctx.Err() != nil {
			break
		}
	}
	r.Seconds = (clock.CPU() - start).Seconds()
	return r
}

const (
	ledgerRows  = 100 // rows of the first fit
	ledgerSteps = 60  // iterations of the first fit
	// promising is a limit on the relative error of the first fit. If the data are exact, an
	// expression with a larger error is rejected.
	promising    = 1e-2
	exactlyFound = 1e-6
)

// found reports whether t is the true law.
func (j *ledgerJudge) found(t expr.Tree) bool {
	if t.Len() > j.longest {
		return false
	}
	y, bound := j.noisy.Target.Values, promising
	if j.noise > 0 {
		bound = 1.5 * j.noise
	}
	r, e := j.fit(t, min(ledgerRows, len(y)), y, fit.Settings{Starts: 1, MaxIter: ledgerSteps})
	if !(e <= bound) {
		return false
	}
	t = t.WithStarts(r)
	if r, e = j.fit(t, len(y), y, fit.Settings{Starts: 2}); j.noise > 0 && !(e <= 1.05*j.noise) {
		return false
	}
	t = t.WithStarts(r)
	if j.noise > 0 {
		if r, _ = j.fit(t, len(y), j.clean.Target.Values, fit.Settings{Starts: 1}); r == nil {
			return false
		}
	}
	at := make([][]float64, len(j.fresh.Vars))
	for i, v := range j.fresh.Vars {
		at[i] = v.Values
	}
	return misfit(t, at, j.fresh.Target.Values, r) < exactlyFound
}

// fit fits t to the first rows of y. err is the root mean square error divided by the root mean
// square of y. It is NaN if the fit fails.
func (j *ledgerJudge) fit(t expr.Tree, rows int, y []float64, s fit.Settings) (params []float64, err float64) {
	cols := make([][]float64, len(j.noisy.Vars))
	for i, v := range j.noisy.Vars {
		cols[i] = v.Values[:rows]
	}
	y = y[:rows]
	if t.NumParams() == 0 {
		return nil, misfit(t, cols, y, nil)
	}
	r, failed := j.fitter.Fit(t, cols, y, nil, s)
	if failed != nil {
		return nil, math.NaN()
	}
	return r.Params, misfit(t, cols, y, r.Params)
}

// misfit returns the root mean square error of t relative to the root mean square of y.
func misfit(t expr.Tree, cols [][]float64, y, params []float64) float64 {
	v := t.Values(len(y), cols, params)
	for i := range v {
		v[i] -= y[i]
	}
	return dataset.RMS(v) / dataset.RMS(y)
}
