package expr

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/spelling"
)

// Limits beyond which Parse returns an error, so that no input can overflow the stack.
const (
	maxDepth = 1000    // depth of nesting
	maxNodes = 100_000 // number of nodes
)

// A SyntaxError reports where an expression cannot be read, and why.
type SyntaxError struct {
	Text   string // the expression
	Offset int    // position of the error in Text, in bytes
	Msg    string // what was expected, what to write instead
}

// Error returns the position and the message, as in `column 5: expected …`. If the expression is at
// most 80 bytes long, the text begins with the expression. Columns are characters, counted from 1.
func (e *SyntaxError) Error() string {
	column := utf8.RuneCountInString(e.Text[:e.Offset]) + 1
	text := e.Text
	if len(text) > 80 {
		return fmt.Sprintf("column %d: %s", column, e.Msg)
	}
	return fmt.Sprintf("%s: column %d: %s", text, column, e.Msg)
}

// Parse reads an expression over the columns vars, or over x0, x1, … if vars is nil. It reads
//
//   - + - * / and ** or ^ with the precedence of Python: powers bind to the right, and tighter than
//     a minus in front, so -x**2 is -(x**2) and 2**-1 is 1/2. The signs −, × and · stand for - and
//     *, and x² for x**2. There is no implicit multiplication.
//   - functions: sqrt exp log (ln) sin cos tan asin (arcsin) acos (arccos) atan (arctan) sinh cosh
//     tanh abs square cube inv neg erf erfc gamma lgamma digamma sign j0 j1 sinc, min(a, b),
//     max(a, b), add(a, b), sub, mul, div, pow, and all others in the table of operators.
//   - functions composed of these: cot sec csc coth sech csch cbrt log2 log10 log1p expm1
//     log(x, base). cbrt(x) is x**(1/3), which is NaN for x < 0.
//   - constants: pi (π), e (E), numbers. The quotient of two whole numbers, such as 2/3, is read as
//     one number, and so is -2.
//   - c0, c1, … as free constants that start at 1.
//
// A column takes precedence over a constant or free constant with the same name. A name followed by
// a parenthesis is a function. Columns whose names are not plain names are in backquotes: `my col`.
// The error is a *SyntaxError.
func Parse(s string, vars []string) (t Tree, err error) {
	p := parser{text: s, vars: vars, prefix: paramPrefix(vars)}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			t, err = Tree{}, e
		}
	}()
	p.next()
	p.sum()
	if p.kind != tokenEnd {
		p.failAfterOperand()
	}
	return Tree{p.out}, nil
}

// parser appends nodes to out in postfix order as it reads. It does not build a tree for each
// operand. For a composed function such as cot, it rearranges the end of out.
type parser struct {
	text   string
	vars   []string
	prefix string

	pos    int // the offset after the current token
	start  int // the offset of the current token
	kind   tokenKind
	word   string
	number float64

	depth int
	out   []Node
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(&SyntaxError{p.text, at, fmt.Sprintf(format, args...)})
}

func (p *parser) emit(n Node) {
	if len(p.out) >= maxNodes {
		p.fail(p.start, "more than %d nodes", maxNodes)
	}
	p.out = append(p.out, n)
}

// sum := product (("+" | "-") product)*
func (p *parser) sum() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.start, "nested deeper than %d", maxDepth)
	}
	p.product()
	for p.is("+") || p.is("-") {
		op := Add
		if p.is("-") {
			op = Sub
		}
		p.next()
		p.product()
		p.emit(Node{Op: op})
	}
	p.depth--
}

// product := unary (("*" | "/") unary)*
func (p *parser) product() {
	p.unary()
	for p.is("*") || p.is("/") {
		op := Mul
		if p.is("/") {
			op = Div
		}
		p.next()
		p.unary()
		if op != Div || !p.foldFraction() {
			p.emit(Node{Op: op})
		}
	}
}

// foldFraction replaces two whole numbers at the end of out, which are the operands of a division,
// by their quotient as one number. It reports whether it did so.
func (p *parser) foldFraction() bool {
	n := len(p.out)
	if n < 2 || p.out[n-1].Op != Number || p.out[n-2].Op != Number {
		return false
	}
	a, b := p.out[n-2].Value, p.out[n-1].Value
	if a != math.Trunc(a) || b != math.Trunc(b) || b == 0 || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return false
	}
	p.out = append(p.out[:n-2], Node{Op: Number, Value: a / b})
	return true
}

// unary := ("-" | "+") unary | power
func (p *parser) unary() {
	signs, minus := 0, 0
	for p.is("-") || p.is("+") {
		if p.is("-") {
			minus++
		}
		if signs++; signs > maxDepth {
			p.fail(p.start, "more than %d signs in a row", maxDepth)
		}
		p.next()
	}
	p.power()
	if last := &p.out[len(p.out)-1]; minus > 0 && last.Op == Number {
		if minus%2 == 1 {
			last.Value = -last.Value
		}
		minus = 0
	}
	for range minus {
		p.emit(Node{Op: Neg})
	}
}

