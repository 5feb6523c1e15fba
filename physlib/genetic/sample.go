package genetic

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/vec"
)

const (
	fitRows = 256 // rows on which the fitness is computed
	// Laws that improve the front of an island are scored on up to checkRows rows. If there are at
	// least 2·fitRows rows, none of these rows is used for the fitness.
	checkRows = 4096
)

// sample is a selection of rows, padded to whole blocks by repeated rows with weight zero.
type sample struct {
	rows  int // number of rows without the padding
	cols  [][]float64
	y     []float64
	root  []float64 // square root of each row's weight; 0 for rows that only pad
	total float64   // weighted sum of squares of y about its mean
	power float64   // weighted sum of squares of y
	mass  float64   // sum of the weights
}

// material is the data that all islands share. It is read-only.
type material struct {
	fit, check *sample
	vars       []int     // usable columns, the most relevant first
	relevance  []float64 // relative frequency with which each of vars is drawn
	dims       []unit.Dim
	target     unit.Dim
	units      bool
	noise      float64
}

// newMaterial selects rows and columns of p. It returns nil if there is no row, no usable column,
// or a target with the same value in every row.
func newMaterial(p *dataset.Problem, rng *rand.Rand) *material {
	m := &material{units: p.Units, target: p.Target.Dim, noise: p.Noise}
	for _, v := range p.Vars {
		m.dims = append(m.dims, v.Dim)
	}
	m.vars = usable(p)
	rows := m.completeRows(p)
	if len(m.vars) == 0 || len(rows) == 0 {
		return nil
	}
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	m.fit = newSample(p, rows[:min(len(rows), fitRows)])
	m.check = m.fit
	if len(rows) > fitRows {
		rest := rows
		if len(rows) >= 2*fitRows {
			rest = rows[fitRows:]
		}
		m.check = newSample(p, rest[:min(len(rest), checkRows)])
	}
	if !(m.fit.total > 0) || math.IsInf(m.fit.total, 0) {
		return nil
	}
	m.screen()
	return m
}

// usable returns the columns that vary and, if dimensions matter, the known constants. A column
// that is invalid in more than half of the rows is excluded.
func usable(p *dataset.Problem) (vars []int) {
	for i, v := range p.Vars {
		low, high, finite := math.Inf(1), math.Inf(-1), 0
		for _, x := range v.Values {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				low, high = min(low, x), max(high, x)
				finite++
			}
		}
		if len(v.Values) == len(p.Target.Values) && 2*finite > len(v.Values) && (low < high || v.Const && p.Units) {
			vars = append(vars, i)
		}
	}
	return vars
}

// completeRows returns the rows in which the target, its weight and all usable columns are finite.
func (m *material) completeRows(p *dataset.Problem) (rows []int) {
	good := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for r, y := range p.Target.Values {
		ok := good(y) && (p.Weights == nil || r < len(p.Weights) && good(p.Weights[r]) && p.Weights[r] > 0)
		for _, v := range m.vars {
			ok = ok && good(p.Vars[v].Values[r])
		}
		if ok {
			rows = append(rows, r)
		}
	}
	return rows
}

func newSample(p *dataset.Problem, rows []int) *sample {
	s := &sample{rows: len(rows)}
	padded := (len(rows) + vec.Block - 1) / vec.Block * vec.Block
	pick := func(from []float64) []float64 {
		to := make([]float64, padded)
		for k := range to {
			to[k] = from[rows[k%len(rows)]]
		}
		return to
	}
	for _, v := range p.Vars {
		if len(v.Values) == len(p.Target.Values) {
			s.cols = append(s.cols, pick(v.Values))
		} else {
			s.cols = append(s.cols, make([]float64, padded))
		}
	}
	s.y = pick(p.Target.Values)
	s.root = make([]float64, padded)
	mean, weight := 0.0, 0.0
	for k, r := range rows {
		w := 1.0
		if p.Weights != nil {
			w = p.Weights[r]
		}
		s.root[k] = math.Sqrt(w)
		mean += w * s.y[k]
		weight += w
	}
	mean /= weight
	s.mass = weight
	for k := range rows {
		w := s.root[k] * s.root[k]
		s.total += w * (s.y[k] - mean) * (s.y[k] - mean)
		s.power += w * s.y[k] * s.y[k]
	}
	if s.total < 1e-24*s.power { // constant up to rounding errors
		s.total = 0
	}
	return s
}

// screen sorts vars by relevance, the most relevant first. The relevance of a column x is a
// constant plus the larger of explained(x, y) and ½·explained(x, |y − mean of y|), where y is the
// target. If there are more than 24 columns, screen drops the least relevant ones.
func (m *material) screen() {
	const most = 24
	type scored struct {
		v     int
		score float64
	}
	list := make([]scored, len(m.vars))
	y := m.fit.y[:m.fit.rows]
	spread := make([]float64, len(y))
	mean := stat.Mean(y, nil)
	for k, v := range y {
		spread[k] = math.Abs(v - mean)
	}
	for i, v := range m.vars {
		x := m.fit.cols[v][:m.fit.rows]
		list[i] = scored{v, max(explained(x, y), 0.5*explained(x, spread))}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	list = list[:min(len(list), most)]
	m.vars, m.relevance = m.vars[:0], nil
	floor := 0.25
	if len(list) > 8 {
		floor = 0.1
	}
	for _, s := range list {
		m.vars = append(m.vars, s.v)
		m.relevance = append(m.relevance, floor+s.score)
	}
}

// explained returns the share of the variance of y that is due to x, less the share expected by
// chance. It sorts the rows by x into at most ten classes of equal size. The variance between the
// classes counts as due to x. With fewer than eight rows it returns 0.5.
func explained(x, y []float64) float64 {
	n := len(x)
	classes := min(10, n/4)
	if classes < 2 {
		return 0.5
	}
	order := make([]int, n)
	mean, total := stat.Mean(y, nil), column.SumSquares(y)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	between := 0.0
	for c := range classes {
		from, to := c*n/classes, (c+1)*n/classes
		sum := 0.0
		for _, i := range order[from:to] {
			sum += y[i] - mean
		}
		between += sum * sum / float64(to-from)
	}
	if total == 0 {
		return 0
	}
	chance := float64(classes-1) / float64(n-1)
	return max(0, between/total-chance) / (1 - chance)
}
