package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// What the package comment says of exactness.
const (
	judgePoints = 4000
	refitPoints = 1000
	widen       = 1.5
	tolerance   = 1e-6
	minDefined  = 0.90  // share of points at which the law must be finite
	withinRMS   = 0.999 // share of those that must be close, by the RMS of the truth
	withinPoint = 0.90  // share of those that must be close, each by its own size
)

// judge compares laws with the truth of one problem.
type judge struct {
	truth expr.Tree
	vars  []string
	wide  points // beyond the data: here laws are compared
	clean points // as the data, without noise: here they are refitted
	refit bool   // whether free constants may be refitted
}

// points are columns and the value of the truth at them.
type points struct {
	cols  [][]float64 // [variable][point]
	y     []float64
	slack []float64 // by how much y may change where the columns change in their last digits; nil: not known
}

// signed returns the points of p at which each column has a sign that it has in data as well. A law
// of positive quantities may hold for these alone. A column that depends on others may leave its
// signs where these are widened.
func (p points) signed(data points) (kept points) {
	positive, negative := make([]bool, len(p.cols)), make([]bool, len(p.cols))
	for v, col := range data.cols {
		for _, x := range col {
			positive[v], negative[v] = positive[v] || x > 0, negative[v] || x < 0
		}
	}
	kept.cols = make([][]float64, len(p.cols))
	for i, y := range p.y {
		strange := false
		for v, col := range p.cols {
			strange = strange || col[i] > 0 && !positive[v] || col[i] < 0 && !negative[v]
		}
		if strange {
			continue
		}
		kept.y = append(kept.y, y)
		for v, col := range p.cols {
			kept.cols[v] = append(kept.cols[v], col[i])
		}
	}
	return kept
}

// lastDigits is the relative change of each column that points.slack stands for: a few roundings.
const lastDigits = 4 * 0x1p-52

// loosen sets the slack of p under t. Two ways to write a law differ by so much where it depends
// on small differences of its variables.
func (p *points) loosen(t expr.Tree) {
	p.slack = make([]float64, len(p.y))
	f, moved := expr.Compile(t), make([]float64, len(p.y))
	for v, col := range p.cols {
		cols := slices.Clone(p.cols)
		cols[v] = make([]float64, len(col))
		for i, x := range col {
			cols[v][i] = x * (1 + lastDigits)
		}
		f.Eval(moved, cols, nil)
		for i, y := range moved {
			if d := math.Abs(y - p.y[i]); d < math.Inf(1) {
				p.slack[i] += d
			}
		}
	}
}

func newJudge(p corpus.Problem, noisy bool, rng *rand.Rand) (*judge, error) {
	truth, err := p.Tree()
	if err != nil {
		return nil, err
	}
	clean, err := sample(p, refitPoints, rng)
	if err != nil {
		return nil, err
	}
	wide, err := sample(p.Widened(widen), judgePoints, rng)
	if err != nil { // the law ends where the data do
		if wide, err = sample(p, judgePoints, rng); err != nil {
			return nil, err
		}
	}
	wide = wide.signed(clean)
	wide.loosen(truth)
	return &judge{truth: truth, vars: p.Names(), wide: wide, clean: clean, refit: noisy}, nil
}

func sample(p corpus.Problem, rows int, rng *rand.Rand) (points, error) {
	t, err := p.Sample(rows, rng)
	if err != nil {
		return points{}, err
	}
	s := points{y: t.Target.Values, cols: make([][]float64, len(t.Vars))}
	for i, c := range t.Vars {
		s.cols[i] = c.Values
	}
	return s, nil
}

// verdict on one law.
type verdict struct {
	exact     bool // up to free constants where the data have noise
	identical bool // as printed
}

func (j *judge) judge(l law.Law) verdict {
	printed, ok := j.printed(l)
	if !ok {
		return verdict{}
	}
	if j.agrees(printed) || printed.Canonical().Hash() == j.truth.Canonical().Hash() {
		return verdict{exact: true, identical: true}
	}
	found, ok := j.inColumns(l.Tree, l.Vars)
	return verdict{exact: ok && j.refit && j.agreesRefitted(free(found, l.Constants))}
}

// printed returns the law that a user gets: l as text, parsed again over the columns of the
// problem. ok is false where there is none or it has another variable.
func (j *judge) printed(l law.Law) (t expr.Tree, ok bool) {
	if l.Tree.Len() == 0 {
		return t, false
	}
	t, err := expr.Parse(l.Infix(), l.Vars)
	if err != nil || t.NumParams() > 0 {
		return t, false
	}
	return j.inColumns(t, l.Vars)
}