// power := atom ("**" unary | exponent in superscripts)?
func (p *parser) power() {
	p.atom()
	if p.kind == tokenRaised {
		p.emit(Node{Op: Number, Value: p.number})
		p.emit(Node{Op: Pow})
		p.next()
		return
	}
	if !p.is("**") {
		return
	}
	if p.depth++; p.depth > maxDepth {
		p.fail(p.start, "powers nested deeper than %d", maxDepth)
	}
	p.next()
	p.unary()
	p.emit(Node{Op: Pow})
	p.depth--
}

// atom := number | name | function "(" sum ("," sum)* ")" | "(" sum ")"
func (p *parser) atom() {
	start := p.start
	switch {
	case p.kind == tokenNumber:
		p.emit(Node{Op: Number, Value: p.number})
		p.next()
	case p.kind == tokenQuoted:
		i := slices.Index(p.vars, p.word)
		if i < 0 {
			p.fail(start, "no column is named `%s`%s", p.word, suggest(p.word, p.vars))
		}
		p.next()
		p.emit(Node{Op: Var, Index: int32(i)})
	case p.kind == tokenName:
		name := p.word
		p.next()
		if p.is("(") {
			p.call(name, start)
		} else {
			p.emit(p.named(name, start))
		}
	case p.is("("):
		p.next()
		p.sum()
		p.closing(start)
	case p.kind == tokenEnd:
		p.fail(start, "expected a number, a name or a parenthesis but the expression ends")
	default:
		p.fail(start, "expected a number, a name or a parenthesis, not %q", p.word)
	}
}

func (p *parser) closing(opened int) {
	if p.is(")") {
		p.next()
		return
	}
	if p.kind == tokenEnd {
		p.fail(p.start, "the parenthesis opened in column %d is not closed", utf8.RuneCountInString(p.text[:opened])+1)
	}
	p.failAfterOperand()
}

// decimalComma matches a comma between digits.
var decimalComma = regexp.MustCompile(`^\d,\d`)

// failAfterOperand reports that the current token occurs where an operator should be.
func (p *parser) failAfterOperand() {
	switch {
	case p.is(")"):
		p.fail(p.start, "this parenthesis was never opened")
	case p.is(",") && decimalComma.MatchString(p.text[max(0, p.start-1):]):
		p.fail(p.start, "unexpected comma: decimal numbers are written with a point")
	case p.is(","):
		p.fail(p.start, "unexpected comma")
	case p.is("("):
		p.fail(p.start, "expected an operator before the parenthesis: to multiply write *")
	}
	p.fail(p.start, "expected an operator before %q: to multiply write *%s", p.word, p.word)
}

// named returns the leaf called name: a column, a constant or a free constant.
func (p *parser) named(name string, at int) Node {
	if i := slices.Index(p.vars, name); i >= 0 {
		return Node{Op: Var, Index: int32(i)}
	}
	if i, ok := slotOf(name, "x"); ok && p.vars == nil {
		return Node{Op: Var, Index: int32(i)}
	}
	if c, ok := constants[name]; ok {
		return c.nodes[0]
	}
	for _, prefix := range []string{p.prefix, "c"} {
		slot, ok := slotOf(name, prefix)
		if ok && slot > maxSlot {
			p.fail(at, "free constants go up to %s%d", prefix, maxSlot)
		}
		if ok {
			return Node{Op: Param, Index: int32(slot), Value: 1}
		}
	}
	if _, ok := functions[name]; ok {
		p.fail(at, "%s is a function: write %s(…)", name, name)
	}
	known := append([]string{"pi"}, p.vars...)
	for f := range functions {
		known = append(known, f)
	}
	p.fail(at, "unknown name %q%s", name, suggest(name, known))
	return Node{}
}

func suggest(name string, known []string) string {
	slices.Sort(known)
	if best := spelling.Nearest(name, known); best != "" {
		return fmt.Sprintf(": did you mean %s?", best)
	}
	return ""
}

// call reads the operands of the function name, starting at its opening parenthesis.
func (p *parser) call(name string, at int) {
	f, ok := functions[name]
	if !ok {
		if slices.Contains(p.vars, name) || constants[name].Len() > 0 {
			p.fail(p.start, "%s is not a function: to multiply write %s*(…)", name, name)
		}
		known := make([]string, 0, len(functions))
		for f := range functions {
			known = append(known, f)
		}
		p.fail(at, "unknown function %q%s", name, suggest(name, known))
	}
	opened, first, args := p.start, len(p.out), []Tree(nil)
	for more := true; more; more = p.is(",") {
		p.next()
		begin := len(p.out)
		p.sum()
		args = append(args, Tree{p.out[begin:len(p.out):len(p.out)]})
		if len(args) > 2 {
			break
		}
	}
	if !p.is(",") {
		p.closing(opened)
	}
	if len(args) == 2 && (name == "log" || name == "ln") {
		f = function{2, func(a []Tree) Tree { return Apply(Div, Apply(Log, a[0]), Apply(Log, a[1])) }}
	}
	if len(args) != f.arity {
		p.fail(at, "%s takes %d operand%s", name, f.arity, strings.Repeat("s", f.arity-1))
	}
	nodes := f.build(args).nodes
	if p.out = append(p.out[:first], nodes...); len(p.out) > maxNodes {
		p.fail(at, "more than %d nodes", maxNodes)
	}
}
