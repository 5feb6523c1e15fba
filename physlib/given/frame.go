package given

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Frame is a law with unknown functions.
type Frame struct {
	Text   string
	Target string

	Functions []Function
	columns   []string
	tree      expr.Tree // over the columns, then a variable for each call
	calls     []call
	constants []law.Constant
}

// Function is an unknown function.
type Function struct {
	Name string
	Args []string // of its first call, as they were written
}

// call is a place where a function stands.
type call struct {
	function int
	args     []expr.Tree // over the columns
}

// Parse reads a law such as "T = 2*pi*sqrt(l/g)*f(theta)" over columns. Names before a bracket that
// are no functions of the language are the unknown ones; other names that are no columns are
// constants.
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

// placeholder stands for a call.
func placeholder(i int) string { return fmt.Sprintf("unknown_function_%d", i) }

// replaceCalls returns the text with a name in place of each call of an unknown function.
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

// leadingName returns the name with which a text begins, "" for none.
func leadingName(text string) string {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return text[:i]
		}
	}
	return text
}

// language reports whether a name is that of a function that formulas have.
func language(name string) bool {
	_, err := expr.Parse(name+"(x)", []string{"x"})
	return err == nil
}

// operands splits what stands in the bracket at open by commas; end is behind the bracket.
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
	return 0, nil, fmt.Errorf("the bracket in %s is not closed", text)
}

// addCall files a call of a function.
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

// composed returns the law with forms for all functions. Each form is over the function's
// arguments, its constants numbered from 0; those of the law are the frame's, then those of each
// function.
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

// parts returns the constants of the frame and of each function, of those of the composed law.
func (f *Frame) parts(forms []expr.Tree, params []float64) (own []float64, each [][]float64) {
	own, params = params[:len(f.constants)], params[len(f.constants):]
	for _, t := range forms {
		k := t.NumParams()
		each, params = append(each, params[:k]), params[k:]
	}
	return own, each
}
