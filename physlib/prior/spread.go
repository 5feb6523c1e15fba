package prior

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// spreads reports whether t has a power of a product or of a power: the same law has another
// skeleton when its powers are taken factor by factor, as sqrt(x0**3/x1) and x0**(3/2)/sqrt(x1).
func spreads(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		base := i - 1
		switch n.Op {
		case expr.Sqrt, expr.Square, expr.Cube:
		case expr.Pow:
			if nodes[i-1].Op != expr.Number {
				continue
			}
			base = i - 2
		default:
			continue
		}
		switch nodes[base].Op {
		case expr.Mul, expr.Div, expr.Pow, expr.Sqrt, expr.Square, expr.Cube, expr.Inv:
			return true
		}
	}
	return false
}

// spreadHash is the skeleton of t with the powers of its products taken factor by factor.
func spreadHash(t expr.Tree) uint64 { return skeleton.Hash(spread(t).MergeParams()) }

func spread(t expr.Tree) expr.Tree {
	args := t.Args()
	for i := range args {
		args[i] = spread(args[i])
	}
	switch op := t.Root(); op {
	case expr.Sqrt:
		return powered(args[0], 0.5)
	case expr.Square:
		return powered(args[0], 2)
	case expr.Cube:
		return powered(args[0], 3)
	case expr.Pow:
		if args[1].Root() == expr.Number {
			return powered(args[0], args[1].Nodes()[0].Value)
		}
	}
	if len(args) == 0 {
		return t
	}
	return expr.Apply(t.Root(), args...)
}

// powered is t to the power e, factor by factor.
func powered(t expr.Tree, e float64) expr.Tree {
	args := t.Args()
	switch t.Root() {
	case expr.Param: // any power of a free constant is one
		return t
	case expr.Number:
		if p := math.Pow(t.Nodes()[0].Value, e); !math.IsNaN(p) {
			return expr.Num(p)
		}
	case expr.Mul:
		return expr.Apply(expr.Mul, powered(args[0], e), powered(args[1], e))
	case expr.Div:
		return expr.Apply(expr.Div, powered(args[0], e), powered(args[1], e))
	case expr.Inv:
		return expr.Apply(expr.Inv, powered(args[0], e))
	case expr.Sqrt:
		return powered(args[0], e/2)
	case expr.Square:
		return powered(args[0], 2*e)
	case expr.Cube:
		return powered(args[0], 3*e)
	case expr.Pow:
		if args[1].Root() == expr.Number {
			return powered(args[0], e*args[1].Nodes()[0].Value)
		}
	}
	return expr.Apply(expr.Pow, t, expr.Num(e))
}
