package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
	"gonum.org/v1/gonum/floats"
)

// tuner fits the inner constants of trees by Levenberg–Marquardt steps. The residual is that of
// linear scaling. The derivatives are made orthogonal to the terms (variable projection after
// Kaufman, BIT 15, 1975). Package fit takes the same kind of steps for final results, and also
// calculates standard errors and tries several starting values. Here only a few steps are read as
// each tree, and buffers are reused.
type tuner struct {
	*scaler
	jac   [][]float64 // projected derivative of the weighted law with respect to each free constant
	where []int       // index of the node of each free constant
	res   []float64
	old   []float64

	tangents qr.Triangle // QR factorization of jac and res
	damped   qr.Damped
}

func newTuner(c *scaler) *tuner { return &tuner{scaler: c, res: make([]float64, len(c.rest))} }

// tune improves the free constants in nodes, in place, and returns the new fitness. It takes at
// most the given number of steps, and each step lowers the fitness. When tune returns, the last
// call of nmse has evaluated the new nodes.
func (t *tuner) tune(nodes []expr.Node, steps int) float64 {
	now := t.nmse(nodes)
	t.where = t.where[:0]
	for i, n := range nodes {
		if n.Op == expr.Param {
			t.where = append(t.where, i)
		}
	}
	k := len(t.where)
	if k == 0 || math.IsInf(now, 1) || k > maxConstants || k+len(t.list) >= t.s.rows {
		return now
	}
	for len(t.jac) < k {
		t.jac = append(t.jac, make([]float64, t.rows))
	}
	lambda := 1e-2
	for range steps {
		if now < 1e-28 {
			break
		}
		t.jacobian(nodes)
		next, ok := t.step(nodes, now, &lambda)
		if !ok {
			t.nmse(nodes)
			break
		}
		gain := 1 - next/now
		now = next
		if gain < 1e-4 {
			break
		}
	}
	return now
}

const (
	maxConstants = 12 // largest number of free constants of a law, without the linear ones
	// A step is evaluated only if it is expected to lower the fitness by at least this fraction.
	idleFall = 1e-12
)

// jacobian fills jac and res for nodes. The last call of nmse must have evaluated nodes.
func (t *tuner) jacobian(nodes []expr.Node) {
	for j, s := range t.list {
		if t.live[s.to-1] {
			t.differentiate(nodes, s.from, s.to, t.coef[j+1], false)
		}
	}
	copy(t.res, t.rest)
	for k, i := range t.where {
		d, a := t.jac[k], t.adj[i]
		for r, w := range t.s.root {
			d[r] = w * a[r]
		}
		for _, q := range t.basis {
			floats.AddScaled(d, -floats.Dot(q, d), q)
		}
	}
}

// step changes the constants by one Levenberg–Marquardt step that lowers the fitness. If there is
// no such step, ok is false and nodes are unchanged.
func (t *tuner) step(nodes []expr.Node, now float64, lambda *float64) (next float64, ok bool) {
	t.tangents.Factor(append(t.jac[:len(t.where):len(t.where)], t.res))
	t.damped.Reset(len(t.where))
	t.damped.Take(&t.tangents, 0)
	t.old = t.old[:0]
	for _, i := range t.where {
		t.old = append(t.old, nodes[i].Value)
	}
	for range 6 {
		if fall := t.damped.Solve(*lambda); !(fall > idleFall*now*t.s.total) {
			break
		}
		for c, i := range t.where {
			nodes[i].Value = t.old[c] + t.damped.Delta[c]
		}
		if next = t.nmse(nodes); next < now {
			*lambda = max(*lambda/8, 1e-12)
			return next, true
		}
		*lambda *= 6
	}
	for c, i := range t.where {
		nodes[i].Value = t.old[c]
	}
	return now, false
}
