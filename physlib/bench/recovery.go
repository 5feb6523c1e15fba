package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/pair"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/survey"
	"github.com/physlib/lab/physlib/unit"
)

// RecoveryOptions are the laws and conditions of a recovery benchmark. Suite must be set. By
// default the data are 1000 rows without noise and with units. Laws are searched one at a time,
// each for up to 60 seconds, and no results file is written.
type RecoveryOptions struct {
	Suite    string        // name of the suite, see corpus.Suite
	IDs      []string      // laws of the suite; nil: all
	Noise    float64       // standard deviation of the noise, relative to the RMS of the target
	Digits   int           // significant digits to which each number is rounded; 0: all
	Outliers float64       // share of rows with an error
	Fault    Fault         // kind of the errors in these rows
	NoUnits  bool          // hide the units
	Time     time.Duration // time limit of the search for one law; 0: 60 s
	// Clock that measures Time. If it measures processor time, all jobs share that time.
	Clock clock.Clock
	Rows  int // number of rows of each table; 0: 1000
	// Number of laws for which searches run at a time; 0: 1. A single search already uses all
	// cores.
	Jobs int
	Seed int64
	// Out is the results file, to which a line is appended for each law. Laws that already have a
	// line are not searched again. "" means none.
	Out   string
	SymPy bool         // also judge by SRBench's rules; needs python3 with sympy
	Done  func(Report) // called after each law, never concurrently; may be nil

	Proposers  []string                 // see discover.Settings
	Extra      []discover.NamedProposer // see discover.Settings
	JoinKernel pair.Kernel              // see discover.Settings

	discover discoverer
}

// Report is the argument of RecoveryOptions.Done: the state after one more law.
type Report struct {
	Record
	Resumed     bool // read from the results file
	Done, Total int  // number of laws done, including this one, and in all
}

// Recovery runs the protocol. When ctx ends, unfinished searches are dropped. Recovery then returns
// the summary of the finished ones and the cause. A law whose search fails counts as not recovered
// and has a Record.Error. It is searched again when the run is resumed.
func Recovery(ctx context.Context, o RecoveryOptions) (Summary, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Summary{}, err
	}
	problems, err := o.problems()
	if err != nil {
		return Summary{}, err
	}
	var sympy *sympyJudge
	if o.SymPy {
		if sympy, err = startSymPy(ctx); err != nil {
			return Summary{}, err
		}
		defer sympy.Close()
	}
	file, old, err := openResults[Record](o.Out, "recovery")
	if err != nil {
		return Summary{}, err
	}
	defer file.Close()
	known, err := unknown(o.Suite)
	if err != nil {
		return Summary{}, err
	}
	r := &recovery{RecoveryOptions: o, file: file, sympy: sympy, version: Version(), total: len(problems), prior: known}
	return r.run(ctx, problems, old)
}

func (o RecoveryOptions) withDefaults() (RecoveryOptions, error) {
	if o.Noise < 0 || math.IsNaN(o.Noise) || math.IsInf(o.Noise, 0) {
		return o, fmt.Errorf("noise %g: give a share of the target's RMS, such as 0.01", o.Noise)
	}
	if o.Digits < 0 || o.Digits > 17 {
		return o, fmt.Errorf("%d digits: give 1 to 17, or 0 for all", o.Digits)
	}
	if !(o.Outliers >= 0 && o.Outliers < 0.5) {
		return o, fmt.Errorf("outliers %g: give a share of the rows below one half, such as 0.05", o.Outliers)
	}
	var err error
	if o.Fault, err = o.Fault.short(); err != nil {
		return o, err
	}
	if o.Outliers == 0 {
		o.Fault = ""
	}
	if o.Rows < 0 || o.Jobs < 0 {
		return o, fmt.Errorf("%d rows, %d jobs: neither may be negative", o.Rows, o.Jobs)
	}
	if o.Time == 0 {
		o.Time = 60 * time.Second
	}
	if o.Rows == 0 {
		o.Rows = 1000
	}
	o.Jobs = max(o.Jobs, 1)
	return o, nil
}

