package search

import (
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// peeled is a problem from which factors xᵢ^a were taken that stand alone in the law: y = ∏ xᵢ^a · f(the others).
type peeled struct {
	p      *dataset.Problem
	drop   map[int]bool
	wide   map[int]bool // variables left out because there are too many
	factor expr.Tree    // ∏ xᵢ^a
}

// peelF is the greatest F of a lack-of-fit test for which a variable counts as separable. A polynomial is no perfect model of
// the rest, so F is not one even then; others have more than ten.
const peelF = 4

// peel finds the variables that enter only as a power, by regressing log|y| on polynomials: does it matter for a separable
// variable's terms beside the linear one? ok is false when there is none, or nothing else.
func peel(p *dataset.Problem, wide map[int]bool) (r peeled, ok bool) {
	s := newSpace(p, 1000, p.Units, wide)
	n := s.points()
	if n < 100 || !oneSign(s.y) {
		return r, false
	}
	t := make([]float64, n)
	for i, y := range s.y {
		if t[i] = math.Log(math.Abs(y)); math.IsInf(t[i], 0) {
			return r, false
		}
	}
	z := make([][]float64, len(s.x))
	for i := range s.x {
		z[i] = s.logx[i]
		if !finite(z[i]) || !oneSign(s.x[i]) {
			z[i] = s.x[i]
		}
		z[i] = standard(z[i])
	}
	left := map[int]bool{}
	for i := range z {
		left[i] = z[i] != nil
	}
	r = peeled{drop: map[int]bool{}, factor: expr.Num(1)}
	f := one1()
	b := &builder{s: s}
	weight := make(mono, len(s.x))
	for {
		best, bestF, power := -1, float64(peelF), 0
		for i := range z {
			if !left[i] || !oneSign(s.x[i]) || !finite(s.logx[i]) {
				continue
			}
			fi, a := separable(t, z, s.logx[i], i, left)
			half := int(math.Round(2 * a))
			if fi < bestF && half != 0 && math.Abs(2*a-float64(half)) < 0.1 {
				best, bestF, power = i, fi, half
			}
		}
		if best < 0 {
			break
		}
		weight[best] = int16(3 * power)
		left[best] = false
		r.drop[s.keep[best]] = true
		for k := range t {
			t[k] -= float64(power) / 2 * s.logx[best][k]
		}
	}
	rest := 0
	for _, l := range left {
		if l {
			rest++
		}
	}
	if len(r.drop) == 0 || rest == 0 {
		return r, false
	}
	for i := range wide {
		r.drop[i] = true
	}
	b.monomial(&f, weight)
	r.factor = f.tree()
	return r, r.divide(p, s, weight)
}

// divide makes the problem that is left.
func (r *peeled) divide(p *dataset.Problem, s *space, m mono) bool {
	q := *p
	v := make([]float64, len(p.Target.Values))
	cols := make([][]float64, len(p.Vars))
	for i, x := range p.Vars {
		cols[i] = x.Values
	}
	expr.Compile(r.factor).Eval(v, cols, nil)
	q.Target.Values = make([]float64, len(v))
	if p.Weights != nil || p.Noise != 0 {
		q.Weights = make([]float64, len(v))
	}
	for i, y := range p.Target.Values {
		q.Target.Values[i] = y / v[i]
		if q.Weights != nil {
			q.Weights[i] = v[i] * v[i]
			if p.Weights != nil {
				q.Weights[i] *= p.Weights[i]
			}
		}
	}
	for i, e := range m {
		if e != 0 {
			q.Target.Dim = q.Target.Dim.Div(s.dims[i].Pow(unit.Rat(int(e), sixth)))
		}
	}
	r.p = &q
	return true
}

// separable tests whether t is linear in logx apart from polynomials in the other variables left, and with which slope.
func separable(t []float64, z [][]float64, logx []float64, i int, left map[int]bool) (f, slope float64) {
	var others [][]float64
	for k := range z {
		if k != i && left[k] {
			others = append(others, z[k])
		}
	}
	degree := 4
	if len(others) > 3 {
		degree = 3
	}
	if len(others) > 8 {
		degree = 2
	}
	base := powers(others, degree, len(t))
	if 2*len(base) > len(t) {
		return math.Inf(1), 0
	}
	extra := [][]float64{times2(z[i], z[i])}
	for _, o := range others {
		extra = append(extra, times2(z[i], o))
	}
	var q [][]float64
	for _, v := range base {
		if u, ok := independent(q, v); ok {
			q = append(q, u)
		}
	}
	res := append([]float64(nil), t...)
	for range 2 {
		for _, u := range q {
			d := dot(u, res)
			for k := range res {
				res[k] -= d * u[k]
			}
		}
	}
	u, ok := independent(q, logx)
	if !ok {
		return math.Inf(1), 0
	}
	l := append([]float64(nil), logx...)
	for _, w := range q {
		d := dot(w, l)
		for k := range l {
			l[k] -= d * w[k]
		}
	}
	slope = dot(u, res) / math.Sqrt(dot(l, l))
	d := dot(u, res)
	for k := range res {
		res[k] -= d * u[k]
	}
	q = append(q, u)
	sse := dot(res, res)
	gain, count := 0.0, 0.0
	for _, v := range extra {
		if u, ok := independent(q, v); ok {
			q = append(q, u)
			d := dot(u, res)
			gain += d * d
			count++
		}
	}
	free := float64(len(t) - len(q))
	if count == 0 || free < 10 {
		return math.Inf(1), 0
	}
	return gain / count / max((sse-gain)/free, 1e-26*dot(t, t)/free), slope
}

// standard is v of mean zero and mean square one; nil when it is constant.
func standard(v []float64) []float64 {
	mean, sq := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sq += (x - mean) * (x - mean) / float64(len(v))
	}
	if !(sq > 0) {
		return nil
	}
	u := make([]float64, len(v))
	for i, x := range v {
		u[i] = (x - mean) / math.Sqrt(sq)
	}
	return u
}

// powers are all products of up to degree of the columns, the empty one first.
func powers(z [][]float64, degree, rows int) [][]float64 {
	out := [][]float64{ones(rows)}
	var grow func(from int, base []float64, left int)
	grow = func(from int, base []float64, left int) {
		if left == 0 || 2*len(out) > rows {
			return
		}
		for i := from; i < len(z); i++ {
			p := times2(base, z[i])
			out = append(out, p)
			grow(i, p, left-1)
		}
	}
	grow(0, out[0], degree)
	return out
}

func times2(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i, x := range a {
		r[i] = x * b[i]
	}
	return r
}
