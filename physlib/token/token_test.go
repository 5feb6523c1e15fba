package token

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestEncode(t *testing.T) {
	for _, test := range []struct {
		v        *Vocabulary
		in, want string
	}{
		// the examples of PhysDiffuse §6
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
		// postfix codes
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
		tree := parse(t, test.in)
		ids, err := test.v.Encode(tree)
		if err != nil {
			t.Errorf("%s %s: %v", test.v.Name(), test.in, err)
			continue
		}
		if got := test.v.Text(ids); got != test.want {
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

// The vocabularies agree with the tables of the papers, token by token.
func TestTables(t *testing.T) {
	for _, test := range []struct {
		v     *Vocabulary
		size  int
		names string // names of some of the tokens
	}{
		{PhysDiffuse(), 73, "0 add 12 inv 13 x_0 22 x_9 23 c_0 32 c_9 33 int_0 38 int_5 39 pi 40 e_const 41 half 43 quarter 44 d_0 54 d_dot 55 d_neg 56 <SOS> 59 <MASK> 60 reserved_0 72 reserved_12"},
		{Small(), 73, "0 add 59 <MASK> 60 sq 61 cube 62 arcsin 63 arccos 64 arctan 65 tan 66 sinh 67 cosh 68 tanh 69 reserved_9"},
		{PhysMDT(), 128, "0 PAD 1 BOS 2 EOS 3 MASK 4 + 8 ^ 13 log 14 exp 15 abs 16 x1 24 x9 25 π 26 e 27 -49 76 0 125 49 126 . 127 UNK"},
		{PARR(), 80, "0 <PAD> 3 <MASK> 4 add 8 pow 9 neg 25 tanh 26 x_0 36 c_0 46 pi 49 third 50 int_0 59 int_9 60 d_0 69 d_9 70 E-16 79 E16"},
	} {
		if test.v.Size() != test.size {
			t.Errorf("%s has %d tokens, want %d", test.v.Name(), test.v.Size(), test.size)
		}
		words := strings.Fields(test.names)
		for k := 0; k < len(words); k += 2 {
			want, _ := strconv.Atoi(words[k])
			if id, ok := test.v.ID(words[k+1]); !ok || int(id) != want || test.v.Token(id) != words[k+1] {
				t.Errorf("%s: %s is %d, want %d", test.v.Name(), words[k+1], id, want)
			}
		}
		for _, id := range []int32{test.v.Mask(), test.v.Pad(), test.v.SOS(), test.v.EOS(), -1, int32(test.size)} {
			if a := test.v.Arity(id); a != -1 {
				t.Errorf("%s: %s has arity %d", test.v.Name(), test.v.Token(id), a)
			}
		}
		if v, err := ByName(test.v.Name()); v != test.v {
			t.Errorf("ByName(%s): %v", test.v.Name(), err)
		}
		if test.v.Var(test.v.Vars()-1) < 0 || test.v.Var(test.v.Vars()) >= 0 || test.v.Var(-1) >= 0 {
			t.Errorf("%s: Var beyond %d columns", test.v.Name(), test.v.Vars())
		}
	}
	if _, err := ByName("sympy"); err == nil || !strings.Contains(err.Error(), "physmdt") {
		t.Errorf("ByName: got %v", err)
	}
}

func TestEncodeErrors(t *testing.T) {
	many := expr.C(0, 1)
	for i := 1; i < 12; i++ {
		many = expr.Apply(expr.Mul, many, expr.Apply(expr.Sin, expr.C(i, 1)))
	}
	for _, test := range []struct {
		v    *Vocabulary
		tree expr.Tree
		want string // parts of the error
	}{
		{PhysDiffuse(), expr.Tree{}, "empty"},
		{PhysDiffuse(), parse(t, "x0 + tan(x1/2)"), "tan(x1/2)|no token for tan|sin(u)/cos(u)"},
		{PhysDiffuse(), parse(t, "asin(x0)"), "asin(x0)|small"},
		{PhysMDT(), parse(t, "x9"), "x9|9 columns"},
		{PhysDiffuse(), many, "c10|10 free constants"},
		{Small(), parse(t, "7*x0"), "7|free constant"},
		{Small(), parse(t, "x0**7.5"), "exponent 7.5|free constant"},
		{Small(), parse(t, "c0*x0 + c0"), "c0|Unshare"},
		{PhysMDT(), expr.Num(math.Nextafter(0.3, 1)), "0.30000000000000004|free constant"},
		{PARR(), expr.Num(math.NaN()), "NaN"},
		{PhysDiffuse(), expr.Num(math.Inf(-1)), "-Inf"},
	} {
		ids, err := test.v.Encode(test.tree)
		if err == nil {
			t.Errorf("%s: %s became %s", test.v.Name(), test.tree, test.v.Text(ids))
			continue
		}
		for _, part := range strings.Split(test.want, "|") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", test.tree, err, part)
			}
		}
	}
	if ids, err := Small().Encode(parse(t, "c0*x0 + c0").UnshareParams()); err != nil || Small().Text(ids) != "add mul c_0 x_0 c_0" {
		t.Errorf("unshared: %s, %v", Small().Text(ids), err)
	}
}

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		v          *Vocabulary
		text, want string // want: the expression, or "!" and a part of the error
	}{
		{PhysDiffuse(), "<SOS> mul x_0 x_1 <EOS> <PAD> <PAD>", "x0*x1"},
		{PhysDiffuse(), "x_0 <PAD> <PAD>", "x0"},
		{PhysDiffuse(), "x_0 <EOS> ?", "x0"},
		{PhysDiffuse(), "mul c_3 c_3", "c3*c3"},
		{Small(), "mul c_0 c_0", "c0*c1"},
		{PhysMDT(), "UNK UNK *", "c0*c1"},
		{Small(), "neg third", "-1/3"},
		{Small(), "div int_2 int_3", "2/3"},
		// numbers
		{PhysDiffuse(), "d_neg d_1 d_2 d_dot d_3 int_4", "-12.34"},
		{PhysDiffuse(), "d_dot d_0 d_0 int_1", "0.001"},
		{PhysMDT(), "-3 14 .", "-2.86"},
		{PARR(), "E-1 d_1 int_2", "6/5"},
		{PARR(), "E16 E16 int_3", "3e32"},
		// digits followed by a token that is not part of a number
		{PhysDiffuse(), "d_3 x_0", "x0 + 30"},
		{PhysDiffuse(), "d_3 d_dot sin x_0", "sin(x0)/10 + 3"},
		{PhysDiffuse(), "d_neg x_0", "-x0"},
		{PhysMDT(), "x1 x2 .", "x0 + x1/100"},
		{PARR(), "E-2 x_0", "x0*0.01"},
		{PARR(), "d_0 x_0", "x0"},
		// errors
		{PhysDiffuse(), "", "!no tokens"},
		{PhysDiffuse(), "<SOS> <EOS>", "!no tokens"},
		{PhysDiffuse(), "mul x_0 ?", "!position 2 is still masked"},
		{PhysDiffuse(), "mul x_0", "!position 2: the expression is incomplete: missing operands: 1"},
		{PhysDiffuse(), "<SOS> mul x_0", "!position 3: the expression is incomplete: missing operands: 1"},
		{PhysDiffuse(), "x_0 x_1", "!position 1: x_1 follows the end"},
		{PhysDiffuse(), "sin reserved_3", "!position 1: reserved_3 is not part"},
		{Small(), "c_1", "!position 0: c_1 is not part"},
		{PhysMDT(), "x1 +", "!position 1: + takes 2 operands and there are 1"},
		{PhysMDT(), "x1 x2", "!position 1: after x2, 2 operands have no operator"},
	} {
		tree, err := test.v.Decode(ids(t, test.v, test.text))
		got := tree.String()
		if err != nil {
			got = "!" + err.Error()
		}
		if part, isError := strings.CutPrefix(test.want, "!"); isError && (err == nil || !strings.Contains(got, part)) || !isError && got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.v.Name(), test.text, got, test.want)
		}
	}
	if _, err := Small().Decode([]int32{73}); err == nil || !strings.Contains(err.Error(), "?73") {
		t.Errorf("token 73: got %v", err)
	}
}

func parse(t testing.TB, s string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func BenchmarkEncode(b *testing.B) {
	tree := parse(b, "c0*x0**2/sqrt(1 - x1**2/x2**2)")
	for b.Loop() {
		if _, err := Small().Encode(tree); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	x, _ := Small().Encode(parse(b, "c0*x0**2/sqrt(1 - x1**2/x2**2)"))
	for b.Loop() {
		if _, err := Small().Decode(x); err != nil {
			b.Fatal(err)
		}
	}
}
