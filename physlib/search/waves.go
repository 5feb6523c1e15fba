package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/search/wave"
)

// Laws that swing many times over the table. There a sine of a frequency that is a little wrong is as far from the target as chance, so
// that neither joins nor fits from random starts find it. A periodogram does, along one coordinate or two at once, and what
// it finds is written as an oscillation, a running or standing wave, or a sum of these:
//
//	a + b·x + A·cos(ωu + φ)    A·sin(ku - ωv + φ)    A·cos(ku + φ)·cos(ωv + ψ)
//
// with an amplitude that may grow, decay or be a power of a variable.

const (
	waveRows    = 1024        // most rows looked at
	leastWave   = 20          // fewest
	lineSteps   = 1024        // frequencies along a variable
	otherSteps  = 256         // and along another coordinate, such as 1/x
	mostAlone   = 4           // variables up to which other coordinates are asked
	planeSteps  = 512         // frequencies along each of two variables, fewer where there are many pairs
	planeWork   = 600_000_000 // products of numbers for all pairs
	mostPaired  = 8           // variables up to which pairs are asked
	mostWaves   = 3           // in a sum
	triedPeaks  = 4           // fitted, of one or of two coordinates each
	fineWave    = 3e-5        // relative error below which no further wave is asked for: what is left is rounding
	waveBits    = 12          // what a wave or an envelope must save to be offered
	mostDecay   = 2           // envelopes that multiply a wave
	mostOffered = 2           // envelopes that are offered in each turn
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
	base    []int     // variables of the linear function beside the waves
	axes    []axis
	pairs   [][2]int // of axes
	steps   int      // most along an axis of a pair
	asked   int      // frequencies and pairs of them in all
	fitter  fit.Fitter
}

// swing is one wave: Σ coef·(cos|sin)(ωu)·(cos|sin)(ωv), of one axis two terms (cos, sin), of two axes four (cc, cs, sc, ss).
type swing struct {
	axes  []int
	omega []float64
	coef  []float64
}

// trial is a tree with its constants fitted and what it leaves.
type trial struct {
	tree expr.Tree
	rss  float64
	bits float64 // description of the residuals and a price for each constant
}

// waves offers laws that oscillate and tells whether one of them is exact.
func (w *work) waves(ctx context.Context) (exact bool) {
	s := w.newSwings()
	if s == nil {
		return false
	}
	w.tell("waves")
	known := superposition{fit: s.linear(nil)}
	for turn := range mostWaves {
		if ctx.Err() != nil || known.fit.rss <= fineWave*fineWave*s.power() {
			return false
		}
		next := s.next(ctx, known)
		if len(next) == 0 {
			return false
		}
		for _, n := range next {
			if s.offerWaves(n.waves) || turn == 0 && s.envelopes(ctx, n.waves) {
				return true
			}
		}
		known = next[0]
	}
	return false
}

// newSwings chooses rows and coordinates; nil where there is nothing to look at.
func (w *work) newSwings() *swings {
	p := w.s.prob
	if !w.allowed(expr.Sin) && !w.allowed(expr.Cos) {
		return nil
	}
	rows := sampleRows(p, w.s.keep, waveRows)
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
	if p.Weights != nil {
		s.weights = pick(p.Weights)
	}
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
	if n <= mostPaired {
		for i := range n {
			for j := range i {
				s.pairs = append(s.pairs, [2]int{j, i})
			}
		}
	}
	if n <= mostAlone {
		s.others(vary)
	}
	if n == 1 && s.axes[1].Steps > 0 {
		s.pairs = append(s.pairs, [2]int{0, 1}) // x and x²: a frequency that rises
	}
	if len(s.pairs) > 0 {
		s.steps = min(planeSteps, int(math.Sqrt(planeWork/float64(4*len(rows)*len(s.pairs)))))
	}
	for _, a := range s.axes {
		s.asked += a.Steps
	}
	for _, p := range s.pairs {
		s.asked += s.axes[p[0]].short(s.steps).Steps * s.axes[p[1]].short(s.steps).Steps
	}
	return s
}

