package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/bench/accept"
	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/survey"
)

// TablesOptions state which tables to search, and how. The zero value means all tables of package
// tables that are used to develop this program, one at a time, with 20 seconds for each.
type TablesOptions struct {
	Tables []tables.Table // nil: those of tables.All in the set tables.Developed

	// Settings are the settings of each search. If a table states its noise, that noise replaces
	// Settings.Noise. Time 0 is 20 s, or no limit if Evaluations are limited.
	Settings discover.Settings

	// LeaveOut removes the accepted forms of a table from the prior of its search. The table is
	// then searched as if nobody knew its law.
	LeaveOut bool

	Jobs int // number of tables at a time; 0: 1. A single search already uses all cores.

	// Out is the results file, to which a line is appended for each table. Tables that already have
	// a line are not searched again. "" means none.
	Out string

	Done func(TableReport) // called after each table, never concurrently; may be nil

	discover discoverer
}

// TableReport is the argument of TablesOptions.Done: the state after one more table.
type TableReport struct {
	TableRecord
	Resumed     bool // read from the results file
	Done, Total int  // tables done, this one included, and tables in all
}

// TableTime is the default time for a search.
const TableTime = 20 * time.Second

// Tables searches small tables as physlib discover does. Package accept judges whether a scientist
// accepts the chosen law. If Settings.NoUnits is set, tables that have no units are omitted.
//
// When ctx ends, unfinished searches are dropped. Tables then returns the finished records and the
// cause. A search that fails has a record with an Error, and is repeated when the run is resumed.
func Tables(ctx context.Context, o TablesOptions) ([]TableRecord, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	problems, err := o.problems()
	if err != nil {
		return nil, err
	}
	r, err := o.begin(len(problems))
	if err != nil {
		return nil, err
	}
	defer r.file.Close()
	err = r.search(ctx, problems)
	return r.records, err
}

func (o TablesOptions) withDefaults() (TablesOptions, error) {
	if o.Jobs < 0 {
		return o, fmt.Errorf("%d jobs: give 1 or more", o.Jobs)
	}
	limit(&o.Settings, TableTime)
	return o, nil
}

// limit sets the time limit of s to usual. It changes nothing if s already limits the time or the
// evaluations.
func limit(s *discover.Settings, usual time.Duration) {
	switch {
	case s.Time != 0:
	case s.Evaluations > 0:
		s.Time = -1
	default:
		s.Time = usual
	}
}

// tablesRun is a run of searches.
type tablesRun struct {
	TablesOptions
	file    *results[TableRecord]
	old     []TableRecord // records of the results file
	version string
	total   int
	records []TableRecord
}

// begin opens the results file of a run with the given number of searches.
func (o TablesOptions) begin(total int) (*tablesRun, error) {
	file, old, err := openResults[TableRecord](o.Out, "tables")
	if err != nil {
		return nil, err
	}
	return &tablesRun{TablesOptions: o, file: file, old: old, version: Version(), total: total}, nil
}

// search searches the problems that have no record in the results file.
func (r *tablesRun) search(ctx context.Context, problems []*tableProblem) error {
	var left []*tableProblem
	for _, p := range problems {
		plan := r.plan(p)
		i := slices.IndexFunc(r.old, func(o TableRecord) bool { return o.Error == "" && o.sameRun(plan) })
		if i < 0 {
			left = append(left, p)
			continue
		}
		kept := r.old[i]
		p.settle(&kept)
		r.done(kept, true)
	}
	return inParallel(ctx, max(r.Jobs, 1), left, r.one, func(record TableRecord) error {
		if err := r.file.add(record); err != nil {
			return fmt.Errorf("results: %w", err)
		}
		r.done(record, false)
		return nil
	})
}

func (r *tablesRun) done(record TableRecord, resumed bool) {
	r.records = append(r.records, record)
	if r.Done != nil {
		r.Done(TableReport{TableRecord: record, Resumed: resumed, Done: len(r.records), Total: r.total})
	}
}

