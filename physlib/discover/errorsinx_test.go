package discover

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// The values are y = 3·x^(3/2), with errors of 0.1 in x and 0.3 in y. A search without the errors
// of x chooses a law with too many constants. The slopes of that law must not set the effective
// variance of the last search. With the errors of x, the exponents 3/2 and 1.51 take nearly the
// same number of bits.
func TestErrorsInX(t *testing.T) {
	x := []float64{0.920, 1.289, 1.817, 2.305, 2.798, 3.116, 3.471, 3.869, 4.443, 4.953, 5.238, 5.508, 5.957, 6.634, 6.915, 7.143, 7.728, 8.042, 8.516, 8.951}
	y := []float64{2.786, 5.248, 7.482, 10.037, 13.316, 16.665, 19.373, 23.451, 27.097, 31.393, 35.295, 40.099, 44.661, 49.323, 53.998, 59.244, 64.233, 69.495, 75.450, 80.667}
	errorsOf := func(sigma float64) []float64 { return slices.Repeat([]float64{sigma}, len(x)) }
	table := &dataset.Table{Name: "t.csv", Vars: []dataset.Column{{Name: "x", Values: x}},
		Target: dataset.Column{Name: "y", Values: y}, Sigma: errorsOf(0.3)}
	r, err := Discover(t.Context(), table, Settings{Evaluations: 6000, Proposers: []string{Search},
		XSigma: map[string][]float64{"x": errorsOf(0.1)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Front {
		if l.Display(3) == "3.008*x**(3/2)" {
			if worse := l.Score - r.Best.Score; worse > 2 {
				t.Errorf("x^(3/2) is %.1f bits worse than %s", worse, r.Best.Display(3))
			}
			return
		}
	}
	t.Errorf("x^(3/2) is not on the front of %d laws", len(r.Front))
}

// The values are y = 2·x² + 1, with errors of 0.3 in x and 0.1 in y. The law is found if the errors
// of y are not given. It is also found if they are given, although they alone contradict each law.
func TestErrorsInXAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		at := 1 + 0.2*float64(i)
		x[i], y[i] = at+0.3*random.NormFloat64(), 2*at*at+1+0.1*random.NormFloat64()
	}
	errorsOf := func(sigma float64) []float64 { return slices.Repeat([]float64{sigma}, len(x)) }
	for _, sigma := range [][]float64{nil, errorsOf(0.1)} {
		table := &dataset.Table{Name: "t.csv", Vars: []dataset.Column{{Name: "x", Values: x}},
			Target: dataset.Column{Name: "y", Values: y}, Sigma: sigma}
		r, err := Discover(t.Context(), table, Settings{Evaluations: 6000, Proposers: []string{Search},
			XSigma: map[string][]float64{"x": errorsOf(0.3)}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Front, func(l law.Law) bool {
			text := l.Display(2)
			return l.Score < r.Best.Score+5 && (strings.HasSuffix(text, "*x**2") || strings.Contains(text, "*x**2 + "))
		}) {
			t.Errorf("errors of y %v: the best law is %q", sigma != nil, r.Best.Display(3))
		}
	}
}
