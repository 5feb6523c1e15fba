package law_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/law"
)

func TestJSONKeys(t *testing.T) {
	l := fitted(t, "c0*a**c1", []string{"a"},
		law.Constant{Name: "c0", Value: 365.0341, StdErr: 0.012, Unit: "d/AU^(3/2)"}, law.Constant{Name: "c1", Value: 1.5, Exact: "3/2"})
	l.R2, l.UnitsOK = 0.99, true
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"law":"365.0341*a**(3/2)","sympy":"365.0341*a**(3/2)","latex":"365.034 a^{\\frac{3}{2}}","go":"365.0341*math.Pow(a, 1.5)",` +
		`"complexity":0,"r2":0.99,"rmse":0,"units_ok":true,"score":0,` +
		`"constants":[{"name":"c0","value":365.0341,"stderr":0.012,"exact":"","unit":"d/AU^(3/2)"},{"name":"c1","value":1.5,"stderr":0,"exact":"3/2"}]}`
	if string(b) != want {
		t.Errorf("got\n%s, want\n%s", b, want)
	}
	b, err = json.Marshal(law.Saved(l))
	if tree := `"tree":{"infix":"c0*a**c1","vars":["a"],"target":"y"}}`; err != nil || !strings.HasSuffix(string(b), tree) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestJSONReadsBack(t *testing.T) {
	laws := []law.Law{
		{},
		fitted(t, "c0*l*c1**2", []string{"unused", "l", "größe"}, law.Constant{Name: "c0", Value: 1.0 / 3, StdErr: 1e-17}, law.Constant{Name: "c1", Value: 39.5, Exact: "4*pi**2"}),
		fitted(t, "2*`a b` + e1", []string{"a b", "e1"}),
		// a column with the name of a constant, and constants in the tree
		fitted(t, "pi*c0", []string{"c0"}, law.Constant{Name: "c0", Value: 3.14, Exact: "pi"}),
	}
	laws[1].Complexity, laws[1].Score, laws[1].RMSE, laws[1].UnitsOK = 12.5, -3e5, 1e-300, true
	for _, l := range laws {
		b, err := json.Marshal(law.Saved(l))
		if err != nil {
			t.Fatal(err)
		}
		var got law.Saved
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if law.Law(got).Infix() != l.Infix() || got.Tree.Hash() != l.Tree.Hash() {
			t.Errorf("%s reads back as %s", l.Infix(), law.Law(got).Infix())
		}
		if p := got.Tree.Params(); !slices.Equal(p, law.Law(got).Params()) {
			t.Errorf("%s: fits start at %v", b, p)
		}
		got.Tree = l.Tree
		if !reflect.DeepEqual(law.Law(got), l) {
			t.Errorf("got %+v, want %+v", got, l)
		}
		// the JSON without tree
		b, _ = json.Marshal(l)
		var plain law.Law
		if err := json.Unmarshal(b, &plain); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if plain.Infix() != l.Infix() || plain.Score != l.Score || !reflect.DeepEqual(plain.Constants, l.Constants) {
			t.Errorf("%s reads back as %+v", b, plain)
		}
		if in, err := plain.Over(l.Vars); err != nil || in.Tree.Hash() != l.Bound().Hash() {
			t.Errorf("%s over %v: %v", plain.Infix(), l.Vars, err)
		}
	}
}

func TestJSONNotFinite(t *testing.T) {
	l := fitted(t, "c0*x", []string{"x"}, law.Constant{Name: "c0", Value: math.NaN(), StdErr: math.Inf(1)})
	l.R2, l.RMSE, l.Score, l.Complexity = math.NaN(), math.Inf(1), math.Inf(-1), 3
	for _, v := range []any{l, law.Saved(l), []law.Law{l}} {
		b, err := json.Marshal(v)
		if err != nil || !strings.Contains(string(b), `"r2":null,"rmse":null`) {
			t.Errorf("%s, %v", b, err)
		}
	}
	b, _ := json.Marshal(law.Saved(l))
	var got law.Law
	if err := json.Unmarshal(b, &got); err != nil || !math.IsNaN(got.R2) || !math.IsNaN(got.Constants[0].Value) || got.Complexity != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestJSONBad(t *testing.T) {
	for _, text := range []string{``, `[]`, `{"law": 3}`, `{"law": "x +"}`, `{"tree": {"infix": "x", "vars": ["y"]}}`, `{"r2": "a"}`} {
		var l law.Law
		if err := json.Unmarshal([]byte(text), &l); err == nil {
			t.Errorf("%s was read as %+v", text, l)
		}
	}
	// unknown and missing keys are not errors
	var l law.Law
	if err := json.Unmarshal([]byte(`{"law": "2*x", "later": 1}`), &l); err != nil || l.Infix() != "2*x" {
		t.Error(l.Infix(), err)
	}
}
