package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/bench/accept"
	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// TablesOptions say which tables to search, and how. The zero value is all tables of package tables that developers may
// see, one at a time, 20 seconds each.
type TablesOptions struct {
	Tables   []tables.Table    // nil: the developed ones of tables.All
	Settings discover.Settings // of each search, with the noise of its table; Time 0: 20 s, or no limit where Evaluations are limited
	Jobs     int               // tables at a time; 0: 1. A search uses all cores by itself.
	Out      string            // results file, a line appended for each table; tables that it holds are not searched again. "": none
	Done     func(TableReport) // called for each table in turn; may be nil

	discover discoverer
}

// TableReport is what TablesOptions.Done is told.
type TableReport struct {
	TableRecord
	Resumed     bool // read from the results file
	Done, Total int  // tables done, this one included, of how many
}

// TableTime is the default time for a search.
const TableTime = 20 * time.Second

// Tables searches small tables as physlib discover does and judges by package accept whether the law chosen is one that
// a scientist accepts. With Settings.NoUnits the tables without units are left out. When ctx ends, the searches under
// way are dropped, and what is done comes with the cause. A search that fails is a record with an Error, and is tried
// again when the run is resumed.
func Tables(ctx context.Context, o TablesOptions) ([]TableRecord, error) {
	if o.Jobs < 0 {
		return nil, fmt.Errorf("%d jobs: give 1 or more", o.Jobs)
	}
	if o.Settings.Time == 0 {
		o.Settings.Time = TableTime
		if o.Settings.Evaluations > 0 {
			o.Settings.Time = -1
		}
	}
	problems, err := o.problems()
	if err != nil {
		return nil, err
	}
	file, old, err := openResults[TableRecord](o.Out, "tables")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	version := Version()
	var records []TableRecord
	done := func(r TableRecord, resumed bool) {
		records = append(records, r)
		if o.Done != nil {
			o.Done(TableReport{TableRecord: r, Resumed: resumed, Done: len(records), Total: len(problems)})
		}
	}
	var left []*tableProblem
	for _, p := range problems {
		p.plan = o.plan(p.Table)
		p.plan.Version = version
		i := slices.IndexFunc(old, func(r TableRecord) bool { return r.Error == "" && r.sameRun(p.plan) })
		if i < 0 {
			left = append(left, p)
			continue
		}
		kept := old[i]
		kept.Judged = p.judge(kept)
		done(kept, true)
	}
	one := func(ctx context.Context, p *tableProblem) TableRecord { return o.one(ctx, p) }
	err = inParallel(ctx, max(o.Jobs, 1), left, one, func(r TableRecord) error {
		if err := file.add(r); err != nil {
			return fmt.Errorf("results: %w", err)
		}
		done(r, false)
		return nil
	})
	return records, err
}

// tableProblem is a table with the fits of its accepted forms.
type tableProblem struct {
	tables.Table
	data     *dataset.Table
	warnings []string
	plan     TableRecord

	mu       sync.Mutex
	measured *accept.Table
	refs     []*accept.Reference
}

// newTableProblem reads e and fits its accepted forms.
func newTableProblem(e tables.Table) (p *tableProblem, err error) {
	p = &tableProblem{Table: e}
	if p.data, p.warnings, err = e.Read(); err != nil {
		return nil, err
	}
	if p.measured, err = accept.Measured(e); err != nil {
		return nil, err
	}
	p.refs, err = accept.References(e, p.measured)
	return p, err
}

// problems reads the tables.
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
	return p.data.Target.HasUnit || slices.ContainsFunc(p.data.Vars, func(c dataset.Column) bool { return c.HasUnit })
}

// plan is the record of t before its search.
func (o TablesOptions) plan(t tables.Table) TableRecord {
	s := o.Settings
	return TableRecord{
		File: t.Name + ".csv", Class: t.Class, Set: t.Set, Fingerprint: t.Fingerprint(), Units: !t.Flags.NoUnits(),
		Time: max(0, s.Time.Seconds()), Limit: s.Evaluations, Seed: s.Seed, Proposers: proposers(s.Proposers, s.Extra),
	}
}

// one searches and judges a table.
func (o TablesOptions) one(ctx context.Context, p *tableProblem) TableRecord {
	r := p.plan
	s := o.Settings
	s.NoUnits = p.Flags.NoUnits()
	if sigma, known := p.Flags.Sigma(); known {
		s.Noise = discover.Noise{Known: true, Sigma: sigma}
	}
	start := time.Now()
	found, err := o.discover.search(ctx, p.data, s)
	r.Wall = time.Since(start).Seconds()
	if err == nil {
		err = r.fill(found, p)
	}
	if err != nil {
		r.Code, r.Error = 1, err.Error()
	}
	r.Judged = p.judge(r)
	return r
}

// fill writes into r what was found.
func (r *TableRecord) fill(found *discover.Result, p *tableProblem) (err error) {
	r.Verdict = found.Verdict
	r.Messages = strings.Join(append(slices.Clone(p.warnings), found.Warnings...), "\n")
	r.Result = &TableResult{Front: []TableLaw{}, Evaluations: found.Evaluations, Stopped: found.Stopped}
	for _, i := range found.Outliers {
		r.Result.Outliers = append(r.Result.Outliers, p.data.FileRows[i])
	}
	for _, l := range found.Front {
		reported, err := report(l)
		if err != nil {
			return err
		}
		r.Result.Front = append(r.Result.Front, reported)
	}
	if found.Best.Tree.Len() == 0 {
		r.Code = 3
		return nil
	}
	best, err := report(found.Best)
	r.Result.Best = &best
	return err
}

// Rejudge judges results again, by the tables of these names. Results of other tables are left out.
func Rejudge(some []tables.Table, results []TableRecord) ([]TableRecord, error) {
	var records []TableRecord
	for _, e := range some {
		i := slices.IndexFunc(results, func(r TableRecord) bool { return r.File == e.Name+".csv" })
		if i < 0 {
			continue
		}
		p, err := newTableProblem(e)
		if err != nil {
			return nil, err
		}
		r := results[i]
		r.Class, r.Set = e.Class, cmp.Or(r.Set, e.Set)
		r.Judged = p.judge(r)
		records = append(records, r)
	}
	if len(records) == 0 {
		return nil, errors.New("the results are of none of these tables")
	}
	return records, nil
}
