package token

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

// PhysDiffuse returns the vocabulary of PhysDiffuse §6: 73 prefix tokens, in the order of the
// paper's table.
//
//	0–12   add sub mul div pow sqrt sin cos exp log neg abs inv
//	13–22  x_0 … x_9, the columns
//	23–32  c_0 … c_9, free constants
//	33–38  int_0 … int_5
//	39–43  pi e_const half third quarter
//	44–55  d_0 … d_9 d_dot d_neg, digits of other numbers
//	56–59  <SOS> <EOS> <PAD> <MASK>
//	60–72  reserved_0 … reserved_12
//
// PhysDiffuse does not specify how numbers end. Here a digit, the point and the sign are operators
// on the rest of the number, whose last digit is one of int_0 … int_5. So 3.14 is d_3 d_dot d_1
// int_4, and 17 is d_1 d_7 d_dot int_0.
func PhysDiffuse() *Vocabulary { return physDiffuse() }

// Small returns PhysDiffuse changed for small models. The functions sq cube arcsin arccos arctan
// tan sinh cosh tanh replace reserved_0 … reserved_8, so that x² is two tokens. Each free constant
// is c_0, and each c_0 is a separate constant; c_1 … c_9 and the digits are not used. So the only
// numbers are those with a token, and their fractions.
func Small() *Vocabulary { return small() }

// SmallRPN returns Small with operators after their operands.
func SmallRPN() *Vocabulary { return smallRPN() }

// PhysMDT returns the vocabulary of PhysMDT §3: 128 postfix tokens.
//
//	0–3     PAD BOS EOS MASK
//	4–15    + - * / ^ sqrt sin cos tan log exp abs
//	16–24   x1 … x9, the columns
//	25–26   π e
//	27–125  -49 … 49
//	126     . (a number with decimals)
//	127     UNK
//
// PhysMDT calls the range 27–126 integers and "decimal tokens", but the range has room for only one
// decimal token. Here this token is an operator, a b . = a + b/100. So 9.81 is 10 -19 . and 6.674 =
// 7 + (-33 + 40/100)/100 is 7 -33 40 . . UNK is an unknown number: each is a separate free
// constant.
func PhysMDT() *Vocabulary { return physMDT() }

// PARR returns a vocabulary of 80 prefix tokens. PARR §2.2 says "~80 tokens (operators + variables
// + constants + special)" and "mantissa + exponent tokens". The list is our choice:
//
//	0–3    <PAD> <SOS> <EOS> <MASK>
//	4–8    add sub mul div pow
//	9–25   neg inv abs sqrt sq cube exp log sin cos tan arcsin arccos arctan sinh cosh tanh
//	26–35  x_0 … x_9, the columns
//	36–45  c_0 … c_9, free constants
//	46–49  pi e_const half third
//	50–59  int_0 … int_9
//	60–69  d_0 … d_9, digits of a mantissa before the last one
//	70–79  E-16 E-8 E-4 E-2 E-1 E1 E2 E4 E8 E16, powers of ten
//
// A number is an exponent, then a mantissa, which is an integer whose last digit is one of int_0 …
// int_9. For example 6.67e-11 is E-8 E-4 E-1 d_6 d_6 int_7.
func PARR() *Vocabulary { return parr() }

// ByName returns the vocabulary with the given Name.
func ByName(name string) (*Vocabulary, error) {
	var names []string
	for _, v := range []*Vocabulary{PhysDiffuse(), Small(), SmallRPN(), PhysMDT(), PARR()} {
		if v.name == name {
			return v, nil
		}
		names = append(names, v.name)
	}
	return nil, fmt.Errorf("token: no vocabulary is called %q; there are %s", name, strings.Join(names, ", "))
}

var physDiffuse = sync.OnceValue(func() *Vocabulary {
	return newVocabulary("physdiffuse", false, "<SOS>", "<EOS>", "<PAD>", "<MASK>", physDiffuseWords())
})

var (
	small    = sync.OnceValue(func() *Vocabulary { return newSmall("small", false) })
	smallRPN = sync.OnceValue(func() *Vocabulary { return newSmall("small-rpn", true) })
)

func newSmall(name string, postfix bool) *Vocabulary {
	words := physDiffuseWords()
	for i, w := range operators("sq cube arcsin arccos arctan tan sinh cosh tanh") {
		words[60+i] = w
	}
	for i, w := range words {
		switch {
		case w.role == constant && w.index > 0, w.role == digit, w.role == point, w.role == minus:
			words[i] = word{name: w.name}
		}
	}
	v := newVocabulary(name, postfix, "<SOS>", "<EOS>", "<PAD>", "<MASK>", words)
	v.fresh = true
	return v
}

