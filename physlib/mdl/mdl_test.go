package mdl_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/prior"
	"github.com/physlib/lab/physlib/survey"
	"github.com/physlib/lab/physlib/unit"
)

// table makes a table with the target y in yUnit and a column x in xUnit.
func table(t testing.TB, y []float64, yUnit string, x []float64, xUnit string) *dataset.Table {
	t.Helper()
	column := func(name, u string, v []float64) dataset.Column {
		c := dataset.Column{Name: name, Values: v}
		if u != "" {
			parsed, err := unit.Parse(u)
			if err != nil {
				t.Fatal(err)
			}
			c.Unit, c.HasUnit = parsed, true
		}
		return c
	}
	return &dataset.Table{Name: "test", Target: column("y", yUnit, y), Vars: []dataset.Column{column("x", xUnit, x)}}
}

// score fits law, over x0, to the table.
func score(t testing.TB, d *dataset.Table, law string) (mdl.Score, bool) {
	t.Helper()
	tree, err := expr.Parse(law, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := mdl.New(d, prior.Default(), true)
	return m.Scorer().Score(m.FromColumns(tree), mdl.Effort{Starts: 20, Final: true})
}

func noisy(n int, f func(x float64, rng *rand.Rand) float64) (x, y []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		x = append(x, 1+float64(i)*9/float64(n-1)+0.01*rng.Float64())
		y = append(y, f(x[i], rng))
	}
	return x, y
}

// The law from which the data were made has the shortest description, and its error model is that
// of the data.
func TestScoreChooses(t *testing.T) {
	for _, test := range []struct {
		name   string
		f      func(x float64, rng *rand.Rand) float64
		true   string
		others []string
		errors mdl.Errors
	}{
		{"decay with offset, equal errors", func(x float64, rng *rand.Rand) float64 { return 9*math.Exp(-0.5*x) + 0.3 + 0.02*rng.NormFloat64() },
			"c0*exp(c1*x0) + c2", []string{"c0*x0**c1", "c0/(x0 + c1)**2", "c0*exp(c1*x0)", "c0*x0 + c1"}, mdl.Equal},
		{"power law over decades, factors", func(x float64, rng *rand.Rand) float64 { return 3 * math.Pow(x, 3) * math.Exp(0.1*rng.NormFloat64()) },
			"c0*x0**3", []string{"c0*exp(c1*x0)", "c0*x0**2 + c1", "c0*x0**3 + c1*x0**2 + c2"}, mdl.Proportional},
		{"line with slips, heavy tails", func(x float64, rng *rand.Rand) float64 {
			y := 2*x - 11 + 0.05*rng.NormFloat64()
			if rng.IntN(9) == 0 {
				y += 4
			}
			return y
		}, "c0*x0 + c1", []string{"c0*x0**2 + c1*x0 + c2", "c0*x0**c1 + c2"}, mdl.HeavyTailed},
	} {
		x, y := noisy(30, test.f)
		d := table(t, y, "", x, "")
		best, ok := score(t, d, test.true)
		if !ok || best.Model != test.errors {
			t.Errorf("%s: %v, errors %v, want %v", test.name, ok, best.Model, test.errors)
		}
		for _, o := range test.others {
			if s, ok := score(t, d, o); ok && s.Bits < best.Bits {
				t.Errorf("%s: %s has %.1f bits, %s %.1f", test.name, o, s.Bits, test.true, best.Bits)
			}
		}
		m := mdl.New(d, prior.Default(), true)
		if c := m.Scorer().Constant(); c.Bits < best.Bits {
			t.Errorf("%s: a constant has %.1f bits, the law %.1f", test.name, c.Bits, best.Bits)
		}
	}
}

