package discover

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Sizes of the ranking: rows on which laws are compared, laws that get a careful fit, laws whose constants are simplified,
// and laws that a result holds.
const (
	rankedRows = 20_000
	refined    = 90
	simplified = 12
	finalLaws  = 60
)

// ranking chooses among the laws of all searches of one table by their description length, whatever units and error
// model each search worked with.
type ranking struct {
	t     *dataset.Table
	m     *mdl.Table
	trees []expr.Tree // proposed, over m's variables
	by    []string    // who proposed each
	seen  map[uint64]bool
	list  []ranked // best first, once chosen

	places   []int   // of the rows in the user's table; nil: it has all of them
	constant float64 // bits of the law that the target is a constant
	tried    int64   // forms that were fitted
	mu       sync.Mutex
}

// ranked is a law with its score.
type ranked struct {
	mdl.Score
	by string
}

// newRanking makes the ranking of a table.
func newRanking(t *dataset.Table, s Settings) *ranking {
	part := t
	if n := t.Rows(); n > rankedRows {
		rows := make([]int, rankedRows)
		for i := range rows {
			rows[i] = i * (n - 1) / (rankedRows - 1)
		}
		part = t.Subset(rows)
	}
	k := &ranking{t: t, m: mdl.New(part, s.prior(), !s.NoUnits), seen: map[uint64]bool{}, places: s.places}
	if s.Noise.Known && part.Sigma == nil {
		k.m.Sigma = slices.Repeat([]float64{s.Noise.Sigma}, part.Rows())
	}
	switch s.Errors {
	case EqualErrors:
		k.m.Models = []mdl.Errors{mdl.Equal}
	case ProportionalErrors:
		k.m.Models = []mdl.Errors{mdl.Proportional}
	}
	k.constant = k.m.Scorer().Constant().Bits
	return k
}

// add proposes a law over the table's columns and constants.
func (k *ranking) add(t expr.Tree, by string) { k.propose(k.m.Lift(t), by) }

// propose adds a law over m's variables, once as it is and once with its numbers free.
func (k *ranking) propose(t expr.Tree, by string) {
	t = withoutAbs(k.m, t)
	for _, form := range []expr.Tree{t, freed(t)} {
		h := form.Hash()
		if form.Len() == 0 || k.seen[h] {
			continue
		}
		k.seen[h] = true
		k.trees, k.by = append(k.trees, form), append(k.by, by)
	}
}

// numerical reports whether t has numbers other than exponents and simple ones.
func numerical(t expr.Tree) bool {
	src := t.Nodes()
	for i, n := range src {
		if number(src, i) && n.Op.Arity() == 0 {
			return true
		}
	}
	return false
}

// number reports whether node i is a number that is no exponent and no simple one.
func number(nodes []expr.Node, i int) bool {
	switch n := nodes[i]; n.Op {
	case expr.Pi, expr.Euler:
		return true
	case expr.Number:
		return !simple(n.Value) && math.Abs(n.Value-180/math.Pi) > 1e-9 && !(i+1 < len(nodes) && nodes[i+1].Op == expr.Pow)
	}
	return false
}

// simple reports whether v is a number that laws have as part of their form.
func simple(v float64) bool {
	switch math.Abs(v) {
	case 0.5, 1, 2, 3, 4:
		return true
	}
	return false
}

// freed is t with free constants in place of its numbers other than exponents and 1.
func freed(t expr.Tree) expr.Tree {
	src := t.Nodes()
	nodes := slices.Clone(src)
	next := int32(t.NumParams())
	for i, n := range src {
		plain := n.Op == expr.Number && math.Abs(n.Value) != 1 && simple(n.Value) && !(i+1 < len(src) && src[i+1].Op == expr.Pow)
		if plain || number(src, i) {
			v := n.Value
			switch n.Op {
			case expr.Pi:
				v = math.Pi
			case expr.Euler:
				v = math.E
			}
			nodes[i] = expr.Node{Op: expr.Param, Index: next, Value: v}
			next++
		}
	}
	f, _ := expr.FromNodes(nodes)
	return f.MergeParams()
}

