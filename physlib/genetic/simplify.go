package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// fold replaces each constant subtree by one free constant. It drops constant factors and addends
// of the terms at the root, since linear scaling supplies them. The result is empty if the law is
// constant.
func fold(nodes []expr.Node) []expr.Node {
	type part struct {
		from     int
		constant bool
		value    float64
	}
	var buf [64]part
	s := buf[:0]
	out := make([]expr.Node, 0, len(nodes))
	for _, n := range nodes {
		from := len(out)
		p := part{from: from}
		switch n.Op.Arity() {
		case 0:
			p.constant, p.value = n.Op != expr.Var, leafValue(n)
			out = append(out, n)
		case 1:
			p = s[len(s)-1]
			s = s[:len(s)-1]
			if inverse := len(out) - 1; !p.constant && cancels(out[inverse].Op, n.Op) {
				out = out[:inverse]
			} else {
				out = append(out, n)
			}
			if p.constant {
				p.value = n.Op.Operator().Apply(p.value, 0)
			}
		case 2:
			a, b := s[len(s)-2], s[len(s)-1]
			s = s[:len(s)-2]
			p = part{from: a.from, constant: a.constant && b.constant}
			if p.constant {
				p.value = n.Op.Operator().Apply(a.value, b.value)
			}
			switch plain := func(x part, v float64) bool { return x.constant && x.value == v }; {
			case plain(b, 0) && (n.Op == expr.Add || n.Op == expr.Sub), plain(b, 1) && (n.Op == expr.Mul || n.Op == expr.Div):
				out = out[:b.from] // x + 0, x * 1
			case plain(a, 0) && n.Op == expr.Add, plain(a, 1) && n.Op == expr.Mul: // 0 + x, 1 * x
				out = append(out[:a.from], out[b.from:]...)
			default:
				out = append(out, n)
			}
		}
		if p.constant && n.Op.Arity() > 0 {
			out = append(out[:p.from], expr.Node{Op: expr.Param, Value: p.value})
		}
		s = append(s, p)
	}
	if s[0].constant {
		return nil
	}
	return stripTerms(out)
}

// cancels reports whether outer undoes inner, as a logarithm undoes an exponential.
func cancels(inner, outer expr.Op) bool {
	return inner == outer && (outer == expr.Neg || outer == expr.Inv) ||
		inner == expr.Exp && outer == expr.Log || inner == expr.Log && outer == expr.Exp
}

// leafValue returns the value of a leaf that is not a column.
func leafValue(n expr.Node) float64 {
	switch n.Op {
	case expr.Pi:
		return math.Pi
	case expr.Euler:
		return math.E
	}
	return n.Value
}

// stripTerms drops constant terms, and the constant factors of other terms, since linear scaling
// supplies them.
func stripTerms(nodes []expr.Node) []expr.Node {
	list := terms(nodes, len(nodes))
	parts := make([][]expr.Node, 0, len(list))
	for _, s := range list {
		if t := stripFactor(nodes[s.from:s.to]); t != nil {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return sum(parts)
}

func stripFactor(t []expr.Node) []expr.Node {
	for {
		switch root := len(t) - 1; t[root].Op {
		case expr.Number, expr.Param, expr.Pi, expr.Euler:
			return nil
		case expr.Neg:
			t = t[:root]
			continue
		case expr.Mul, expr.Div:
			mid := expr.SubtreeStart(t, root-1)
			if isConst(t[mid:root]) {
				t = t[:mid]
				continue
			}
			if isConst(t[:mid]) {
				if t[root].Op == expr.Div {
					if root-mid == 1 || t[root-1].Op != expr.Inv {
						t = join(expr.Inv, t[mid:root])
						continue
					}
					t = t[mid : root-1]
					continue
				}
				t = t[mid:root]
				continue
			}
			return stripInner(t, mid, root)
		case expr.Inv: // 1/(c u) and 1/(-u) are 1/u up to a factor
			if u := stripFactor(t[:root]); len(u) > 0 && len(u) < root {
				return join(expr.Inv, u)
			}
		case expr.Abs, expr.Square, expr.Cube:
			op := t[root].Op
			if t[root-1].Op == expr.Neg {
				return join(op, t[:root-1])
			}
		}
		return t
	}
}

// stripInner drops constant factors of the operands of the product or quotient t.
func stripInner(t []expr.Node, mid, root int) []expr.Node {
	a, b := stripFactor(t[:mid]), stripFactor(t[mid:root])
	if a == nil || b == nil || len(a)+len(b)+1 == len(t) {
		return t
	}
	return join(t[root].Op, a, b)
}

func isConst(nodes []expr.Node) bool {
	return len(nodes) == 1 && nodes[0].Op != expr.Var
}
