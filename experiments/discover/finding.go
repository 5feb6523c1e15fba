package discover

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// finding is a finished run: what was asked, of which table, and what came out.
type finding struct {
	table    *dataset.Table
	result   *discover.Result
	settings discover.Settings
	began    time.Time
	options  *Cmd
}

// none tells that nothing is better than a constant.
func (f finding) none() bool { return f.result.Best.Tree.Len() == 0 }

// nothing says why there is no law and what to try.
func (f finding) nothing() string {
	hint := "try more --time, more rows, or columns that the target depends on"
	if f.settings.Time == atOnce {
		hint = "the time budget was 0; try --time 60s"
	}
	return fmt.Sprintf("nothing explains %s in %s better than a constant; %s", f.table.Target.Name, f.table.Name, hint)
}

// interruption says what an interrupted run leaves.
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

// quantity is a column's name with its unit: T [d].
func quantity(c dataset.Column) string {
	if !c.HasUnit {
		return c.Name
	}
	return c.Name + " [" + unitName(c) + "]"
}

// unitName is a column's unit as its table has it, "" when it is unknown.
func unitName(c dataset.Column) string {
	switch {
	case !c.HasUnit:
		return ""
	case c.Unit.Name != "":
		return c.Unit.Name
	}
	return c.Unit.Dim.String()
}

// sameLaw tells whether two laws of one run are one.
func sameLaw(a, b law.Law) bool {
	return a.Complexity == b.Complexity && slices.Equal(a.Tree.Nodes(), b.Tree.Nodes())
}

// shownRows is how many rows a figure shows at most.
const shownRows = 2000

// predict evaluates l on some rows of the table, evenly spaced where it has more than are shown.
func (f finding) predict(l law.Law) (measured, predicted []float64) {
	rows := f.shown()
	columns := make(map[string][]float64)
	for _, v := range f.table.Vars {
		columns[v.Name] = pick(v.Values, rows)
	}
	return pick(f.table.Target.Values, rows), f.evaluate(l, columns, len(rows))
}

// evaluate computes l over columns of n values by name; a name without a column gives NaN.
func (f finding) evaluate(l law.Law, columns map[string][]float64, n int) []float64 {
	for _, k := range f.table.Consts {
		columns[k.Name] = slices.Repeat([]float64{k.Value}, n)
	}
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		if cols[i] = columns[name]; cols[i] == nil {
			cols[i] = slices.Repeat([]float64{math.NaN()}, n)
		}
	}
	out := make([]float64, n)
	expr.Compile(l.Tree).Eval(out, cols, l.Params())
	return out
}

// alone is the one column that l depends on, if it is one.
func (f finding) alone(l law.Law) (dataset.Column, bool) {
	var found dataset.Column
	n := 0
	for _, i := range l.Tree.Vars() {
		for _, v := range f.table.Vars {
			if i < len(l.Vars) && v.Name == l.Vars[i] {
				found, n = v, n+1
			}
		}
	}
	return found, n == 1
}

// trace evaluates l, which depends on column x alone, on 300 values across the range of x.
func (f finding) trace(l law.Law, x dataset.Column) (at, value []float64) {
	low, high := slices.Min(x.Values), slices.Max(x.Values)
	at = make([]float64, 300)
	for i := range at {
		p := float64(i) / float64(len(at)-1)
		if at[i] = low + p*(high-low); low > 0 && high > 10*low { // as a logarithmic axis shows them
			at[i] = low * math.Pow(high/low, p)
		}
	}
	return at, f.evaluate(l, map[string][]float64{x.Name: at}, len(at))
}

func pick(v []float64, rows []int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = v[r]
	}
	return out
}

// shown are the rows in figures.
func (f finding) shown() []int {
	n := f.table.Rows()
	rows := make([]int, min(n, shownRows))
	for i := range rows {
		rows[i] = i
		if n > shownRows {
			rows[i] = i * (n - 1) / (shownRows - 1)
		}
	}
	return rows
}
