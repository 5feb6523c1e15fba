package view

import (
	"math"
	"math/bits"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/unit"
)

// Symmetries of the data. If units are missing, the data can show the same scalings that units
// would imply (Constantine, del Rosario and Iaccarino, arXiv:1708.04303, 2017). A law that is
// homogeneous,
//
//	y(λ^d₁ x₁, …, λ^dₙ xₙ) = λ^a y(x₁, …, xₙ),
//
// obeys Euler's equation Σ dᵢ ∂y/∂log xᵢ = a·y everywhere. A law that depends on two variables only
// through their difference or sum obeys ∂y/∂xᵢ ± ∂y/∂xⱼ = 0.
//
// A polynomial is fitted to the target, and small whole numbers dᵢ that nearly satisfy Euler's
// equation for its derivatives are proposed. A lack-of-fit test on the target itself then decides.
// Each scaling counts as a base unit, and each difference as one variable. Buckingham's theorem
// then applies.

const (
	// A scaling is tested only if less than this fraction of the derivatives' variance contradicts
	// it.
	proposeRatio      = 0.2
	proposeDifference = 0.6 // like proposeRatio, but for a difference or sum of two variables
	maxSymmetric      = 10  // symmetries are searched for with at most this many variables
	maxTests          = 40  // largest number of symmetries tested for one surrogate
)

// scaling is one symmetry of scale: if each variable live[k] is multiplied by λ^d[k], the target is
// multiplied by λ^a.
type scaling struct {
	d []int
	a float64
}

