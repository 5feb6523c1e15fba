package survey

import (
	"cmp"
	"context"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Prior gives −log₂ of the prior probability of a form in the given number of variables, in bits;
// see mdl.Prior.
type Prior interface {
	Bits(t expr.Tree, vars int) float64
}

// KnownForms is an optional interface of a Prior. Its method returns forms in at most the given
// number of variables, such as those of known laws. An enumeration then starts from these forms as
// well.
type KnownForms interface {
	KnownForms(vars int) []expr.Tree
}

// Form is an expression whose numbers are free constants, with its prior probability.
type Form struct {
	Tree expr.Tree // free constants start at 1
	Bits float64   // −log₂ of its prior probability
	hash uint64

	// extended: the form was combined with the unary operators; paired: it was combined with the
	// other most likely forms.
	extended, paired bool
}

// Size limits an enumeration.
type Size struct {
	Forms     int // largest number of forms returned
	Operands  int // number of the most likely forms that each iteration combines in pairs
	Rounds    int // number of iterations
	Constants int // largest number of free constants in a form
	Nodes     int // largest number of nodes in a form
}

// Default returns the size of an enumeration for the given number of variables.
func Default(vars int) Size {
	switch vars {
	case 1:
		return Size{Forms: 12000, Operands: 110, Rounds: 4, Constants: 4, Nodes: 19}
	case 2:
		return Size{Forms: 12000, Operands: 110, Rounds: 4, Constants: 4, Nodes: 17}
	}
	return Size{Forms: 8000, Operands: 90, Rounds: 4, Constants: 4, Nodes: 17}
}

var unary = []expr.Op{expr.Exp, expr.Log, expr.Sqrt, expr.Inv, expr.Square, expr.Sin, expr.Cos, expr.Cube, expr.Tanh}

// Enumerate returns forms in at most the given number of variables, the most likely first. If ctx
// ends, it returns the forms found so far.
func Enumerate(ctx context.Context, p Prior, vars int, size Size) []Form {
	e := enumeration{prior: p, vars: vars, size: size, seen: map[uint64]struct{}{}}
	for v := range vars {
		e.add(expr.X(v))
	}
	e.add(expr.C(0, 1))
	if s, ok := p.(KnownForms); ok {
		for _, t := range s.KnownForms(vars) {
			e.add(t)
		}
	}
	for range size.Rounds {
		e.round(ctx)
	}
	return e.forms
}

type enumeration struct {
	prior Prior
	vars  int
	size  Size
	seen  map[uint64]struct{}
	forms []Form
}

// unlikely is the number of bits above which a form is discarded.
const unlikely = 36

// add adds the form of t, with its constants merged, if it is new and within the limits.
func (e *enumeration) add(t expr.Tree) {
	if t.NumParams() > e.size.Constants+1 || t.Len() > e.size.Nodes+4 {
		return
	}
	t = t.MergeParams()
	if t.NumParams() > e.size.Constants || t.Len() > e.size.Nodes {
		return
	}
	h := skeleton.Hash(t)
	if _, known := e.seen[h]; known {
		return
	}
	e.seen[h] = struct{}{}
	bits := e.prior.Bits(t, e.vars)
	if !(bits < unlikely) {
		return
	}
	t = t.WithStarts(slices.Repeat([]float64{1}, t.NumParams()))
	e.forms = append(e.forms, Form{Tree: t, Bits: bits, hash: h})
}

// round combines the most likely forms found so far with all operators, until ctx ends.
func (e *enumeration) round(ctx context.Context) {
	e.sort()
	base := slices.Clone(e.forms[:min(len(e.forms), e.size.Operands)])
	for i := range min(len(e.forms), 4*e.size.Operands) {
		if e.forms[i].extended {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		e.forms[i].extended = true
		a := e.forms[i]
		for _, op := range unary {
			e.add(expr.Apply(op, a.Tree))
		}
		k := a.Tree.NumParams()
		e.add(expr.Apply(expr.Pow, a.Tree, expr.C(k, 1)))
		e.add(expr.Apply(expr.Mul, expr.C(k, 1), a.Tree))
		e.add(expr.Apply(expr.Add, expr.C(k, 1), a.Tree))
		e.add(expr.Apply(expr.Add, expr.Num(1), a.Tree))
		e.add(expr.Apply(expr.Sub, expr.Num(1), a.Tree))
	}
	for i, a := range base {
		for j := 0; j <= i; j++ {
			if (i+1)*(j+1) > 8*e.size.Operands || ctx.Err() != nil { // together, the two forms are too unlikely
				break
			}
			if a.paired && base[j].paired {
				continue
			}
			b := base[j].Tree.ShiftParams(a.Tree.NumParams())
			e.add(expr.Apply(expr.Add, a.Tree, b))
			e.add(expr.Apply(expr.Mul, a.Tree, b))
			e.add(expr.Apply(expr.Div, a.Tree, b))
			e.add(expr.Apply(expr.Div, b, a.Tree))
			e.add(expr.Apply(expr.Sub, a.Tree, b))
		}
	}
	for i := range base {
		// The list base has the same indices as e.forms, since add only appends forms.
		e.forms[i].paired = true
	}
	e.sort()
	if len(e.forms) > e.size.Forms {
		e.forms = e.forms[:e.size.Forms]
	}
}

func (e *enumeration) sort() {
	slices.SortFunc(e.forms, func(a, b Form) int {
		return cmp.Or(cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.Tree.Len(), b.Tree.Len()), cmp.Compare(a.hash, b.hash))
	})
}
