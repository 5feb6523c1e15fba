package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// cosine returns the trajectory of a cosine with the given number of rows. period is the number of
// rows per period, sigma the standard deviation of the noise.
func cosine(rows int, period, sigma float64) *Trajectories {
	rng := rand.New(rand.NewPCG(3, 0))
	t, x := make([]float64, rows), make([]float64, rows)
	for i := range t {
		t[i] = float64(i)
		x[i] = math.Cos(2*math.Pi*t[i]/period) + sigma*rng.NormFloat64()
	}
	return &Trajectories{Time: dataset.Column{Name: "t", Values: t},
		States: []dataset.Column{{Name: "x", Values: x}}, Runs: [][2]int{{0, rows}}}
}

func TestCondensed(t *testing.T) {
	for _, c := range []struct {
		name          string
		rows          int
		period, sigma float64
		left          int // approximate number of rows after the reduction
		runs          int
		note          string
	}{
		{"few rows", 2000, 100, 0, 2000, 1, ""},
		{"clean", 16_000, 400, 0, 2000, 1, "one in 8"},
		{"noisy", 16_000, 400, 0.1, 2000, 1, "every 8 consecutive"},
		{"fast and clean", 16_000, 50, 0, 2000, 8, "one in 2"},
		{"fast and noisy", 16_000, 30, 0.001, 2000, 8, "stretches"},
		{"as fast as the rows", 160_000, 5, 0, 2000, 8, "stretches"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, _, note := cosine(c.rows, c.period, c.sigma).Condensed()
			if c.note == "" && note != "" || !strings.Contains(note, c.note) {
				t.Errorf("note %q, want %q", note, c.note)
			}
			if n := tr.Rows(); n < c.left*9/10 || n > c.left*11/10 || len(tr.Runs) != c.runs {
				t.Errorf("%d rows in %d runs, want about %d in %d", n, len(tr.Runs), c.left, c.runs)
			}
			if n := len(tr.States[0].Values); n != tr.Rows() || len(tr.Time.Values) != n {
				t.Errorf("%d values of the state, %d times", n, len(tr.Time.Values))
			}
			for i, x := range tr.States[0].Values { // all rows lie on the curve, within the noise
				want := math.Cos(2 * math.Pi * tr.Time.Values[i] / c.period)
				if math.Abs(x-want) > 0.01+5*c.sigma {
					t.Fatalf("x = %g at t = %g, want %g", x, tr.Time.Values[i], want)
				}
			}
		})
	}
}

// Short runs keep all their rows, however many runs there are.
func TestCondensedRuns(t *testing.T) {
	tr := cosine(40_000, 100, 0)
	tr.Runs = nil
	for at := 0; at < 40_000; at += 100 {
		tr.Runs = append(tr.Runs, [2]int{at, at + 100})
	}
	got, _, _ := tr.Condensed()
	for _, r := range got.Runs {
		if r[1]-r[0] < 100 {
			t.Fatalf("a run of 100 rows has %d left", r[1]-r[0])
		}
	}
}

// Only some of many short runs are kept. The kept runs include every value of a parameter that
// changes periodically from run to run.
func TestCondensedManyRuns(t *testing.T) {
	tr := cosine(20_000, 30, 0.1)
	tr.Runs, tr.Params = nil, []dataset.Column{{Name: "k", Values: make([]float64, 20_000)}}
	for i := range 400 {
		tr.Runs = append(tr.Runs, [2]int{50 * i, 50 * (i + 1)})
		for row := range 50 {
			tr.Params[0].Values[50*i+row] = float64(i % 5)
		}
	}
	got, _, _ := tr.Condensed()
	found := map[float64]int{}
	for _, r := range got.Runs {
		if v := got.Params[0].Values[r[0]:r[1]]; slices.Min(v) != slices.Max(v) || len(v) != 50 {
			t.Fatalf("a run has the parameters %v", v)
		}
		found[got.Params[0].Values[r[0]]]++
	}
	if got.Rows() != 4000 || len(found) != 5 {
		t.Errorf("%d rows of runs with the parameters %v", got.Rows(), found)
	}
}

// Thinning and averaging never turn an oscillation into one of another frequency.
func TestCondensedAliases(t *testing.T) {
	for _, period := range []float64{2, 2.01, 2.9, 3, 4.01, 5, 2 * math.Pi / 0.6, 13, 33, 55, 90} {
		tr, _, note := cosine(20_000, period, 0).Condensed()
		step := tr.Time.Values[1] - tr.Time.Values[0]
		if step > max(1, period/8) || strings.Contains(note, "averaged") {
			t.Errorf("%g rows a period: %s", period, note)
		}
	}
}

// Averaging lowers the variance of the errors by a factor. The factor is a mean over all rows of
// the result, including rows that are not averages.
func TestCondensedFactor(t *testing.T) {
	for _, c := range []struct {
		name     string
		runs     []int // number of rows of each run
		left     int
		averaged float64
		note     string
	}{
		{"short", slices.Repeat([]int{50}, 70), 3500, 1, ""},
		{"many", slices.Repeat([]int{50}, 400), 4000, 1, "20000 rows; 80 of 400 trajectories are used"},
		{"long", []int{4000, 4000}, 2000, 4, "8000 rows: every 4 consecutive ones are averaged"},
		{"both", append(slices.Repeat([]int{50}, 20), 3000), 2500, 2500 / (1000 + 750.), "4000 rows: in long runs up to 2 consecutive ones are averaged, 2500 are left"},
	} {
		rows := 0
		for _, n := range c.runs {
			rows += n
		}
		tr := cosine(rows, 50, 0.2)
		tr.Runs = nil
		at := 0
		for _, n := range c.runs {
			tr.Runs = append(tr.Runs, [2]int{at, at + n})
			at += n
		}
		got, averaged, note := tr.Condensed()
		if got.Rows() != c.left || math.Abs(averaged-c.averaged) > 1e-9 || note != c.note {
			t.Errorf("%s: %d rows, factor %g, note %q", c.name, got.Rows(), averaged, note)
		}
	}
}