// euler projects the derivatives ∂t/∂log xᵢ on ∂t/∂log|y|: along[i] is the coefficient of the
// projection of derivative i. gram holds the scalar products of what remains of the derivatives.
func (g *derivatives) euler() (gram [][]float64, along []float64) {
	n := len(g.live)
	c := make([]float64, len(g.kept))
	for at, r := range g.kept {
		c[at] = g.own[r]
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

// pureFactor finds a variable that occurs only as a factor, to a power. half is twice the power. ok
// is false if there is none.
func (g *surrogate) pureFactor() (k, half int, ok bool) {
	gram, along := g.euler()
	mean := 0.0
	for i := range gram {
		mean += gram[i][i] / float64(len(gram))
	}
	for i := range gram {
		half := int(math.Round(2 * along[i]))
		if gram[i][i] > mean || math.Abs(2*along[i]-float64(half)) > 0.3 || half > 12 || half < -12 {
			continue
		}
		d := make([]int, len(gram))
		d[i] = 1
		if g.homogeneous(d, float64(half)/2) {
			return i, half, true
		}
	}
	return 0, 0, false
}

// scalings lists symmetries of scale, those of few variables first. Their vectors d are linearly
// independent of each other and of the scalings that are known from the units. rows is an
// orthonormal basis of the known scalings.
func (g *surrogate) scalings(rows [][]float64) (found []scaling) {
	n := len(g.live)
	gram, along := g.euler()
	tests := maxTests
	for size := 2; size <= n; size++ {
		for set := 1; set < 1<<n && tests > 0; set++ {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			d, ok := wholeScaling(gram, set, proposeRatio)
			if !ok || variation(gram, d) > proposeRatio {
				continue
			}
			row, a := make([]float64, n), power(d, along)
			for i, e := range d {
				row[i] = float64(e)
			}
			reduced, fresh := column.Independent(rows, row)
			if !fresh {
				continue
			}
			a2 := math.Round(2 * a)
			if math.Abs(2*a-a2) > 0.3 {
				continue
			}
			if tests--; !g.homogeneous(d, a2/2) {
				continue
			}
			rows = append(rows, reduced)
			found = append(found, scaling{d, a2 / 2})
		}
	}
	return found
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
// equation. along is that of euler: for each variable, the exponent if it alone is scaled.
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

// homogeneous tests whether the law scales by d, with the power a of the target. It divides the
// target and the other variables by powers of one variable, so that the quotients do not scale. The
// law is homogeneous if the quotient of the target does not depend on this variable (see
// independent).
func (g *surrogate) homogeneous(d []int, a float64) bool {
	s := g.s
	lead := -1
	for k, e := range d {
		// A divisor that takes both signs would change the signs of the other variables.
		if e != 0 && column.OneSign(s.X[g.live[k]]) && (lead < 0 || abs(e) < abs(d[lead])) {
			lead = k
		}
	}
	if lead < 0 || !column.Finite(s.logx[g.live[lead]]) {
		return false
	}
	l := s.logx[g.live[lead]]
	t := append([]float64(nil), g.t...)
	for r := range t {
		w := a / float64(d[lead]) * l[r]
		if g.logt {
			t[r] -= w
		} else {
			t[r] *= math.Exp(-w * g.pow)
		}
	}
	var others [][]float64
	for k, e := range d {
		if k == lead {
			continue
		}
		v := append([]float64(nil), s.X[g.live[k]]...)
		if e != 0 {
			for r := range v {
				v[r] *= math.Exp(-float64(e) / float64(d[lead]) * l[r])
			}
		}
		v, _ = coordinate(v)
		others = append(others, v)
	}
	return g.independent(t, others, l)
}

func abs(i int) int { return max(i, -i) }

// independent reports whether t is a function of only the coordinates others and does not depend on
// x. Two conditions must hold: a polynomial in others fits about as well as the surrogate, which
// has one coordinate more, and terms with x do not improve the fit. About as well means: it leaves
// at most 1.5 times as much unexplained, or 100 times if this is still little.
func (g *surrogate) independent(t []float64, others [][]float64, x []float64) bool {
	var z [][]float64
	for _, o := range others {
		u := column.Standardize(o)
		if u == nil || !column.Finite(u) {
			return false
		}
		z = append(z, u)
	}
	u := column.Standardize(x)
	if u == nil || !column.Finite(t) || g.ctx.Err() != nil {
		return false
	}
	extra := [][]float64{u, column.Product(u, u)}
	for _, o := range z {
		extra = append(extra, column.Product(u, o))
	}
	if stride := len(t) / quickRows; stride > 1 {
		if f, _ := lackOfFit(thin(stride, t)[0], thin(stride, z...), thin(stride, extra...)); f > quickF {
			return false
		}
	}
	f, left := lackOfFit(t, z, extra)
	left /= max(column.SumSquares(t), column.SumSquares(g.t))
	return f < independentF && left < mostLeft && left < max(1.5*g.miss, min(100*max(g.miss, 1e-7), 1e-3))
}

// quickRows is the number of rows in the first test of independent. quickF is the F statistic above
// which this test rejects the symmetry.
const (
	quickRows = 250
	quickF    = 100
)

// thin returns every stride-th value of each column.
func thin(stride int, cols ...[]float64) [][]float64 {
	out := make([][]float64, len(cols))
	for i, c := range cols {
		for r := 0; r < len(c); r += stride {
			out[i] = append(out[i], c[r])
		}
	}
	return out
}

// independentF is the largest F statistic of lackOfFit for which a coordinate counts as having no
// effect. Even without an effect F is above 1, since a polynomial does not describe the effect of
// the other coordinates perfectly. With an effect, F is more than fifty.
const independentF = 8

// mostLeft is the largest share of the target's variance that the polynomial may leave unexplained.
// If it leaves more, the test of independent is meaningless.
const mostLeft = 0.1

// merged is a variable that replaces two: x^p ± w^q. i and j are the indices of x and w in live.
type merged struct {
	i, j, p, q, sign int
}

// candidate is a pair of variables that may occur only together, and the share of the derivatives'
// variance that contradicts this.
type candidate struct {
	merged
	ratio float64
}

// sums lists pairs of variables that may occur only as xᵢ^p ± xⱼ^q, where p and q are among powers.
// The most likely pair is first.
func (g *derivatives) sums(powers []int) (all []candidate) {
	m := len(g.kept)
	deriv := func(k, p int) []float64 { // ∂t/∂(x^p)
		v := make([]float64, m)
		for at, r := range g.kept {
			v[at] = g.lin[k][at] / (float64(p) * math.Pow(g.s.X[g.live[k]][r], float64(p-1)))
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
							all = append(all, candidate{merged{i, j, p, q, sign}, r})
						}
					}
				}
			}
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].ratio < all[b].ratio })
	return all[:min(len(all), maxTests)]
}

// dim returns the dimension of variable live[k] to the power p.
func (g *derivatives) dim(k, p int) unit.Dim { return g.s.Dims[g.live[k]].Pow(unit.Rat(p, 1)) }

// adds reports whether the target depends on the two variables of m only through m.
func (g *surrogate) adds(m merged) bool {
	s := g.s
	sum := m.values(s.X[g.live[m.i]], s.X[g.live[m.j]])
	sum, _ = coordinate(sum)
	others := [][]float64{sum}
	for k, i := range g.live {
		if k == m.i || k == m.j {
			continue
		}
		c, _ := coordinate(s.X[i])
		others = append(others, c)
	}
	return g.independent(g.t, others, s.X[g.live[m.i]])
}

// values returns the merged variable in each row.
func (m merged) values(x, w []float64) []float64 {
	v := make([]float64, len(x))
	for r := range v {
		v[r] = math.Pow(x[r], float64(m.p)) + float64(m.sign)*math.Pow(w[r], float64(m.q))
	}
	return v
}