// tableProblem is a table or a variant of one, with the fits of its accepted forms.
type tableProblem struct {
	tables.Table
	data     *dataset.Table
	warnings []string
	*fits
	variant *variant     // nil: the table itself
	before  *TableRecord // for a variant: the record of the unchanged table
}

// fits are the accepted forms of a table, fitted to it. The variants of the table share them.
type fits struct {
	mu       sync.Mutex
	measured *accept.Table
	refs     []*accept.Reference
	bad      []int // numbers of the rows of the file that are known to be wrong
}

// settle judges the record r of p. For a variant, it also compares the law with that of the
// unchanged table.
func (p *tableProblem) settle(r *TableRecord) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.Judged = p.judge(*r)
	if p.variant != nil {
		holds := p.holds(*r)
		r.Holds = &holds
		if p.before.Result != nil && p.before.Result.Best != nil {
			r.Before = p.before.Result.Best.Law
		}
	}
}

// newTableProblem reads the table e and fits its accepted forms.
func newTableProblem(e tables.Table) (p *tableProblem, err error) {
	p = &tableProblem{Table: e, fits: &fits{}}
	if p.data, p.warnings, err = e.Read(); err != nil {
		return nil, err
	}
	if p.measured, err = accept.Measured(e); err != nil {
		return nil, err
	}
	for _, row := range e.BadRows {
		p.bad = append(p.bad, p.data.FileRows[row-1])
	}
	p.refs, err = accept.References(e, p.measured)
	return p, err
}

// problems reads the tables to be searched.
func (o TablesOptions) problems() ([]*tableProblem, error) {
	some := o.Tables
	if some == nil {
		all, err := tables.All()
		if err != nil {
			return nil, err
		}
		some = slices.DeleteFunc(all, func(t tables.Table) bool { return t.Set != tables.Developed })
	}
	var problems []*tableProblem
	for _, e := range some {
		p, err := newTableProblem(e)
		if err != nil {
			return nil, err
		}
		if o.Settings.NoUnits {
			if !p.hasUnits() {
				continue
			}
			e.Flags.Units = "none"
			if p, err = newTableProblem(e); err != nil {
				return nil, err
			}
		}
		problems = append(problems, p)
	}
	if len(problems) == 0 {
		return nil, errors.New("none of these tables has units")
	}
	return problems, nil
}

func (p *tableProblem) hasUnits() bool {
	hasUnit := func(c dataset.Column) bool { return c.HasUnit }
	return hasUnit(p.data.Target) || slices.ContainsFunc(p.data.Vars, hasUnit)
}

// settings returns the settings of the search for p.
func (r *tablesRun) settings(p *tableProblem) discover.Settings {
	s := r.Settings
	s.NoUnits = p.Flags.NoUnits()
	if sigma, known := p.Flags.Sigma(); known {
		s.Noise = discover.Noise{Known: true, Sigma: sigma}
	}
	if p.variant != nil {
		p.variant.settings(&s)
	}
	return s
}

// withoutAccepted returns the default prior without the accepted forms of p.
func (p *tableProblem) withoutAccepted() (mdl.Prior, error) {
	names := make([]string, len(p.data.Vars))
	for i, c := range p.data.Vars {
		names[i] = c.Name
	}
	accepted := make(map[uint64]bool)
	for _, text := range p.Accepted {
		t, err := expr.Parse(text, names)
		if err != nil {
			return nil, fmt.Errorf("%s: accepted form %s: %w", p.Name, text, err)
		}
		accepted[skeleton.Hash(t)] = true
		accepted[skeleton.Hash(t.MergeParams())] = true
		for h := range prior.FunctionHashes(t.Canonical()) {
			accepted[h] = true
		}
	}
	known := func(hash uint64) bool { return accepted[hash] }
	return survey.NewLaws(prior.Default().Except(known)), nil
}

