package motion

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Settings are the options of a search for laws of motion. The zero value searches for 60
// seconds per equation.
type Settings struct {
	Time  time.Duration // time limit for the system; 0: 60 s per equation; negative: no limit
	Clock clock.Clock   // clock that measures Time
	// Standard deviations of the errors of the states, in their units; 0: estimated.
	Noise []float64
	// Search holds the settings of the search for the law of each derivative. Search.Evaluations
	// limits the search of one equation in one pass. Discover overwrites Time, Clock, AllRows,
	// Resume and Progress, and adds a proposer.
	Search   discover.Settings
	Progress func(Progress)
	// Whether constants may have separate values in the groups of runs that Trajectories.Group
	// distinguishes, if this shortens the description.
	Separate bool
}

// Progress is the state of a running search.
type Progress struct {
	Pass     int
	Equation string // equation being searched, such as dx_dt
	Search   discover.Progress
	Elapsed  time.Duration
	Left     time.Duration
}

// Equation is the law of motion of one state.
type Equation struct {
	State string
	Law   law.Law   // with constants fitted to the trajectories; R2 and RMSE of the derivatives
	Front []law.Law // other laws by rising complexity; RMSE of the trajectories; Score may be NaN
	Error float64   // RMS deviation of the state from the integrated system, in its unit
	Noise float64   // standard deviation of the state's errors, estimated or given

	Probability float64   // probability that Law has the right form; 0: there is no law
	Verdict     string    // confidence in Law and the reasons, in one line
	Rivals      []law.Law // other laws that the errors do not exclude, most probable first
}

// Result is a system of laws found by [Discover].
type Result struct {
	Equations []Equation // the Law of an equation is empty if none was found
	// Window is the length of the integration windows, in intervals. If it is the length of the
	// longest run, windows are whole runs.
	Window      int
	Whole       bool   // whether the system was integrated over whole runs
	Path        []Path // integrated trajectories along the runs
	Evaluations int64
	Elapsed     time.Duration
	Stopped     discover.Stop
	// Covariance of the constants of all equations in turn, row by row; nil: unknown.
	Cov      []float64
	Warnings []string
	// Constants with separate values in the groups of runs. In the laws they are columns, the last
	// of Trajectories.Params.
	Separate []Separate
	// The trajectories in whose columns the laws are written; nil: those given to Discover.
	Trajectories *Trajectories
}

// Path is a trajectory of the integrated system along one run.
type Path struct {
	Run   int
	Times []float64
	X     [][]float64 // [state][row]
}

// sparseName is the name of the Sparse proposer.
const sparseName = "sparse"

// engine searches for laws of a derivative. Tests replace it.
var engine = discover.Candidates

// Discover returns the laws of motion behind tr. If ctx ends or the time is up, it returns the
// best laws so far and no error.
func Discover(ctx context.Context, tr *Trajectories, s Settings) (*Result, error) {
	if s.Time == 0 {
		s.Time = time.Duration(tr.numEquations()) * discover.DefaultTime
	}
	if s.Separate && tr.grouped() {
		return discoverSeparate(ctx, tr, s)
	}
	return discoverShared(ctx, tr, s, nil)
}

// discoverShared is like Discover, with the same constants in all runs. given holds laws of each
// equation that are also candidates; nil: none.
func discoverShared(ctx context.Context, tr *Trajectories, s Settings, given [][]law.Law) (*Result, error) {
	sr := &searcher{tr: tr, s: s, given: given, began: s.Clock.Now()}
	late := ctx
	if sr.s.Time > 0 {
		var cancel, cancelLate context.CancelFunc
		late, cancelLate = s.Clock.WithDeadline(ctx, sr.began.Add(sr.s.Time))
		defer cancelLate()
		ctx, cancel = s.Clock.WithDeadline(ctx, sr.began.Add(sr.s.Time-sr.reserve()))
		defer cancel()
	}
	sr.prepare(ctx)
	if ctx.Err() != nil {
		return sr.result(ctx, late), nil
	}
	return sr.run(ctx, late)
}

