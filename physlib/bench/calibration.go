package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/bench/accept"
	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/survey"
)

// CalibrationOptions state which random tables to draw and search, and how. The zero value means
// 600 tables of seed 0, searched one at a time for 5 seconds each.
type CalibrationOptions struct {
	Tables    int    // number of tables; 0: 600, or 64 with NoiseOnly
	Seed      uint64 // seed of the drawn tables
	NoiseOnly bool   // tables of pure noise, see synthetic.NoiseTable
	// Known keeps the law of each table in the catalogue, which the prior and the names of laws
	// follow. Most laws of real tables are in the catalogue.
	Known bool

	// Settings are the settings of each search except for Prior. Time 0 is 5 s, or no limit if
	// Evaluations are limited.
	Settings discover.Settings

	Jobs int // number of tables searched at a time; 0: 1
	// Out is the results file, to which a line is appended for each table. Tables that already have
	// a line are not searched again.
	Out string

	Done func(CalibrationReport) // called for each table; may be nil

	discover discoverer
}

// CalibrationReport is the argument of CalibrationOptions.Done: the state after one more table.
type CalibrationReport struct {
	CalibrationRecord
	Resumed     bool // whether the record was read from the results file
	Done, Total int  // number of tables done, including this one, and in all
}

// Defaults of a calibration.
const (
	CalibrationTime = 5 * time.Second
	calibrated      = 600
	noiseTables     = 64
)

// Calibration draws random tables (package synthetic) and searches them. Package accept judges
// whether the chosen law is the one that made the table.
//
// A prior that knows the law of a table makes the search easier. So the catalogue is divided into
// 16 parts by a hash of the law. The prior for a table is trained without the part that contains
// its law. With CalibrationOptions.Known, it is trained on the whole catalogue.
//
// When ctx ends, unfinished searches are dropped. Calibration then returns the finished records and
// the cause.
func Calibration(ctx context.Context, o CalibrationOptions) ([]CalibrationRecord, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	file, old, err := openResults[CalibrationRecord](o.Out, "calibration")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := &calibration{CalibrationOptions: o, version: Version()}
	done := func(record CalibrationRecord, resumed bool) {
		r.records = append(r.records, record)
		if o.Done != nil {
			o.Done(CalibrationReport{record, resumed, len(r.records), o.Tables})
		}
	}
	var left []uint64
	for i := range uint64(o.Tables) {
		plan := r.plan(i)
		k := slices.IndexFunc(old, func(o CalibrationRecord) bool { return o.Error == "" && o.sameRun(plan) })
		if k < 0 {
			left = append(left, i)
			continue
		}
		done(old[k], true)
	}
	err = inParallel(ctx, max(o.Jobs, 1), left, r.one, func(record CalibrationRecord) error {
		if err := file.add(record); err != nil {
			return fmt.Errorf("results: %w", err)
		}
		done(record, false)
		return nil
	})
	slices.SortStableFunc(r.records, func(a, b CalibrationRecord) int { return cmp.Compare(a.Index, b.Index) })
	return r.records, err
}

func (o CalibrationOptions) withDefaults() (CalibrationOptions, error) {
	if o.Jobs < 0 || o.Tables < 0 {
		return o, fmt.Errorf("%d tables, %d jobs: give 1 or more", o.Tables, o.Jobs)
	}
	if o.Tables == 0 {
		o.Tables = calibrated
		if o.NoiseOnly {
			o.Tables = noiseTables
		}
	}
	limit(&o.Settings, CalibrationTime)
	return o, nil
}

// calibration is a run of searches.
type calibration struct {
	CalibrationOptions
	version string
	records []CalibrationRecord
}

// plan returns the record of a table before its search: its settings without results.
func (r *calibration) plan(index uint64) CalibrationRecord {
	return CalibrationRecord{
		Index: index, TableSeed: r.CalibrationOptions.Seed, NoiseOnly: r.NoiseOnly, Known: r.Known,
		Time: max(0, r.Settings.Time.Seconds()), Clock: clockName(r.Settings.Clock), Limit: r.Settings.Evaluations, Seed: r.Settings.Seed,
		Proposers: proposers(r.Settings.Proposers, r.Settings.Extra), Version: r.version,
	}
}

// one draws, searches and judges the table with the given index.
func (r *calibration) one(ctx context.Context, index uint64) CalibrationRecord {
	record := r.plan(index)
	if err := r.search(ctx, &record); err != nil {
		record.Error = err.Error()
	}
	return record
}

func (r *calibration) search(ctx context.Context, record *CalibrationRecord) error {
	t, err := record.draw()
	if err != nil {
		return err
	}
	record.describe(t)
	s := r.Settings
	laws := survey.Catalogue()
	if !r.Known {
		laws = without(t)
	}
	s.Prior = laws
	if r.discover == nil && (s.Proposers == nil || slices.Contains(s.Proposers, discover.Forms)) {
		// The forms of a prior are listed only once, which takes time. They are listed before the
		// search, so that this time does not count as time of the search.
		survey.Candidates(mdl.New(t.Data, laws, true), 4*s.Evaluations)
	}
	start, busy := time.Now(), clock.CPU()
	found, err := r.discover.search(ctx, t.Data, s)
	record.Seconds, record.CPUSeconds, record.Load = time.Since(start).Seconds(), (clock.CPU() - busy).Seconds(), load()
	if err != nil {
		return err
	}
	if err := record.fill(found); err != nil {
		return err
	}
	return record.judge(t)
}

