package search

import (
	"cmp"
	"context"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/search/wave"
)

// Laws that swing many times over the table. There a sine of a frequency that is a little wrong is
// as far from the target as chance, so that neither joins nor fits from random starts find it. A
// periodogram does, along one coordinate or two or three at once, and what it finds is written as
// an oscillation, a running or standing wave, or a sum of these:
//
//	a + b·x + A·cos(ωu + φ)    A·sin(ku - ωv + φ)    A·cos(ku + φ)·cos(ωv + ψ)
//
// with an amplitude that may grow, decay or be a power of a variable.

const (
	waveRows      = 1024        // most rows looked at, half as many of four variables and more
	leastWave     = 20          // fewest
	lineSteps     = 1024        // frequencies along a variable
	otherSteps    = 256         // and along another coordinate, such as 1/x
	mostAlike     = 0.9995      // correlation of another coordinate with its variable
	mostAlone     = 4           // variables up to which other coordinates are asked
	planeSteps    = 512         // frequencies along each of two variables, fewer where there are many pairs
	planeWork     = 600_000_000 // products of numbers for all pairs
	volumeWork    = 300_000_000 // and for three at once, where there are no more
	mostSmooth    = 2           // variables up to which waves are asked for beside what is smooth
	mostPaired    = 8           // variables up to which pairs are asked
	mostAmplitude = 10          // of a wave, in standard deviations of the target
	mostWaves     = 3           // in a sum
	triedPeaks    = 4           // fitted, of those along one axis, two and three
	fineWave      = 3e-5        // relative error below which no further wave is asked for: what is left is rounding
	waveBits      = 12          // what a wave or an envelope must save to be offered
	mostDecay     = 2           // envelopes that multiply a wave
	mostOffered   = 2           // envelopes that are offered in each turn
)

// axis is a coordinate and how it is written.
type axis struct {
	wave.Axis
	tree expr.Tree
}

// swings looks for waves in the rows of a problem.
type swings struct {
	*work
	cols    [][]float64 // the problem's variables in the rows looked at
	y       []float64
	weights []float64 // nil: all equal
	power   float64   // the weighted sum of squares of y
	base    []int     // variables of the linear function beside the waves
	axes    []axis
	groups  [][]int // pairs of axes, and three
	steps   int     // most along an axis of a pair
	volume  int     // and of three
	asked   int     // frequencies and pairs of them in all
	fitter  fit.Fitter
}

// swing is one wave: Σ coef·(cos|sin)(ωu)·(cos|sin)(ωv)…, of one axis two terms (cos, sin), of two
// axes four (cc, cs, sc, ss), of three eight.
type swing struct {
	axes  []int
	omega []float64
	coef  []float64
	fixed bool    // the frequencies are not fitted together with the coefficients
	how   writing // once it is chosen
}

// trial is a tree with its constants fitted and what it leaves.
type trial struct {
	tree expr.Tree
	rss  float64
	bits float64 // description of the residuals and a price for each constant
}

// waves offers laws that oscillate and reports whether one of them is exact. It is asked early of
// targets that are not smooth, and once more, late, of those that are.
func (w *work) waves(ctx context.Context, smooth bool) (exact bool) {
	s := w.newSwings(smooth)
	if s == nil {
		return false
	}
	w.tell("waves")
	none := superposition{fit: s.linear(nil)}
	return none.fit.tree.Len() > 0 && (s.chain(ctx, none, s.lines) || s.chain(ctx, none, s.planes))
}

// chain offers sums of waves of a kind, each added to those before, and reports whether one of them
// is exact.
func (s *swings) chain(ctx context.Context, known superposition, kind func(ctx context.Context, left []float64) [][]crest) (exact bool) {
	for turn := range mostWaves {
		if ctx.Err() != nil || known.fit.rss <= fineWave*fineWave*s.power {
			return false
		}
		next := s.next(ctx, known, kind)
		if len(next) == 0 {
			return false
		}
		for i := range next {
			best, exact := s.offerWaves(next[i].waves)
			if exact || turn == 0 && s.envelopes(ctx, best) {
				return true
			}
			if len(best) > 0 {
				next[i].waves = best[0]
			}
		}
		if known = next[0]; s.sweeps(known.waves[turn]) {
			return false
		}
	}
	return false
}