// unknown returns the prior of the catalogue without the laws of a suite, so that the prior does
// not contain the true laws.
func unknown(suite string) (mdl.Prior, error) {
	all, err := corpus.Suite(suite)
	if err != nil {
		return nil, err
	}
	m, err := prior.Without(all)
	if err != nil {
		return nil, err
	}
	return survey.NewLaws(m), nil
}

// problems returns the laws that o.IDs names, or all laws if o.IDs is nil, in the order of the
// suite.
func (o RecoveryOptions) problems() ([]corpus.Problem, error) {
	all, err := corpus.Suite(o.Suite)
	if err != nil || len(o.IDs) == 0 {
		return all, err
	}
	for _, id := range o.IDs {
		if !slices.ContainsFunc(all, func(p corpus.Problem) bool { return p.ID == id }) {
			return nil, fmt.Errorf("suite %s has no law %q: its first ids are %s", o.Suite, id, firstIDs(all))
		}
	}
	return slices.DeleteFunc(all, func(p corpus.Problem) bool { return !slices.Contains(o.IDs, p.ID) }), nil
}

func firstIDs(ps []corpus.Problem) string {
	var ids []string
	for _, p := range ps[:min(5, len(ps))] {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, ", ")
}

// recovery is a run of the protocol.
type recovery struct {
	RecoveryOptions
	file    *results[Record]
	sympy   *sympyJudge // nil: no verdicts of SymPy
	prior   mdl.Prior   // trained without the laws of the suite
	version string
	total   int

	records []Record
}

func (r *recovery) run(ctx context.Context, problems []corpus.Problem, old []Record) (Summary, error) {
	err := inParallel(ctx, r.Jobs, r.left(problems, old), r.one, func(record Record) error {
		if err := r.file.add(record); err != nil {
			return fmt.Errorf("results: %w", err)
		}
		r.done(record, false)
		return nil
	})
	return Summarize(r.records), err
}

// left returns the problems without a result in old. It calls done for each problem that has one.
func (r *recovery) left(problems []corpus.Problem, old []Record) (left []corpus.Problem) {
	for _, p := range problems {
		plan := r.plan(p)
		if i := slices.IndexFunc(old, func(o Record) bool { return o.Error == "" && o.sameRun(plan) }); i >= 0 {
			r.done(old[i], true)
		} else {
			left = append(left, p)
		}
	}
	return left
}

func (r *recovery) done(record Record, resumed bool) {
	r.records = append(r.records, record)
	if r.Done != nil {
		r.Done(Report{Record: record, Resumed: resumed, Done: len(r.records), Total: r.total})
	}
}

// plan returns the record of p before its search: the settings without results.
func (r *recovery) plan(p corpus.Problem) Record {
	rec := Record{
		ID: p.ID, Suite: p.Set, Target: p.Output, True: p.Law, Front: []string{},
		Noise: r.Noise, Digits: r.Digits, Outliers: r.Outliers, Fault: r.Fault, Units: !r.NoUnits, Time: r.Time.Seconds(), Clock: clockName(r.Clock),
		Seed: r.Seed, Rows: r.Rows, Version: r.version, Machine: Machine(),
		Proposers: proposers(r.RecoveryOptions.Proposers, r.Extra),
	}
	for _, v := range p.Vars {
		rec.Variables = append(rec.Variables, Variable{v.Name, v.Low, v.High, v.Unit, v.Sampling})
	}
	return rec
}

// clockName returns the name of c in records: "" for wall time.
func clockName(c clock.Clock) string {
	if c == clock.Processor {
		return string(c)
	}
	return ""
}

