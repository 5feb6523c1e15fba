package frame

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Frame is a law in which some functions are unknown.
type Frame struct {
	Text   string
	Target string

	Functions []Function
	columns   []string
	// The law; its variables are the columns, followed by one variable for each element of calls.
	tree      expr.Tree
	calls     []call
	constants []law.Constant
}

// Function is an unknown function.
type Function struct {
	Name string
	Args []string // arguments of the first call of the function, as text
}

// call is an occurrence of a function in the law.
type call struct {
	function int
	args     []expr.Tree // arguments, as functions of the columns
}

// Parse parses a law such as "T = 2*pi*sqrt(l/g)*f(theta)" in the given columns. A name before a
// parenthesis is an unknown function if the language of formulas has no function with that name.
// Other names that are not columns are constants.
func Parse(text string, columns []string) (*Frame, error) {
	f := &Frame{Text: text, columns: columns}
	right := text
	if left, after, ok := strings.Cut(text, "="); ok {
		f.Target, right = strings.Trim(strings.TrimSpace(left), "`"), after
	}
	frame, err := f.replaceCalls(right)
	if err != nil {
		return nil, err
	}
	if len(f.Functions) == 0 {
		return nil, errors.New("it has no unknown function, such as f(x); fit its constants with physlib fit, or give it with --guess")
	}
	names := slices.Clone(columns)
	for i := range f.calls {
		names = append(names, placeholder(i))
	}
	l, err := law.Parse(frame, names)
	if err != nil {
		return nil, err
	}
	f.tree, f.constants = l.Tree, l.Constants
	return f, nil
}

// Warning returns a warning if the frame contains Euler's number, as in e*f(x). Otherwise it
// returns "".
func (f *Frame) Warning() string { return law.EulerWarning(f.known()...) }

// Has reports whether the known part of the law contains the operator op.
func (f *Frame) Has(op expr.Op) bool {
	return slices.ContainsFunc(f.known(), func(t expr.Tree) bool {
		return slices.ContainsFunc(t.Nodes(), func(n expr.Node) bool { return n.Op == op })
	})
}

// HasColumn reports whether the known part of the law contains the column with the given index.
func (f *Frame) HasColumn(i int) bool {
	return slices.ContainsFunc(f.known(), func(t expr.Tree) bool { return slices.Contains(t.Vars(), i) })
}

// known returns the known part of the law and the arguments of its unknown functions.
func (f *Frame) known() []expr.Tree {
	trees := []expr.Tree{f.tree}
	for _, c := range f.calls {
		trees = append(trees, c.args...)
	}
	return trees
}

// placeholder returns the name that replaces call i in the text of the law.
func placeholder(i int) string { return fmt.Sprintf("unknown_function_%d", i) }

// replaceCalls returns the text with each call of an unknown function replaced by its placeholder,
// and adds the calls to f.
func (f *Frame) replaceCalls(text string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(text); {
		name := leadingName(text[i:])
		if name == "" {
			out.WriteByte(text[i])
			i++
			continue
		}
		after := i + len(name)
		open := after + len(text[after:]) - len(strings.TrimLeft(text[after:], " "))
		if open >= len(text) || text[open] != '(' || language(name) || slices.Contains(f.columns, name) {
			out.WriteString(name)
			i = after
			continue
		}
		end, parts, err := operands(text, open)
		if err != nil {
			return "", err
		}
		if err := f.addCall(name, parts); err != nil {
			return "", err
		}
		out.WriteString("(" + placeholder(len(f.calls)-1) + ")")
		i = end
	}
	return out.String(), nil
}

// leadingName returns the name at the start of text, or "".
func leadingName(text string) string {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return text[:i]
		}
	}
	return text
}

// language reports whether a function of this name is part of the language of formulas.
func language(name string) bool {
	_, err := expr.Parse(name+"(x)", []string{"x"})
	return err == nil
}

// operands splits the text between the parenthesis at index open and its closing parenthesis. It
// splits at the commas that are not inside inner parentheses. end is the index after the closing
// parenthesis.
func operands(text string, open int) (end int, parts []string, err error) {
	depth, from := 0, open+1
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1, append(parts, strings.TrimSpace(text[from:i])), nil
			}
		case ',':
			if depth == 1 {
				parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
			}
		}
	}
	return 0, nil, fmt.Errorf("%s lacks a closing parenthesis", text)
}

// addCall adds a call of the function name to f.
func (f *Frame) addCall(name string, parts []string) error {
	at := slices.IndexFunc(f.Functions, func(g Function) bool { return g.Name == name })
	if at < 0 {
		at = len(f.Functions)
		f.Functions = append(f.Functions, Function{name, parts})
	}
	if want := len(f.Functions[at].Args); want != len(parts) {
		return fmt.Errorf("%s has %d arguments in one place and %d in another; a function has the same number everywhere", name, want, len(parts))
	}
	c := call{function: at}
	for _, part := range parts {
		t, err := expr.Parse(part, f.columns)
		switch {
		case err != nil:
			return fmt.Errorf("%s(%s): %w; arguments are columns, or formulas of columns; the columns are %s", name, strings.Join(parts, ", "), err, strings.Join(f.columns, ", "))
		case len(t.Vars()) == 0:
			return fmt.Errorf("%s(%s): each argument must depend on a column; the columns are %s", name, strings.Join(parts, ", "), strings.Join(f.columns, ", "))
		}
		c.args = append(c.args, t)
	}
	f.calls = append(f.calls, c)
	return nil
}

// FunctionNames returns the names of the unknown functions.
func (f *Frame) FunctionNames() (names []string) {
	for _, g := range f.Functions {
		names = append(names, g.Name)
	}
	return names
}

// composed returns the law with the given forms inserted for all functions. The variables of a form
// are the arguments of its function, and its constants are numbered from 0. The law has the
// constants of the frame, followed by those of each function.
func (f *Frame) composed(forms []expr.Tree) expr.Tree {
	first := make([]int, len(forms))
	next := len(f.constants)
	for i, t := range forms {
		first[i] = next
		next += t.NumParams()
	}
	return f.tree.ReplaceLeaves(func(n expr.Node) expr.Tree {
		if n.Op != expr.Var || int(n.Index) < len(f.columns) {
			return expr.Tree{}
		}
		c := f.calls[int(n.Index)-len(f.columns)]
		return forms[c.function].ShiftParams(first[c.function]).SubstituteVars(c.args)
	})
}

// parts splits the constants of the composed law into those of the frame and those of each
// function.
func (f *Frame) parts(forms []expr.Tree, params []float64) (own []float64, each [][]float64) {
	own, params = params[:len(f.constants)], params[len(f.constants):]
	for _, t := range forms {
		k := t.NumParams()
		each, params = append(each, params[:k]), params[k:]
	}
	return own, each
}
