package require_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/require"
)

func table() require.Table {
	var x, y []float64
	for i := range 30 {
		x, y = append(x, 0.2+0.1*float64(i)), append(y, 1+0.3*float64(i%7))
	}
	return require.NewTable([]string{"x", "y"}, [][]float64{x, y})
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		statement, law string
		want           bool
	}{
		{"positive", "x*y", true}, {"positive", "x - y", false}, {"negative", "-x*y", true},
		{"even in x", "cos(x)*y", true}, {"even in x", "x + y", false}, {"even in x", "log(x)", false},
		{"odd in x", "sin(x)*y", true}, {"T: odd in x", "x**2", false},
		{"increasing in x", "x**2*y", true}, {"increasing in x", "sin(3*x)", false},
		{"decreasing in y", "x/y", true}, {"monotone in x", "exp(-x)", true}, {"monotone in x", "cos(3*x)", false},
		{"x=0: 1", "exp(-x*y)", true}, {"x=0: 1", "2*exp(-x)", false}, {"x=0: y", "y*cosh(x)", true},
		{"T(x=0) = 1", "1 + x*y", true}, {"x=0: 1", "sin(x)/x", true},
		{"x->inf: 1/x", "y/(1 + x)", true}, {"x->Infinity: 0", "1/x", true}, {"x->-INF: 0", "1/x", true}, {"x->inf: 1/x", "y/(1 + x**2)", false}, {"x->inf: 0", "exp(-x)", true},
		{"x->inf: 0", "1 + exp(-x)", false}, {"x->inf: y", "y*tanh(x)", true}, {"x->0: x", "sin(x)", true},
		{"x->-inf: 0", "exp(x)", true}, {"x -> inf : x**2", "3*x**2 + x", true},
	} {
		s, err := require.Parse(c.statement, "T", []string{"x", "y"}, nil)
		if err != nil {
			t.Errorf("%s: %v", c.statement, err)
			continue
		}
		law, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Holds(law, table()); got != c.want {
			t.Errorf("%s of %s: %t, want %t", c.statement, c.law, got, c.want)
		}
	}
}

func TestContradiction(t *testing.T) {
	for _, c := range []struct {
		statements string
		want       bool
	}{
		{"x=0: 0|x=0: 1", true}, {"x=0: y|x=0: 1", true}, {"f(0)=1|f(0)=2", true}, {"positive|x=0: 2|negative", true},
		{"even in x|odd in x", true}, {"increasing in x|decreasing in x", true}, {"x->inf: 1|x->inf: 2", true},
		{"x=0: 0|x=1: 1", false}, {"x=0: 1|x=0: 1", false}, {"f(0)=1|x=0: 2", false}, {"f: positive|negative", false},
		{"even in x|odd in y", false}, {"increasing in x|monotone in x", false}, {"x->inf: 1/x|x->inf: 0", false},
	} {
		var all require.Statements
		for _, text := range strings.Split(c.statements, "|") {
			one, err := require.Parse(text, "T", []string{"x", "y"}, []string{"f"})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		if a, b, got := all.Contradiction(); got != c.want {
			t.Errorf("%s: %t (%s, %s)", c.statements, got, a, b)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{"smooth", "is not a statement about a law; write it as 'positive'"},
		{"even in z", "there is no column z; the columns are x, y"},
		{"g(0)=1", "g is neither the target nor an unknown function; known names are T, f"},
		{"x=0: 1 +", "x=0"},
		{"T(0)=1", "name the column, as in T(x=0) = 1"},
		{"x->soon: 1", "is not a statement"},
	} {
		if _, err := require.Parse(c.statement, "T", []string{"x", "y"}, []string{"f"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.statement, err, c.want)
		}
	}
	if s, err := require.Parse("f(0)=1", "T", []string{"x", "y"}, []string{"f"}); err != nil || s.Subject != "f" {
		t.Errorf("f(0)=1: %v, %v", s, err)
	}
}

// A form that violates a statement is adapted so that it satisfies the statement.
func ExampleStatements_Adapted() {
	s, err := require.Parse("x=0: 1", "T", []string{"x", "y"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	tree, _ := expr.Parse("c0 + c1*x", []string{"x", "y"})
	fitted := tree.WithStarts([]float64{0.9, 2.3})
	for _, a := range (require.Statements{s}).Adapted(fitted, table()) {
		fmt.Println(a.Infix([]string{"x", "y"}))
	}
	// Output:
	// c0*x + 1
	// x + 1
}

func TestShape(t *testing.T) {
	for _, c := range []struct {
		law   string
		shape require.Shape
		want  bool
	}{
		{"x*y", require.Shape{}, true},
		{"x*y", require.Shape{Need: []int{1}}, true}, {"x**2", require.Shape{Need: []int{1}}, false},
		{"x*y", require.Shape{Without: []int{1}}, false}, {"exp(x)", require.Shape{No: []expr.Op{expr.Exp}}, false},
		{"sin(exp(x))", require.Shape{Nesting: map[expr.Op]int{expr.Sin: 0}}, false},
		{"sin(2*x) + exp(y)", require.Shape{Nesting: map[expr.Op]int{expr.Sin: 0}}, true},
		{"exp(sin(x))", require.Shape{Nesting: map[expr.Op]int{expr.Sin: 0}}, true},
		{"exp(sin(cos(x)))", require.Shape{Nesting: map[expr.Op]int{expr.Exp: 1}}, false},
	} {
		law, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.shape.Allows(law); got != c.want {
			t.Errorf("%s: %t, want %t", c.law, got, c.want)
		}
	}
}