// surveyBeside fits the likeliest forms while the searches work, unless these find an exact law at once; with a budget of evaluations it
// does so before them. joined waits for its end where it has begun, and stop ends it before.
func (k *ranking) surveyBeside(ctx context.Context, s Settings) (joined, stop func()) {
	if !k.surveys(s) {
		return func() {}, func() {}
	}
	within, cancel := s.within(ctx, surveyShare)
	if s.Evaluations > 0 {
		k.survey(within, s)
		cancel()
		return func() {}, func() {}
	}
	began, done, skip := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-skip:
			return
		case <-within.Done():
			return
		case <-time.After(min(surveyDelay, s.Time/20)):
		}
		close(began)
		k.survey(within, s)
	}()
	joined = sync.OnceFunc(func() {
		select {
		case <-began: // it ends soon: the law was not found at once, so that it counts
		default:
			close(skip)
		}
		<-done
		cancel()
	})
	return joined, func() {
		cancel()
		joined()
	}
}

// surveyDelay is for how long the search is alone: it finds most exact laws in that time.
const surveyDelay = 500 * time.Millisecond

// survey fits the likeliest forms of all and keeps the best as proposals. It ends with ctx.
func (k *ranking) survey(ctx context.Context, s Settings) {
	trees := survey.Candidates(k.m, s.Evaluations)
	found := survey.Fit(ctx, k.m, trees, refined, mdl.Effort{Starts: 3, Quick: true})
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried += int64(len(trees))
	for _, f := range found {
		if !s.allows(f.Tree) {
			continue
		}
		h := f.Tree.Hash()
		if !k.seen[h] {
			k.seen[h] = true
			k.trees, k.by = append(k.trees, f.Tree), append(k.by, Forms)
		}
	}
}

// choose scores what was proposed, the best of it with care, and sorts it.
func (k *ranking) choose(ctx context.Context) {
	score := func(trees []expr.Tree, by []string, keep int, e mdl.Effort) (list []ranked, out []expr.Tree, who []string) {
		for _, f := range survey.Fit(ctx, k.m, trees, keep, e) {
			if numerical(f.Tree) && !k.m.Exact(f.Score) {
				continue // closed forms are for exact data only
			}
			list = append(list, ranked{f.Score, by[f.From]})
			out, who = append(out, f.Tree), append(who, by[f.From])
		}
		return list, out, who
	}
	starts, careful := max(1, min(8, 1000/k.m.Rows())), refined
	if starts == 1 {
		careful = refined / 6
	}
	all, trees, by := score(k.trees, k.by, len(k.trees), mdl.Effort{Starts: min(starts, 2), Quick: starts == 1})
	trees, by = leading(all, trees, by, careful)
	k.list, _, _ = score(trees, by, len(trees), mdl.Effort{Starts: starts, Final: true})
	for range 4 {
		var more []expr.Tree
		var who []string
		for _, c := range k.list[:min(len(k.list), simplified)] {
			for _, t := range append(k.simpler(c.Score), limits(k.m, c.Score)...) {
				if h := t.Hash(); !k.seen[h] {
					k.seen[h] = true
					more, who = append(more, t), append(who, c.by)
				}
			}
		}
		if len(more) == 0 {
			break
		}
		list, _, _ := score(more, who, refined, mdl.Effort{Final: true})
		k.list = append(k.list, list...)
		k.sort()
	}
	k.distinct()
}

// leading are the first of laws by score and, of the others, the one that fits best at each complexity, in steps of four bits.
func leading(all []ranked, trees []expr.Tree, by []string, first int) (some []expr.Tree, who []string) {
	fits := map[int]int{}
	for i, c := range all {
		step := int(c.Form / 4)
		if o, ok := fits[step]; !ok || c.Bits-c.Form < all[o].Bits-all[o].Form {
			fits[step] = i
		}
	}
	for i, c := range all {
		if i < first || fits[int(c.Form/4)] == i {
			some, who = append(some, trees[i]), append(who, by[i])
		}
	}
	return some, who
}

func (k *ranking) sort() {
	slices.SortStableFunc(k.list, func(a, b ranked) int { return cmp.Compare(a.Bits, b.Bits) })
}

// distinct drops laws that say the same as a better one, to a thousandth of the errors.
func (k *ranking) distinct() {
	s := k.m.Scorer()
	fits := map[int]float64{} // least bits of data and constants at each complexity, in steps of four bits
	for _, c := range k.list {
		step, rest := int(c.Form/4), c.Bits-c.Form
		if o, ok := fits[step]; !ok || rest < o {
			fits[step] = rest
		}
	}
	var kept []ranked
	var left [][]float64
	for _, c := range k.list {
		if len(kept) >= finalLaws && c.Bits-c.Form > fits[int(c.Form/4)] {
			continue
		}
		r := s.Residuals(c.Score)
		if slices.ContainsFunc(left, func(o []float64) bool { return alike(r, o) }) {
			continue
		}
		kept, left = append(kept, c), append(left, r)
	}
	k.list = kept
}

