package accept

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
)

// laws lists pairs of a form and a law, and whether the law has the form. x is in 1 to 10 and z in
// 1 to 5. The noise is 2 % of the spread.
var laws = []struct {
	accepted, law string
	equal         bool
}{
	// powers, offsets and factors
	{"c0*x", "3.2*x", true},
	{"c0*x", "3.2*x + 0.5", false},
	{"c0*x+c1", "3.2*x", true},
	{"c0*x**c1", "2*x**(3/4)", true},
	{"c0*x**2", "2*x**2.1", false},
	{"c0*z**c1*x**c2", "sqrt(z)/x**2", true},
	{"c0*z**c1*x**c2", "sqrt(z+1)/x**2", false},
	{"c0*(x+c1)**c2", "5/(x+2)**4", true},
	{"c0*(x+c1)**c2", "5/(x**2+2)**2", false},
	{"c0*sqrt(x+273.15)", "20.05*sqrt(x+273.15)", true},
	{"c0*sqrt(x+273.15)", "20.05*sqrt(x+273.14)", true},
	{"c0*sqrt(x+273.15)", "331.3+0.9*x", false},

	// exponentials
	{"c0*exp(-c1*x)", "5/exp(x)**0.2", true},
	{"c0*exp(-c1*x)", "5/(1+0.2*x)", false},
	{"c0*exp(-c1*x)+c2", "0.3+2**(1-x/4)", true},
	{"c0*exp(-c1*x)", "0.3+2**(1-x/4)", false},
	{"c0*exp(-c1/(x+273.15))", "1e9*exp(-5000/(273.15+x))", true},
	{"c0*exp(c1*x)+c2*exp(c3*x)", "2*exp(-0.2*x)+exp(-1.1*x)", true},
	{"c0*exp(c1*x)+c2*exp(c3*x)", "1/(sqrt(x)*(1+x))", false},
	{"c0*exp(-((x-c1)/c2)**2)+c3", "0.4+2*exp(-0.3*x**2+3.1*x-8)", true},

	// rational functions and saturation
	{"c0*x/(c1+x)", "1/(0.2+0.7/x)", true},
	{"c0*x/(c1+x)", "1/sqrt(0.2+0.7/x)", false},
	{"c0/(1+c1*exp(-c2*x))", "1+tanh(0.4*x-2)", true},
	{"c0/(1+c1*exp(-c2*x))", "exp(-3*exp(-0.4*x))", false},
	{"c0*z/(x-c1)", "z/(0.2*x-0.02)", true},
	{"c0*z/(x-c1)", "pi**3*z/(x-1/x)", false},
	{"c0*x/(c1*(1+z/c2)+x)", "x/(0.02*x+0.02*z+0.16)", true},
	{"c0*x/(c1*(1+z/c2)+x)", "x/(0.02*x+0.02*z*x+0.16)", false},
	{"c0/(1+((x-c1)/c2)**2)+c3", "0.4+2*exp(-0.3*x**2+3.1*x-8)", false},

	// oscillations
	{"c0*cos(c1*x+c2)", "3*sin(2*x+0.3)", true},
	{"c0*cos(c1*x)", "3*sin(2*x+0.3)", false},
	{"c0*cos(pi*x/180)**2+c1", "7+2*cos(pi*x/90)", true},
	{"c0*cos(c1*x)**2+c2", "4-2*sin(1.5*x)**2", true},
	{"c0*exp(-c1*x)*cos(c2*x+c3)", "exp(-0.1*x)*(sin(2*x)+0.4*cos(2*x))", true},
}

var names = []string{"x", "z"}

