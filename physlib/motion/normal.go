package motion

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// normal holds the normal equations of a step, for the constants and for the starting values of
// each window.
type normal struct {
	cost float64
	rss  []float64
	lost int
	c    *mat.SymDense // matrix, constants × constants
	g    []float64
	a    []*mat.SymDense // matrix of each window, start × start
	b    []*mat.Dense    // matrix of each window, start × constants
	h    [][]float64
}

// add adds one residual to the normal equations. jac holds its derivatives with respect to the nl
// starting values of window w, then to the constants.
func (m *normal) add(w int, r, weight float64, jac []float64, nl int) {
	a, b, c := m.a[w].RawSymmetric(), m.b[w].RawMatrix(), m.c.RawSymmetric()
	np := len(jac) - nl
	for i := range nl {
		by := weight * jac[i]
		floats.AddScaled(a.Data[i*a.Stride+i:i*a.Stride+nl], by, jac[i:nl])
		floats.AddScaled(b.Data[i*b.Stride:i*b.Stride+np], by, jac[nl:])
		m.h[w][i] += by * r
	}
	for i := range np {
		by := weight * jac[nl+i]
		floats.AddScaled(c.Data[i*c.Stride+i:i*c.Stride+np], by, jac[nl+i:])
		m.g[i] += by * r
	}
}

// solve returns the step with the damping lambda: dp for the constants, and dz for the starting
// values of each window.
func (s *shooter) solve(m *normal, lambda float64) (dp []float64, dz [][]float64, ok bool) {
	np, nl := len(m.g), len(s.live)
	c, g, chol, ok := s.reduced(m, lambda)
	if !ok {
		return nil, nil, false
	}
	dp = make([]float64, np)
	if np > 0 {
		for i := range np { // constants without effect stay fixed
			if !(m.c.At(i, i) > 0) {
				c.SetSym(i, i, 1)
			}
		}
		var ch mat.Cholesky
		if !ch.Factorize(c) {
			return nil, nil, false
		}
		v := mat.NewVecDense(np, nil)
		if ch.SolveVecTo(v, mat.NewVecDense(np, g)) != nil && v.IsEmpty() {
			return nil, nil, false
		}
		for i := range dp {
			dp[i] = v.AtVec(i)
		}
	}
	for w := range s.wins {
		rhs := mat.NewVecDense(nl, nil)
		for i := range nl {
			v := m.h[w][i]
			for k := range np {
				v -= m.b[w].At(i, k) * dp[k]
			}
			rhs.SetVec(i, v)
		}
		x := mat.NewVecDense(nl, nil)
		// The error is ignored, since a bad step is damped more in the next iteration.
		chol[w].SolveVecTo(x, rhs)
		dz = append(dz, slices.Clone(x.RawVector().Data))
	}
	return dp, dz, true
}

// reduced eliminates the starting values of the windows and returns the normal equations for the
// constants.
func (s *shooter) reduced(m *normal, lambda float64) (c *mat.SymDense, g []float64, chol []*mat.Cholesky, ok bool) {
	np, nl := len(m.g), len(s.live)
	c = mat.NewSymDense(max(np, 1), nil)
	c.CopySym(m.c)
	g = slices.Clone(m.g)
	for i := range np {
		c.SetSym(i, i, c.At(i, i)*(1+lambda))
	}
	for w := range s.wins {
		a := mat.NewSymDense(nl, nil)
		a.CopySym(m.a[w])
		for i := range nl {
			a.SetSym(i, i, a.At(i, i)*(1+lambda)+1e-12*math.Pow(s.d.scale[s.live[i]], -2))
		}
		ch := new(mat.Cholesky)
		if !ch.Factorize(a) {
			for i := range nl {
				a.SetSym(i, i, a.At(i, i)*(1+1e-6)+math.Pow(s.d.scale[s.live[i]], -2))
			}
			if !ch.Factorize(a) {
				return nil, nil, nil, false
			}
		}
		chol = append(chol, ch)
		if np == 0 {
			continue
		}
		var ab mat.Dense
		if ch.SolveTo(&ab, m.b[w]) != nil && ab.IsEmpty() {
			return nil, nil, nil, false
		}
		for i := range np {
			for k := i; k < np; k++ {
				v := 0.0
				for l := range nl {
					v += m.b[w].At(l, i) * ab.At(l, k)
				}
				c.SetSym(i, k, c.At(i, k)-v)
			}
			for l := range nl {
				g[i] -= ab.At(l, i) * m.h[w][l]
			}
		}
	}
	return c, g, chol, true
}
