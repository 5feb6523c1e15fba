package expr

import (
	"strconv"
	"strings"
	"unicode"
)

// String returns the operator's name: "sqrt", "mul".
func (o Op) String() string { return o.Operator().Name }

// function is something that Parse can call: its arity, and the tree that it stands for.
type function struct {
	arity int
	build func(a []Tree) Tree
}

// functions maps names to all functions that Parse knows (see parsed). A composed function has the
// domain of its composition: cbrt(x) = x**(1/3) is NaN for x < 0.
var functions map[string]function

// parsed returns every operator by its name and aliases, and functions composed of other operators,
// such as cot(x) = 1/tan(x).
func parsed() map[string]function {
	m := make(map[string]function)
	for op, o := range Operators() {
		f := function{o.Arity, func(a []Tree) Tree { return Apply(op, a...) }}
		m[o.Name] = f
		for _, alias := range o.Aliases {
			m[alias] = f
		}
	}
	one := func(name string, build func(x Tree) Tree) {
		m[name] = function{1, func(a []Tree) Tree { return build(a[0]) }}
	}
	one("cot", func(x Tree) Tree { return Apply(Div, Num(1), Apply(Tan, x)) })
	one("sec", func(x Tree) Tree { return Apply(Div, Num(1), Apply(Cos, x)) })
	one("csc", func(x Tree) Tree { return Apply(Div, Num(1), Apply(Sin, x)) })
	one("coth", func(x Tree) Tree { return Apply(Div, Num(1), Apply(Tanh, x)) })
	one("sech", func(x Tree) Tree { return Apply(Div, Num(1), Apply(Cosh, x)) })
	one("csch", func(x Tree) Tree { return Apply(Div, Num(1), Apply(Sinh, x)) })
	one("cbrt", func(x Tree) Tree { return Apply(Pow, x, Num(1./3)) })
	one("log10", func(x Tree) Tree { return Apply(Div, Apply(Log, x), Apply(Log, Num(10))) })
	one("log2", func(x Tree) Tree { return Apply(Div, Apply(Log, x), Apply(Log, Num(2))) })
	one("log1p", func(x Tree) Tree { return Apply(Log, Apply(Add, Num(1), x)) })
	one("expm1", func(x Tree) Tree { return Apply(Sub, Apply(Exp, x), Num(1)) })
	return m
}

// constants are the named numbers that Parse knows. A column with the same name takes precedence.
var constants = map[string]Tree{"pi": Leaf(Pi), "π": Leaf(Pi), "e": Leaf(Euler), "E": Leaf(Euler)}

// isNameStart reports whether a name without backquotes may begin with r: a letter or _. isNamePart
// reports whether r may follow: such a character, a digit, or a subscript digit as in m₀.
func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func isNamePart(r rune) bool {
	return isNameStart(r) || '0' <= r && r <= '9' || '₀' <= r && r <= '₉' || unicode.Is(unicode.M, r)
}

func isName(s string) bool {
	for i, r := range s {
		if i == 0 && !isNameStart(r) || !isNamePart(r) || r == unicode.ReplacementChar {
			return false
		}
	}
	return s != ""
}

// varName returns the name of column i as Parse reads it. A name that is not plain is in
// backquotes. If vars has no name for the column, it is x followed by the index, such as x3.
func varName(vars []string, i int) string {
	name := unquotedName(vars, i)
	if isName(name) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// unquotedName returns the name of variable i, which is x0, x1, … if it has none.
func unquotedName(vars []string, i int) string {
	if i < 0 || i >= len(vars) || vars[i] == "" {
		return "x" + strconv.Itoa(i)
	}
	return vars[i]
}

// paramPrefix returns the prefix of the names of free constants. This is c, for c0, c1, …. If a
// column has such a name, the prefix is the first of k, p, const, … without such a conflict.
func paramPrefix(vars []string) string {
	for _, prefix := range []string{"c", "k", "p", "const", "_c", "_k", "_p"} {
		free := true
		for _, v := range vars {
			if _, ok := slotOf(v, prefix); ok {
				free = false
				break
			}
		}
		if free {
			return prefix
		}
	}
	return "_const"
}

// maxSlot is the highest slot that Parse accepts. It is limited because a vector of constants is as
// long as the highest slot.
const maxSlot = 999

// slotOf returns the slot in a name such as c12.
func slotOf(name, prefix string) (slot int, ok bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok || digits == "" || len(digits) > 9 || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	for _, r := range digits {
		if r < '0' || r > '9' {
			return 0, false
		}
	}
	slot, err := strconv.Atoi(digits)
	return slot, err == nil
}
