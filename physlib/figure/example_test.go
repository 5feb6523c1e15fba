package figure_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

var (
	regen = flag.Bool("regen", false, "draw the pictures in testdata again")
	look  = flag.String("png", "", "a `folder` to draw the pictures into as PNG, light and dark")
)

// show compares a picture with the one in testdata. The documentation of the example shows that
// picture.
func show(name string, p figure.Picture) {
	path := "testdata/" + name + ".svg"
	if *look != "" {
		for theme, suffix := range map[figure.Theme]string{figure.Light: "-light.png", figure.Dark: "-dark.png"} {
			if png, err := p.Draw(figure.Options{Theme: theme, Format: "png"}); err == nil {
				os.WriteFile(filepath.Join(*look, name+suffix), png, 0o644)
			}
		}
	}
	svg, err := p.Draw(figure.Options{Theme: figure.Auto})
	if err != nil {
		fmt.Println(err)
		return
	}
	if *regen {
		if err := os.WriteFile(path, svg, 0o644); err != nil {
			fmt.Println(err)
		}
	}
	switch kept, err := os.ReadFile(path); {
	case err != nil:
		fmt.Println(err)
	case !bytes.Equal(kept, svg):
		fmt.Printf("%s is drawn differently now; if that is meant: go test ./physlib/figure -regen\n", path)
	default:
		fmt.Println("as in", path)
	}
}

// The picture shows the laws that a search for Kepler's third law keeps. The chosen law is marked.
func ExampleFront() {
	var laws []law.Law
	for _, l := range []struct {
		law              string
		complexity, rmse float64
	}{{"13400", 15, 2.02e4}, {"1810*x0", 18, 3960}, {"69.4*x0**2", 19.5, 2720}, {"365.034*x0**(3/2)", 23.9, 3.19}, {"365.49*x0**1.49962", 28.5, 2.06}} {
		t, err := expr.Parse(l.law, nil)
		if err != nil {
			fmt.Println(err)
		}
		laws = append(laws, law.Law{Tree: t, Vars: []string{"a"}, Target: "T", Complexity: l.complexity, RMSE: l.rmse})
	}
	show("front", figure.Front(laws, laws[3], "T [d]"))
	// Output: as in testdata/front.svg
}

// The picture shows the periods of the planets against their distances, with Kepler's law.
func ExampleCurve() {
	t, _, err := dataset.Example("kepler")
	if err != nil {
		fmt.Println(err)
		return
	}
	var x, y []float64
	for a := 0.3; a < 40; a *= 1.1 {
		x, y = append(x, a), append(y, 365.034*math.Pow(a, 1.5))
	}
	show("curve", figure.Curve(t.Vars[0].Values, t.Target.Values, x, y, "a [AU]", "T [d]"))
	// Output: as in testdata/curve.svg
}

// The picture shows measured against predicted values, with the residuals below.
func ExampleFitResiduals() {
	measured, predicted := make([]float64, 40), make([]float64, 40)
	for i := range measured {
		predicted[i] = 2 + 0.1*float64(i)
		measured[i] = predicted[i] + 0.08*math.Sin(7*float64(i))
	}
	show("fit-residuals", figure.FitResiduals(measured, predicted, "T [s]", "s"))
	// Output: as in testdata/fit-residuals.svg
}

// The SVG shows the values that a law predicts against the measured values.
func ExampleFit() {
	svg, err := figure.Fit([]float64{88, 225, 365}, []float64{87.97, 224.7, 365.26}, "T [d]").SVG(figure.Options{})
	fmt.Println(strings.Contains(svg, "measured T [d]"), err)
	// Output: true <nil>
}

// The picture shows the shares of laws found, with intervals, and published shares for comparison.
func ExampleLines() {
	show("lines", figure.Lines([]figure.Series{
		{Name: "physlib", X: []float64{0, 0.01, 0.1}, Y: []float64{100, 99, 86}, Low: []float64{96, 95, 78}, High: []float64{100, 100, 91}, Dots: true},
		{Name: "PhySO", X: []float64{0, 0.01, 0.1}, Y: []float64{58.4, 57.9, 53.4}, Dots: true, Dashed: true},
	}, figure.Axis{Label: "noise"}, figure.Axis{Label: "recovered [%]", Low: 0, High: 100}))
	// Output: as in testdata/lines.svg
}

