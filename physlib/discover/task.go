package discover

import (
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// task is a table to search for a law. Discover makes the task of the user's table. Tasks of fewer
// rows, or with a part of the budget, are copies of it with other fields.
type task struct {
	t *dataset.Table
	// The user's settings, except Time, Evaluations and Resume, which are zero. The limits of a
	// task are in budget, and the laws to score first are in rankedToo and scoredFirst.
	s        Settings
	budget   budget
	rows     []int          // positions of t's rows in the user's table; nil: no row is missing
	progress func(Progress) // reports on the whole run; nil: no reports

	// Laws of an earlier run, without repetitions. Each search scores them, and they are proposed
	// to the ranking, too. Under an effective variance (errorsinx.go), laws of the previous search
	// come first among them.
	rankedToo []law.Law
	// Laws of the previous search of this table (see discoverWithout). Each search scores them
	// before those of rankedToo.
	scoredFirst []law.Law
	// The previous search found an exact law and has sought a simpler one.
	simplerSought bool
}

// newTask returns the task of the user's table. Its budget starts now.
func newTask(t *dataset.Table, s Settings) task {
	w := task{t: t, s: s, budget: newBudget(s), progress: s.Progress, rankedToo: bestEarlier(s.Resume)}
	w.s.Time, w.s.Evaluations, w.s.Resume = 0, 0, nil
	return w
}

// next returns the task of a further search of w's table, which ends when the given share of w's
// budget is used. found is the result of the searches so far, or nil.
func (w task) next(share float64, found *Result) task {
	n, used := w, int64(0)
	if found != nil {
		used = found.Evaluations
		n.simplerSought = found.Stopped == StopExact
	}
	n.budget = w.budget.rest(share, used)
	if w.progress != nil {
		n.progress = func(now Progress) {
			now.Evaluations += used
			now.Elapsed, now.Left = w.budget.elapsed(), w.budget.left()
			w.progress(now)
		}
	}
	return n
}

// on returns w for another form of its table, with a part of its budget.
func (w task) on(t *dataset.Table, part budget) task {
	w.t, w.budget = t, part
	return w
}

// withLimit returns w with another time limit, if it has one.
func (w task) withLimit(limit time.Duration) task {
	if w.budget.timed() {
		w.budget.limit = limit
	}
	return w
}

// without returns w without the given rows of its table.
func (w task) without(out []int) task {
	if len(out) > 0 {
		w.rows = outlier.Complement(w.t.Rows(), out)
		w.t = w.t.Subset(w.rows)
	}
	return w
}

// inWay returns w as it is searched in the given way: without units, or with standard errors that
// are proportional to the target.
func (w task) inWay(how way) task {
	w.s.NoUnits = w.s.NoUnits || how.noUnits
	if how.proportional {
		// Only the ratios of these standard errors are known.
		w.t = withSigma(w.t, magnitudes(w.t.Target.Values))
	}
	return w
}
