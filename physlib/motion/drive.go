package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Limits on the proposed drives. A drive is a term that oscillates with the time, such as a
// periodic force.
const (
	mostDrives = 2    // largest number of frequencies proposed
	mostScan   = 400  // largest number of frequencies scanned
	leastDrive = 0.02 // smallest fraction of the RSS that a frequency must explain
)

// drives returns the angular frequencies of oscillations in time that best fit the residuals of a
// short sum of terms (see likely). The frequencies are the highest peaks of a periodogram (N. R.
// Lomb, Astrophys. Space Sci. 39 (1976) 447), refined by golden section. t holds the unweighted
// time of each row, and w the rows' weights.
func (l *termMatrix) drives(t, w []float64) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range t {
		low, high = min(low, v), max(high, v)
	}
	span := high - low
	if !(span > 0) {
		return nil
	}
	step := math.Pi / span // half the frequency resolution of the record
	n := min(mostScan, len(t)*2)
	power := make([]float64, n+1)
	var out []float64
	base := l.orthonormal(l.likely())
	for range mostDrives {
		best := 0
		for k := 2; k <= n; k++ { // less than one period in the record is a drift, not a drive
			power[k] = l.gain(base, wave(t, w, float64(k)*step))
			if power[k] > power[best] {
				best = k
			}
		}
		if best == 0 || power[best] < leastDrive*l.baseRSS(base) {
			break
		}
		omega := l.sharpened(base, t, w, float64(best)*step, step)
		out = append(out, omega)
		base = extended(base, wave(t, w, omega), newWave)
	}
	return out
}

// likely returns a short sum of terms, chosen greedily.
func (l *termMatrix) likely() (chosen []int) {
	const few = 4
	for range few {
		next := l.ranked(chosen)
		if len(next) == 0 {
			break
		}
		chosen = append(chosen, next[0])
	}
	return chosen
}

// baseRSS returns the residual sum of squares of the target after projection on an orthonormal
// base.
func (l *termMatrix) baseRSS(base [][]float64) float64 {
	sum := dot(l.y, l.y)
	for _, u := range base {
		d := dot(u, l.y)
		sum -= d * d
	}
	return max(sum, 0)
}

// sharpened returns the exact position of the peak near omega, found by golden section.
func (l *termMatrix) sharpened(base [][]float64, t, w []float64, omega, step float64) float64 {
	const golden = 0.6180339887498949
	a, b := omega-step, omega+step
	at := func(x float64) float64 { return l.gain(base, wave(t, w, x)) }
	x, y := b-golden*(b-a), a+golden*(b-a)
	fx, fy := at(x), at(y)
	for range 24 {
		if fx > fy {
			b, y, fy = y, x, fx
			x = b - golden*(b-a)
			fx = at(x)
		} else {
			a, x, fx = x, y, fy
			y = a + golden*(b-a)
			fy = at(y)
		}
	}
	return (a + b) / 2
}

// wave returns the weighted sine and cosine of an angular frequency, each normalized to length
// one.
func wave(t, w []float64, omega float64) [][]float64 {
	out := [][]float64{make([]float64, len(t)), make([]float64, len(t))}
	for i, v := range t {
		s, c := math.Sincos(omega * v)
		out[0][i], out[1][i] = w[i]*s, w[i]*c
	}
	for _, v := range out {
		if size := math.Sqrt(dot(v, v)); size > 0 {
			for i := range v {
				v[i] /= size
			}
		}
	}
	return out
}

// newWave is the smallest norm of the component of a wave orthogonal to the base. A wave with a
// smaller component is almost a combination of the columns of the base, and is skipped.
const newWave = 1e-3

// gain returns by how much the residual sum of squares falls if columns are added to an orthonormal
// base.
func (l *termMatrix) gain(base, columns [][]float64) float64 {
	sum := 0.0
	for _, u := range extended(base, columns, newWave)[len(base):] {
		d := dot(u, l.y)
		sum += d * d
	}
	return sum
}

// extended returns an orthonormal base extended by columns. It overwrites columns. A column is
// skipped if its part orthogonal to the base has a norm below least.
func extended(base, columns [][]float64, least float64) [][]float64 {
	base = slices.Clip(base)
	for _, v := range columns {
		size := math.Sqrt(dot(v, v))
		for range 2 { // a second time if cancellation made the first result inaccurate
			before := size
			for _, u := range base {
				d := dot(u, v)
				for i := range v {
					v[i] -= d * u[i]
				}
			}
			if size = math.Sqrt(dot(v, v)); size > before/2 {
				break
			}
		}
		if size < least {
			continue
		}
		for i := range v {
			v[i] /= size
		}
		base = append(base, v)
	}
	return base
}

// waves returns the sine and cosine of a drive, and the products of both with every column except
// the time. Such products occur in parametrically driven oscillators. The frequency is a free
// constant.
func waves(vars, time int, omega float64) []expr.Tree {
	ap := expr.Apply
	angle := ap(expr.Mul, expr.C(0, omega), expr.X(time))
	out := []expr.Tree{ap(expr.Sin, angle), ap(expr.Cos, angle)}
	for i := range vars {
		if i != time {
			out = append(out, ap(expr.Mul, expr.X(i), ap(expr.Sin, angle)), ap(expr.Mul, expr.X(i), ap(expr.Cos, angle)))
		}
	}
	return out
}