// simpler are forms near a fitted one with a constant less: a term left out, a factor or an exponent that is a simple number.
func (k *ranking) simpler(c mdl.Score) (out []expr.Tree) {
	src := c.Tree.Nodes()
	for i, n := range src {
		if n.Op != expr.Param {
			continue
		}
		slot := int(n.Index)
		v, se := c.Params[slot], c.StdErr[slot]
		exponent := i+1 < len(src) && src[i+1].Op == expr.Pow
		var numbers []float64
		if math.IsInf(se, 0) || math.IsNaN(se) || math.Abs(v) < 4*se {
			numbers = append(numbers, 0)
		}
		if exponent {
			for _, q := range []float64{1, 2, 3, 4} {
				if p := math.Round(v*q) / q; p != 0 && math.Abs(p-v) < 3*se {
					numbers = append(numbers, p)
				}
			}
		} else {
			for _, p := range []float64{1, -1, 2, -2, 3, -3, 4, -4} {
				if math.Abs(p) > 1 && (se > 0.01*math.Abs(p) || slot < len(c.Dims) && !c.Dims[slot].IsZero()) {
					continue
				}
				if math.Abs(p-v) < 3*se {
					numbers = append(numbers, p)
				}
			}
		}
		for _, p := range numbers {
			t := fold(replace(c.Tree, slot, expr.Num(p))).MergeParams()
			if len(t.Vars()) > 0 {
				out = append(out, t)
			}
		}
	}
	return append(out, inRatio(c)...)
}

// inRatio are the forms in which one constant of a fitted law is a simple multiple of another one, as in 1/(c − 4·c/n²).
func inRatio(c mdl.Score) (out []expr.Tree) {
	n := len(c.Params)
	for i, a := range c.Params {
		for j, b := range c.Params {
			if i == j || len(c.Cov) != n*n || i < len(c.Dims) && j < len(c.Dims) && c.Dims[i] != c.Dims[j] {
				continue
			}
			r := a / b
			va, vb, cov := c.Cov[i*n+i]/(a*a), c.Cov[j*n+j]/(b*b), c.Cov[i*n+j]/(a*b)
			se := math.Abs(r) * math.Sqrt(max(va+vb-2*cov, 0))
			for _, p := range []float64{-1, 2, -2, 3, -3, 4, -4} {
				if math.Abs(r-p) < 3*se && se < 0.01*math.Abs(p) {
					by := expr.Apply(expr.Mul, expr.Num(p), expr.C(j, b))
					out = append(out, compact(replaceSlot(c.Tree, i, by)).MergeParams())
				}
			}
		}
	}
	return out
}

// replaceSlot is t with the constant in slot replaced by a tree over the same slots.
func replaceSlot(t expr.Tree, slot int, by expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if n.Op == expr.Param && int(n.Index) == slot {
			nodes = append(nodes, by.Nodes()...)
			continue
		}
		nodes = append(nodes, n)
	}
	r, _ := expr.FromNodes(nodes)
	return r
}

// law writes a ranked law over the table's columns, fitted on all rows.
func (k *ranking) law(c ranked) law.Law {
	m := k.m
	if m.Rows() != k.t.Rows() {
		m = mdl.New(k.t, m.Prior, true)
	}
	s := m.Scorer()
	tree := readable(m.Lower(c.Tree), k.t)
	fitted, ok := s.Refit(tree, c.Errors)
	if !ok {
		tree = m.Lower(c.Tree)
		fitted, _ = s.Refit(tree, c.Errors)
	}
	l := law.Law{Tree: fitted.Tree, Target: k.t.Target.Name, Complexity: c.Form + c.Units, UnitsOK: c.Balanced, Score: c.Bits, Proposer: c.by}
	for _, v := range k.t.Vars {
		l.Vars = append(l.Vars, v.Name)
	}
	for _, v := range k.t.Consts {
		l.Vars = append(l.Vars, v.Name)
	}
	l.Constants = law.Named(fitted.Params, fitted.StdErr)
	prefix := "c"
	if slices.ContainsFunc(l.Vars, numberedConstant.MatchString) {
		prefix = "const"
	}
	units := newUnitNames(k.t)
	dims := m.ParamDims(fitted.Tree)
	for i := range l.Constants {
		l.Constants[i].Name = prefix + itoa(i)
		if i < len(dims) && c.Balanced {
			l.Constants[i].Unit = units.name(dims[i])
		}
		l.Constants[i].Hint = hint(l.Constants[i])
	}
	y := k.t.Target.Values
	mean, tss := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		tss += (v - mean) * (v - mean)
	}
	l.RMSE = math.Sqrt(fitted.RSS / float64(len(y)))
	l.R2 = 1 - fitted.RSS/tss
	return l
}

