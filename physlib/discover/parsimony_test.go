package discover

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// If a constant does not differ from zero, the law without it ranks first, even if its form is less
// likely by some bits. A constant that is determined stays.
func TestSimplest(t *testing.T) {
	for _, test := range []struct {
		offset float64
		want   string
	}{{0, "c0*sqrt(x)"}, {0.5, "c0*sqrt(x) + c1"}} {
		rng := rand.New(rand.NewPCG(1, 2))
		var x, y []float64
		for i := range 20 {
			v := 1 + 0.5*float64(i)
			x, y = append(x, v), append(y, 2*math.Sqrt(v)+test.offset+0.05*rng.NormFloat64())
		}
		table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
		k := &ranking{m: mdl.New(table, survey.Catalogue(), true)}
		s := k.m.Scorer()
		for _, law := range []string{"c0*sqrt(x) + c1", "c0*sqrt(x)"} {
			tree, err := expr.Parse(law, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			c, ok := s.Score(tree, mdl.Effort{Final: true})
			if !ok {
				t.Fatalf("%s has no score", law)
			}
			if len(k.list) == 0 {
				c.Bits -= 1000 // as if its form were very likely
			} else {
				c.Bits = k.list[0].Bits + 3
			}
			one := ranked{Score: c}
			one.hasNearZero = anyNearZero(one) // as mergeEqual does
			k.list = append(k.list, one)
		}
		if k.preferFewerConstants(); k.list[0].Tree.Infix([]string{"x"}) != test.want {
			t.Errorf("with an offset of %g: %s", test.offset, k.list[0].Tree.Infix([]string{"x"}))
		}
	}
}

// A law with too many constants for the rows gives way to one that the rows can test, if both are
// about as likely.
func TestPreferTestable(t *testing.T) {
	for _, c := range []struct {
		rows  int
		worse float64 // bits by which the law with two constants is longer
		want  int     // constants of the first law
	}{{6, 1, 2}, {6, 5, 3}, {8, 1, 3}, {5, 1, 3}} {
		var x, y []float64
		for i := range c.rows {
			x, y = append(x, float64(i)), append(y, float64(i*i)+0.1*float64(i%2))
		}
		table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
		k := newRanking(table, Settings{})
		for i, law := range []string{"c0 + c1*x + c2*x**2", "c0 + c1*x**2"} {
			one := ranked{Score: mdl.Score{Tree: mustLaw(law, []string{"x"}), RSS: 1, Size: 1}}
			one.Bits = 10 + c.worse*float64(i)
			k.list = append(k.list, one)
		}
		k.preferTestable()
		if got := k.list[0].Tree.NumParams(); got != c.want || k.list[0].Bits != 10 {
			t.Errorf("%d rows, %g bits worse: the first law has %d constants and %g bits, want %d", c.rows, c.worse, got, k.list[0].Bits, c.want)
		}
	}
}

// A constant that differs from zero in one form of a law may be zero within its error in another
// form. An example is c0*x/(x + c1) + c2 = c0 + c2 - c0*c1/(x + c1). The special case without it
// still ranks first.
func TestNestedInOtherSpelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var x, y []float64
	for i := range 20 {
		v := 1 + 0.5*float64(i)
		x, y = append(x, v), append(y, 5*v/(v+3)+0.02*rng.NormFloat64())
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	k := newRanking(table, Settings{})
	s := k.m.Scorer()
	for i, law := range []string{"c0*x/(x + c1) + c2", "c0 - c1/(x + c2)", "c0*x/(x + c1)"} {
		c, ok := s.Score(mustLaw(law, []string{"x"}), mdl.Effort{Starts: 4, Final: true})
		if !ok {
			t.Fatalf("%s has no score", law)
		}
		c.Bits = k.constantBits - 100 + float64(i)
		k.list = append(k.list, ranked{Score: c})
	}
	k.mergeEqual()
	if got := k.list[0].Tree.Infix([]string{"x"}); got != "c0 - c1/(x + c2)" || anyNearZero(k.list[0]) {
		t.Fatalf("%s is first, and its constants differ from zero: %t", got, !anyNearZero(k.list[0]))
	}
	if k.preferFewerConstants(); k.list[0].Tree.NumParams() != 2 {
		t.Errorf("%s is first", k.list[0].Tree.Infix([]string{"x"}))
	}
}
