package knownform

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// propagate sets the standard errors of the parameters θ of f. It uses the covariance of the law's
// constants c. The law and f are the same function, so ∂f/∂θ·dθ = ∂f/∂c·dc in all rows. propagate
// returns false if the rows do not determine the parameters.
func (w wanted) propagate(f *Form) bool {
	k := len(f.Constants)
	_, grad := gradient(f.tree, w.cols, len(w.values), f.tree.Params())
	scale := make([]float64, k)
	for i, g := range grad {
		if scale[i] = mat.Norm(mat.NewVecDense(len(g), g), 2); !(scale[i] > 0) || math.IsInf(scale[i], 0) {
			return false
		}
	}
	theta := columns(grad, scale)
	var qr mat.QR
	qr.Factorize(theta)
	if len(w.values) < k || !(qr.Cond() < 1e10) {
		return false
	}
	if len(w.law.Cov) != k*k {
		return true
	}
	var change mat.Dense // ∂θ/∂c, multiplied by the scale of each parameter
	if qr.SolveTo(&change, false, columns(w.grad, nil)) != nil {
		return false
	}
	var half, cov mat.Dense
	half.Mul(&change, mat.NewDense(k, k, w.law.Cov))
	cov.Mul(&half, change.T())
	for a := range k {
		if v := cov.At(a, a); v >= 0 && !math.IsInf(v, 0) {
			f.Constants[a].StdErr = math.Sqrt(v) / scale[a]
		}
	}
	return true
}

// columns returns the matrix with the given columns. If scale is not nil, each column is divided by
// its scale.
func columns(cols [][]float64, scale []float64) *mat.Dense {
	m := mat.NewDense(len(cols[0]), len(cols), nil)
	for k, c := range cols {
		for i, v := range c {
			if scale != nil {
				v /= scale[k]
			}
			m.Set(i, k, v)
		}
	}
	return m
}
