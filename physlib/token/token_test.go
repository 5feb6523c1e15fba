package token

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestEncode(t *testing.T) {
	for _, test := range []struct {
		v        *Vocabulary
		in, want string
	}{
		// the seed's examples, PhysDiffuse §6
		{PhysDiffuse(), "x0*x1", "mul x_0 x_1"},
		{PhysDiffuse(), "1/2*x0*x1**2", "mul mul half x_0 pow x_1 int_2"},
		{PhysDiffuse(), "c0*x0*x1/x2**2", "div mul mul c_0 x_0 x_1 pow x_2 int_2"},
		// numbers
		{PhysDiffuse(), "3.14", "d_3 d_dot d_1 int_4"},
		{PhysDiffuse(), "17", "d_1 d_7 d_dot int_0"},
		{PhysDiffuse(), "-0.07", "d_neg d_dot d_0 d_7 int_0"},
		{PhysMDT(), "9.81", "10 -19 ."},
		{PhysMDT(), "6.674", "7 -33 40 . ."},
		{PhysMDT(), "981", "20 49 * 1 +"},
		{PARR(), "6.67e-11", "E-8 E-4 E-1 d_6 d_6 int_7"},
		// postfix
		{PhysMDT(), "(x0+x1)*x2", "x1 x2 + x3 *"},
		{PhysMDT(), "x0**2", "x1 2 ^"},
		{PhysMDT(), "-x0", "-1 x1 *"},
		// functions in place of powers
		{Small(), "x0**2", "sq x_0"},
		{Small(), "x0**(3/2)", "cube sqrt x_0"},
		{Small(), "x0**(-2)", "inv sq x_0"},
		{Small(), "x0**(2/3)", "pow x_0 div int_2 int_3"},
		{Small(), "c0*exp(c1*x0)", "mul c_0 exp mul c_0 x_0"},
	} {
		tree, err := expr.Parse(test.in, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := test.v.Encode(tree)
		if err != nil {
			t.Errorf("%s %s: %v", test.v.Name(), test.in, err)
			continue
		}
		if got := names(test.v, ids); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.v.Name(), test.in, got, test.want)
		}
		back, err := test.v.Decode(ids)
		if err != nil {
			t.Errorf("%s %s: %v", test.v.Name(), test.want, err)
			continue
		}
		if got, want := back.Canonical().String(), tree.Canonical().String(); got != want {
			t.Errorf("%s %s: got back %s, want %s", test.v.Name(), test.in, got, want)
		}
	}
}

func names(v *Vocabulary, ids []int32) string {
	s := ""
	for i, id := range ids {
		if i > 0 {
			s += " "
		}
		s += v.Token(id)
	}
	return s
}