// inColumns returns t, whose variables are named vars, over the columns of the problem; ok is false
// where it has another one.
func (j *judge) inColumns(t expr.Tree, vars []string) (in expr.Tree, ok bool) {
	nodes := slices.Clone(t.Nodes())
	for i, n := range nodes {
		if n.Op != expr.Var {
			continue
		}
		column := int(n.Index)
		if column < len(vars) {
			column = slices.Index(j.vars, vars[column])
		}
		if column < 0 || column >= len(j.vars) {
			return expr.Tree{}, false
		}
		nodes[i].Index = int32(column)
	}
	return expr.FromNodes(nodes)
}

// free returns t with its exact constants fixed and the others as Params that start from the values
// found.
func free(t expr.Tree, constants []law.Constant) expr.Tree {
	nodes, slots := slices.Clone(t.Nodes()), map[int32]int32{}
	for i, n := range nodes {
		if n.Op != expr.Param {
			continue
		}
		if k := int(n.Index); k < len(constants) {
			nodes[i].Value = constants[k].Value
			if constants[k].Exact != "" {
				nodes[i] = expr.Node{Op: expr.Number, Value: constants[k].Value}
				continue
			}
		}
		slot, seen := slots[n.Index]
		if !seen {
			slot = int32(len(slots))
			slots[n.Index] = slot
		}
		nodes[i].Index = slot
	}
	t, _ = expr.FromNodes(nodes)
	return t
}

// agreesRefitted reports whether t, its free constants fitted to clean data, is the truth. The fit
// weighs all points alike, then by their size, which large and small values need respectively.
func (j *judge) agreesRefitted(t expr.Tree) bool {
	if t.NumParams() == 0 {
		return false // compared already
	}
	start, y := make([]float64, len(j.clean.y)), j.clean.y
	expr.Compile(t).Eval(start, j.clean.cols, t.Params())
	alike, relative := make([]float64, len(y)), make([]float64, len(y)) // weights
	floor := 1e-9 * rms(y)
	for i, f := range start {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue // weight 0: agrees counts such points
		}
		alike[i], relative[i] = 1, 1/(y[i]*y[i]+floor*floor)
	}
	for _, weights := range [][]float64{alike, relative} {
		r, err := fit.Fit(t, j.clean.cols, y, weights, fit.Settings{Starts: 1})
		if err == nil && j.agrees(t.Bind(r.Params)) {
			return true
		}
	}
	return false
}

// agrees reports whether t, which has no free constants, is the same function as the truth.
func (j *judge) agrees(t expr.Tree) bool {
	found := make([]float64, len(j.wide.y))
	expr.Compile(t).Eval(found, j.wide.cols, nil)
	scale := rms(j.wide.y)
	var defined, closeRMS, closePoint int
	for i, f := range found {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		defined++
		d := max(0, math.Abs(f-j.wide.y[i])-j.wide.slack[i])
		if d <= tolerance*scale {
			closeRMS++
		}
		if d <= tolerance*math.Abs(j.wide.y[i]) {
			closePoint++
		}
	}
	of := float64(defined)
	return of >= minDefined*float64(len(found)) && float64(closeRMS) >= withinRMS*of && float64(closePoint) >= withinPoint*of
}

// r2 returns the coefficient of determination of l on clean data of the problem; NaN where l has no
// value at one of them.
func (j *judge) r2(l law.Law) float64 {
	t, ok := j.printed(l)
	if !ok {
		return math.NaN()
	}
	found := make([]float64, len(j.clean.y))
	expr.Compile(t).Eval(found, j.clean.cols, nil)
	var mean, rest, total float64
	for i, y := range j.clean.y {
		mean += (y - mean) / float64(i+1)
	}
	scale := rms(j.clean.y) // keeps squares in range
	for i, y := range j.clean.y {
		rest += math.Pow((y-found[i])/scale, 2)
		total += math.Pow((y-mean)/scale, 2)
	}
	return 1 - rest/total
}

// rms returns the root of the mean square of xs, without overflow.
func rms(xs []float64) float64 {
	largest := 0.0
	for _, x := range xs {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, x := range xs {
		sum += (x / largest) * (x / largest)
	}
	return largest * math.Sqrt(sum/float64(len(xs)))
}
