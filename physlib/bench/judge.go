package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// Number of points and tolerances. The package comment explains them.
const (
	judgePoints = 4000
	refitPoints = 1000
	widen       = 1.5
	tolerance   = 1e-6
	minDefined  = 0.90 // least share of points at which the law must be finite
	// Least share of the finite points where the error is small compared to the RMS of the truth.
	withinRMS = 0.999
	// Least share of the finite points where the error is small compared to the truth there.
	withinPoint = 0.90
)

// judge compares laws with the truth of one problem.
type judge struct {
	truth expr.Tree
	vars  []string
	wide  points // points on wider ranges than the data, at which laws are compared
	clean points // points on the ranges of the data, without noise, to which laws are refitted
	refit bool   // whether free constants may be refitted
}

// points are points in the space of the variables, with the values of the truth there.
type points struct {
	cols  [][]float64 // [variable][point]
	y     []float64
	slack []float64 // change of y if the columns change by their rounding; nil: unknown
}

// signed returns the points of p at which every column has a sign that occurs in data. A law of
// positive quantities may be true for positive values only. When ranges are widened, a column that
// is computed from other columns may change its sign.
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

// lastDigits is the relative change of a column, a few rounding errors, for which points.slack is
// computed.
const lastDigits = 4 * 0x1p-52

// loosen sets the slack of p to the change of t when each column changes by lastDigits. Equivalent
// forms of a law may differ by that amount if the law depends on small differences of its
// variables.
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
	if err != nil { // the law has no value on wider ranges
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

// verdict is the judgement on one law.
type verdict struct {
	exact     bool // whether it equals the truth; with noise, after refitting free constants
	identical bool // whether it equals the truth as printed
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

// printed returns the law that a user gets: the text of l, parsed as an expression in the columns
// of the problem. ok is false if l is empty or has a variable that is not a column.
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

// inColumns returns t, whose variables are named vars, as an expression in the columns of the
// problem. ok is false if a variable is not a column.
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

// free returns t with its exact constants as numbers and its other constants as Params that start
// from the values found.
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

// agreesRefitted reports whether t is the truth once its free constants are fitted to clean data.
// It tries two fits: with equal weights, which suits large values, and with weights relative to the
// values, which suits small ones.
func (j *judge) agreesRefitted(t expr.Tree) bool {
	if t.NumParams() == 0 {
		return false // already compared without a refit
	}
	start, y := make([]float64, len(j.clean.y)), j.clean.y
	expr.Compile(t).Eval(start, j.clean.cols, t.Params())
	alike, relative := make([]float64, len(y)), make([]float64, len(y)) // weights of the two fits
	floor := 1e-9 * dataset.RMS(y)
	for i, f := range start {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue // the weight stays 0; agrees counts undefined points
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
	found := t.Values(len(j.wide.y), j.wide.cols, nil)
	scale := dataset.RMS(j.wide.y)
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

// r2 returns the coefficient of determination of l on clean data of the problem, NaN if l has no
// value at some point.
func (j *judge) r2(l law.Law) float64 {
	t, ok := j.printed(l)
	if !ok {
		return math.NaN()
	}
	found := t.Values(len(j.clean.y), j.clean.cols, nil)
	return determination(found, j.clean.y)
}

// determination returns R² = 1 - Σ(f - y)²/Σ(y - ȳ)², NaN if a value of f is NaN.
func determination(f, y []float64) float64 {
	var mean, rest, total float64
	for i, v := range y {
		mean += (v - mean) / float64(i+1)
	}
	scale := dataset.RMS(y) // avoids overflow of the squares
	for i, v := range y {
		rest += math.Pow((v-f[i])/scale, 2)
		total += math.Pow((v-mean)/scale, 2)
	}
	return 1 - rest/total
}