// With errors proportional to the value, the logarithms are fitted. So a fitted constant is the
// geometric mean, and a fitted power law is the straight line through the logarithms. This holds
// for errors of any size.
func TestLargeRelativeErrors(t *testing.T) {
	x, y := noisy(30, func(x float64, rng *rand.Rand) float64 { return 2 * math.Sqrt(x) * math.Exp(1.2*rng.NormFloat64()) })
	d := table(t, y, "", x, "")
	m := mdl.New(d, prior.Default(), true)
	lx, ly := make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		lx[i], ly[i] = math.Log(x[i]), math.Log(y[i])
	}
	intercept, slope := stat.LinearRegression(lx, ly, nil, false)
	for _, test := range []struct {
		law  string
		want []float64
	}{
		{"c0", []float64{math.Exp(stat.Mean(ly, nil))}},
		{"c0*x0**c1", []float64{math.Exp(intercept), slope}},
	} {
		tree, err := expr.Parse(test.law, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, ok := m.Scorer().Refit(m.FromColumns(tree.WithStarts([]float64{1, 0.5}[:tree.NumParams()])), mdl.Proportional)
		if !ok || !floats.EqualApprox(c.Params, test.want, 1e-3) {
			t.Errorf("%s: constants %v, want %v", test.law, c.Params, test.want)
		}
	}
}

// A change of the columns' units changes the bits of all laws by the same amount.
func TestUnitsShiftAllAlike(t *testing.T) {
	x, y := noisy(20, func(x float64, rng *rand.Rand) float64 { return 4*math.Exp(-x/3) + 0.03*rng.NormFloat64() })
	laws := []string{"c0*exp(c1*x0)", "c0*x0**c1", "c0/(x0 + c1)", "c0*x0 + c1"}
	var shift float64
	for i, law := range laws {
		a, _ := score(t, table(t, y, "V", x, "s"), law)
		ms := make([]float64, len(x))
		for k, v := range x {
			ms[k] = 1000 * v
		}
		b, _ := score(t, table(t, y, "V", ms, "ms"), law)
		if i == 0 {
			shift = b.Bits - a.Bits
		}
		if math.Abs(b.Bits-a.Bits-shift) > 1 {
			t.Errorf("%s: %.3f bits in s, %.3f in ms, others shift by %.3f", law, a.Bits, b.Bits, shift)
		}
	}
}

// A law with a constant that the data do not determine costs no less than the law without it.
func TestLimitsCostMore(t *testing.T) {
	x, y := noisy(20, func(x float64, rng *rand.Rand) float64 { return 4*math.Exp(-x/3) + 1 + 0.02*rng.NormFloat64() })
	d := table(t, y, "", x, "")
	plain, _ := score(t, d, "c0*exp(c1*x0) + c2")
	for _, law := range []string{"c0*exp(c1*x0)/(x0 + c2) + c3", "c0*exp(c1*x0/(x0 + c2)) + c3"} {
		if s, ok := score(t, d, law); ok && s.Bits < plain.Bits {
			t.Errorf("%s: %.1f bits, in the limit %.1f", law, s.Bits, plain.Bits)
		}
	}
}

