package discover

import (
	"fmt"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/named"
	"github.com/physlib/lab/physlib/outlier"
)

// finding is a finished run: what was asked, of which table, and what came out.
type finding struct {
	table    *dataset.Table
	result   *discover.Result
	settings discover.Settings
	began    time.Time
	options  *Cmd

	functions []string // that were unknown, with --given
}

// usual returns the chosen law as the literature writes it, if k is a known law of its form.
func (f finding) usual(k discover.Known) (u named.Form, ok bool) {
	if k.Beyond > 0 {
		return named.Form{}, false
	}
	return discover.Usual(f.table, k.Law, k.Names)
}

// none reports whether nothing is better than a constant.
func (f finding) none() bool { return f.result.Best.Tree.Len() == 0 }

// nothing returns a line on why there is no law and what to try.
func (f finding) nothing() string {
	hint := "try more --time, more rows, or columns that the target depends on"
	switch {
	case f.settings.Time == atOnce:
		hint = "the time budget was 0; try --time 60s"
	case f.result.Stopped == "settled" || f.result.Stopped == "exhausted":
		hint = "try more rows, or columns that the target depends on"
	}
	return fmt.Sprintf("nothing explains %s in %s better than a constant; %s", f.table.Target.Name, f.table.Name, hint)
}

// outliers returns the rows of the file that were left out, counted as errors do.
func (f finding) outliers() []int {
	if f.table.FileRows == nil {
		return nil
	}
	return dataset.Pick(f.table.FileRows, f.result.Outliers)
}

// interruption describes the result of an interrupted run.
func (f finding) interruption() string {
	text := "interrupted; "
	if f.none() {
		text += "no law was found yet"
	} else {
		text += "this is the best so far"
	}
	if f.options.Save != "" {
		text += ", saved in " + f.options.Save
	}
	return text
}

// quantity returns a column's name with its unit, also the unit 1 where that is known: T [d], phi
// [1].
func quantity(c dataset.Column) string {
	if c.HasUnit && c.UnitName() == "" {
		return c.Name + " [1]"
	}
	return c.Label()
}

// sameLaw reports whether two laws of one run are one.
func sameLaw(a, b law.Law) bool {
	return a.Complexity == b.Complexity && slices.Equal(a.Tree.Nodes(), b.Tree.Nodes())
}

// shownRows is how many rows a figure shows at most.
const shownRows = 2000

// predict evaluates l on some rows of the table, none of those left out. They are evenly spaced
// where it has more than are shown.
func (f finding) predict(l law.Law) (measured, predicted []float64) {
	t := f.table.Subset(f.shown())
	return t.Target.Values, discover.Predict(l, t)
}

// shown returns the rows in figures.
func (f finding) shown() (rows []int) {
	kept := outlier.Others(f.table.Rows(), f.result.Outliers)
	n := len(kept)
	if n <= shownRows {
		return kept
	}
	return dataset.Pick(kept, dataset.Evenly(n, shownRows))
}