// sweeps reports whether a wave's frequency rises: one axis is the square of the other.
func (s *swings) sweeps(w swing) bool {
	return len(w.axes) == 2 && s.axes[w.axes[1]].tree.Root() != expr.Var
}

// newSwings chooses rows and coordinates; nil where there is nothing to look at or the target is
// not smooth or not so as is asked.
func (w *work) newSwings(smooth bool) *swings {
	p := w.s.prob
	if !w.allowed(expr.Sin) && !w.allowed(expr.Cos) {
		return nil
	}
	most := waveRows
	if len(w.s.keep) > 3 {
		most /= 2
	}
	rows := sampleRows(p, w.s.keep, most)
	if len(rows) < leastWave {
		return nil
	}
	s := &swings{work: w}
	pick := func(v []float64) []float64 {
		out := make([]float64, len(rows))
		for i, r := range rows {
			out[i] = v[r]
		}
		return out
	}
	for _, v := range p.Vars {
		s.cols = append(s.cols, pick(v.Values))
	}
	s.y = pick(p.Target.Values)
	weighted := s.y
	if p.Weights != nil {
		s.weights = pick(p.Weights)
		weighted = floats.MulTo(make([]float64, len(s.y)), s.weights, s.y)
	}
	s.power = floats.Dot(weighted, s.y)
	var vary []int
	for _, v := range w.s.keep {
		if a, ok := wave.NewAxis(s.cols[v], lineSteps); ok {
			s.axes = append(s.axes, axis{a, expr.X(v)})
			vary = append(vary, v)
		}
	}
	if len(vary) == 0 {
		return nil
	}
	if len(vary) <= mostAlone {
		s.base = vary
	}
	n := len(vary)
	if s.smooth(vary) != smooth || smooth && n > mostSmooth {
		return nil
	}
	if n <= mostPaired {
		for i := range n {
			for j := range i {
				s.groups = append(s.groups, []int{j, i})
			}
		}
	}
	if n <= mostAlone {
		s.others(vary)
	}
	if n == 1 && s.axes[1].Steps > 0 {
		s.groups = append(s.groups, []int{0, 1}) // x and x²: a frequency that rises
	}
	s.steps = min(planeSteps, wave.Affordable(planeWork, len(rows), len(s.groups), 2))
	if n == 3 {
		s.groups = append(s.groups, []int{0, 1, 2})
		s.volume = wave.Affordable(volumeWork, len(rows), 1, 3)
	}
	for _, a := range s.axes {
		s.asked += a.Steps
	}
	for _, g := range s.groups {
		_, all := s.short(g)
		s.asked += all
	}
	return s
}

// smooth reports whether a quadratic function of the variables explains most of the target, so that
// no wave is to be expected.
func (s *swings) smooth(vary []int) bool {
	cols := [][]float64{ones(len(s.y))}
	for i, v := range vary {
		cols = append(cols, s.cols[v])
		for _, u := range vary[:i+1] {
			product := slices.Clone(s.cols[v])
			floats.Mul(product, s.cols[u])
			cols = append(cols, product)
		}
	}
	if 2*len(cols) > len(s.y) {
		return false
	}
	coef, _, ok := leastSquares(cols, s.y)
	if !ok {
		return true
	}
	left := slices.Clone(s.y)
	for i, c := range coef {
		floats.AddScaled(left, -c, cols[i])
	}
	return 2*variance(left) < variance(s.y)
}

// short are the axes of a group with their lowest frequencies only, and how many combinations these
// have.
func (s *swings) short(group []int) (short []wave.Axis, all int) {
	most := s.steps
	if len(group) > 2 {
		most = s.volume
	}
	axes := make([]wave.Axis, len(group))
	for i, k := range group {
		axes[i] = s.axes[k].Axis
	}
	return wave.Short(most, axes...)
}

