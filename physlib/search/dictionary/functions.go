package dictionary

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// The functions that the pool applies to its expressions.

// fn is a function f that the pool may apply as f(k·a), with its cost and the possible factors k.
type fn struct {
	op             expr.Op
	cost           int
	ks             []float64
	transcendental bool
	deep           bool // may be applied to an expression that has a transcendental function
	plain          int  // number of factors, at the beginning of ks, that cost nothing extra
}

// The factors k by which an argument may be multiplied. The first ones cost nothing (fn.plain).
var (
	one = []float64{1}
	// Factors in sines and cosines.
	angles = []float64{1, 2, 0.5, 2 * math.Pi, math.Pi, 0.5 / math.Pi}
	rates  = []float64{1, -1, 2, 0.5, 0.5 / math.Pi, -2, -0.5, -0.25} // factors in exponentials
)

// allFns lists the functions that are allowed. Rare functions are among them only if the user names
// them.
func allFns(allowed func(expr.Op) bool) []fn {
	var fs []fn
	for _, f := range []fn{
		{expr.Exp, 1, rates, true, false, 2},
		{expr.Sin, 1, angles, true, false, 1},
		{expr.Cos, 1, angles, true, false, 1},
		{expr.Sqrt, 1, one, false, true, 1},
		{expr.Log, 1, one, true, true, 1},
		{expr.Square, 1, one, false, true, 1},
		{expr.Inv, 1, one, false, true, 1},
		{expr.Tanh, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Sinh, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Cosh, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Tan, 2, []float64{1, 0.5}, true, false, 1},
		{expr.Asin, 3, one, true, true, 1},
		{expr.Acos, 3, one, true, true, 1},
		{expr.Atan, 2, one, true, true, 1},
	} {
		if allowed(f.op) {
			fs = append(fs, f)
		}
	}
	for op, o := range expr.Operators() {
		if o.Rare && o.Arity == 1 && allowed(op) {
			fs = append(fs, fn{op, 2, o.Factors, true, false, 1})
		}
	}
	return fs
}

// functions adds expressions f(k·a) of cost c. If products is true, only plain arguments a are used
// (see plainArgument). Otherwise only expressions a that are not plain are used, and f(k·a) costs
// one more.
func (p *Pool) functions(ctx context.Context, c int, products bool) {
	for _, f := range p.fns {
		for extra := f.cost; extra <= f.cost+1; extra++ {
			from := c - extra
			if !products {
				from--
			}
			if from < 1 {
				continue
			}
			ks := f.ks[:f.plain]
			if extra > f.cost {
				ks = f.ks[f.plain:]
			}
			for _, a := range p.levels[from] {
				if p.full || ctx.Err() != nil {
					return
				}
				switch {
				case p.plainArgument(a) != products:
				case p.nodes[a].shape == sum && products && (f.op == expr.Sin || f.op == expr.Cos):
					// All factors cost the same, since sin((a-b)/2) is as common as sin(a-b).
					if extra == f.cost {
						p.function(f, a, f.ks, c)
					}
				default:
					p.function(f, a, ks, c)
				}
			}
			if p.grid && products && extra > f.cost && f.transcendental && !f.deep {
				p.gridFunctions(f, c, from)
			}
		}
	}
}

// plainArgument reports whether expression a is a product of powers, or the sum or difference of
// two variables, as in the phase of a wave.
func (p *Pool) plainArgument(a int32) bool {
	n := p.nodes[a]
	return n.shape == leaf || n.shape == sum && n.cost == 3 && p.nodes[n.l].shape == leaf && p.nodes[n.r].shape == leaf
}

// function adds f(k·a) for each k of ks. It adds nothing if the composition equals a simpler
// expression or nests transcendental functions too deeply.
func (p *Pool) function(f fn, a int32, ks []float64, c int) {
	n := p.nodes[a]
	if n.transcendental && !f.deep {
		return
	}
	if f.transcendental && n.transcendental && n.shape == apply { // for example log(exp x) or asin(sin x)
		return
	}
	if n.shape == leaf && power(f.op) {
		return // the pool already has this power, as a leaf
	}
	if n.shape == apply && power(n.fn) && !f.transcendental {
		return
	}
	for _, k := range ks {
		v := p.Values(a)
		evaluate(f.op, p.tmp, v, k)
		p.add(node{shape: apply, fn: f.op, l: a, k: k, cost: int16(c), transcendental: f.transcendental || n.transcendental})
	}
}

// evaluate writes op(k·v) to dst.
func evaluate(op expr.Op, dst, v []float64, k float64) {
	f := op.Operator().F1
	for j, x := range v {
		dst[j] = f(k * x)
	}
}