// proposers returns the sorted names of the Proposers that take part. The names are those of
// discover.Settings.Proposers.
func proposers(names []string, extra []discover.NamedProposer) []string {
	names = slices.Clone(names)
	if names == nil {
		names = []string{discover.Search, discover.Genetic}
		for _, p := range extra {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// one searches for the law of p, compares the result with the truth and returns the record.
func (r *recovery) one(ctx context.Context, p corpus.Problem) Record {
	record := r.plan(p)
	table, err := r.table(p)
	if err != nil {
		record.Error = err.Error()
		return record
	}
	start, busy := time.Now(), clock.CPU()
	found, err := r.search(ctx, table)
	record.Seconds, record.CPUSeconds, record.Load = time.Since(start).Seconds(), (clock.CPU() - busy).Seconds(), load()
	if err != nil {
		record.Error = err.Error()
		return record
	}
	if err := r.judge(ctx, p, found, &record); err != nil {
		record.Error = err.Error()
	}
	return record
}

// Streams of random numbers, one for each use, so that the uses are independent.
const (
	streamData = iota
	streamNoise
	streamJudge
	streamOutliers
)

// rng returns a generator of random numbers for the law p. Its numbers depend on the law, on the
// seed, and on the stream, which stands for one use of random numbers.
func (r *recovery) rng(p corpus.Problem, stream uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(p.ID))
	return rand.New(rand.NewPCG(h.Sum64()+stream, uint64(r.Seed)))
}

// table returns the data for p. As the options require, they have noise, rounding and errors in
// some rows, or no units.
func (r *recovery) table(p corpus.Problem) (*dataset.Table, error) {
	t, err := p.Measure(r.Rows, r.rng(p, streamData))
	if err != nil {
		return nil, err
	}
	sigma, rng := r.Noise*dataset.RMS(t.Target.Values), r.rng(p, streamNoise)
	if sigma > 0 {
		for i := range t.Target.Values {
			t.Target.Values[i] += sigma * rng.NormFloat64()
		}
	}
	if r.Digits > 0 {
		round(t.Target.Values, r.Digits)
		for _, v := range t.Vars {
			round(v.Values, r.Digits)
		}
	}
	r.Fault.spoil(t, r.Outliers, r.rng(p, streamOutliers))
	if r.NoUnits {
		t.Target.HasUnit, t.Target.Unit = false, unit.Unit{}
		for i := range t.Vars {
			t.Vars[i].HasUnit, t.Vars[i].Unit = false, unit.Unit{}
		}
	}
	return t, nil
}

// round rounds values to the given number of significant digits.
func round(values []float64, digits int) {
	for i, v := range values {
		// FormatFloat always writes a valid number.
		values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	}
}

// search searches for the law of t with the settings of the run.
func (r *recovery) search(ctx context.Context, t *dataset.Table) (*discover.Result, error) {
	return r.discover.search(ctx, t, discover.Settings{Time: r.Time, Clock: r.Clock, Seed: r.Seed, NoUnits: r.NoUnits, Proposers: r.Proposers, Extra: r.Extra, JoinKernel: r.JoinKernel, Prior: r.prior})
}

// discoverer is the type of discover.Discover. A test may set another function; nil means
// discover.Discover.
type discoverer func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error)

// search calls d and returns a panic in the calling goroutine as an error, so that one law does not
// end the run.
func (d discoverer) search(ctx context.Context, t *dataset.Table, s discover.Settings) (found *discover.Result, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	if d == nil {
		d = discover.Discover
	}
	return d(ctx, t, s)
}

// judge compares the laws found with the truth and sets the results in record.
func (r *recovery) judge(ctx context.Context, p corpus.Problem, found *discover.Result, record *Record) error {
	j, err := newJudge(p, r.Noise > 0 || r.Digits > 0 || p.Path != "", r.rng(p, streamJudge))
	if err != nil {
		return err
	}
	record.Stopped, record.Evals = string(found.Stopped), found.Evaluations
	for _, l := range found.Front {
		record.Front = append(record.Front, l.Infix())
		record.FrontExact = record.FrontExact || j.judge(l).exact
	}
	best := found.Best
	if best.Tree.Len() == 0 {
		return nil
	}
	v := j.judge(best)
	record.Found, record.SymPy, record.UnitsOK, record.Proposer = best.Infix(), best.SymPy(), best.UnitsOK, best.Proposer
	record.Exact, record.Identical = v.exact, v.identical
	record.FrontExact = record.FrontExact || v.exact
	if r2 := j.r2(best); !math.IsNaN(r2) && !math.IsInf(r2, 0) {
		record.R2 = &r2
	}
	if r.sympy != nil {
		r.sympy.judge(ctx, p, j, best, record)
	}
	return nil
}
