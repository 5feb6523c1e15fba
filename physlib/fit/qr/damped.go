package qr

import "math"

// Damped is the linear least-squares problem |J·δ - r| of a Levenberg–Marquardt step. From one
// factorization of J, it finds the step δ for any damping, as in J. J. Moré, Lecture Notes in
// Mathematics 630 (1978) 105. The zero value is ready to use after Reset.
type Damped struct {
	R, Z  []float64 // factor R of J, by columns, and Z = Qᵀr
	Scale []float64 // diagonal of the matrix D: for each column of J, the largest length so far
	Delta []float64 // the most recent solution

	columns [][]float64
	damped  Triangle
	mem     []float64
}

// Reset allocates memory for n constants and clears Scale.
func (d *Damped) Reset(n int) {
	d.R, d.Z = grow(d.R, n*n), grow(d.Z, n)
	d.Scale, d.Delta = grow(d.Scale, n), grow(d.Delta, n)
	d.mem = grow(d.mem, (n+1)*2*n)
	d.columns = d.columns[:0]
	for i := range n + 1 {
		d.columns = append(d.columns, d.mem[i*2*n:(i+1)*2*n])
	}
	clear(d.Scale)
}

func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// Take copies J and r from the factor of [A | J | r]. The parameter from is the number of columns
// of A. J and r are projected onto the orthogonal complement of A. Take updates Scale.
func (d *Damped) Take(t *Triangle, from int) {
	n := len(d.Z)
	at := func(j int) []float64 { return t.R[(from+j)*t.N+from:][:n] }
	for j := range n {
		copy(d.R[j*n:j*n+n], at(j))
		d.Scale[j] = max(d.Scale[j], Norm(d.R[j*n:j*n+j+1]))
	}
	copy(d.Z, at(n))
}

// Solve sets Delta to the δ that minimizes |J·δ - r|² + µ|D·δ|². It returns by how much this δ
// decreases |J·δ - r|².
func (d *Damped) Solve(mu float64) (fall float64) {
	n := len(d.Z)
	root := math.Sqrt(mu)
	for j, c := range d.columns[:n] {
		copy(c[:n], d.R[j*n:j*n+n])
		clear(c[n:])
		c[n+j] = root * d.Scale[j]
		if d.Scale[j] == 0 {
			c[n+j] = 1
		}
	}
	rhs := d.columns[n]
	copy(rhs[:n], d.Z)
	clear(rhs[n:])
	d.damped.Factor(d.columns)
	d.damped.Solve(d.Delta, n, n)
	before, after := 0.0, 0.0
	for i := range n {
		s := -d.Z[i]
		for j := i; j < n; j++ {
			s += d.R[j*n+i] * d.Delta[j]
		}
		before += d.Z[i] * d.Z[i]
		after += s * s
	}
	return max(before-after, 1e-300)
}