// plan returns the record of p before its search: its settings without results.
func (r *tablesRun) plan(p *tableProblem) TableRecord {
	s := r.settings(p)
	record := TableRecord{
		File: p.Name + ".csv", Class: p.Class, Set: p.Set, Fingerprint: p.Fingerprint(), Units: !s.NoUnits,
		LeftOut: r.LeaveOut, Time: max(0, s.Time.Seconds()), Clock: clockName(s.Clock), Limit: s.Evaluations, Seed: s.Seed, Proposers: proposers(s.Proposers, s.Extra),
		Version: r.version,
	}
	if p.variant != nil {
		record.Variant = p.variant.kind
	}
	return record
}

// one searches the table p, judges the result and returns the record.
func (r *tablesRun) one(ctx context.Context, p *tableProblem) TableRecord {
	record := r.plan(p)
	set := r.settings(p)
	var err error
	if r.LeaveOut && len(p.Accepted) > 0 {
		set.Prior, err = p.withoutAccepted()
	}
	var found *discover.Result
	start, busy := time.Now(), clock.CPU()
	if err == nil {
		found, err = r.discover.search(ctx, p.data, set)
	}
	record.Wall, record.CPUSeconds, record.Load = time.Since(start).Seconds(), (clock.CPU() - busy).Seconds(), load()
	if err == nil {
		err = record.fill(found, p)
	}
	if err != nil {
		record.Code, record.Error = 1, err.Error()
	}
	p.settle(&record)
	return record
}

// fill sets the fields of r that describe the result of the search.
func (r *TableRecord) fill(found *discover.Result, p *tableProblem) (err error) {
	r.Verdict = found.Verdict
	r.Messages = strings.Join(append(slices.Clone(p.warnings), found.Warnings...), "\n")
	if r.Result, err = tableResult(found); err != nil {
		return err
	}
	for _, i := range found.Outliers {
		r.Result.Outliers = append(r.Result.Outliers, p.data.FileRows[i])
	}
	if r.Result.Best == nil {
		r.Code = 3
		return nil
	}
	r.Probability, r.Features = stated(found), features(found)
	return nil
}

// tableResult returns the laws found in the form of records. Best is nil if no law was found.
func tableResult(found *discover.Result) (*TableResult, error) {
	r := &TableResult{Front: []TableLaw{}, Evaluations: found.Evaluations, Stopped: string(found.Stopped)}
	for _, l := range found.Front {
		reported, err := report(l)
		if err != nil {
			return nil, err
		}
		r.Front = append(r.Front, reported)
	}
	if found.Best.Tree.Len() == 0 {
		return r, nil
	}
	best, err := report(found.Best)
	r.Best = &best
	return r, err
}

// Rejudge judges the recorded results of the given tables once more, without a search. Results of
// other tables are omitted. The result of a variant is also omitted if its unchanged table has no
// result.
func Rejudge(some []tables.Table, results []TableRecord) ([]TableRecord, error) {
	var records []TableRecord
	find := func(p *tableProblem, kind string) *TableRecord {
		i := slices.IndexFunc(results, func(r TableRecord) bool {
			return r.File == p.Name+".csv" && r.Variant == kind
		})
		if i < 0 {
			return nil
		}
		r := results[i]
		r.Class, r.Set = p.Class, p.Set
		p.settle(&r)
		records = append(records, r)
		return &r
	}
	for _, e := range some {
		if !slices.ContainsFunc(results, func(r TableRecord) bool { return r.File == e.Name+".csv" }) {
			continue
		}
		p, err := newTableProblem(e)
		if err != nil {
			return nil, err
		}
		before := find(p, "")
		if before == nil || before.Error != "" {
			continue
		}
		for _, v := range p.variants() {
			v.before = before
			find(v, v.variant.kind)
		}
	}
	if len(records) == 0 {
		return nil, errors.New("the results are of none of these tables")
	}
	return records, nil
}