// short is an axis with its lowest frequencies only.
func (a axis) short(steps int) wave.Axis {
	a.Steps = min(a.Steps, steps)
	return a.Axis
}

// others adds simple functions of the variables vary as coordinates, the square of the first one first.
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
	f.bits = n/2*math.Log2(max(r.RSS, 1e-30*s.power())/n) + math.Log2(n)*float64(len(r.Params))
	return f, true
}

// power is the weighted sum of squares of the target.
func (s *swings) power() float64 {
	sum := 0.0
	for i, y := range s.y {
		if s.weights != nil {
			sum += s.weights[i] * y * y
		} else {
			sum += y * y
		}
	}
	return sum
}

// linear fits a linear function of the base and the waves, with the frequencies of these.
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
			angles = append(angles, expr.Apply(expr.Mul, b.free(w.omega[k]), s.axes[a].tree))
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
		return trial{rss: math.Inf(1), bits: math.Inf(1)}
	}
	return f
}

// read takes the waves' constants from a fit of linear.
func (s *swings) read(waves []swing, f trial) []swing {
	params := f.tree.Params()[1+len(s.base):]
	out := make([]swing, len(waves))
	for i, w := range waves {
		a, c := len(w.omega), len(w.coef)
		out[i] = swing{w.axes, params[:a], params[a : a+c]}
		params = params[a+c:]
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

// superposition is waves and how well they fit beside a linear function.
type superposition struct {
	waves []swing
	fit   trial
}

// next adds to the waves known the one that explains most of what these leave, along one axis and along two; better first, none where
// it could be chance.
func (s *swings) next(ctx context.Context, known superposition) (all []superposition) {
	left := s.residuals(known.fit)
	var lines, planes []crest
	for i, a := range s.axes {
		if a.Steps > 0 && ctx.Err() == nil {
			lines = append(lines, s.crests([]int{i}, wave.Line(a.Axis, left, 2))...)
		}
	}
	for _, p := range s.pairs {
		if ctx.Err() == nil {
			planes = append(planes, s.crests(p[:], wave.Plane(s.axes[p[0]].short(s.steps), s.axes[p[1]].short(s.steps), left, 2))...)
		}
	}
	chance := min(wave.Chance(s.asked, len(s.y)), 0.9)
	for _, list := range [][]crest{lines, planes} {
		slices.SortStableFunc(list, func(a, b crest) int { return cmp.Compare(b.Share, a.Share) })
		best := superposition{fit: trial{bits: known.fit.bits - waveBits}}
		for _, p := range list[:min(triedPeaks, len(list))] {
			if p.Share < chance/2 || ctx.Err() != nil {
				continue
			}
			waves := append(slices.Clone(known.waves), swing{p.axes, p.Omega[:len(p.axes)], make([]float64, 2*len(p.axes))})
			if f := s.linear(waves); f.bits < best.fit.bits && f.rss < known.fit.rss*(1-chance) {
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

// crest is a peak along one axis or two.
type crest struct {
	wave.Peak
	axes []int
}

// crests are peaks along axes; none where the highest is that of the slowest wave, as of all that does not swing at all.
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

// writing is how a wave along two axes is written.
type writing uint8

const (
	running  writing = iota // cos(u + v + φ)
	opposite                // cos(u - v + φ)
	standing                // cos(u + φ)·cos(v + ψ)
	bothWays                // a sum of both that run
)

// writings of a wave, the likeliest first.
func (w swing) writings() []writing {
	if len(w.axes) == 1 {
		return []writing{running}
	}
	with, against := w.run(1), w.run(-1)
	lesser, first := against.size/with.size, running
	if lesser > 1 {
		lesser, first = 1/lesser, opposite
	}
	switch {
	case lesser < 0.1:
		return []writing{first}
	case lesser < 0.6:
		return []writing{bothWays, first}
	default:
		return []writing{standing, bothWays}
	}
}

// phased is size·cos(θ - delta).
type phased struct{ size, delta float64 }

func newPhased(cos, sin float64) phased { return phased{math.Hypot(cos, sin), math.Atan2(sin, cos)} }

// run is the part of a wave along two axes that depends on u + sign·v.
func (w swing) run(sign float64) phased {
	cc, cs, sc, ss := w.coef[0], w.coef[1], w.coef[2], w.coef[3]
	return newPhased((cc-sign*ss)/2, (sc+sign*cs)/2)
}

// stand is the nearest product size·cos(u - delta)·cos(v - other): the greatest singular value of the coefficients, and its vectors.
func (w swing) stand() (u phased, other float64) {
	with, against := w.run(1), w.run(-1)
	// cos(u - a)·cos(v - b) = [cos(u + v - (a + b)) + cos(u - v - (a - b))]/2
	return phased{with.size + against.size, (with.delta + against.delta) / 2}, (with.delta - against.delta) / 2
}

// circular writes cos(θ - delta), or the sine of whose phase is less, up to a sign that it returns.
func (s *swings) circular(b *builder, theta expr.Tree, delta float64) (t expr.Tree, sign float64) {
	op, phase := expr.Cos, math.Remainder(-delta, 2*math.Pi)
	if !s.allowed(expr.Cos) || s.allowed(expr.Sin) && math.Abs(math.Sin(phase)) > math.Sqrt2/2 {
		op, phase = expr.Sin, math.Remainder(math.Pi/2-delta, 2*math.Pi) // cos x = sin(x + π/2)
	}
	sign = 1
	if math.Abs(phase) > math.Pi/2 {
		sign, phase = -1, math.Remainder(phase+math.Pi, 2*math.Pi)
	}
	return expr.Apply(op, expr.Apply(expr.Add, theta, b.free(phase))), sign
}

// write is a wave as a tree, and its amplitude as a free constant apart; of both ways the second part brings its own.
func (s *swings) write(b *builder, w swing, how writing, amplitude func(k float64) expr.Tree) expr.Tree {
	angle := func(k int) expr.Tree { return expr.Apply(expr.Mul, b.free(w.omega[k]), s.axes[w.axes[k]].tree) }
	if len(w.axes) == 1 {
		c := newPhased(w.coef[0], w.coef[1])
		t, sign := s.circular(b, angle(0), c.delta)
		return expr.Apply(expr.Mul, amplitude(sign*c.size), t)
	}
	run := func(op expr.Op, c phased) expr.Tree {
		t, sign := s.circular(b, expr.Apply(op, angle(0), angle(1)), c.delta)
		return expr.Apply(expr.Mul, amplitude(sign*c.size), t)
	}
	switch how {
	case running:
		return run(expr.Add, w.run(1))
	case opposite:
		return run(expr.Sub, w.run(-1))
	case bothWays:
		return expr.Apply(expr.Add, run(expr.Add, w.run(1)), run(expr.Sub, w.run(-1)))
	}
	c, other := w.stand()
	first, sign := s.circular(b, angle(0), c.delta)
	second, sign2 := s.circular(b, angle(1), other)
	return expr.Apply(expr.Mul, expr.Apply(expr.Mul, amplitude(sign*sign2*c.size), first), second)
}

// law is a sum of waves, written the n-th likeliest way, beside a constant and those linear terms that matter; amplitude may be nil.
func (s *swings) law(waves []swing, n int, beside []int, envelope func(b *builder) expr.Tree) expr.Tree {
	b := &builder{s: s.s, p: s.p}
	t := b.free(s.mean())
	for _, v := range beside {
		t = expr.Apply(expr.Add, t, mul(b.free(0), expr.X(v)))
	}
	for _, w := range waves {
		ways := w.writings()
		t = expr.Apply(expr.Add, t, s.write(b, w, ways[min(n, len(ways)-1)], func(k float64) expr.Tree {
			if envelope == nil {
				return b.free(k)
			}
			return expr.Apply(expr.Mul, b.free(k), envelope(b))
		}))
	}
	return t
}

func (s *swings) mean() float64 {
	sum := 0.0
	for _, y := range s.y {
		sum += y
	}
	return sum / float64(len(s.y))
}

// offer fits a law here and offers it; it tells whether that is exact.
func (s *swings) offer(t expr.Tree) (f trial, exact bool) {
	f, ok := s.fit(t)
	if !ok {
		return trial{bits: math.Inf(1)}, false
	}
	return f, s.yield(f.tree) && f.rss <= eps*eps*s.power()
}

// offerWaves offers a sum of waves in each of its writings, with and without a linear function beside it.
func (s *swings) offerWaves(waves []swing) (exact bool) {
	ways := 0
	for _, w := range waves {
		ways = max(ways, len(w.writings()))
	}
	for n := range ways {
		f, exact := s.offer(s.law(waves, n, nil, nil))
		if exact {
			return true
		}
		for _, v := range s.base {
			t := s.law(waves, n, []int{v}, nil)
			if g, ok := s.fit(t); ok && g.bits < f.bits-waveBits {
				if _, exact := s.offer(g.tree); exact {
					return true
				}
			}
		}
	}
	return false
}

// envelope multiplies an amplitude: a power of a variable or an exponential of it, also with a square in the exponent, which is a Gaussian.
func (s *swings) envelopeOf() (all []func(b *builder) expr.Tree) {
	for _, axis := range s.axes {
		if axis.tree.Root() != expr.Var {
			continue
		}
		x := axis.tree
		span := math.Pi / axis.Step
		exponential := func(rate float64) func(b *builder) expr.Tree {
			return func(b *builder) expr.Tree {
				return expr.Apply(expr.Exp, expr.Apply(expr.Mul, b.free(rate), x))
			}
		}
		if s.allowed(expr.Exp) {
			all = append(all, exponential(-2/span), exponential(2/span), func(b *builder) expr.Tree {
				return expr.Apply(expr.Exp, expr.Apply(expr.Mul, expr.Apply(expr.Add, b.free(0), expr.Apply(expr.Mul, b.free(0), x)), x))
			})
		}
		if s.allowed(expr.Pow) && slices.Min(axis.Values) > 0 {
			all = append(all, func(b *builder) expr.Tree { return expr.Apply(expr.Pow, x, b.free(0)) })
		}
	}
	return all
}

// envelopes offers a wave with one envelope and with two, where these describe the rows shorter.
func (s *swings) envelopes(ctx context.Context, waves []swing) (exact bool) {
	all := s.envelopeOf()
	for n := range waves[0].writings() {
		best, ok := s.fit(s.law(waves, n, nil, nil))
		if !ok {
			continue
		}
		none := func(*builder) expr.Tree { return expr.Num(1) }
		inner := none
		for range mostDecay {
			var good []trial
			chosen, least := none, best.bits-waveBits
			for _, e := range all {
				if ctx.Err() != nil {
					return false
				}
				first := inner
				both := func(b *builder) expr.Tree { return mul(first(b), e(b)) }
				f, ok := s.fit(s.law(waves, n, nil, both))
				if !ok || f.bits >= best.bits-waveBits {
					continue
				}
				good = append(good, f)
				if f.bits < least {
					chosen, least = both, f.bits
				}
			}
			slices.SortStableFunc(good, func(a, b trial) int { return cmp.Compare(a.bits, b.bits) })
			for _, f := range good[:min(mostOffered, len(good))] {
				if s.yield(f.tree) && f.rss <= eps*eps*s.power() {
					return true
				}
			}
			if len(good) == 0 {
				break
			}
			best, inner = good[0], chosen
		}
	}
	return false
}