func ExampleBars() {
	rows := []figure.Estimate{figure.Share("with units", 100, 100), figure.Share("without units", 95, 100)}
	noisy := figure.Share("with units", 86, 100)
	noisy.Group, rows[0].Group, rows[1].Group = "noise 0.1", "noise 0", "noise 0"
	show("bars", figure.Bars(append(rows, noisy), figure.Axis{Label: "recovered [%]"}))
	// Output: as in testdata/bars.svg
}

func ExampleForest() {
	show("forest", figure.Forest([]figure.Estimate{
		{Group: "positions", Name: "tree", Value: 4.1, Low: 1.2, High: 7},
		{Group: "positions", Name: "none", Value: -22, Low: -26, High: -18},
		{Group: "encoder", Name: "without units", Value: -9, Low: -13, High: -5.2},
	}, figure.Axis{Label: "change of recovery [percentage points]"}, 0))
	// Output: as in testdata/forest.svg
}

// The picture shows attention weights: how much each token attends to each other token.
func ExampleHeat() {
	tokens := []string{"*", "c0", "pow", "a", "3/2"}
	m := figure.Matrix{Rows: tokens, Columns: tokens, X: "looked at", Y: "token", Label: "attention", High: 1}
	for i := range tokens {
		row := make([]float64, len(tokens))
		for k := range row {
			row[k] = math.Exp(-math.Abs(float64(i-k))) / 2
		}
		m.Values = append(m.Values, row)
	}
	show("heat", figure.Heat(m))
	// Output: as in testdata/heat.svg
}

func ExampleTree() {
	t, err := expr.Parse("c0*sqrt(x0/x1)*(1 + square(sin(x2/2))/4)", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	show("tree", figure.Tree(t, []string{"l", "g", "theta"}))
	// Output: as in testdata/tree.svg
}

// film returns a film in which the expression 2*pi*sqrt(l/g) is completed in six steps.
func film() figure.Film {
	f := figure.Film{Law: "2*pi*sqrt(l/g)"}
	final := []string{"*", "c0", "sqrt", "/", "l", "g"}
	for k, order := 0, []int{0, 2, 3, 1, 5, 4}; k < len(order); k++ {
		frame := figure.Frame{Step: k, Steps: len(order)}
		for i, token := range final {
			shown := false
			for _, done := range order[:k+1] {
				shown = shown || done == i
			}
			p := 0.25 + 0.12*float64(k)
			if shown {
				p = 0.97
			} else if k < 2 {
				token = "g"
			}
			frame.Cells = append(frame.Cells, figure.Cell{Token: token, Shown: shown, Top: []figure.Guess{{Token: token, P: p}, {Token: "1", P: 1 - p}}})
		}
		f.Frames = append(f.Frames, frame)
	}
	return f
}

func ExampleRefinement() {
	show("refinement", figure.Refinement(film()))
	// Output: as in testdata/refinement.svg
}

func ExampleStrip() {
	show("strip", figure.Strip(film(), 4))
	// Output: as in testdata/strip.svg
}

// Display returns a law as the output of a notebook's cell.
func ExampleDisplay() {
	t, err := expr.Parse("c0*sqrt(x0/x1)", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	l := law.Law{Tree: t, Vars: []string{"l", "g"}, Target: "T", Constants: law.NewConstants([]float64{6.2832}, []float64{0.0004}), R2: 1, RMSE: 0.001, UnitsOK: true}
	contents, err := figure.Display(l, figure.Options{})
	fmt.Println(contents["text/latex"], err)
	fmt.Println(contents["text/plain"])
	// Output:
	// $\displaystyle T = 6.2832 \sqrt{\frac{l}{g}}$ <nil>
	// T = 6.2832*sqrt(l/g)
}

// Text formats Kepler's third law for a terminal.
func ExampleText() {
	t := expr.Apply(expr.Mul, expr.Num(365.256), expr.Apply(expr.Pow, expr.X(0), expr.Num(1.5)))
	fmt.Println(strings.Join(figure.Text("T", t, []string{"a"}), "\n"))
	// Output:
	//              3/2
	// T = 365.256·a
}

// MathML typesets a law for a web page.
func ExampleMathML() {
	t := expr.Apply(expr.Sqrt, expr.X(0))
	fmt.Println(figure.MathML("T", t, []string{"a"}))
	// Output:
	// <math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow><mi>T</mi><mo>=</mo><msqrt><mi>a</mi></msqrt></mrow></math>
}