// prepare sets the data and the names of the columns. If ctx ends, the data are incomplete.
func (sr *searcher) prepare(ctx context.Context) {
	tr := sr.tr
	sr.d = tr.data(ctx, sr.s.Noise)
	if ctx.Err() != nil {
		return
	}
	for _, c := range tr.vars() {
		sr.names = append(sr.names, c.Name)
	}
	if tr.TimeDependent { // in right-hand sides, the time is the last column
		sr.names = sr.names[:len(sr.names)-1]
	}
	for _, k := range tr.Consts {
		sr.names = append(sr.names, k.Name)
	}
	if tr.TimeDependent {
		sr.names = append(sr.names, tr.Time.Name)
	}
	sr.amounts = sr.areAmounts()
	sr.holdInputs(ctx)
}

// reserve returns the time reserved for the fits of closed forms and of whole runs.
func (sr *searcher) reserve() time.Duration {
	if sr.s.Time <= 0 {
		return mostReserve
	}
	return min(sr.s.Time/8, mostReserve)
}

const mostReserve = 8 * time.Second

// searcher is the state of one call of Discover.
type searcher struct {
	tr    *Trajectories
	s     Settings
	d     *data
	names []string // columns of the right-hand sides
	// Whether all states are amounts (see areAmounts).
	amounts bool
	sample  [][]float64 // columns of the right-hand sides at rows spread over all runs
	once    sync.Once   // guards sample
	tables  rateTables
	began   time.Time
	given   [][]law.Law // laws of each equation that are candidates from the beginning; nil: none
	pools   []pool      // candidates of each equation
	best    []*candidate
	pairs   []pair  // candidates of two equations with a term in common
	twins   []twins // laws of several equations that were scored jointly and are not chosen
	solved  []bool  // for each equation, whether noise-free derivatives are fitted to rounding error
	// For each equation, whether the law is a short sum whose residuals exceed the errors of the
	// derivatives.
	summed       []bool
	stable       []bool         // for each equation, whether a complete further search confirmed the law
	shot         *trajectoryFit // fit of best to the trajectories by multiple shooting
	total        float64        // score of best
	wins         []window       // windows of the trajectories over which best was fitted
	windowLength int            // length of wins, in intervals
	// Lengths of windows over which rematch has tried sums of terms.
	rematched map[int]bool
	evals     int64
	warns     []string

	refuted bool // whether a system with laws marked in summed did not fit the trajectories
	// For each equation, whether a law found from noise-free derivatives has no value in some row.
	undefined []bool
	compared  bool // whether the latest call of choose scored all finalists before the time was up
}

// Limits for the number of passes. A pass searches for laws and then chooses among them.
const (
	fewPasses  = 4 // largest number of passes, unless the residuals of an equation exceed the noise
	mostPasses = 7 // largest number of passes if the residuals exceed the noise
)

