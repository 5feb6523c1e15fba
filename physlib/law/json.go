package law

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

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
	Scored     string           `json:"scored,omitempty"`
	SI         string           `json:"si,omitempty"`
	// Covariance of the constants, row by row.
	Covariance []number `json:"covariance,omitempty"`
	Errors     string   `json:"errors,omitempty"`
	Noise      number   `json:"noise,omitempty"`
	Dof        int      `json:"dof,omitempty"`
	Proposer   string   `json:"proposer,omitempty"`
}

type constantObject struct {
	Name   string `json:"name"`
	Value  number `json:"value"`
	StdErr number `json:"stderr"`
	Exact  string `json:"exact"`
	Unit   string `json:"unit,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// number is a float64 in JSON. JSON has no NaN and no infinities, so they are written as null. null
// is read as NaN.
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

// MarshalJSON writes the keys law, sympy, latex, go, complexity, r2, rmse, units_ok, score and
// constants. The keys scored, covariance, si, errors, noise, dof and proposer follow if their
// values are known. "law" is the result of Infix. A constant with the closed form 0, whose term
// was removed, is omitted. Numbers that are not finite are written as null.
func (l Law) MarshalJSON() ([]byte, error) { return json.Marshal(l.object()) }

func (l Law) object() object {
	o := object{
		Law: l.Infix(), SymPy: l.SymPy(), LaTeX: l.LaTeX(), Go: l.Go(),
		Complexity: number(l.Complexity), R2: number(l.R2), RMSE: number(l.RMSE),
		UnitsOK: l.UnitsOK, Score: number(l.Score), Constants: []constantObject{}, Scored: l.Scored, SI: l.SI, Proposer: l.Proposer,
		Errors: l.Errors, Noise: number(l.Noise), Dof: l.Dof,
	}
	for _, v := range l.Cov {
		o.Covariance = append(o.Covariance, number(v))
	}
	for i, c := range l.Constants {
		if i >= l.Tree.NumParams() && c.Exact == "0" {
			continue // the term of the constant was removed
		}
		o.Constants = append(o.Constants, constantObject{c.Name, number(c.Value), number(c.StdErr), c.Exact, c.Unit, c.Hint})
	}
	return o
}

// UnmarshalJSON reads the output of MarshalJSON of a Law or of a [Saved]. The output for a Law has
// no key "tree". In this case, constants remain numbers in Tree, and Target is unknown. Vars are
// then the names that occur in "law", in order of appearance; see [Law.Over].
func (l *Law) UnmarshalJSON(b []byte) error {
	var o savedObject
	if err := json.Unmarshal(b, &o); err != nil {
		return fmt.Errorf("law: %w", err)
	}
	*l = Law{Complexity: float64(o.Complexity), R2: float64(o.R2), RMSE: float64(o.RMSE),
		UnitsOK: o.UnitsOK, Score: float64(o.Score), Scored: o.Scored, SI: o.SI, Proposer: o.Proposer, Errors: o.Errors, Noise: float64(o.Noise), Dof: o.Dof}
	for _, v := range o.Covariance {
		l.Cov = append(l.Cov, float64(v))
	}
	for _, c := range o.Constants {
		if math.IsNaN(float64(c.StdErr)) {
			c.StdErr = 0 // unknown
		}
		l.Constants = append(l.Constants, Constant{Name: c.Name, Value: float64(c.Value), StdErr: float64(c.StdErr), Exact: c.Exact, Unit: c.Unit, Hint: c.Hint})
	}
	text := o.Law
	if o.Tree == nil {
		l.Vars = slices.DeleteFunc(expr.Mentioned(text), func(name string) bool { return name == "pi" || name == "e" })
	} else {
		text, l.Vars, l.Target = o.Tree.Infix, o.Tree.Vars, o.Tree.Target
	}
	if text == "" {
		return nil
	}
	t, err := expr.Parse(text, l.Vars)
	if err != nil {
		return fmt.Errorf("law: %q: %w", text, err)
	}
	l.Tree = t
	l.Tree = t.WithStarts(l.Params())
	return nil
}

// Saved is a Law that can be read back unchanged from its JSON, with free constants and the same
// indices of variables. For this, its JSON has one more key, "tree".
type Saved Law

type savedObject struct {
	object
	Tree *treeObject `json:"tree,omitempty"`
}

type treeObject struct {
	Infix  string   `json:"infix"` // with free constants c0, c1, …
	Vars   []string `json:"vars"`
	Target string   `json:"target"`
}

// MarshalJSON writes the keys of a Law, and the key tree.
func (s Saved) MarshalJSON() ([]byte, error) {
	l := Law(s)
	return json.Marshal(savedObject{l.object(), &treeObject{l.Tree.Infix(l.Vars), l.Vars, l.Target}})
}

// UnmarshalJSON reads the output of MarshalJSON of a Law or of a Saved.
func (s *Saved) UnmarshalJSON(b []byte) error { return (*Law)(s).UnmarshalJSON(b) }
