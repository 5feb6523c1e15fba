package motion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
)

// labels are names of columns that number runs, in lower case.
var labels = append(slices.Clone(plainLabels),
	"exp", "test", "shot", "video", "take", "clip", "series", "set", "track", "id", "no", "nr", "number", "index", "sample",
	"repeat", "replicate", "rep", "group", "file", "messung")

// plainLabels are labels that can hardly mean a variable, so their use needs no warning.
var plainLabels = []string{"run", "trial", "experiment", "trajectory", "traj", "versuch", "lauf"}

// numbered removes the column that numbers the runs and returns its values. It returns nil if there
// is no such column. A column numbers the runs if it is named like a label, has no unit, and
// contains whole numbers that count up. Laws do not depend on such a column, unless the user names
// it as an input.
func (r *reader) numbered() []float64 {
	for _, c := range r.columns {
		if r.numbers(c) {
			if !slices.Contains(plainLabels, strings.ToLower(c.Name)) {
				r.warn("column %s numbers the trajectories and is not a variable; --input %s makes it one", c.Name, c.Name)
			}
			r.options.Group = c.Name
			c, _ = r.pop(c.Name, "group")
			return c.Values
		}
	}
	return nil
}

// least returns the least number of rows of a run.
func (r *reader) least() int { return cmp.Or(r.options.Least, leastRows) }

// numbers reports whether a column numbers the runs.
func (r *reader) numbers(c dataset.Column) bool {
	known := slices.Contains(labels, strings.ToLower(c.Name))
	return known && !c.HasUnit && c.Name != r.options.Time && counts(c.Values, r.least()) && !slices.Contains(r.options.Inputs, c.Name)
}

// counts reports whether v consists of blocks of equal values and the value increases by one from
// block to block. Each block must have at least the given number of values.
func counts(v []float64, least int) bool {
	begin, blocks := 0, 1
	for i := 1; i < len(v); i++ {
		switch {
		case v[i] == v[i-1]:
		case v[i] == v[i-1]+1 && i-begin >= least:
			begin = i
			blocks++
		default:
			return false
		}
	}
	return blocks > 1 && len(v)-begin >= least
}

// repeated returns the rows of t that agree with the row before them in every column.
func repeated(t *dataset.Table) (rows []int) {
	columns := append(slices.Clone(t.Vars), t.Target)
	for i := 1; i < t.Rows(); i++ {
		differs := func(c dataset.Column) bool { return c.Values[i] != c.Values[i-1] }
		if !slices.ContainsFunc(columns, differs) {
			rows = append(rows, i)
		}
	}
	return rows
}

// group returns the label of the run of each row: a number, or a code that stands for a text. It
// returns nil if there is no group column.
func (r *reader) group() ([]float64, error) {
	if r.options.Group == "" {
		return r.numbered(), nil
	}
	text, ok := r.table.Category(r.options.Group)
	if !ok {
		c, err := r.pop(r.options.Group, "group")
		return c.Values, err
	}
	codes := make([]float64, len(text.Codes))
	for i, code := range text.Codes {
		codes[i] = float64(code)
	}
	return codes, nil
}

