package expr

import (
	"slices"
	"testing"
)

func TestDenominators(t *testing.T) {
	x, y := X(0), X(1)
	sum := Apply(Add, x, Num(3))
	for _, c := range []struct {
		tree Tree
		want []Tree
	}{
		{Apply(Mul, x, sum), nil},
		{Apply(Div, y, sum), []Tree{sum}},
		{Apply(Add, Apply(Inv, sum), Apply(Div, Num(1), y)), []Tree{sum, y}},
		{Apply(Pow, sum, Num(-3)), []Tree{Apply(Pow, sum, Num(3))}},
		{Apply(Pow, sum, Num(3)), nil},
		{Apply(Div, x, Apply(Tan, y)), []Tree{Apply(Cos, y), Apply(Tan, y)}},
	} {
		if got := c.tree.Denominators(); !slices.EqualFunc(got, c.want, Equal) {
			t.Errorf("%v: denominators %v, want %v", c.tree, got, c.want)
		}
	}
}
