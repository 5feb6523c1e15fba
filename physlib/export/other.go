package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// spreadsheet returns the cells of a table. Row 1 contains headers, and row 2 a formula that can be
// filled down. The constants are numbers in the formula.
func spreadsheet(s Source) (string, error) {
	if err := spelled("excel", s.Law.Tree); err != nil {
		return "", err
	}
	free, known := s.inputs()
	by := map[string]string{}
	var b strings.Builder
	for i, v := range free {
		name := s.Law.Vars[v]
		by[fmt.Sprintf("var %d", v)] = columnLetters(i) + "2"
		fmt.Fprintf(&b, "%s1\t%s\n", columnLetters(i), s.quantity(name))
	}
	_, values, _ := s.constants()
	for slot, v := range values {
		by[fmt.Sprintf("param %d", slot)] = cellNumber(v)
	}
	for _, v := range known {
		by[fmt.Sprintf("var %d", v)] = cellNumber(s.Known[s.Law.Vars[v]])
	}
	last := columnLetters(len(free))
	fmt.Fprintf(&b, "%s1\t%s\n%s2\t=%s\n", last, s.quantity(s.Law.Target), last, excel.expression(s.Law.Tree, by))
	return b.String(), nil
}

// excel describes formulas of a spreadsheet. Powers in a spreadsheet are left-associative and bind
// less tightly than a sign, so expression puts their operands in parentheses.
var excel = &language{name: "excel", plus: "+", minus: "-", times: "*", over: "/", power: "^", pi: "PI()", e: "EXP(1)", number: plainDigits}

// plainDigits returns v in the notation of a spreadsheet.
func plainDigits(v float64) string { return strconv.FormatFloat(v, 'G', -1, 64) }

// cellNumber returns v as a number in a formula.
func cellNumber(v float64) string {
	if v < 0 {
		return "(" + plainDigits(v) + ")"
	}
	return plainDigits(v)
}

// columnLetters returns the name of column i of a spreadsheet: A, B, …, Z, AA, ….
func columnLetters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnLetters(i/26-1) + string(rune('A'+i%26))
}

// mathJSON maps operators that other languages write as signs to their names in MathJSON
// (cortexjs.io/math-json). The names of functions are in package expr's table of operators.
var mathJSON = map[expr.Op]string{
	expr.Neg: "Negate", expr.Square: "Square", expr.Add: "Add", expr.Sub: "Subtract", expr.Mul: "Multiply", expr.Div: "Divide", expr.Pow: "Power",
}

// tree returns the law as JSON: variables, constants with errors, and the expression in MathJSON.
func tree(s Source) (string, error) {
	type quantity struct {
		Name  string `json:"name"`
		Unit  string `json:"unit,omitempty"`
		Since string `json:"since,omitempty"`
	}
	type constant struct {
		Name   string  `json:"name"`
		Value  float64 `json:"value"`
		StdErr float64 `json:"stderr,omitempty"`
		Unit   string  `json:"unit,omitempty"`
	}
	o := struct {
		Law        string     `json:"law"`
		Target     quantity   `json:"target"`
		Variables  []quantity `json:"variables"`
		Constants  []constant `json:"constants"`
		Expression any        `json:"expression"`
	}{Law: s.Law.String(), Target: quantity(s.quantity(s.Law.Target)), Variables: []quantity{}, Constants: []constant{}}
	free, known := s.inputs()
	for _, v := range free {
		o.Variables = append(o.Variables, quantity(s.quantity(s.Law.Vars[v])))
	}
	names, values, _ := s.constants()
	for i, name := range names {
		k := constant{Name: name, Value: values[i]}
		if i < len(s.Law.Constants) {
			k.StdErr, k.Unit = s.Law.Constants[i].StdErr, s.Law.Constants[i].Unit
		}
		o.Constants = append(o.Constants, k)
	}
	for _, v := range known {
		o.Constants = append(o.Constants, constant{Name: s.Law.Vars[v], Value: s.Known[s.Law.Vars[v]], Unit: s.Units[s.Law.Vars[v]]})
	}
	o.Expression = nested(s.Law.Tree, s.Law.Vars, names)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(o)
	return b.String(), err
}

// nested returns t in MathJSON.
func nested(t expr.Tree, vars, constants []string) any {
	root := t.Nodes()[t.Len()-1]
	switch root.Op {
	case expr.Number:
		return root.Value
	case expr.Var:
		return vars[root.Index]
	case expr.Param:
		return constants[root.Index]
	case expr.Pi:
		return "Pi"
	case expr.Euler:
		return "ExponentialE"
	}
	var args []any
	for _, a := range t.Args() {
		args = append(args, nested(a, vars, constants))
	}
	switch root.Op {
	case expr.Inv:
		return []any{"Divide", 1, args[0]}
	case expr.Cube:
		return []any{"Power", args[0], 3}
	}
	if name, ok := mathJSON[root.Op]; ok {
		return append([]any{name}, args...)
	}
	// The entry "BesselJ 0" means the function BesselJ with the order 0.
	name, order, ok := strings.Cut(root.Op.Operator().Code["json"], " ")
	if n, err := strconv.Atoi(order); ok && err == nil {
		args = append([]any{n}, args...)
	}
	return append([]any{name}, args...)
}
