package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Languages are the names that To takes.
var Languages = []string{"sympy", "latex", "numpy", "c", "go", "julia", "matlab", "r", "excel", "json"}

// Quantity is the description of a variable or of the target.
type Quantity struct{ Name, Unit string }

// Source is a law to be written, with the units of its variables.
type Source struct {
	Law   law.Law
	Units map[string]string  // of variables and the target, by name; those left out are not known
	Known map[string]float64 // variables that are known constants
}

// To writes a law in a language.
func To(language string, s Source) (string, error) {
	if s.Law.Tree.Len() == 0 {
		return "", fmt.Errorf("there is no law to convert")
	}
	for _, n := range s.Law.Tree.Nodes() {
		if n.Op == expr.Number && (math.IsNaN(n.Value) || math.IsInf(n.Value, 0)) {
			return "", fmt.Errorf("the law %s holds a number that is not finite", s.Law)
		}
	}
	switch language {
	case "latex":
		return expr.LaTeXName(s.Law.Target) + " = " + s.Law.LaTeX() + "\n", nil
	case "json":
		return tree(s)
	case "excel":
		return spreadsheet(s)
	}
	l, ok := languages[language]
	if !ok {
		return "", fmt.Errorf("there is no language %q; try one of %s", language, strings.Join(Languages, ", "))
	}
	if err := spelled(language, s.Law.Tree); err != nil {
		return "", err
	}
	return l.function(s), nil
}

// spelled returns an error if t has a function that a language lacks.
func spelled(language string, t expr.Tree) error {
	for _, n := range t.Nodes() {
		if o := n.Op.Operator(); o.Arity > 0 && (len(o.Code) > 0) {
			if _, err := o.Spell(language, "x", "y"); err != nil {
				return fmt.Errorf("%w; try one of %s", err, strings.Join(languagesWith(o), ", "))
			}
		}
	}
	return nil
}

// languagesWith returns the languages that have a function.
func languagesWith(o *expr.Operator) (names []string) {
	for _, language := range Languages {
		if o.Code[language] != "" {
			names = append(names, language)
		}
	}
	return names
}

// language is how expressions and functions are written.
type language struct {
	plus, minus, times, over string
	power                    string // operator; "": function is called
	pow                      string
	name                     string // that To takes
	pi, e                    string
	number                   func(v float64) string
	reserved                 map[string]bool
	ascii                    bool // identifiers of ASCII letters only
	start                    byte // first character in place of _ and digits, where _ cannot open a name

	// definition writes the whole function.
	definition func(f function) string
}

// function is a law with identifiers of a language.
type function struct {
	name      string
	inputs    []string
	wanted    []Quantity // inputs as the table has them
	target    Quantity
	constants []constant
	body      string
	law       law.Law
}

// constant is a constant with its value.
type constant struct {
	name, value, note string
	wanted            string // as the law has it
}

// constants returns the fitted and known constants of s: names, values and notes.
func (s Source) constants() (names []string, values []float64, notes []string) {
	params := s.Law.Params()
	for slot, v := range params {
		k := law.Constant{Name: fmt.Sprintf("c%d", slot), Value: v}
		if slot < len(s.Law.Constants) {
			k = s.Law.Constants[slot]
		}
		note := ""
		if form, err := expr.Parse(k.Exact, nil); k.Exact != "" && err == nil && form.NumParams() == 0 {
			v = law.Law{Tree: form}.Eval()
			note = k.Exact
		} else if k.StdErr > 0 && !math.IsInf(k.StdErr, 0) {
			note = "± " + strconv.FormatFloat(k.StdErr, 'g', 3, 64)
		}
		if k.Unit != "" && k.Unit != "1" {
			note = strings.TrimSpace(note + " " + k.Unit)
		}
		names, values, notes = append(names, k.Name), append(values, v), append(notes, note)
	}
	return names, values, notes
}

// inputs returns the indices of the variables that are no known constants, and of those that are.
func (s Source) inputs() (free, known []int) {
	for _, v := range s.Law.Inputs() {
		if _, ok := s.Known[s.Law.Vars[v]]; ok {
			known = append(known, v)
		} else {
			free = append(free, v)
		}
	}
	return free, known
}

