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
		table := noisyRoot(test.offset)
		k := &ranking{m: mdl.New(table, survey.Catalogue(), true)}
		s := k.m.Scorer()
		var list []ranked
		for _, law := range []string{"c0*sqrt(x) + c1", "c0*sqrt(x)"} {
			tree, err := expr.Parse(law, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			c, ok := s.Score(tree, mdl.Effort{Final: true})
			if !ok {
				t.Fatalf("%s has no score", law)
			}
			if len(list) == 0 {
				c.Bits -= 1000 // as if its form were very likely
			} else {
				c.Bits = list[0].rankBits + 3
			}
			list = append(list, newRanked(c, ""))
		}
		if list = k.preferFewerConstants(list); list[0].Tree.Infix([]string{"x"}) != test.want {
			t.Errorf("with an offset of %g: %s", test.offset, list[0].Tree.Infix([]string{"x"}))
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
		k := newRanking(task{t: table}, nil)
		var list []ranked
		for i, law := range []string{"c0 + c1*x + c2*x**2", "c0 + c1*x**2"} {
			score := mdl.Score{Tree: mustLaw(law, []string{"x"}), RSS: 1, Size: 1, Bits: 10 + c.worse*float64(i)}
			list = append(list, newRanked(score, ""))
		}
		list = k.preferTestable(list)
		if got := list[0].Tree.NumParams(); got != c.want || list[0].rankBits != 10 {
			t.Errorf("%d rows, %g bits worse: the first law has %d constants and %g bits, want %d", c.rows, c.worse, got, list[0].rankBits, c.want)
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
	k := newRanking(task{t: table}, nil)
	s := k.m.Scorer()
	var list []ranked
	for i, law := range []string{"c0*x/(x + c1) + c2", "c0 - c1/(x + c2)", "c0*x/(x + c1)"} {
		c, ok := s.Score(mustLaw(law, []string{"x"}), mdl.Effort{Starts: 4, Final: true})
		if !ok {
			t.Fatalf("%s has no score", law)
		}
		c.Bits = k.nullBits - 100 + float64(i)
		list = append(list, newRanked(c, ""))
	}
	list = k.mergeEqual(list)
	if got := list[0].Tree.Infix([]string{"x"}); got != "c0 - c1/(x + c2)" || anyNearZero(list[0].Score) {
		t.Fatalf("%s is first, and its constants differ from zero: %t", got, !anyNearZero(list[0].Score))
	}
	if list = k.preferFewerConstants(list); list[0].Tree.NumParams() != 2 {
		t.Errorf("%s is first", list[0].Tree.Infix([]string{"x"}))
	}
}

// A law that has the first law as a special case, with a constant that is zero within its error, is
// no rival. One whose constant differs from zero stays where it is.
func TestRaiseSpareConstants(t *testing.T) {
	for _, test := range []struct {
		offset float64
		want   float64 // distance of the longer law after raiseSpareConstants, in bits
	}{{0, parsimonyBits}, {0.5, 1}} {
		table := noisyRoot(test.offset)
		k := newRanking(task{t: table}, nil)
		var list []ranked
		for i, law := range []string{"c0*sqrt(x)", "c0*sqrt(x) + c1"} {
			c, ok := k.m.Scorer().Score(mustLaw(law, []string{"x"}), mdl.Effort{Final: true})
			if !ok {
				t.Fatalf("%s has no score", law)
			}
			c.Bits = k.nullBits - 100 + float64(i)
			list = append(list, newRanked(c, ""))
		}
		if list = k.raiseSpareConstants(list); list[1].rankBits-list[0].rankBits != test.want {
			t.Errorf("with an offset of %g the longer law is %g bits longer, want %g", test.offset, list[1].rankBits-list[0].rankBits, test.want)
		}
	}
}

// Two forms of the same function are one law, also if their errors are described in different ways.
func TestMergeUnderOtherModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var x, y []float64
	for i := range 12 {
		v := float64(i)
		x, y = append(x, v), append(y, (9-8*math.Exp(-0.4*v))*(1+0.02*rng.NormFloat64()))
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	k := newRanking(task{t: table}, nil)
	s := k.m.Scorer()
	var list []ranked
	for i, law := range []string{"c0*(c1*(exp(c2*x) - 1) + 1)", "c0*exp(c1*x) + c2"} {
		model := []mdl.Errors{mdl.Proportional, mdl.Equal}[i]
		c, ok := s.Score(mustLaw(law, []string{"x"}), mdl.Effort{Starts: 4, Final: true})
		if !ok {
			t.Fatalf("%s has no score", law)
		}
		bits := c.Bits
		if c, ok = s.Refit(c.Tree.WithStarts(c.Params), model); !ok {
			t.Fatalf("%s has no fit", law)
		}
		c.Bits = bits + float64(i)
		list = append(list, newRanked(c, ""))
	}
	if list = k.mergeEqual(list); len(list) != 1 {
		t.Errorf("%d laws are left, %s and %s", len(list), list[0].Tree, list[1].Tree)
	}
}

// Forms that fit up to rounding errors of calculations are one law if they have the same columns.
func TestMergeExact(t *testing.T) {
	var x, z, y []float64
	for i := range 12 {
		v := 10 * float64(i+1)
		x, z, y = append(x, v), append(z, 3*v), append(y, 0.825*v-0.0025*v*v)
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}, {Name: "z", Values: z}}, Target: dataset.Column{Name: "y", Values: y}}
	k := newRanking(task{t: table}, nil)
	var list []ranked
	for _, law := range []string{"c0*x + c1*x**2", "c0*x*(1 - x/c1)", "c0*(x - c1)**2 + c2", "c0*z + c1*z**2"} {
		c, ok := k.m.Scorer().Score(mustLaw(law, []string{"x", "z"}), mdl.Effort{Starts: 8, Final: true})
		if !ok || !k.m.Calculated(c) {
			t.Fatalf("%s is not exact: %v", law, c)
		}
		list = append(list, newRanked(c, ""))
	}
	if list = k.mergeEqual(list); len(list) != 2 {
		t.Errorf("%d laws are left, want one of x and one of z", len(list))
	}
}

// noisyRoot is a table of 2*sqrt(x) + offset with errors of 0.05.
func noisyRoot(offset float64) *dataset.Table {
	rng := rand.New(rand.NewPCG(1, 2))
	var x, y []float64
	for i := range 20 {
		v := 1 + 0.5*float64(i)
		x, y = append(x, v), append(y, 2*math.Sqrt(v)+offset+0.05*rng.NormFloat64())
	}
	return &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
}
