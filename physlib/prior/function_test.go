package prior

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
)

// The mixing temperature of two liquids, of which one has a fixed temperature, in several forms.
var mixing = []string{
	"(m1*c0 + m2*T2)/(m1 + m2)",
	"T2 - m1*(T2 - c0)/(m1 + m2)",
	"T2 - m1*(T2 + c0)/(m1 + m2)", // the constant is the negative of the fixed temperature
	"T2 + (c0 - T2)/(m2/m1 + 1)",
	"(c0 + T2*m2/m1)/(1 + m2/m1)",
}

func parsed(t *testing.T, text string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(text, []string{"m1", "m2", "T2"})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// All forms of a function have the few bits of a known form. Other functions do not.
func TestBitsOfFunction(t *testing.T) {
	m := Default()
	want := m.Bits(parsed(t, mixing[0]), 3)
	for _, text := range mixing {
		if got := m.Bits(parsed(t, text), 3); math.Abs(got-want) > 0.5 {
			t.Errorf("%s has %.1f bits, %s has %.1f", text, got, mixing[0], want)
		}
	}
	if other := m.Bits(parsed(t, "T2 - m1*(T2 - c0)/(m1 + 2*m2)"), 3); other < want+5 {
		t.Errorf("another function has %.1f bits", other)
	}
}

// A law of a suite is left out of the catalogue, even if the suite contains it in another form.
func TestWithoutFunction(t *testing.T) {
	law := corpus.Problem{Law: "T2 - m1*(T2 - 18)/(m1 + m2)", Vars: []corpus.Var{{Name: "m1"}, {Name: "m2"}, {Name: "T2"}}}
	m, err := Without([]corpus.Problem{law})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range mixing {
		if with, without := Default().Bits(parsed(t, text), 3), m.Bits(parsed(t, text), 3); without < with+5 {
			t.Errorf("%s has %.1f bits, %.1f without the law", text, with, without)
		}
	}
}

// A form with a constant that occurs twice has the bits of the catalogue's spelling, which has the
// reciprocal of the constant.
func TestReciprocalConstant(t *testing.T) {
	m := Default()
	for _, pair := range [][2]string{
		{"c0*(1/tanh(m1/c1) - c1/m1)", "c0*(1/tanh(c1*m1) - 1/(c1*m1))"},
	} {
		want, got := m.Bits(parsed(t, pair[0]), 1), m.Bits(parsed(t, pair[1]), 1)
		if math.Abs(got-want) > 0.5 {
			t.Errorf("%s has %.1f bits, %s has %.1f", pair[1], got, pair[0], want)
		}
		if names, _ := m.KnownLaws(parsed(t, pair[1])); len(names) == 0 {
			t.Errorf("%s has no name", pair[1])
		}
	}
}
