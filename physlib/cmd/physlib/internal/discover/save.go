package discover

import (
	"fmt"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/outlier"
)

// file returns the law file for --save and --json.
func (f finding) file() *lawfile.File {
	front := f.result.Front
	if !f.none() && !slices.ContainsFunc(front, func(l law.Law) bool { return sameLaw(l, f.result.Best) }) {
		front = append(front[:len(front):len(front)], f.result.Best)
	}
	s := &lawfile.Single{
		Target: f.table.Target.Name, Front: []lawfile.Law{}, KnownLaws: []lawfile.KnownLaw{}, Verdict: f.result.Verdict,
		Probability: lawfile.Finite(f.result.Probability), Errors: f.result.ErrorModel,
	}
	for _, l := range front {
		s.Front = append(s.Front, lawfile.Law(l))
	}
	for _, k := range f.result.KnownLaws {
		known := lawfile.KnownLaw{Names: k.Names, Law: k.Law.Infix(), Beyond: k.ExtraBits}
		if u, ok := f.knownForm(k); ok {
			known.Form = &lawfile.KnownForm{Name: u.Name, Formula: u.Formula, Constants: u.Constants, SI: u.SI}
			for _, r := range u.References {
				known.Form.References = append(known.Form.References, law.Constant{Name: r.Name, Value: r.Value, Unit: r.Unit.Name})
			}
		}
		s.KnownLaws = append(s.KnownLaws, known)
	}
	if !f.none() {
		best := lawfile.Law(f.result.Best)
		s.Best = &best
	}
	return &lawfile.File{
		Version: version.String(), Created: f.began.UTC().Truncate(time.Second), Table: lawfile.Describe(f.table), Rows: f.table.Rows(), Single: s,
		Outliers: f.outliers(), Stopped: string(f.result.Stopped), Seconds: f.result.Elapsed.Seconds(), Evaluations: f.result.Evaluations, Seed: f.settings.Seed,
	}
}

// save writes the law file.
func (f finding) save(path string) error { return saveFile(f.file(), path) }

func saveFile(f *lawfile.File, path string) error {
	data, err := f.Encode(true)
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return outfile.Write(path, data)
}

// resume reads the law file of --resume and sets its laws as Settings.Resume. It returns a warning
// for each law with a column or constant that the table lacks.
func (c *Cmd) resume(t *dataset.Table, settings *discover.Settings) (warnings []string, err error) {
	f, err := lawfile.Read(c.Resume)
	if err != nil {
		return nil, badInput("--resume: %w", err)
	}
	if f.Single == nil {
		return nil, badInput("--resume: %s holds laws of motion; leave --resume out", c.Resume)
	}
	switch {
	case f.Groups != nil:
		return nil, badInput("--resume: %s holds the law of several groups; leave --resume out", c.Resume)
	case f.Target != f.Table.Target.Name:
		return nil, badInput("--resume: %s holds what stays constant, not a law of %s; leave --resume out", c.Resume, t.Target.Name)
	}
	if differs := f.Table.Difference(t); differs != "" {
		return nil, badInput("--resume: %s belongs to another table, %s, from which %s differs: %s; give the table it was made from, or leave --resume out", c.Resume, f.Table.Name, t.Name, differs)
	}
	names := columnNames(t)[:len(t.Vars)]
	for _, k := range t.Consts {
		names = append(names, k.Name)
	}
	laws := f.Front
	if len(laws) == 0 && f.Best != nil {
		laws = append(laws, *f.Best)
	}
	for i, l := range laws {
		over, err := law.Law(l).Over(names)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("--resume: law %d of %s is left out: %v", i+1, c.Resume, err))
			continue
		}
		over.Target = t.Target.Name
		settings.Resume = append(settings.Resume, over)
	}
	for i, row := range t.FileRows {
		if slices.Contains(f.Outliers, row) {
			settings.Outliers = append(settings.Outliers, i)
		}
	}
	if len(settings.Outliers) > 0 && len(outlier.Complement(t.Rows(), settings.Outliers)) == 0 {
		settings.Outliers = nil
	}
	return warnings, nil
}