// Laws that no table can support are refused: steep powers, frequencies above Nyquist's, as many
// constants as rows, values that are not finite.
func TestRefused(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	grow := make([]float64, len(x))
	wave := make([]float64, len(x))
	far := make([]float64, len(x))
	for i, v := range x {
		far[i] = 100 + v
		grow[i], wave[i] = math.Exp(3*v)*(1+0.01*float64(i%3)), math.Sin(0.62*v)+0.01*float64(i%3)
	}
	if s, ok := score(t, table(t, grow, "", far, ""), "c0*x0**c1"); ok {
		t.Errorf("the power %v", s.Params[1])
	}
	tree, _ := expr.Parse("sin(c0*x0)", nil)
	m := mdl.New(table(t, wave, "", x, ""), prior.Default(), true)
	if s, ok := m.Scorer().Score(tree.WithStarts([]float64{0.62 + 2*math.Pi}), mdl.Effort{Final: true}); ok {
		t.Errorf("the alias %v", s.Params)
	}
	for i, v := range x { // the square of a sine has half the period of the sine
		wave[i] = math.Pow(math.Sin(0.4*v), 2) + 0.01*float64(i%3)
	}
	m = mdl.New(table(t, wave, "", x, ""), prior.Default(), true)
	for alias, right := range map[float64]bool{0.4: true, math.Pi - 0.4: false} {
		tree, _ := expr.Parse("sin(c0*x0)**2", nil)
		if s, ok := m.Scorer().Score(tree.WithStarts([]float64{alias}), mdl.Effort{Final: true}); ok != right {
			t.Errorf("square of a sine: %v, accepted: %v", s.Params, ok)
		}
	}
	near := make([]float64, 24) // three values near each of eight evenly spaced ones
	for i := range near {
		near[i] = 10*float64(i/3) + 0.5*float64(i*i%3)
	}
	for frequency, right := range map[float64]bool{0.1: true, 0.1 + 2*math.Pi/10: false} {
		y := make([]float64, len(near))
		for i, v := range near {
			y[i] = math.Sin(frequency*v) + 0.01*float64(i%5)
		}
		m := mdl.New(table(t, y, "", near, ""), prior.Default(), true)
		if s, ok := m.Scorer().Score(tree.WithStarts([]float64{frequency}), mdl.Effort{Final: true}); ok != right {
			t.Errorf("frequency %v along groups of values: %v, accepted: %v", frequency, s.Params, ok)
		}
	}
	for rows, enough := range map[int]bool{4: false, 5: false, 6: true, 7: true} {
		if _, ok := score(t, table(t, wave[:rows], "", x[:rows], ""), "c0 + c1*x0 + c2*x0**2"); ok != enough {
			t.Errorf("three constants for %d rows: accepted %v, want %v", rows, ok, enough)
		}
	}
	if _, ok := score(t, table(t, wave, "", x, ""), "log(-x0)"); ok {
		t.Error("a law without values")
	}
}

// The current of a varistor is a steep power of the voltage. Its law has as many bits with units as
// without, and fewer than an exponential that fits as well.
func TestSteepPower(t *testing.T) {
	v := make([]float64, 12)
	i := make([]float64, len(v))
	for k := range v {
		v[k] = 20 + 3.5*float64(k)
		i[k] = 1e-3 * math.Pow(v[k]/40, 24) * (1 + 0.02*float64(k*7%5-2))
	}
	with, ok := score(t, table(t, i, "A", v, "V"), "c0*x0**c1")
	if !ok {
		t.Fatal("a power of 24 is refused")
	}
	if without, _ := score(t, table(t, i, "", v, ""), "c0*x0**c1"); math.Abs(with.Bits-without.Bits) > 1 {
		t.Errorf("with units %.1f bits, without %.1f", with.Bits, without.Bits)
	}
	if e, ok := score(t, table(t, i, "A", v, "V"), "c0*exp(c1*x0/(x0 + c2))"); ok && e.Bits < with.Bits+2 {
		t.Errorf("the power has %.1f bits, an exponential %.1f", with.Bits, e.Bits)
	}
}

// Temperatures above the absolute zero and angles in radians are found in laws over columns in °C
// and degrees.
func TestFromColumns(t *testing.T) {
	x := []float64{10, 21, 33, 47, 50.5}
	for _, test := range []struct{ unit, law string }{{"degC", "exp(c0/(x0 + 273.15))"}, {"deg", "c0*sin(pi*x0/180)"}} {
		m := mdl.New(table(t, x, "", x, test.unit), prior.Default(), true)
		tree, _ := expr.Parse(test.law, nil)
		converted := m.FromColumns(tree)
		if vars := converted.Vars(); len(vars) != 1 || int(vars[0]) != m.Vars() {
			t.Errorf("%s: becomes %v", test.law, converted)
		}
		a, b := make([]float64, len(x)), make([]float64, len(x))
		expr.Compile(tree).Eval(a, m.Cols, []float64{2})
		expr.Compile(m.ToColumns(converted)).Eval(b, m.Cols, []float64{2})
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-12*math.Abs(a[i]) {
				t.Errorf("%s: %v, converted and back %v", test.law, a[i], b[i])
			}
		}
	}
}

