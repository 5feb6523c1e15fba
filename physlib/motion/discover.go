package motion

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

// Settings of a search for laws of motion. The zero value is 60 seconds for each equation.
type Settings struct {
	Time     time.Duration     // for the system; 0: 60 s for each equation
	Clock    clock.Clock       // what Time counts
	Noise    []float64         // standard deviation of the errors of each state, in its unit; 0 or left out: estimated
	Search   discover.Settings // of the search for the laws of the derivatives; Time, Noise, AllRows and Resume are set here
	Progress func(Progress)
}

// Progress is what a search tells while it works.
type Progress struct {
	Pass     int
	Equation string // whose law is being searched: dx_dt
	Search   discover.Progress
	Elapsed  time.Duration
	Left     time.Duration
}

// Equation is the law of one state's motion.
type Equation struct {
	State string
	Law   law.Law   // constants fitted to the trajectories; R2 and RMSE are of the derivatives
	Front []law.Law // other laws by rising complexity; RMSE is that of the trajectories
	Error float64   // root mean square deviation of the state from the integrated system, in its unit
	Noise float64   // what was estimated, or given, for the errors of the state

	Probability float64   // that Law has the right form; 0: no law
	Verdict     string    // one line: how sure, and why
	Rivals      []law.Law // other laws that the errors do not rule out, the likeliest first
}

// Result is a system of laws.
type Result struct {
	Equations   []Equation // empty Laws where nothing was found
	Window      int        // intervals over which the system was integrated at a time; whole runs where it is longer than these
	Whole       bool       // the system was integrated over whole runs
	Path        []Path     // the system's own trajectories beside each run
	Evaluations int64
	Elapsed     time.Duration
	Stopped     discover.Stop
	Cov         []float64 // covariance of all constants, equation after equation, by rows; nil: not known
	Warnings    []string
}

// Path is the integrated system along one run.
type Path struct {
	Run   int
	Times []float64
	X     [][]float64 // [state][row]
}

// sparseName is what Sparse is called among the proposers.
const sparseName = "sparse"

// engine is discover.Candidates; tests put another in its place.
var engine = discover.Candidates

// Discover finds the laws of motion behind tr. When ctx ends, or the time is up, it returns the
// best so far and no error.
func Discover(ctx context.Context, tr *Trajectories, s Settings) (*Result, error) {
	h := &hunt{tr: tr, s: s, d: tr.data(s.Noise), began: s.Clock.Now()}
	if h.s.Time == 0 {
		h.s.Time = time.Duration(len(tr.States)) * time.Minute
	}
	if h.s.Time > 0 {
		limit := h.s.Time - h.reserve()
		var cancel context.CancelFunc
		ctx, cancel = s.Clock.WithDeadline(ctx, h.began.Add(limit))
		defer cancel()
	}
	for _, c := range tr.vars() {
		h.names = append(h.names, c.Name)
	}
	if tr.With { // a field has the time last, after the constants
		h.names = h.names[:len(h.names)-1]
	}
	for _, k := range tr.Consts {
		h.names = append(h.names, k.Name)
	}
	if tr.With {
		h.names = append(h.names, tr.Time.Name)
	}
	return h.run(ctx)
}

// reserve is what is kept of the time for the fit of closed forms and of whole runs in the end.
func (h *hunt) reserve() time.Duration {
	if h.s.Time <= 0 {
		return mostReserve
	}
	return min(h.s.Time/8, mostReserve)
}

const mostReserve = 8 * time.Second

// hunt is one call of Discover.
type hunt struct {
	tr     *Trajectories
	s      Settings
	d      *data
	names  []string    // columns of a field
	sample [][]float64 // of them, at some rows; see some
	once   sync.Once   // of sample
	began  time.Time
	pools  []pool // by equation
	best   []*candidate
	solved []bool  // derivatives without noise, and a law that leaves nothing of them
	shot   *Shot   // of best
	total  float64 // score of best
	wins   []window
	level  int // intervals of wins
	evals  int64
	warns  []string
}

// Passes of search and choice: more of them where the residuals of an equation are above the noise.
const (
	fewPasses  = 4
	mostPasses = 7
)

// unexplained are the equations that have no law yet, or whose residuals are clearly above the
// noise.
func (h *hunt) unexplained() (out []int) {
	for k := range h.laws() {
		if h.shot == nil || h.best[k] == nil || h.shot.misfit(h.d, k) > aboveNoise*max(h.d.sigma[k], 1e-6*h.d.scale[k]) {
			out = append(out, k)
		}
	}
	return out
}

// laws is how many states have a law of their own: all but the inputs, which come last.
func (h *hunt) laws() int { return h.d.measured() - h.d.inputs }

func (h *hunt) run(ctx context.Context) (*Result, error) {
	m := h.laws()
	h.pools = make([]pool, m)
	for k := range h.pools {
		h.pools[k].seen = map[uint64]*candidate{}
	}
	h.best, h.solved = make([]*candidate, h.d.measured()), make([]bool, m)
	var failure error
	for pass := 1; pass <= fewPasses || pass <= mostPasses && len(h.unexplained()) > 0; pass++ {
		before := slices.Clone(h.best)
		all := !slices.Contains(h.solved, false)
		for k := range m {
			if h.solved[k] && !all || pass > fewPasses && !slices.Contains(h.unexplained(), k) {
				continue
			}
			if err := h.search(ctx, k, pass); err != nil {
				failure = err
			}
		}
		h.choose(ctx, pass)
		if ctx.Err() != nil {
			break
		}
		if pass > 1 && slices.Equal(before, h.best) && (len(h.unexplained()) == 0 || h.s.Time < 0) {
			break
		}
		if h.exact() {
			break
		}
		h.correct(ctx)
	}
	h.prefer()
	res := h.result(ctx)
	if res.Equations == nil && failure != nil {
		return nil, failure
	}
	return res, nil
}