// others adds simple functions of the variables vary as coordinates, the square of the first one
// first.
func (s *swings) others(vary []int) {
	add := func(tree expr.Tree) {
		for _, n := range tree.Nodes() {
			if n.Op > expr.Euler && !s.allowed(n.Op) {
				tree = expr.Num(1) // takes its place, but has no frequencies
			}
		}
		v := make([]float64, len(s.y))
		expr.Compile(tree).Eval(v, s.cols, nil)
		a, _ := wave.NewAxis(v, otherSteps)
		for _, x := range tree.Vars() {
			if r := stat.Correlation(v, s.cols[x], nil); math.Abs(r) > mostAlike {
				a.Steps = 0 // is the variable itself, in other words
			}
		}
		s.axes = append(s.axes, axis{a, tree})
	}
	for _, v := range vary {
		x := expr.X(v)
		for _, op := range []expr.Op{expr.Square, expr.Sqrt, expr.Inv, expr.Log} {
			add(expr.Apply(op, x))
		}
		if low, high := slices.Min(s.cols[v]), slices.Max(s.cols[v]); low >= -2*math.Pi && high <= 2*math.Pi { // may be an angle
			add(expr.Apply(expr.Sin, x))
			add(expr.Apply(expr.Cos, x))
		}
	}
	for i, v := range vary {
		for _, u := range vary[:i] {
			add(expr.Apply(expr.Mul, expr.X(u), expr.X(v)))
			add(expr.Apply(expr.Div, expr.X(u), expr.X(v)))
			add(expr.Apply(expr.Div, expr.X(v), expr.X(u)))
		}
	}
}

// fit fits a tree from its own start; ok is false where it has no value.
func (s *swings) fit(t expr.Tree) (f trial, ok bool) {
	r, err := s.fitter.Fit(t, s.cols, s.y, s.weights, fit.Settings{Starts: 1, MaxIter: 60})
	if err != nil {
		return trial{}, false
	}
	f = trial{tree: t.WithStarts(r.Params), rss: r.RSS}
	n := float64(len(s.y))
	f.bits = n/2*math.Log2(max(r.RSS, 1e-30*s.power)/n) + math.Log2(n)*float64(len(r.Params))
	return f, true
}

// linear fits a linear function of the base and the waves, with the frequencies of these; the tree
// is empty where it has no value.
func (s *swings) linear(waves []swing) trial {
	b := &builder{s: s.s, p: s.p}
	t := b.free(0)
	add := func(part expr.Tree) { t = expr.Apply(expr.Add, t, part) }
	for _, v := range s.base {
		add(mul(b.free(0), expr.X(v)))
	}
	for _, w := range waves {
		var angles []expr.Tree
		for k, a := range w.axes {
			rate := expr.Num(w.omega[k])
			if !w.fixed {
				rate = b.free(w.omega[k])
			}
			angles = append(angles, expr.Apply(expr.Mul, rate, s.axes[a].tree))
		}
		for k, c := range w.coef {
			part := b.free(c)
			for i, angle := range angles {
				op := expr.Cos
				if k>>(len(angles)-1-i)&1 == 1 {
					op = expr.Sin
				}
				part = expr.Apply(expr.Mul, part, expr.Apply(op, angle))
			}
			add(part)
		}
	}
	f, ok := s.fit(t)
	if !ok {
		return trial{}
	}
	return f
}

// read takes the waves' constants from a fit of linear.
func (s *swings) read(waves []swing, f trial) []swing {
	params := f.tree.Params()[1+len(s.base):]
	out := make([]swing, len(waves))
	for i, w := range waves {
		out[i] = w
		if a := len(w.omega); !w.fixed {
			out[i].omega, params = params[:a], params[a:]
		}
		out[i].coef, params = params[:len(w.coef)], params[len(w.coef):]
	}
	return out
}

// residuals are what a fit leaves in each row, times the row's weight.
func (s *swings) residuals(f trial) []float64 {
	v := make([]float64, len(s.y))
	expr.Compile(f.tree).Eval(v, s.cols, f.tree.Params())
	for i, y := range s.y {
		v[i] = y - v[i]
		if s.weights != nil {
			v[i] *= s.weights[i]
		}
	}
	return v
}

// swing reports whether a wave is one: at least three quarters of a period along one of its axes
// and a twentieth along each, of an amplitude that no other must cancel.
func (s *swings) swing(w swing) bool {
	fastest, slowest := 0.0, math.Inf(1)
	for k, a := range w.axes {
		steps := math.Abs(w.omega[k]) / s.axes[a].Step
		fastest, slowest = max(fastest, steps), min(slowest, steps)
	}
	return fastest > 1.5 && slowest > 0.1 && floats.Norm(w.coef, math.Inf(1)) < mostAmplitude*math.Sqrt(variance(s.y))
}

