package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/search"
)

// LedgerOptions say for which laws each part of the search is measured. The zero value is 120
// random laws of seed 0, 200 rows each, 5 seconds of processor time for each part.
type LedgerOptions struct {
	Laws int // 0: 120
	Seed uint64
	Rows int           // 0: 200
	Time time.Duration // of processor time for each part; 0: 5 s
	Out  string        // results file, a line appended for each law; what it holds is not measured again

	Done func(LedgerRecord, int) // called for each law with the number of those done; may be nil
}

// LedgerRecord is what the parts of the search did with one law.
type LedgerRecord struct {
	Index     uint64  `json:"index"`
	Seed      uint64  `json:"seed"`
	Kind      string  `json:"kind"` // as [synthetic.Law]
	Law       string  `json:"law"`
	Class     string  `json:"class"` // as [search.Class]
	Variables int     `json:"variables"`
	Rows      int     `json:"rows"`
	Noise     float64 `json:"noise"` // standard deviation relative to the root mean square of the target
	Time      float64 `json:"time"`  // seconds of processor time for each part
	Parts     []PartRecord
	Version   string `json:"version"`
	Machine   string `json:"machine"`
	Error     string `json:"error,omitempty"`
}

// PartRecord is what one part did.
type PartRecord struct {
	Part    string  `json:"part"`    // as [search.Part]
	Found   bool    `json:"found"`   // the law
	Seconds float64 `json:"seconds"` // of processor time, to the law or to the end
	Laws    int     `json:"laws"`    // expressions proposed
}

// noisyLaw is which of the laws have noise: one in so many.
const (
	noisyLaw    = 3
	ledgerNoise = 0.01
)

// Ledger runs every part of the search alone on random laws, and tells which laws each finds in
// what time. A part that looks deeper is not run once a shallower one has found the law.
//
// Expressions are fitted at up to 100 rows, promising ones at all. A law of exact data is found by
// an expression whose error at further rows is below 10⁻⁶; one of noisy data by an expression that
// leaves no more than the noise, and that is exact in this sense once it is fitted to data without
// noise. An expression of more than twice as many nodes as the law is taken for an approximation.
func Ledger(ctx context.Context, o LedgerOptions) ([]LedgerRecord, error) {
	if o.Laws == 0 {
		o.Laws = 120
	}
	if o.Rows == 0 {
		o.Rows = 200
	}
	if o.Time == 0 {
		o.Time = 5 * time.Second
	}
	file, old, err := openResults[LedgerRecord](o.Out, "ledger")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []LedgerRecord
	for i := range uint64(o.Laws) {
		plan := LedgerRecord{Index: i, Seed: o.Seed, Rows: o.Rows, Time: o.Time.Seconds(), Version: Version(), Machine: Machine()}
		k := slices.IndexFunc(old, func(r LedgerRecord) bool {
			return r.Index == i && r.Seed == o.Seed && r.Rows == o.Rows && r.Time == plan.Time
		})
		if k >= 0 {
			all = append(all, old[k])
			continue
		}
		r := o.measure(ctx, plan)
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

// measure runs the parts on one law.
func (o LedgerOptions) measure(ctx context.Context, r LedgerRecord) LedgerRecord {
	l, err := synthetic.Exact(o.Seed, r.Index, o.Rows)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Kind, r.Law, r.Variables = l.Kind, l.Name, len(l.Data.Vars)
	rng := rand.New(rand.NewPCG(o.Seed, r.Index))
	hidden := l.Kind == synthetic.Sums || rng.Float64() < 0.4
	if r.Index%noisyLaw == noisyLaw-1 {
		r.Noise = ledgerNoise
	}
	s := discover.Settings{NoUnits: hidden}
	j := &ledgerJudge{clean: discover.Pose(l.Data, s), fresh: discover.Pose(l.Fresh, s), noise: r.Noise, longest: 2*l.Tree.Len() + 8}
	j.rescale()
	j.noisy = *j.clean
	j.noisy.Target.Values = slices.Clone(j.clean.Target.Values)
	for i := range j.noisy.Target.Values {
		j.noisy.Target.Values[i] += r.Noise * rms(j.clean.Target.Values) * rng.NormFloat64()
	}
	r.Class = search.ClassOf(&j.noisy).String()
	for _, p := range search.Parts() {
		if ctx.Err() != nil {
			return r
		}
		if r.simple() || deeper(r.Parts, p) || p.View.Units() && !j.noisy.Units {
			continue
		}
		r.Parts = append(r.Parts, j.run(ctx, p, o.Time))
	}
	return r
}

// simple reports whether the simplest laws contain that of r: no other part needs to find it.
func (r LedgerRecord) simple() bool {
	return slices.ContainsFunc(r.Parts, func(p PartRecord) bool {
		part, ok := search.ParsePart(p.Part)
		return ok && part.Method == search.Simplest && p.Found
	})
}

// deeper reports whether a shallower part than p, otherwise the same, has found the law.
func deeper(done []PartRecord, p search.Part) bool {
	if p.Depth == 0 {
		return false
	}
	p.Depth--
	i := slices.IndexFunc(done, func(r PartRecord) bool { return r.Part == p.String() })
	return deeper(done, p) || i >= 0 && done[i].Found
}

// ledgerJudge decides whether an expression is the law.
type ledgerJudge struct {
	clean, fresh *dataset.Problem
	noisy        dataset.Problem
	noise        float64
	longest      int // nodes of an expression that is still the law and no approximation
	fitter       fit.Fitter
}

// rescale brings the fresh rows to the scales of the others.
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

// run measures one part.
func (j *ledgerJudge) run(ctx context.Context, p search.Part, limit time.Duration) PartRecord {
	r := PartRecord{Part: p.String()}
	start := clock.CPU()
	ctx, cancel := clock.WithCPU(ctx, limit)
	defer cancel()
	problem := j.noisy
	for t := range (&search.Search{Only: []search.Part{p}}).Propose(ctx, &problem) {
		if r.Laws++; j.found(t) {
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
	ledgerRows   = 100  // of the first fit
	ledgerSteps  = 60   // of the first fit
	promising    = 1e-2 // relative error above which exact data are not fitted again
	exactlyFound = 1e-6
)

// found reports whether t is the law.
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

// fit fits t to so many rows of y; the error is relative to the root mean square of y, NaN where
// there is no fit.
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

// misfit returns the root mean square error of t relative to that of y.
func misfit(t expr.Tree, cols [][]float64, y, params []float64) float64 {
	v := make([]float64, len(y))
	expr.Compile(t).Eval(v, cols, params)
	for i := range v {
		v[i] -= y[i]
	}
	e := 0.0
	for _, x := range v {
		e += x * x
	}
	return math.Sqrt(e/float64(len(y))) / rms(y)
}
