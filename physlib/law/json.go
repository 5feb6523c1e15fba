package law

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/expr"
)

// object is a Law as JSON.
type object struct {
	Law        string           `json:"law"`
	SymPy      string           `json:"sympy"`
	LaTeX      string           `json:"latex"`
	Go         string           `json:"go"`
	Complexity number           `json:"complexity"`
	R2         number           `json:"r2"`
	RMSE       number           `json:"rmse"`
	UnitsOK    bool             `json:"units_ok"`
	Score      number           `json:"score"`
	Constants  []constantObject `json:"constants"`
}

type constantObject struct {
	Name   string `json:"name"`
	Value  number `json:"value"`
	StdErr number `json:"stderr"`
	Exact  string `json:"exact"`
	Unit   string `json:"unit,omitempty"`
}

// number is a float64 whose NaN and infinities are written as null, since JSON has none; null reads as NaN.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func (n *number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// MarshalJSON writes the keys law, sympy, latex, go, complexity, r2, rmse, units_ok, score and constants. "law" is Infix:
// its numbers are those of the constants, at full precision.
func (l Law) MarshalJSON() ([]byte, error) {
	o := object{
		Law: l.Infix(), SymPy: l.SymPy(), LaTeX: l.LaTeX(), Go: l.Go(),
		Complexity: number(l.Complexity), R2: number(l.R2), RMSE: number(l.RMSE),
		UnitsOK: l.UnitsOK, Score: number(l.Score), Constants: []constantObject{},
	}
	for _, c := range l.Constants {
		o.Constants = append(o.Constants, constantObject{c.Name, number(c.Value), number(c.StdErr), c.Exact, c.Unit})
	}
	return json.Marshal(o)
}

// UnmarshalJSON reads what MarshalJSON wrote. The variables are the names that occur in "law", by first appearance (see
// [Law.Over]); numbers equal to the value of a constant become free constants that start there; of the derived strings
// none is kept.
func (l *Law) UnmarshalJSON(b []byte) error {
	var o object
	if err := json.Unmarshal(b, &o); err != nil {
		return fmt.Errorf("law: %w", err)
	}
	vars := names(o.Law)
	*l = Law{Vars: vars, Complexity: float64(o.Complexity), R2: float64(o.R2), RMSE: float64(o.RMSE),
		UnitsOK: o.UnitsOK, Score: float64(o.Score)}
	if o.Law == "" {
		return nil
	}
	t, err := expr.Parse(o.Law, vars)
	if err != nil {
		return fmt.Errorf("law: %q: %w", o.Law, err)
	}
	var rest []Constant
	for _, c := range o.Constants {
		k := Constant{c.Name, float64(c.Value), float64(c.StdErr), c.Exact, c.Unit}
		slot := len(l.Constants)
		if free, ok := freeValue(t, k.Value, slot); ok {
			t = free
			l.Constants = append(l.Constants, k)
			continue
		}
		rest = append(rest, k)
	}
	l.Tree, l.Constants = t, append(l.Constants, rest...)
	return nil
}

// freeValue is t with every number v made free constant number slot; ok tells whether there was one.
func freeValue(t expr.Tree, v float64, slot int) (out expr.Tree, ok bool) {
	nodes := t.Nodes()
	start := make([]int, len(nodes))
	value := make([]float64, len(nodes))
	var kept []expr.Node
	length := make([]int, len(nodes)) // of kept after the subtree that ends here, relative to its start
	for i, n := range nodes {
		start[i], value[i] = i, math.NaN()
		length[i] = 1
		switch n.Op.Arity() {
		case 0:
			if n.Op == expr.Number {
				value[i] = n.Value
			}
		case 1:
			start[i], length[i] = start[i-1], length[i-1]+1
			if n.Op == expr.Neg {
				value[i] = -value[i-1]
			}
		case 2:
			a := start[i-1] - 1
			start[i], length[i] = start[a], length[a]+length[i-1]+1
			if n.Op == expr.Div {
				value[i] = value[a] / value[i-1]
			}
		}
		kept = append(kept, n)
		if value[i] == v {
			kept = append(kept[:len(kept)-length[i]], expr.Node{Op: expr.Param, Index: int32(slot), Value: v})
			length[i], ok = 1, true
		}
	}
	out, _ = expr.FromNodes(kept)
	return out, ok
}

// names are the variables in the infix text of a law, by first appearance.
func names(text string) []string {
	var vars []string
	found := func(name string) {
		if !slices.Contains(vars, name) {
			vars = append(vars, name)
		}
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r >= '0' && r <= '9' || r == '.':
			i += numberLength(text[i:])
		case r == '`':
			n := strings.IndexByte(text[i+1:], '`')
			if n < 0 {
				return vars
			}
			found(text[i+1 : i+1+n])
			i += n + 2
		case r == '_' || unicode.IsLetter(r):
			n := nameLength(text[i:])
			name := text[i : i+n]
			if !strings.HasPrefix(strings.TrimLeft(text[i+n:], " "), "(") && name != "pi" && name != "e" {
				found(name)
			}
			i += n
		default:
			i += size
		}
	}
	return vars
}

// nameLength is the length of the name at the start of text: letters, _, digits, subscript digits and accents.
func nameLength(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	if n < 0 {
		return len(text)
	}
	return n
}

// numberLength is the length of the number at the start of text.
func numberLength(text string) int {
	n := 0
	for n < len(text) {
		c := text[n]
		switch {
		case c >= '0' && c <= '9' || c == '.':
		case (c == 'e' || c == 'E') && n+1 < len(text) && strings.IndexByte("+-0123456789", text[n+1]) >= 0:
			n++
		default:
			return n
		}
		n++
	}
	return n
}

// Over is l with its variables numbered by vars, the names of a table's columns and constants.
func (l Law) Over(vars []string) (Law, error) {
	at := map[string]int32{}
	for i, v := range vars {
		at[v] = int32(i)
	}
	nodes := append([]expr.Node(nil), l.Tree.Nodes()...)
	for i, n := range nodes {
		if n.Op != expr.Var {
			continue
		}
		if int(n.Index) >= len(l.Vars) {
			return l, fmt.Errorf("law: variable %d has no name", n.Index)
		}
		j, ok := at[l.Vars[n.Index]]
		if !ok {
			return l, fmt.Errorf("law: the table has no column %q, which %q needs: rename one of its columns", l.Vars[n.Index], l.Infix())
		}
		nodes[i].Index = j
	}
	if len(nodes) > 0 {
		l.Tree, _ = expr.FromNodes(nodes)
	}
	l.Vars = vars
	return l, nil
}