// superposition is waves and how well they fit beside a linear function.
type superposition struct {
	waves []swing
	fit   trial
}

// lines are the peaks of what is left along one axis.
func (s *swings) lines(ctx context.Context, left []float64) [][]crest {
	var all []crest
	for i, a := range s.axes {
		if a.Steps > 0 && ctx.Err() == nil {
			all = append(all, s.crests([]int{i}, wave.Line(a.Axis, left, 2))...)
		}
	}
	return [][]crest{all}
}

// planes are those along two axes, and along three.
func (s *swings) planes(ctx context.Context, left []float64) [][]crest {
	var two, three []crest
	for _, g := range s.groups {
		axes, _ := s.short(g)
		switch {
		case ctx.Err() != nil:
		case len(g) == 2:
			two = append(two, s.crests(g, wave.Plane(axes[0], axes[1], left, 2))...)
		default:
			three = append(three, s.crests(g, wave.Volume(axes[0], axes[1], axes[2], left, 2))...)
		}
	}
	return [][]crest{two, three}
}

// next adds to the waves known the one of a kind that explains most of what these leave, of each
// list of peaks; better first, none where it could be chance.
func (s *swings) next(ctx context.Context, known superposition, kind func(ctx context.Context, left []float64) [][]crest) (all []superposition) {
	chance := min(wave.Chance(s.asked, len(s.y)), 0.9)
	for _, list := range kind(ctx, s.residuals(known.fit)) {
		slices.SortStableFunc(list, func(a, b crest) int { return cmp.Compare(b.Share, a.Share) })
		best := superposition{fit: trial{bits: known.fit.bits - waveBits}}
		for _, p := range list[:min(triedPeaks, len(list))] {
			if p.Share < chance/2 || ctx.Err() != nil {
				continue
			}
			waves := append(slices.Clone(known.waves), swing{axes: p.axes, omega: p.Omega[:len(p.axes)], coef: make([]float64, 1<<len(p.axes))})
			f := s.linear(waves)
			if f.tree.Len() == 0 {
				continue
			}
			if all := s.read(waves, f); !s.swing(all[len(all)-1]) {
				waves[len(waves)-1].fixed = true // a slow one may approach a polynomial
				f = s.linear(waves)
			}
			if f.tree.Len() > 0 && f.bits < best.fit.bits && f.rss < known.fit.rss*(1-chance) {
				best = superposition{s.read(waves, f), f}
			}
		}
		if best.waves != nil {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b superposition) int { return cmp.Compare(a.fit.bits, b.fit.bits) })
	return all
}

// crest is a peak along some axes.
type crest struct {
	wave.Peak
	axes []int
}

// crests are peaks along axes; none where the highest is that of the slowest wave, as it is for all that
// does not swing at all.
func (s *swings) crests(axes []int, from []wave.Peak) (out []crest) {
	slowest := true
	for k, a := range axes {
		slowest = slowest && len(from) > 0 && from[0].Omega[k] < 1.5*s.axes[a].Step
	}
	if slowest {
		return nil
	}
	for _, p := range from {
		out = append(out, crest{p, axes})
	}
	return out
}

// writing is how a wave is written: the cosines that are multiplied, each of the axes' angles with
// their signs. Two cosines that each hold all axes are added instead: what runs both ways.
type writing [][]int8

