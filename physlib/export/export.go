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

// Languages are the languages that To supports.
var Languages = []string{"sympy", "latex", "numpy", "c", "go", "julia", "matlab", "r", "excel", "json"}

// Quantity is a variable or the target, with its unit. For dates and times of day, Since is the
// moment of the value 0; otherwise it is empty.
type Quantity struct{ Name, Unit, Since string }

// Source is a law to export, with the units of its variables.
type Source struct {
	Law law.Law
	// Units of variables and of the target, by name; a missing unit is unknown.
	Units map[string]string
	// For variables that are dates or times of day: the moment of the value 0, by name.
	Since map[string]string
	Known map[string]float64 // values of variables that are known constants, by name
}

// All writes several laws, such as those of a system, in one file in the given language. In JSON
// they are an array.
func All(language string, sources []Source) (string, error) {
	var parts []string
	for _, s := range sources {
		text, err := To(language, s)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	switch language {
	case "json":
		return "[\n" + strings.Join(parts, ",\n") + "]\n", nil
	case "go":
		return oneFile(parts), nil
	}
	return strings.Join(parts, "\n"), nil
}

// To returns a law as code in one of Languages. It returns an error if the language lacks a
// function of the law.
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

// spelled returns an error if the language lacks a function of t.
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

// languagesWith returns the languages that have the function o.
func languagesWith(o *expr.Operator) (names []string) {
	for _, language := range Languages {
		if o.Code[language] != "" {
			names = append(names, language)
		}
	}
	return names
}

// language is how a language writes expressions and functions.
type language struct {
	plus, minus, times, over string
	power                    string // operator for powers; "": the function pow is called instead
	pow                      string
	name                     string // name in Languages
	pi, e                    string
	number                   func(v float64) string
	reserved                 map[string]bool
	ascii                    bool // identifiers may contain only ASCII letters
	// Prefix for names that begin with _ or a digit, if the language does not allow such
	// identifiers.
	start byte

	// definition returns the code of the whole function.
	definition func(f function) string
}

// function is a law whose names are identifiers of a language.
type function struct {
	name      string
	inputs    []string
	wanted    []Quantity // inputs, with the names that they have in the table
	target    Quantity
	constants []constant
	body      string
	law       law.Law
}

// constant is a constant of the exported function, with its value as text.
type constant struct {
	name, value, note string
	wanted            string // name of the constant in the law
}

// constants returns the names, values and notes of the fitted constants of s. A note becomes a
// comment in the code.
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

// inputs returns the indices of the variables on which the law depends. free are those that become
// arguments of the function, and known those that are known constants.
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

// function returns the law of s as a function in the language l.
func (l *language) function(s Source) string {
	f := function{target: s.quantity(s.Law.Target), law: s.Law}
	free, known := s.inputs()
	var wanted []string
	for _, v := range free {
		name := s.Law.Vars[v]
		wanted = append(wanted, name)
		f.wanted = append(f.wanted, s.quantity(name))
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

// title returns the target and the inputs of the function, such as T [d] from a [AU].
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

// quantity returns the quantity with the given name.
func (s Source) quantity(name string) Quantity { return Quantity{name, s.Units[name], s.Since[name]} }

// String returns the name of q, followed by the unit in brackets if it is known: T [K]. For dates
// and times of day, the brackets contain their origin as well: t [d since 2025-01-31].
func (q Quantity) String() string {
	if q.Since != "" {
		return q.Name + " [" + strings.TrimSpace(q.Unit+" since "+q.Since) + "]"
	}
	if q.Unit == "" {
		return q.Name
	}
	return q.Name + " [" + q.Unit + "]"
}

// Levels of precedence: how tightly operators bind.
const (
	levelSum = iota + 1
	levelProduct
	levelSign
	levelPower
	levelAtom
)

// expression returns t as text. by maps "var 0", "var 1", … to the identifiers of variables, and
// "param 0", "param 1", … to those of constants.
func (l *language) expression(t expr.Tree, by map[string]string) string {
	text, _ := l.write(t, by)
	return text
}

// write returns the text of t and how tightly the text binds.
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
	// There is no error, since To has called spelled before.
	text, _ = root.Op.Operator().Spell(l.name, operands...)
	return text, levelAtom
}

// digits returns v with all its digits and a decimal point, so that no language reads it as an
// integer.
func digits(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
