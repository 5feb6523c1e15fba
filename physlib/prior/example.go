package prior

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/unit"
)

// An Example is a form to train on.
type Example struct {
	Law, Field string    // whose form it is
	Tree       expr.Tree // canonical
	Vars       int       // columns in it
	Weight     float64   // of the form; the forms of a law should add up to 1
	Hash       uint64    // of its skeleton; Train computes it
	spread     uint64    // of the skeleton with powers factor by factor; 0: the same
	Kinds      []Kind    // of the columns, in no order
	Target     Kind
	Whole      uint64 // of the law in which everything varies, see Hashes
}

// wholeWeight is the weight of the form of a law whose parameters and constants of nature vary as
// well, as in the tables of benchmarks.
const wholeWeight = 0.1

// Examples returns the forms of laws, each law weighing 1: its experimental forms, and that in
// which everything varies. An error names the law.
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
		for _, f := range forms {
			x.Tree, x.Vars, x.Hash = f.Tree, len(f.Vars), f.Hash
			x.Weight = (1 - wholeWeight) * f.Share
			if x.Kinds, err = kinds(f.Vars); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			examples = append(examples, x)
		}
		x.Tree, x.Vars, x.Hash, x.Weight = whole.Tree, len(whole.Vars), whole.Hash, wholeWeight
		if x.Kinds, err = kinds(whole.Vars); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		examples = append(examples, x)
	}
	return examples, nil
}

// kind returns what a quantity of the catalogue is.
func kind(q corpus.Quantity) (Kind, error) {
	u, err := unit.Parse(q.Unit)
	if err != nil {
		return Kind{}, fmt.Errorf("quantity %s: %w", q.Name, err)
	}
	return Kind{q.Name, DimensionOf(u)}, nil
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

// freeNumbers returns the canonical tree t with its numbers replaced by free constants and merged,
// except for exponents.
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

// Hashes returns the skeletons of the laws of a suite, with their numbers kept and with their
// numbers as free constants. A model must not be trained on them if it is measured on the suite. An
// error names the law that cannot be parsed.
func Hashes(problems []corpus.Problem) (map[uint64]bool, error) {
	hashes := make(map[uint64]bool, 2*len(problems))
	for _, p := range problems {
		t, err := p.Tree()
		if err != nil {
			return nil, err
		}
		hashes[skeleton.Hash(t)] = true
		hashes[skeleton.Hash(freeNumbers(t))] = true
	}
	return hashes, nil
}

// Without returns the model of the catalogue without the laws of a suite, see [Hashes].
func Without(problems []corpus.Problem) (*Model, error) {
	hashes, err := Hashes(problems)
	if err != nil {
		return nil, err
	}
	return Default().Except(func(hash uint64) bool { return hashes[hash] }), nil
}
