package features

import "math"

// regression holds the results of the least-squares fits of a table. The first index of slope,
// residual and curvature is one of four combinations: y on x, y on log|x|, log|y| on x, and log|y|
// on log|x|, all standardised.
type regression struct {
	slope [fits][]float64 // [fit][column]: slope in the linear fit
	// residual [fit][row] is the residual of the linear fit, in standard deviations of the target.
	residual  [fits][]float64
	curvature [curvatures][][]float64 // coefficient of z_i·z_j in the quadratic fit
	// goodness is log₁₀ of the unexplained share of the variance, divided by 4. It holds the four
	// linear fits, then the four quadratic ones.
	goodness [goodness]float64
}

// regress fits the last column by the others, in four linear and four quadratic fits.
func regress(cols []column) *regression {
	last := len(cols) - 1
	n, d := len(cols[last].raw), last
	r := &regression{}
	y := &cols[last]
	for logs := range 2 {
		z := make([][]float64, d)
		for c := range z {
			z[c] = cols[c].std
			if logs == 1 {
				z[c] = cols[c].stdLog
			}
		}
		design := quadratics(z, n)
		linear := factor(design[:1+d], ridgeLinear)
		square := factor(design, ridgeSquare)
		for logy := range 2 {
			f := 2*logy + logs
			target := y.std
			if logy == 1 {
				target = y.stdLog
			}
			b := linear.solve(design[:1+d], target)
			r.slope[f] = b[1:]
			r.residual[f] = residuals(design[:1+d], b, target)
			r.goodness[f] = left(r.residual[f], target)
			q := square.solve(design, target)
			r.goodness[fits+f] = left(residuals(design, q, target), target)
			r.curvature[f] = make([][]float64, d)
			for i := range d {
				r.curvature[f][i] = make([]float64, d)
			}
			k := 1 + d
			for i := range d {
				for j := range i + 1 {
					r.curvature[f][i][j], r.curvature[f][j][i] = q[k], q[k]
					k++
				}
			}
		}
	}
	return r
}

// quadratics returns the columns of a quadratic fit: 1, z_i, and z_i·z_j for j ≤ i. If i = j, 1 is
// subtracted.
func quadratics(z [][]float64, n int) [][]float64 {
	d := len(z)
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	out := append(make([][]float64, 0, 1+d+d*(d+1)/2), ones)
	out = append(out, z...)
	buf := make([]float64, n*d*(d+1)/2)
	for i := range d {
		for j := range i + 1 {
			p := buf[:n]
			buf = buf[n:]
			for k := range p {
				p[k] = z[i][k] * z[j][k]
				if i == j {
					p[k]--
				}
			}
			out = append(out, p)
		}
	}
	return out
}

// cholesky is the Cholesky factor L of the Gram matrix A'A/n + λ·I, by rows of its lower triangle.
type cholesky [][]float64

// factor returns the Cholesky factor for the columns a and λ = ridge.
func factor(a [][]float64, ridge float64) cholesky {
	m, n := len(a), float64(max(1, len(a[0])))
	l := make(cholesky, m)
	buf := make([]float64, m*m)
	for i := range l {
		l[i] = buf[i*m : i*m+i+1]
		for j := range i + 1 {
			v := dot(a[i], a[j]) / n
			if i == j {
				v += ridge
			}
			for k := range j {
				v -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][j] = math.Sqrt(math.Max(v, ridge/2))
			} else {
				l[i][j] = v / l[j][j]
			}
		}
	}
	return l
}

// solve returns the coefficients of the ridge regression of y on the columns a.
func (l cholesky) solve(a [][]float64, y []float64) []float64 {
	m, n := len(a), float64(max(1, len(y)))
	b := make([]float64, m)
	for i := range b {
		v := dot(a[i], y) / n
		for k := range i {
			v -= l[i][k] * b[k]
		}
		b[i] = v / l[i][i]
	}
	for i := m - 1; i >= 0; i-- {
		v := b[i]
		for k := i + 1; k < m; k++ {
			v -= l[k][i] * b[k]
		}
		b[i] = v / l[i][i]
	}
	return b
}

// residuals returns y - a·b, where a is a list of columns.
func residuals(a [][]float64, b, y []float64) []float64 {
	r := make([]float64, len(y))
	copy(r, y)
	for j, c := range a {
		if w := b[j]; w != 0 {
			for i, v := range c {
				r[i] -= w * v
			}
		}
	}
	return r
}

// left returns log₁₀(Σr²/Σy² + 10⁻¹⁰)/4, or 0 if y is zero.
func left(r, y []float64) float64 {
	rr, yy := dot(r, r), dot(y, y)
	if yy == 0 {
		return 0
	}
	return math.Log10(rr/yy+1e-10) / 4
}

// dot returns the scalar product.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