// run searches until ctx ends or nothing changes. Then it calculates verdicts, until late ends.
func (sr *searcher) run(ctx, late context.Context) (*Result, error) {
	m := sr.numLaws()
	sr.pools = make([]pool, m)
	for k := range sr.pools {
		sr.pools[k].seen = map[uint64]*candidate{}
	}
	for k, laws := range sr.given {
		for _, l := range laws {
			sr.add(k, &discover.Result{Best: l})
		}
	}
	sr.best = make([]*candidate, sr.d.numMeasured())
	sr.solved, sr.summed, sr.stable, sr.undefined = make([]bool, m), make([]bool, m), make([]bool, m), make([]bool, m)
	var failure error
	for pass := 1; pass <= fewPasses || pass <= mostPasses && len(sr.unexplained()) > 0; pass++ {
		before := sr.snapshot()
		all := !slices.Contains(sr.solved, false)
		for k := range m {
			if !sr.searchAgain(k, pass, all) {
				continue
			}
			if err := sr.search(ctx, k, pass); err != nil {
				failure = err
			}
		}
		searched := ctx.Err() == nil
		sr.choose(ctx, pass)
		if sr.reconsiderSwitches(ctx) {
			sr.choose(ctx, pass)
			before.windowLength = 0 // its fit is over other windows
		}
		sr.measureInputs(ctx)
		sr.refute()
		sr.confirm(before, searched)
		if ctx.Err() != nil {
			if before.windowLength > sr.windowLength && slices.Equal(before.best, sr.best) {
				before.restore(sr) // before has a fit over longer windows
			}
			break
		}
		if sr.exact() || pass > 1 && sr.settled(before) {
			break
		}
		sr.correct(ctx)
	}
	sr.prefer()
	res := sr.result(ctx, late)
	if res.Equations == nil && failure != nil {
		return nil, failure
	}
	return res, nil
}

// refute marks each equation whose law has no value in some row as unsolved. If the system does not
// fit the trajectories, it also marks each equation whose law is a short sum.
func (sr *searcher) refute() {
	at, _, _ := sr.smoothed(sr.wins)
	for k, c := range sr.best[:sr.numLaws()] {
		if sr.solved[k] && c != nil && !defined(c.tree, limited(at, sr.d.least)) {
			sr.solved[k], sr.undefined[k] = false, true
		}
	}
	if !slices.Contains(sr.summed, true) || sr.shot != nil && sr.followed(sr.shot) {
		return
	}
	sr.refuted = true
	for k, summed := range sr.summed {
		sr.solved[k] = sr.solved[k] && !summed
	}
}

// defined reports whether t has a value in each row of cols.
func defined(t expr.Tree, cols [][]float64) bool {
	return !slices.ContainsFunc(valuesOn(t, cols, t.Params()), func(v float64) bool { return v-v != 0 })
}

// searchAgain reports whether a pass searches the derivative of equation k again. A solved equation
// is not searched while another one is unsolved. After fewPasses passes, an equation is searched
// only if its law does not explain the data.
func (sr *searcher) searchAgain(k, pass int, allSolved bool) bool {
	if sr.solved[k] && !allSolved {
		return false
	}
	return pass <= fewPasses || slices.Contains(sr.unexplained(), k)
}

// settled reports whether a pass changed no law, and further passes are not expected to change one.
// before is the state before the pass. Without a time limit, a further pass would only repeat a
// search of the same length.
func (sr *searcher) settled(before snapshot) bool {
	return slices.Equal(before.best, sr.best) && (len(sr.unexplained()) == 0 || sr.s.Time < 0)
}

// confirm marks laws as stable. A law is stable if a pass has not changed it and the searches of
// the pass were complete (searched). In addition, either all finalists were scored, or the search
// of the equation found this law again as the best. before is the state before the pass.
func (sr *searcher) confirm(before snapshot, searched bool) {
	for k := range sr.numLaws() {
		again := sr.pools[k].top.alike(sr.best[k])
		kept := sr.best[k].alike(&before.candidates[k])
		sr.stable[k] = kept && (sr.stable[k] || searched && (sr.compared || again))
	}
}

// unexplained returns the equations that have no law, or whose residuals are clearly above the
// noise.
func (sr *searcher) unexplained() (out []int) {
	for k := range sr.numLaws() {
		if sr.shot == nil || sr.best[k] == nil || sr.shot.misfit(sr.d, k) > aboveNoise*sr.scatter(k) {
			out = append(out, k)
		}
	}
	return out
}

// numEquations returns the number of laws of motion: one for each state that is not an input.
func (tr *Trajectories) numEquations() int { return len(tr.States) - tr.Inputs }

// numLaws returns the number of states that have a law: all except the inputs, which come last.
func (sr *searcher) numLaws() int { return sr.d.numMeasured() - sr.d.inputs }