// function writes s as a function.
func (l *language) function(s Source) string {
	f := function{target: Quantity{s.Law.Target, s.Units[s.Law.Target]}, law: s.Law}
	free, known := s.inputs()
	var wanted []string
	for _, v := range free {
		name := s.Law.Vars[v]
		wanted = append(wanted, name)
		f.wanted = append(f.wanted, Quantity{name, s.Units[name]})
	}
	names, values, notes := s.constants()
	for _, v := range known {
		name := s.Law.Vars[v]
		names, values, notes = append(names, name), append(values, s.Known[name]), append(notes, strings.TrimSpace("known "+s.Units[name]))
	}
	target := s.Law.Target
	if target == "" {
		target = "law"
	}
	ids := l.identifiers(slices.Concat(wanted, names, []string{target}), s.Law.Tree)
	f.inputs, f.name = ids[:len(wanted)], ids[len(ids)-1]
	by := map[string]string{}
	for i, v := range free {
		by[fmt.Sprintf("var %d", v)] = ids[i]
	}
	for i := range names {
		id := ids[len(wanted)+i]
		f.constants = append(f.constants, constant{id, l.number(values[i]), notes[i], names[i]})
		if i < s.Law.Tree.NumParams() {
			by[fmt.Sprintf("param %d", i)] = id
		} else {
			by[fmt.Sprintf("var %d", known[i-s.Law.Tree.NumParams()])] = id
		}
	}
	f.body = l.expression(s.Law.Tree, by)
	return l.definition(f)
}

// title returns what a function computes: T [d] from a [AU].
func (f function) title() string {
	var from []string
	for _, q := range f.wanted {
		from = append(from, q.String())
	}
	if len(from) == 0 {
		return f.target.String() + ", a constant"
	}
	return f.target.String() + " from " + strings.Join(from, ", ")
}

// String returns the quantity with its unit.
func (q Quantity) String() string {
	if q.Unit == "" {
		return q.Name
	}
	return q.Name + " [" + q.Unit + "]"
}

// How tightly operators bind.
const (
	levelSum = iota + 1
	levelProduct
	levelSign
	levelPower
	levelAtom
)

// expression writes t with the given names of variables ("var 0") and constants ("param 0").
func (l *language) expression(t expr.Tree, by map[string]string) string {
	text, _ := l.write(t, by)
	return text
}

// write returns the text of t and how tightly it binds.
func (l *language) write(t expr.Tree, by map[string]string) (text string, level int) {
	root := t.Nodes()[t.Len()-1]
	args := t.Args()
	arg := func(i, least int) string {
		text, level := l.write(args[i], by)
		if level < least {
			return "(" + text + ")"
		}
		return text
	}
	switch root.Op {
	case expr.Number:
		if root.Value < 0 {
			return "-" + l.number(-root.Value), levelSign
		}
		return l.number(root.Value), levelAtom
	case expr.Var:
		return by[fmt.Sprintf("var %d", root.Index)], levelAtom
	case expr.Param:
		return by[fmt.Sprintf("param %d", root.Index)], levelAtom
	case expr.Pi:
		return l.pi, levelAtom
	case expr.Euler:
		return l.e, levelAtom
	case expr.Add:
		return arg(0, levelSum) + l.plus + arg(1, levelProduct), levelSum
	case expr.Sub:
		return arg(0, levelSum) + l.minus + arg(1, levelProduct), levelSum
	case expr.Mul:
		return arg(0, levelProduct) + l.times + arg(1, levelPower), levelProduct
	case expr.Div:
		return arg(0, levelProduct) + l.over + arg(1, levelPower), levelProduct
	case expr.Neg:
		return "-" + arg(0, levelAtom), levelSign
	case expr.Inv:
		return l.number(1) + l.over + arg(0, levelPower), levelProduct
	case expr.Square, expr.Cube, expr.Pow:
		exponent := l.number(2)
		switch root.Op {
		case expr.Cube:
			exponent = l.number(3)
		case expr.Pow:
			exponent = arg(1, levelAtom)
		}
		if l.power == "" {
			base, _ := l.write(args[0], by)
			if root.Op == expr.Pow {
				exponent, _ = l.write(args[1], by)
			}
			return l.pow + "(" + base + ", " + exponent + ")", levelAtom
		}
		return arg(0, levelAtom) + l.power + exponent, levelPower
	}
	operands := make([]string, len(args))
	for i, a := range args {
		operands[i], _ = l.write(a, by)
	}
	text, _ = root.Op.Operator().Spell(l.name, operands...) // spelled has no error for t
	return text, levelAtom
}

// digits writes a number with all its digits and a point, so that no language takes it for a whole
// one.
func digits(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
