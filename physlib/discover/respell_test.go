package discover

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// After an interrupt, only the best law of a large table is rewritten in its usual form.
func TestRespellAfterInterrupt(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range slowFitRows {
		x := 1 + float64(i)/100
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, 2*x/(x+3)+0.01*float64(i%3))
	}
	tree, err := expr.Parse("x/(c0*x + c1)", []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, hurried := range []bool{false, true} {
		k := newRanking(task{t: table}, nil)
		s, ok := k.m.Scorer().Score(tree.WithStarts([]float64{0.5, 1.5}), mdl.Effort{Starts: 1, Final: true})
		if !ok {
			t.Fatal("the law has no fit")
		}
		list := k.respell(pace{hurried: hurried}, []ranked{newRanked(s, ""), newRanked(s, "")})
		for i, c := range list {
			if again := c.Tree.Hash() != s.Tree.Hash(); again != (i == 0 || !hurried) {
				t.Errorf("interrupted %v: law %d is rewritten %v", hurried, i, again)
			}
		}
	}
}

// A quotient gets the form without a fraction in its denominator.
func TestRespellQuotient(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 8 {
		x := 1 + float64(i)
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, 2*x/(x+3)+0.01*float64(i%3))
	}
	for _, law := range []string{"c0/(c1/x + 1)", "c0/(1/x + c1)"} {
		tree, err := expr.Parse(law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		k := newRanking(task{t: table}, nil)
		s, ok := k.m.Scorer().Score(tree, mdl.Effort{Starts: 1, Final: true})
		if !ok {
			t.Fatal("the law has no fit")
		}
		list := k.respell(pace{}, []ranked{newRanked(s, "")})
		if got := list[0].Tree.Infix([]string{"x"}); got != "c0*x/(x + c1)" {
			t.Errorf("%s is rewritten as %s", law, got)
		}
	}
}
