package token

import (
	"fmt"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// none is the id of a token that a vocabulary does not have.
const none = -1

// Vocabulary is a code for expressions: the names, arities and meanings of its tokens, which are
// numbered from 0 (PhysDiffuse §6, PhysMDT §3, PARR §2.2). The vocabularies of this package are
// immutable and safe for concurrent use.
type Vocabulary struct {
	name    string
	postfix bool
	words   []word
	ids     map[string]int32

	mask, pad, sos, eos int32

	ops    map[expr.Op]int32
	vars   []int32 // the token of each column
	params []int32 // the tokens of free constants
	// Whether each occurrence of a free constant's token is a separate constant.
	fresh     bool
	values    map[float64]int32 // tokens that are numbers
	digits    [10]int32         // tokens of digits in decimal numbers
	point     int32             // token of the decimal point
	minus     int32             // token of the sign
	hundredth int32             // token with operands a and b for a + b/100
	powers    []power           // tokens for powers of ten, by increasing exponent
}

// power is a token that multiplies its operand by 10**exponent.
type power struct {
	id       int32
	exponent int
}

// role is the grammatical role of a token.
type role uint8

const (
	reserved  role = iota // control tokens and unused tokens, which are not part of an expression
	operator              // an operator, a function, π or e
	variable              // a column
	constant              // a free constant
	number                // a number
	digit                 // a digit before the rest of a number
	point                 // a decimal point before the rest of a number
	minus                 // a sign before a number
	tens                  // a power of ten before a number
	hundredth             // an operator for a + b/100 with operands a and b
)

// word describes one token.
type word struct {
	name  string
	role  role
	op    expr.Op // operator, for the role operator
	index int     // variable: column; free constant: slot; digit: value; power of ten: exponent
	value float64 // value of a number
}

// arity returns the number of operands, or -1 for a token that is not part of an expression.
func (w word) arity() int {
	switch w.role {
	case reserved:
		return -1
	case operator:
		return w.op.Arity()
	case digit, point, minus, tens:
		return 1
	case hundredth:
		return 2
	}
	return 0
}

// newVocabulary returns a vocabulary of words, numbered in order. sos, eos, pad and mask are the
// names of its control tokens.
func newVocabulary(name string, postfix bool, sos, eos, pad, mask string, words []word) *Vocabulary {
	v := &Vocabulary{name: name, postfix: postfix, words: words, ids: map[string]int32{}, ops: map[expr.Op]int32{}, values: map[float64]int32{},
		point: none, minus: none, hundredth: none}
	for i := range v.digits {
		v.digits[i] = none
	}
	for i, w := range words {
		id := int32(i)
		if _, twice := v.ids[w.name]; twice {
			panic(fmt.Sprintf("token: %s has %s twice", name, w.name))
		}
		v.ids[w.name] = id
		switch w.role {
		case operator:
			v.ops[w.op] = id
		case variable:
			v.vars = append(v.vars, id)
		case constant:
			v.params = append(v.params, id)
		case number:
			v.values[w.value] = id
		case digit:
			v.digits[w.index] = id
		case point:
			v.point = id
		case minus:
			v.minus = id
		case hundredth:
			v.hundredth = id
		case tens:
			v.powers = append(v.powers, power{id, w.index})
		}
	}
	v.sos, v.eos, v.pad, v.mask = v.id(sos), v.id(eos), v.id(pad), v.id(mask)
	return v
}

// id returns the token called name, or none.
func (v *Vocabulary) id(name string) int32 {
	if id, ok := v.ids[name]; ok {
		return id
	}
	return none
}

// Name returns the vocabulary's name in presets and errors, such as "physdiffuse".
func (v *Vocabulary) Name() string { return v.name }

// Size returns the number of tokens. Their ids are 0 … Size-1.
func (v *Vocabulary) Size() int { return len(v.words) }

// ID returns the token called name, such as "mul" or "x_0".
func (v *Vocabulary) ID(name string) (id int32, ok bool) {
	id, ok = v.ids[name]
	return id, ok
}

// Token returns the name of a token. If the vocabulary has no token 17, for example, its name is
// "?17".
func (v *Vocabulary) Token(id int32) string {
	if !v.has(id) {
		return fmt.Sprintf("?%d", id)
	}
	return v.words[id].name
}

// Text returns the names of ids, separated by spaces.
func (v *Vocabulary) Text(ids []int32) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = v.Token(id)
	}
	return strings.Join(names, " ")
}

// Arity returns the number of operands of a token: 0, 1 or 2. It is -1 for control tokens, unused
// tokens and unknown ids, which occur in no expression.
func (v *Vocabulary) Arity(id int32) int {
	if !v.has(id) {
		return -1
	}
	return v.words[id].arity()
}

// Postfix reports whether operators follow their operands (x y +) instead of preceding them (add x
// y).
func (v *Vocabulary) Postfix() bool { return v.postfix }

// Mask returns the token that replaces masked tokens.
func (v *Vocabulary) Mask() int32 { return v.mask }

// Pad returns the padding token, or -1 if there is none.
func (v *Vocabulary) Pad() int32 { return v.pad }

// SOS returns the token at the start of a sequence, or -1 if there is none.
func (v *Vocabulary) SOS() int32 { return v.sos }

// EOS returns the token at the end of a sequence, or -1 if there is none.
func (v *Vocabulary) EOS() int32 { return v.eos }

// Vars returns the number of columns that have a token.
func (v *Vocabulary) Vars() int { return len(v.vars) }

// Var returns the token of a column, or -1 if there is none.
func (v *Vocabulary) Var(column int) int32 {
	if column < 0 || column >= len(v.vars) {
		return none
	}
	return v.vars[column]
}

// has reports whether id is a token of the vocabulary.
func (v *Vocabulary) has(id int32) bool { return id >= 0 && int(id) < len(v.words) }
