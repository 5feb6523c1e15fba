package motion

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Settings of a search for laws of motion. The zero value is 60 seconds for each equation.
type Settings struct {
	Time     time.Duration     // wall time for the system; 0: 60 s for each equation
	Noise    []float64         // standard deviation of the errors of each state, in its unit; 0 or left out: estimated
	Search   discover.Settings // of the search for the laws of the derivatives; Time, Noise and Resume are set here
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
}

// Result is a system of laws.
type Result struct {
	Equations   []Equation // empty Laws where nothing was found
	Window      int        // intervals over which the system was integrated at a time; whole runs where it is longer than these
	Whole       bool       // the system was integrated over whole runs
	Path        []Path     // the system's own trajectories beside each run
	Evaluations int64
	Elapsed     time.Duration
	Stopped     string
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

// engine is discover.Discover; tests put another in its place.
var engine = discover.Discover

// Discover finds the laws of motion behind tr. When ctx ends, or the time is up, it returns the best so far and no error.
func Discover(ctx context.Context, tr *Trajectories, s Settings) (*Result, error) {
	h := &hunt{tr: tr, s: s, d: tr.data(s.Noise), began: time.Now()}
	if h.s.Time == 0 {
		h.s.Time = time.Duration(len(tr.States)) * time.Minute
	}
	if h.s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, h.began.Add(h.s.Time))
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

// hunt is one call of Discover.
type hunt struct {
	tr     *Trajectories
	s      Settings
	d      *data
	names  []string // columns of a field
	began  time.Time
	pools  []pool // by equation
	best   []*candidate
	solved []bool // derivatives without noise, and a law that leaves nothing of them
	shot   *Shot  // of best
	wins   []window
	evals  int64
	warns  []string
}

// pool is what was found for one equation.
type pool struct {
	list []*candidate
	seen map[uint64]*candidate
	top  *candidate // the engine's choice in the latest search
}

// candidate is a law of one equation.
type candidate struct {
	law   law.Law
	tree  expr.Tree // over the columns of a field; numbers that a fit may move are free
	bits  float64
	alone float64 // score with the other states given
	joint float64
	shot  *Shot // with the others
}

func (h *hunt) run(ctx context.Context) (*Result, error) {
	m := h.d.measured()
	h.pools = make([]pool, m)
	for k := range h.pools {
		h.pools[k].seen = map[uint64]*candidate{}
	}
	h.best, h.solved = make([]*candidate, m), make([]bool, m)
	var failure error
	for pass := 1; pass <= 4; pass++ {
		before := slices.Clone(h.best)
		all := !slices.Contains(h.solved, false)
		for k := range m {
			if h.solved[k] && !all {
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
		if pass > 1 && slices.Equal(before, h.best) {
			break
		}
		if h.exact() {
			break
		}
		h.correct()
	}
	res := h.result(ctx)
	if res.Equations == nil && failure != nil {
		return nil, failure
	}
	return res, nil
}

// The standard errors of derivatives are estimates themselves, and those of neighbours, which share windows, are much alike: so many
// rows say less than they would if they were independent.
const (
	doubt     = 4     // by which they are multiplied
	noiseless = 1e-4  // below this, relative to the derivative, they come from the windows alone, and there is no noise to speak of
	worse     = 6     // times the median, beyond which a row of clean ones is left out
	least     = 1e-10 // relative error below which no derivative is believed to be
	most      = 3000  // rows of a table
)

// table is equation k as a table: its derivative against the states. clean tells that there is no noise to speak of; then only rows
// whose derivatives are well known, and that are apart from each other, are in it.
func (h *hunt) table(k int) (t *dataset.Table, isClean bool) {
	tr, d := h.tr, h.d
	t = &dataset.Table{Name: tr.Name, Target: tr.rate(k, tr.Order), Vars: tr.vars(), Consts: tr.Consts}
	m := d.measured()
	_, where := d.rows()
	var sizes []float64
	for _, p := range where {
		sizes = append(sizes, math.Abs(d.runs[p.run].slope[k][p.at].D[tr.Order]))
	}
	slices.Sort(sizes)
	usual := sizes[len(sizes)/2]
	relative := func(p place) float64 {
		s := d.runs[p.run].slope[k][p.at]
		return max(doubt*s.SE[tr.Order]/(math.Abs(s.D[tr.Order])+usual), least)
	}
	var shares []float64
	for _, p := range where {
		shares = append(shares, relative(p))
	}
	slices.Sort(shares)
	limit := 1e3
	if median := shares[len(shares)/2]; median < doubt*noiseless {
		limit, isClean = worse*median, true
	}
	kept := where[:0:0]
	every := max(1, len(where)/most)
	for i, p := range where {
		if i%every == 0 && relative(p) < limit {
			kept = append(kept, p)
		}
	}
	if isClean {
		kept = h.apart(kept)
	}
	for _, p := range kept {
		share := relative(p)
		r := d.runs[p.run]
		v := r.slope[k][p.at].D[tr.Order]
		t.Target.Values = append(t.Target.Values, v)
		t.Sigma = append(t.Sigma, share*(math.Abs(v)+usual))
		col := 0
		put := func(v float64) { t.Vars[col].Values = append(t.Vars[col].Values, v); col++ }
		for o := range tr.Order {
			for j := range m {
				put(r.slope[j][p.at].D[o])
			}
		}
		for j := range tr.Params {
			put(r.extra[j])
		}
		if tr.With {
			put(r.t[p.at])
		}
	}
	return t, isClean
}

// enoughRows is how many rows of clean derivatives the search gets where there are more.
const enoughRows = 160

// apart are places that are apart from each other in the states: a trajectory that lingers, at a fixed point above all, says one
// thing many times over.
func (h *hunt) apart(where []place) []place {
	m := h.d.measured()
	low, high := slices.Repeat([]float64{math.Inf(1)}, m), slices.Repeat([]float64{math.Inf(-1)}, m)
	for _, p := range where {
		for k := range m {
			v := h.d.start(p.run, p.at, k)
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	distance := func(p, q place) float64 {
		sum := 0.0
		for k := range m {
			d := (h.d.start(p.run, p.at, k) - h.d.start(q.run, q.at, k)) / (high[k] - low[k])
			sum += d * d
		}
		return math.Sqrt(sum)
	}
	var kept []place
	for near := 0.1; near > 1e-5 && len(kept) < min(enoughRows, len(where)); near /= 2 {
		for _, p := range where {
			if !slices.ContainsFunc(kept, func(q place) bool { return distance(p, q) < near }) {
				kept = append(kept, p)
			}
		}
	}
	return kept
}

// share is the time for one search of a derivative's law.
func (h *hunt) share(pass int) time.Duration {
	if h.s.Time < 0 {
		return 30 * time.Second
	}
	parts := 4 * h.d.measured()
	if pass == 1 {
		parts *= 2 // what is found first corrects the derivatives, above all
	}
	return max(h.s.Time/time.Duration(parts), time.Millisecond)
}

// search lets the engine find laws of equation k's derivative.
func (h *hunt) search(ctx context.Context, k, pass int) error {
	s := h.s.Search
	s.Time = h.share(pass)
	if s.Evaluations > 0 {
		s.Time = -1
	}
	s.Extra = append(slices.Clone(s.Extra), discover.Named{Name: sparseName, Proposer: Sparse{}})
	if s.Proposers != nil {
		s.Proposers = append(slices.Clone(s.Proposers), sparseName)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if h.best[k] != nil {
		s.Resume = []law.Law{h.best[k].law}
	}
	table, clean := h.table(k)
	var terms []lent
	if pass > 1 {
		terms = h.borrow(k)
		h.lend(table, terms)
	}
	var last expr.Tree
	start := spent()
	since := start // when the best law was found
	s.Progress = func(p discover.Progress) {
		if h.s.Progress != nil {
			h.s.Progress(Progress{Pass: pass, Equation: h.tr.Target(k), Search: p, Elapsed: time.Since(h.began), Left: max(0, h.s.Time-time.Since(h.began))})
		}
		if s.Evaluations > 0 {
			return
		}
		if !slices.Equal(p.Best.Tree.Nodes(), last.Nodes()) {
			last, since = p.Best.Tree, spent()
		}
		now, wait := spent(), patience
		if clean {
			wait = quick
		}
		if now-since > max(wait, (since-start)/2) && leaves(p.Best, table) < enough || pass == 1 && clean && now-start > first {
			cancel()
		}
	}
	found, err := engine(inner, table, s)
	if err != nil {
		return err
	}
	h.evals += found.Evaluations
	for _, w := range found.Warnings {
		if !slices.Contains(h.warns, w) {
			h.warns = append(h.warns, w)
		}
	}
	found.Best = h.repaid(found.Best, terms)
	for i, l := range found.Finalists {
		found.Finalists[i] = h.repaid(l, terms)
	}
	h.pools[k].add(found, h.names)
	h.solved[k] = found.Stopped == "exact" || clean && leaves(found.Best, table) < enough
	return nil
}

// A search ends early when its best law, which has not changed for so much processor time, leaves so many standard errors of the
// derivatives. The first one of clean derivatives ends after so long: what it finds is for their correction.
const (
	patience = 3 * time.Second
	quick    = 600 * time.Millisecond // without noise
	enough   = 1.2
	first    = 4 * time.Second
)

// leaves is what l leaves of the table's target, in standard errors, root mean square.
func leaves(l law.Law, t *dataset.Table) float64 {
	if l.Tree.Len() == 0 {
		return math.Inf(1)
	}
	cols := columns(l.Vars, t)
	y, sum := make([]float64, t.Rows()), 0.0
	expr.Compile(l.Tree).Eval(y, cols, l.Params())
	for i, v := range t.Target.Values {
		e := (v - y[i]) / t.Sigma[i]
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(y)))
}

// columns are those of t that have the names, NaN where there is none.
func columns(names []string, t *dataset.Table) [][]float64 {
	cols := make([][]float64, len(names))
	for i, name := range names {
		for _, v := range t.Vars {
			if v.Name == name {
				cols[i] = v.Values
			}
		}
		for _, c := range t.Consts {
			if c.Name == name {
				cols[i] = slices.Repeat([]float64{c.Value}, t.Rows())
			}
		}
		if cols[i] == nil {
			cols[i] = slices.Repeat([]float64{math.NaN()}, t.Rows())
		}
	}
	return cols
}

// add takes what the engine found in, each form once.
func (p *pool) add(found *discover.Result, names []string) {
	for _, l := range append([]law.Law{found.Best}, found.Finalists...) {
		if l.Tree.Len() == 0 {
			continue
		}
		over, err := l.Over(names)
		if err != nil {
			continue
		}
		t := freed(over.Tree.WithStarts(over.Params())).AbsorbParams()
		hash := t.Hash()
		c := p.seen[hash]
		if c == nil {
			c = &candidate{law: l, tree: t, bits: law.Complexity(t, len(names)), alone: math.NaN()}
			p.seen[hash], p.list = c, append(p.list, c)
		}
		if l.Score == found.Best.Score {
			p.top = c
		}
	}
}

// freed is t with its numbers but for exponents and ±1 as free constants that start at their values.
func freed(t expr.Tree) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	free := int32(t.NumParams())
	exponent := make([]bool, len(nodes))
	starts := make([]int, len(nodes)) // of the subtree that ends here
	for i, n := range nodes {
		at := i
		for range n.Op.Arity() {
			at = starts[at-1]
		}
		starts[i] = at
		if n.Op == expr.Pow {
			for k := starts[i-1]; k < i; k++ {
				exponent[k] = true
			}
		}
	}
	slots := map[float64]int32{} // a number that is not whole is one constant wherever it stands
	for i, n := range nodes {
		if n.Op != expr.Number || exponent[i] || math.Abs(n.Value) == 1 {
			continue
		}
		slot, again := slots[n.Value]
		if !again {
			slot = free
			free++
			if n.Value != math.Trunc(n.Value) {
				slots[n.Value] = slot
			}
		}
		nodes[i] = expr.Node{Op: expr.Param, Index: slot, Value: n.Value}
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return out
}

// field is the system with law trees in the equations; empty ones are given.
func (h *hunt) field(trees []expr.Tree) *Field {
	m := h.d.measured()
	rates := make([]expr.Tree, h.d.states())
	for k, t := range trees {
		if t.Len() == 0 {
			continue
		}
		if h.d.order == 2 {
			rates[k] = expr.X(m + k)
		}
		rates[h.d.states()-m+k] = t
	}
	return NewField(rates, len(h.tr.Params)+len(h.tr.Consts), h.tr.With)
}

// lengths of windows, in intervals.
const (
	windowLength = 12
	windowLimit  = 60
)

func (h *hunt) tolerance() float64 {
	worst := math.Inf(1)
	for k, s := range h.d.sigma {
		worst = min(worst, s/h.d.scale[k])
	}
	return min(max(worst*0.01, 1e-10), 1e-5)
}

// score is the description length of candidate trees with what they leave of the trajectories.
func (h *hunt) score(bits float64, f *Field, s *Shot, live func(k int) bool) float64 {
	for i, p := range s.Params {
		if se := s.StdErr[i]; se > 0 && !math.IsInf(se, 0) {
			bits += min(max(math.Log2(1+math.Abs(p)/se), 1), 40)
		} else if math.IsInf(se, 0) {
			bits++
		} else {
			bits += 40
		}
	}
	for k := range h.d.measured() {
		if !live(k) {
			continue
		}
		rms := math.Sqrt(s.RSS[k]/s.Rows) * h.d.sigma[k]
		bits += s.Rows * math.Log2(max(rms/h.d.scale[k], 10*exactly))
	}
	if math.IsNaN(bits) {
		return math.Inf(1)
	}
	return bits
}

// choose weighs all candidates on the trajectories: each by itself with the other states given, then together.
func (h *hunt) choose(ctx context.Context, pass int) {
	m := h.d.measured()
	wins := h.d.windows(windowLength, windowLimit)
	tol := h.tolerance()
	clean := h.clean()
	for k := range m {
		list := h.pools[k].list
		parallel(ctx, len(list), func(i int) {
			c := list[i]
			if pass == 1 && clean || !math.IsNaN(c.alone) {
				return // not needed yet, or done
			}
			trees := make([]expr.Tree, m)
			trees[k] = c.tree
			f := h.field(trees)
			s := h.d.shoot(f, wins, max(tol, 1e-7), 6, nil, nil)
			c.alone = h.score(c.bits, f, s, func(j int) bool { return j == k })
		})
		slices.SortStableFunc(list, func(a, b *candidate) int {
			x, y := a.alone, b.alone
			if math.IsNaN(x) {
				x = math.Inf(1)
			}
			if math.IsNaN(y) {
				y = math.Inf(1)
			}
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		switch top := h.pools[k].top; {
		case clean && top != nil: // the derivatives are better known than what is given
			h.best[k] = top
		case len(list) > 0 && h.best[k] == nil:
			h.best[k] = list[0]
		}
	}
	h.wins = wins
	h.together(ctx, wins, tol, pass == 1 && clean)
}

// finalists is how many candidates of an equation are weighed with the other equations.
const finalists = 16

// together exchanges one equation after the other for a better one, as long as there is one, all equations integrated at once.
func (h *hunt) together(ctx context.Context, wins []window, tol float64, asTheyAre bool) {
	m := h.d.measured()
	if !slices.ContainsFunc(h.best, func(c *candidate) bool { return c != nil }) {
		return
	}
	weigh := func(trial []*candidate, old [][]float64) (*Shot, float64) {
		trees, bits := make([]expr.Tree, m), 0.0
		for k, c := range trial {
			if c != nil { // else the state is given
				trees[k] = c.tree
				bits += c.bits
			}
		}
		f := h.field(trees)
		s := h.d.shoot(f, wins, tol, 15, old, nil)
		return s, h.score(bits, f, s, func(k int) bool { return trial[k] != nil })
	}
	var score float64
	h.shot, score = weigh(h.best, nil)
	rounds := 4
	if asTheyAre {
		rounds = 0 // what comes after the correction will be better
	}
	for round := 0; round < rounds && ctx.Err() == nil; round++ {
		changed := false
		for k := range m {
			list := h.pools[k].list
			list = list[:min(len(list), finalists)]
			shots, scores := make([]*Shot, len(list)), make([]float64, len(list))
			for i := range scores {
				scores[i] = math.Inf(1)
			}
			parallel(context.WithoutCancel(ctx), len(list), func(i int) {
				if ctx.Err() != nil {
					return
				}
				trial := slices.Clone(h.best)
				trial[k] = list[i]
				shots[i], scores[i] = weigh(trial, nil)
				list[i].joint, list[i].shot = scores[i], shots[i]
			})
			for i := range list {
				if scores[i] < score-1e-6 {
					h.best[k], h.shot, score = list[i], shots[i], scores[i]
					changed = true
				}
			}
		}
		if !changed {
			break
		}
	}
	h.settle()
}

// settle writes the fitted constants into the chosen candidates.
func (h *hunt) settle() {
	at := 0
	for _, c := range h.best {
		if c == nil {
			continue
		}
		n := c.tree.NumParams()
		c.tree = c.tree.WithStarts(h.shot.Params[at : at+n])
		at += n
	}
}

// clean tells whether the derivatives of all equations come without noise.
func (h *hunt) clean() bool {
	for k := range h.d.measured() {
		if _, clean := h.table(k); !clean {
			return false
		}
	}
	return true
}

// exact tells whether the chosen system leaves nothing of the trajectories.
func (h *hunt) exact() bool {
	if h.shot == nil || h.shot.Lost > 0 || slices.Contains(h.best, nil) {
		return false
	}
	for k := range h.d.measured() {
		if h.shot.misfit(h.d, k) > 1e-7*h.d.scale[k] {
			return false
		}
	}
	return true
}
