package prior

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/unit"
)

// An Example is a form on which a model is trained.
type Example struct {
	Law, Field string    // the law with this form, and its field
	Tree       expr.Tree // in canonical form
	Vars       int       // number of columns in the form
	// Weight of the form; the weights of the forms of a law should add up to 1, or to less for a
	// rare law.
	Weight float64
	Hash   uint64 // hash of its skeleton, which Train sets
	// Hash of the skeleton after powers of products are distributed over the factors; 0: the
	// skeleton does not change.
	spread uint64
	Kinds  []Kind // kinds of the form's columns, in no particular order
	Target Kind
	Whole  uint64 // hash of the law in which all quantities vary (see Hashes)
}

// wholeWeight is the weight of the form of a law in which all parameters and constants of nature
// are also variables. Tables of benchmarks have such forms.
const wholeWeight = 0.1

// scaledShare is the share of forms with a further factor (see scaled) among the experimental forms
// of a dimensionless law. A fraction or a relative value is often measured as a signal in other
// units: the fraction of bound ligand, for example, as a fluorescence.
const scaledShare = 0.2

// Examples returns the forms of laws. Each law has its experimental forms and the form in which all
// quantities vary. If its target is dimensionless, it also has the experimental forms with a
// further factor (see scaled). The weights of the forms of a law add up to 1, or to rareWeight for
// a rare law. An error names the law.
func Examples(entries []corpus.Entry) ([]Example, error) {
	var examples []Example
	for _, e := range entries {
		forms, err := e.Forms()
		if err != nil {
			return nil, err
		}
		whole, err := e.Whole()
		if err != nil {
			return nil, err
		}
		target, err := kind(e.Target)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		x := Example{Target: target, Law: e.Name, Field: e.Field, Whole: skeleton.Hash(freeNumbers(whole.Tree))}
		weight := 1.0
		if e.Rare {
			weight = rareWeight
		}
		var more []Example // with a further factor
		for _, f := range forms {
			x.Tree, x.Vars, x.Hash = f.Tree, len(f.Vars), f.Hash
			x.Weight = weight * (1 - wholeWeight) * f.Share
			if x.Kinds, err = kinds(f.Vars); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			if y, ok := scaled(x); ok {
				x.Weight -= y.Weight
				more = append(more, y)
			}
			examples = append(examples, x)
		}
		x.Tree, x.Vars, x.Hash, x.Weight = whole.Tree, len(whole.Vars), whole.Hash, weight*wholeWeight
		if x.Kinds, err = kinds(whole.Vars); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		examples = append(append(examples, x), more...)
	}
	return examples, nil
}

// scaled returns the example with a further factor, a free constant. ok is false if the target of x
// has a dimension, or if x has such a factor already.
func scaled(x Example) (y Example, ok bool) {
	if x.Target.Dimension != "1" {
		return y, false
	}
	y = x
	y.Tree = build.Mul(expr.C(x.Tree.NumParams(), 1), x.Tree).MergeParams()
	y.Hash, y.Weight, y.Target = skeleton.Hash(y.Tree), scaledShare*x.Weight, Kind{}
	return y, y.Hash != x.Hash
}

// kind returns the Kind of a quantity of the catalogue: its name and its dimension.
func kind(q corpus.Quantity) (Kind, error) {
	u, err := unit.Parse(q.Unit)
	if err != nil {
		return Kind{}, fmt.Errorf("quantity %s: %w", q.Name, err)
	}
	return Kind{q.Name, u.Dimension()}, nil
}

func kinds(qs []corpus.Quantity) ([]Kind, error) {
	out := make([]Kind, len(qs))
	for i, q := range qs {
		var err error
		if out[i], err = kind(q); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// freeNumbers returns t in canonical form, with its numbers replaced by free constants, which are
// merged. Exponents stay numbers.
func freeNumbers(t expr.Tree) expr.Tree {
	t, slot := t.Canonical(), int32(t.NumParams())
	nodes := t.Nodes()
	return t.MapLeaves(func(i int, n expr.Node) expr.Node {
		exponent := i+1 < len(nodes) && nodes[i+1].Op == expr.Pow
		if exponent || n.Op != expr.Number && n.Op != expr.Pi && n.Op != expr.Euler {
			return n
		}
		start := 1.0
		if n.Op == expr.Number {
			start = n.Value
		}
		slot++
		return expr.Node{Op: expr.Param, Index: slot - 1, Value: start}
	}).MergeParams()
}

// Hashes returns the hashes of the skeletons and functions of the laws in a suite. Each law is
// hashed with its numbers, and with free constants in place of them. A model that is tested on the
// suite must not be trained on forms with these hashes. An error names a law that cannot be parsed.
func Hashes(problems []corpus.Problem) (map[uint64]bool, error) {
	hashes := make(map[uint64]bool, 2*len(problems))
	for _, p := range problems {
		t, err := p.Tree()
		if err != nil {
			return nil, err
		}
		for _, form := range []expr.Tree{t, freeNumbers(t)} {
			hashes[skeleton.Hash(form)] = true
			for h := range reciprocalHashes(form) {
				hashes[h] = true
			}
			for h := range FunctionHashes(form.Canonical()) {
				hashes[h] = true
			}
		}
	}
	return hashes, nil
}

// Without returns the model trained on the catalogue without the laws of a suite (see Hashes).
func Without(problems []corpus.Problem) (*Model, error) {
	hashes, err := Hashes(problems)
	if err != nil {
		return nil, err
	}
	return Default().Except(func(hash uint64) bool { return hashes[hash] }), nil
}
