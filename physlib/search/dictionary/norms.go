package dictionary

import (
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/view"
)

// Squares of distances: x² + y² and (x - u)² + (y - v)², and the same with three coordinates.

// norms adds sums and differences of two squares, and sums of three squares. At cost 3, all squares
// are squares of variables. At cost 4, at least one square is that of a difference of two
// variables. So the pool contains the distances between points given by coordinates, even if the
// number of other expressions reaches its limit.
func (p *Pool) norms(c int) {
	if p.grid || c != 3 && c != 4 {
		return
	}
	var squares []length
	for _, a := range p.levels[2] {
		if n := p.nodes[a]; n.shape == leaf && p.monos[n.l].IsSquare() {
			squares = append(squares, length{a, p.monos[n.l]})
		}
	}
	if len(squares) > maxNormed {
		return
	}
	plain := len(squares)
	if c == 4 {
		for _, a := range p.levels[3] {
			n := p.nodes[a]
			if n.shape != sum || n.k != -1 || !p.single(n.l) || !p.single(n.r) {
				continue
			}
			evaluate(expr.Square, p.tmp, p.Values(a), 1)
			if id, ok := p.add(node{shape: apply, fn: expr.Square, l: a, k: 1, cost: int16(c)}); ok {
				squares = append(squares, length{id, p.monos[p.nodes[n.l].l].Plus(p.monos[p.nodes[n.r].l], 1, 1)})
			}
		}
	}
	for i, a := range squares {
		if c == 4 && i < plain {
			continue
		}
		for j, b := range squares[:i] {
			if !a.apart(b) {
				continue
			}
			p.plus(a.id, b.id, -1, c)
			both, ok := p.plus(b.id, a.id, 1, c)
			if !ok {
				continue
			}
			for _, d := range squares[:j] {
				if d.apart(a) && d.apart(b) {
					p.plus(both, d.id, 1, c)
				}
			}
		}
	}
}

// maxNormed is the largest number of variables for which norms adds expressions.
const maxNormed = 8

// length is the square of a variable or of a difference of two variables. id is its node in the
// pool, and of is the product of these variables.
type length struct {
	id int32
	of view.Monomial
}

// apart reports whether s and o have no variable in common.
func (s length) apart(o length) bool {
	for i, e := range s.of {
		if e != 0 && o.of[i] != 0 {
			return false
		}
	}
	return true
}

// single reports whether node i is one variable.
func (p *Pool) single(i int32) bool {
	n := p.nodes[i]
	return n.shape == leaf && p.monos[n.l].IsVariable()
}