// hint are closed forms within one standard error of a fitted number without a unit, the simplest first.
func hint(k law.Constant) string {
	if k.Unit != "" || !(k.StdErr > 0) || k.StdErr > 0.02*math.Abs(k.Value) {
		return ""
	}
	text := ""
	for i, f := range fit.Closed(k.Value, k.StdErr, 2) {
		if f.Odds(k.Value, k.StdErr) < 0 {
			continue
		}
		if i > 0 && text != "" {
			text += " or "
		}
		text += f.Text
	}
	return text
}

// fill puts the chosen laws into a result.
func (k *ranking) fill(res *Result) {
	res.Best, res.Front, res.Finalists = law.Law{}, nil, nil
	for _, c := range k.list {
		l := k.law(c)
		if l.R2 < -0.1 || math.IsNaN(l.R2) {
			continue
		}
		res.Finalists = append(res.Finalists, l)
	}
	res.constant = k.constant
	if len(k.list) > 0 {
		res.bits = min(k.list[0].Bits, k.constant)
		e := k.list[0].Errors
		res.relative = e == mdl.Proportional || e == mdl.HeavyFactors
	}
	if len(k.list) > 0 && len(res.Finalists) > 0 && k.list[0].Bits < k.constant-marginBits && len(res.Finalists[0].Tree.Vars()) > 0 {
		res.Best = res.Finalists[0]
	}
	res.Front = k.front(res)
	res.Known = k.known(res)
}

// namer is what a prior may have besides: the names of known laws of a form.
type namer interface{ Named(t expr.Tree) []string }

// Bounds of the known laws that a result names: how many, and by how many bits one may be worse than the best law.
const (
	knownLaws   = 5
	knownBeyond = 30
)

// known are the laws with a name among those that were scored, the best first.
func (k *ranking) known(res *Result) (out []Known) {
	n, ok := k.m.Prior.(namer)
	if !ok || res.Best.Tree.Len() == 0 {
		return nil
	}
	seen := map[string]bool{}
	for i, c := range k.list {
		if c.Bits > k.list[0].Bits+knownBeyond || len(out) == knownLaws || i >= len(res.Finalists) {
			break
		}
		names := n.Named(c.Tree)
		if len(names) == 0 || seen[names[0]] {
			continue
		}
		seen[names[0]] = true
		out = append(out, Known{Law: k.law(c), Names: names, Beyond: c.Bits - k.list[0].Bits})
	}
	return out
}

// marginBits is by how many bits a law must be shorter than a constant to be reported.
const marginBits = 5

// front are the laws that no simpler one fits better, by complexity, among those at most frontMargin bits worse than the best.
func (k *ranking) front(res *Result) []law.Law {
	type point struct {
		l    law.Law
		data float64
	}
	var points []point
	for i, l := range res.Finalists {
		if i < len(k.list) {
			points = append(points, point{l, l.Score - l.Complexity})
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.l.Complexity, b.l.Complexity) })
	var front []law.Law
	least := math.Inf(1)
	for _, p := range points {
		best := res.Best.Tree.Len() > 0 && p.l.Score == res.Best.Score
		near := res.Best.Tree.Len() == 0 || p.l.Complexity <= res.Best.Complexity || p.l.Score < res.Best.Score+frontMargin
		if best || p.data < least-0.5 && near {
			front = append(front, p.l)
		}
		least = min(least, p.data)
	}
	return front
}

// Forms is the name of the Proposer that fits the likeliest forms of all.
const Forms = "forms"

// surveys reports whether the likeliest forms are fitted: in tables of so few rows and columns that this takes a second or two.
func (k *ranking) surveys(s Settings) bool {
	names, err := s.chosen()
	return err == nil && slices.Contains(names, Forms) && k.t.Rows() <= fewRows
}

// prior is the prior of forms.
func (s Settings) prior() mdl.Prior {
	if s.Prior != nil {
		return s.Prior
	}
	return survey.Catalogue()
}

// allows reports whether a law has only operators that the settings allow and is not too complex.
func (s Settings) allows(t expr.Tree) bool {
	p := dataset.Problem{Ops: s.Ops}
	return p.Allows(t) && (s.MaxComplexity == 0 || law.Complexity(t, 1) <= s.MaxComplexity)
}