func ExampleScorer_Score() {
	x := []float64{0.02, 0.06, 0.11, 0.22, 0.56, 1.1} // concentration of a substrate
	y := []float64{61, 103, 131, 155.5, 196, 203.5}   // velocity of an enzyme
	d := &dataset.Table{Target: dataset.Column{Name: "v", Values: y}, Vars: []dataset.Column{{Name: "S", Values: x}}}
	s := mdl.New(d, prior.Default(), true).Scorer()
	for _, law := range []string{"c0*x0/(c1 + x0)", "c0*x0 + c1"} {
		t, _ := expr.Parse(law, nil)
		c, _ := s.Score(t, mdl.Effort{Starts: 10, Final: true})
		fmt.Printf("%-16s %.0f bits, %v errors\n", law, c.Bits, c.Model)
	}
	// Output:
	// c0*x0/(c1 + x0)  50 bits, equal errors
	// c0*x0 + c1       54 bits, equal errors
}

// If the target is in degrees, the law is printed with the conversion factor 180/pi, and parsing it
// gives the same law.
func TestDegreesOfTarget(t *testing.T) {
	u, err := unit.Parse("deg")
	if err != nil {
		t.Fatal(err)
	}
	f := []float64{10, 20, 50, 100, 200, 500}
	phi := make([]float64, len(f))
	for i, v := range f {
		phi[i] = 180 / math.Pi * math.Atan(0.0066*v)
	}
	m := mdl.New(&dataset.Table{Vars: []dataset.Column{{Name: "f", Values: f}},
		Target: dataset.Column{Name: "phi", Values: phi, Unit: u, HasUnit: true}}, survey.Catalogue(), true)
	x := expr.Apply(expr.Atan, expr.Apply(expr.Mul, expr.C(0, 0.0066), expr.X(0)))
	law, ok := m.InDegrees(x)
	if !ok {
		t.Fatal("an arctangent is not an angle")
	}
	low := m.ToColumns(law)
	if got := low.Infix([]string{"f"}); got != "180*atan(c0*f)/pi" {
		t.Errorf("the law is written %s", got)
	}
	for _, text := range []string{"180*atan(c0*f)/pi", "180/pi*atan(c0*f)", "atan(c0*f)*180/pi", "57.29577951308232*atan(c0*f)"} {
		tree, err := expr.Parse(text, []string{"f"})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.FromColumns(tree); got.String() != law.String() {
			t.Errorf("%s is read as %s, want %s", text, got, law)
		}
	}
}

// An angle that is converted to radians and back is printed as in the table.
func TestRadiansAndBack(t *testing.T) {
	u, err := unit.Parse("deg")
	if err != nil {
		t.Fatal(err)
	}
	theta := []float64{10, 20, 30, 40, 50, 60}
	m := mdl.New(&dataset.Table{Vars: []dataset.Column{{Name: "theta", Values: theta, Unit: u, HasUnit: true}},
		Target: dataset.Column{Name: "y", Values: []float64{1, 2, 3, 4, 5, 7}}}, survey.Catalogue(), true)
	for law, want := range map[string]string{
		"cos(c0*theta)":         "cos(c0*theta)",
		"c0*cos(0.25*theta)":    "c0*cos(1/4*theta)",
		"sin(2*pi*theta/180)":   "sin(1/90*pi*theta)",
		"c0*theta + sin(theta)": "c0*theta + sin(theta)",
	} {
		tree, err := expr.Parse(law, []string{"theta"})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.ToColumns(m.FromColumns(tree)).Canonical().Infix([]string{"theta"}); got != want {
			t.Errorf("%s is written %s, want %s", law, got, want)
		}
	}
}

