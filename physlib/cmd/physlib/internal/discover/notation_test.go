package discover

import (
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/motion"
)

// All lines about a law of motion have the same constants, decimals and order of terms.
func TestNotationOfMotion(t *testing.T) {
	l := law.Law{Tree: parse(t, "c0*h + c1*u + c2*v**0.43660755675625557", "h", "u", "v"), Vars: []string{"h", "u", "v"}, Target: "dh_dt",
		Constants: law.NewConstants([]float64{-0.600000912, 1.79999719, 1.2000000021}, []float64{0.0000010, 0.0000022, 0.0000030}), SI: "dh_dt = 610.0009*pump - 0.6*sqrt(h)"}
	l.NameConstants()
	var b strings.Builder
	printLaw(&b, l, style{}, ofMotion)
	text := ofMotion.line(l) + "\n" + b.String()
	for _, want := range []string{
		"dh_dt = 1.7999972*u - 0.6000009*h + 1.2*v**0.4366\n",
		"1.7999972·u − 0.6000009·h + 1.2·v",
		"with dh_dt = c1*u + c0*h + c2*v**0.4366\n",
		"c1 = 1.7999972 ± 0.0000022\n",
		`LaTeX  \dot{h} = 1.7999972 u - 0.6000009 h + 1.2 v^{0.4366}`,
		"in SI units  dh_dt = 610.0009·pump - 0.6·√h\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A time that counts the rows is a measurement.
func TestTimeCountsRows(t *testing.T) {
	warnings := []string{"a.csv: column day counts the rows from 0: if it is not a measurement, leave it out", "a.csv: column n counts the rows from 1"}
	if got := notOfTime(slices.Clone(warnings), "day"); !slices.Equal(got, warnings[1:]) {
		t.Errorf("%q", got)
	}
}

// The table of laws does not list the chosen law in a second form.
func TestChosenOnce(t *testing.T) {
	chosen := law.Law{Tree: parse(t, "x*y", "x", "y"), Vars: []string{"x", "y"}, Score: 12, Complexity: 10}
	earlier, other := chosen, chosen
	earlier.Tree, earlier.Complexity, earlier.RMSE = parse(t, "y*x + 0*y", "x", "y"), 20, -1
	other.Score, other.Complexity, other.RMSE = 40, 5, 3
	front, _ := shownFront(motion.Equation{Law: chosen, Front: []law.Law{other, earlier}})
	if len(front) != 2 || front[0].Score != 40 || front[1].Score != 12 || front[1].Complexity != 10 {
		t.Errorf("%+v", front)
	}
}
