package discover

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/periodogram"
)

// white reports whether the residuals of the candidate look like noise. All of these must hold:
//
//   - Residuals at neighbouring points are uncorrelated.
//   - Successive residuals, ordered by the values of any part of the law, are uncorrelated.
//   - A polynomial in the variables explains no more of the residuals than chance.
//   - No frequency stands out.
//
// A few large residuals can hide how the others depend on the variables. So the residuals must also
// look like noise after large ones are clipped. white returns false if there are too few rows.
func (j *judge) white(c *candidate) bool {
	if c == nil || len(j.screeningSample.y) < 40 {
		return false
	}
	z, all := unitVariance(j.screeningSample.cols), j.screeningSample.residuals(c.tree)
	both := [][]float64{all, clipped(all)}
	if slices.ContainsFunc(both, func(res []float64) bool { return neighbourCorrelation(z, res) > correlated || j.follows(c.tree, res) }) {
		return false
	}
	degree := 3
	if len(z) > 5 {
		degree = 2
	}
	basis := polynomials(z, degree, len(all))
	if len(all) < 3*len(basis) {
		return false
	}
	basis = orthonormal(basis)
	return !slices.ContainsFunc(both, func(res []float64) bool { return !unexplained(basis, res) || j.oscillates(z, res) })
}

// follows reports whether residuals are correlated along the values of a part of the law. With many
// variables, points have no near neighbours, but this test still shows that a part of the law has
// the wrong curvature.
func (j *judge) follows(law expr.Tree, res []float64) bool {
	part := make([]float64, len(res))
	for i := range law.Nodes() {
		t := law.Subtree(i)
		if len(t.Vars()) == 0 {
			continue
		}
		expr.Compile(t).Eval(part, j.screeningSample.cols, law.Params())
		if successive(part, res) > correlatedAlong {
			return true
		}
	}
	return false
}

// successive returns the correlation of successive residuals when they are ordered by values. The
// result is in units of its standard deviation for noise.
func successive(values, res []float64) float64 {
	order := make([]int, len(res))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	mean, n := floats.Sum(res)/float64(len(res)), float64(len(res))
	sum, total := 0.0, 0.0
	for k, i := range order {
		total += (res[i] - mean) * (res[i] - mean)
		if k > 0 {
			sum += (res[i] - mean) * (res[order[k-1]] - mean)
		}
	}
	return sum / total * math.Sqrt(n)
}

// unexplained reports whether the polynomials of an orthonormal basis explain no more of the
// residuals than chance would (an F test for lack of fit).
func unexplained(basis [][]float64, res []float64) bool {
	total, explained := dot(res, res), 0.0
	for _, b := range basis {
		d := dot(b, res)
		explained += d * d
	}
	k := float64(len(basis))
	f := explained / k / ((total - explained) / (float64(len(res)) - k))
	return f < 1+lackOfFit*math.Sqrt(2/k)
}

// orthonormal returns an orthonormal basis of the span of columns. It overwrites them.
func orthonormal(columns [][]float64) (q [][]float64) {
	for _, b := range columns {
		n0 := dot(b, b)
		for range 2 {
			for _, u := range q {
				d := dot(u, b)
				for i := range b {
					b[i] -= d * u[i]
				}
			}
		}
		norm := dot(b, b)
		if !(norm > 1e-10*n0) {
			continue
		}
		norm = math.Sqrt(norm)
		for i := range b {
			b[i] /= norm
		}
		q = append(q, b)
	}
	return q
}

// clipped returns residuals with the largest ones cut to clipAt robust standard deviations.
func clipped(res []float64) []float64 {
	most := clipAt * outlier.Scale(res)
	out := make([]float64, len(res))
	for i, r := range res {
		out[i] = min(max(r, -most), most)
	}
	return out
}

// clipAt is the size, in robust standard deviations, above which a residual is clipped.
const clipAt = 3

// lackOfFit limits how much a polynomial may explain: F may exceed 1 by this many times √(2/k), its
// standard deviation for noise. Noise exceeds the limit in about 7 % of tables.
const lackOfFit = 2.2 / math.Sqrt2

// correlated is the correlation of residuals at nearest neighbours above which something is missing
// from the law. It is in units of its standard deviation for noise.
const correlated = 2.5