// If data lie exactly on a line, a law that only approaches a line has no shorter description. In
// such a law, rounding errors of the calculations hide how errors of x propagate.
func TestExactLine(t *testing.T) {
	d := table(t, []float64{0, 2.1, 4.2, 6.300000000000001, 8.4}, "", []float64{0, 1, 2, 3, 4}, "")
	line, ok := score(t, d, "c0*x0")
	if !ok {
		t.Fatal("the line does not fit")
	}
	tree, err := expr.Parse("c0*(exp(c1*x0) - 1)", nil)
	if err != nil {
		t.Fatal(err)
	}
	m := mdl.New(d, prior.Default(), true)
	tree = m.FromColumns(tree).WithStarts([]float64{3.8e8, 5.46e-9})
	if curve, ok := m.Scorer().Score(tree, mdl.Effort{Final: true}); ok && curve.Bits < line.Bits {
		t.Errorf("%g bits by a curve, %g by the line", curve.Bits, line.Bits)
	}
}

// Once Effort.Done is closed, no law can be fitted.
func TestDone(t *testing.T) {
	done := make(chan struct{})
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 30 {
		x := 1 + 0.1*float64(i)
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, 3*x*x+0.1*math.Sin(float64(i*i)))
	}
	s := mdl.New(table, survey.Catalogue(), true).Scorer()
	law := expr.Apply(expr.Mul, expr.C(0, 1), expr.Apply(expr.Square, expr.X(0)))
	if _, ok := s.Score(law, mdl.Effort{Final: true, Done: done}); !ok {
		t.Error("a law is not fitted before Done is closed")
	}
	close(done)
	if c, ok := s.Score(law, mdl.Effort{Final: true, Done: done}); ok {
		t.Errorf("fitted after Done is closed: %v", c.Tree)
	}
}

// A law of an absolute temperature costs one bit more if the target is in °C, and its units
// balance.
func TestAbsoluteTarget(t *testing.T) {
	r := []float64{32650, 19900, 12490, 10000, 8057, 5327, 3603, 2488, 1752, 1258}
	kelvin, celsius := make([]float64, len(r)), make([]float64, len(r))
	for i, v := range r {
		celsius[i] = math.Round(10*(1/(1.13e-3+2.34e-4*math.Log(v)+8.8e-8*math.Pow(math.Log(v), 3))-273.15)) / 10
		kelvin[i] = celsius[i] + 273.15
	}
	const law = "1/(c0 + c1*log(x0) + c2*log(x0)**3)"
	inKelvin, _ := score(t, table(t, kelvin, "K", r, "ohm"), law)
	inCelsius, ok := score(t, table(t, celsius, "degC", r, "ohm"), law+" - 273.15")
	if !ok || !inCelsius.Balanced {
		t.Errorf("fit %v, balanced %v", ok, inCelsius.Balanced)
	}
	if form, want := inCelsius.FormBits+inCelsius.UnitBits, inKelvin.FormBits+inKelvin.UnitBits+1; math.Abs(form-want) > 0.1 {
		t.Errorf("the form has %.1f bits in °C, want %.1f", form, want)
	}
	m := mdl.New(table(t, celsius, "degC", r, "ohm"), prior.Default(), true)
	tree, _ := expr.Parse(law, nil)
	moved, _, ok := m.FromZero(tree)
	if back := m.Absolute(moved); !ok || !expr.Equal(back, tree) {
		t.Errorf("%v becomes %v and %v", tree, moved, back)
	}
	for _, text := range []string{"c0*x0 + c1", "c0"} { // the constant takes up 273.15
		tree, _ := expr.Parse(text, nil)
		if moved, _, ok := m.FromZero(tree); ok {
			t.Errorf("%s becomes %v", text, moved)
		}
	}
}
