package view

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/unit"
)

const (
	// A symmetry is tested only if less than this fraction of the derivatives' variance contradicts
	// it: the first limit is for scalings, the second for differences and sums of two variables.
	proposeRatio      = 0.2
	proposeDifference = 0.6
	maxTests          = 40 // largest number of symmetries tested for one fit
)

// symmetry is a scaling, as in Euler's equation, or two variables that occur only together, for
// instance as a sum.
type symmetry struct {
	// Powers of the variables derivatives.live in a scaling; nil: no scaling, but two variables
	// together. A factor of the law is a scaling in which only one power is not 0.
	d    []int
	half int // twice the power of the target in a scaling
	// The variable that is used to remove a scaling: the other variables and the target are divided
	// by powers of it.
	lead  int
	sum   merged  // if d is nil: the variable that replaces the two variables
	ratio float64 // fraction of the derivatives' variance that contradicts the symmetry
}

// merged is a variable that replaces two: x^p ± w^q. i and j are the indices of x and w in live.
type merged struct {
	i, j, p, q, sign int
}

// values returns the merged variable in each row.
func (m merged) values(x, w []float64) []float64 {
	v := make([]float64, len(x))
	for r := range v {
		v[r] = math.Pow(x[r], float64(m.p)) + float64(m.sign)*math.Pow(w[r], float64(m.q))
	}
	return v
}

// derivatives holds a function t of the target, such as its logarithm, and the derivatives of a
// smooth function of the variables that is fitted to t.
type derivatives struct {
	s     *Space
	live  []int       // variables that are not constant, as indices into s.X
	u     [][]float64 // coordinates of the fit: the variables or their logarithms
	isLog []bool      // for each coordinate, whether it is a logarithm
	scale scale
	t     []float64   // the target on this scale
	lin   [][]float64 // ∂t/∂xᵢ at the points kept
	log   [][]float64 // ∂t/∂log xᵢ at the points kept
	kept  []int       // points at which the derivatives lin and log are calculated
}

func newDerivatives(s *Space, live []int) derivatives {
	g := derivatives{s: s, live: live}
	for _, i := range live {
		c, isLog := coordinate(s.X[i])
		g.u, g.isLog = append(g.u, c), append(g.isLog, isLog)
	}
	return g
}

// x returns the values of variable live[k].
func (g *derivatives) x(k int) []float64 { return g.s.X[g.live[k]] }

// coordinate returns log|x| if its values are spread more evenly than those of x (see reach), else
// x.
func coordinate(x []float64) (c []float64, isLog bool) {
	if !column.OneSign(x) {
		return x, false
	}
	l := column.Map(x, column.LogAbs)
	if !column.Finite(l) || reach(l) > reach(x) {
		return x, false
	}
	return l, true
}

// reach returns the largest distance of a value of v from the mean, in standard deviations.
func reach(v []float64) float64 { return floats.Norm(column.Standardize(v), math.Inf(1)) }

// add adds the derivatives of t with respect to the next of the live variables. For each point,
// slope returns the derivative with respect to the coordinate.
func (g *derivatives) add(slope func(point int) float64) {
	k := len(g.lin)
	d, l := make([]float64, len(g.kept)), make([]float64, len(g.kept))
	for at, r := range g.kept {
		v, x := slope(r), g.x(k)[r]
		if g.isLog[k] {
			d[at], l[at] = v/x, v
		} else {
			d[at], l[at] = v, v*x
		}
	}
	g.lin, g.log = append(g.lin, d), append(g.log, l)
}

// scale is a function of the target that a smooth function describes better than the target itself.
type scale struct {
	to    func(y float64) float64
	slope func(y float64) float64 // derivative of the function in the field to
}

// linear is the scale of the target itself, logarithmic that of log|y|.
var (
	linear      = scale{func(y float64) float64 { return y }, func(float64) float64 { return 1 }}
	logarithmic = scale{column.LogAbs, func(y float64) float64 { return 1 / y }}
)

// euler projects the derivatives ∂t/∂log xᵢ on ∂t/∂log|y|: along[i] is the coefficient of the
// projection of derivative i. gram holds the scalar products of the parts of the derivatives that
// are orthogonal to ∂t/∂log|y|.
func (g *derivatives) euler() (gram [][]float64, along []float64) {
	n := len(g.live)
	c := make([]float64, len(g.kept))
	for at, r := range g.kept {
		c[at] = g.s.Y[r] * g.scale.slope(g.s.Y[r])
	}
	cc := column.Dot(c, c)
	gram, along = make([][]float64, n), make([]float64, n)
	for i := range gram {
		gram[i] = make([]float64, n)
		along[i] = column.Dot(g.log[i], c) / cc
		for j := range gram[i] {
			gram[i][j] = column.Dot(g.log[i], g.log[j]) - along[i]*column.Dot(g.log[j], c)
		}
	}
	return gram, along
}

// variation returns how strongly the derivatives contradict a scaling by d. It is |Σ vᵢ|² / Σ
// |vᵢ|², where vᵢ is dᵢ times derivative i, and gram holds the scalar products of the derivatives
// (see euler).
func variation(gram [][]float64, d []int) float64 {
	var num, den float64
	for i, e := range d {
		for j, f := range d {
			num += float64(e*f) * gram[i][j]
		}
		den += float64(e*e) * gram[i][i]
	}
	return num / den
}

// power returns the exponent a of the target in the scaling with the exponents d, by Euler's
// equation. along is a result of euler: for each variable, the exponent of the target if the
// variable alone is scaled.
func power(d []int, along []float64) (a float64) {
	for i, e := range d {
		a += float64(e) * along[i]
	}
	return a
}

