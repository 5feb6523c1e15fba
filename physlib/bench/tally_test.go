package bench

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTally(t *testing.T) {
	good, fair := 1.0, 0.999
	a := []Record{
		{Suite: "feynman", ID: "1", Units: true, Noise: 0.01},
		{Suite: "feynman", ID: "1", Exact: true, R2: &good, Seconds: 3, Evals: 50},
		{Suite: "feynman", ID: "1", Units: true, Exact: true, R2: &good, Seconds: 1, Evals: 10},
		{Suite: "classic", ID: "1", Exact: true, R2: &good, Seconds: 1},
		// A second record of the same law and settings.
		{Suite: "classic", ID: "1", R2: &fair, Seconds: 2, Evals: 60},
	}
	b := []Record{{Suite: "classic", ID: "1", Exact: true, Seconds: 2}, {Suite: "classic", ID: "1", Exact: true, Seed: 1, Seconds: 4}}
	want := `                   recovered    a    b
           classic, no units  0/1  2/2
              feynman, units  1/1    -
           feynman, no units  1/1    -
  feynman, units, noise 0.01  0/1    -
                         all  2/4  2/2
                  R² > 0.999  2/4  0/2
             seconds, median    1    2
  candidates scored a second   20    0
`
	if diff := cmp.Diff(want, NewTally([]string{"a", "b"}, [][]Record{a, b}).String()); diff != "" {
		t.Error(diff)
	}
}

func TestSignTest(t *testing.T) {
	// Calculated by hand: twice the sum of the binomial coefficients up to the smaller count,
	// divided by 2ⁿ.
	for _, test := range []struct {
		a, b int
		want float64
	}{{0, 0, 1}, {1, 0, 1}, {5, 3, 2 * (1 + 8 + 28 + 56) / 256.0}, {3, 5, 2 * 93 / 256.0}, {0, 7, 2 / 128.0}, {7, 1, 2 * 9 / 256.0}, {4, 4, 1}} {
		if got := signTest(test.a, test.b); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%d and %d: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
