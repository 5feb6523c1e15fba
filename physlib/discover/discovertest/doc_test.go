package discovertest_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/expr"
)

// lines is a minimal Proposer: c0 + c1·x for each column.
type lines struct{}

func (lines) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		for i := range p.Vars {
			line := expr.Apply(expr.Mul, expr.C(0, 1), expr.X(i))
			if ctx.Err() != nil || !yield(line, nil) {
				return
			}
		}
	}
}

func TestLines(t *testing.T) {
	discovertest.TestProposer(t, func() discover.Proposer { return lines{} })
	discovertest.TestOperators(t, func() discover.Proposer { return lines{} })
}

func TestDisallowed(t *testing.T) {
	for _, test := range []struct {
		law string
		ops []string
		bad bool
	}{
		{"c0*x/y - 2", []string{"+", "-", "*", "/"}, false},
		{"x**2/y**3", []string{"*", "/"}, false},
		{"x**2.5", []string{"*", "/"}, true},
		{"x**2.5", []string{"*", "sqrt"}, false},
		{"x**2.7", []string{"*", "sqrt"}, true},
		{"x**c0", []string{"*", "**"}, false},
		{"x**c0", []string{"*"}, true},
		{"1/x", []string{"*"}, true},
		{"sqrt(x)", []string{"+", "*"}, true},
		{"arcsin(x)", []string{"sin"}, true},
		{"arcsin(x)", []string{"arcsin"}, false},
		{"abs(x)", []string{"+"}, true},
		{"exp(x)", nil, true},
		{"x", nil, false},
	} {
		tree, err := expr.Parse(test.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if op, bad := discovertest.Disallowed(tree, test.ops); bad != test.bad {
			t.Errorf("%s with %v: disallowed %v (%s), want %v", test.law, test.ops, bad, op, test.bad)
		}
	}
}

func ExampleDisallowed() {
	law, _ := expr.Parse("exp(-t/tau)*x", []string{"t", "tau", "x"})
	for _, ops := range [][]string{{"+", "-", "*", "/"}, {"*", "/", "exp"}} {
		if op, bad := discovertest.Disallowed(law, ops); bad {
			fmt.Println(ops, "do not allow", op)
		} else {
			fmt.Println(ops, "allow it")
		}
	}
	// Output:
	// [+ - * /] do not allow exp
	// [* / exp] allow it
}