// draw returns the table that the record describes.
func (r *CalibrationRecord) draw() (synthetic.Table, error) {
	if r.NoiseOnly {
		return synthetic.NoiseTable(r.TableSeed, r.Index), nil
	}
	return synthetic.Draw(r.TableSeed, r.Index)
}

// judge records whether the chosen law is the one that made the table t, and whether some law of
// the front is. In a table of noise it is right to choose no law.
func (r *CalibrationRecord) judge(t synthetic.Table) error {
	r.Right, r.Front, r.Wider, r.Accept = false, false, false, nil
	var best *accept.Reported
	var front []accept.Reported
	if r.Result != nil {
		if r.Result.Best != nil {
			l := r.Result.Best.reported(nil)
			best = &l
		}
		for _, l := range r.Result.Front {
			front = append(front, l.reported(nil))
		}
	}
	if t.Form == "" {
		r.Right = best == nil
		return nil
	}
	table, ref, err := reference(t)
	if err != nil {
		return err
	}
	v := accept.Judge(table, []*accept.Reference{ref}, best, front, sure.MatchString(r.Verdict))
	r.Right, r.Front, r.Accept = v.Chosen, v.Front, &v
	r.Wider = best != nil && !v.Chosen && wider(*r.Result.Best, ref, table)
	return nil
}

// wider reports whether the true law is a special case of l: for some values of its free constants,
// l equals the truth within the accuracy of the table.
func wider(l TableLaw, truth *accept.Reference, table *accept.Table) bool {
	if l.Tree == nil {
		return false
	}
	var start []float64
	for _, c := range l.Constants {
		if c.Value == nil {
			return false
		}
		start = append(start, *c.Value)
	}
	form, err := accept.ParseForm(l.Tree.Infix, table.Names)
	if err != nil || form.NumParams() != len(start) {
		return false
	}
	ref, ok := accept.NewReference(form, table, start)
	if !ok {
		return false
	}
	law, err := truth.Law(table)
	if err != nil {
		return false
	}
	match, _ := accept.Match(law, []*accept.Reference{ref})
	return match != nil
}

// reference returns a drawn table as a table of package accept, and the fit of its true form.
func reference(t synthetic.Table) (*accept.Table, *accept.Reference, error) {
	table, err := accept.NewTable(t.Data, tables.StandardErrors, t.Sigma, nil)
	if err != nil {
		return nil, nil, err
	}
	form, err := accept.ParseForm(t.Form, table.Names)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.Data.Name, err)
	}
	ref, ok := accept.NewReference(form, table, t.Start)
	if !ok {
		return nil, nil, fmt.Errorf("%s: form %s has no finite fit", t.Data.Name, t.Form)
	}
	return table, ref, nil
}

// folds is the number of parts of the catalogue; each prior is trained without one of them.
const folds = 16

// fold returns the part of the catalogue that a law belongs to.
func fold(law string) int {
	h := fnv.New32a()
	h.Write([]byte(law))
	return int(h.Sum32() % folds)
}

var (
	foldPriors = map[int]*survey.Laws{}
	foldMu     sync.Mutex
)

// without returns the prior for a table. It is trained on the catalogue without the part that
// contains the law of the table.
func without(t synthetic.Table) *survey.Laws {
	if t.Field == synthetic.Random || t.Field == synthetic.Noise {
		return survey.Catalogue()
	}
	foldMu.Lock()
	defer foldMu.Unlock()
	part := fold(t.Law)
	if foldPriors[part] == nil {
		rest := slices.DeleteFunc(prior.Default().Examples(), func(e prior.Example) bool {
			return fold(e.Law) == part
		})
		foldPriors[part] = survey.NewLaws(prior.Train(rest))
	}
	return foldPriors[part]
}

// RejudgeCalibration draws the tables of records again and judges the recorded laws. It is an error
// if this program draws a table that differs from the one that was searched.
func RejudgeCalibration(records []CalibrationRecord) ([]CalibrationRecord, error) {
	if len(records) == 0 {
		return nil, errors.New("there are no results")
	}
	records = slices.Clone(records)
	for i := range records {
		r := &records[i]
		t, err := r.draw()
		if err != nil {
			return nil, err
		}
		if r.Fingerprint != fingerprint(t.Data) {
			return nil, fmt.Errorf("table %d of seed %d is drawn differently by this program; search again",
				r.Index, r.TableSeed)
		}
		if r.Error == "" {
			if err := r.judge(t); err != nil {
				return nil, err
			}
		}
	}
	return records, nil
}

// fingerprint returns a hash of the columns of a table.
func fingerprint(t *dataset.Table) string {
	h := fnv.New64a()
	for _, c := range append(slices.Clone(t.Vars), t.Target) {
		fmt.Fprintf(h, "%s%v", c.Label(), c.Values)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