// runs returns the runs of rows. A new run begins where the group changes, where time decreases,
// after a gap, and where every state jumps.
func (r *reader) runs(time dataset.Column, group []float64) ([][2]int, error) {
	t := time.Values
	var cuts []int
	var steps []float64
	back := 0 // number of rows where the time decreases
	for i := 1; i < len(t); i++ {
		step := t[i] - t[i-1]
		switch {
		case group != nil && group[i] != group[i-1]:
			cuts = append(cuts, i)
		case step == 0:
			return nil, r.fail(time.Name, fmt.Sprintf("%s = %g occurs in data rows %d and %d", time.Name, t[i], i, i+1),
				"average equal times, or name the column that distinguishes trajectories with --group")
		case step < 0 && group != nil:
			return nil, r.fail(time.Name, fmt.Sprintf("the time goes back from %g to %g in data row %d, inside of one %s", t[i-1], t[i], i+1, r.options.Group),
				"sort the rows by "+r.options.Group+" and time, or name "+r.otherTime(group)+" with --time-column")
		case step < 0:
			cuts = append(cuts, i)
			back++
		default:
			steps = append(steps, step)
		}
	}
	if long, _ := divided(cuts, len(t), leastRows); back > 0 && 2*rowsIn(long) < len(t) {
		return nil, r.fail(time.Name, fmt.Sprintf("the time goes back %d times in %d rows, first in data row %d", back, len(t), cuts[0]+1),
			"sort the rows by time, name "+r.otherTime(group)+" with --time-column (and in --columns, if given), or give each trajectory at least "+fmt.Sprint(leastRows)+" rows")
	}
	gaps := slices.DeleteFunc(gaps(t, steps), func(i int) bool { return slices.Contains(cuts, i) })
	switch n := len(gaps); {
	case n == 1:
		r.warn("a gap from %s = %g to %g: what follows counts as another trajectory", time.Name, t[gaps[0]-1], t[gaps[0]])
	case n > 1:
		r.warn("%d gaps, the first from %s = %g to %g: what follows each counts as another trajectory", n, time.Name, t[gaps[0]-1], t[gaps[0]])
	}
	cuts = append(cuts, gaps...)
	slices.Sort(cuts)
	if jumps := r.jumps(t, cuts); len(jumps) > 0 {
		r.warn("every state jumps in %s, with smooth motion before and after: what follows counts as another trajectory; a column such as run, which numbers the trajectories, makes it certain",
			r.table.RowNames(jumps))
		cuts = append(cuts, jumps...)
		slices.Sort(cuts)
	}
	least := r.least()
	runs, short := divided(slices.Compact(cuts), len(t), least)
	switch {
	case len(runs) == 0 && short > 1:
		return nil, r.fail("", fmt.Sprintf("%d rows in %d trajectories: each of them has less than %d", len(t), short, least),
			fmt.Sprintf("give at least one of them %d rows in time order", least))
	case len(runs) == 0:
		return nil, r.fail("", rowCount(len(t))+" too few for a law of motion", fmt.Sprintf("give at least %d rows in time order", least))
	case short > 0 && back > 0 && len(r.rising(group)) > 0:
		r.warn("trajectories of less than %d rows are left out: %d, as %s goes back %d times; if the time is %s name it with --time-column",
			least, short, time.Name, back, r.otherTime(group))
	case short > 0:
		r.warn("trajectories of less than %d rows are left out: %d", least, short)
	}
	return runs, nil
}

// jumps returns the rows at which every column except the inputs jumps (see the function jumps).
func (r *reader) jumps(t []float64, cuts []int) []int {
	free := slices.DeleteFunc(slices.Clone(r.columns), func(c dataset.Column) bool { return slices.Contains(r.options.Inputs, c.Name) })
	runs, _ := divided(cuts, len(t), 1)
	return jumps(t, free, runs)
}

// otherTime describes a column that may be the time instead of the column taken for it.
func (r *reader) otherTime(group []float64) string {
	if rising := r.rising(group); len(rising) > 0 {
		return rising[0].Name + ", which increases throughout,"
	}
	return "another column"
}

// divided cuts the rows at the row numbers in cuts. It returns the runs that have at least the
// given number of rows, and the number of shorter ones.
func divided(cuts []int, rows, least int) (runs [][2]int, short int) {
	from := 0
	for _, to := range append(slices.Clone(cuts), rows) {
		if to-from < least {
			short++
		} else {
			runs = append(runs, [2]int{from, to})
		}
		from = to
	}
	return runs, short
}

// rowCount returns "1 row is" or "n rows are".
func rowCount(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}

// rowsIn returns the number of rows of runs.
func rowsIn(runs [][2]int) (n int) {
	for _, r := range runs {
		n += r[1] - r[0]
	}
	return n
}
