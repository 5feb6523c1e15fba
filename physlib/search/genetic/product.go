package genetic

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/column"
)

// products looks up targets as C ∏ x_i^a_i g^p. The powers of all columns are found by least
// squares of the logarithms. g is the library entry whose logarithm explains most of the residual.
// All rows have equal weight.
type products struct {
	lib   *library
	rows  int         // of the library's, without padding
	vars  []int       // columns without a zero
	logs  [][]float64 // 1 and their logarithms
	basis [][]float64 // the same, orthonormal
	g     []int       // entries without a zero that are no such product themselves
	rest  [][]float64 // residual of the logarithm of each off the basis, of norm 1
	best  []match
	y     []float64
	left  []float64
}

func newProducts(lib *library, mat *material) *products {
	p := &products{lib: lib, rows: min(lib.rows, mat.fit.rows)}
	one := make([]float64, p.rows)
	for k := range one {
		one[k] = 1
	}
	p.extend(one)
	for _, v := range mat.vars[:min(len(mat.vars), 12, p.rows/3)] {
		if l := logarithm(nil, mat.fit.cols[v][:p.rows]); l != nil && p.extend(l) {
			p.vars = append(p.vars, v)
		}
	}
	for i := range lib.entries {
		l := logarithm(nil, lib.entries[i].value[:p.rows])
		if l == nil {
			continue
		}
		if n := p.off(l); n > 1e-6 {
			floats.Scale(1/n, l)
			p.g, p.rest = append(p.g, i), append(p.rest, l)
		}
	}
	return p
}

// clone returns a copy of p for another goroutine that shares all that does not change.
func (p *products) clone() *products {
	return &products{lib: p.lib, rows: p.rows, vars: p.vars, logs: p.logs, basis: p.basis, g: p.g, rest: p.rest,
		best: make([]match, 0, 3)}
}

// extend adds l to the basis unless it depends on the basis.
func (p *products) extend(l []float64) bool {
	q, ok := column.Independent(p.basis, l)
	if ok {
		p.logs, p.basis = append(p.logs, l), append(p.basis, q)
	}
	return ok
}

// off subtracts from l its projection on the basis and returns the norm of the residual.
func (p *products) off(l []float64) float64 {
	column.Orthogonalize(l, p.basis)
	return floats.Norm(l, 2)
}

// logarithm appends log|x| to dst[:0]. It returns nil if a value is 0 or invalid.
func logarithm(dst, x []float64) []float64 {
	dst = dst[:0]
	for _, v := range x {
		l := math.Log(math.Abs(v))
		if math.IsNaN(l) || math.IsInf(l, 0) {
			return nil
		}
		dst = append(dst, l)
	}
	return dst
}

// nearest returns a few products near target, with equal weight for all rows.
func (p *products) nearest(target []float64) (list [][]expr.Node) {
	y := logarithm(p.y, target[:p.rows])
	if y == nil {
		return nil
	}
	p.y = y
	p.left = append(p.left[:0], y...)
	all := floats.Norm(y, 2)
	norm := p.off(p.left)
	if nodes := p.write(nil, nil); nodes != nil {
		list = append(list, nodes)
	}
	if norm <= 1e-7*all {
		return list
	}
	p.best = p.best[:0]
	for k, i := range p.g {
		c := floats.Dot(p.left, p.rest[k]) / norm
		p.best = rank(p.best, match{entry: i, score: math.Log(max(1-c*c, 1e-12)) + 0.02*float64(p.lib.entries[i].price)})
	}
	for _, m := range p.best {
		e := &p.lib.entries[m.entry]
		if nodes := p.write(e.nodes, logarithm(nil, e.value[:p.rows])); nodes != nil {
			list = append(list, nodes)
		}
	}
	return list
}

// write fits y by the logarithms of the columns and of g, if any, and returns the product. It
// returns nil if an exponent is too large or there is none. Exponents near an integer or
// half-integer are rounded to it; others are to be fitted.
func (p *products) write(g []expr.Node, logG []float64) (nodes []expr.Node) {
	cols := p.logs
	if g != nil {
		cols = append(cols[:len(cols):len(cols)], logG)
	}
	a, _, _ := column.LeastSquares(cols, p.y)
	free := 0
	for i, e := range a[1:] {
		x := g
		if i < len(p.vars) {
			x = []expr.Node{{Op: expr.Var, Index: int32(p.vars[i])}}
		}
		half := math.Round(2*e) / 2
		if near := math.Abs(e - half); near < 0.06 && half == 0 {
			continue
		} else if near < 0.06 {
			e = half
		} else {
			free++
		}
		if !(math.Abs(e) <= 6) || free > 2 {
			return nil
		}
		f := power(x, e)
		switch {
		case nodes == nil:
			nodes = f
		case f[len(f)-1].Op == expr.Inv:
			nodes = join(expr.Div, nodes, f[:len(f)-1])
		default:
			nodes = join(expr.Mul, nodes, f)
		}
	}
	if nodes == nil {
		return nil
	}
	return scaled(nodes, math.Exp(a[0]))
}

// power returns x to the power e in its simplest form.
func power(x []expr.Node, e float64) []expr.Node {
	switch {
	case e == 1:
		return x
	case e == 0.5:
		return join(expr.Sqrt, x)
	case e == 2:
		return join(expr.Square, x)
	case e == 3:
		return join(expr.Cube, x)
	case e == 4:
		return join(expr.Square, join(expr.Square, x))
	case e == -0.5 || e < 0 && e == math.Trunc(e) && e >= -4:
		return join(expr.Inv, power(x, -e))
	case 2*e == math.Trunc(2*e):
		return join(expr.Pow, x, number(e))
	}
	return join(expr.Pow, x, param(e))
}