var physMDT = sync.OnceValue(func() *Vocabulary {
	words := controls("PAD BOS EOS MASK")
	words = append(words, operators("+ - * / ^ sqrt sin cos tan log exp abs")...)
	words = append(words, numbered("x%d", 1, 9, func(i int) word { return word{role: variable, index: i - 1} })...)
	words = append(words, operators("π e")...)
	words = append(words, numbered("%d", -49, 49, whole)...)
	words = append(words, word{name: ".", role: hundredth}, word{name: "UNK", role: constant})
	v := newVocabulary("physmdt", true, "BOS", "EOS", "PAD", "MASK", words)
	v.fresh = true
	return v
})

var parr = sync.OnceValue(func() *Vocabulary {
	words := controls("<PAD> <SOS> <EOS> <MASK>")
	words = append(words, operators("add sub mul div pow")...)
	words = append(words, operators("neg inv abs sqrt sq cube exp log sin cos tan arcsin arccos arctan sinh cosh tanh")...)
	words = append(words, columns()...)
	words = append(words, constants()...)
	words = append(words, operators("pi e_const")...)
	words = append(words, word{name: "half", role: number, value: 1. / 2}, word{name: "third", role: number, value: 1. / 3})
	words = append(words, numbered("int_%d", 0, 9, whole)...)
	words = append(words, numbered("d_%d", 0, 9, func(i int) word { return word{role: digit, index: i} })...)
	for _, e := range []int{-16, -8, -4, -2, -1, 1, 2, 4, 8, 16} {
		words = append(words, word{name: "E" + strconv.Itoa(e), role: tens, index: e})
	}
	return newVocabulary("parr", false, "<SOS>", "<EOS>", "<PAD>", "<MASK>", words)
})

func physDiffuseWords() []word {
	words := operators("add sub mul div pow sqrt sin cos exp log neg abs inv")
	words = append(words, columns()...)
	words = append(words, constants()...)
	words = append(words, numbered("int_%d", 0, 5, whole)...)
	words = append(words, operators("pi e_const")...)
	words = append(words, word{name: "half", role: number, value: 1. / 2}, word{name: "third", role: number, value: 1. / 3},
		word{name: "quarter", role: number, value: 1. / 4})
	words = append(words, numbered("d_%d", 0, 9, func(i int) word { return word{role: digit, index: i} })...)
	words = append(words, word{name: "d_dot", role: point}, word{name: "d_neg", role: minus})
	words = append(words, controls("<SOS> <EOS> <PAD> <MASK>")...)
	return append(words, numbered("reserved_%d", 0, 12, func(int) word { return word{} })...)
}

// columns returns the tokens x_0 to x_9, which stand for the columns of a table.
func columns() []word {
	return numbered("x_%d", 0, 9, func(i int) word { return word{role: variable, index: i} })
}

func constants() []word {
	return numbered("c_%d", 0, 9, func(i int) word { return word{role: constant, index: i} })
}

func whole(i int) word { return word{role: number, value: float64(i)} }

func numbered(format string, first, last int, meaning func(int) word) []word {
	var words []word
	for i := first; i <= last; i++ {
		w := meaning(i)
		w.name = fmt.Sprintf(format, i)
		words = append(words, w)
	}
	return words
}

func operators(names string) []word {
	var words []word
	for _, name := range strings.Fields(names) {
		op, ok := meaning[name]
		if !ok {
			panic("token: no operator is called " + name)
		}
		words = append(words, word{name: name, role: operator, op: op})
	}
	return words
}

func controls(names string) []word {
	var words []word
	for _, name := range strings.Fields(names) {
		words = append(words, word{name: name})
	}
	return words
}

// meaning maps names to operators, functions, π and e, for all vocabularies.
var meaning = map[string]expr.Op{
	"add": expr.Add, "sub": expr.Sub, "mul": expr.Mul, "div": expr.Div, "pow": expr.Pow,
	"+": expr.Add, "-": expr.Sub, "*": expr.Mul, "/": expr.Div, "^": expr.Pow,
	"neg": expr.Neg, "inv": expr.Inv, "abs": expr.Abs, "sqrt": expr.Sqrt, "sq": expr.Square, "cube": expr.Cube,
	"exp": expr.Exp, "log": expr.Log, "sin": expr.Sin, "cos": expr.Cos, "tan": expr.Tan,
	"arcsin": expr.Asin, "arccos": expr.Acos, "arctan": expr.Atan, "sinh": expr.Sinh, "cosh": expr.Cosh, "tanh": expr.Tanh,
	"pi": expr.Pi, "π": expr.Pi, "e_const": expr.Euler, "e": expr.Euler,
}