// correlatedAlong is the corresponding limit for residuals that are successive along a part of the
// law. It is larger than correlated, since a law has many parts, each with its own test.
const correlatedAlong = 3.2

// Limits for the search for periodic residuals.
const (
	waveSteps = 800         // largest number of frequencies along each variable
	wavePairs = 6           // largest number of variables for which pairs are searched
	waveWork  = 100_000_000 // largest number of multiplications, for pairs or for triples
	// Pairs are searched if the residuals have at least this share of the target's variance.
	waveLeft = 0.2
)

// oscillates reports whether residuals have a significant periodic component along one, two or
// three variables. The other tests of white do not notice a fast oscillation.
func (j *judge) oscillates(cols [][]float64, res []float64) bool {
	var axes []periodogram.Axis
	for _, c := range cols {
		if a, ok := periodogram.NewAxis(c, waveSteps); ok {
			axes = append(axes, a)
		}
	}
	significant := func(peaks []periodogram.Peak, frequencies int) bool {
		return len(peaks) > 0 && peaks[0].Share > periodogram.Chance(frequencies, len(res))
	}
	pairs := len(axes) * (len(axes) - 1) / 2
	if len(axes) > wavePairs || dot(res, res) < waveLeft*j.screeningSample.spread*j.screeningSample.spread*float64(len(res)) {
		pairs = 0
	}
	steps := periodogram.Affordable(waveWork, len(res), pairs, 2)
	for i, a := range axes {
		if significant(periodogram.Line(a, res, 1), a.Steps) {
			return true
		}
		if pairs == 0 {
			continue
		}
		for _, b := range axes[:i] {
			if two, all := periodogram.Short(steps, a, b); significant(periodogram.Plane(two[0], two[1], res, 1), all) {
				return true
			}
		}
	}
	if len(axes) != 3 || pairs == 0 {
		return false
	}
	three, all := periodogram.Short(periodogram.Affordable(waveWork, len(res), 1, 3), axes...)
	return significant(periodogram.Volume(three[0], three[1], three[2], res, 1), all)
}

// residualsGrow reports whether the residuals of the best law grow with the target, that is,
// whether log|residual| is correlated with log|y|.
func (j *judge) residualsGrow() bool {
	c := j.best()
	if c == nil {
		return true
	}
	s := j.screeningSample
	res := c.tree.Values(len(s.y), s.cols, c.tree.Params())
	var a, b []float64
	for i, y := range s.y {
		if r := math.Abs(y - res[i]); r > 0 && y != 0 {
			a, b = append(a, math.Log(r)), append(b, math.Log(math.Abs(y)))
		}
	}
	z := unitVariance([][]float64{a, b})
	return len(z) == 2 && dot(z[0], z[1]) > 0.4*float64(len(a))
}

// neighbourCorrelation returns the correlation of residuals at nearest neighbours. The result is in
// units of its standard deviation for noise. A smooth term that is missing from a law increases it.
func neighbourCorrelation(z [][]float64, res []float64) float64 {
	n := min(len(res), 1000)
	mean, total := 0.0, 0.0
	for _, r := range res[:n] {
		mean += r / float64(n)
	}
	for _, r := range res[:n] {
		total += (r - mean) * (r - mean)
	}
	sum := 0.0
	for i := range n {
		sum += (res[i] - mean) * (res[outlier.Nearest(z, i, n)] - mean)
	}
	// The sum has a variance of about 1.6 for noise, since pairs of mutual neighbours count twice.
	return sum / total * math.Sqrt(float64(n)) / math.Sqrt(1.6)
}

// polynomials returns all products of up to degree columns. The empty product comes first.
func polynomials(z [][]float64, degree, rows int) [][]float64 {
	one := make([]float64, rows)
	for i := range one {
		one[i] = 1
	}
	out := [][]float64{one}
	var grow func(from int, base []float64, left int)
	grow = func(from int, base []float64, left int) {
		if left == 0 || len(out) > 400 {
			return
		}
		for i := from; i < len(z); i++ {
			p := make([]float64, rows)
			for k := range p {
				p[k] = base[k] * z[i][k]
			}
			out = append(out, p)
			grow(i, p, left-1)
		}
	}
	grow(0, append([]float64(nil), one...), degree)
	return out
}
