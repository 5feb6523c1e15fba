package figure

import (
	"bytes"
	"encoding/json"
	"image/png"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/text"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

func fronts() []law.Law {
	return []law.Law{
		{Tree: expr.X(0), Complexity: 3, RMSE: 12},
		{Tree: expr.X(0), Complexity: 9.5, RMSE: 0.02},
		{Tree: expr.X(0), Complexity: 30, RMSE: 0},
	}
}

// Whether units balance is shown only for tables with units.
func TestBalanceShown(t *testing.T) {
	withUnit := fronts()
	for i := range withUnit {
		withUnit[i].UnitsOK = true
	}
	without := slices.Clone(withUnit)
	withUnit[2].Constants = []law.Constant{{Name: "c0", Value: 2, Unit: "m"}}
	wrong := slices.Clone(without)
	wrong[2].UnitsOK = false
	for name, c := range map[string]struct {
		laws       []law.Law
		law, front string
	}{
		"no units":   {without, "", ""},
		"units":      {withUnit, "the units balance", "<th>units</th>"},
		"unbalanced": {wrong, "the units do not balance", "<th>units</th>"},
	} {
		shown := func(x any) string {
			contents, err := Display(x, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return contents["text/html"].(string)
		}
		if page := shown(c.laws[2]); !strings.Contains(page, c.law) || c.law == "" && strings.Contains(page, "units") {
			t.Errorf("%s: the law is shown as %s, want %q", name, page, c.law)
		}
		if page := shown(c.laws); !strings.Contains(page, c.front) || c.front == "" && strings.Contains(page, "units") ||
			strings.Count(page, "<td") != strings.Count(page, "<th")*len(c.laws)-strings.Count(page, "<thead")*len(c.laws) {
			t.Errorf("%s: the front is shown as %s, want %q", name, page, c.front)
		}
		spec, err := json.Marshal(vegaFront(c.laws, []float64{12, 0.02, 1}, 0, []int{0, 1, 2}, "y", Options{}.style()))
		if err != nil {
			t.Fatal(err)
		}
		if _, tips, _ := strings.Cut(string(spec), `"tooltip"`); strings.Contains(tips, `"field":"units"`) != (c.front != "") {
			t.Errorf("%s: the tooltips are %s", name, tips)
		}
	}
}

// The staircase leaves out rivals that another law surpasses, in both forms of the picture.
func TestStaircase(t *testing.T) {
	laws := []law.Law{
		{Tree: expr.X(0), Complexity: 6, RMSE: 3.5},
		{Tree: expr.X(0), Complexity: 6, RMSE: 3},
		{Tree: expr.X(0), Complexity: 9, RMSE: 4},
		{Tree: expr.X(0), Complexity: 13, RMSE: 1},
		{Tree: expr.X(0), Complexity: 15, RMSE: 1},
	}
	var complexity, errors []float64
	for _, l := range laws {
		complexity, errors = append(complexity, l.Complexity), append(errors, l.RMSE)
	}
	if front := undominated(complexity, errors); !slices.Equal(front, []int{1, 3}) {
		t.Errorf("the front is %v", front)
	}
	spec, _ := Front(laws, laws[3], "T").VegaLite(Options{})
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"front":true`); n != 2 {
		t.Errorf("the interactive form has %d laws on the front", n)
	}
	drawn, _ := Front(laws, laws[3], "T").Draw(Options{})
	alone, _ := Front([]law.Law{laws[1], laws[3]}, laws[3], "T").Draw(Options{})
	if bytes.Equal(drawn, alone) {
		t.Error("the laws off the front are not drawn")
	}
}

// pictures returns pictures of ordinary and of extreme numbers, by name.
func pictures() map[string]Picture {
	r := rand.New(rand.NewSource(1))
	m, p := make([]float64, 5000), make([]float64, 5000)
	for i := range m {
		p[i] = math.Exp(8 * r.Float64())
		m[i] = p[i] * (1 + 0.05*r.NormFloat64())
	}
	nan, inf := math.NaN(), math.Inf(1)
	return map[string]Picture{
		"front":           Front(fronts(), fronts()[1], "T [d]"),
		"front of none":   Front(nil, law.Law{}, "T"),
		"front of one":    Front(fronts()[2:], fronts()[2], "T"),
		"fit":             Fit(m, p, "T <d> & [µm]"),
		"fit of nothing":  Fit(nil, nil, "T"),
		"fit of NaN":      Fit([]float64{1, nan, inf}, []float64{nan, 2, 3}, "T"),
		"fit of one":      Fit([]float64{5}, []float64{5}, "T"),
		"curve":           Curve(m, p, p[:1], p[:1], "a [AU]", "T [d]"),
		"curve off":       Curve(m[:9], p[:9], []float64{1, 2, inf}, []float64{nan, 1e30, 2}, "a", "T"),
		"residuals":       Residuals(m, p, "T [d]", "d"),
		"small residuals": Residuals([]float64{-1e-20, 2e-20}, []float64{-1e-20, 2.1e-20}, "q [C]", "C"),
		"constant":        Residuals([]float64{7, 7}, []float64{7, 7}, "T", ""),
	}
}

func TestSVG(t *testing.T) {
	for name, draw := range pictures() {
		got, err := draw.Draw(Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wellFormed(t, name, string(got))
		wellFormed(t, name+", themed", string(Themed(got)))
		if again, _ := draw.Draw(Options{}); !bytes.Equal(got, again) {
			t.Errorf("%s: not the same bytes twice", name)
		}
		if len(got) > 700_000 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

func TestPNG(t *testing.T) {
	for name, draw := range pictures() {
		got, err := draw.Draw(Options{Format: "png", Title: name})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(got)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Front(nil, law.Law{}, "T").Draw(Options{Format: "bmp2"}); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestThemed(t *testing.T) {
	got, _ := Front(fronts(), fronts()[1], "T [d]").Draw(Options{})
	s := string(Themed(got))
	for _, want := range []string{"var(--ink,#1a1a1b)", "var(--data,#0072b2)", "var(--chosen,#d55e00)", "var(--paper,#fefefe)"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(s, "#FEFEFE") || !strings.HasPrefix(s, "<svg") {
		t.Error("a house colour or the declaration is left")
	}
}

// Axes get round numbers as labelled ticks.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		a    axis
		want string
	}{
		{newAxis("", false, []float64{0, 10}), "0 2 4 6 8 10"},
		{newAxis("", false, []float64{-0.02, 0.02}), "−0.02 −0.01 0.00 0.01 0.02"},
		{newAxis("", false, []float64{0, 3e-7}), "0 5·10^{−8} 1.0·10^{−7} 1.5·10^{−7} 2.0·10^{−7} 2.5·10^{−7} 3.0·10^{−7}"},
		{newAxis("", true, []float64{1, 1e8}), "1 100 10^{4} 10^{6} 10^{8}"},
		{newAxis("", true, []float64{1, 30}), "1 2 5 10 20"},
		{newAxis("", true, []float64{100, 130}), "100 105 110 115 120 125 130"},
		{newAxis("", true, nil), "1 2 5 10"},
	} {
		var got []string
		for _, k := range c.a.ticks() {
			if k.Label != "" {
				got = append(got, k.Label)
			}
		}
		if s := strings.Join(got, " "); s != strings.ReplaceAll(c.want, "0.00", "0") {
			t.Errorf("%+v: %s, want %s", c.a, s, c.want)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	draw := pictures()["fit"]
	for b.Loop() {
		if _, err := draw.Draw(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLines(t *testing.T) {
	svg, err := Lines([]Series{
		// 0 cannot be shown on a log axis.
		{Name: "training", X: []float64{0, 1, 10, 100}, Y: []float64{4, 3, 2, 1}},
		{Name: "held out", X: []float64{10}, Y: []float64{2.5}, Dots: true},
		{Name: "none"},
	}, Axis{Label: "steps", Log: true}, Axis{Label: "loss"}).Draw(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"training", "steps", "loss"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
}

// Powers in units are raised. Other text does not change.
func TestUnitPowers(t *testing.T) {
	for label, want := range map[string][2]string{
		"T [d]":               {"T [d]", "T [d]"},
		"E_n [kg m^2 s^-2]":   {"E_n [kg m^{2} s^{−2}]", "E_n [kg m² s⁻²]"},
		"c0 [d AU^(-3/2)]":    {"c0 [d AU^{−3/2}]", "c0 [d AU⁻³/²]"},
		"x^2 of y":            {"x^2 of y", "x^2 of y"},
		"rate [10^{9} per s]": {"rate [10^{9} per s]", "rate [10^{9} per s]"},
		"a^2 [m^2]":           {"a^2 [m^{2}]", "a^2 [m²]"},
	} {
		if raised, plain := (Options{Format: "png"}).style().powers(label), (Options{}).style().powers(label); raised != want[0] || plain != want[1] {
			t.Errorf("%s is %s and %s, want %s", label, raised, plain, want)
		}
	}
	sty := Options{}.style().write(1, text.XLeft, text.YCenter)
	if w := textWidth(sty, "m^{2} s^{−2}"); w >= textWidth(sty, "m2 s−2") || w <= textWidth(sty, "m s") {
		t.Errorf("raised figures take %v", w)
	}
}
