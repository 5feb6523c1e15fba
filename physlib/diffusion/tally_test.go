package diffusion_test

import (
	"errors"
	"fmt"
	"testing"

	. "github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
	"github.com/physlib/lab/physlib/unit"
)

// written returns a function that decodes a sequence of the single token i to laws[i]. "" in laws
// stands for a sequence that is not a law.
func written(t testing.TB, laws ...string) func(ids []int32) (expr.Tree, error) {
	return func(ids []int32) (expr.Tree, error) {
		if laws[ids[0]] == "" {
			return expr.Tree{}, errors.New("no law")
		}
		tree, err := expr.Parse(laws[ids[0]], nil)
		if err != nil {
			t.Fatal(err)
		}
		return tree, nil
	}
}

func TestTally(t *testing.T) {
	y := Tally{Decode: written(t, "x0*x1", "x1*x0", "x0 + x1", "", "x0/(1/x1)")}
	for _, k := range []int32{2, 0, 1, 3, 3, 4, 0, 2} {
		e, first := y.Visit([]int32{k})
		if (e == nil) != (k == 3) || first != (e != nil && e.Visits == 1) {
			t.Errorf("visit of %d: %v %v", k, e, first)
		}
	}
	r := y.Ranked()
	if len(r) != 2 || r[0].Visits != 4 || r[0].Sequences != 3 || r[0].Tree.String() != "x0*x1" || r[0].First != 1 || r[1].Visits != 2 {
		t.Errorf("ranked %+v", r)
	}
	if y.Invalid != 2 || y.Sequences() != 5 {
		t.Errorf("%d invalid, %d sequences", y.Invalid, y.Sequences())
	}
	if (&Tally{}).Ranked() != nil {
		t.Error("an empty tally ranks something")
	}
}

// A law of wrong dimensions needs more visits to be chosen.
func TestTallyUnits(t *testing.T) {
	length, time := unit.Powers(0, 1), unit.Powers(0, 0, 1)
	u := Units{Vars: []unit.Dim{length, time}, Target: length.Div(time), TargetKnown: true}
	y := Tally{Decode: written(t, "x0 + x1", "x0/x1", "c0*x0"), Score: u.Score}
	for _, k := range []int32{0, 0, 0, 1, 2} {
		y.Visit([]int32{k})
	}
	r := y.Ranked()
	if len(r) != 3 || r[0].Tree.String() != "x0/x1" || r[0].Score != 1 || r[1].Score != 1 || r[2].Score > 0.2 {
		for _, e := range r {
			t.Errorf("%v: %d visits, score %v", e.Tree, e.Visits, e.Score)
		}
	}
	free := u
	free.TargetKnown = false
	x, _ := expr.Parse("x0*x1", nil)
	if s := free.Score(x); s != 1 {
		t.Errorf("with a free scale %v", s)
	}
	gentle := u
	gentle.Alpha = 0.1
	if a, b := gentle.Score(x), u.Score(x); a <= b {
		t.Errorf("α = 0.1: %v, α = 1: %v", a, b)
	}
	unknown := Units{Vars: []unit.Dim{{}, time}, Known: []bool{false, true}, Target: length, TargetKnown: true}
	if s := unknown.Score(x); s != 1 {
		t.Errorf("with a column of unknown unit %v", s)
	}
}

func ExampleTally() {
	v := token.Small()
	encode := func(law string) []int32 {
		tree, _ := expr.Parse(law, nil)
		ids, _ := v.Encode(tree)
		return ids
	}
	y := Tally{Decode: v.Decode}
	for _, law := range []string{"x0*x1**2", "x0/x1", "x1**2*x0", "x0/inv(x1**2)"} {
		y.Visit(encode(law))
	}
	for _, e := range y.Ranked() {
		fmt.Println(e.Visits, e.Tree)
	}
	// Output:
	// 3 x0*square(x1)
	// 1 x0/x1
}
