package export_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/export"
	"github.com/physlib/lab/physlib/expr"
)

// The expression in the JSON has the same values as the law.
func TestJSON(t *testing.T) {
	for _, s := range samples(t) {
		text, err := export.To("json", s.source())
		if err != nil {
			t.Fatal(err)
		}
		var o struct {
			Variables, Constants []struct {
				Name  string
				Value float64
			}
			Expression any
		}
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		for k, want := range s.want() {
			values := map[string]float64{"Pi": math.Pi, "ExponentialE": math.E}
			for _, c := range o.Constants {
				values[c.Name] = c.Value
			}
			for i, v := range o.Variables {
				values[v.Name] = s.points[k][i]
			}
			if got := evaluated(t, o.Expression, values); !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("%s: %v, want %v\n%s", s.law.Formula(), got, want, text)
			}
		}
	}
}

func evaluated(t *testing.T, e any, values map[string]float64) float64 {
	switch x := e.(type) {
	case float64:
		return x
	case string:
		v, ok := values[x]
		if !ok {
			t.Errorf("%s has no value", x)
		}
		return v
	}
	list := e.([]any)
	var a []float64
	for _, p := range list[1:] {
		a = append(a, evaluated(t, p, values))
	}
	if name := list[0].(string); name != "Negate" && name != "Square" {
		for _, o := range expr.Operators() {
			code := strings.Fields(o.Code["json"])
			if len(code) == 0 || code[0] != name || len(code) == 2 && code[1] != fmt.Sprint(a[0]) {
				continue
			}
			x := a[len(a)-1]
			if o.Arity == 1 {
				return o.F1(x)
			}
			return o.F2(a[0], a[1])
		}
	}
	one := map[string]func(float64) float64{"Negate": func(x float64) float64 { return -x }, "Square": func(x float64) float64 { return x * x }}
	if f := one[list[0].(string)]; f != nil {
		return f(a[0])
	}
	switch list[0] {
	case "Add":
		return a[0] + a[1]
	case "Subtract":
		return a[0] - a[1]
	case "Multiply":
		return a[0] * a[1]
	case "Divide":
		return a[0] / a[1]
	case "Power":
		return math.Pow(a[0], a[1])
	}
	t.Errorf("unknown operator %v", list[0])
	return math.NaN()
}