// measured returns a table with the values of the law y plus normal errors of standard deviation
// sigma.
func measured(t testing.TB, x, z []float64, y func(cols [][]float64) []float64, sigma float64, rng *rand.Rand) *Table {
	t.Helper()
	clean := y([][]float64{x, z})
	if sigma <= 0 {
		sigma = 0.02 * stat.PopStdDev(clean, nil)
	}
	for i := range clean {
		clean[i] += sigma * rng.NormFloat64()
	}
	table, err := NewTable(&dataset.Table{
		Vars:   []dataset.Column{{Name: "x", Values: x}, {Name: "z", Values: z}},
		Target: dataset.Column{Name: "y", Values: clean},
	}, tables.Equal, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func mustForm(t testing.TB, text string) *Form {
	t.Helper()
	f, err := ParseForm(text, names)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustLaw(t testing.TB, text string, constants ...float64) *Law {
	t.Helper()
	var cs []Constant
	for _, v := range constants {
		cs = append(cs, Constant{Value: v})
	}
	l, err := ParseLaw(text, names, cs)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func steps(n int, low, high float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return v
}

func TestMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, c := range laws {
		z := make([]float64, 30)
		for i := range z {
			z[i] = 1 + 4*rng.Float64()
		}
		l := mustLaw(t, c.law)
		table := measured(t, steps(30, 1, 10), z, func(cols [][]float64) []float64 { return l.at(cols, 30) }, 0, rng)
		var refs []*Reference
		if r, ok := NewReference(mustForm(t, c.accepted), table, nil); ok { // not ok: pole at a row
			refs = append(refs, r)
		}
		if got, _ := Match(l, refs); (got != nil) != c.equal {
			t.Errorf("%s is %s: %t, want %t", c.law, c.accepted, got != nil, c.equal)
		}
	}
}

// A law without an offset is not a special case of a form if the data need the offset. A law with a
// wrong offset has the right form and wrong constants.
func TestMatchNeedsTheOffset(t *testing.T) {
	x := steps(30, 1, 10)
	line := func(cols [][]float64) []float64 {
		y := make([]float64, 30)
		for i, v := range cols[0] {
			y[i] = 5 + 3.2*v
		}
		return y
	}
	table := measured(t, x, x, line, 0.05, rand.New(rand.NewPCG(3, 0)))
	r, ok := NewReference(mustForm(t, "c0*x+c1"), table, nil)
	if !ok {
		t.Fatal("no fit")
	}
	if got, _ := Match(mustLaw(t, "3.9*x", 3.9), []*Reference{r}); got != nil {
		t.Error("3.9*x is read as c0*x+c1")
	}
	got, c := Match(mustLaw(t, "3.9*x + 0.2", 3.9, 0.2), []*Reference{r})
	if got == nil || got.near(c) {
		t.Errorf("3.9*x + 0.2: form %v, constants %v right", got, c)
	}
	got, c = Match(mustLaw(t, "3.2*x + 5", 3.2, 5), []*Reference{r})
	if got == nil || !got.near(c) {
		t.Errorf("3.2*x + 5: form %v, constants %v wrong", got, c)
	}
}

func TestLawConstants(t *testing.T) {
	for _, c := range []struct {
		text      string
		constants []float64
		k, free   int
	}{
		{"2*x", nil, 0, 0},
		{"2.5*x", []float64{2.5}, 1, 1},
		{"-2.5*x", []float64{2.5}, 1, 1},
		{"2.5*x + 2.5", []float64{2.5}, 2, 2},
		{"x**41", nil, 1, 0},
		{"x**(11/8)", nil, 1, 0},
		{"x**(3/2)*z**-2", nil, 0, 0},
		{"x**1.37", []float64{1.37}, 1, 1},
		{"2**x", nil, 0, 0},
	} {
		l := mustLaw(t, c.text, c.constants...)
		if l.k != c.k || l.tree.NumParams() != c.free {
			t.Errorf("%s: k %d, free %d; want %d, %d", c.text, l.k, l.tree.NumParams(), c.k, c.free)
		}
	}
	if _, err := ParseLaw("c0*x", names, nil); err == nil {
		t.Error("a law with a free constant is read")
	}
	if _, err := ParseLaw("2*w", names, nil); err == nil {
		t.Error("a law in another column is read")
	}
}

// Every accepted form of the embedded tables can be parsed and fitted. The fitted form itself is
// accepted, with right constants.
func TestAcceptedForms(t *testing.T) {
	all, err := tables.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Accepted == nil {
			continue
		}
		table, err := Measured(e)
		if err != nil {
			t.Error(err)
			continue
		}
		refs, err := References(e, table)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(table.y) != e.Rows-len(e.BadRows) {
			t.Errorf("%s: %d rows", e.Name, len(table.y))
		}
		for _, r := range refs {
			l := Reported{Law: r.Form.tree.Bind(r.Constants).Infix(table.Names)}
			for _, c := range r.Constants {
				l.Constants = append(l.Constants, Constant{Value: c})
			}
			v := Judge(table, refs, &l, nil, true)
			if !v.Chosen || !v.Front || v.Over || v.SureWrong || v.ConstantsOK == nil || !*v.ConstantsOK {
				t.Errorf("%s: %s: %+v", e.Name, l.Law, v)
			}
		}
	}
}
