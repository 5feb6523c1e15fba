package fit

import (
	"math"

	"github.com/physlib/lab/physlib/fit/qr"
)

// stepper holds the data for a damped step: the columns of the orthogonal factor for the nonlinear
// constants.
type stepper struct {
	qr.Damped
	whole  []float64 // orthogonal factor of the whole Jacobian
	theta  []float64
	before []float64
}

// exactly is the ratio of the norms of residual and target below which refine ends.
const exactly = 3e-16

// refine improves the nonlinear constants, starting from params, by Levenberg–Marquardt steps. The
// damping is that of K. Madsen, H. B. Nielsen and O. Tingleff, Methods for Non-Linear Least Squares
// Problems (2004) §3.2. A step is rejected if it increases the residual, or if the law is not
// finite after the step. refine returns false if the law is not finite at the start.
func (f *Fitter) refine(s Settings) bool {
	f.converged = false
	if !f.project() || !f.linearize() {
		return false
	}
	p, n := &f.step, len(f.curved)
	p.Reset(n)
	p.theta = grow(p.theta, n)
	mu, nu := 1e-3, 2.0
	for range s.MaxIter {
		p.whole = append(p.whole[:0], f.tri.R...)
		p.Take(&f.tri, len(f.linear))
		if f.rss <= exactly*exactly*f.yy || qr.Norm(p.Z) <= s.Tol*math.Sqrt(f.rss) {
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

// hidden is a relative decrease of RSS that rounding errors may hide. A step with a smaller
// predicted decrease is accepted or rejected according to the remaining gradient.
const hidden = 1e-12

// tangent returns the length of the residual's projection onto the columns of the nonlinear
// constants. It uses the factor of the whole Jacobian.
func (f *Fitter) tangent() float64 {
	n := f.tri.N
	return qr.Norm(f.tri.R[(n-1)*n+len(f.linear) : n*n-1])
}

// descend tries steps with increasing damping until one lowers the residual, and keeps that step.
// It returns false if no step lowers the residual.
func (f *Fitter) descend(s Settings, mu, nu *float64) bool {
	p := &f.step
	rss := f.rss
	for i, slot := range f.curved {
		p.theta[i] = f.params[slot]
	}
	p.before = append(p.before[:0], f.params...)
	for *mu < 1e25 {
		predicted := p.Solve(*mu)
		small := p.small(s.Tol)
		for i, slot := range f.curved {
			f.params[slot] = p.theta[i] + p.Delta[i]
		}
		p.predict(&f.model)
		ok := f.trial()
		if predicted <= hidden*rss {
			if ok && f.rss <= rss*(1+hidden) && f.tangent() < 0.9*qr.Norm(p.Z) {
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

// stale limits the reuse of derivatives. The derivatives with respect to nonlinear constants are
// reused if the linear constants change little: they may change the law's values by at most this
// fraction of the norm of the target.
const stale = 0.03

// trial factors the Jacobian at the present nonlinear constants. It sets the linear constants to
// their optimum, and rss to the remaining residual. If the linear constants change little, it does
// not calculate the derivatives with respect to the nonlinear constants again.
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
	n := f.tri.N
	moved := qr.Norm(f.tri.R[(n-1)*n : (n-1)*n+l])
	f.scratch = grow(f.scratch, l)
	f.tri.Solve(f.scratch, l, n-1)
	for i, slot := range f.linear {
		f.params[slot] += f.scratch[i]
		if v := f.params[slot]; math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	if moved*moved > stale*stale*f.yy {
		return f.linearize()
	}
	left := qr.Norm(f.tri.R[(n-1)*n+l : n*n])
	f.rss, f.fresh = left*left, false
	return true
}

// predict moves the linear constants to the values that the linear model predicts if the nonlinear
// constants make the step Delta.
func (p *stepper) predict(m *model) {
	l, n := len(m.linear), len(m.params)+1
	if l == 0 {
		return
	}
	m.scratch = grow(m.scratch, l)
	d := m.scratch[:l]
	for i := l - 1; i >= 0; i-- {
		s := p.whole[(n-1)*n+i]
		for j, step := range p.Delta {
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

// small reports whether the step of each constant is at most tol relative to the constant.
func (p *stepper) small(tol float64) bool {
	for i, d := range p.Delta {
		if math.Abs(d) > tol*math.Abs(p.theta[i]) {
			return false
		}
	}
	return true
}
