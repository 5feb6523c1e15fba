package discover

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/knownform"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// finding is a finished run: its flags, its table and its result.
type finding struct {
	table    *dataset.Table
	result   *discover.Result
	settings discover.Settings
	began    time.Time
	options  *Cmd

	functions []string // names of the unknown functions, with --given
	notation  notation // how laws are printed
}

// knownForm returns the chosen law in the notation of the literature, if k is a known law of its
// form whose quantities are like those of the table.
func (f finding) knownForm(k discover.KnownLaw) (u knownform.Form, ok bool) {
	if k.ExtraBits > 0 || !k.Alike {
		return knownform.Form{}, false
	}
	return discover.KnownForm(f.table, k.Law, k.Names)
}

// none reports whether no law was found that is better than a constant.
func (f finding) none() bool { return f.result.Best.Tree.Len() == 0 }

// nothing returns the message that no law was found: a reason, and what to try.
func (f finding) nothing() string {
	hint := "try more --time, more rows, or columns that the target depends on"
	limit := f.options.timeLimit()
	switch {
	case limit == 0:
		hint = "the time budget was 0; try --time 60s"
	case f.result.Evaluations == 0 && f.result.Stopped == discover.StopTime:
		return unsearched(f.table.Name, limit)
	case len(f.options.limits()) > 0:
		hint = "other laws are excluded by " + strings.Join(f.options.limits(), ", ") + "; ask for less"
	case f.table.Rows() < fewest:
		hint = fmt.Sprintf("%d rows are too few to tell laws apart; give at least %d", f.table.Rows(), fewest)
	case f.result.Stopped == "settled" || f.result.Stopped == "exhausted":
		hint = "try more rows, or columns that the target depends on"
	}
	return fmt.Sprintf("nothing describes %s in %s clearly better than a constant; %s", f.table.Target.Name, f.table.Name, hint)
}

// fewest is the number of rows below which even a law with one constant can hardly be distinguished
// from others.
const fewest = 5

// unsearched returns the message that reading and preparing a table took all of the given time
// limit. The message proposes a limit that leaves most of the time to the search.
func unsearched(table string, limit time.Duration) string {
	enough := max(10*time.Second, (4 * limit).Round(time.Second))
	return fmt.Sprintf("%s: reading and preparing took all of --time %s, so nothing was searched; try --time %s", table, limit, enough)
}

// outliers returns the rows that the search left out. They are numbered by their place in the file,
// as in error messages.
func (f finding) outliers() []int {
	if f.table.FileRows == nil {
		return nil
	}
	return dataset.Pick(f.table.FileRows, f.result.Outliers)
}

// quantity returns a column's name with its unit, including the unit 1: T [d], phi [1].
func quantity(c dataset.Column) string {
	if c.HasUnit && c.UnitName() == "" {
		return c.Name + " [1]"
	}
	return c.Label()
}

// sameLaw reports whether two laws of one run are the same.
func sameLaw(a, b law.Law) bool {
	return a.Complexity == b.Complexity && slices.Equal(a.Tree.Nodes(), b.Tree.Nodes())
}

// shownRows is the largest number of rows plotted in a figure.
const shownRows = 2000

// predict evaluates l on rows of the table, without outliers. If there are more than shownRows
// rows, it uses shownRows of them, evenly spaced.
func (f finding) predict(l law.Law) (measured, predicted []float64) {
	t := f.table.Subset(f.shown())
	return t.Target.Values, discover.Predict(l, t)
}

// shown returns the indices of the rows that figures show.
func (f finding) shown() (rows []int) {
	kept := outlier.Complement(f.table.Rows(), f.result.Outliers)
	n := len(kept)
	if n <= shownRows {
		return kept
	}
	return dataset.Pick(kept, dataset.Evenly(n, shownRows))
}