// wholeScaling returns the scaling of the variables in set by small whole numbers that the
// derivatives contradict least (see variation). ok is false if the best scaling by real numbers has
// a variation above the bound most, or if its powers are not close to whole numbers.
func wholeScaling(gram [][]float64, set int, most float64) (d []int, ok bool) {
	var in []int
	for i := range gram {
		if set>>i&1 == 1 {
			in = append(in, i)
			if !(gram[i][i] > 0) {
				return nil, false
			}
		}
	}
	n := len(in)
	sym := mat.NewSymDense(n, nil)
	for a, i := range in {
		for b, j := range in[:a+1] {
			sym.SetSym(a, b, gram[i][j]/math.Sqrt(gram[i][i]*gram[j][j]))
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		return nil, false
	}
	if eig.Values(nil)[0] > most {
		return nil, false
	}
	var vec mat.Dense
	eig.VectorsTo(&vec)
	v := make([]float64, n)
	for a, i := range in {
		v[a] = vec.At(a, 0) / math.Sqrt(gram[i][i])
	}
	whole, ok := wholeNumbers(v)
	if !ok {
		return nil, false
	}
	d = make([]int, len(gram))
	for a, i := range in {
		d[i] = whole[a]
	}
	return d, true
}

// wholeNumbers returns the smallest whole numbers, at most four in absolute value, whose ratios
// agree with those of v within a few percent. ok is false if there are none.
func wholeNumbers(v []float64) ([]int, bool) {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	out := make([]int, len(v))
	for most := 1; most <= 4; most++ {
		ok := true
		for i, x := range v {
			f := x / top * float64(most)
			out[i] = int(math.Round(f))
			ok = ok && out[i] != 0 && math.Abs(f-float64(out[i])) < 0.12
		}
		if ok {
			return out, true
		}
	}
	return nil, false
}

// sums lists pairs of variables that may occur only as xᵢ^p ± xⱼ^q, where p and q are among powers.
// The most likely pair is first.
func (g *derivatives) sums(powers []int) (all []symmetry) {
	m := len(g.kept)
	deriv := func(k, p int) []float64 { // ∂t/∂(x^p)
		v := make([]float64, m)
		for at, r := range g.kept {
			v[at] = g.lin[k][at] / (float64(p) * math.Pow(g.x(k)[r], float64(p-1)))
		}
		return v
	}
	for i := range g.live {
		for j := range i {
			for _, p := range powers {
				for _, q := range powers {
					if g.s.Units && g.dim(i, p) != g.dim(j, q) {
						continue
					}
					a, b := deriv(i, p), deriv(j, q)
					if !column.Finite(a) || !column.Finite(b) {
						continue
					}
					aa, bb, ab := column.Dot(a, a), column.Dot(b, b), column.Dot(a, b)
					for _, sign := range []int{1, -1} {
						// For x^p + w^q the derivatives are equal, for x^p - w^q opposite.
						r := (aa + bb - 2*float64(sign)*ab) / (aa + bb)
						if r < proposeRatio || p == 1 && q == 1 && r < proposeDifference {
							all = append(all, symmetry{sum: merged{i, j, p, q, sign}, ratio: r})
						}
					}
				}
			}
		}
	}
	return mostLikely(all)
}

// dim returns the dimension of variable live[k] to the power p.
func (g *derivatives) dim(k, p int) unit.Dim { return g.s.Dims[g.live[k]].Pow(unit.Rat(p, 1)) }

// mostLikely returns the symmetries that the derivatives contradict least, the best first.
func mostLikely(all []symmetry) []symmetry {
	slices.SortStableFunc(all, func(a, b symmetry) int { return cmp.Compare(a.ratio, b.ratio) })
	return all[:min(len(all), maxTests)]
}

// leading returns the variable with the smallest power in a scaling d among those for which usable
// is true, or -1.
func (g *derivatives) leading(d []int, usable func(x []float64) bool) (lead int) {
	lead = -1
	for k, e := range d {
		if e != 0 && usable(g.x(k)) && (lead < 0 || abs(e) < abs(d[lead])) {
			lead = k
		}
	}
	return lead
}

func abs(i int) int { return max(i, -i) }

// without returns the coordinates that remain after the symmetry m is used. Coordinate i is made
// from the variables of[i]. by is what the target is divided by; nil: nothing.
func (g *derivatives) without(m symmetry) (coordinates [][]float64, of [][]int, by []float64) {
	add := func(v []float64, from ...int) {
		c, _ := coordinate(v)
		coordinates, of = append(coordinates, c), append(of, from)
	}
	used := []int{m.lead}
	if m.d == nil {
		used = []int{m.sum.i, m.sum.j}
		add(m.sum.values(g.x(m.sum.i), g.x(m.sum.j)), used...)
	} else {
		x := g.x(m.lead)
		by = over(column.Ones(len(x)), x, -ratio(m.half, 2*m.d[m.lead]))
	}
	for k := range g.live {
		switch {
		case slices.Contains(used, k):
		case m.d == nil:
			add(g.x(k), k)
		default:
			add(over(g.x(k), g.x(m.lead), ratio(m.d[k], m.d[m.lead])), k)
		}
	}
	return coordinates, of, by
}

// ratio returns a/b.
func ratio(a, b int) float64 { return float64(a) / float64(b) }

// over returns v/|x|^power.
func over(v, x []float64, power float64) []float64 {
	out := slices.Clone(v)
	if power != 0 {
		for i := range out {
			out[i] /= math.Pow(math.Abs(x[i]), power)
		}
	}
	return out
}