// Axes alone, in pairs and in threes, with the signs of their angles; 0: not in this cosine.
var writings = [...][]writing{
	1: {{{1}}},
	2: {{{1, -1}}, {{1, 1}}, {{1, 0}, {0, 1}}, {{1, 1}, {1, -1}}},
	3: {
		{{1, 1, 1}}, {{1, 1, -1}}, {{1, -1, 1}}, {{1, -1, -1}}, // plane waves
		{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		{{1, 0, 0}, {0, 1, 1}}, {{1, 0, 0}, {0, 1, -1}}, {{0, 1, 0}, {1, 0, 1}}, {{0, 1, 0}, {1, 0, -1}}, {{0, 0, 1}, {1, 1, 0}}, {{0, 0, 1}, {1, -1, 0}}, // guided ones
	},
}

// added reports whether the cosines are to be added.
func (h writing) added() bool { return len(h) == 2 && !slices.Contains(h[0], 0) }

// runs is the part of a wave that is size·cos(Σ signs·θ + phase).
func (w swing) runs(signs []int8) (size, phase float64) {
	sum := complex(0, 0)
	for k, c := range w.coef {
		part := complex(c, 0)
		for i, sign := range signs { // cos θ = (e^iθ + e^-iθ)/2 and sin θ = (e^iθ - e^-iθ)/2i
			if k>>(len(signs)-1-i)&1 == 1 {
				part *= complex(0, -float64(sign))
			}
		}
		sum += part
	}
	return cmplx.Abs(sum) / float64(int(1)<<(len(signs)-1)), cmplx.Phase(sum)
}

// phases are those of the cosines of a writing, and the amplitude of their product; of added ones
// all amplitudes.
func (w swing) phases(h writing) (phases, size []float64) {
	if h.added() || len(h) == 1 {
		for _, signs := range h {
			a, p := w.runs(signs)
			phases, size = append(phases, p), append(size, a)
		}
		return phases, size
	}
	// A product of cosines of α, β, … is a sum of cosines of α ± β ± …, so that the phases of these
	// tell those of its factors.
	together := make([]int8, len(w.axes))
	for _, signs := range h {
		for i, sign := range signs {
			together[i] += sign
		}
	}
	amplitude, all := w.runs(together)
	phases = make([]float64, len(h))
	phases[0] = all
	for g := 1; g < len(h); g++ {
		other := slices.Clone(together)
		for i, sign := range h[g] {
			if sign != 0 {
				other[i] = -sign
			}
		}
		_, p := w.runs(other)
		phases[g] = (all - p) / 2
		phases[0] -= phases[g]
	}
	return phases, []float64{amplitude * float64(int(1)<<(len(h)-1))}
}

// circular writes cos(θ + phase), or the sine whose phase is less, up to a sign that it returns.
func (s *swings) circular(b *builder, theta expr.Tree, phase float64) (t expr.Tree, sign float64) {
	op := expr.Cos
	phase = math.Remainder(phase, 2*math.Pi)
	if !s.allowed(expr.Cos) || s.allowed(expr.Sin) && math.Abs(math.Sin(phase)) > math.Sqrt2/2 {
		op, phase = expr.Sin, math.Remainder(phase+math.Pi/2, 2*math.Pi) // cos x = sin(x + π/2)
	}
	sign = 1
	if math.Abs(phase) > math.Pi/2 {
		sign, phase = -1, math.Remainder(phase+math.Pi, 2*math.Pi)
	}
	return expr.Apply(op, expr.Apply(expr.Add, theta, b.free(phase))), sign
}

// write is a wave as a tree, each amplitude as what the function makes of its value.
func (s *swings) write(b *builder, w swing, amplitude func(k float64) expr.Tree) expr.Tree {
	phases, size := w.phases(w.how)
	var angles []expr.Tree
	for i, a := range w.axes {
		angles = append(angles, expr.Apply(expr.Mul, b.free(w.omega[i]), s.axes[a].tree))
	}
	var all expr.Tree
	sign := 1.0
	for g, signs := range w.how {
		var theta expr.Tree
		for i, k := range signs {
			switch {
			case k == 0:
			case theta.Len() == 0: // the first sign is positive
				theta = angles[i]
			case k > 0:
				theta = expr.Apply(expr.Add, theta, angles[i])
			default:
				theta = expr.Apply(expr.Sub, theta, angles[i])
			}
		}
		t, flip := s.circular(b, theta, phases[g])
		switch {
		case w.how.added():
			t = expr.Apply(expr.Mul, amplitude(flip*size[g]), t)
			if g > 0 {
				t = expr.Apply(expr.Add, all, t)
			}
		case g > 0:
			t = expr.Apply(expr.Mul, all, t)
		}
		all = t
		sign *= flip
	}
	if w.how.added() {
		return all
	}
	return expr.Apply(expr.Mul, amplitude(sign*size[0]), all)
}

// law is a sum of waves beside a constant and those linear terms that matter; envelope may be nil.
func (s *swings) law(waves []swing, beside []int, envelope func(b *builder) expr.Tree) expr.Tree {
	b := &builder{s: s.s, p: s.p}
	t := b.free(stat.Mean(s.y, nil))
	for _, v := range beside {
		t = expr.Apply(expr.Add, t, mul(b.free(0), expr.X(v)))
	}
	for _, w := range waves {
		t = expr.Apply(expr.Add, t, s.write(b, w, func(k float64) expr.Tree {
			if envelope == nil {
				return b.free(k)
			}
			return expr.Apply(expr.Mul, b.free(k), envelope(b))
		}))
	}
	return t
}

// offer offers a fitted law and reports whether it is exact.
func (s *swings) offer(f trial) (exact bool) {
	return s.yield(f.tree) && f.rss <= eps*eps*s.power
}

// offerWaves offers the best writings of the last of the waves together with the others, each with and
// without a linear function, and returns them.
func (s *swings) offerWaves(waves []swing) (best [][]swing, exact bool) {
	type written struct {
		waves []swing
		trial
	}
	var all []written
	last := len(waves) - 1
	ways := writings[len(waves[last].axes)]
	if s.sweeps(waves[last]) {
		ways = ways[:2] // those that run
	}
	for _, h := range ways {
		some := slices.Clone(waves)
		some[last].how = h
		if f, ok := s.fit(s.law(some, nil, nil)); ok {
			all = append(all, written{some, f})
		}
	}
	slices.SortStableFunc(all, func(a, b written) int { return cmp.Compare(a.bits, b.bits) })
	for _, w := range all[:min(mostOffered, len(all))] {
		best = append(best, w.waves)
		if s.offer(w.trial) {
			return best, true
		}
		for _, v := range s.base {
			if f, ok := s.fit(s.law(w.waves, []int{v}, nil)); ok && f.bits < w.bits-waveBits && s.offer(f) {
				return best, true
			}
		}
	}
	return best, false
}

// factors are what may multiply an amplitude: a power of a variable or an exponential of it, also
// with a square in the exponent, which is a Gaussian, and an exponential of the waves' own
// coordinates.
func (s *swings) factors(waves []swing) (all []func(b *builder) expr.Tree) {
	for k, axis := range s.axes {
		x, variable := axis.tree, axis.tree.Root() == expr.Var
		if !variable && !slices.Contains(waves[0].axes, k) {
			continue
		}
		span := math.Pi / axis.Step
		exponential := func(rate float64) func(b *builder) expr.Tree {
			return func(b *builder) expr.Tree {
				return expr.Apply(expr.Exp, expr.Apply(expr.Mul, b.free(rate), x))
			}
		}
		if s.allowed(expr.Exp) {
			all = append(all, exponential(-2/span), exponential(2/span))
		}
		if s.allowed(expr.Exp) && variable {
			all = append(all, func(b *builder) expr.Tree {
				return expr.Apply(expr.Exp, expr.Apply(expr.Mul, expr.Apply(expr.Add, b.free(0), expr.Apply(expr.Mul, b.free(0), x)), x))
			})
		}
		if s.allowed(expr.Pow) && variable && slices.Min(axis.Values) > 0 {
			all = append(all, func(b *builder) expr.Tree { return expr.Apply(expr.Pow, x, b.free(0)) })
		}
	}
	return all
}

// envelopes offers each of the writings of waves with one factor of the amplitude and with two,
// where these describe the rows shorter.
func (s *swings) envelopes(ctx context.Context, written [][]swing) (exact bool) {
	for _, waves := range written {
		best, ok := s.fit(s.law(waves, nil, nil))
		if !ok {
			continue
		}
		factors := s.factors(waves)
		known := func(*builder) expr.Tree { return expr.Num(1) }
		for range mostDecay {
			type enveloped struct {
				trial
				with func(b *builder) expr.Tree
			}
			var good []enveloped
			for _, factor := range factors {
				if ctx.Err() != nil {
					return false
				}
				before := known
				with := func(b *builder) expr.Tree { return mul(before(b), factor(b)) }
				if f, ok := s.fit(s.law(waves, nil, with)); ok && f.bits < best.bits-waveBits {
					good = append(good, enveloped{f, with})
				}
			}
			if len(good) == 0 {
				break
			}
			slices.SortStableFunc(good, func(a, b enveloped) int { return cmp.Compare(a.bits, b.bits) })
			for _, e := range good[:min(mostOffered, len(good))] {
				if s.offer(e.trial) {
					return true
				}
			}
			best, known = good[0].trial, good[0].with
		}
	}
	return false
}
