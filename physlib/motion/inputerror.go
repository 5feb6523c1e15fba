package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Residuals of a state count as caused by its inputs up to inputDoubt times the estimated effect of
// the errors of the inputs.
const inputDoubt = 2

// measureInputs sets data.unsure from the chosen system over the current windows. If a value
// changes much, earlier scores over these windows no longer compare with later ones. They are then
// removed, and the chosen system is scored again.
func (sr *searcher) measureInputs(ctx context.Context) {
	d := sr.d
	if d.inputs == 0 || sr.shot == nil {
		return
	}
	unsure := sr.inputErrors(sr.newTangent(ctx, sr.field(sr.trees()), sr.shot, sr.wins), sr.shot, d.betweenRows())
	if unsure == nil {
		return
	}
	same := d.unsure != nil
	for k, v := range unsure {
		same = same && v <= inputDoubt*d.unsure[k] && d.unsure[k] <= inputDoubt*v
	}
	if same {
		return
	}
	d.unsure = unsure
	for k := range sr.pools {
		for _, c := range sr.pools[k].list {
			if c.windowLength == sr.windowLength {
				c.joint, c.shot = math.NaN(), nil
			}
		}
	}
	sr.twins = slices.DeleteFunc(sr.twins, func(t twins) bool { return t.windowLength == sr.windowLength })
	sr.shot, sr.total = sr.evaluate(sr.best, sr.shot.starts, nil)
	sr.noteBest()
}

// inputErrors returns, for each measured state, the RMS residual that remains if only the inputs
// are replaced by those of the data `disturbed`. Changes of the constants and of the starting
// values of the windows are allowed for. g is the linearization of the fit s; if it is nil, the
// result is nil.
func (sr *searcher) inputErrors(g *tangent, s *trajectoryFit, disturbed *data) []float64 {
	if g == nil {
		return nil
	}
	var off []float64
	paths := sr.trace(g.f, s, g.wins)
	for w, moved := range sr.traceOn(disturbed, g.f, s, g.wins) {
		for j := range moved.n + 1 {
			for _, a := range g.seen {
				k := g.live[a]
				off = append(off, (moved.x[k][j]-paths[w].x[k][j])*g.weight[g.first[w]+j]/sr.d.sigma[k])
			}
		}
	}
	if slices.ContainsFunc(off, math.IsNaN) {
		return nil
	}
	g.reduce(off)
	out := make([]float64, sr.d.numMeasured())
	for i, e := range off {
		out[g.live[g.seen[i%len(g.seen)]]] += e * e
	}
	for k := range out {
		out[k] = math.Sqrt(out[k]/s.Rows) * sr.d.sigma[k]
	}
	return out
}

// betweenRows returns the data with the estimated errors of the inputs between the rows.
func (d *data) betweenRows() *data {
	out := *d
	out.bent = true
	return &out
}

// roundedInputs returns the data with errors of the inputs at the rows that are as large as the
// rounding errors of their values and times.
func (sr *searcher) roundedInputs() *data {
	d := *sr.d
	d.runs = slices.Clone(d.runs)
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range d.runs {
		d.runs[i].x = slices.Clone(d.runs[i].x)
	}
	for k := sr.numLaws(); k < d.numMeasured(); k++ {
		sigma := sr.tr.rounding(k)
		for i := range d.runs {
			x := slices.Clone(d.runs[i].x[k])
			for row := range x {
				x[row] += sigma * rng.NormFloat64()
			}
			d.runs[i].x[k] = x
		}
	}
	return &d
}

// bentCurve returns the curve of a smooth input, plus its estimated error. Curves through two, four
// and six rows converge like a geometric series, whose next term is the error. The estimate is at
// most the last difference of two curves.
func bentCurve(r *run, k, row, points int) quintic {
	q := curve(r, k, row, points)
	if points == 2 { // the input is not smooth, so nothing is known between the rows
		return q
	}
	straight, four, six := curve(r, k, row, 2), curve(r, k, row, 4), curve(r, k, row, 6)
	first, second := 0.0, 0.0 // squared differences
	for _, x := range []float64{0.25, 0.5, 0.75} {
		first += math.Pow(four.at(x)-straight.at(x), 2)
		second += math.Pow(six.at(x)-four.at(x), 2)
	}
	share := 1.0
	if points == 6 && second < first {
		share = math.Sqrt(second / first)
	}
	for i := range q {
		q[i] += share * (six[i] - four[i])
	}
	return q
}
