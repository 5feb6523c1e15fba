package fit

import "math"

// stepper holds what one damped step needs: the part of the factor that belongs to the curved
// constants.
type stepper struct {
	whole   []float64 // the factor of the whole Jacobian
	r, z    []float64 // R22 by columns, and the rotated residual
	scale   []float64 // D: the largest length so far of each column
	delta   []float64
	theta   []float64
	before  []float64
	columns [][]float64
	damped  triangle
	mem     []float64
}

// exactly is the residual relative to the target at which a fit is exact.
const exactly = 3e-16

// refine improves the curved constants from where params are, by Levenberg–Marquardt with damping
// as in K. Madsen, H. B. Nielsen and O. Tingleff, Methods for Non-Linear Least Squares Problems
// (2004) §3.2. It returns false when the law is not finite there. Steps into regions where it is
// not are rejected like bad ones.
func (f *Fitter) refine(s Settings) bool {
	f.converged = false
	if !f.project() || !f.linearize() {
		return false
	}
	p, n := &f.step, len(f.curved)
	p.room(n)
	clear(p.scale)
	mu, nu := 1e-3, 2.0
	for range s.MaxIter {
		p.take(&f.model)
		if f.rss <= exactly*exactly*f.yy || norm(p.z) <= s.Tol*math.Sqrt(f.rss) {
			f.converged = true
			break
		}
		if !f.descend(s, &mu, &nu) {
			break
		}
		if f.converged {
			break
		}
	}
	if !f.fresh && !f.linearize() {
		return false
	}
	f.polish()
	return true
}

// hidden is the decrease of RSS, relative to it, that may drown in rounding. Steps of so little
// promise are assessed by the remaining slope instead.
const hidden = 1e-12

// tangent returns the length of the residual's projection on the curved columns, from the factor of
// the whole Jacobian.
func (f *Fitter) tangent() float64 {
	n := f.tri.n
	return norm(f.tri.r[(n-1)*n+len(f.linear) : n*n-1])
}

// descend tries steps of rising damping until one lowers the residual, and takes it. It returns
// false when none does.
func (f *Fitter) descend(s Settings, mu, nu *float64) bool {
	p := &f.step
	rss := f.rss
	for i, slot := range f.curved {
		p.theta[i] = f.params[slot]
	}
	p.before = append(p.before[:0], f.params...)
	for *mu < 1e25 {
		predicted, small := p.solve(*mu, s.Tol)
		for i, slot := range f.curved {
			f.params[slot] = p.theta[i] + p.delta[i]
		}
		p.predict(&f.model)
		ok := f.trial()
		if predicted <= hidden*rss {
			if ok && f.rss <= rss*(1+hidden) && f.tangent() < 0.9*norm(p.z) {
				*mu *= 0.1
				return true
			}
			f.converged, f.fresh = *mu <= 1, false
			copy(f.params, p.before)
			return false
		}
		if ok && (f.rss < rss || small && f.rss <= rss*(1+hidden)) {
			gain := (rss - f.rss) / predicted
			*mu *= max(1./3, 1-math.Pow(2*gain-1, 3))
			*mu = max(*mu, 1e-18)
			*nu = 2
			f.converged = small
			return true
		}
		f.fresh = false
		if small {
			f.converged = ok || *mu < 1
			copy(f.params, p.before)
			return false
		}
		*mu *= *nu
		*nu *= 2
	}
	f.fresh = false
	copy(f.params, p.before)
	return false
}

// stale is the largest relative change of the law's values by the linear constants at which old
// derivatives by the curved ones serve.
const stale = 0.03

// trial factors the Jacobian at the present curved constants, and sets the linear ones to their
// best and rss to what is then left. The derivatives by the curved constants are those at the
// linear constants before, if these were predicted well.
func (f *Fitter) trial() bool {
	for _, slot := range f.curved {
		if v := f.params[slot]; math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	if !f.linearize() {
		return len(f.linear) > 0 && f.project() && f.linearize()
	}
	l := len(f.linear)
	if l == 0 {
		return true
	}
	n := f.tri.n
	moved := norm(f.tri.r[(n-1)*n : (n-1)*n+l])
	f.scratch = grow(f.scratch, l)
	f.tri.solve(f.scratch, l, n-1)
	for i, slot := range f.linear {
		f.params[slot] += f.scratch[i]
		if v := f.params[slot]; math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	if moved*moved > stale*stale*f.yy {
		return f.linearize()
	}
	left := norm(f.tri.r[(n-1)*n+l : n*n])
	f.rss, f.fresh = left*left, false
	return true
}

// predict moves the linear constants from where the step began to where the whole linear model has
// them after it.
func (p *stepper) predict(m *model) {
	l, n := len(m.linear), len(m.params)+1
	if l == 0 {
		return
	}
	m.scratch = grow(m.scratch, l)
	d := m.scratch[:l]
	for i := l - 1; i >= 0; i-- {
		s := p.whole[(n-1)*n+i]
		for j, step := range p.delta {
			s -= p.whole[(l+j)*n+i] * step
		}
		for j := i + 1; j < l; j++ {
			s -= p.whole[j*n+i] * d[j]
		}
		d[i] = 0
		if r := p.whole[i*n+i]; r != 0 {
			d[i] = s / r
		}
	}
	for i, slot := range m.linear {
		m.params[slot] = p.before[slot]
		if v := p.before[slot] + d[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			m.params[slot] = v
		}
	}
}

func (p *stepper) room(n int) {
	p.r, p.z = grow(p.r, n*n), grow(p.z, n)
	p.scale, p.delta, p.theta = grow(p.scale, n), grow(p.delta, n), grow(p.theta, n)
	p.mem = grow(p.mem, (n+1)*2*n)
	p.columns = p.columns[:0]
	for i := range n + 1 {
		p.columns = append(p.columns, p.mem[i*2*n:(i+1)*2*n])
	}
}

// take copies R22 and the rotated residual from the factor of the whole Jacobian, and updates the
// scales.
func (p *stepper) take(m *model) {
	l, n := len(m.linear), len(p.z)
	all := m.tri.n
	p.whole = append(p.whole[:0], m.tri.r...)
	for j := range n {
		copy(p.r[j*n:j*n+n], m.tri.r[(l+j)*all+l:(l+j)*all+l+n])
		p.scale[j] = max(p.scale[j], norm(p.r[j*n:j*n+j+1]))
	}
	copy(p.z, m.tri.r[(l+n)*all+l:(l+n)*all+l+n])
}

// solve sets delta to the minimum of |R·δ - z|² + µ|D·δ|². It returns by how much |R·δ - z|² falls
// in the linear model, and whether the step is below tol relative to each constant.
func (p *stepper) solve(mu, tol float64) (predicted float64, small bool) {
	n := len(p.z)
	root := math.Sqrt(mu)
	for j, c := range p.columns[:n] {
		copy(c[:n], p.r[j*n:j*n+n])
		clear(c[n:])
		c[n+j] = root * p.scale[j]
		if p.scale[j] == 0 {
			c[n+j] = 1
		}
	}
	rhs := p.columns[n]
	copy(rhs[:n], p.z)
	clear(rhs[n:])
	p.damped.factor(p.columns)
	p.damped.solve(p.delta, n, n)
	small = true
	before, after := 0.0, 0.0
	for i := range n {
		s := -p.z[i]
		for j := i; j < n; j++ {
			s += p.r[j*n+i] * p.delta[j]
		}
		before += p.z[i] * p.z[i]
		after += s * s
		if math.Abs(p.delta[i]) > tol*math.Abs(p.theta[i]) {
			small = false
		}
	}
	return max(before-after, 1e-300), small
}
